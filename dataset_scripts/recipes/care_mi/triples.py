"""Triples of BIOS and CPubMed as the rebuilt recipe takes them: which are about the topic (step 1)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataset_scripts.files.json_lines import UTF_8, decoded_lines
from dataset_scripts.user_files.values import DAMAGE
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.recipes.care_mi.topics import Topic

TERMS, RELATIONS, NAMES = "bios-concept-terms", "bios-relations", "bios-relation-names"
BIOS_FILES = (TERMS, RELATIONS, NAMES)
CPUBMED = "cpubmed-kg"
BIOS_LABEL, CPUBMED_LABEL = "BIOS", "CPubMed"
CHINESE = "CHS"
TYPED = "@@"
HEADER = ("HEAD", "REL", "TAIL")
OUTSIDE = "head or tail is not a word of the topic"
NAMELESS = "the relation has no Chinese name"
REPEATED = "the triple stands twice"
ITSELF = "head and tail are the same"
EMPTY = "head, relation or tail is empty or damaged"


@dataclass(frozen=True)
class Triple:
    """A triple about the topic."""

    label: str  # BIOS or CPubMed
    head: str  # as the source names it, without its type, as are relation and tail
    relation: str
    tail: str
    key: str  # what the source calls the triple


@dataclass
class Found:
    """The triples of a source."""

    total: int = 0  # rows of relations
    triples: list[Triple] = field(default_factory=list)  # about the topic, each once, in order
    left_out: Counter[str] = field(default_factory=Counter)

    def take(self, triple: Triple, seen: set[tuple[str, str, str]]) -> None:
        """Take a triple about the topic that is not among those seen, which grow, or count why not."""
        parts = (triple.head, triple.relation, triple.tail)
        same = (fold(triple.head), fold(triple.relation), fold(triple.tail))
        if not all(map(str.strip, parts)) or any(map(DAMAGE.search, parts)):
            self.left_out[EMPTY] += 1
        elif same[0] == same[2]:
            self.left_out[ITSELF] += 1
        elif same in seen:
            self.left_out[REPEATED] += 1
        else:
            seen.add(same)
            self.triples.append(triple)


def read_bios(files: Mapping[str, SourceFile], topic: Topic) -> Found:
    """Read BIOS: relations whose concepts both have a Chinese term that is a word of the topic.

    A concept is called by its first Chinese term. The tables have ``|`` between cells and no header, and are read twice
    over and not kept: they have millions of rows.
    """
    missing = [name for name in BIOS_FILES if name not in files]
    if missing:
        advice = f"give {', '.join(missing)}, too"
        raise MedzhError("BIOS is not complete", field="--source", expected=", ".join(BIOS_FILES), advice=advice)
    relations = {cells[0]: cells[2] for _, cells in _cells(files[NAMES].path, 3) if cells[1] == CHINESE}
    terms = files[TERMS].path
    inside = {cells[0] for _, cells in _cells(terms, 4) if cells[3] == CHINESE and topic.has(cells[2])}
    names: dict[str, str] = {}
    for _, cells in _cells(terms, 4):
        if cells[0] in inside and cells[3] == CHINESE:
            names.setdefault(cells[0], cells[2].strip())
    found = Found()
    seen: set[tuple[str, str, str]] = set()
    for _, (_, head, tail, relation, *_) in _cells(files[RELATIONS].path, 4):
        found.total += 1
        if head not in inside or tail not in inside:
            found.left_out[OUTSIDE] += 1
        elif relation not in relations:
            found.left_out[NAMELESS] += 1
        else:
            name, key = relations[relation].strip(), f"{head}|{relation}|{tail}"
            found.take(Triple(BIOS_LABEL, names[head], name, names[tail], key), seen)
    return found


def read_cpubmed(path: Path, topic: Topic) -> Found:
    """Read CPubMed: triples whose head and tail are words of the topic.

    Tabs between the cells HEAD, REL and TAIL; heads and tails are ``name@@type``. Quotation marks around a cell do not
    count.
    """
    found = Found()
    seen: set[tuple[str, str, str]] = set()
    rows = _cells(path, len(HEADER), "\t")
    line, header = next(rows, (1, []))
    if tuple(_unquoted(cell).upper() for cell in header[: len(HEADER)]) != HEADER:
        expected, given = "HEAD, REL, TAIL, with tabs between them", ", ".join(header)
        raise MedzhError("has another header", file=path, line=line, expected=expected, found=given)
    for _, cells in rows:
        head, relation, tail = map(_unquoted, cells[: len(HEADER)])
        found.total += 1
        names = [_untyped(cell) for cell in (head, tail)]
        if all(map(topic.has, names)):
            key = f"{names[0]}|{relation}|{names[1]}"
            found.take(Triple(CPUBMED_LABEL, names[0], relation, names[1], key), seen)
        else:
            found.left_out[OUTSIDE] += 1
    return found


def _unquoted(cell: str) -> str:
    bare = cell.strip()
    return bare[1:-1].replace('""', '"').strip() if re.fullmatch('".*"', bare) else bare


def _untyped(cell: str) -> str:
    return (cell.rpartition(TYPED)[0] if TYPED in cell else cell).strip()


def _cells(path: Path, least: int, separator: str = "|") -> Iterator[tuple[int, Sequence[str]]]:
    for number, line in enumerate(decoded_lines(path, UTF_8), start=1):
        cells = line.removesuffix("\r").split(separator)
        if len(cells) >= least:
            yield number, cells
        elif line.strip():
            name = "tabs" if separator == "\t" else separator
            expected, found = f"at least {least} cells, with {name} between them", line
            raise MedzhError("is no row of the table", file=path, line=number, expected=expected, found=found)
