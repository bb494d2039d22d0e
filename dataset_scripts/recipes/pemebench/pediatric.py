"""Which questions are about children, by the published patterns of ``pediatric.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TABLE = Path(__file__).with_name("pediatric.toml")
_DIGEST = sha256(TABLE.read_text(encoding="utf-8").encode("utf-8")).hexdigest()  # of the lines, whatever ends them
PATTERNS = f"{TABLE.parent.name}/{TABLE.name}, SHA-256 {_DIGEST}"
# The list was written over other questions than these, and what it selects of these has not changed since they were
# read. The 600 were drawn by `draw_first`, seed 20260.
MEASURED = "of CMExam's validation split 320 of the 339 selected questions and 2 of 600 others are about children"
TERM = re.compile(r"@([a-z_]+)")
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

    def looked_at(self, text: str) -> str:
        """Bring a text into the form in which patterns are looked for."""
        narrow = "".join(text.translate(NARROW).split())
        return self.blank.sub("。", narrow) if self.blank else narrow

    def matched(self, text: str) -> list[str]:
        """Name the patterns that hold of a text, in the file's order; where none does, it is not about children."""
        shown = self.looked_at(text)
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
    """Read a list of patterns: ``[terms]``, ``[expressions]``, ``[blank]``, and ``[[pattern]]`` made of them."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MedzhError(f"not a list of patterns: {error}", file=file) from error
    terms = {name: _either(words.split()) for name, words in document.get("terms", {}).items()}
    for name, expression in document.get("expressions", {}).items():
        terms[name] = f"(?:{_expanded(expression, terms, file, name)})"
    blank = [expression for expressions in document.get("blank", {}).values() for expression in expressions]
    patterns = tuple(_pattern(table, terms, file) for table in document.get("pattern", []))
    names = [pattern.name for pattern in patterns]
    for name in names:
        if names.count(name) > 1:
            raise MedzhError("two patterns have one name", file=file, field="name", found=name)
    return PatternList(patterns, _compiled(blank, terms, file, "blank") if blank else None)


def _either(words: Sequence[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(set(words), key=lambda word: (-len(word), word)))) + ")"


def _expanded(expression: str, terms: Mapping[str, str], file: Path, field: str) -> str:
    for name in TERM.findall(expression):
        if name not in terms:
            raise MedzhError("no such list", file=file, field=field, expected=", ".join(terms), found=name)
    return TERM.sub(lambda found: terms[found[1]], expression)


def _compiled(expressions: Sequence[str], terms: Mapping[str, str], file: Path, field: str) -> re.Pattern[str]:
    try:
        return re.compile("|".join(_expanded(text, terms, file, field) for text in expressions))
    except re.error as error:
        raise MedzhError(f"not a pattern: {error}", file=file, field=field) from error


def _pattern(table: Mapping[str, Any], terms: Mapping[str, str], file: Path) -> Pattern:
    name = table.get("name", "")
    unknown = sorted(table.keys() - KEYS)
    if not NAME.fullmatch(name) or unknown or not table.get("found") or not table.get("meaning"):
        expected = "name (small letters and hyphens), meaning, found, unless"
        raise MedzhError("not a pattern", file=file, field=name or "name", expected=expected, found=unknown or table)
    unless = table.get("unless")
    return Pattern(
        name=name,
        meaning=table["meaning"],
        found=_compiled(table["found"], terms, file, f"{name}/found"),
        unless=_compiled(unless, terms, file, f"{name}/unless") if unless else None,
    )
