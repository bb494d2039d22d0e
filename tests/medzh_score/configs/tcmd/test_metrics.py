"""TCMD's metrics and tables, beside a plain restatement of equation (1) and of the vote, item by item."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from amounts import at_least
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.benchmark.answers import answer, answer_table
from medzh_score.benchmark.items import ItemIndex
from medzh_score.configs.tcmd.config import tables
from medzh_score.configs.tcmd.metrics import METRICS, statistics, verdict
from medzh_score.stats.sums import TOTAL
from medzh_score.stats.values import Bootstrap, values

LETTERS = "ABCDE"


def layout_of(golds, units=None, sizes=None):
    count = len(golds)
    return ItemIndex(
        items=tuple(f"q{number:03d}" for number in range(count)),
        members=np.arange(count)[:, None],
        clusters=np.array(units if units is not None else range(count)),
        groups={"realm": ["中医基础"] * count},
        item_values={
            "gold": np.array([LETTERS.index(gold) for gold in golds]),
            "options": np.array(sizes or [5] * count),
        },
    )


def table_of(chosen, variants=None, expected=None):
    """Make answers of texts ``original letter + shown letter``, `?` for none and `None` for missing."""
    variants = tuple(variants or range(len(chosen[0])))

    def made(cell):
        if cell is None:
            return None
        return answer(None, "nothing found") if cell == "?" else answer(cell[0], "label", cell[-1])

    columns = {(0, variant): [made(row[place]) for row in chosen] for place, variant in enumerate(variants)}
    asked = np.ones((len(chosen), len(variants)), bool) if expected is None else np.array(expected)
    return answer_table(columns, asked, {})


def metrics_of(layout, answers, missing_dropped=None):
    counts = statistics(layout, answers, {})
    if missing_dropped is not None:
        counts[missing_dropped] = 0
    (found,) = values(layout, counts[None], METRICS, bootstrap=Bootstrap(0), unit="fraction")
    return {name: value.value for name, value in found[TOTAL].items()}, tables(layout, answers, counts, {})


def restated(golds, units, chosen):
    """Compute everything with fractions and plain loops."""
    accuracy, valid_shares, all_shares = [], [], []
    for gold, row in zip(golds, chosen, strict=True):
        letters = [cell[0] for cell in row if cell not in {None, "?"}]
        accuracy.append(Fraction(sum(letter == gold for letter in letters), len(row)))
        top = max(Counter(letters).values(), default=0)
        all_shares.append(Fraction(top, len(row)))
        if letters:
            valid_shares.append(Fraction(top, len(letters)))
    exact = []
    for unit in sorted(set(units)):
        members = [place for place, other in enumerate(units) if other == unit]
        hits = [all((chosen[m][v] or "?")[0] == golds[m] for m in members) for v in range(len(chosen[0]))]
        exact.append(Fraction(sum(hits), len(hits)))
    return (
        {
            "accuracy": sum(accuracy) / len(accuracy),
            "group-exact": sum(exact) / len(exact),
            "consistency-valid": sum(valid_shares) / len(valid_shares) if valid_shares else None,
            "consistency-all": sum(all_shares) / len(all_shares),
        },
        accuracy,
        all_shares,
    )


def voted(golds, chosen, threshold, *, strict):
    """Vote plainly: right, answered."""
    right = answered = 0
    for gold, row in zip(golds, chosen, strict=True):
        letters = Counter(cell[0] for cell in row if cell not in {None, "?"})
        if not letters:
            continue
        (letter, count), *others = letters.most_common()
        if others and others[0][1] == count:
            continue
        if Fraction(count, len(row) if strict else sum(letters.values())) >= threshold:
            answered += 1
            right += letter == gold
    return right, answered


cells = st.one_of(st.sampled_from([a + b for a in LETTERS for b in LETTERS]), st.just("?"), st.none())


@st.composite
def cases(draw):
    count = draw(st.integers(1, 6))
    variants = draw(st.integers(2, 7))
    chosen = draw(st.lists(st.lists(cells, min_size=variants, max_size=variants), min_size=count, max_size=count))
    golds = draw(st.lists(st.sampled_from(LETTERS), min_size=count, max_size=count))
    steps = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    units = list(itertools.accumulate(int(step) for step in steps))
    return golds, [unit - units[0] for unit in units], chosen


@at_least(40)
@given(cases())
def test_metrics_equal_the_restatement(case):
    golds, units, chosen = case
    found, _ = metrics_of(layout_of(golds, units), table_of(chosen))
    expected, accuracy, shares = restated(golds, units, chosen)
    readable = any(cell not in {None, "?"} for row in chosen for cell in row)
    for name, value in expected.items():
        if value is None:
            assert found[name] is None
        else:
            assert found[name] == pytest.approx(float(value), abs=1e-12), name
    assert all(right <= share for right, share in zip(accuracy, shares, strict=True))
    if readable:
        assert found["accuracy"] <= found["consistency-all"] + 1e-12
        assert found["consistency-all"] <= found["consistency-valid"] + 1e-12


@at_least(40)
@given(cases())
def test_the_vote_equals_the_restatement(case):
    golds, units, chosen = case
    _, made = metrics_of(layout_of(golds, units), table_of(chosen))
    assert [row[1] for row in made["ensemble"].rows] == [step / 20 for step in range(4, 21)]
    for step, row in zip(range(4, 21), made["ensemble"].rows, strict=True):
        right, answered = voted(golds, chosen, Fraction(step, 20), strict=False)
        strict_right, strict_answered = voted(golds, chosen, Fraction(step, 20), strict=True)
        assert row[2:] == (
            right / len(golds),
            answered / len(golds),
            right / answered if answered else None,
            strict_right / len(golds),
            strict_answered / len(golds),
        )


def test_a_threshold_is_met_exactly():
    """3 of 5 is 0.60, which no sum of floats may miss."""
    _, made = metrics_of(layout_of("A"), table_of([["AA", "AA", "AA", "BB", "CC"]]))
    by_threshold = {row[1]: row[2] for row in made["ensemble"].rows}
    assert (by_threshold[0.6], by_threshold[0.65]) == (1.0, 0.0)


def test_the_pass_line_is_met_by_360_of_600():
    for right, result in ((359, "not passed"), (360, "passed")):
        chosen = [["AA"]] * right + [["BB"]] * (600 - right)
        _, made = metrics_of(layout_of("A" * 600), table_of(chosen))
        assert made["pass-line"].rows[0][3] == result


def test_questions_with_fewer_options_are_counted_in_their_own_variants():
    expected = [[True] * 6, [True, True, False, False, False, False]]
    chosen = [["AA", "AB", "AC", "BA", "AA", "AA"], ["AA", "BA", None, None, None, None]]
    found, made = metrics_of(layout_of("AA", sizes=[3, 2]), table_of(chosen, expected=expected))
    assert found["accuracy"] == pytest.approx((5 / 6 + 1 / 2) / 2)
    assert found["consistency-all"] == pytest.approx((5 / 6 + 1 / 2) / 2)
    first = made["spread"].rows[0]
    # By variant: 2 of 2, 1 of 2, then the first question alone: 1, 0, 1, 1.
    assert first[2] == pytest.approx((1 + 0.5 + 1 + 0 + 1 + 1) / 6)
    assert (first[4], first[5], first[6]) == (0.0, 1.0, 6)
    chance = {row[1]: row[4] for row in made["positions"].rows}
    # Six answers to three options and two to two: A and B 6/3 + 2/2 of 8, C 6/3 of 8.
    assert chance == pytest.approx({"A": 3 / 8, "B": 3 / 8, "C": 2 / 8})


def test_what_is_dropped_leaves_every_figure():
    chosen = [["AA", "AA"], [None, "BB"], ["AA", "BB"]]
    dropped = np.array([[False], [True], [False]])
    found, made = metrics_of(layout_of("ABA"), table_of(chosen), dropped)
    assert found["accuracy"] == pytest.approx(0.75)
    assert found["consistency-all"] == pytest.approx(0.75)
    assert made["positions"].rows[0][2] == 3
    assert made["spread"].rows[2][6] == 2
    assert made["ensemble"].rows[0][3] == 0.5, "the second of two ties"


@pytest.mark.parametrize(
    ("chosen", "word"),
    [(["AA", "AB"], "right"), (["BA", "?"], "wrong"), (["AA", "BB"], "mixed"), (["AA", None], "mixed")],
)
def test_verdicts(chosen, word):
    assert verdict(statistics(layout_of("A"), table_of([chosen]), {})[0, 0]) == word
