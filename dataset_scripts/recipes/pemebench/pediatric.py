"""Which questions are about children, by the published patterns of ``pediatric.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipes.common import Terms, digest, named, read_terms
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLE = Path(__file__).with_name("pediatric.toml")
PATTERNS = f"{named(TABLE)}, SHA-256 {digest(TABLE)}"
# The list was written over other questions than these, but for [aside], which was written after these were read; the
# patterns find 339 questions. The 600 were drawn of the rest by `draw_first`, seed 20260.
MEASURED = (
    "of CMExam's validation split 316 of the 319 selected questions, 4 of 20 set aside and 2 of 600 others "
    "are about children"
)
NAME = re.compile(r"[a-z]+(?:-[a-z]+)*")
KEYS = frozenset({"name", "meaning", "found", "unless"})
NARROW = {wide: wide - 0xFEE0 for wide in range(ord("！"), ord("～") + 1)}


@dataclass(frozen=True)
class Pattern:
    """A pattern: it holds where one of its expressions is found and none of the others."""

    name: str  # what records and reports call it
    meaning: str  # what it finds, in words
    found: re.Pattern[str]
    unless: re.Pattern[str] | None

    def holds(self, text: str) -> bool:
        """Say whether it holds of a text from `PatternList.looked_at`."""
        return self.found.search(text) is not None and (self.unless is None or self.unless.search(text) is None)


@dataclass(frozen=True)
class PatternList:
    """A list of patterns."""

    patterns: tuple[Pattern, ...]
    blank: re.Pattern[str] | None  # what says nothing of a patient and is not looked at
    aside: re.Pattern[str] | None  # what a question is about in which a child is only mentioned

    def looked_at(self, text: str) -> str:
        """Bring a text into the form in which patterns are looked for."""
        narrow = "".join(text.translate(NARROW).split())
        return self.blank.sub("。", narrow) if self.blank else narrow

    def matched(self, text: str) -> list[str]:
        """Name the patterns that hold of a text, in the file's order; where none does, it is not about children."""
        shown = self.looked_at(text)
        if self.aside and self.aside.search(shown):
            return []
        return [pattern.name for pattern in self.patterns if pattern.holds(shown)]


def matched(question: str) -> list[str]:
    """Name the published patterns that hold of a question, a case before it included, not of its options.

    >>> matched("女，３岁。发热、咳嗽3天。")
    ['age-years']
    >>> matched("女，35岁。发热、咳嗽3个月。")
    []
    """
    return published_list().matched(question)


@cache
def published_list() -> PatternList:
    """Read the published list, once."""
    return read_list(TABLE)


def read_list(file: Path) -> PatternList:
    """Read a list of patterns: ``[terms]``, ``[expressions]``; of these ``[blank]``, ``[aside]``, ``[[pattern]]``."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MedzhError(_("not a list of patterns: {error}", error=error), file=file) from error
    terms = read_terms(file, document.get("terms", {}), document.get("expressions", {}))
    blank, aside = (
        [one for listed in document.get(name, {}).values() for one in listed] for name in ("blank", "aside")
    )
    patterns = tuple(_pattern(table, terms) for table in document.get("pattern", []))
    names = [pattern.name for pattern in patterns]
    for name in names:
        if names.count(name) > 1:
            raise MedzhError(_("two patterns have one name"), file=file, field="name", found=name)
    around = (terms.compiled(listed, name) if listed else None for listed, name in ((blank, "blank"), (aside, "aside")))
    return PatternList(patterns, *around)


def _pattern(table: Mapping[str, Any], terms: Terms) -> Pattern:
    name = table.get("name", "")
    unknown = sorted(table.keys() - KEYS)
    if not NAME.fullmatch(name) or unknown or not table.get("found") or not table.get("meaning"):
        expected = _("name (small letters and hyphens), meaning, found, unless")
        raise MedzhError(
            _("not a pattern"), file=terms.file, field=name or "name", expected=expected, found=unknown or table
        )
    unless = table.get("unless")
    return Pattern(
        name=name,
        meaning=table["meaning"],
        found=terms.compiled(table["found"], f"{name}/found"),
        unless=terms.compiled(unless, f"{name}/unless") if unless else None,
    )
