"""What a comparison must be whatever is compared, and that its numbers are those of plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_results import made, of_pairs, pairs

from medzh_score.comparison.load import Choices
from medzh_score.comparison.run import comparable, compared
from medzh_score.stats.values import Bootstrap

RESAMPLES, PERMUTATIONS = 100, 200
PAIRS, RUNS = 40, 2
LAYOUT = pairs(PAIRS)


def compare(results, **choices):
    wanted = Choices(
        **{"bootstrap": Bootstrap(RESAMPLES), "permutations": PERMUTATIONS, "metrics": ("FactAcc", "IFR"), **choices}
    )
    return compared(comparable(results, wanted), wanted)


def system(name, right, **changes):
    return made(f"r/{name}", {"medzh-1": of_pairs(right, np.maximum(right, 1))}, LAYOUT, model=name, **changes)


@st.composite
def some_systems(draw, least=2, most=4):
    seed = draw(st.integers(0, 2**32))
    shares = draw(st.lists(st.floats(0.1, 0.9), min_size=least, max_size=most))
    generator = np.random.default_rng(seed)
    return [
        system(f"s{place}", (generator.random((PAIRS, RUNS)) < share).astype(int)) for place, share in enumerate(shares)
    ]


@given(some_systems(2, 3))
def test_values_are_those_of_the_reports(systems):
    found = compare(systems, by=("type",))
    for one in found.found:
        for standing, its in zip(one.standings, systems, strict=True):
            groups = its.report.groups.get(one.breakdown, {})
            stated = groups[one.group] if one.breakdown else its.report.metrics
            assert standing.value.value == stated[one.metric].value
            assert (standing.value.low, standing.value.high) == (stated[one.metric].low, stated[one.metric].high)


# The former `sensitivity`: one model under two prompts, over all pairs and by type.

TYPES = {"p1": "Disease-Food", "p2": "Disease-Food", "p3": "Disease-Food", "p4": "Food-Effect", "p5": "Food-Effect"}
# By pair and run: right under the first and under the second prompt.
FIRST = {"p1": (1, 0), "p2": (0, 0), "p3": (1, 1), "p4": (0, 1), "p5": (1, 1)}
SECOND = {"p1": (1, 1), "p2": (0, 1), "p3": (1, 1), "p4": (0, 0), "p5": (0, 1)}


def share(right, names):
    """Restate FactAcc: the mean over runs of right pairs in percent."""
    return sum(100 * sum(right[pair][run] for pair in names) / len(names) for run in range(RUNS)) / RUNS


def members(kind=None):
    return [pair for pair, its in TYPES.items() if kind in {None, its}]


def of_prompt(name, right):
    layout = pairs(len(TYPES), tuple(TYPES.values()), tuple(TYPES))
    return made(f"r/{name}", {"medzh-1": of_pairs(list(right.values()))}, layout, prompt=name, model="GPT")


def restated_interval(kind, seed):
    """Draw pairs with both prompts and all runs together, one resample after another."""
    generator = np.random.Generator(np.random.PCG64(seed))
    names, replicates = sorted(TYPES), []
    for _ in range(RESAMPLES):
        drawn = [names[index] for index in generator.integers(0, len(names), len(names))]
        inside = [pair for pair in drawn if kind in {None, TYPES[pair]}]
        if inside:
            replicates.append(share(SECOND, inside) - share(FIRST, inside))
    return np.quantile(replicates, [0.025, 0.975])


@pytest.mark.parametrize("seed", [0, 7])
def test_prompts_of_one_model_are_compared_by_type(seed):
    results = [of_prompt("paper-1", FIRST), of_prompt("paper-2", SECOND)]
    wanted = {"by": ("type",), "allow": ("prompt",), "metrics": ("FactAcc",), "bootstrap": Bootstrap(RESAMPLES, seed)}
    found = compare(results, baseline="GPT (paper-1)", **wanted)
    assert [(one.breakdown, one.group) for one in found.found] == [
        ("", ""),
        ("type", "Disease-Food"),
        ("type", "Food-Effect"),
    ]
    for one in found.found:
        names, (difference,) = members(one.group or None), one.differences
        assert [standing.value.value for standing in one.standings] == [share(FIRST, names), share(SECOND, names)]
        assert {standing.value.n for standing in one.standings} == {len(names)}
        assert difference.value == pytest.approx(share(SECOND, names) - share(FIRST, names))
        low, high = restated_interval(one.group or None, seed)
        if high - low < 1e-9:  # both pairs of Food-Effect turn alike: an interval without width would say too much
            assert (difference.low, difference.high) == (None, None)
        else:
            assert (difference.low, difference.high) == pytest.approx((low, high))
    by_type = [share(SECOND, members(kind)) - share(FIRST, members(kind)) for kind in ("Disease-Food", "Food-Effect")]
    mean, absolute = sum(by_type) / 2, sum(map(abs, by_type)) / 2
    assert (
        f"FactAcc, GPT (paper-2) minus GPT (paper-1), over 2 groups of type: mean difference {mean:.1f} pp, mean "
        f"absolute difference {absolute:.1f} pp, largest absolute difference 50.0 pp (Food-Effect)." in found.notes
    )
    assert [one.differing["prompt"] for one in found.systems] == ["paper-1", "paper-2"]
