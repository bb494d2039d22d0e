"""CARE-MI scored: every metric restated by plain loops, and answers to yes-no questions against readings by hand."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import cycle
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import CASE_FILES
from sacrebleu.metrics import CHRF
from tables import case_tables, holds
from tool_runs import lines_of

from medzh_score.configs.care_mi.metrics import chrf
from medzh_score.configs.care_mi.reading import QuestionClaim, read
from medzh_score.io.tables import sheet_bytes
from medzh_score.scoring.pipeline import score
from medzh_score.stats.formulas import Moments

ASPECTS = ("correctness", "interpretability")
ANNOTATORS = ("甲", "乙", "丙", "arbiter")
JUDGES = ("judge-a", "judge-b")
CHRF_2 = CHRF(char_order=6, word_order=0, beta=2)


@pytest.fixture(scope="module")
def lines(care_mi_sample):
    """Give both samples as two runs, with an answer missing in each."""
    found = []
    for run, name in enumerate(("predictions", "predictions-second")):
        texts = (care_mi_sample / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        found += [{**json.loads(text), "run": run} for text in texts[: 28 - run]]
    return found[1:]


@pytest.fixture
def given_scores(lines, tmp_path, write_lines):
    """Give a function that invents scores of those who rate a share of the answers, and writes them as files."""

    def make(seed, annotators, judges, share):
        draw = random.Random(seed)  # noqa: S311 - data of a test
        scores, files = {}, {}
        for aspect in ASPECTS:
            files[aspect] = []
            for who in (*annotators, *judges):
                mine = {
                    (line["id"], line["run"]): f"0.{draw.randrange(100):02d}" for line in lines if draw.random() < share
                }
                scores[aspect, who] = mine
                path = tmp_path / f"{aspect}-{who}-{seed}"
                if who in judges:
                    said = [
                        {"id": item, "run": run, "prediction": f"评分：{text}"} for (item, run), text in mine.items()
                    ]
                    write_lines(
                        path, [{**line, "model": who} for line in said] or [{"id": lines[0]["id"], "prediction": "?"}]
                    )
                else:
                    rows = [{"id": item, "run": run, aspect: text, "rater": who} for (item, run), text in mine.items()]
                    path.write_bytes(sheet_bytes(("id", "run", aspect, "rater"), rows))
                files[aspect].append(path)
        return scores, files

    return make


def one_score(scores, aspect, key, kind):
    """Restate the score of one answer by people with arbitration, by all people, or by judges."""
    given = {who: Fraction(mine[key]) for (about, who), mine in scores.items() if about == aspect and key in mine}
    judges = [score for who, score in given.items() if who in JUDGES]
    people = [score for who, score in given.items() if who not in {*JUDGES, "arbiter"}]
    arbiter = [given["arbiter"]] if "arbiter" in given else []
    if kind == "judge":  # a judge that scored others and not this one counts as 0
        asked = sum(bool(mine) for (about, who), mine in scores.items() if about == aspect and who in JUDGES)
        some = [*judges, *[Fraction(0)] * (asked - len(judges))]
    elif kind == "mean":
        some = people + arbiter
    else:
        disputed = any(abs(a - b) > Fraction(1, 4) for a in people for b in people)
        some = arbiter if arbiter and (disputed or not people) else people
    return sum(some) / len(some) if some else None


def judged_whole(scores, key, texts):
    """Say whether an answer with text has a score of each judge, and of a person, in both aspects."""
    if not texts.get(key):
        return True
    for aspect in ASPECTS:
        given = {who: key in mine for (about, who), mine in scores.items() if about == aspect and mine}
        people = [has for who, has in given.items() if who not in JUDGES]
        if not all(has for who, has in given.items() if who in JUDGES) or (people and not any(people)):
            return False
    return True


def restated(rows, lines, scores, missing, kind, aspect):
    """Give the scores that count, by run."""
    texts = {(line["id"], line["run"]): line["prediction"].strip() for line in lines}
    by_run = {}
    for run in (0, 1):
        keys = [(row["id"], run) for row in rows]
        if missing == "skip":  # what lacks in one run is dropped from both
            keys = [key for key in keys if {(key[0], 0), (key[0], 1)} <= texts.keys()]
        if missing == "skip":  # and what lacks a score by one judge, or by all people
            keys = [key for key in keys if all(judged_whole(scores, (key[0], run), texts) for run in (0, 1))]
        found = {key: one_score(scores, aspect, key, kind) if texts.get(key) else None for key in keys}
        judges = kind == "judge"
        there = any(mine for (about, who), mine in scores.items() if about == aspect and (who in JUDGES) == judges)
        by_run[run] = {key[0]: value or Fraction(0) for key, value in found.items()} if there else {}
    return by_run


def over_runs(values):
    defined = [value for value in values if value is not None]
    return mean(defined) if defined else None


def close(value, expected):
    return value is None if expected is None else value == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize(
    ("missing", "seed", "annotators", "judges", "share"),
    [
        ("wrong", 1, ANNOTATORS, JUDGES, 0.6),
        ("skip", 1, ANNOTATORS, JUDGES, 0.6),
        ("wrong", 2, ANNOTATORS[:2], (), 1.1),
        ("skip", 3, ("甲",), JUDGES[:1], 1.1),
        ("skip", 4, (), JUDGES, 0.3),
        ("wrong", 5, ("甲", "乙", "arbiter"), (), 0.9),
    ],
)
def test_scores_are_those_of_plain_loops(
    care_mi_rows, care_mi_build, lines, given_scores, tmp_path, write_lines, missing, seed, annotators, judges, share
):
    scores, files = given_scores(seed, annotators, judges, share)
    path = write_lines(tmp_path / "p.jsonl", lines)
    report = score("care_mi", path, care_mi_build, missing=missing, bootstrap=0, stages=files, allow_partial_runs=True)
    groups = {("", ""): {row["id"] for row in care_mi_rows}}
    for breakdown in ("source", "type"):
        for row in care_mi_rows:
            groups.setdefault((breakdown, row[breakdown]), set()).add(row["id"])
    found = {}
    for aspect in ASPECTS:
        for kind, suffix in (("people", ""), ("mean", "-mean"), ("judge", "-judge")):
            found[aspect, kind] = by_run = restated(care_mi_rows, lines, scores, missing, kind, aspect)
            for (breakdown, label), inside in groups.items():
                metrics = report.groups[breakdown][label] if breakdown else report.metrics
                runs = [[float(value) for item, value in by_run[run].items() if item in inside] for run in (0, 1)]
                value = metrics[f"{aspect}{suffix}"]
                assert close(value.value, over_runs([mean(run) if run else None for run in runs])), (aspect, kind)
                assert value.n == len({item for run in by_run.values() for item in run} & inside)
                if kind != "mean":
                    spread = metrics[f"{aspect}{suffix}-std"].value
                    assert close(spread, over_runs([stdev(run) if len(run) > 1 else None for run in runs]))
    squares = []
    for run in (0, 1):
        one, two = (found[aspect, "people"][run] for aspect in ASPECTS)
        both = sorted(one.keys() & two.keys())
        if len(both) > 1:
            squares.append(np.corrcoef([float(one[key]) for key in both], [float(two[key]) for key in both])[0, 1] ** 2)
    assert close(report.metrics["item_r2"].value, over_runs(squares))


@pytest.mark.parametrize("missing", ["wrong", "skip"])
@pytest.mark.parametrize("asked", [("true",), ("true", "false"), ("false",)], ids=" ".join)
def test_what_needs_no_scores_is_that_of_plain_loops(
    care_mi_rows, lines, tmp_path, write_lines, write_build, missing, asked
):
    """Sources: sacreBLEU's chrF, and the reading of claims, which has a table of its own."""
    path, turns = write_lines(tmp_path / "p", lines), cycle(asked)
    care_mi_rows = [{**row, "asked": next(turns) if row["type"] == "tf" else None} for row in care_mi_rows]
    build = write_build(tmp_path / "medzh", care_mi_rows, "care_mi")
    report = score("care_mi", path, build, missing=missing, bootstrap=0, allow_partial_runs=True)
    texts = {(line["id"], line["run"]): line["prediction"] for line in lines}
    proxy, agree, table = [], [], []
    for run in (0, 1):
        rows = [row for row in care_mi_rows if missing == "wrong" or {(row["id"], 0), (row["id"], 1)} <= texts.keys()]
        said = {row["id"]: texts.get((row["id"], run), "") for row in rows}
        nearer = [
            CHRF_2.sentence_score(said[row["id"]], [row["true_statement"]]).score
            > CHRF_2.sentence_score(said[row["id"]], [row["false_statement"]]).score + 1e-9
            for row in rows
        ]
        proxy.append(mean(map(float, nearer)))
        right = []
        for statement, other, true in (("true", "false", "agree"), ("false", "true", "refuse")):
            claims = [row for row in rows if row["asked"] == statement]
            verdicts = [
                read(said[row["id"]], QuestionClaim(row[f"{statement}_statement"], row[f"{other}_statement"]))
                for row in claims
            ]
            right += [verdict == true for verdict in verdicts]
            empty = sum(not said[row["id"]].strip() for row in claims)
            counts = [verdicts.count(word) for word in ("agree", "refuse")]
            row = (run, statement, len(claims), *counts, len(claims) - sum(counts) - empty, empty)
            table += [row] if claims else []
        agree.append(mean(map(float, right)))
    assert report.metrics["proxy-chrF"].value == pytest.approx(mean(proxy))
    assert report.metrics["TF-agree"].value == pytest.approx(mean(agree))
    assert report.tables["tf"].rows == tuple(table)
    assert set(report.tables) == {"tf"}
    cautioned = [
        note
        for note in report.notes
        if note.startswith("TF-agree: a constant yes scores 100.0%, because all claims are true.")
    ]
    assert len(cautioned) == (asked == ("true",))
    unparsed = [one.params["unparsed"] for one in report.warnings if one.code == "metric_unparsed"]
    absent = [(row["id"], run) for run in (0, 1) for row in care_mi_rows if row["asked"] in {"true", "false"}]
    lacking = sum(key not in texts for key in absent) if missing == "wrong" else 0
    assert unparsed == [sum(unread + empty for *_, unread, empty in table) - lacking]


CLAIMS = {"true": "新生儿出血症可由维生素K缺乏导致", "false": "新生儿出血症可由维生素C缺乏导致"}
# By hand: agree, refuse, not read, nothing said.
SAID = {"是的。": (1, 0, 0, 0), "不是。": (0, 1, 0, 0), "出生后应注射。": (0, 0, 1, 0), "": (0, 0, 0, 1)}


# Without a subject, of something else or of more than what is claimed; at ease, which denies nothing.
SAID |= dict.fromkeys(("会出现瘀斑。", "能够导致贫血。", "没事，多数会自愈。"), (0, 0, 1, 0))
SAID |= {f"{CLAIMS['false']}。": {"true": (0, 1, 0, 0), "false": (1, 0, 0, 0)}}


@pytest.mark.parametrize("asked", CLAIMS)
@pytest.mark.parametrize("text", SAID)
def test_who_says_what_is_true_is_right_whichever_statement_is_asked_about(asked, text, tmp_path, write_build):
    """The words beside each answer are by hand; no answer in place of one never raises the share."""
    made = {f"{name}_statement": f"{claim}。" for name, claim in CLAIMS.items()} | {"source": "written", "context": ""}
    made |= {"question": f"{CLAIMS[asked]}吗？", "answer": made["true_statement"], "evidence": []}
    rows = [
        {**made, "id": "caremi-0", "type": "tf", "asked": asked},
        {**made, "id": "caremi-1", "type": "open", "asked": None},
    ]
    rows = [{**row, "prompt": row["question"]} for row in rows]
    said = [{"id": row["id"], "prediction": text} for row in rows]
    report = score("care_mi", said, write_build(tmp_path / "medzh", rows, "care_mi"), bootstrap=0)
    counts = SAID[text] if isinstance(SAID[text], tuple) else SAID[text][asked]
    assert report.tables["tf"].rows == ((0, asked, 1, *counts),)
    share = report.metrics["TF-agree"]
    assert (share.value, share.n) == (counts[asked == "false"], 1)
    assert any(
        "TF-agree: a constant yes scores 100.0%, because all claims are true." in note for note in report.notes
    ) == (asked == "true")


def test_scores_of_an_answer_that_says_nothing_count_nothing(care_mi_build, care_mi_sample, tmp_path):
    """Of the second sample two answers are empty; one rater scores one of them all the same."""
    predictions = care_mi_sample / "predictions-second.jsonl"
    texts = [json.loads(line) for line in predictions.read_text(encoding="utf-8").splitlines()]
    rows = [{"id": line["id"], "correctness": "1", "rater": "甲"} for line in texts]
    empty = [line["id"] for line in texts if not line["prediction"]]
    sheet = tmp_path / "s.csv"
    sheet.write_bytes(sheet_bytes(("id", "correctness", "rater"), [row for row in rows if row["id"] != empty[1]]))
    report = score("care_mi", predictions, care_mi_build, bootstrap=0, stages={"correctness": sheet})
    assert report.metrics["correctness"].value == pytest.approx(26 / 28)
    assert "1 excluded because the stage does not apply to the answer extracted with rule medzh-1." in report.notes[-2]
    fewer = [row for row in rows if row["id"] not in empty][1:]
    sheet.write_bytes(sheet_bytes(("id", "correctness", "rater"), fewer))
    options = {"bootstrap": 0, "stages": {"correctness": sheet}, "missing": "wrong"}
    report = score("care_mi", predictions, care_mi_build, **options)
    assert (report.metrics["correctness"].value, report.metrics["correctness"].n) == (pytest.approx(25 / 28), 28)


LETTERS = "妊娠剧吐引起脱水不是ab^-]\\[ 。\n"


@given(st.text(LETTERS, max_size=40), st.text(LETTERS, max_size=40))
def test_chrf_is_that_of_sacrebleu(one, two):
    assert chrf(one, two) == pytest.approx(CHRF_2.sentence_score(one, [two]).score / 100, abs=1e-12)


@pytest.mark.parametrize("value", [0.0, 0.1, 0.3, 0.7, 0.9, 1.0])
def test_equal_scores_have_no_spread_however_many(value):
    rows = np.zeros((1612, 3))
    Moments(0).fill(rows, np.full(1612, value))
    assert Moments(0).std(rows.sum(axis=0)) == 0


ANSWERS = lines_of(CASE_FILES / "care_mi_tf_answers.jsonl")


def test_answers_are_read_as_decided_by_hand_or_not_at_all():
    found = [
        (case, read(case["text"], QuestionClaim(case["true_statement"], case["false_statement"]))) for case in ANSWERS
    ]
    other = [case["text"] for case, value in found if value is not None and value != case["read"]]
    assert set(other) <= {"无。", "不会诊断。"}  # of which a person says that they answer another question
    right = sum(value == case["read"] for case, value in found)
    assert right >= 0.85 * len(ANSWERS)


def test_what_a_nod_or_a_no_means_depends_on_the_claim():
    rows = case_tables("care_mi_scores")["claims"]
    holds(rows, lambda claim, text: read(text, QuestionClaim(claim)))


def test_answers_to_a_question_that_denies_are_read_as_careful_readers_do():
    rows = [
        [QuestionClaim(case["statement"], case["opposite"] or ""), text, None if value == "unclear" else value]
        for case in case_tables("care_mi_scores")["denials"]
        for value in ("agree", "refuse", "unclear")
        for text in case[value]
    ]
    assert len(rows) >= 200
    holds(rows, lambda claim, text: read(text, claim))


def test_who_opens_with_one_of_the_two_statements_says_which_holds():
    true, false = "鹅口疮由真菌引起。", "鹅口疮由真菌引起，可自愈。"  # one begins as the other does
    for claim in (QuestionClaim(true, false), QuestionClaim(false, true)):
        said = [(claim.statement, "agree"), (claim.opposite, "refuse"), (f"{claim.opposite}应治疗。", "refuse")]
        rows = [[claim, *row] for row in (*said, ("鹅口疮由真菌引起吗？", None))]
        holds(rows, lambda known, text: read(text, known))
