"""What raters and judges of CARE-MI are asked, how their scores are read and put together, and how far they agree."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from scipy.stats import pearsonr
from sentences import sentences
from sheet_files import save_sheet, sheet_rows
from tables import case_tables, holds

from medzh_score.benchmark.stages import Annotations, Source
from medzh_score.cli.main import main
from medzh_score.configs.care_mi.ratings import (
    MEAN_OF_JUDGES,
    PROXY,
    JudgeComparison,
    Rated,
    Split,
    band,
    quality,
    rated_in,
    signed_annotators,
)
from medzh_score.configs.care_mi.tables import agreement

CASES = case_tables("care_mi_scores")


def rated(*scores, arbiter=None, judges=()):
    names = "ABCDEFG"
    return Rated(
        {names[place]: Fraction(score) for place, score in enumerate(scores)},
        None if arbiter is None else Fraction(arbiter),
        {f"j{place}": Fraction(score) for place, score in enumerate(judges)},
    )


def test_the_arbiter_decides_what_is_disputed_and_nothing_else():
    """Source: by hand; Appendix A.2, with a dispute of more than 0.25."""

    def number(text):
        over = text.split("/") if text else None
        return over and Fraction(over[0]) / Fraction(over[1] if len(over) > 1 else 1)

    def scores(given, arbiter):
        one = rated(*given, arbiter=arbiter)
        return one.by_people, one.by_all_people

    rows = [[*asked, (number(people), number(everybody))] for *asked, people, everybody in CASES["arbitrated"]]
    holds(rows, scores)


def test_the_arbiter_is_told_by_the_name_and_a_model_is_no_person():
    key = ("q", 0)
    judged = Annotations(
        {
            Source("甲", "person"): {key: {"correctness": "0.2"}},
            Source("乙", "person"): {key: {"correctness": "0.8"}},
            Source("arbiter", "person"): {key: {"correctness": "0.7"}},
            Source("arbiter", "model"): {key: {"correctness": "0.1"}},
        }
    )
    one = rated_in(judged, "correctness")[key]
    assert one == Rated({"甲": Fraction(1, 5), "乙": Fraction(4, 5)}, Fraction(7, 10), {"arbiter": Fraction(1, 10)})
    assert one.by_people == Fraction(7, 10)


@pytest.mark.parametrize("name", ["arbiter", "Arbiter", "ARBITER", "Ａrbiter", "仲裁", "仲裁者", "仲裁人", "仲裁员"])
def test_the_arbiters_name_is_known_as_spreadsheets_and_people_write_it(name):
    """Taken for a third rater, 0.9 beside a disputed 0.2 and 0.8 would give 1.9 / 3."""
    scores = {"甲": "0.2", "乙": "0.8", name: "0.9"}
    judged = Annotations({Source(who, "person"): {("q", 0): {"correctness": said}} for who, said in scores.items()})
    assert rated_in(judged, "correctness")["q", 0].by_people == Fraction(9, 10)


def test_an_arbiter_who_had_nothing_to_decide_makes_no_two_reports_incomparable():
    """Whether raters dispute follows from the model's answers; a dispute that nobody decides is another rule."""

    def signed(**said):
        sources = {Source(who, "person"): {("q", 0): {"correctness": score}} for who, score in said.items()}
        return signed_annotators(Annotations(sources), "correctness")

    decided, agreed = signed(甲="0.2", 乙="0.8", arbiter="0.9"), signed(甲="0.7", 乙="0.8")
    assert decided == agreed == ["甲", "乙"]
    assert signed(甲="0.2", 乙="0.8") == [*agreed, "disputes undecided"]
    assert signed(arbiter="0.9") == ["arbiter"]


def simulated(seed, annotators=3, answers=60, gaps=0.2):
    draw = random.Random(seed)  # noqa: S311 - data of a test
    found = {}
    for number in range(answers):
        truth = draw.random()
        scores = {
            f"r{annotator}": Fraction(round(100 * min(1, max(0, truth + draw.gauss(0, 0.15 * annotator)))), 100)
            for annotator in range(1, annotators + 1)
            if draw.random() > gaps
        }
        found[f"q{number:02d}", 0] = Rated(scores, None, {})
    return found


@pytest.mark.parametrize(("seed", "aspect"), [(0, "correctness"), (1, "interpretability")])
def test_agreement_with_gaps_is_that_of_scipy_and_krippendorff(seed, aspect):
    """Sources: scipy.stats.pearsonr, the library krippendorff, and a count of equal bands by hand."""
    mine = simulated(seed)
    rows = {row[1]: row[2:] for row in agreement({aspect: mine}).rows}
    assert list(rows) == ["r1, r2", "r1, r3", "r2, r3", "all raters"]
    correlations = []
    for one, two in combinations(("r1", "r2", "r3"), 2):
        pairs = [
            (said.annotators[one], said.annotators[two])
            for said in mine.values()
            if {one, two} <= said.annotators.keys()
        ]
        x, y = (list(map(float, column)) for column in zip(*pairs, strict=True))
        count, r, equal, interval, ordinal = rows[f"{one}, {two}"]
        correlations.append(pearsonr(x, y).statistic)
        assert count == len(pairs)
        assert r == pytest.approx(correlations[-1], abs=1e-12)
        assert equal == pytest.approx(sum(band(a, aspect) == band(b, aspect) for a, b in pairs) / len(pairs))
        assert interval == pytest.approx(krippendorff.alpha([x, y], level_of_measurement="interval"))
        bands = [[band(value, aspect) for value in column] for column in (x, y)]
        assert ordinal == pytest.approx(krippendorff.alpha(bands, level_of_measurement="ordinal"))
    table = [[float(said.annotators.get(f"r{annotator}", np.nan)) for said in mine.values()] for annotator in (1, 2, 3)]
    count, r, equal, interval, _ = rows["all raters"]
    shared = [said.annotators.values() for said in mine.values() if len(said.annotators) > 1]
    assert count == len(shared)
    assert r == pytest.approx(np.mean(correlations))
    assert equal == pytest.approx(sum(len({band(score, aspect) for score in some}) == 1 for some in shared) / count)
    assert interval == pytest.approx(krippendorff.alpha(table, level_of_measurement="interval"))


def compared(seed=0, size=200):
    draw = np.random.default_rng(seed)
    people = draw.integers(0, 21, size) / 20
    first = np.clip(np.round(people + draw.normal(0, 0.2, size), 2), 0, 1)
    second = np.where(draw.random(size) < 0.3, np.nan, np.round(draw.random(size), 2))
    return JudgeComparison(
        people, {"a": first, "b": second}, np.nanmean([first, second], axis=0), draw.normal(0, 0.1, size)
    )


def test_quality_is_that_of_a_restatement_and_of_scipy():
    scores = compared()
    test = np.arange(200) % 3 == 0
    rows = {row[2]: row[3:] for row in quality({"correctness": scores}, {"correctness": [Split("x", test)]}).rows}
    label = 2 * (scores.people[~test] >= 0.5).sum() >= (~test).sum()
    together_ = [[value for value in pair if not np.isnan(value)] for pair in zip(*scores.judges.values(), strict=True)]
    means = np.array([np.mean(pair) for pair in together_])
    for name, judge in (("a", scores.judges["a"]), ("b", scores.judges["b"]), (MEAN_OF_JUDGES, means)):
        there = [place for place in np.flatnonzero(test) if not np.isnan(judge[place])]
        count, r, accuracy, above, half = rows[name]
        assert count == len(there)
        assert r == pytest.approx(pearsonr(judge[there], scores.people[there]).statistic, abs=1e-12)
        assert accuracy == pytest.approx(np.mean([(judge[at] >= 0.5) == (scores.people[at] >= 0.5) for at in there]))
        assert above == pytest.approx(np.mean([(judge[at] > 0.5) == (scores.people[at] > 0.5) for at in there]))
        assert half == sum(scores.people[at] == 0.5 for at in there)
    count, r, accuracy, _, _ = rows[f"baseline (always {'right' if label else 'wrong'})"]
    assert (count, r) == (test.sum(), None)
    assert accuracy == pytest.approx(np.mean((scores.people[test] >= 0.5) == label))
    assert rows[PROXY][2] == pytest.approx(np.mean((scores.proxy[test] > 0) == (scores.people[test] >= 0.5)))


def test_one_blind_sheet_holds_two_models_and_each_is_scored_by_it(
    care_mi_build, care_mi_sample, tmp_path, capfdbinary
):
    files = [str(care_mi_sample / f"predictions{name}.jsonl") for name in ("", "-second")]
    labelled = [f"{label}={file}" for label, file in zip(("好", "差"), files, strict=True)]
    asked = ["prompts", "care_mi", "--stage", "correctness", "--predictions", *labelled, "--to", "csv"]
    assert main([*asked, "--data", str(care_mi_build), "--seed", "3"]) == 0
    captured = capfdbinary.readouterr()
    rows = sheet_rows(captured.out.decode("utf-8"))
    assert list(rows[0]) == [
        "id", "answer_hash", "question", "reference", "evidence", "answer", "guide", "correctness", "annotator"
    ]  # fmt: skip
    assert len(rows) == 54
    assert b"28 items: " in captured.err
    assert b"answers of 2 models; the output does not name the models" in captured.err
    assert b" runs" not in captured.err
    assert "0.75-1" in rows[0]["guide"]
    assert "arbiter" in rows[0]["guide"]
    lines = map(json.loads, Path(files[0]).read_text(encoding="utf-8").splitlines())
    first = {line["id"]: line["prediction"] for line in lines}
    good = [row["answer"].lstrip("'") == first[row["id"]] for row in rows]
    assert sum(good) == 28
    assert good != sorted(good)
    assert good != sorted(good, reverse=True)
    judged = zip(rows, good, strict=True)
    said = [{**row, "correctness": "1" if mine else "0", "annotator": "甲"} for row, mine in judged]
    filled = save_sheet(tmp_path / "filled.csv", said)
    for file, value, others in zip(files, (1, 0), (26, 28), strict=True):
        score = ["score", "care_mi", file, "--data", str(care_mi_build), "--bootstrap", "0"]
        assert main([*score, "--to", "json", "--stage", f"correctness={filled}"]) == 0
        report = json.loads(capfdbinary.readouterr().out)
        assert report["metrics"]["correctness"]["per_run"] == [value]
        assert sentences(report)[-1] == f"Stage correctness: {others} rows annotate answers of other models."


@pytest.mark.parametrize(("wording", "form"), [("paper-1", "chat"), ("released-1", "chat"), ("released-1", "text")])
def test_the_signature_says_with_which_wording_judges_were_asked(
    wording, form, care_mi_build, care_mi_sample, tmp_path, capfdbinary
):
    predictions, sent = care_mi_sample / "predictions.jsonl", tmp_path / "sent.jsonl"
    asked = ["prompts", "care_mi", "--stage", "correctness", "--predictions", str(predictions)]
    asked += ["--data", str(care_mi_build), "--prompt", wording, "--to", form, "--output", str(sent)]
    assert main(asked) == 0
    score = ["score", "care_mi", str(predictions), "--data", str(care_mi_build), "--bootstrap", "0", "--to", "json"]
    files = [care_mi_sample / f"judge-correctness{name}.jsonl" for name in ("", "-again")]
    judged = [word for file in files for word in ("--stage", f"correctness={file}")]
    assert main([*score, *judged, "--prompts", str(sent)]) == 0
    signature = json.loads(capfdbinary.readouterr().out)["signature"]
    assert signature["annotators"].startswith(f"correctness by sample judge (prompt {wording} ")
    assert signature["annotators"].endswith(", sample all, verified)")
    altered = sent.read_text(encoding="utf-8").replace("某AI助手", "一位医生").replace("judge if", "say whether")
    sent.write_text(altered, encoding="utf-8")
    assert main([*score, *judged, "--prompts", str(sent)]) == 2
    problem = f"sent.jsonl:1: the text matches no prompt for this id: expected {wording}\n"
    assert problem.encode() in capfdbinary.readouterr().err


def test_a_line_of_an_item_shows_what_each_said(care_mi_build, care_mi_sample, tmp_path):
    predictions, items = care_mi_sample / "predictions.jsonl", tmp_path / "items.jsonl"
    item = json.loads(predictions.read_text(encoding="utf-8").splitlines()[0])["id"]
    sheet = tmp_path / "sheet.csv"
    rows = ["id,correctness,rater", f"{item},0.9,甲", f"{item},0.2,乙", f"{item},0.9,sample judge"]
    sheet.write_text("\n".join(rows), encoding="utf-8")
    stages = ["--stage", f"correctness={sheet}", "--stage", f"correctness={care_mi_sample / 'judge-correctness.jsonl'}"]
    score = ["score", "care_mi", str(predictions), "--data", str(care_mi_build), "--bootstrap", "0"]
    score += ["--missing", "wrong", "--items", str(items), "--output", str(tmp_path / "report.txt")]
    assert main([*score, *stages]) == 0
    lines = {line["item"]: line["stages"] for line in map(json.loads, items.read_text(encoding="utf-8").splitlines())}
    said = {name: value["correctness"] for name, value in lines[item]["correctness"].items()}
    assert said == {"乙": "0.2", "甲": "0.9", "sample judge (person)": "0.9", "sample judge (model)": "0.95"}
    assert lines["caremi-e12ae36002"] == {"correctness": None}
