"""What is damaged, doubled or of another kind is named in one line: no traceback, nothing to report, nothing lost."""

from __future__ import annotations

import itertools
import json
import re
import shutil

import pyarrow as pa
import pytest
from answer_forms import asked_and_answered, lighteval, writing_in
from places import SAMPLES
from pyarrow import parquet

from medzh_score.benchmark.registry import find_config
from medzh_score.cli.main import main
from medzh_score.data.records import load_records

DIGITS = "9" * 5000  # more than Python turns into a number
DEEP = "[" * 100_000


@pytest.fixture
def fails(capsys):
    """Call a command that ends with one line on standard error, and perhaps a line with the fix; give the first."""

    def call(*words):
        capsys.readouterr()
        assert main([*map(str, words)]) == 2
        line, *fix = capsys.readouterr().err.splitlines()
        assert [one[:7] for one in fix] in ([], ["  Fix: "])
        assert "unexpected" not in line
        return line

    return call


@pytest.fixture(params=["tcmd", "cmhe_dd"])
def details(request, minis, tmp_path):
    """Write answers to a config as parquet; give the config, the file and its table."""
    config = find_config(request.param)
    asked = asked_and_answered(config, load_records(minis, config.name).rows)
    (path,), _ = lighteval(asked, writing_in(tmp_path), tmp_path)
    return config.name, path, parquet.read_table(path)


@pytest.mark.parametrize("name", ["doc", "model_response"])
def test_a_column_that_stands_twice(details, name, minis, fails):
    config, path, table = details
    parquet.write_table(table.append_column(name, table.column(name)), path)
    for command in ("score", "check"):
        assert "duplicate column" in fails(command, config, path, "--data", minis)


FIRST_LINES = {
    "digits": '{"id": "a", "prediction": ' + DIGITS + "}",
    "no brace": '{"id": "a", "prediction": "x"',
    "no brace, and a blank line": '{"id": "a", "prediction": "x"\n',
    "a comma at the end": '{"id": "a", "prediction": "x",',
    "no value": '{"id": "a", "prediction":',
    "no value, deeper": '{"id": "a", "response": {"body":',
    "an open list": '{"id": "a", "samples": [',
    "deep": DEEP,
    "deep in an object": '{"id": ' + DEEP,
    "half a character": '{"id": "\\ud800", "prediction": "x"}',
    "a bare word": '{"id": x, "prediction": "x"}',
    "no comma": '{"id": "a" "prediction": "x"}',
    "NUL": '{"id": "a\x00", "prediction": "x"}',
    "cut off": '{"id": "a", "predic',
    "null": "null",
    "a number": "7",
    "a list of numbers": "[7]",
}


@pytest.mark.parametrize("case", FIRST_LINES)
@pytest.mark.parametrize("rest", ["", '{"id": "a", "prediction": "x"}\n' * 3], ids=["alone", "before others"])
def test_a_broken_first_line_is_that_line(case, rest, minis, tmp_path, fails):
    path = tmp_path / "p.jsonl"
    path.write_text(f"{FIRST_LINES[case]}\n{rest}", encoding="utf-8")
    line = fails("score", "sdak", path, "--data", minis)
    assert line.startswith(f"medzh-score: error: {path}")
    assert line.partition(str(path))[2].startswith(":1:")


@pytest.fixture(scope="module")
def results(minis, tmp_path_factory):
    """Score the sample of SDAK into a folder."""
    folder = tmp_path_factory.mktemp("results")
    answers = SAMPLES / "sdak" / "predictions.jsonl"
    words = ["score", "sdak", str(answers), "--data", str(minis), "--bootstrap", "0", "--quiet"]
    assert main([*words, "--save", str(folder / "one"), "--output", str(folder / "shown")]) == 0
    return folder / "one"


@pytest.mark.parametrize("name", ["bootstrap", "seed", "stages", "missing", "interval", "ddof", "variants", "unclear"])
@pytest.mark.parametrize("value", [None, -1, {}, 10**30, [{"x": "\x1b"}]], ids=str)
def test_arguments_of_a_report_that_are_wrong(name, value, results, minis, tmp_path, capsys):
    """Of a report that is verified: either its numbers come out, or the argument is named."""
    report = json.loads((results / "report.json").read_bytes())
    report["arguments"][name] = value
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report), encoding="utf-8")
    answers = str(SAMPLES / "sdak" / "predictions.jsonl")
    status = main(["verify", str(path), answers, "--data", str(minis), "--quiet"])
    captured = capsys.readouterr()
    assert status in {0, 1}
    assert captured.err == ""
    assert "unexpected" not in captured.out
    assert ("numbers: all" in captured.out) == (status == 0)


NESTED = {  # what is nested in TOML as deeply as its reader lets it be, and more deeply
    f"{name}, {levels} levels": shape(levels)
    for levels in (65, 300)
    for name, shape in {
        "lists": lambda levels: "x = " + "[" * levels + "]" * levels,
        "tables": lambda levels: "x = " + "{a = " * levels + "1" + "}" * levels,
        "lists below a head": lambda levels: "[a.b.c]\nx = " + "[" * levels + "]" * levels,
    }.items()
}


@pytest.mark.parametrize("case", NESTED)
def test_a_plan_that_is_nested_deeply(case, tmp_path, fails):
    path = tmp_path / "plan.toml"
    path.write_text(NESTED[case], encoding="utf-8")
    assert f"{path}: " in fails("suite", "status", tmp_path)


PLANS = {"digits": f"version = {DIGITS}", "deep": "a = " + DEEP, "not UTF-8": "a = '\udcff'", "NUL": "a = '\x00'"}


@pytest.mark.parametrize("case", PLANS)
def test_a_plan_that_is_none(case, tmp_path, fails):
    (tmp_path / "plan.toml").write_text(PLANS[case], encoding="utf-8", errors="surrogateescape")
    for command in ("status", "prompts", "score"):
        assert str(tmp_path / "plan.toml") in fails("suite", command, tmp_path)


@pytest.mark.parametrize("name", ["recipe", "version", "fingerprint"])
def test_a_manifest_that_would_act_on_a_terminal_is_cited_without(name, minis, tmp_path, capsys):
    build = shutil.copytree(minis, tmp_path / "medzh")
    manifest = json.loads((build / "manifest.json").read_bytes())
    manifest["configs"]["sdak"][name] = "\x1b[2J\u202e"
    (build / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for form in ("bibtex", "gbt7714"):
        assert main(["cite", "sdak", "--data", str(build), "--to", form]) == 0
        said = capsys.readouterr().out
        assert not {"\x1b", "\u202e"} & set(said)
        assert "x1b" in said or form == "gbt7714"


BIG = "多饮水。" * 80_000  # of 960 KB, which parquet stores once


def put_in(path, name, value):
    """Let a column of a parquet file have one value in every row; what the file says of itself stays."""
    table = parquet.read_table(path)
    field = table.schema.field(name)
    values = pa.array([value] * len(table), field.type)
    parquet.write_table(table.set_column(table.column_names.index(name), field, values), path)


def sealed_again(folder):
    """Put the hashes of a result folder right."""
    from medzh_score.io.archive import SUMS
    from medzh_score.results.folder import written_sums

    (folder / SUMS).write_text(written_sums(folder), encoding="ascii", newline="\n")


READ_BY = {
    "items.parquet": ("text", "show", "--to", "html"),
    "statistics.parquet": ("item", "leaderboard", "-o", "site"),
}


@pytest.mark.parametrize("name", READ_BY)
def test_a_result_that_repeats_a_text(name, results, tmp_path, fails):
    column, command, *options = READ_BY[name]
    folder = shutil.copytree(results, tmp_path / "one")
    put_in(folder / name, column, BIG)
    sealed_again(folder)
    problem = f"{name}: the decompressed size is more than 128 MB and 200 times the file size"
    assert problem in fails(command, folder, *options)


@pytest.mark.parametrize("change", [list.pop, lambda row: row.append(1), list.clear], ids=["short", "long", "empty"])
def test_a_row_of_a_report_that_is_not_as_long_as_the_heads(change, results, tmp_path, fails):
    report = json.loads((results / "report.json").read_bytes())
    change(next(iter(report["tables"].values()))["rows"][0])
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report), encoding="utf-8")
    for form in ("text", "markdown", "latex", "csv"):
        assert "a row does not have the same number of columns as the header" in fails("show", path, "--to", form)


@pytest.mark.parametrize("of", ["metrics are missing", "the report has no such metric"])
def test_a_metric_that_a_report_has_not_everywhere(of, results, tmp_path, fails):
    report = json.loads((results / "report.json").read_bytes())
    if of == "metrics are missing":
        group = next(iter(next(iter(report["groups"].values())).values()))
        group["other"] = group.pop("FactAcc")
    else:
        report["summary_metrics"].append("other")
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report), encoding="utf-8")
    for words in (("show", path), ("show", path, "--to", "markdown"), ("cite", "sdak", "--report", path)):
        assert of in fails(*words)


@pytest.mark.parametrize("command", ["show", "leaderboard", "compare", "export"])
def test_a_report_that_is_nested_deeply_in_a_folder_whose_hashes_fit(command, results, tmp_path, fails):
    folder = shutil.copytree(results, tmp_path / "one")
    path = folder / "report.json"
    text = path.read_text(encoding="utf-8")
    text, replaced = re.subn(r'(?<="low": )[^,}\]\s]+', DEEP + "]" * len(DEEP), text, count=1)
    assert replaced
    path.write_text(text, encoding="utf-8")
    sealed_again(folder)
    options = {"leaderboard": ("-o", tmp_path / "site"), "compare": (results,), "export": ("--to", "model-index")}
    assert "report.json: the nesting is too deep" in fails(command, folder, *options.get(command, ()))


def aliases(around, levels=9):
    """Write fields of which each has ten times what stands in the one above."""
    names = [chr(ord("a") + level) for level in range(levels)]
    pairs = itertools.pairwise(names)
    return "\n".join(f"{name}: &{name} {around.format(', '.join([f'*{above}'] * 10))}" for above, name in pairs)


CARD_FIELDS = {
    "no list": "model-index: 7",
    "results that are no list": "model-index:\n- name: demo\n  results: 7",
    "no truth value": "a: !!bool x",
    "no number": "a: !!int ''",
    "no time": "a: !!timestamp x",
    "deep": "a: " + "[" * 5000,
    "a list that holds itself": "model-index: &a\n- *a",
    "a field that holds itself": "a: &a [*a]",
    "lists of lists of one list": "a: &a [x]\n" + aliases("[{}]"),
    "lists of nothing": "a: &a []\n" + aliases("[{}]"),
    "fields that take others in": "a: &a {k: v}\n" + aliases("{{<<: [{}]}}"),
    "a long text, many times": f"a: &a {'x' * 1000}\n" + aliases("[{}]"),
    "a list as a key": "? &a [x, y]\n: 1\n? [*a, *a]\n: 2",
    "a key twice": "a: 1\na: 2",
    "a key twice, deeper": "model-index:\n- name: demo\n  results: []\n  results: []",
    "a key twice, in brackets": "a: {b: 1, c: 2, b: 1}",
    "many characters": "a: " + "x" * (1 << 20),
}


@pytest.mark.parametrize("case", CARD_FIELDS)
def test_a_model_card_into_which_nothing_can_go(case, tmp_path):
    from medzh_score.export.card import merged
    from medzh_score.ui.errors import MedzhError

    card = f"---\n{CARD_FIELDS[case]}\n---\n".encode()
    with pytest.raises(MedzhError) as caught:
        merged(tmp_path / "README.md", card, {"name": "demo", "results": [{"value": 1}]})
    assert "README.md" in str(caught.value)


CARDS_OF_BUILDS = {**CARD_FIELDS, "no YAML": "a: [", "a date that is none": "a: 2026-99-99"}


@pytest.mark.parametrize("case", CARDS_OF_BUILDS)
def test_a_card_of_a_build_that_is_none(case, minis, tmp_path, monkeypatch):
    """It is no case of load_dataset: that has no bounds."""
    from dataset_scripts.building import check

    monkeypatch.setattr(check, "_config_problems", lambda *_: iter(()))
    monkeypatch.setattr(check, "loading_problems", lambda *_: [])
    build = shutil.copytree(minis, tmp_path / "medzh")
    (build / "README.md").write_text(f"---\n{CARDS_OF_BUILDS[case]}\n---\n", encoding="utf-8")
    assert any(one.startswith("README.md:") for one in check.check(build).problems)
