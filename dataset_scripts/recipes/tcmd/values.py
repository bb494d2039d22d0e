"""How types and subjects may be written in a user's own file."""

from __future__ import annotations

import re
import unicodedata

from medzh_score.configs.tcmd.exam import SUBJECTS

# A4 is A3 with a case that goes on: banks do not keep them apart, and the paper knows A3 alone.
TYPE = re.compile(r"(?P<kind>A1|A2|A3|A4|B1|A3[/、+]A4)型?题?")


def type_named(written: str) -> str:
    """Find the type that is meant, or give back what was written.

    >>> type_named("A3/A4型题"), type_named("b1"), type_named("X")
    ('A3', 'B1', 'X')
    """
    found = TYPE.fullmatch(_plain(written).replace(" ", "").upper())
    if found is None:
        return written
    return "A3" if "A4" in found["kind"] else found["kind"]


def subject_named(written: str) -> str:
    """Find the subject by its Chinese or English name, in any case, with or without Figure 1's asterisk.

    Other names are the mapping file's to say, and are given back.

    >>> subject_named("内科学*"), subject_named("internal medicine of TCM"), subject_named("内经")
    ('内科学', '中医内科学', '内经')
    """
    return _SUBJECTS.get(_plain(written).removesuffix("*").strip().casefold(), written)


def _plain(written: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", written).split())


_SUBJECTS = {
    name.casefold(): subject.name for subject in SUBJECTS.values() for name in (subject.name, _plain(subject.english))
}
NAMES = {"type": type_named, "subject": subject_named}
