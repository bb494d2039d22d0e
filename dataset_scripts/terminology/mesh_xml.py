"""The descriptor file of MeSH in XML, read record by record; nothing that it could declare is believed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dataset_scripts.terminology.descriptor import Descriptor
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO
    from xml.etree.ElementTree import Element

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
