"""Descriptors of MeSH, from any of its file formats."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from medzh_score.io.limits import unpacked
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from xml.etree.ElementTree import Element

    Place = tuple[str, ...]


@dataclass(frozen=True)
class Descriptor:
    """A heading of MeSH."""

    identifier: str  # such as D016878; empty if the file has none
    name: str  # in English
    numbers: tuple[str, ...]  # its tree numbers, sorted, such as C10.668
    terms: tuple[str, ...] = ()  # entry terms of all of its concepts but the name, in order
    scope_note: str = ""  # of its preferred concept; empty if the file has none


GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
FIRST = 256  # bytes that distinguish XML from text
NUMBER = re.compile(r"[A-Z][0-9]{2}(\.[0-9]{3})*")
IDENTIFIER = re.compile("D[0-9]{6,9}")
YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])|(?:19|20)[0-9]{2}(?=[01][0-9][0-3][0-9])")
HEADER = ("Tree Number", "Desc Ui", "Term")
EXPECTED = _(
    "a table with the columns Tree Number, Desc Ui and Term, lines of Term;Number (mtrees), or "
    "descriptors in XML (desc)"
)


@dataclass(frozen=True)
class Mesh:
    """A file of MeSH."""

    descriptors: tuple[Descriptor, ...]  # those with a place in the tree, by identifier and name
    year: str  # from the file or its name; empty if unknown
    outside: int = 0  # descriptors without a place in the tree


def read_mesh(path: Path) -> Mesh:
    """Read descriptors from the table of 2017, ``mtrees*.bin`` or ``desc*.xml``; content decides, not the name."""
    try:
        start = _start(path)
        if start.lstrip().startswith(b"<"):
            return _from_xml(path)
        text = _content(path).decode("utf-8-sig")
    except OSError as error:  # gzip's own errors among them
        raise MedzhError(
            _("cannot read the file: {why}", why=_(error.strerror or str(error))), file=path, expected=EXPECTED
        ) from error
    except (EOFError, zlib.error) as error:
        raise MedzhError(
            _("the file cannot be decompressed"), file=path, advice=_("download the file again")
        ) from error
    except UnicodeDecodeError as error:
        raise MedzhError(_("the file is not UTF-8 text"), file=path, expected=EXPECTED) from error
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
            expected = _("{n_header} cells, as in the header", n_header=len(HEADER))
            raise MedzhError(
                _("the row and the header differ in the number of cells"),
                file=path,
                line=number,
                expected=expected,
                found=len(cells),
            )
        place, identifier, name = cells
        if not IDENTIFIER.fullmatch(identifier):
            expected = _("an identifier such as D016878")
            raise MedzhError(_("invalid identifier"), file=path, line=number, expected=expected, found=identifier)
        yield number, place, identifier, name


def _mtrees(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, str, str]]:
    for number, line in lines:
        name, semicolon, place = line.rpartition(";")
        if not semicolon:
            raise MedzhError(_("the file is not a MeSH file"), file=path, line=number, expected=EXPECTED, found=line)
        yield number, place.strip(), "", name.strip()


def _gathered(path: Path, places: Iterable[tuple[int, str, str, str]], year: str) -> Mesh:
    """Bring the places of each descriptor together."""
    numbers: dict[tuple[str, str], list[str]] = {}
    seen: dict[str, int] = {}
    for line, place, identifier, name in places:
        if not NUMBER.fullmatch(place):
            expected = _("a tree number such as C10.668.829")
            raise MedzhError(_("invalid tree number"), file=path, line=line, expected=expected, found=place)
        if place in seen:
            expected = _("each tree number only once (first: line {seen})", seen=seen[place])
            raise MedzhError(_("duplicate tree number"), file=path, line=line, expected=expected, found=place)
        if not name:
            raise MedzhError(_("the term is missing"), file=path, line=line, found=place)
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
            raise MedzhError(
                _("invalid tree number"),
                file=path,
                field=one.name,
                expected=_("a tree number such as C10.668"),
                found=wrong,
            )
        if not IDENTIFIER.fullmatch(one.identifier):
            expected = _("an identifier such as D016878")
            raise MedzhError(
                _("invalid identifier"), file=path, field=one.name, expected=expected, found=one.identifier
            )
    counts = Counter(number for one in every for number in one.numbers)
    for twice in (number for number, count in counts.items() if count > 1):
        raise MedzhError(_("duplicate tree number"), file=path, found=twice)
    found = [one for one in every if one.numbers]
    return _checked(path, found, _year(Path(document).name) or _year(path.name), len(every) - len(found))


def _checked(path: Path, found: list[Descriptor], year: str, outside: int) -> Mesh:
    if not found:
        raise MedzhError(_("the file contains no descriptor with a tree number"), file=path, expected=EXPECTED)
    keys = Counter(one.identifier or one.name for one in found)
    for twice in (key for key, count in keys.items() if count > 1):
        raise MedzhError(_("a descriptor occurs twice with different names"), file=path, found=twice)
    return Mesh(tuple(sorted(found, key=lambda one: (one.identifier, one.name))), year, outside)


def _year(text: str) -> str:
    found = YEAR.search(text)
    return found[0] if found else ""


ROOT = "DescriptorRecordSet"
LONGEST = 1 << 16
# The allowed content before the root: without declarations, so that no entity can be declared.
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
        expected = _("XML with root element {root} and no declarations before it", root=ROOT)
        raise MedzhError(
            _("the file is not a MeSH descriptor file, or it declares XML entities"),
            file=path,
            line=1,
            expected=expected,
        )
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
        raise MedzhError(
            _("invalid XML: {error}", error=error), file=path, line=line, advice=_("download the file again")
        ) from error
    except (LookupError, ValueError) as error:  # an unknown encoding
        raise MedzhError(_("the XML cannot be parsed: {error}", error=error), file=path) from error


def _record(element: Element, path: Path) -> Descriptor:
    identifier = _text(element.find("DescriptorUI"))
    name = _text(element.find("DescriptorName/String"))
    if not identifier or not name:
        expected = _("a DescriptorUI and a DescriptorName in each record")
        raise MedzhError(
            _("a descriptor has no identifier or no name"), file=path, expected=expected, found=identifier or name
        )
    terms = (_text(one) for one in element.iterfind("ConceptList/Concept/TermList/Term/String"))
    others = tuple(dict.fromkeys(term for term in terms if term and term != name))
    numbers = tuple(sorted({_text(one) for one in element.iterfind("TreeNumberList/TreeNumber")}))
    note = _text(element.find("ConceptList/Concept[@PreferredConceptYN='Y']/ScopeNote"))
    return Descriptor(identifier, name, numbers, others, note)


def _text(element: Element | None) -> str:
    return "" if element is None else " ".join((element.text or "").split())


def place_of(number: str) -> Place:
    """Split a tree number into category, subtree and lower levels.

    The letter of the category is a node, under one root for all categories.

    >>> place_of("C10.668.829")
    ('C', '10', '668', '829')
    """
    return (number[0], *number[1:].split("."))


def steps(one: Place, other: Place) -> int:
    """Count the steps between two places: up to the lowest node above both, and down again.

    >>> steps(place_of("C10.668"), place_of("C10.228.140")), steps(place_of("C10"), place_of("F03"))
    (3, 4)
    """
    shared = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        shared += 1
    return len(one) + len(other) - 2 * shared


def distance(ones: Iterable[Place], others: Sequence[Place]) -> int:
    """Return the distance of two descriptors: the fewest steps between their places.

    >>> distance([place_of("C10.668"), place_of("C20.111")], [place_of("C20.222")])
    2
    """
    return min(steps(one, other) for one in ones for other in others)


@dataclass(frozen=True)
class Places:
    """An index of the places of descriptors."""

    # for each node the numbers of the descriptors at it, one level below it, and so on
    below: Mapping[Place, Sequence[set[int]]]

    @classmethod
    def of(cls, places: Iterable[Iterable[Place]]) -> Places:
        """Index the places of descriptors by their positions."""
        below: dict[Place, list[set[int]]] = {}
        for index, own in enumerate(places):
            for place in own:
                for depth in range(len(place) + 1):
                    levels = below.setdefault(place[:depth], [])
                    while len(levels) <= len(place) - depth:
                        levels.append(set())
                    levels[len(place) - depth].add(index)
        return cls(below)

    def near(self, place: Place, farthest: int) -> set[int]:
        """Find the descriptors within some steps of a place, those at the place itself included.

        >>> tree = Places.of([[place_of("C10.668")], [place_of("C10.668.829")], [place_of("C20")]])
        >>> tree.near(place_of("C10.668"), 2)
        {0, 1}
        """
        found: set[int] = set()
        for up in range(min(farthest, len(place)) + 1):
            levels = self.below.get(place[: len(place) - up], ())
            found.update(*levels[: farthest - up + 1])
        return found
