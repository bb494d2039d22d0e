"""``values`` against a plain loop over resamples, and against scipy where it has the same thing."""

from __future__ import annotations

import math
import tracemalloc
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.items import WITHHELD, ItemIndex
from medzh_score.benchmark.metrics import Metric, ratio
from medzh_score.stats import sums as of_sums
from medzh_score.stats.sums import TOTAL, unit_sums
from medzh_score.stats.values import (
    BATCH,
    MIN_GROUP_SIZE,
    Bootstrap,
    Value,
    small,
    values,
    without_small_groups,
    without_small_values,
)


def f_measure(sums):
    over = sums[..., 1] + sums[..., 2]
    return np.where(over > 0, 2 * sums[..., 0] / np.where(over > 0, over, 1), np.nan)


METRICS = (
    Metric("share", "a share", ratio(0, 1, 100.0), 1, "nothing was counted"),
    Metric("f", "no mean", f_measure, 2, "nothing was found"),
)


def layout_of(units, groups):
    items = tuple(f"i{index}" for index in range(len(units)))
    return ItemIndex(items, np.arange(len(units))[:, None], np.asarray(units), groups)


def by_hand(layout, counts, metric, rows, resamples, seed, ddof):
    """Restate: draw units with replacement, add up all their rows, apply the formula, average over runs."""
    generator = np.random.Generator(np.random.PCG64(seed))
    units = max(layout.clusters) + 1
    runs = counts.shape[1]

    def one_run(chosen, run):
        total = [0.0] * counts.shape[2]
        for item in chosen:
            for column in range(counts.shape[2]):
                total[column] += counts[item, run, column]
        return float(metric.formula(np.array(total)))

    per_run = [one_run(rows, run) for run in range(runs)]
    defined = [value for value in per_run if not math.isnan(value)]
    replicates = []
    for _ in range(resamples):
        chosen = [
            item for unit in generator.integers(0, units, units) for item in rows if layout.clusters[item] == unit
        ]
        found = [value for value in (one_run(chosen, run) for run in range(runs)) if not math.isnan(value)]
        if found:
            replicates.append(sum(found) / len(found))
    counted = {layout.clusters[item] for item in rows if counts[item, :, metric.denominator].any()}
    enough = len(counted) > 1 and 2 * len(replicates) > resamples
    low, high = np.percentile(replicates, [2.5, 97.5]) if enough and defined else (None, None)
    if low is not None and high - low < 1e-9:
        low = high = None
    value = sum(defined) / len(defined) if defined else None
    std = math.sqrt(sum((v - value) ** 2 for v in defined) / (len(defined) - ddof)) if len(defined) > 1 else None
    return per_run, value, low, high, std


def close(found, expected):
    if expected is None or (isinstance(expected, float) and math.isnan(expected)):
        return found is None
    return found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("seed", "items", "units", "runs", "resamples", "ddof"),
    [
        (0, 30, 30, 1, 100, 1),
        (1, 40, 7, 3, 150, 1),
        (2, 25, 12, 2, BATCH, 0),
        (3, 12, 3, 2, BATCH + 1, 1),
        (4, 9, 1, 2, 20, 1),
        (5, 20, 5, 2, 0, 1),
    ],
)
def test_against_a_plain_loop(seed, items, units, runs, resamples, ddof):
    draw = np.random.default_rng(seed + 100)
    belongs = np.concatenate([np.arange(units), draw.integers(0, units, items - units)])
    draw.shuffle(belongs)
    labels = [f"g{number}" for number in draw.integers(0, 3, items)]
    labels[0] = "alone"
    layout = layout_of(belongs, {"kind": labels, "half": ["left" if i % 2 else "right" for i in range(items)]})
    counts = draw.integers(0, 3, (2, items, runs, 3)).astype(float)
    found = values(layout, counts, METRICS, bootstrap=Bootstrap(resamples, seed), unit="percent", ddof=ddof)
    for rule in range(2):
        assert set(found[rule]) == {TOTAL, *(("kind", g) for g in set(labels)), ("half", "left"), ("half", "right")}
        for key, named in found[rule].items():
            rows = [index for index in range(items) if key == TOTAL or layout.groups[key[0]][index] == key[1]]
            for metric in METRICS:
                value = named[metric.name]
                per_run, mean, low, high, std = by_hand(layout, counts[rule], metric, rows, resamples, seed, ddof)
                assert all(close(*pair) for pair in zip(value.per_run, per_run, strict=True))
                assert close(value.value, mean)
                assert close(value.std, std)
                assert close(value.low, low)
                assert close(value.high, high)
                column = counts[rule][rows][..., metric.denominator]
                assert value.n == (column != 0).any(axis=1).sum()


def test_a_run_in_which_it_is_undefined_is_left_out():
    counts = np.ones((1, 10, 3, 3))
    counts[:, :, 1] = 0
    counts[:, :, 2, 0] = 0
    share = values(layout_of(range(10), {}), counts, METRICS[:1], bootstrap=Bootstrap(30), unit="percent")[0][TOTAL][
        "share"
    ]
    assert share.per_run == (100.0, None, 0.0)
    assert share.value == 50.0
    assert share.std == pytest.approx(math.sqrt(5000))


@given(data=st.data())
def test_units_are_what_is_resampled(data):
    """Copies of a row inside its unit change nothing but the weight; the order of the items changes nothing."""
    units = data.draw(st.integers(2, 6))
    rows = data.draw(st.lists(st.tuples(st.integers(0, units - 1), st.integers(0, 2), st.integers(1, 3)), min_size=1))
    rows = [(unit, 0, 1) for unit in range(units)] + rows
    order = data.draw(st.permutations(range(len(rows))))

    def computed(arranged):
        counts = np.array([[hit, over, over] for _, hit, over in arranged], float)[None, :, None]
        layout = layout_of([unit for unit, _, _ in arranged], {})
        return values(layout, counts, METRICS, bootstrap=Bootstrap(40, 5), unit="percent")[0][TOTAL]

    first, second = computed(rows), computed([rows[index] for index in order])
    sums = {}
    for unit, hit, over in rows:
        old = sums.get(unit, (0, 0))
        sums[unit] = (old[0] + hit, old[1] + over)
    merged = computed([(unit, *sums[unit]) for unit in range(units)])
    for metric in METRICS:
        for part in ("value", "low", "high"):
            numbers = [getattr(found[metric.name], part) for found in (first, second, merged)]
            assert all(close(number, numbers[0]) for number in numbers)


def test_an_item_that_counts_and_has_no_word_is_a_mistake_of_the_config():
    verdict = first_counted(0, [("right", 1), ("wrong", 2)])
    assert [verdict(np.array(row)) for row in ([1, 0, 1], [0, 1, 0])] == ["wrong", "skipped"]
    with pytest.raises(ValueError, match=r"^an item that counts has none of \['right', 'wrong'\]$"):
        verdict(np.array([1, 0, 0]))


ITEMS, RUNS, WIDTH = 300, 40, 7
DRAW = np.random.default_rng(20261123)
STATISTICS = DRAW.random((2, ITEMS, RUNS, WIDTH))
LAYOUT = SimpleNamespace(clusters=DRAW.integers(0, 90, ITEMS))
ROWS = np.flatnonzero(DRAW.random(ITEMS) < 0.8)


@pytest.mark.parametrize("copied", [1, 5_000, 10**9])
def test_sums_of_units_are_the_same_whatever_is_copied_at_once(monkeypatch, copied):
    monkeypatch.setattr(of_sums, "COPIED", copied)
    members, sums = unit_sums(LAYOUT, STATISTICS, ROWS)
    assert sorted(set(LAYOUT.clusters[ROWS])) == members.tolist()
    for place, unit in enumerate(members):
        chosen = ROWS[LAYOUT.clusters[ROWS] == unit]
        assert sums[place] == pytest.approx(STATISTICS[:, chosen].sum(axis=1), rel=1e-12)


def test_sums_of_units_take_little_more_memory_than_they_hold(monkeypatch):
    monkeypatch.setattr(of_sums, "COPIED", 1_000)
    tracemalloc.start()
    _, sums = unit_sums(LAYOUT, STATISTICS, ROWS)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * sums.nbytes


NAMES = "abcd"


@pytest.mark.parametrize("counts", list(product((1, 2, 4, 5, 9), repeat=3)), ids=str)
def test_what_is_withheld_is_several_groups_and_enough_items(counts):
    by_name = dict(zip(NAMES, counts, strict=False))
    withheld = small(by_name)
    assert {name for name, count in by_name.items() if count < MIN_GROUP_SIZE} <= withheld
    if withheld and withheld != by_name.keys():
        # All items less those that are shown: of several groups, and not few.
        assert len(withheld) > 1
        assert sum(by_name[name] for name in withheld) >= MIN_GROUP_SIZE
        # None is withheld that was larger than one that is shown.
        assert max(by_name[name] for name in withheld) <= min(
            count for name, count in by_name.items() if name not in withheld
        )


def test_items_that_do_not_count_make_no_group_larger():
    labels = ["a"] * 6 + ["b"] * 7 + ["c"] * 8
    members = np.arange(21)
    layout = ItemIndex(tuple(map(str, members)), members[:, np.newaxis], members, {"kind": labels})
    counted = [True] * 21
    assert without_small_groups(layout, counted).groups["kind"] == labels
    counted[:2] = [False, False]
    found = without_small_groups(layout, counted).groups["kind"]
    assert found == [WITHHELD] * 13 + ["c"] * 8


def test_a_metric_with_few_items_in_a_group_is_withheld_there_alone():
    whole = Value(50.0, 40.0, 60.0, "wilson", None, 1, (50.0,), 9, (9,), "percent", "higher")
    few, none = replace(whole, n=4, n_per_run=(4,)), replace(whole, value=None, n=0, n_per_run=(0,))
    by_group = {
        ("", ""): {"share": few, "rest": whole},
        ("kind", "a"): {"share": few, "rest": whole},
        ("kind", "b"): {"share": replace(whole, n=8), "rest": whole},
        ("kind", "c"): {"share": replace(whole, n=30), "rest": none},
    }
    found = without_small_values(by_group)
    assert [found["kind", name]["share"].value for name in "abc"] == [None, None, 50.0]
    assert [found["kind", name]["rest"] for name in "abc"] == [whole, whole, none]
    assert found["", ""] == by_group["", ""]
    assert (found["kind", "a"]["share"].per_run, found["kind", "a"]["share"].low) == ((None,), None)
