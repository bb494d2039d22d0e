"""Concepts of CMHE-CE: descriptors of MeSH that are of a class and have a Chinese name."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.digests import content_digest
from dataset_scripts.inputs.user_file import read_rows
from dataset_scripts.inputs.user_rows import Form, row_schema
from dataset_scripts.terminology.mesh import place_of
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, _n, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.terminology.mesh import Descriptor, Mesh


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
    """The concepts from MeSH and a table of names."""

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
    """Return an inverted term of MeSH in its natural order; empty unless it has exactly one comma.

    >>> natural("Anemia, Iron-Deficiency"), natural("Insulin"), natural("1,2-Dipalmitoylphosphatidylcholine")
    (('Iron-Deficiency Anemia',), (), ())
    """
    parts = term.split(", ")
    return (f"{parts[1]} {parts[0]}",) if len(parts) == TWO_PARTS and all(parts) else ()


def distinct(names: Iterable[str], but: Iterable[str] = ()) -> tuple[str, ...]:
    """Return each name once, ignoring case, width and blanks.

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


RULES = Path(__file__).with_name("classes.toml")


@dataclass(frozen=True)
class Class:
    """A class of concepts."""

    name: str
    roots: tuple[str, ...]  # its categories and subtrees

    def holds(self, number: str) -> bool:
        """Return whether a place in the tree is a root or below one."""
        return any(number == root or number.startswith(root if len(root) == 1 else f"{root}.") for root in self.roots)


@cache
def classes() -> tuple[Class, ...]:
    """Return the classes in order of precedence."""
    rules = tomllib.loads(RULES.read_text(encoding="utf-8"))["class"]
    return tuple(Class(rule["name"], tuple(rule["roots"])) for rule in rules)


def class_of(numbers: Sequence[str]) -> Class | None:
    """Return the class of a descriptor, if it has one.

    >>> class_of(["C18.654.726.500", "E01.370.600.115"]).name, class_of(["A01.236"])
    ('disease', None)
    """
    return next((one for one in classes() if any(map(one.holds, numbers))), None)


def in_several(descriptors: Iterable[Descriptor]) -> Counter[tuple[str, ...]]:
    """Count the descriptors that belong to more than one class, by the names of the classes."""
    found = (tuple(one.name for one in classes() if any(map(one.holds, each.numbers))) for each in descriptors)
    return Counter(names for names in found if len(names) > 1)


def places(numbers: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Split tree numbers."""
    return tuple(map(place_of, numbers))


NAMES = "mesh-names"
ALIASES = "aliases"
CHINESE = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
ADVICE = _(
    "provide a table of Chinese names with `--source mesh-names=FILE`; its columns are concept (MeSH identifier or "
    "English name), name and, optionally, aliases"
)
_TEXT = {"type": "string", "minLength": 1, "pattern": "\\S"}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["concept"],
    "additionalProperties": False,
    "properties": {
        "concept": _TEXT,
        "name": {"type": ["string", "null"]},
        ALIASES: {"type": ["array", "null"], "items": _TEXT},
    },
}
FORM = Form(row_schema(_SCHEMA, derived=(), splits=("names",)), {NAMES: "names"})


@dataclass
class Named:
    """The names of MeSH descriptors in a table of names."""

    # by the descriptor's position: its Chinese name, behind it the others in the table's order
    names: dict[int, list[str]] = field(default_factory=dict)
    rows: int = 0
    left_out: Counter[str] = field(default_factory=Counter)  # unusable rows, by reason


def read_named(files: Mapping[str, SourceFile], descriptors: Sequence[Descriptor]) -> Named:
    """Read Chinese names and find their descriptors.

    A row has an identifier of MeSH or an English name (a heading, or an entry term of one heading alone), a Chinese
    name and any number of other names. Of several rows for a descriptor the first gives its name, the others aliases.
    """
    if NAMES not in files:
        raise MedzhError(_("the Chinese names of concepts are missing"), field="--source", advice=ADVICE)
    rows, faults = read_rows({NAMES: files[NAMES]}, FORM)
    faults.refuse()
    found = Named(rows=len(rows))
    known, terms = _index(descriptors)
    for row in rows:
        fields = row.fields
        key, name = alike(fields["concept"]), fields.get("name", "").strip()
        index = known.get(key, terms.get(key))
        if not name:
            found.left_out[_("no Chinese name")] += 1
        elif index is None:
            found.left_out[_("the identifier or English name is not in MeSH, or is ambiguous")] += 1
        elif not CHINESE.search(name):
            found.left_out[_("the name has no Chinese character")] += 1
        else:
            found.names.setdefault(index, []).extend((name, *fields.get(ALIASES, ())))
    if not found.names:
        expected = _("MeSH identifiers such as D016878, or English names, next to Chinese names")
        counts = [
            _n("{n:,} row: {reason}", "{n:,} rows: {reason}", count, reason=reason)
            for reason, count in found.left_out.items()
        ]
        shown = joined(counts, "; ") if counts else _("no rows")
        raise MedzhError(
            _("no row of the table refers to a MeSH descriptor"), file=files[NAMES].path, expected=expected, found=shown
        )
    return found


def alike(text: str) -> str:
    """Fold case, width and the number of blanks.

    >>> alike("ＰＯＥＭＳ  Syndrome ")
    'poems syndrome'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _index(descriptors: Sequence[Descriptor]) -> tuple[dict[str, int], dict[str, int]]:
    """Index descriptors by identifier and name, and by unambiguous terms."""
    known = {alike(one.name): index for index, one in enumerate(descriptors)}
    known |= {alike(one.identifier): index for index, one in enumerate(descriptors) if one.identifier}
    every = [{alike(term) for term in one.terms} for one in descriptors]
    counts = Counter(term for own in every for term in own)
    return known, {term: index for index, own in enumerate(every) for term in own if counts[term] == 1}
