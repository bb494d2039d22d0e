"""A report is made again, whatever it was made of: runs, packed files, rounds, prompts, dictionaries, equal names."""

from __future__ import annotations

import gzip
import hashlib
import json
import zipfile

import pytest
from places import ROOT, SAMPLES
from sheet_files import save_sheet, sheet_rows

from medzh_score.cli.main import main


@pytest.fixture
def deposit(tmp_path, sdak_build):
    """Give a folder with a report and its predictions."""
    (tmp_path / "predictions.jsonl").write_bytes(sdak())
    given = ["score", "sdak", str(tmp_path / "predictions.jsonl"), "--data", str(sdak_build), "--bootstrap", "20"]
    assert main([*given, "--to", "json", "--output", str(tmp_path / "report.json")]) == 0
    return tmp_path


@pytest.fixture
def verified(deposit, sdak_build, capsys):
    """Change the report, verify it: status, and what is printed and said."""

    def run(change):
        path = deposit / "report.json"
        report = json.loads(path.read_text(encoding="utf-8"))
        change(report)
        path.write_text(json.dumps(report, ensure_ascii=False), encoding="utf-8")
        capsys.readouterr()
        status = main(["verify", str(path), "--data", str(sdak_build)])
        return status, "".join(capsys.readouterr())

    return run


@pytest.mark.parametrize("recipe", ["mini", "open"])
def test_data_of_the_package_are_found_without_being_named(recipe, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answers = SAMPLES / "sdak" / "predictions.jsonl"
    given = ["score", "sdak", str(answers), "--data", recipe, "--bootstrap", "20", "--missing", "wrong"]
    if recipe == "open":
        given[2] = str(ROOT / "examples" / "answers" / "sdak-good.jsonl")
    assert main([*given, "--save", "result"]) == 0
    capsys.readouterr()
    assert main(["verify", "result", given[2]]) == 0
    monkeypatch.setenv("MEDZH_DATA", str(tmp_path / "absent"))
    assert main(["verify", "result", given[2]]) == 2
    assert "absent" in capsys.readouterr().err


def fact_acc(**changes):
    return lambda report: report["metrics"]["FactAcc"].update(changes)


def nudged(report):
    report["metrics"]["FactAcc"]["value"] *= 1 + 1e-12


def of_data(*parts):
    """Let the report be on data whose name has these parts, and the same fingerprint."""

    def change(report):
        report["signature"]["data"] = "/".join([*parts[:2], report["signature"]["data"].split("/")[2], *parts[2:]])

    return change


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        (fact_acc(value=99.0), 1, ["differs: numbers: 1 of ", "metrics.FactAcc.value: 99.0 in the report, "]),
        (
            lambda report: report["signature"].update(medzh_score="0.0.7"),
            1,
            ["the report was created with medzh-score 0.0.7", "matches: numbers: all "],
        ),
        (of_data("1.0.0", "mini", f"commit {'a' * 12}"), 0, ["records: the content is the same, but the name differs"]),
        (of_data("1.0.0", "official"), 1, ["differs: records: the report uses 1.0.0/official", "not compared"]),
        (
            lambda report: report["signature"].update(rule="strict-99", medzh_score="9.0.0"),
            1,
            [
                "differs: rule: strict-99 is not available (available: medzh-1, official)",
                "medzh-score 9.0.0 contains it",
                "differs: numbers: not compared",
            ],
        ),
        (
            lambda report: report["inputs"][0].update(name="elsewhere.jsonl"),
            2,
            ["pass its path: medzh-score verify ", "report.json PATH/elsewhere.jsonl"],
        ),
        (nudged, 0, ["1 of them within rounding error"]),
        (lambda report: report.clear(), 2, ["expected a report written by `medzh-score score --to json`"]),
    ],
)
def test_what_is_not_as_the_report_says_is_named(verified, change, status, said):
    found, shown = verified(change)
    assert found == status
    assert [one for one in said if one not in shown] == [], shown


def test_a_deposit_has_the_hash_of_each_file_and_equal_content_gives_equal_bytes(deposit, tmp_path):
    packed = [tmp_path / "one.zip", tmp_path / "two.zip"]
    for out in packed:
        assert main(["archive", str(deposit / "report.json"), "--output", str(out)]) == 0
    assert packed[0].read_bytes() == packed[1].read_bytes()
    with zipfile.ZipFile(packed[0]) as archive:
        assert set(archive.namelist()) == {"report.json", "predictions.jsonl", "SHA256SUMS"}
        for line in archive.read("SHA256SUMS").decode().splitlines():
            digest, name = line.split("  ")
            assert hashlib.sha256(archive.read(name)).hexdigest() == digest


def sdak(name="predictions.jsonl"):
    """Give a file of the sample of SDAK."""
    return (SAMPLES / "sdak" / name).read_bytes()


def runs_of_equal_names(folder, _):
    """Two runs, in files of one name."""
    lines = sdak().splitlines(keepends=True)
    for name, content in (("a", lines), ("b", list(reversed(lines)))):
        (folder / name).mkdir()
        wrong = [line.replace("正确".encode(), "错误".encode()) for line in content] if name == "b" else content
        (folder / name / "p.jsonl").write_bytes(b"".join(wrong))
    return ["sdak", str(folder / "a" / "p.jsonl"), str(folder / "b" / "p.jsonl"), "--file-per-run"]


def packed_parts(folder, _):
    """One set in two files, packed."""
    lines = sdak().splitlines(keepends=True)
    for name, part in (("one.jsonl.gz", lines[:100]), ("two.jsonl.gz", lines[100:])):
        (folder / name).write_bytes(gzip.compress(b"".join(part)))
    return ["sdak", str(folder / "one.jsonl.gz"), str(folder / "two.jsonl.gz"), "--missing", "wrong"]


def prompts_that_were_sent(folder, minis):
    """With the prompts file."""
    assert main(["prompts", "sdak", "--data", str(minis), "--output", str(folder / "sent.jsonl")]) == 0
    (folder / "p.jsonl").write_bytes(sdak())
    return ["sdak", str(folder / "p.jsonl"), "--prompts", str(folder / "sent.jsonl"), "--rule", "medzh-1"]


def stages_of_many(folder, _):
    """With ratings and judges, two files each."""
    given = []
    for name in ("correctness", "interpretability"):
        for kind in (f"ratings-{name}.csv", f"judge-{name}.jsonl"):
            (folder / kind).write_bytes((SAMPLES / "care_mi" / kind).read_bytes())
            given += ["--stage", f"{name}={folder / kind}"]
    again = folder / "judge-correctness-again.jsonl"
    again.write_bytes((SAMPLES / "care_mi" / again.name).read_bytes())
    given += ["--stage", f"correctness={again}"]
    (folder / "predictions.jsonl").write_bytes((SAMPLES / "care_mi" / "predictions.jsonl").read_bytes())
    return ["care_mi", str(folder / "predictions.jsonl"), *given]


def own_dictionary(folder, _):
    """With a dictionary of the user's, by which nothing but one disease is read."""
    (folder / "predictions.jsonl").write_bytes((SAMPLES / "cmhe_dd" / "predictions.jsonl").read_bytes())
    (folder / "mine.csv").write_text("name,code\n急性膀胱炎,N30\n", encoding="utf-8")
    return ["cmhe_dd", str(folder / "predictions.jsonl"), "--dictionary", str(folder / "mine.csv")]


def by_a_fallback_extractor(folder, minis):
    """With what a second reader read, also what was unclear; without them the numbers are others."""
    first = folder / "predictions.jsonl"
    first.write_bytes((SAMPLES / "cmhe_hd" / "predictions.jsonl").read_bytes())
    sheet = folder / "second.csv"
    asked = ["prompts", "cmhe_hd", "--data", str(minis), "--stage", "fallback", "--include-ambiguous", "--to", "csv"]
    assert main([*asked, "--predictions", str(first), "--output", str(sheet)]) == 0
    rows = sheet_rows(sheet.read_text(encoding="utf-8"))
    save_sheet(sheet, [{**row, "answer": row["choices"].split()[0], "annotator": "甲"} for row in rows])
    read = ["--fallback-extractor", "甲", "--include-ambiguous", "--stage", f"fallback={sheet}"]
    return ["cmhe_hd", str(first), "--rule", "medzh-1", *read]


def fragments_and_another_interval(folder, _):
    """A run that lacks half of what the other has, under a label, by the bootstrap throughout."""
    lines = sdak().splitlines(keepends=True)
    again = [line.replace(b'"id"', b'"run": 1, "id"', 1) for line in lines if b'"run"' not in line]
    (folder / "p.jsonl").write_bytes(b"".join([*lines, *again[: len(again) // 4 * 2]]))
    given = ["--missing", "skip", "--allow-partial-runs", "--interval", "bootstrap", "--ddof", "0", "--model", "mine"]
    return ["sdak", str(folder / "p.jsonl"), *given, "--from", "native"]


CASES = (
    *(runs_of_equal_names, packed_parts, prompts_that_were_sent, stages_of_many, own_dictionary),
    *(by_a_fallback_extractor, fragments_and_another_interval),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_report_is_made_again_whatever_it_was_made_of(case, minis, tmp_path, capsys):
    arguments = case(tmp_path, minis)
    report = tmp_path / "report.json"
    scored = ["score", *arguments, "--data", str(minis), "--bootstrap", "20", "--to", "json", "--output", str(report)]
    assert main(scored) == 0, capsys.readouterr().err
    files = [str(path) for path in sorted(tmp_path.rglob("*"), reverse=True) if path.is_file() and path != report]
    capsys.readouterr()
    assert main(["verify", str(report), *files, "--data", str(minis)]) == 0, capsys.readouterr()
    lines = capsys.readouterr().out.splitlines()
    inputs = json.loads(report.read_text(encoding="utf-8"))["inputs"]
    assert len(lines) == len(inputs) + 3
    assert lines[-1].startswith("matches: numbers: all")
    out = tmp_path / "deposit.zip"
    packed = main(["archive", str(report), *files, "--output", str(out)])
    if case is runs_of_equal_names:
        assert (packed, out.exists()) == (2, False)
        assert "two files have the same name" in capsys.readouterr().err
        return
    assert packed == 0
    far = tmp_path / "far"
    with zipfile.ZipFile(out) as archive:
        archive.extractall(far)
    assert main(["verify", str(far / "report.json"), "--data", str(minis)]) == 0
    # A byte more in any of them is seen, and then no numbers are compared.
    for one in inputs:
        held = (far / one["name"]).read_bytes()
        (far / one["name"]).write_bytes(held + b"\n")
        capsys.readouterr()
        assert main(["verify", str(far / "report.json"), "--data", str(minis)]) == 1
        said = capsys.readouterr().out
        assert f"differs: {one['name']}: the file differs: expected SHA-256 {one['sha256']}, found " in said
        assert said.endswith("differs: numbers: not compared\n")
        (far / one["name"]).write_bytes(held)
