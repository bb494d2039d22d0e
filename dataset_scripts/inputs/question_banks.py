"""A question of a bank, and why a row of a bank is none that could be asked and scored."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataset_scripts.digests import content_digest
from dataset_scripts.inputs.upstream import UTF_8, decoded_lines, first_sheet, read_objects
from dataset_scripts.inputs.user_rows import DAMAGE as LOST_CHARACTERS
from medzh_score.io.tables import ORDINARY_CELL, csv_reader
from medzh_score.text.fold import fold
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    Cells = dict[str, str]


LETTERS = "ABCDE"
DAMAGED = "damaged"
# Control characters but tab and line ends, the sign for a lost character, private use, and Kangxi radicals.
DAMAGE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd\ue000-\uf8ff\u2f00-\u2fd5]")
# Why a row is no question that could be asked and scored; the columns of the report, in order.
REASONS = {
    "no text": "the question is empty",
    "no options": "the options are missing or deleted in the source",
    "lettering": "the option letters are not A, B, C and so on, or there are not two to five options",
    "empty option": "an option has no text",
    "equal options": "two options are the same",
    "no answer": "the source has no answer, or other text instead of the answer",
    "answer without option": "the answer has a letter without an option",
    DAMAGED: "a text contains a control, replacement or private-use character, or a Kangxi radical",
    "link": "the answer is a web address",
}


@dataclass(frozen=True)
class Question:
    """A question of a bank."""

    source: str
    text: str  # the question
    answer: str  # the right letters in order, or the reference answer
    options: tuple[str, ...] = ()  # without letters; empty for an open question
    key: str = ""  # the key in the source; empty without one
    spare: int = 0  # how many other wordings and answers its row has

    @property
    def digest(self) -> str:
        """Ten hex digits of the SHA-256 of question and options, spaces and compatibility forms folded."""
        return content_digest([fold(self.text), [fold(option) for option in self.options]])

    @property
    def damaged(self) -> bool:
        """Whether a text of it contains a damaged character."""
        return DAMAGE.search("\n".join([self.text, self.answer, *self.options])) is not None

    @property
    def identity(self) -> tuple[str, ...]:
        """The question and what its right options say: equal where two banks have the same question.

        One of them may have dropped or reordered wrong options. An open question is told by its text alone.
        """
        right = [option for letter, option in zip(LETTERS, self.options, strict=False) if letter in self.answer]
        return (fold(self.text), *sorted(map(fold, right)))


FEWEST_OPTIONS = 2
BETWEEN = re.compile(r"[,，、;；\s]+")


def read_cmexam(source: str, file: Path) -> Iterator[Question | str]:
    """Read questions of CMExam, which may have several correct letters, or the reasons why rows are unusable."""
    for cells in (sheet_rows if file.suffix.lower() == ".xlsx" else csv_rows)(file):
        answer = "" if cells["Answer"] == ABSENT else cells["Answer"]
        yield settle(source, cells["Question"], from_texts(SEPARATOR.split(cells["Options"])), answer)


def read_medqa(source: str, file: Path) -> Iterator[Question | str]:
    """Read questions of MedQA with four or five options, or the reasons why rows are unusable.

    One object a line with ``question``, ``options`` (letter to text), ``answer_idx`` (the letter) and ``answer`` (the
    text), of which the last may be missing; where both are there, they must name one option.
    """
    for line, row in read_objects(file):
        options, letter, answer = row.get("options"), _text(row, "answer_idx", file, line).strip(), row.get("answer")
        if not isinstance(options, dict) or not all(isinstance(text, str) for text in options.values()):
            raise _not_medqa(file, line, "options", _("an object that maps option letters to texts"), options)
        if isinstance(answer, str) and letter in options and fold(answer) not in {fold(options[letter]), letter}:
            raise _not_medqa(
                file,
                line,
                "answer",
                _("the text of option {letter}: {options}", letter=letter, options=options[letter]),
                answer,
            )
        if len(BETWEEN.sub("", letter)) > 1:
            raise _not_medqa(file, line, "answer_idx", _("one letter"), letter)
        yield settle(source, _text(row, "question", file, line), from_mapping(options), letter)


def settle(source: str, question: str, lettered: Lettered, answer: str, key: str = "") -> Question | str:
    """Make a question of a row, or give the reason of ``REASONS`` for which it is none; only spaces are mended.

    >>> settle("own", "属于必需氨基酸的有", (("A", "赖氨酸"), ("B", "甘氨酸"), ("C", "色氨酸")), "CA").answer
    'AC'
    """
    text, options = question.strip(), tuple(text.strip() for _unused, text in lettered)
    letters, right = "".join(letter for letter, _unused in lettered), set(BETWEEN.sub("", answer))
    reason = "" if fold(text) else "no text"
    reason = reason or _of_options(letters, options)
    if not reason and (not right or not all(letter.isascii() and letter.isupper() for letter in right)):
        reason = _("no answer")
    if not reason and not right <= set(letters):
        reason = "answer without option"
    return reason or Question(source, text, "".join(sorted(right)), options, key)


def _of_options(letters: str, options: tuple[str, ...]) -> str:
    if not options:
        return "no options"
    if len(options) < FEWEST_OPTIONS or not LETTERS.startswith(letters) or len(letters) != len(options):
        return "lettering"
    if not all(options):
        return "empty option"
    return "equal options" if len({fold(option) for option in options}) < len(options) else ""


def _text(row: dict[str, Any], name: str, file: Path, line: int) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise _not_medqa(file, line, name, _("a string"), value)
    return value


def _not_medqa(file: Path, line: int, field: str, expected: str, found: object) -> MedzhError:
    return MedzhError(
        _("the line is not a MedQA question"), file=file, line=line, field=field, expected=expected, found=found
    )


Lettered = tuple[tuple[str, str], ...]

LETTERED = re.compile(r"\s*([A-Za-z])(?:\s*[.．、:：]|\s)\s*(.*?)\s*", re.DOTALL)


def from_mapping(options: Mapping[str, str]) -> Lettered:
    """Take options under their letters; empty texts behind the last one, which some banks write, are none.

    >>> from_mapping({"B": "肝", "A": "心", "C": ""})
    (('A', '心'), ('B', '肝'))
    """
    listed = [(letter.strip(), text.strip()) for letter, text in sorted(options.items())]
    while listed and not listed[-1][1]:
        listed.pop()
    return tuple(listed)


def from_texts(options: Iterable[str]) -> Lettered:
    """Take options that each begin with their letter: ``A 心``, ``A.心`` or ``A．心``; the letter may be missing.

    >>> from_texts(["A.心", "B 肝"])
    (('A', '心'), ('B', '肝'))
    """
    pairs = []
    for text in options:
        found = LETTERED.fullmatch(text)
        if found:
            pairs.append((found[1].upper(), found[2]))
        elif text.strip():
            pairs.append(("", text.strip()))
    return tuple(pairs)


COLUMNS = ("Question", "Options", "Answer", "Explanation")
# The spreadsheet separates options by a backslash and an n, the CSV by line ends.
SEPARATOR = re.compile(r"\\n|\r?\n")
SHOWN = 40  # characters of a cell in a message
ABSENT = "nan"  # values for a missing answer


def csv_rows(file: Path) -> Iterator[Cells]:
    """Read the rows of ``train.csv``, ``val.csv`` or ``test_with_annotations.csv``."""
    lines = (f"{line}\n" for line in decoded_lines(file, UTF_8))
    reader = csv_reader(lines, largest=ORDINARY_CELL, strict=True)
    try:
        yield from _cells(((reader.line_num, row) for row in reader if row), file)
    except csv.Error as error:
        raise MedzhError(_("invalid CSV: {error}", error=error), file=file, line=reader.line_num) from error


def sheet_rows(file: Path) -> Iterator[Cells]:
    """Read the rows of ``val.xlsx``, the validation split as a spreadsheet."""
    yield from _cells(enumerate(first_sheet(file), start=1), file)


def _cells(rows: Iterator[tuple[int, Sequence[str]]], file: Path) -> Iterator[Cells]:
    line, head = next(rows, (1, ()))
    for twice in (column for column in COLUMNS if list(head).count(column) > 1):
        raise MedzhError(_("duplicate column"), file=file, line=line, field=twice, found=", ".join(head))
    for missing in (column for column in COLUMNS if column not in head):
        raise MedzhError(
            _("a column is missing"),
            file=file,
            line=line,
            field=missing,
            expected=", ".join(COLUMNS),
            found=", ".join(head),
        )
    for number, row in rows:
        if len(row) < len(COLUMNS):
            raise MedzhError(
                _("the row has too few cells"), file=file, line=number, expected=", ".join(head), found=list(row)
            )
        cells = dict(zip(head, row, strict=False))
        for column in COLUMNS[:3]:
            if LOST_CHARACTERS.search(cells[column]):
                problem, expected = (
                    _("the text contains an invalid character"),
                    _("text without control characters or U+FFFD"),
                )
                raise MedzhError(
                    problem, file=file, line=number, field=column, expected=expected, found=cells[column][:SHOWN]
                )
        yield cells
