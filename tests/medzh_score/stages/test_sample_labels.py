"""The samples' judgements say what they judge: reports with them are verified, and so only by their codes."""

from __future__ import annotations

import json
import re

import pytest
from places import SAMPLES
from uncoded import uncoded

from medzh_score.cli.main import main
from medzh_score.scoring.pipeline import score
from medzh_score.stages.binding import StageItems
from medzh_score.ui.errors import MedzhError

CARE_MI = {
    "correctness": ("ratings-correctness.csv", "judge-correctness.jsonl", "judge-correctness-again.jsonl"),
    "interpretability": ("ratings-interpretability.csv", "judge-interpretability.jsonl"),
}
STAGES = {
    "care_mi": CARE_MI,
    "pemebench": {
        "entities": ("judge-entities.jsonl", "corrections.csv"),
        "hallucination": ("judge-hallucination.jsonl", "judge-hallucination-again.jsonl"),
    },
    "cmhe_dd": {"codes": ("judge-codes.jsonl", "judge-codes-again.jsonl")},
    "cmhe_ce": {"choose": ("choose.jsonl",)},
}
SECOND_ANSWERS = "predictions-second.jsonl"
SECOND = {
    "correctness": (
        "ratings-correctness-second.csv",
        "judge-correctness-second.jsonl",
        "judge-correctness-second-again.jsonl",
    ),
    "interpretability": ("ratings-interpretability-second.csv", "judge-interpretability-second.jsonl"),
}
BOTH = ("ratings-correctness.csv", "ratings-correctness-second.csv")


@pytest.fixture
def report(minis, capsys):
    """Give a function that scores a sample as the command does, and gives the report as text and as JSON."""

    def scored(name, stages, predictions="predictions.jsonl"):
        words = ["score", name, str(SAMPLES / name / predictions), "--data", str(minis), "--bootstrap", "0"]
        words += [word for later, files in stages.items() for file in files for word in ("--stage", f"{later}={file}")]
        shown = []
        for form in (("text", "--full"), ("json",)):
            assert main([*words, "--to", *form]) == 0
            shown.append(capsys.readouterr().out)
        return shown[0], json.loads(shown[1])

    return scored


@pytest.mark.parametrize(
    ("name", "stages", "predictions"),
    [*((name, stages, "predictions.jsonl") for name, stages in STAGES.items()), ("care_mi", SECOND, SECOND_ANSWERS)],
)
def test_no_code_is_of_former_days(name, stages, predictions, report, monkeypatch):
    """Such a code, made of an answer with its reasoning, is still known, and would hide what the sample shows."""
    monkeypatch.setattr(StageItems, "codes_by_older", lambda *_: {})
    report(name, {later: [SAMPLES / name / file for file in given] for later, given in stages.items()}, predictions)


@pytest.mark.parametrize("name", STAGES)
def test_with_their_codes_nothing_is_unverified_and_without_them_the_values_are_the_same(name, report, tmp_path):
    files = {later: [SAMPLES / name / file for file in given] for later, given in STAGES[name].items()}
    shown, found = report(name, files)
    assert "unverified" not in shown
    bare, others = report(name, {later: [uncoded(file, tmp_path) for file in given] for later, given in files.items()})
    said = re.findall(r"Stage (\S+): \d+ annotations have no answer hash", " ".join(bare.split()))
    assert sorted(said) == sorted(files)
    assert found["metrics"] == others["metrics"]


@pytest.mark.parametrize(("place", "others"), [(0, 53), (1, 58)])
def test_one_sheet_of_both_models_may_be_given_for_either(place, others, report, minis, tmp_path):
    """Of the rows of the other model none counts: they are as many as its own sheet has. That alone is refused."""
    sheets = [SAMPLES / "care_mi" / name for name in BOTH]
    predictions = SAMPLES / "care_mi" / ("predictions.jsonl", "predictions-second.jsonl")[place]
    sheet = tmp_path / "both.csv"
    first, second = (one.read_text(encoding="utf-8-sig").splitlines() for one in sheets)
    sheet.write_text("\n".join([*first, *second[1:]]), encoding="utf-8")
    shown, both = report("care_mi", {"correctness": [sheet]}, predictions)
    assert f"Stage correctness: {others} rows annotate answers of other models." in shown
    assert "unverified" not in shown
    assert both["metrics"] == report("care_mi", {"correctness": [sheets[place]]}, predictions)[1]["metrics"]
    with pytest.raises(MedzhError, match="the answer hash matches no answer in the predictions file"):
        score("care_mi", predictions, minis, stages={"correctness": sheets[1 - place]}, bootstrap=0)
