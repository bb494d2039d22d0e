"""TCMD's questions as they are shown: alone, with a shared stem (A3), or with shared options (B1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.option_letters import lettered, numbered
from medzh_score.benchmark.variants import order_of, variants_of
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.benchmark.layout import Record
    from medzh_score.benchmark.variants import Order, Variants

SHARED_OPTIONS = "B1"


@dataclass(frozen=True)
class Group:
    """Records that are asked together, by position, or one of them alone, with the variants of the whole group."""

    members: tuple[Record, ...]
    variants: Variants

    @property
    def kind(self) -> str:
        """The type of its questions."""
        return str(self.members[0]["type"])

    @property
    def stem(self) -> str | None:
        """What its questions share beside their options."""
        return self.members[0]["stem"] or None

    @cached_property
    def text(self) -> str:
        """The text by which similar groups are found: stem and questions, without options."""
        return "\n".join([*([self.stem] if self.stem else []), *(member["question"] for member in self.members)])

    @cached_property
    def questions(self) -> frozenset[str]:
        """Each question with its stem, in one width and without white space: what no example may repeat."""
        return frozenset(fold((self.stem or "") + member["question"]) for member in self.members)

    @property
    def answers(self) -> str:
        """The right letter, or those of all its questions, in the form that is asked for."""
        letters = [member["answer"] for member in self.members]
        return letters[0] if len(letters) == 1 else numbered(letters)

    def alone(self, place: int) -> Group:
        """Take one of its records to be asked alone."""
        return Group((self.members[place],), self.variants)


def grouped(records: Sequence[Record]) -> dict[str, Group]:
    """Join the records of each group."""
    members: dict[str, list[Record]] = {}
    for record in records:
        members.setdefault(record["group_id"], []).append(record)
    return {name: _group(rows) for name, rows in members.items()}


def _group(rows: list[Record]) -> Group:
    variants = variants_of(frozenset(len(row["options"]) for row in rows))
    return Group(tuple(sorted(rows, key=lambda row: int(row["position"]))), variants)


def shown(group: Group, variant: int = 0) -> str:
    """Show what is asked, as an examination prints it."""
    orders = [order_of(variant, len(member["options"]), group.variants.size) for member in group.members]
    if len(group.members) == 1:
        return shown_alone(group.members[0], orders[0])
    if group.kind == SHARED_OPTIONS:
        head = f"（1～{len(orders)}题共用备选答案）\n{lettered(group.members[0]['options'], orders[0])}"
        return "\n".join(
            [head, *(f"{number}. {member['question']}" for number, member in enumerate(group.members, start=1))]
        )
    parts = [
        f"{number}. {member['question']}\n{lettered(member['options'], order)}"
        for number, (member, order) in enumerate(zip(group.members, orders, strict=True), start=1)
    ]
    return "\n".join([f"（1～{len(orders)}题共用题干）\n{group.stem}", *parts])


def shown_alone(record: Mapping[str, Any], order: Order | None = None) -> str:
    """Show one record by itself."""
    stem = f"{record['stem']}\n" if record["stem"] else ""
    return f"{stem}{record['question']}\n{lettered(record['options'], order)}"
