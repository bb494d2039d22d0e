"""A judgement names what it judged: ``<id>#r<run>v<variant>~<code>``, the code made from the very texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.blinding import letters
from medzh_score.errors import MedzhError
from medzh_score.fingerprint import canonical
from medzh_score.readers.prompt_ids import joined_id

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CODE_LETTERS = 8
JUDGED_ID = re.compile(
    r"(?P<id>[^#~]+)(?:#(?:r(?P<run>\d{1,9}))?(?:v(?P<variant>\d{1,9}))?)?~(?P<code>[a-z]{8})",
    re.ASCII | re.IGNORECASE,
)


class Key(NamedTuple):
    """A prediction, as far as it answers one record: the record's id, the run and the variant."""

    id: str
    run: int = 0
    variant: int = 0

    def __str__(self) -> str:
        """Write it as one id, parts left out when 0."""
        return joined_id(self.id, self.run, self.variant)


def code_of(round_name: str, texts: Sequence[str]) -> str:
    """Make the code of what is judged.

    Parameters
    ----------
    round_name : str
        The round that asks.
    texts : sequence of str
        What is judged, raw and unmasked, in member order.

    Returns
    -------
    str
        Eight letters of the SHA-256 of the canonical JSON ``[round, text, …]``: without digits, which a spreadsheet
        turns into numbers.

    Examples
    --------
    >>> len(code_of("audit", ["选B。"])), code_of("audit", ["选B。"]) == code_of("audit", ["选C。"])
    (8, False)
    """
    return letters(canonical([round_name, *texts]), CODE_LETTERS)


def judged_id(key: Key, code: str) -> str:
    """Write what is judged, and its code, as the id of a prompt or of a sheet's row.

    Parameters
    ----------
    key : Key
        What is judged.
    code : str
        From `code_of`.

    Examples
    --------
    >>> judged_id(Key("tcmd-0123456789-2", 1, 33), "bcdfghjk")
    'tcmd-0123456789-2#r1v33~bcdfghjk'
    """
    return f"{key}~{code}"


def split_judged_id(written: str, path: Path, number: int) -> tuple[Key, str]:
    """Take the id of a judgement apart.

    Parameters
    ----------
    written : str
        As `judged_id` writes it; the case of the code does not matter.
    path : Path
        The file, for the message.
    number : int
        The line, for the message.

    Raises
    ------
    MedzhError
        If it is no such id.
    """
    match = JUDGED_ID.fullmatch(written)
    if match is None:
        raise MedzhError(
            "does not name what was judged",
            file=path,
            line=number,
            field="id",
            expected="the id as it was written, such as tcmd-0123456789#r1v33~bcdfghjk",
            found=written,
        )
    return Key(match["id"], int(match["run"] or 0), int(match["variant"] or 0)), match["code"].lower()


def check_code(key: Key, code: str, right: str | None, path: Path, number: int) -> None:
    """Refuse a judgement of another text than the one at hand.

    Parameters
    ----------
    key : Key
        What the judgement says that it judged.
    code : str
        The code that came back with it.
    right : str or None
        The code of the text at hand; None where there is none.
    path : Path
        The file, for the message.
    number : int
        The line, for the message.

    Raises
    ------
    MedzhError
        Names the file, the line and both codes.
    """
    if right is None:
        raise MedzhError(
            "judges an answer that is not in the predictions",
            file=path,
            line=number,
            field="id",
            found=str(key),
            advice="give the predictions files of which it was made",
        )
    if code != right:
        raise MedzhError(
            "judges another answer than the one in the predictions",
            file=path,
            line=number,
            field="id",
            expected=judged_id(key, right),
            found=judged_id(key, code),
            advice="give the predictions files of which it was made",
        )
