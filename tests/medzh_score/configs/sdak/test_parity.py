"""SDAK: the rule official against the authors' script, its paper's facts, the heuristic against hand labels."""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import product
from math import comb

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
from medzh_score.cli.main import main
from medzh_score.configs.sdak.config import CONFIG
from medzh_score.configs.sdak.metrics import FOLLOWED, HEURISTIC, RIGHT
from medzh_score.configs.sdak.reading import FACTUAL, RESTATES, counterfactual_side
from medzh_score.data.records import Origin, Records
from medzh_score.scoring.paper import load_paper, reported_tables
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
    answers = [config.paper_rule.read(texts[one.id], one.side, 0)[0] for one in config.asked(rows, layout)]
    due = np.ones((len(rows), 1), bool)
    counted = config.statistics(layout, answer_table({(0, 0): answers}, due, {}), {})[:, 0]
    verdicts = {pair: (bool(row[RIGHT]), bool(row[FOLLOWED])) for pair, row in zip(layout.items, counted, strict=True)}
    types = np.array(layout.groups["type"])
    counts = {}
    for name in set(types):
        own = counted[types == name]
        counts[str(name)] = (int(own[:, RIGHT].sum()), int(own[:, FOLLOWED].sum()), len(own))
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
ERRATA = {erratum.id: erratum for erratum in PAPER.errata}


def half_up(value, decimals):
    scaled = Decimal(value.numerator) / Decimal(value.denominator)
    return str(scaled.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP))


def exact(value):
    return Fraction(str(value))


def ifr(model):
    return next(exact(row["ifr"]) for row in ROWS[4] if row["model"] == model)


def factacc(model):
    return next(exact(row["factacc"]) for row in ROWS[4] if row["model"] == model)


def test_table_3_follows_from_its_counts():
    verdicts = ("support", "neutral", "refute")
    assert [sum(row[verdict] for verdict in verdicts) for row in ROWS[3]] == [50] * 17
    totals = {verdict: sum(row[verdict] for row in ROWS[3]) for verdict in verdicts}
    assert totals == {"support": 748, "neutral": 66, "refute": 36}
    printed = reported_tables(PAPER, 3)[0].rows
    assert printed[-2] == ("Total", *totals.values())
    percents = [half_up(Fraction(100 * count, sum(totals.values())), 2) for count in totals.values()]
    assert percents == ["88.00", "7.76", "4.24"]
    assert printed[-1] == ("Percentage", *(f"{percent}%" for percent in percents))


def test_s4_declines():
    medical = [row["model"] for row in ROWS[4] if row["domain"] == "Medical" and row["model"] != "HuatuoGPT"]
    declines = {model: 100 - ifr(model) for model in medical}
    outside = {model for model, decline in declines.items() if not 5 <= decline <= 15}
    assert outside == {"BenTsao", "MedicalGPT", "Bianque", "DoctorGLM"}
    for decline in declines.values():
        assert half_up(decline, 2).removesuffix(".00") in ERRATA["S4"].finding
    for model in ("BenTsao", "MedicalGPT"):
        assert half_up(99 - ifr(model), 2) in ERRATA["S4"].finding


def test_s5_expected_shares_of_not_followed():
    printed = {row["model"].lower(): row["not_follow"] for row in ROWS[5]}
    expected = {
        model: 100 * (100 - ifr(model)) / (100 - factacc(model))
        for model in ("Chatmed-Consult", "MedicalGPT", "Zhongjing", "ChatGLM-Med", "BenTsao")
    }
    assert [half_up(share, 1) for share in expected.values()] == ["19.7", "26.0", "13.0", "5.5", "16.1"]
    for model, share in expected.items():
        assert re.search(
            rf"{model} {half_up(share, 1)}( %)? \((printed )?{printed[model.lower()]}\)", ERRATA["S5"].finding
        )
    share = float(expected["BenTsao"]) / 100
    at_most_5 = sum(comb(100, count) * share**count * (1 - share) ** (100 - count) for count in range(6))
    assert round(at_most_5, 4) == 0.0006
    assert "0.0006" in ERRATA["S5"].shown_by


def test_cells_are_printed_as_in_the_paper():
    table = reported_tables(PAPER, 4)[0]
    assert table.columns[-3:] == ("IFR(%)", "FactAcc(%)", "AccR(%)")
    assert table.rows[1][2:] == ("Qwen-14b-Chat", "100.00±0.00", "57.29±0.03", 98)
    assert table.rows[5][4] == "37.90±0.04"
    assert table.rows[-1] == ("Medical", "Real", "DoctorGLM", 0, None, None)
    assert reported_tables(PAPER, 1)[0].rows[0] == ("Diagnosis", "Disease-Symptom", "81%")


def test_the_number_of_new_tokens_is_the_repositorys_not_the_papers(capsys):
    """Source: Appendix C, which lists four settings; the number stands in the released configuration alone (S14)."""
    assert main(["reported", "sdak", "--to", "json"]) == 0
    stated = json.loads(capsys.readouterr().out)
    assert stated["decoding"] == {"runs": 3, "temperature": 0.3, "top_k": 5, "top_p": 0.85, "repetition_penalty": 1.05}
    assert "the released configuration, not the paper, has 128" in stated["decoding_remark"]
    assert CONFIG.decoding["max_new_tokens"] == 128
    assert "128 new tokens, which the paper does not state" in ERRATA["S14"].finding


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
    assert f"{AGREEING} of {len(cases)} cases by official" in HEURISTIC
