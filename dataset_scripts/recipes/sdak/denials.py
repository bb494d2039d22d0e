"""Whether a source denies a fact of a disease, of a wider or of a narrower one."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from dataset_scripts.recipes.sdak.content import fold
from dataset_scripts.recipes.sdak.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dataset_scripts.recipes.sdak.facts import Fact

SHORTEST = 2
COMPLICATION = "Diseases-Complication"


class Denials:
    """The denied facts, by type, object and the last character of the disease, which its kin share."""

    def __init__(self, denied: Iterable[Fact], names: Mapping[str, set[str]]) -> None:
        self._names = names
        self._by_end: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        for fact in denied:
            for name in names_of(fact.subject, names):
                self._by_end[fact.kind, fold(fact.obj), name[-1]].add(name)

    def deny(self, fact: Fact) -> bool:
        """Say whether a fact is denied of its disease under any name, or of a wider or narrower one."""
        return any(
            is_kin(name, other)
            for name in names_of(fact.subject, self._names)
            for other in self._by_end.get((fact.kind, fold(fact.obj), name[-1]), ())
        )


def complications(facts: Iterable[Fact]) -> dict[str, set[str]]:
    """List the complications of each disease, folded."""
    found: dict[str, set[str]] = defaultdict(set)
    for fact in facts:
        if fact.kind == COMPLICATION:
            found[fold(fact.subject)].add(fold(fact.obj))
    return dict(found)


def is_reversed(fact: Fact, forward: Mapping[str, set[str]]) -> bool:
    """Say whether the sources also say that the complication leads to the disease, or to one of its kin."""
    subject = fold(fact.subject)
    return fact.kind == COMPLICATION and any(is_kin(subject, other) for other in forward.get(fold(fact.obj), ()))


def is_kin(one: str, other: str) -> bool:
    """Say whether of two names one is the other with something put before it or into it, or both are the same.

    >>> is_kin("慢性肝炎", "慢性活动性肝炎"), is_kin("慢性黏膜皮肤念珠菌病", "念珠菌病"), is_kin("肝炎", "肺炎")
    (True, True, False)
    """
    wide, narrow = sorted((one, other), key=len)
    if wide == narrow:
        return True
    return len(wide) >= SHORTEST and any(
        narrow.startswith(wide[:place]) and narrow.endswith(wide[place:]) for place in range(len(wide))
    )
