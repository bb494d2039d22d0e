"""The three classes of CMHE-CE's concepts, by subtrees of MeSH."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.terminology.mesh_distance import place_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dataset_scripts.terminology.descriptor import Descriptor

RULES = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True)
class Class:
    """A class of concepts."""

    name: str
    roots: tuple[str, ...]  # categories and subtrees whose descriptors it holds

    def holds(self, number: str) -> bool:
        """Say whether a place of the tree is under one of the roots, or is one."""
        return any(number == root or number.startswith(root if len(root) == 1 else f"{root}.") for root in self.roots)


@cache
def classes() -> tuple[Class, ...]:
    """Give the classes in the order in which a descriptor is tried."""
    rules = tomllib.loads(RULES.read_text(encoding="utf-8"))["class"]
    return tuple(Class(rule["name"], tuple(rule["roots"])) for rule in rules)


def class_of(numbers: Sequence[str]) -> Class | None:
    """Give the class of a descriptor, if it has one.

    >>> class_of(["C18.654.726.500", "E01.370.600.115"]).name, class_of(["A01.236"])
    ('disease', None)
    """
    return next((one for one in classes() if any(map(one.holds, numbers))), None)


def in_several(descriptors: Iterable[Descriptor]) -> Counter[str]:
    """Count the descriptors that stand in more than one class, by the names of these."""
    found = ([one.name for one in classes() if any(map(one.holds, each.numbers))] for each in descriptors)
    return Counter(" and ".join(names) for names in found if len(names) > 1)


def places(numbers: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Take tree numbers apart."""
    return tuple(map(place_of, numbers))
