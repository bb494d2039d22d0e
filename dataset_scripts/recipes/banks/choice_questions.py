"""The readers of choice questions: CMExam, and MedQA of mainland China."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.json_lines import read_objects
from dataset_scripts.recipes.banks.cmexam_rows import ABSENT, SEPARATOR, csv_rows, sheet_rows
from dataset_scripts.recipes.banks.options import from_mapping, from_texts
from dataset_scripts.recipes.banks.questions import LETTERS, Question
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from dataset_scripts.recipes.banks.options import Lettered

FEWEST_OPTIONS = 2
BETWEEN = re.compile(r"[,，、;；\s]+")


def read_cmexam(source: str, file: Path) -> Iterator[Question | str]:
    """Read CMExam, whose questions may have several right letters, or why a row is none."""
    for cells in (sheet_rows if file.suffix.lower() == ".xlsx" else csv_rows)(file):
        answer = "" if cells["Answer"] == ABSENT else cells["Answer"]
        yield settle(source, cells["Question"], from_texts(SEPARATOR.split(cells["Options"])), answer)


def read_medqa(source: str, file: Path) -> Iterator[Question | str]:
    """Read a file of MedQA with four or five options, or why a row is none.

    One object a line with ``question``, ``options`` (letter to text), ``answer_idx`` (the letter) and ``answer`` (the
    text), of which the last may be missing; where both are there, they must name one option.
    """
    for line, row in read_objects(file):
        options, letter, answer = row.get("options"), _text(row, "answer_idx", file, line).strip(), row.get("answer")
        if not isinstance(options, dict) or not all(isinstance(text, str) for text in options.values()):
            raise _not_medqa(file, line, "options", "letter to text", options)
        if isinstance(answer, str) and letter in options and fold(answer) not in {fold(options[letter]), letter}:
            raise _not_medqa(file, line, "answer", f"the text of {letter}: {options[letter]}", answer)
        if len(BETWEEN.sub("", letter)) > 1:
            raise _not_medqa(file, line, "answer_idx", "one letter", letter)
        yield settle(source, _text(row, "question", file, line), from_mapping(options), letter)


def settle(source: str, question: str, lettered: Lettered, answer: str, key: str = "") -> Question | str:
    """Make a question of a row, or give the reason of ``REASONS`` for which it is none; only spaces are mended.

    >>> settle("own", "属于必需氨基酸的有", (("A", "赖氨酸"), ("B", "甘氨酸"), ("C", "色氨酸")), "CA").answer
    'AC'
    """
    text, options = question.strip(), tuple(text.strip() for _, text in lettered)
    letters, right = "".join(letter for letter, _ in lettered), set(BETWEEN.sub("", answer))
    reason = "" if fold(text) else "no text"
    reason = reason or _of_options(letters, options)
    if not reason and (not right or not all(letter.isascii() and letter.isupper() for letter in right)):
        reason = "no answer"
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
        raise _not_medqa(file, line, name, "a text", value)
    return value


def _not_medqa(file: Path, line: int, field: str, expected: str, found: object) -> MedzhError:
    return MedzhError("is no question of MedQA", file=file, line=line, field=field, expected=expected, found=found)
