from __future__ import annotations

import json
import re

import pytest
import yaml

from dataset_scripts.building.build import build
from dataset_scripts.packaging.card import card as card_of
from dataset_scripts.packaging.card_head import card_problems, read_card
from dataset_scripts.packaging.licences import ENGLISH, authenticity, use_of
from dataset_scripts.recipe import AVAILABILITY, HUB_LISTS, dataset
from dataset_scripts.recipes.sdak.dataset import MINI
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.data.records import load_records
from medzh_score.scoring.citation import cite, release_bibtex
from medzh_score.scoring.paper import load_paper, reported_tables
from medzh_score.ui.errors import MedzhError

CONFIGS = config_names()
RULE = re.compile(r"\|(?: --- \|)+")
LABELLED = re.compile(r"<details>\n<summary>(Table [^\n]*) \(figures of the paper\)</summary>\n")


@pytest.fixture(scope="module")
def card(minis):
    return (minis / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def body(card):
    return card.split("---\n", 2)[2]


@pytest.fixture(params=CONFIGS)
def config(request):
    return request.param


@pytest.fixture
def section(body, config):
    start = body.index(f"\n## `{config}`")
    return body[start : body.find("\n## ", start + 1) if "\n## " in body[start + 1 :] else None]


def part(section, heading):
    """Give what stands beneath a heading of a section."""
    after = section.partition(f"\n### {heading}\n")[2]
    assert after, heading
    return after.partition("\n### ")[0]


def cells(line):
    """Count the cells of a line of a table; an escaped bar is text."""
    return len(re.findall(r"(?<!\\)\|", line)) - 1


def test_every_table_of_every_section_is_whole(body):
    lines = re.sub(r"```.*?```", "", body, flags=re.DOTALL).splitlines()
    tables = 0
    for above, line, below in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        if not line.startswith("|"):
            continue
        assert line.endswith("|"), line
        if RULE.fullmatch(line):
            tables += 1
            assert above.startswith("|"), line
            assert below.startswith("|"), f"a table without rows: {above}"
        elif not above.startswith("|"):
            assert RULE.fullmatch(below), f"a table without heads begins: {line}"
        else:
            assert cells(line) == cells(above), f"{above}\n{line}"
    assert tables > 5 * len(CONFIGS)


def test_every_section_opens_with_its_recipe_and_that_it_is_not_the_benchmark(section, config):
    opening = section.lstrip("\n").splitlines()[2]
    assert opening.startswith(f"**`{config}` was built by the recipe `mini`: ")
    assert opening.endswith(ENGLISH["not the benchmark"] + "**")


def test_a_card_opens_with_whether_it_may_be_used_and_how_it_is_loaded_and_scored(body):
    headings = re.findall(r"^#{1,2} (.*)$", re.sub(r"```.*?```", "", body, flags=re.DOTALL), re.MULTILINE)
    assert headings[:4] == [
        "medzh: Chinese medical benchmarks for language models",
        "May I use it, and how? / 能否使用，如何使用？",
        "How to load and score / 加载与评分",
        "Contents / 目录",
    ]
    use, load = (body.partition(f"\n## {one}\n")[2].partition("\n## ")[0] for one in headings[1:3])
    rows = [line.strip("| ").split(" | ") for line in use.splitlines() if line.startswith("| `")]
    assert [row[0] for row in rows] == [f"`{config}`" for config in CONFIGS]
    for config, (_, recipe, licence, redistributable, official, comparable) in zip(CONFIGS, rows, strict=True):
        assert (recipe, licence, official, comparable) == ("`mini`", "Apache-2.0", "no / 否", "no / 否")
        assert redistributable.startswith("no, local" if dataset(config).never_published else "yes"), config
    assert "不构成医疗建议" in use
    assert f"medzh-score score {CONFIGS[0]} predictions.jsonl --data build/medzh\n" in load


def test_the_contents_name_every_section_by_the_anchor_of_its_heading(body):
    contents = body.partition("\n## Contents / 目录\n")[2].partition("\n## ")
    after = re.findall(r"^## (.*)$", "\n## " + contents[2], re.MULTILINE)
    linked = re.findall(r"^- \[(.*)\]\(#(.*)\)$", contents[0], re.MULTILINE)
    assert [title for title, _ in linked] == after
    assert dict(linked)["`sdak`: atomic medical knowledge of self-diagnosis"] == (
        "sdak-atomic-medical-knowledge-of-self-diagnosis"
    )
    assert linked[0][1] == "what-it-is--内容"


def test_what_is_folded_renders_as_markdown(body):
    """Between the tags of a fold and its content there is an empty line, and every fold is closed."""
    lines = body.splitlines()
    for number, line in enumerate(lines):
        if line == "<details>":
            assert re.fullmatch("<summary>.+</summary>", lines[number + 1])
            assert (lines[number - 1], lines[number + 2]) == ("", "")
        elif line == "</details>":
            assert (lines[number - 1], lines[number + 1]) == ("", "")
    assert lines.count("<details>") == lines.count("</details>") > 3 * len(CONFIGS)


def test_the_lines_that_load_a_release_are_those_of_its_repository(minis):
    configs = json.loads((minis / "manifest.json").read_text(encoding="utf-8"))["configs"]
    text = card_of({"tcmd": {**configs["tcmd"], "version": "1.2.0"}}, minis, repo="clinic/medzh")
    code = text.partition("```python\n")[2].partition("```")[0]
    compile(code, "card", "exec")
    assert 'snapshot_download("clinic/medzh", repo_type="dataset", revision="v1.2.0")' in code
    assert 'load_dataset(folder, "tcmd", split="test")' in code
    assert "medzh-score score tcmd predictions.jsonl --data clinic/medzh@v1.2.0\n" in text


def test_a_card_whose_table_names_another_recipe_is_a_problem(minis, card, tmp_path):
    manifest = json.loads((minis / "manifest.json").read_text(encoding="utf-8"))
    assert card_problems(minis, read_card(minis), manifest) == []
    (tmp_path / "README.md").write_text(card.replace("| `sdak` | `mini` |", "| `sdak` | `official` |"), "utf-8")
    (problem,) = card_problems(minis, read_card(tmp_path), manifest)
    assert "does not state that sdak was built by recipe mini" in problem


@pytest.mark.parametrize(
    ("recipe", "source", "expected"),
    [
        ("official", {"pinned": True, "redistributable": False}, ("**yes, ", "yes, with", "no, local")),
        ("official", {"pinned": False, "redistributable": True}, ("not verified", "no / ", "yes / ")),
        ("mini", {"pinned": True, "redistributable": True}, ("no / ", "no / ", "yes / ")),
    ],
)
def test_what_one_may_do_follows_from_sources_and_recipe(recipe, source, expected):
    sources = [{"licence": "MIT", **source}]
    told = {"authenticity": authenticity(dataset("sdak"), recipe, sources), "never_published": ""}
    use = use_of("sdak", {"recipe": recipe, "sources": sources, **told})
    found = (use.official, use.comparable, use.redistributable)
    assert all(text.startswith(begun) for text, begun in zip(found, expected, strict=True)), use


def test_a_config_that_is_not_installed_keeps_its_section(tmp_path, monkeypatch):
    out = tmp_path / "medzh"
    build("tcmd", "open", out)
    build("sdak", "mini", out)
    before, described = ((out / name).read_text(encoding="utf-8") for name in ("README.md", "croissant.json"))
    section = re.search(r"<!-- tcmd -->.*<!-- end of tcmd -->", before, re.DOTALL)[0]
    assert "It is an open counterpart of TCMD, not TCMD" in section
    for module in ("card", "card_head", "build_files"):
        monkeypatch.setattr(f"dataset_scripts.packaging.{module}.dataset_names", lambda: ["sdak"])
    build("sdak", "mini", out)
    sets, stood = (json.loads(text)["recordSet"] for text in ((out / "croissant.json").read_text("utf-8"), described))
    assert sets == stood
    after = (out / "README.md").read_text(encoding="utf-8")
    assert section in after
    assert "| `tcmd_open` | open | `test` | 600 | 0.0.0 |" in after
    assert "\n| `tcmd_open` | `open` | Apache-2.0 AND CC-BY-4.0 |" in after.partition("\n## How to load")[0]
    assert "- [`tcmd`: the licensing examination for traditional Chinese medicine](#tcmd-" in after
    (out / "README.md").write_text(after.replace(section, ""), encoding="utf-8")
    with pytest.raises(
        MedzhError,
        match='field "tcmd": the config is not installed, and the existing dataset card has no section for it',
    ):
        build("sdak", "mini", out)


def test_a_section_has_the_essentials_in_chinese(section, config):
    (line,) = re.findall(r"^中文：.*$", section, re.MULTILINE)
    metadata = dataset(config).metadata
    assert metadata.summary_zh
    assert metadata.summary_zh in line
    assert f"**{AVAILABILITY[metadata.availability]}**" in line
    assert "`mini`（手写样例）：这不是官方基准" in line
    assert f"`medzh-score score {config} predictions.jsonl`" in line


def test_metrics_prompts_rules_and_rounds_are_those_of_the_scorer(section, config):
    scoring = find_config(config)
    metrics = part(section, f"Metrics of `{config}`")
    named = re.findall(r"^\| `([^`]+)` \|", metrics, re.MULTILINE)
    assert named == [
        one.name
        for one in scoring.metrics
        if len(scoring.metrics) <= 15 or one.name in scoring.reporting.summary_metrics
    ]
    left = len(scoring.metrics) - len(named)
    assert (f"The report has {left} more." in metrics) == bool(left)
    assert f"medzh-score score {config} predictions.jsonl" in metrics
    rules = re.findall(r"^- `([\w-]+)`(?: \(default\))?: ", metrics, re.MULTILINE)
    assert rules == [rule.name for rule in scoring.rules]
    assert re.findall(r"`--stage ([\w-]+)=FILE`", metrics) == [one.name for one in scoring.every_stage]
    prompts = re.findall(r"^\| `([\w-]+)` \| (yes|no) \|", part(section, f"Prompts of `{config}`"), re.MULTILINE)
    assert prompts == [(one.name, "no" if number else "yes") for number, one in enumerate(scoring.prompting.templates)]


def test_figures_of_the_paper_stand_under_its_name(section, config):
    paper = load_paper(config)
    told = part(section, f"Published results of `{config}`")
    assert "None of them was measured on this build.**" in told
    assert re.findall(r"^- `--table (\d+)`", told, re.MULTILINE) == [str(table.number) for table in paper.tables]
    (title,) = LABELLED.findall(told)
    (main,) = reported_tables(paper, paper.main)
    assert title == main.title
    shown = told.partition("</summary>\n\n")[2].partition("\n\n</details>")[0].splitlines()
    assert len(shown) == 2 + len(main.rows)
    assert cells(shown[0]) == len(main.columns)


def test_errata_are_named_and_what_holds_is_none(section, config):
    told = part(section, f"Published results of `{config}`")
    expected = [one.id for one in load_paper(config).errata if one.grade not in {"OK", "EXTRACTION"}]
    assert re.findall(r"^- (\w+) \([A-Z/]+\): ", told, re.MULTILINE) == expected


def test_the_example_is_a_record_of_the_build(section, config, minis):
    text = part(section, f"An example of `{config}`").partition("```json\n")[2].partition("\n```")[0]
    shown = json.loads(text)
    (record,) = [row for row in load_records(minis, config).rows if row["id"] == shown["id"]]
    assert list(shown) == list(record)
    for name, value in shown.items():
        if isinstance(value, str) and value.endswith("…") and value != record[name]:
            assert record[name].startswith(value[:-1])
            assert len(value) == 101
        elif not isinstance(value, list):
            assert value == record[name]
    assert "may be false on purpose" in section


def test_what_may_not_be_redistributed_gives_no_example(tmp_path):
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(MINI.read_bytes() + b"\n")
    build("sdak", "official", tmp_path / "out", given=[str(copy)])
    text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "No example is shown, because at least one source may not be redistributed" in text
    assert "```json" not in text
    assert "| **released** | `sdak`, recipe `official`: unverified |" in text
    assert "山楂具有消食健胃作用" not in text
    assert yaml.safe_load(text.split("---\n")[1])["source_datasets"] == ["extended|other"]


def test_the_bibtex_is_that_of_cite(section, config, minis):
    shown = part(section, f"How to cite `{config}`").partition("```bibtex\n")[2].partition("\n```")[0]
    entries = shown.split("\n\n")
    assert len(entries) == 2
    assert all(entry in cite(config, str(minis)) for entry in entries)
    assert "not the official" in entries[1]


def test_a_release_names_its_tag(minis, card):
    manifest = json.loads((minis / "manifest.json").read_text(encoding="utf-8"))
    assert card_of(manifest["configs"], minis) == card
    assert "ORG/medzh" not in card
    released = {name: {**entry, "version": "1.2.0"} for name, entry in manifest["configs"].items()}
    text = card_of(released, minis)
    assert "build/medzh" not in text
    assert 'load_records("ORG/medzh@v1.2.0", ' in text
    assert "note = {version 1.2.0, recipe mini, fingerprint " in text


def test_the_head_has_listed_words_only_and_follows_from_what_is_declared(card):
    front = yaml.safe_load(card.split("---\n")[1])
    for key, known in HUB_LISTS.items():
        values = front[key] if isinstance(front[key], list) else [front[key]]
        assert set(values) <= set(known), key
    assert front["source_datasets"] == ["original"]
    assert front["annotations_creators"] == ["other"]  # written by hand, by no physicians
    assert "multiple-choice-qa" in front["task_ids"]


@pytest.mark.parametrize(
    ("config", "recipe", "pinned", "expected"),
    [
        ("sdak", "official", True, "the benchmark"),
        ("sdak", "official", False, "unverified"),
        ("tcmd", "official", False, "not shown to be the benchmark"),
        ("care_mi", "official", True, "a part of the benchmark"),  # 20 of its 1,612 questions are published
        ("tcmd", "open", True, "not the benchmark"),
        ("pemebench_medqa", "official", False, "not the benchmark"),  # selected by our list
        ("sdak", "mini", True, "not the benchmark"),
    ],
)
def test_only_the_pinned_official_file_is_the_benchmark(config, recipe, pinned, expected):
    assert authenticity(dataset(config), recipe, [{"pinned": pinned}]) == expected


def test_published_examples_are_not_cited_as_the_whole_benchmark():
    built = {"version": "1.0.0", "recipe": "official", "fingerprint": "ab" * 32, "sources": [{"pinned": True}]}
    entry = release_bibtex(load_paper("care_mi"), built)
    assert "(20 examples of 1,612 questions), not the complete benchmark" in entry
    assert "the official SDAK data" in release_bibtex(load_paper("sdak"), built)
