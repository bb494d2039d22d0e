"""The test split: whole groups, as many questions of each realm as the examination's manual gives it."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING

from dataset_scripts.recipes.tcmd_groups import TYPES
from dataset_scripts.recipes.tcmd_records import group_id
from dataset_scripts.recipes.tcmd_rows import plain
from dataset_scripts.recipes.tcmd_table_1 import printed
from medzh_score.configs.tcmd_exam import REALM_OF, REALMS
from medzh_score.drawing import draw_first

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dataset_scripts.recipes.tcmd_groups import Group

# How many questions the manual gives a group of each type (paper, section 3.1).
USUAL = {"A1": 1, "A2": 1, "A3": 3, "B1": 2}


def fill(groups: Sequence[Group], seed: int) -> tuple[list[Group], list[Group]]:
    """Split groups into test and train.

    Each realm gets the manual's number of questions, 140, 20, 300, 120 and 20, or as many as whole groups allow. Its
    groups stand in a row: first those of the usual size, of each subject and type as many as the paper's test split
    has; then the rest of the same subjects' shares, whatever their type; then the other groups of the usual size;
    then those of another size. Inside each part the draw decides. From the front of the row all are taken that leave
    the number reachable. Questions whose text stands in another group too go to train with it.

    Parameters
    ----------
    groups : sequence of Group
        In any order; no two the same.
    seed : int
        Of the draw.

    Returns
    -------
    tuple of (list of Group, list of Group)
        Test and train, each by the groups' ids.
    """
    free = _free(groups)
    chosen: set[str] = set()
    for realm in REALMS:
        row = _row([group for group in free if REALM_OF[group.subject] is realm], seed)
        taken = fit([len(group.parts) for group in row], realm.test)
        chosen.update(group_id(row[place]) for place in taken)
    ordered = sorted(groups, key=group_id)
    test = [group for group in ordered if group_id(group) in chosen]
    return test, [group for group in ordered if group_id(group) not in chosen]


def fit(sizes: Sequence[int], wanted: int) -> list[int]:
    """Take whole things from the front of a row so that their sizes add up to a number.

    Parameters
    ----------
    sizes : sequence of int
        Of the things, each at least 1.
    wanted : int
        The sum, not negative.

    Returns
    -------
    list of int
        Places of what is taken, rising. Its sum is the largest that any choice has without exceeding ``wanted``; of
        all such choices it is the one that takes the first thing, else the second, and so on.

    Examples
    --------
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


def texts(group: Group) -> Iterator[str]:
    """Give the texts by which the questions of a group are recognised.

    Parameters
    ----------
    group : Group
        A group.

    Yields
    ------
    str
        Stem and question, as `plain` has them; of B1 with the options, for its short questions may be asked of
        several sets of options.
    """
    for part in group.parts:
        options = part.options if group.kind == "B1" else ()
        yield "\n".join(map(plain, (group.stem or "", part.question, *options)))


@cache
def _aims() -> dict[str, dict[str, int]]:
    """Give the questions of each subject and type in the paper's test split (Table 1): the second aim of the draw."""
    return {
        subject: {kind: test for kind, (_, test) in zip(TYPES, row, strict=True)} for subject, row in printed().items()
    }


def _free(groups: Sequence[Group]) -> list[Group]:
    seen = Counter(text for group in groups for text in set(texts(group)))
    return [group for group in groups if all(seen[text] == 1 for text in texts(group))]


def _row(groups: Sequence[Group], seed: int) -> list[Group]:
    aims = _aims()
    drawn = draw_first(groups, group_id, len(groups), seed)
    usual = [group for group in drawn if len(group.parts) == USUAL[group.kind]]
    parts: dict[int, list[Group]] = defaultdict(list)
    by_type: Counter[tuple[str, str]] = Counter()
    by_subject: Counter[str] = Counter()
    for group in usual:
        aim = aims[group.subject][group.kind]
        size = len(group.parts)
        if by_type[group.subject, group.kind] + size <= aim:
            by_type[group.subject, group.kind] += size
            by_subject[group.subject] += size
            parts[0].append(group)
        else:
            parts[2].append(group)
    for group in parts.pop(2, []):
        size = len(group.parts)
        fits = by_subject[group.subject] + size <= sum(aims[group.subject].values())
        by_subject[group.subject] += size if fits else 0
        parts[1 if fits else 2].append(group)
    unusual = [group for group in drawn if len(group.parts) != USUAL[group.kind]]
    return [*parts[0], *parts[1], *parts[2], *unusual]
