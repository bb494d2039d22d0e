"""Questions of one's own from a workbook or a CSV file, with columns matched by name in English or Chinese."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from dataset_scripts.inputs.user_rows import split_at_letters
from medzh_score.io.open_input import InputFile
from medzh_score.io.tables import read_rows
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.progress import defer_note

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


QUESTION, OPTIONS, ANSWER, EXPLANATION = "question", "options", "answer", "explanation"
LETTERS = "ABCDEFGH"
NAMES = {
    **dict.fromkeys(("question", "题目", "问题", "题干", "试题"), QUESTION),
    **dict.fromkeys(("options", "choices", "选项", "备选答案", "可选答案"), OPTIONS),
    **dict.fromkeys(("answer", "gold", "答案", "正确答案", "标准答案", "参考答案", "reference"), ANSWER),
    **dict.fromkeys(("explanation", "解析", "解释", "答案解析"), EXPLANATION),
}
TRUE, FALSE = "对", "错"
VERDICTS = {
    **dict.fromkeys(("对", "正确", "是", "√", "t", "true", "yes", "y", "1"), TRUE),
    **dict.fromkeys(("错", "错误", "否", "×", "x", "f", "false", "no", "n", "0"), FALSE),
}


def questions_from(path: Path) -> tuple[str, list[dict[str, object]]]:
    """Read questions; return their kind and records without ids and prompts.

    Questions with options are of kind ``letters``, or ``several`` if an answer has several letters. Without options
    they are of kind ``true-false`` if all answers are verdicts, else ``open``. Columns that are not used are named.

    Raises
    ------
    MedzhError
        If a column is missing, or a row is not complete; with the row.
    """
    with InputFile(path) as file:
        numbered = list(read_rows(file, ()))
    if not numbered:
        raise MedzhError(_("the file contains no questions"), file=path, expected=_("one question per row"))
    columns = _columns(path, list(numbered[0][1]))
    with_options = any(column == OPTIONS or column in LETTERS for column in columns.values())
    rows = [(number, {column: cells[head] for head, column in columns.items()}) for number, cells in numbered]
    read = [_record(path, number, row, with_options=with_options) for number, row in rows]
    if with_options:
        return "several" if any(len(str(one[ANSWER])) > 1 for one in read) else "letters", read
    verdicts = [VERDICTS.get(_plain(str(one[ANSWER]))) for one in read]
    if all(verdicts):
        return "true-false", [{**one, ANSWER: verdict} for one, verdict in zip(read, verdicts, strict=True)]
    return "open", read


def _columns(path: Path, heads: Sequence[str]) -> dict[str, str]:
    """Match the headings that are known: heading to column."""
    found = {head: column for head in heads if (column := _column_of(head)) is not None}
    for column in set(found.values()):
        same = [head for head, its in found.items() if its == column]
        if len(same) > 1:
            problem = _("two columns have the same meaning")
            raise MedzhError(problem, file=path, line=1, field=column, found=", ".join(same))
    missing = [column for column in (QUESTION, ANSWER) if column not in found.values()]
    if missing:
        raise MedzhError(
            _("a column is missing: {columns}", columns=", ".join(missing)),
            file=path,
            line=1,
            expected=_("question (题目), A to E or options (选项), answer (答案), explanation (解析)"),
            found=", ".join(filter(None, heads)),
        )
    unused = [head for head in heads if head and head not in found]
    if unused:
        defer_note(_("{name}: unused columns: {columns}", name=path.name, columns=", ".join(unused)))
    return found


def _column_of(heading: str) -> str | None:
    plain = _plain(heading)
    if plain in NAMES:
        return NAMES[plain]
    letter = plain.removeprefix("选项").removeprefix("option").strip(" _").upper()
    return letter if len(letter) == 1 and letter in LETTERS else None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().lower()


def _record(path: Path, number: int, row: Mapping[str, str], *, with_options: bool) -> dict[str, object]:
    for column in (QUESTION, ANSWER):
        if not row[column]:
            raise MedzhError(_("the cell is blank"), file=path, line=number, field=column, expected=_("a string"))
    record: dict[str, object] = {QUESTION: row[QUESTION]}
    answer = row[ANSWER]
    if with_options:
        options = _options(path, number, row)
        record[OPTIONS], answer = options, _letters_of(path, number, answer, options)
    extra = {EXPLANATION: row[EXPLANATION]} if EXPLANATION in row else {}
    return {**record, ANSWER: answer, **extra}


def _options(path: Path, number: int, row: Mapping[str, str]) -> list[str]:
    cells = [row[letter] for letter in LETTERS if letter in row]
    while cells and not cells[-1]:
        cells.pop()
    if not cells and row.get(OPTIONS):
        text = row[OPTIONS]
        try:
            cells = split_at_letters(text)[1]
        except ValueError:
            cells = [one.strip() for one in text.replace("|", "\n").split("\n")]
    if len(cells) < 2 or not all(cells) or len(set(cells)) < len(cells):  # noqa: PLR2004 - a choice needs two
        problem = _("the options are incomplete or repeated")
        expected = _("at least 2 different options, without gaps")
        raise MedzhError(problem, file=path, line=number, field=OPTIONS, expected=expected, found=" | ".join(cells))
    return cells


def _letters_of(path: Path, number: int, answer: str, options: Sequence[str]) -> str:
    """Return the letters of an answer, which may be the text of an option."""
    if answer in options:
        return LETTERS[options.index(answer)]
    letters = "".join(sorted({one for one in _plain(answer).upper() if one not in " ,，、;；/.和"}))
    if not letters or not set(letters) <= set(LETTERS[: len(options)]):
        last = LETTERS[len(options) - 1]
        expected = _("letters from A to {last}, or the text of an option", last=last)
        problem = _("the answer is not an option")
        raise MedzhError(problem, file=path, line=number, field=ANSWER, expected=expected, found=answer)
    return letters
