"""The test split: whole groups, as many questions of each realm as the examination's manual gives it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from dataset_scripts.recipes.tcmd.near_duplicates import near_duplicates
from dataset_scripts.recipes.tcmd.records import group_id
from dataset_scripts.recipes.tcmd.table_1 import printed
from medzh_score.benchmark.draws import draw_first
from medzh_score.configs.tcmd.exam import REALM_OF, REALMS, TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipes.tcmd.groups import Group

# How many questions the manual gives a group of each type (paper, section 3.1).
USUAL = {"A1": 1, "A2": 1, "A3": 3, "B1": 2}


def fill(groups: Sequence[Group], sources: Sequence[str], seed: int) -> tuple[list[Group], list[Group]]:
    """Split groups into test and train, each by the groups' ids.

    Each realm gets the manual's number of questions, 140, 20, 300, 120 and 20, or as many as whole groups allow. Its
    groups stand in a row: first those of the usual size, of each subject and type as many as the paper's test split
    has; then the rest of the same subjects' shares, whatever their type; then the other groups of the usual size; then
    those of another size. Inside each part the groups of a source stand before those of the next, and inside a source
    the draw decides. From the front of the row all are taken that leave the
    number reachable. Groups that have a twin (`near_duplicates`) go to train with it.
    """
    kept_apart = near_duplicates(groups)
    free = [group for group in groups if group_id(group) not in kept_apart]
    chosen: set[str] = set()
    for realm in REALMS:
        row = _row([group for group in free if REALM_OF[group.subject] is realm], sources, seed)
        taken = fit([len(group.parts) for group in row], realm.test)
        chosen.update(group_id(row[place]) for place in taken)
    ordered = sorted(groups, key=group_id)
    test = [group for group in ordered if group_id(group) in chosen]
    return test, [group for group in ordered if group_id(group) not in chosen]


def fit(sizes: Sequence[int], wanted: int) -> list[int]:
    """Take whole things from the front of a row so that their sizes add up to a number; give their places, rising.

    The sum is the largest that any choice has without exceeding what is wanted; of all such choices it is the one that
    takes the first thing, else the second, and so on.

    >>> fit([3, 2, 2], 4), fit([3, 1, 2], 4), fit([3], 2)
    ([1, 2], [0, 1], [])
    """
    # Bit n of reach[i] says whether some of the things from place i on add up to n.
    mask = (1 << wanted + 1) - 1
    reach = [1]
    for size in reversed(sizes):
        reach.append((reach[-1] | reach[-1] << size) & mask)
    reach.reverse()
    left = reach[0].bit_length() - 1
    taken = []
    for place, size in enumerate(sizes):
        if size <= left and reach[place + 1] >> left - size & 1:
            taken.append(place)
            left -= size
    return taken


def by_type() -> dict[str, int]:
    """Give the questions of each type in the paper's test split (Table 1)."""
    return {kind: sum(aims[kind] for aims in _aims().values()) for kind in TYPES}


@cache
def _aims() -> dict[str, dict[str, int]]:
    """Give the questions of each subject and type in the paper's test split (Table 1): the second aim of the draw."""
    return {
        subject: {kind: test for kind, (_, test) in zip(TYPES, row, strict=True)} for subject, row in printed().items()
    }


def _row(groups: Sequence[Group], sources: Sequence[str], seed: int) -> list[Group]:
    aims = _aims()
    drawn = sorted(draw_first(groups, group_id, len(groups), seed), key=lambda group: sources.index(group.source))
    usual = [group for group in drawn if len(group.parts) == USUAL[group.kind]]
    unusual = [group for group in drawn if len(group.parts) != USUAL[group.kind]]
    of_type: Counter[tuple[str, str]] = Counter()
    of_subject: Counter[str] = Counter()
    as_printed, too_many = [], []
    for group in usual:
        size = len(group.parts)
        if of_type[group.subject, group.kind] + size <= aims[group.subject][group.kind]:
            of_type[group.subject, group.kind] += size
            of_subject[group.subject] += size
            as_printed.append(group)
        else:
            too_many.append(group)
    of_other_type, others = [], []
    for group in too_many:
        size = len(group.parts)
        if of_subject[group.subject] + size <= sum(aims[group.subject].values()):
            of_subject[group.subject] += size
            of_other_type.append(group)
        else:
            others.append(group)
    return [*as_printed, *of_other_type, *others, *unusual]
