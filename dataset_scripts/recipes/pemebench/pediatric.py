"""Which questions are about children, by the published patterns of ``pediatric.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

TABLE = Path(__file__).with_name("pediatric.toml")
NAMED = f"{TABLE.parent.name}/{TABLE.name}"
# The digest is that of its lines, whatever ends them.
PATTERNS = f"{NAMED}, SHA-256 {sha256(TABLE.read_text(encoding='utf-8').encode('utf-8')).hexdigest()}"
# The list was written over other questions than these, but for [aside], which was written after these were read; the
# patterns find 339 questions. The 600 were sampled from the rest by `draw_first`, seed 20260.
MEASURED = (
    "of CMExam's validation split 316 of the 319 selected questions, 4 of 20 set aside and 2 of 600 others "
    "are about children"
)
TERM = re.compile(r"@([a-z_]+)")
NARROW = {wide: wide - 0xFEE0 for wide in range(ord("！"), ord("～") + 1)}


@dataclass(frozen=True)
class Pattern:
    """A pattern, which matches if one of its expressions is found and none of the exceptions."""

    name: str  # its name in records and reports
    meaning: str  # its meaning, in words
    found: re.Pattern[str]
    unless: re.Pattern[str] | None

    def holds(self, text: str) -> bool:
        """Return whether it matches a text from `PatternList.looked_at`."""
        return self.found.search(text) is not None and (self.unless is None or self.unless.search(text) is None)


@dataclass(frozen=True)
class PatternList:
    """A list of patterns."""

    patterns: tuple[Pattern, ...]
    blank: re.Pattern[str] | None  # words that do not concern a patient
    aside: re.Pattern[str] | None  # topics in which a child is only mentioned

    def looked_at(self, text: str) -> str:
        """Bring a text into the form in which patterns are looked for."""
        narrow = "".join(text.translate(NARROW).split())
        return self.blank.sub("。", narrow) if self.blank else narrow

    def matched(self, text: str) -> list[str]:
        """Return the names of the matching patterns, in order; empty if a text is not about children."""
        shown = self.looked_at(text)
        if self.aside and self.aside.search(shown):
            return []
        return [pattern.name for pattern in self.patterns if pattern.holds(shown)]


def matched(question: str) -> list[str]:
    """Return the names of the patterns that match a question with its case, without its options.

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
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    terms: dict[str, str] = {}  # the expansion of @name

    def expanded(expression: str) -> str:
        return TERM.sub(lambda found: terms[found[1]], expression)

    def compiled(expressions: Iterable[str]) -> re.Pattern[str] | None:
        return re.compile("|".join(listed)) if (listed := [*map(expanded, expressions)]) else None

    for name, words in document.get("terms", {}).items():
        terms[name] = f"(?:{'|'.join(map(re.escape, sorted(set(words.split()), key=lambda word: (-len(word), word))))})"
    for name, expression in document.get("expressions", {}).items():
        terms[name] = f"(?:{expanded(expression)})"
    blank, aside = (compiled(chain(*document.get(name, {}).values())) for name in ("blank", "aside"))
    patterns = (
        Pattern(
            one["name"],
            one["meaning"],
            re.compile("|".join(map(expanded, one["found"]))),
            compiled(one.get("unless", ())),
        )
        for one in document["pattern"]
    )
    return PatternList(tuple(patterns), blank, aside)
