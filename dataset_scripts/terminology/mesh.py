"""Descriptors of MeSH, from each of the files in which it is handed out."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from dataset_scripts.terminology.descriptor import Descriptor
from medzh_score.files.bounds import unpacked
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO
    from xml.etree.ElementTree import Element

GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
FIRST = 256  # bytes by which XML is told from text
NUMBER = re.compile(r"[A-Z][0-9]{2}(\.[0-9]{3})*")
IDENTIFIER = re.compile("D[0-9]{6,9}")
YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])|(?:19|20)[0-9]{2}(?=[01][0-9][0-3][0-9])")
HEADER = ("Tree Number", "Desc Ui", "Term")
EXPECTED = "a table of Tree Number, Desc Ui and Term, lines of Term;Number (mtrees), or descriptors in XML (desc)"


@dataclass(frozen=True)
class Mesh:
    """A file of MeSH."""

    descriptors: tuple[Descriptor, ...]  # those that stand in the tree, by identifier and name
    year: str  # the one that the file says, or its name; empty where neither does
    outside: int = 0  # descriptors that stand nowhere in the tree


def read_mesh(path: Path) -> Mesh:
    """Read descriptors from the table of 2017, ``mtrees*.bin`` or ``desc*.xml``; content decides, not the name."""
    try:
        start = _start(path)
        if start.lstrip().startswith(b"<"):
            return _from_xml(path)
        text = _content(path).decode("utf-8-sig")
    except OSError as error:  # gzip's own errors among them
        raise MedzhError(f"cannot be read: {error.strerror or error}", file=path, expected=EXPECTED) from error
    except (EOFError, zlib.error) as error:
        raise MedzhError("cannot be unpacked", file=path, advice="fetch it again") from error
    except UnicodeDecodeError as error:
        raise MedzhError("is no text in UTF-8", file=path, expected=EXPECTED) from error
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    head = tuple(cell.strip() for cell in lines[0][1].split("\t")) if lines else ()
    places = _table(path, lines[1:]) if head == HEADER else _mtrees(path, lines)
    return _gathered(path, places, _year(path.name))


@contextmanager
def _open(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as stream:
        zipped = stream.read(len(GZIP)) == GZIP
        stream.seek(0)
        yield unpacked(stream, path) if zipped else stream


def _start(path: Path) -> bytes:
    with _open(path) as stream:
        return stream.read(FIRST).removeprefix(BOM)


def _content(path: Path) -> bytes:
    with _open(path) as stream:
        return stream.read()


def _table(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, str, str]]:
    for number, line in lines:
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != len(HEADER):
            expected = f"{len(HEADER)} cells, as the header has"
            raise MedzhError("has another number of cells", file=path, line=number, expected=expected, found=len(cells))
        place, identifier, name = cells
        if not IDENTIFIER.fullmatch(identifier):
            expected = "such as D016878"
            raise MedzhError("is no identifier", file=path, line=number, expected=expected, found=identifier)
        yield number, place, identifier, name


def _mtrees(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, str, str]]:
    for number, line in lines:
        name, semicolon, place = line.rpartition(";")
        if not semicolon:
            raise MedzhError("is no file of MeSH", file=path, line=number, expected=EXPECTED, found=line)
        yield number, place.strip(), "", name.strip()


def _gathered(path: Path, places: Iterable[tuple[int, str, str, str]], year: str) -> Mesh:
    """Bring the places of each descriptor together."""
    numbers: dict[tuple[str, str], list[str]] = {}
    seen: dict[str, int] = {}
    for line, place, identifier, name in places:
        if not NUMBER.fullmatch(place):
            expected = "such as C10.668.829"
            raise MedzhError("is no tree number", file=path, line=line, expected=expected, found=place)
        if place in seen:
            expected = f"each tree number once, and line {seen[place]} has it"
            raise MedzhError("a tree number stands twice", file=path, line=line, expected=expected, found=place)
        if not name:
            raise MedzhError("a term is missing", file=path, line=line, found=place)
        seen[place] = line
        numbers.setdefault((identifier, name), []).append(place)
    found = [Descriptor(identifier, name, tuple(sorted(own))) for (identifier, name), own in numbers.items()]
    return _checked(path, found, year, 0)


def _from_xml(path: Path) -> Mesh:
    with _open(path) as stream:
        document, records = read_records(stream, path)
        every = list(records)
    for one in every:
        for wrong in (number for number in one.numbers if not NUMBER.fullmatch(number)):
            raise MedzhError("is no tree number", file=path, field=one.name, expected="such as C10.668", found=wrong)
        if not IDENTIFIER.fullmatch(one.identifier):
            expected = "such as D016878"
            raise MedzhError("is no identifier", file=path, field=one.name, expected=expected, found=one.identifier)
    counts = Counter(number for one in every for number in one.numbers)
    for twice in (number for number, count in counts.items() if count > 1):
        raise MedzhError("a tree number stands twice", file=path, found=twice)
    found = [one for one in every if one.numbers]
    return _checked(path, found, _year(Path(document).name) or _year(path.name), len(every) - len(found))


def _checked(path: Path, found: list[Descriptor], year: str, outside: int) -> Mesh:
    if not found:
        raise MedzhError("holds no descriptor of the tree", file=path, expected=EXPECTED)
    keys = Counter(one.identifier or one.name for one in found)
    for twice in (key for key, count in keys.items() if count > 1):
        raise MedzhError("a descriptor stands twice, under two names", file=path, found=twice)
    return Mesh(tuple(sorted(found, key=lambda one: (one.identifier, one.name))), year, outside)


def _year(text: str) -> str:
    found = YEAR.search(text)
    return found[0] if found else ""


ROOT = "DescriptorRecordSet"
LONGEST = 1 << 16
# All that may stand before the root: no list of declarations, so no entity can be declared anywhere in the document.
PROLOGUE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml\s[^<>]*\?>)?(?:\s|<!--(?:(?!--)[\s\S])*-->)*"
    rb"(?:<!DOCTYPE\s+DescriptorRecordSet(?:\s+SYSTEM\s+(?:\"(?P<double>[^\"<>\[\]]*)\"|'(?P<single>[^'<>\[\]]*)'))?\s*>)?"
    rb"(?:\s|<!--(?:(?!--)[\s\S])*-->)*<DescriptorRecordSet[\s>]"
)


def read_records(stream: IO[bytes], path: Path) -> tuple[str, Iterator[Descriptor]]:
    """Read descriptors and the stated document type from XML without holding the file in memory.

    What stands before the root may be no more than the name of a document type, which is never fetched: there, entities
    could be declared.
    """
    found = PROLOGUE.match(stream.read(LONGEST)[:LONGEST])
    if found is None:
        expected = f"XML whose root is {ROOT}, with no declarations of its own before it"
        raise MedzhError("is no file of descriptors, or declares entities", file=path, line=1, expected=expected)
    document = (found["double"] or found["single"] or b"").decode("utf-8", "replace")
    stream.seek(0)
    return document, _records(stream, path)


def _records(stream: IO[bytes], path: Path) -> Iterator[Descriptor]:
    from xml.etree.ElementTree import ParseError, iterparse

    root: Element | None = None
    try:
        for event, element in iterparse(stream, events=("start", "end")):  # noqa: S314 - the same
            if root is None:
                root = element
            elif event == "end" and element.tag == "DescriptorRecord":
                yield _record(element, path)
                root.clear()
    except ParseError as error:
        line = error.position[0]
        raise MedzhError(f"is no XML: {error}", file=path, line=line, advice="fetch it again") from error
    except (LookupError, ValueError) as error:  # an encoding that nobody knows
        raise MedzhError(f"is no XML that can be read: {error}", file=path) from error


def _record(element: Element, path: Path) -> Descriptor:
    identifier = _text(element.find("DescriptorUI"))
    name = _text(element.find("DescriptorName/String"))
    if not identifier or not name:
        expected = "a DescriptorUI and a DescriptorName in each record"
        raise MedzhError("a descriptor lacks its name", file=path, expected=expected, found=identifier or name)
    terms = (_text(one) for one in element.iterfind("ConceptList/Concept/TermList/Term/String"))
    others = tuple(dict.fromkeys(term for term in terms if term and term != name))
    numbers = tuple(sorted({_text(one) for one in element.iterfind("TreeNumberList/TreeNumber")}))
    note = _text(element.find("ConceptList/Concept[@PreferredConceptYN='Y']/ScopeNote"))
    return Descriptor(identifier, name, numbers, others, note)


def _text(element: Element | None) -> str:
    return "" if element is None else " ".join((element.text or "").split())
