"""A report is made again, and what is not as it says is named."""

from __future__ import annotations

import hashlib
import json
import shlex
import zipfile

import pytest
from places import SAMPLES

from medzh_score.cli.main import main

MINI = SAMPLES / "sdak"


@pytest.fixture
def deposit(tmp_path, sdak_build):
    """Give a folder with a report and its predictions."""
    (tmp_path / "predictions.jsonl").write_bytes((MINI / "predictions.jsonl").read_bytes())
    out = tmp_path / "report.json"
    given = [str(tmp_path / "predictions.jsonl"), "--data", str(sdak_build), "--to", "json", "--out", str(out)]
    assert main(["score", "sdak", *given, "--seed", "5", "--bootstrap", "50"]) == 0
    return tmp_path


def verified(deposit, data, capsys, *files):
    """Run the command: status, lines of output, lines of error."""
    capsys.readouterr()
    status = main(["verify", str(deposit / "report.json"), *files, "--data", str(data)])
    said = capsys.readouterr()
    return status, said.out.splitlines(), said.err.splitlines()


def changed(deposit, change):
    """Change the report."""
    path = deposit / "report.json"
    report = json.loads(path.read_text(encoding="utf-8"))
    change(report)
    path.write_text(json.dumps(report, ensure_ascii=False), encoding="utf-8")


def test_a_number_that_was_changed_is_named(deposit, sdak_build, capsys):
    changed(deposit, lambda report: report["metrics"]["FactAcc"].update(value=99.0))
    status, lines, _ = verified(deposit, sdak_build, capsys)
    assert status == 1
    assert lines[-1].startswith("differs: numbers: 1 of ")
    assert "metrics.FactAcc.value: 99.0 there" in lines[-1]


def test_a_number_that_differs_by_rounding_is_the_same_and_said(deposit, sdak_build, capsys):
    def nudge(report):
        value = report["metrics"]["FactAcc"]
        value["value"] *= 1 + 1e-12

    changed(deposit, nudge)
    status, lines, _ = verified(deposit, sdak_build, capsys)
    assert status == 0
    assert lines[-1].endswith("1 of them up to rounding")


def test_another_scorer_is_named_and_the_numbers_are_compared_all_the_same(deposit, sdak_build, capsys):
    changed(deposit, lambda report: report["signature"].update(medzh_score="0.0.7"))
    status, lines, _ = verified(deposit, sdak_build, capsys)
    assert status == 1
    assert any("the report was made by medzh-score 0.0.7" in line for line in lines)
    assert any(line.startswith("same: numbers: all") for line in lines)


def test_a_file_elsewhere_is_named_by_the_user(deposit, sdak_build, tmp_path, capsys):
    (tmp_path / "far").mkdir()
    (deposit / "predictions.jsonl").rename(tmp_path / "far" / "predictions.jsonl")
    status, _, errors = verified(deposit, sdak_build, capsys)
    assert status == 2
    report = shlex.quote(str(deposit / "report.json"))
    assert f"name it: medzh-score verify {report} PATH/predictions.jsonl" in errors[0]
    assert main(["bundle", str(deposit / "report.json"), "-o", str(tmp_path / "h.zip")]) == 2
    assert f"name it: medzh-score bundle {report} PATH/predictions.jsonl" in capsys.readouterr().err
    status, lines, _ = verified(deposit, sdak_build, capsys, str(tmp_path / "far" / "predictions.jsonl"))
    assert status == 0, lines


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"config": "sdak", "inputs": [], "arguments": {}, "signature": {}}', '{"config": "nothing"}'],
)
def test_what_is_no_report_gets_one_line(deposit, sdak_build, content, capsys):
    (deposit / "report.json").write_text(content, encoding="utf-8")
    status, lines, errors = verified(deposit, sdak_build, capsys)
    assert (status, len(errors)) in {(2, 1), (1, 0)}, (lines, errors)


def test_a_deposit_holds_all_that_makes_the_report_again_and_equal_content_gives_equal_bytes(
    deposit, sdak_build, tmp_path, capsys
):
    packed = [tmp_path / "one.zip", tmp_path / "two.zip"]
    for out in packed:
        assert main(["bundle", str(deposit / "report.json"), "--out", str(out)]) == 0
    assert packed[0].read_bytes() == packed[1].read_bytes()
    far = tmp_path / "far"
    with zipfile.ZipFile(packed[0]) as archive:
        assert set(archive.namelist()) == {"report.json", "predictions.jsonl", "SHA256SUMS"}
        archive.extractall(far)
    for line in (far / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((far / name).read_bytes()).hexdigest() == digest
    status, lines, _ = verified(far, sdak_build, capsys)
    assert status == 0, lines


def test_a_deposit_of_other_predictions_is_refused(deposit, tmp_path):
    (deposit / "predictions.jsonl").write_bytes(b"{}\n")
    assert main(["bundle", str(deposit / "report.json"), "--out", str(tmp_path / "out.zip")]) == 2
    assert not (tmp_path / "out.zip").exists()
