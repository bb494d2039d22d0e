"""The columns, values and positions of the rows in a file of the user."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.schema import Validator, column_types
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path


PROVENANCE = ("id", "source", "recipe", "upstream_key")


@dataclass(frozen=True)
class Form:
    """The columns of a user's own file."""

    schema: Mapping[str, Any]  # JSON Schema of a row, from `row_schema`
    split_of: Mapping[str, str]  # the split of all rows of a source, if it has only one
    # For columns with several spellings of a value: from a text to the value, or the text itself.
    spellings: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    beside: Collection[str] = ()  # columns that are read past

    @cached_property
    def validator(self) -> Validator:
        """What validates a row."""
        return Validator(self.schema)

    @cached_property
    def types(self) -> dict[str, str]:
        """The type of each column."""
        return column_types(self.schema)

    @cached_property
    def blank(self) -> dict[str, None]:
        """The nullable columns, which can be omitted."""
        return {name: None for name, declared in self.schema["properties"].items() if "null" in declared["type"]}


@dataclass(frozen=True)
class Fault:
    """Why a row cannot become a record."""

    field: str  # the column, or a path inside it
    problem: str
    expected: str | None = None
    found: object = None


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A sound row of a user's file."""

    source: str
    file: Path
    line: int  # or its row in a sheet, from 1
    fields: dict[str, Any]  # the columns of the row, without omitted ones

    def seen_from(self, other: Row) -> str:
        """Describe the position of the row for a message about another row."""
        if self.file == other.file:
            return _("line {line}", line=self.line)
        return _("line {line} of {file}", line=self.line, file=self.file)


class Faults:
    """The errors of the files of a user: the first is reported, the others are counted."""

    def __init__(self) -> None:
        self._first: MedzhError | None = None
        self._number = 0

    def add(self, file: Path, line: int, fault: Fault) -> None:
        """Add an error."""
        self._number += 1
        if self._first is None:
            self._first = MedzhError(
                fault.problem,
                file=file,
                line=line,
                field=fault.field,
                expected=fault.expected,
                found=fault.found,
                advice=_("correct the errors and build again; the build folder is unchanged"),
            )

    def refuse(self) -> None:
        """Raise the first error, if there is one."""
        if self._first is not None:
            if self._number > 1:
                self._first.problem = _(
                    "{problem} (and {more:,} more)", problem=self._first.problem, more=self._number - 1
                )
            raise self._first


def row_schema(
    schema: Mapping[str, Any], *, derived: Sequence[str], free: Sequence[str] = (), splits: Sequence[str] = ("test",)
) -> dict[str, Any]:
    """Derive the schema of a row from that of a record.

    Columns that are ``derived`` from others can be omitted, and ``free`` ones allow any text.
    """
    properties = {name: declared for name, declared in schema["properties"].items() if name not in PROVENANCE}
    properties |= {name: {"type": "string", "minLength": 1} for name in (*free, "upstream_key")}
    properties["split"] = {"type": "string", "enum": list(splits)}
    needless = {*PROVENANCE, *derived, *(name for name, declared in properties.items() if "null" in declared["type"])}
    required = [name for name in schema["required"] if name not in needless]
    return {**schema, "required": [*required, "split"], "properties": properties}


LETTERS = "ABCDEFGHIJ"
# Control characters but tab and line ends, and the sign for a lost character.
LOST = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd"
DAMAGE = re.compile(f"[{LOST}]")
RADICALS = "\u2e80-\u2eff\u2f00-\u2fdf"  # which look like ordinary characters: the supplement, and Kangxi's
PRIVATE = "\ue000-\uf8ff\U000f0000-\U0010ffff"  # each font's own
FOREIGN = re.compile(f"[{LOST}{RADICALS}{PRIVATE}]")
_ONE = "[A-Ja-jＡ-Ｊａ-ｊ]"
# A letter with a mark behind it anywhere but inside a word or number, or with blanks behind it where a line begins.
INLINE = re.compile(
    rf"(?<![0-9A-Za-zＡ-Ｚａ-ｚ])[(（\[【]?({_ONE})(?:[)）\]】][.．、:：]?|[.．、:：])|^\s*({_ONE})\s", re.MULTILINE
)


def letter_of(answer: object, options: Sequence[object], *, several: bool = False) -> str | Fault:
    """Find the letter of the option that an answer names by its letter or by its text; of ``several``, all letters.

    A number is refused, unless it is the text of an option: whether it counts from 0 or from 1, nobody can see.

    >>> letter_of("ｂ", ["舌", "目"]), letter_of("目", ["舌", "目"])
    ('B', 'B')
    >>> letter_of("BA", ["舌", "目", "耳"], several=True)
    'AB'
    >>> letter_of(1, ["舌", "目"]).problem
    'the answer is a number'
    """
    letters = LETTERS[: len(options)]
    expected = _("one of {letters}, or the text of an option", letters=", ".join(letters))
    if not isinstance(answer, str):
        is_number = isinstance(answer, int | float) and not isinstance(answer, bool)
        problem = _("the answer is a number") if is_number else _("the answer does not name an option")
        return Fault("answer", problem, expected, answer)
    named = {letter for letter, option in zip(letters, options, strict=False) if _plain(option) == _plain(answer)}
    if _plain(answer) in set(letters):
        named.add(_plain(answer))
    if len(named) == 1:
        return named.pop()
    if several and not named and len(_plain(answer)) > 1 and set(_plain(answer)) <= set(letters):
        return "".join(sorted(set(_plain(answer))))
    if named:
        return Fault(
            "answer",
            _("the answer matches more than one option"),
            _("a letter that is not the text of another option"),
            answer,
        )
    return Fault(
        "answer",
        _("the answer is a number") if _plain(answer).isdecimal() else _("the answer is not one of the options"),
        expected,
        answer,
    )


def _plain(text: object) -> str:
    return unicodedata.normalize("NFKC", str(text)).strip().upper()


def foreign_characters(fields: Mapping[str, Any]) -> Iterator[Fault]:
    """Find the texts of a row with a damaged character, or without a visible one."""
    for name, value in fields.items():
        for place, text in enumerate(value if isinstance(value, list) else [value]):
            field = f"{name}/{place}" if isinstance(value, list) else name
            if isinstance(text, str) and (found := FOREIGN.search(text)):
                yield Fault(field, *_said(found), text)
            elif isinstance(text, str) and text.strip() and not _is_seen(text):
                yield Fault(field, _("the text contains no words"), _("text that contains words"), text)


def _is_seen(text: str) -> bool:
    return not all(char.isspace() or unicodedata.category(char) == "Cf" for char in text)


def _said(found: re.Match[str]) -> tuple[str, str]:
    """Describe the character and the expected one."""
    code, place = f"U+{ord(found[0]):04X}", found.start() + 1
    if re.match(f"[{RADICALS}]", found[0]):
        problem = _("character {place} is the radical {code}", code=code, place=place)
        expected = _("the ordinary character (use NFKC normalization)")
        if unicodedata.is_normalized("NFKC", found[0]):
            expected = _("the ordinary character (replace the radical by hand, because NFKC does not change it)")
    elif re.match(f"[{PRIVATE}]", found[0]):
        problem = _("character {place} is the private-use character {code}", code=code, place=place)
        expected = _("ordinary characters")
    else:
        problem = _("character {place} is {code}", code=code, place=place)
        expected = _("text without control characters or U+FFFD")
    return problem, expected


def split_at_letters(text: str) -> tuple[str, list[str]]:
    r"""Split a text into the part before its options, and the options without letters.

    Raises
    ------
    ValueError
        If the letters are missing, repeated or not in order.

    >>> split_at_letters("心开窍于\nA．舌\nB．目")
    ('心开窍于', ['舌', '目'])
    """
    labels = list(INLINE.finditer(text))
    letters = "".join(unicodedata.normalize("NFKC", label[1] or label[2]).upper() for label in labels)
    if not labels or letters != LETTERS[: len(letters)]:
        raise ValueError(letters)
    ends = [*(label.start() for label in labels[1:]), len(text)]
    options = [text[label.end() : end].strip(" \t\r\n\u3000;；") for label, end in zip(labels, ends, strict=True)]
    return text[: labels[0].start()].strip(), options
