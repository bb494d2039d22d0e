"""Concepts of CMHE-CE: descriptors of MeSH that are of a class and have a Chinese name."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.files.digests import content_digest
from dataset_scripts.recipes.cmhe_ce.classes import class_of
from dataset_scripts.recipes.cmhe_ce.names import alike

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dataset_scripts.recipes.cmhe_ce.classes import Class
    from dataset_scripts.recipes.cmhe_ce.names import Named
    from dataset_scripts.terminology.descriptor import Descriptor
    from dataset_scripts.terminology.mesh import Mesh

TWO_PARTS = 2


@dataclass(frozen=True)
class Concept:
    """What can be asked about, or be an option."""

    identifier: str  # of the descriptor; ten hex digits of its English name where the file of MeSH has none
    name: str  # in Chinese
    english: str
    aliases: tuple[str, ...]  # all other names
    kind: Class
    numbers: tuple[str, ...]  # of the tree
    scope_note: str = ""


@dataclass(frozen=True)
class Gathered:
    """What came of MeSH and a table of names."""

    concepts: tuple[Concept, ...]  # with a class and a Chinese name, by identifier
    descriptors: Counter[str]  # of each class, named or not
    outside: int  # with a Chinese name and no class


def gather(mesh: Mesh, named: Named) -> Gathered:
    """Find the concepts."""
    kinds = [class_of(one.numbers) for one in mesh.descriptors]
    found = [
        _concept(one, kind, named.names[index])
        for index, (one, kind) in enumerate(zip(mesh.descriptors, kinds, strict=True))
        if kind is not None and index in named.names
    ]
    return Gathered(
        tuple(sorted(found, key=lambda one: one.identifier)),
        Counter(kind.name for kind in kinds if kind is not None),
        sum(kinds[index] is None for index in named.names),
    )


def _concept(descriptor: Descriptor, kind: Class, names: Sequence[str]) -> Concept:
    identifier = descriptor.identifier or content_digest(descriptor.name)
    name, *others = names
    others = [*others, *natural(descriptor.name), *(term for one in descriptor.terms for term in (one, *natural(one)))]
    aliases = distinct(others, but=(name, descriptor.name))
    return Concept(identifier, name, descriptor.name, aliases, kind, descriptor.numbers, descriptor.scope_note)


def natural(term: str) -> tuple[str, ...]:
    """Give a term that MeSH turns round in its natural order; none where it has no comma, or several.

    >>> natural("Anemia, Iron-Deficiency"), natural("Insulin"), natural("1,2-Dipalmitoylphosphatidylcholine")
    (('Iron-Deficiency Anemia',), (), ())
    """
    parts = term.split(", ")
    return (f"{parts[1]} {parts[0]}",) if len(parts) == TWO_PARTS and all(parts) else ()


def distinct(names: Iterable[str], but: Iterable[str] = ()) -> tuple[str, ...]:
    """Give each name once: case, width and blanks do not tell names apart.

    >>> distinct(["COPD", "ＣＯＰＤ", "慢阻肺", " "], but=["慢阻肺"])
    ('COPD',)
    """
    seen = {"", *map(alike, but)}
    found = []
    for name in names:
        if alike(name) not in seen:
            seen.add(alike(name))
            found.append(name.strip())
    return tuple(found)
