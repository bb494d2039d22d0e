"""Draws of later rounds: by seed and id alone, and as even over groups as these allow."""

from __future__ import annotations

import hashlib
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from medzh_score.stages.sampling import drawn_evenly

GROUPS = {f"{group}{number}": group for group in "abc" for number in range(9)}
SOME_GROUPS = st.dictionaries(st.text("0123456789", min_size=1, max_size=3), st.sampled_from("abcd"), min_size=1)


def test_a_draw_depends_on_seed_and_ids_alone():
    drawn = drawn_evenly(GROUPS, GROUPS, 10, 1)
    assert drawn_evenly(list(GROUPS)[::-1], GROUPS, 10, 1) == drawn
    assert drawn_evenly(GROUPS, GROUPS, 6, 1) == drawn[:6]
    assert set(drawn_evenly(GROUPS, GROUPS, 10, 2)) != set(drawn)


def test_a_group_gives_its_items_by_the_digest_of_seed_and_id():
    """Source: hashlib, as the documentation of draws says."""
    digests = sorted((hashlib.sha256(f"7:b{number}".encode()).hexdigest(), f"b{number}") for number in range(9))
    drawn = drawn_evenly(GROUPS, GROUPS, 12, 7)
    assert [item for item in drawn if item.startswith("b")] == [item for _, item in digests[:4]]
    assert [item[0] for item in drawn] == list("abc" * 4)


@given(groups=SOME_GROUPS, sample=st.integers(1, 40), seed=st.integers(0, 9), data=st.data())
def test_no_group_gives_two_more_than_one_that_has_some_left(groups, sample, seed, data):
    items = data.draw(st.sets(st.sampled_from(sorted(groups)), min_size=1))
    drawn = drawn_evenly(items, groups, sample, seed)
    assert len(set(drawn)) == len(drawn) == min(sample, len(items))
    assert set(drawn) <= items
    shares, sizes = (Counter(groups[item] for item in some) for some in (drawn, items))
    for group, size in sizes.items():
        if shares[group] < size:
            assert max(shares.values()) <= shares[group] + 1
