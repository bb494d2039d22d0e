"""Which groups of a private config are withheld: nobody can take a small one from all."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from medzh_score.benchmark.layout import WITHHELD, Layout
from medzh_score.statistics.small_groups import FEWEST, small, without_small_groups, without_small_values
from medzh_score.statistics.values import Value

NAMES = "abcd"


@pytest.mark.parametrize("counts", list(product((1, 2, 4, 5, 9), repeat=3)), ids=str)
def test_what_is_withheld_is_several_groups_and_enough_items(counts):
    by_name = dict(zip(NAMES, counts, strict=False))
    withheld = small(by_name)
    assert {name for name, count in by_name.items() if count < FEWEST} <= withheld
    if withheld and withheld != by_name.keys():
        # All items less those that are shown: of several groups, and not few.
        assert len(withheld) > 1
        assert sum(by_name[name] for name in withheld) >= FEWEST
        # None is withheld that was larger than one that is shown.
        assert max(by_name[name] for name in withheld) <= min(
            count for name, count in by_name.items() if name not in withheld
        )


def test_nothing_is_withheld_where_no_group_is_small():
    assert small(dict.fromkeys(NAMES, FEWEST)) == set()


def test_what_is_withheld_already_is_several():
    assert small({WITHHELD: 7, "a": 9, "b": 12}) == {WITHHELD}
    assert small({WITHHELD: 3, "a": 9, "b": 12}) == {WITHHELD, "a"}


def test_items_that_do_not_count_make_no_group_larger():
    labels = ["a"] * 6 + ["b"] * 7 + ["c"] * 8
    members = np.arange(21)
    layout = Layout(tuple(map(str, members)), members[:, np.newaxis], members, {"kind": labels})
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
