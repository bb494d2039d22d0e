"""A board: what stands in one table, what its pages and downloads say, and what of it is written again."""

from __future__ import annotations

import csv
import io
import json
import re
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from commands import called
from places import ROOT, SAMPLES
from saved_results import saved

from medzh_score.cli.main import main
from medzh_score.comparison.load import Choices
from medzh_score.comparison.run import comparable, compared
from medzh_score.html import site as site_module
from medzh_score.html import site as writing
from medzh_score.html.site import MANIFEST, model_page
from medzh_score.results.result import Result
from medzh_score.scoring.pipeline import score
from medzh_score.stats.values import Bootstrap
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import in_chinese

COUNT, SEED, RESAMPLES = 40, 3, 200
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u202e\x1b[31m{{ 7*7 }}"
MINI = {"data": "0.0.0/mini/01234567"}
QUICK = ("--bootstrap", RESAMPLES, "--permutations", 200, "--seed", SEED)


def right_of(seed, share):
    return (np.random.default_rng(seed).random(COUNT) < share).astype(int)


@pytest.fixture
def results(tmp_path):
    """Save four comparable results, one of another prompt, and one of mini data."""
    shares = {"甲": 0.9, "b": 0.7, "c": 0.65, HOSTILE: 0.2}
    for place, (label, share) in enumerate(shares.items()):
        saved(tmp_path / f"r{place}", label, right_of(place, share))
    saved(tmp_path / "r4", "b", right_of(9, 0.8), prompt="paper-2", shots="3")
    saved(tmp_path / "r5", "small", right_of(8, 0.5), data=MINI["data"])
    return sorted(tmp_path.glob("r?"))


def write(site, results, *words):
    assert called("leaderboard", *results, "-o", site, *QUICK, *words) == 0
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


def tables_of(files):
    return json.loads(files["data/sdak.json"])["tables"]


def test_only_comparable_results_stand_in_one_table_and_others_say_why(tmp_path, results):
    files = write(tmp_path / "site", results)
    first, second, mini = tables_of(files)
    labels = [{one["label"] for one in table["comparison"]["systems"]} for table in (first, second, mini)]
    assert [len(of) for of in labels] == [4, 1, 1]
    assert labels[1:] == [{"b"}, {"small"}]
    assert second["apart"] == [
        {"key": "prompt", "here": "paper-2", "first": "paper-1"},
        {"key": "shots", "here": "3", "first": "0"},
    ]
    assert [(one["key"], one["here"]) for one in mini["apart"]] == [("data", MINI["data"])]
    for one, other in ((results[0], results[4]), (results[0], results[5]), (results[4], results[5])):
        with pytest.raises(MedzhError, match="not comparable with"):
            comparable([one, other], Choices())
    page = files["configs/sdak.html"].decode()
    assert "<code>prompt</code>: <bdi>paper-2</bdi> ≠ <bdi>paper-1</bdi>" in page


POLICIES = [("wrong", 204, [2]), ("skip", 204, [2]), ("wrong", 200, [1, 1])]


@pytest.mark.parametrize(("policy", "lines", "systems"), POLICIES)
def test_what_to_do_with_what_is_missing_parts_only_results_that_lack_any(policy, lines, systems, minis, tmp_path):
    """The sample has 204 answers."""
    answers = (SAMPLES / "sdak" / "predictions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for label, kept, missing in (("a", answers, "error"), ("b", answers[:lines], policy)):
        (tmp_path / "p.jsonl").write_text("".join(kept), encoding="utf-8")
        report = score("sdak", tmp_path / "p.jsonl", minis, missing=missing, bootstrap=0)
        report.with_changes(model=label).save(tmp_path / label)
    found = tables_of(write(tmp_path / "site", [tmp_path / "a", tmp_path / "b"]))
    assert [len(table["comparison"]["systems"]) for table in found] == systems
    assert [table["signature"]["missing"] for table in found] == ["error", policy][: len(systems)]


def test_numbers_are_those_of_compare(tmp_path, results):
    """Source: `compare` of all pairs with the same resamples and swaps; the ranks also by loops."""
    files = write(tmp_path / "site", results)
    (found,) = tables_of(files)[0]["comparison"]["found"]
    choices = Choices(metrics=("FactAcc",), bootstrap=Bootstrap(RESAMPLES, SEED), permutations=200)
    alike = sorted(results[:4], key=lambda folder: Result.load(folder).report.model)
    theirs = compared(comparable(alike, choices), choices).as_dict()
    assert found == json.loads(json.dumps(theirs["found"][0]))
    rows = list(csv.DictReader(io.StringIO(files["data/board.csv"].decode("utf-8-sig"))))
    assert {(row["system"], row["table"]) for row in rows} >= {("甲", "1"), ("b", "2"), ("small", "3")}
    of_first = {row["system"]: row for row in rows if row["table"] == "1"}
    assert [float(of_first[name]["value"]) for name in ("甲", "b", "c")] == [
        100 * right_of(seed, share).mean() for seed, share in ((0, 0.9), (1, 0.7), (2, 0.65))
    ]


def test_units_that_all_or_none_get_right_are_counted(tmp_path, results):
    """Source: plain loops over the pairs."""
    units = tables_of(write(tmp_path / "site", results))[0]["units"]
    given = [right_of(seed, share) for seed, share in enumerate((0.9, 0.7, 0.65, 0.2))]
    names = [f"sdak-{number:05}" for number in range(COUNT)]
    assert units["of"] == COUNT
    assert units["all_right"] == [name for name, *of in zip(names, *given, strict=True) if all(of)] != []
    assert units["none_right"] == [name for name, *of in zip(names, *given, strict=True) if not any(of)]


def test_groups_have_the_headline_of_each(tmp_path, results):
    """Source: means of the pairs of a type, which are every other one."""
    groups = tables_of(write(tmp_path / "site", results))[0]["groups"]["type"]
    assert groups["A"]["甲"] == pytest.approx(100 * right_of(0, 0.9)[::2].mean())
    assert groups["B"]["c"] == pytest.approx(100 * right_of(2, 0.65)[1::2].mean())


def test_mini_data_are_said_to_be_mini_wherever_they_stand(tmp_path, results):
    files = write(tmp_path / "site", results)
    for page in ("configs/sdak.html", model_page("small")):
        assert "mini sample, not the official benchmark" in files[page].decode(), page
    assert files["index.html"].decode().count("Mini sample, not the official benchmark: sdak.") == 1
    assert "mini sample, not the official benchmark" not in files[model_page("c")].decode()
    for sheet in ("data/board.csv", "data/sdak.csv"):
        rows = list(csv.DictReader(io.StringIO(files[sheet].decode("utf-8-sig"))))
        assert {row["mini"] for row in rows if row["system"] == "small"} == {"1"}
        assert {row["mini"] for row in rows if row["system"] == "c"} == {"0"}


def test_open_data_are_said_to_be_no_benchmark_and_stand_after_it(tmp_path, results):
    for place in (6, 7):
        saved(tmp_path / f"r{place}", f"open {place}", right_of(place, 0.5), data="0.0.0/open/01234567")
    given = [results[0], results[5], tmp_path / "r6", tmp_path / "r7"]
    files = write(tmp_path / "site", given)
    said = "open data, not the official benchmark"
    assert [one["signature"]["data"].split("/")[1] for one in tables_of(files)] == ["official", "open", "mini"]
    for page in ("configs/sdak.html", model_page("open 6")):
        assert said in files[page].decode(), page
    assert "Open data, not the official benchmark: sdak." in files["index.html"].decode()
    assert said not in files[model_page("甲")].decode()


def test_what_did_not_change_is_not_written_again(tmp_path, results, monkeypatch):
    site = tmp_path / "site"
    before = write(site, results)
    written = []
    real = writing.write_bytes
    monkeypatch.setattr(writing, "write_bytes", lambda path, content: (written.append(path.name), real(path, content)))
    assert write(site, results[::-1]) == before
    assert written == []
    saved(results[2], "c", right_of(77, 0.6))
    after = write(site, results)
    changed = {
        *("sdak.html", "sdak.csv", "sdak.json", "index.html", "board.csv", "board.json"),
        Path(model_page("c")).name,
    }
    assert set(written) == changed
    assert after == write(tmp_path / "other", results)
    assert after != before


def test_the_digest_of_the_code_is_of_pages_words_and_numbers(tmp_path, monkeypatch):
    package = tmp_path / "package"
    held = ("html/templates/board.js", "html/templates/page.css", "html/a.html.jinja")
    names = (*held, "locale/zh.mo", "statistics/a.py")
    for name in names:
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("before", encoding="utf-8")
    monkeypatch.setattr(site_module, "files", lambda _: package)
    digests = [site_module.code_digest.__wrapped__()]
    (package / "a.pyc").write_bytes(b"compiled")
    assert site_module.code_digest.__wrapped__() == digests[0]
    for name in names:
        (package / name).write_text("after", encoding="utf-8")
        digests.append(site_module.code_digest.__wrapped__())
    assert len(set(digests)) == len(names) + 1


def test_what_is_gone_is_removed_and_nothing_else_is_touched(tmp_path, results):
    site = tmp_path / "site"
    write(site, results)
    (site / "README.md").write_text("of a Space")
    (site / "models" / "mine.html").write_text("mine")
    files = write(site, [results[0], results[1]])
    assert {name for name in files if name.startswith("models/")} == {*map(model_page, ("甲", "b")), "models/mine.html"}
    assert files["README.md"] == b"of a Space"
    damaged = site / "index.html"
    damaged.write_text("not ours")
    assert write(site, [results[0], results[1]])["index.html"] == files["index.html"]


def test_a_kill_leaves_whole_files_and_the_next_call_does_the_rest(tmp_path, results, monkeypatch):
    site, scratch = tmp_path / "site", tmp_path / "scratch"
    before = write(site, results[:3])
    wanted = write(scratch, results)
    real = writing.write_bytes
    for last in range(len(wanted)):
        left = iter(range(last))

        def stopping(path, content, left=left):
            if next(left, None) is None:
                raise KeyboardInterrupt
            real(path, content)

        monkeypatch.setattr(writing, "write_bytes", stopping)
        with suppress(KeyboardInterrupt):
            called("leaderboard", *results, "-o", site, *QUICK)
        now = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
        pages = [name for name in now if name != MANIFEST]
        assert all(now[name] in {before.get(name), wanted.get(name)} for name in pages)
    monkeypatch.setattr(writing, "write_bytes", real)
    assert write(site, results) == wanted


def test_nothing_is_written_where_something_cannot_be_made(tmp_path, results):
    site = tmp_path / "site"
    before = write(site, results)
    saved(results[2], "b", right_of(5, 0.5))
    with pytest.raises(MedzhError, match="b already has a result on sdak"):
        write(site, results)
    (results[1] / "report.json").write_text("{}")
    with pytest.raises(MedzhError, match="the file has changed since it was saved"):
        write(site, results)
    assert before == {
        path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()
    }


@pytest.mark.parametrize(
    "manifest", [None, "{}", '{"kind": "medzh-score leaderboard", "files": {"../x": {"made_of": "", "sha256": ""}}}']
)
def test_another_folder_is_refused(tmp_path, results, manifest):
    site = tmp_path / "site"
    site.mkdir()
    (site / "thesis.txt").write_text("mine")
    if manifest is not None:
        (site / MANIFEST).write_text(manifest)
    there = {path.name: path.read_text() for path in site.iterdir()}
    with pytest.raises(MedzhError, match="board"):
        called("leaderboard", *results, "-o", site)
    assert {path.name: path.read_text() for path in site.iterdir()} == there


def test_a_leaderboard_is_never_written_into_a_result_or_around_one(results, monkeypatch, capsys):
    for folder, site in ((results[0], "site"), (results[0].parent, ".")):
        monkeypatch.chdir(folder)
        assert main(["leaderboard", str(results[0]), "-o", site]) == 2
        assert (
            "choose a new folder that contains no results, for example --output leaderboard" in capsys.readouterr().err
        )


def test_the_current_folder_is_a_place_like_any_other(results, tmp_path, monkeypatch):
    (tmp_path / "site").mkdir()
    monkeypatch.chdir(tmp_path / "site")
    assert called("leaderboard", results[0], "-o", ".", *QUICK) == 0
    assert (tmp_path / "site" / "index.html").is_file()


JUDGED = {"annotators": "reason by J (prompt p, sample all, verified)"}


def test_cells_without_a_comparable_value_say_why(tmp_path, results):
    saved(tmp_path / "r6", "runs", np.stack([right_of(1, 0.5)] * 3, axis=1))
    saved(tmp_path / "r7", "judged", right_of(2, 0.5), signature=JUDGED)
    page = write(tmp_path / "site", [*results, tmp_path / "r6", tmp_path / "r7"])["index.html"].decode()
    rows = dict(re.findall(r'<tr data-name="([^"]*)">(.*?)</tr>', page, re.DOTALL))
    for name, reason in {"runs": "3 runs", "judged": "judge only ⚖", "small": "mini sample"}.items():
        assert reason in rows[name], name
    heads = re.findall(r'<th scope="col".*?</th>', page, re.DOTALL)
    assert [("⚖" in head) for head in heads] == [False, False, False, True]
    assert 'data-value="50.0"' in rows["judged"] or 'class="as-value"' in rows["judged"]


def test_models_are_sorted_by_the_number_of_best_groups(tmp_path, results):
    """Source: the tie groups of the JSON: of the first table only the best group counts."""
    files = write(tmp_path / "site", results)
    best = tables_of(files)[0]["comparison"]["found"][0]["ties"][0]
    page = files["index.html"].decode()
    counts = [int(count) for count in re.findall(r'data-value="(\d+)"><span class="name">', page)]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == len(best)


class Elements(HTMLParser):
    """The elements that a parser which is not ours finds, and where links lead."""

    def __init__(self):
        super().__init__()
        self.tags, self.links = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in {"href", "src"}]


def test_names_are_shown_as_text_and_links_lead_to_what_is_there(tmp_path, results):
    files = write(tmp_path / "site", results)
    for name, content in files.items():
        if not name.endswith(".html"):
            continue
        text, elements = content.decode(), Elements()
        elements.feed(text)
        assert elements.tags.count("script") == (2 if name == "index.html" else 1), name
        assert "img" not in elements.tags
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", text), name
        for link in elements.links:
            target = (tmp_path / "site" / name).parent / link.partition("#")[0]
            assert link.startswith(("#", "data:,")) or target.resolve().is_file(), (name, link)
    assert any("alert(1)" in content.decode() for name, content in files.items() if name.startswith("models/"))


def test_all_words_of_the_templates_have_their_chinese():
    folder = ROOT / "medzh_score" / "html" / "templates"
    marked = r'said\("([^"]+)"(?:, "([^"]+)")?\)|[ (]_\("([^"]+)"[,)]|pgettext\("([^"]+)", "([^"]+)"[,)]'
    found = set()
    for template in folder.glob("*.jinja"):
        text = template.read_text(encoding="utf-8")
        for plain, of, message, context, within in re.findall(marked, text):
            found.add((of or context or None, plain or message or within))
        found |= {
            (None, one) for pair in re.findall(r'^  \("([^"]+)", "([^"]+)"\),$', text, re.MULTILINE) for one in pair
        }
    assert len(found) > 60
    assert sorted(text for context, text in found if in_chinese(text, context) == text) == []


def test_the_language_option_is_the_one_in_which_pages_open(tmp_path, results):
    from medzh_score.ui.i18n import language

    english = write(tmp_path / "site", results)
    with language("zh"):
        chinese = write(tmp_path / "site", results)
    assert b'data-language="zh"' in chinese["index.html"]
    assert {name for name in english if english[name] != chinese[name]} == {
        MANIFEST,
        *(name for name in english if name.endswith(".html")),
    }
