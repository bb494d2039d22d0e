"""A judgement names what it judged: ``<id>#r<run>v<variant>~<code>``, the code made from the very texts."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from medzh_score.data.integrity import canonical
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import Worded, quotable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


MARK = "~"  # no character of record ids
NO_VARIANTS = _("prompts of a stage have only one option order")
CODE = "answer_hash"  # of a sheet, the column in which it stands
CODE_LETTERS = 8
# A spreadsheet takes 12345678 for a number and 1234e567 for a larger one: a code has no digits, and spells no words.
_LETTERS = str.maketrans("0123456789abcdef", "bcdfghjkmnpqrstv")
_CODE = re.compile(f"[{''.join(map(chr, _LETTERS.values()))}]{{{CODE_LETTERS}}}", re.IGNORECASE)
JUDGED_ID = re.compile(
    r"(?P<id>[^#~]+)(?:#(?:r(?P<run>\d{1,9}))?(?:v(?P<variant>\d{1,9}))?)?~(?P<code>[a-z]{8})",
    re.ASCII | re.IGNORECASE,
)


class AnswerKey(NamedTuple):
    """A prediction, as far as it answers one record: the record's id, the run and the variant."""

    id: str
    run: int = 0
    variant: int = 0

    def __str__(self) -> str:
        """Write it as one id, parts left out when 0."""
        return joined_id(self.id, self.run, self.variant)


def key_text(key: AnswerKey) -> str:
    """Name a prediction for people, who count runs from 1."""
    values = {"id": quotable(key.id), "run": key.run + 1, "variant": key.variant}
    if key.variant:
        return _("{id} (run {run}, option order {variant})", **values)
    return _("{id} (run {run})", **values)


def code_of(stage_name: str, texts: Sequence[str]) -> str:
    """Make the code of what is judged."""
    digest = hashlib.sha256(canonical([stage_name, *texts]).encode()).hexdigest()
    return digest[:CODE_LETTERS].translate(_LETTERS)


def judged_id(key: AnswerKey, code: str) -> str:
    """Write what is judged, and its code, as the id of a prompt or of a sheet's row."""
    return f"{key}~{code}"


def split_judged_id(written: str, path: Path, number: int) -> tuple[AnswerKey, str]:
    """Take the id of a judgement apart."""
    match = JUDGED_ID.fullmatch(written)
    if match is None:
        raise MedzhError(
            _("the id has no valid answer hash"),
            file=path,
            line=number,
            field="id",
            expected=_("the unchanged id, such as tcmd-0123456789#r1v33~bcdfghjk"),
            found=written,
        )
    return AnswerKey(match["id"], int(match["run"] or 0), int(match["variant"] or 0)), match["code"].lower()


def judged_item_of(written: str, cell: str, path: Path, number: int) -> tuple[AnswerKey, str]:
    """Say what a row of a round about items names: an item, and the code of what was judged of it."""
    key, code = split_judged_id(written, path, number) if MARK in written else (AnswerKey(written), "")
    if cell and (_CODE.fullmatch(cell) is None or cell.lower() != (code or cell.lower())):
        raise MedzhError(
            _("the answer hash does not belong to this row"),
            file=path,
            line=number,
            field=CODE,
            expected=code or _("the {code_letters} letters of the original file", code_letters=CODE_LETTERS),
            found=cell,
        )
    if key.variant:
        raise MedzhError(NO_VARIANTS, file=path, line=number, field="variant", expected="0", found=key.variant)
    return key, code or cell.lower()


def check_code(key: AnswerKey, code: str, right: str | None, path: Path, number: int) -> None:
    """Refuse a judgement of another text than the one at hand."""
    if right is None:
        raise MedzhError(
            _("the answer is not in the predictions file"),
            file=path,
            line=number,
            field="id",
            found=Worded(key_text(key)),
            advice=_("pass the predictions files from which this file was created"),
        )
    if code != right:
        raise MedzhError(
            _("the answer hash does not match the predictions file"),
            file=path,
            line=number,
            field="id",
            expected=judged_id(key, right),
            found=judged_id(key, code),
            advice=_("pass the predictions files from which this file was created"),
        )


HIGHEST_RUN = 999_999_999  # seeds and dates may stand for runs
MOST_RUNS = 2_000  # a line number taken for a run would fill the memory with columns of one answer each
Number = Annotated[int, msgspec.Meta(ge=0)] | None
PROMPT_ID = re.compile(r"(?P<id>.+?)(?:#(?:r(?P<run>\d{1,9}))?(?:v(?P<variant>\d{1,9}))?)?", re.ASCII)


def joined_id(prompt_id: str, run: int, variant: int) -> str:
    """Write id, run and variant as one id."""
    parts = (f"r{run}" if run else "") + (f"v{variant}" if variant else "")
    return f"{prompt_id}#{parts}" if parts else prompt_id


def split_id(joined: str) -> AnswerKey:
    """Take an id apart."""
    match = PROMPT_ID.fullmatch(joined) if "#" in joined else None
    if match is None:
        return AnswerKey(joined)
    return AnswerKey(match["id"], int(match["run"] or 0), int(match["variant"] or 0))


class AskedFields(msgspec.Struct):
    """The fields of a record or prompt line, carried along by a tool, that say what was asked."""

    id: str = ""
    run: Number = None
    variant: Number = None

    @property
    def key(self) -> AnswerKey:
        """The id, run and variant; those in the id first."""
        key = split_id(self.id)
        return AnswerKey(key.id, key.run or self.run or 0, key.variant or self.variant or 0)
