"""Groups of which another is nearly the same: they may not stand on both sides of a split."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.recipes.tcmd.records import group_id
from dataset_scripts.recipes.tcmd.regroup import is_case
from dataset_scripts.recipes.tcmd.rows import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dataset_scripts.recipes.tcmd.groups import Group

CASE = 25  # characters by which a case is recognised, sex, age and the first findings
STATEMENT = 6  # characters that a question must have for it to be recognised without its options
# Words in which two printings of a question differ without asking for something else; 重证 and 重症 are one word.
FILLERS = re.compile("的|[是为属]于?|由于|原因|皆|均|都|系|所|下列|以下|哪一?[项个种]?|之|者")


def near_duplicates(groups: Sequence[Group]) -> set[str]:
    """Find the ids of groups that share one of their `marks` with another, of all sides of a likeness."""
    seen = Counter(mark for group in groups for mark in set(marks(group)))
    return {group_id(group) for group in groups if any(seen[mark] > 1 for mark in marks(group))}


def marks(group: Group) -> Iterator[tuple[str, str]]:
    """Give what a group is recognised by: kinds of mark, each with a text as `plain` has it.

    Stem and question, of B1 with the options, for its short questions may be asked of several sets of options; the
    first 25 characters of a case, or the whole stem; the options in their order; and, where 6 characters or more are
    left, the question without the words in which two printings differ.
    """
    for part in group.parts:
        options = "\n".join(map(plain, part.options))
        question, stem = plain(part.question), plain(group.stem or "")
        yield "text", "\n".join((stem, question, options if group.kind == "B1" else ""))
        yield "options", options
        if stem:
            yield "case", stem[:CASE]
        elif is_case(part.question) and len(question) >= CASE:
            yield "case", question[:CASE]
        statement = FILLERS.sub("", question.replace("症", "证"))
        if not stem and len(statement) >= STATEMENT:
            yield "statement", statement
