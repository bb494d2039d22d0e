"""Whether a department is beyond doubt: a row names one field of medicine, and a kindred disease has it, too."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.sdak.content import fold
from dataset_scripts.recipes.sdak.words import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dataset_scripts.recipes.sdak.facts import Fact

DEPARTMENT = "Disease-Department"
SAME: dict[str, str] = table()["same_departments"]
WIDER = {one: wide for wide, members in table()["wider_departments"].items() for one in members}
BY_PATIENT = frozenset(table()["departments"])  # for who has the disease, or by school
SHORTEST = 2


@dataclass(frozen=True)
class Departments:
    """The fields of medicine that the sources list, folded."""

    own: Mapping[str, set[str]]  # of each disease
    narrower: Mapping[str, set[str]]  # of the diseases whose name ends in its own

    def confirm(self, fact: Fact) -> bool:
        """Say whether a department is the only one of the disease, and one of a wider, else of a narrower one."""
        if fact.kind != DEPARTMENT or fact.obj in BY_PATIENT:
            return True
        subject = fold(fact.subject)
        wider = next((self.own[tail] for tail in _tails(subject) if tail in self.own), None)
        beside = self.narrower.get(subject, set()) if wider is None else wider
        return _is_one_field(self.own[subject]) and _field(fact.obj) in beside


def departments_of(facts: Iterable[Fact]) -> Departments:
    """List the fields of medicine of each disease, and of those that are narrower by name."""
    own: dict[str, set[str]] = defaultdict(set)
    for fact in facts:
        if fact.kind == DEPARTMENT and fact.obj not in BY_PATIENT:
            own[fold(fact.subject)].add(_field(fact.obj))
    narrower: dict[str, set[str]] = defaultdict(set)
    for subject, fields in own.items():
        for tail in _tails(subject):
            narrower[tail] |= fields
    return Departments(dict(own), dict(narrower))


def _tails(subject: str) -> list[str]:
    return [subject[place:] for place in range(1, len(subject) - SHORTEST + 1)]


def _is_one_field(fields: set[str]) -> bool:
    """Say whether all are one field, or it and the wider one that holds it.

    >>> _is_one_field({"呼吸内科", "内科"}), _is_one_field({"呼吸内科", "消化内科", "内科"})
    (True, False)
    """
    return any(fields <= {one, WIDER.get(one)} for one in fields)


def _field(department: str) -> str:
    return SAME.get(department, department)
