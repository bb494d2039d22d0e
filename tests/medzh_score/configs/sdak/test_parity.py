"""SDAK: the rule official against the authors' script, its paper's facts, the heuristic against hand labels."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from amounts import at_least
from hypothesis import given
from hypothesis import strategies as st
from places import CASE_FILES
from tables import case_tables

from medzh_score.benchmark.answers import answer_table
from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.registry import find_config
from medzh_score.configs.sdak.metrics import HEURISTIC, PairColumns
from medzh_score.configs.sdak.reading import FACTUAL, RESTATES, counterfactual_side
from medzh_score.data.records import Origin, Records
from medzh_score.scoring.paper import load_paper
from medzh_score.scoring.pipeline import score

WINDOWS_RIGHT = {"是的": 3, "是正确的": 10}
WINDOWS_WRONG = {"错误": 3, "不正确": 10, "这个说法是错误的": 10, "这个说法是不正确的": 10, "不完全正确": 10, "不是": 5}


def ends_inside(text, word, window):
    at = text.find(word)
    return at >= 0 and at + len(word) <= window


def says_right(text):
    plain = ends_inside(text, "正确", 5) and not ends_inside(text, "不正确", 5)
    return plain or any(ends_inside(text, word, window) for word, window in WINDOWS_RIGHT.items())


def says_wrong(text):
    return any(ends_inside(text, word, window) for word, window in WINDOWS_WRONG.items())


def follows(text):
    return says_right(text) or says_wrong(text)


def authors_verdicts(rows, texts):
    """Give (right, following) of each pair and the script's counts of each type."""
    positives, negatives = defaultdict(dict), defaultdict(dict)
    for row in rows:
        side = positives if row["polarity"] == "factual" else negatives
        side[row["type"]][row["pair_id"]] = texts[row["id"]]
    verdicts, counts = {}, {}
    for name, claims in positives.items():
        for pair, text in claims.items():
            other = negatives[name][pair]
            verdicts[pair] = (says_right(text) and says_wrong(other), follows(text) and follows(other))
        mine = [verdicts[pair] for pair in claims]
        counts[name] = (sum(right for right, _ in mine), sum(follow for _, follow in mine), len(mine))
    return verdicts, counts


def our_verdicts(rows, texts):
    config = find_config("sdak")
    layout = config.layout(rows)
    answers = [config.paper_rule.read(texts[one.id], one.context, 0)[0] for one in config.queries(rows, layout)]
    expected = np.ones((len(rows), 1), bool)
    counted = config.statistics(layout, answer_table({(0, 0): answers}, expected, {}), {})[:, 0]
    verdicts = {
        pair: (bool(row[PairColumns.right]), bool(row[PairColumns.followed]))
        for pair, row in zip(layout.items, counted, strict=True)
    }
    types = np.array(layout.groups["type"])
    counts = {}
    for name in set(types):
        own = counted[types == name]
        counts[str(name)] = (int(own[:, PairColumns.right].sum()), int(own[:, PairColumns.followed].sum()), len(own))
    return verdicts, counts


# What a text says to the script, from the facts and quirks (a) to (c).
QUIRKS = {text: verdicts for text, *verdicts, _ in case_tables("sdak_cases")["quirks"]}


def test_the_restated_rule_says_what_the_facts_say():
    assert len(QUIRKS) == 68
    assert {text: [says_right(text), says_wrong(text)] for text in QUIRKS} == QUIRKS


def claims(made_claims, pairs):
    """Give claims of (type, what is said to the true one, to the false one), and the texts by claim."""
    pairs = sorted(pairs, key=lambda pair: pair[0])
    rows = made_claims(**Counter(name for name, *_ in pairs))
    texts = [text for _, *both in pairs for text in both]
    return rows, {row["id"]: text for row, text in zip(rows, texts, strict=True)}


def test_every_quirk_against_every_other_text(made_claims):
    pairs = product(QUIRKS, repeat=2)
    rows, texts = claims(made_claims, [("AB"[place % 2], *both) for place, both in enumerate(pairs)])
    assert our_verdicts(rows, texts) == authors_verdicts(rows, texts)


WORDS = (
    *("正确", "不正确", "错误", "是的", "是正确的", "不是", "不完全正确", "这个说法", "是错误的", "是不正确的"),
    *("不", "是", "的", "完全", "正", "确", "错", "误", "对", "回答：", "答案", "这种说法"),
    *("，", "。", "\n", "\r\n", " ", "\u3000", "“", "”", '"', "：", "1.", "- ", "𠀀", "😀", "\ufeff", "\u0301", "x"),
)
TEXTS = st.lists(st.sampled_from(WORDS), max_size=9).map("".join) | st.text(max_size=14)


@at_least(200)
@given(pairs=st.lists(st.tuples(st.sampled_from("ABC"), TEXTS, TEXTS), min_size=1, max_size=8), data=st.data())
def test_random_texts_have_the_verdicts_of_the_script(made_claims, pairs, data):
    rows, texts = claims(made_claims, pairs)
    rows = data.draw(st.permutations(rows))
    assert our_verdicts(rows, texts) == authors_verdicts(rows, texts)


def test_files_are_scored_as_the_script_scores_them(made_claims, write_lines, tmp_path):
    """The whole way, from a file to report and items file, on 3,000 seeded texts."""
    draw = random.Random(20240)  # noqa: S311 - texts for a test
    rows = made_claims(A=700, B=500, C=300)
    texts = {row["id"]: "".join(draw.choices(WORDS, k=draw.randint(0, 5))) + "因为原因" for row in rows}
    lines = [{"id": identifier, "prediction": text} for identifier, text in texts.items()]
    draw.shuffle(lines)
    report = score(
        "sdak",
        write_lines(tmp_path / "p.jsonl", lines),
        Records("sdak", "test", rows, Origin("0.0.0", "mini", "0" * 64)),
        bootstrap=0,
        rule="official",
        items=tmp_path / "items.jsonl",
    )
    verdicts, counts = authors_verdicts(rows, texts)
    for line in map(json.loads, (tmp_path / "items.jsonl").read_text(encoding="utf-8").splitlines()):
        official = line["rules"]["official"]
        assert line["right"] == verdicts[line["item"]][0]
        assert (official["verdict"] != "not followed") == verdicts[line["item"]][1]
    for name, (right, following, total) in counts.items():
        found = report.groups["type"][name]
        assert found["FactAcc"].value == pytest.approx(100 * right / total, abs=1e-9)
        assert found["IFR"].value == pytest.approx(100 * following / total, abs=1e-9)
        assert found["IFR"].n == found["FactAcc"].n == total
    totals = np.array(list(counts.values())).sum(axis=0)
    assert report.metrics["FactAcc"].value == pytest.approx(100 * totals[0] / totals[2], abs=1e-9)
    assert report.metrics["IFR"].value == pytest.approx(100 * totals[1] / totals[2], abs=1e-9)
    assert 0 < totals[0] < totals[1] < totals[2]


PAPER = load_paper("sdak")
ROWS = {table.number: table.rows for table in PAPER.tables}


def exact(value):
    return Fraction(str(value))


def ifr(model):
    return next(exact(row["ifr"]) for row in ROWS[4] if row["model"] == model)


def factacc(model):
    return next(exact(row["factacc"]) for row in ROWS[4] if row["model"] == model)


# The measured agreement; whoever changes the heuristic states the new number wherever this one is stated.
AGREEING = 31


@pytest.fixture(scope="module")
def cases():
    text = (CASE_FILES / "sdak_error_cases.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


OFFICIAL = rule_of(find_config("sdak"), "official")


def told(case, rule=OFFICIAL):
    side = counterfactual_side(case["factual"], case["counterfactual"], case["object"])
    (factual,) = rule.read(case["factual_response"], FACTUAL, 0)
    (counterfactual,) = rule.read(case["counterfactual_response"], side, 0)
    both = (factual.value, counterfactual.value)
    if None in both:
        return "not_follow"
    if both == ("correct", "correct"):
        return "misinterpretation" if counterfactual.note == RESTATES else "sycophancy"
    return {("incorrect", "incorrect"): "safety", ("incorrect", "correct"): "reversed"}.get(both, "right")


def test_measured_agreement(cases):
    assert sum(told(case) == case["label"] for case in cases) == AGREEING


def test_the_report_states_what_is_measured(cases):
    assert f"{AGREEING} of {len(cases)} cases with rule official" in HEURISTIC
