"""An error as one line, in the language that was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import translated
from medzh_score.messages.errors import printable, shown
from medzh_score.messages.languages import CHINESE, current

if TYPE_CHECKING:
    from medzh_score.messages.errors import MedzhError


def error_line(error: MedzhError) -> str:
    """Say what is wrong, where, and what to do, as one line.

    Examples
    --------
    >>> from medzh_score.messages.errors import MedzhError
    >>> error_line(MedzhError("is empty", file="p.jsonl"))
    'p.jsonl: is empty'
    """
    if current.get() != CHINESE:
        return str(error)
    place = "" if error.file is None else error.file + (f":{error.line}" if error.line is not None else "") + "："
    kind = "选项" if error.field is not None and error.field.startswith("--") else "字段"
    field = "" if error.field is None else f"{kind} {error.field}："
    parts = [place + field + translated(error.problem)]
    if error.expected is not None:
        parts.append(f"应为 {translated(error.expected)}")
    if error.found is not None:
        parts.append(f"实为 {translated(shown(error.found))}")
    if error.advice is not None:
        parts.append(translated(error.advice))
    if meant := error.probably():
        parts.append(translated(f"did you mean {meant}?"))
    return printable("；".join(parts).replace("\n", " "))
