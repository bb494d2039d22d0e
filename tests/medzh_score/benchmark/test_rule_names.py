"""Names of rules: what replaced a former one, and how ours is signed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from places import SAMPLES

from medzh_score import score
from medzh_score.benchmark.rules import digest, digest_of, signed_rule
from medzh_score.cli.main import main
from medzh_score.io.paths import package_file
from medzh_score.text.fold import TRADITIONAL

SAMPLE = SAMPLES / "sdak" / "predictions.jsonl"


@pytest.fixture(scope="module")
def ours(minis):
    return score("sdak", SAMPLE, minis, rule="medzh-1", bootstrap=0)


@pytest.mark.parametrize("command", ["score", "check", "explain"])
@pytest.mark.parametrize("name", ["strict-1", "strict-2", "lenient-1", "names-2"])
def test_a_former_name_says_what_replaced_it(command, name, minis, capsys):
    more = ["--unparsed", "1"] if command == "explain" else []
    assert main([command, "sdak", str(SAMPLE), "--data", str(minis), "--rule", name, *more]) == 2
    printed = capsys.readouterr().err
    assert f"option --rule: replaced by medzh-1: expected medzh-1, official, found {name!r}" in printed


def test_ours_is_signed_with_a_digest_of_what_reads(ours):
    assert ours.signature["rule"] == signed_rule("medzh-1") == f"medzh-1+{digest()[:8]}"
    assert ours.rule == "medzh-1"
    assert set(ours.results) == {"official", "medzh-1"}


def test_the_digest_changes_with_any_source_or_word_and_with_nothing_else(tmp_path):
    package = Path(shutil.copytree(package_file("medzh_score", "extraction").parent, tmp_path / "medzh_score"))
    folder = package / "extraction"
    assert digest_of(package) == digest()
    (folder / "notes.txt").write_text("beside it", encoding="utf-8")
    (package / "configs" / "sdak" / "prompts.py").write_text("", encoding="utf-8")
    assert digest_of(package) == digest()
    (folder / "vocabulary").mkdir(exist_ok=True)
    (folder / "vocabulary" / "more.toml").write_text('word = "对"\n', encoding="utf-8")
    with_word = digest_of(package)
    source = package / "configs" / "sdak" / "reading.py"
    source.write_text(source.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    with_source = digest_of(package)
    (package / TRADITIONAL).write_text("后後\n", encoding="utf-8")
    assert len({digest(), with_word, with_source, digest_of(package)}) == 4


@pytest.mark.parametrize(
    ("signed", "said"),
    [
        (
            "medzh-1+00000000",
            "rule: medzh-1 has changed: the report uses medzh-1+00000000, and this version has medzh-1+",
        ),
        ("strict-1", "rule: strict-1 was replaced by medzh-1; medzh-score 0.1.0 contains the old rule"),
        (
            "other",
            "rule: other is not available (available: medzh-1, official); medzh-score 0.1.0 contains it",
        ),
    ],
)
def test_a_report_by_another_reading_is_not_the_same(signed, said, ours, minis, tmp_path, capsys):
    plain = ours.as_dict()
    plain["signature"]["rule"] = signed
    report = tmp_path / "report.json"
    report.write_text(json.dumps(plain), encoding="utf-8")
    assert main(["verify", str(report), str(SAMPLE), "--data", str(minis)]) != 0
    assert said in "".join(capsys.readouterr())
