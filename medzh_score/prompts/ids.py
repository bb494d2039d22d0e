"""Ids as other tools carry them, run and variant at their end: ``<id>#r<run>v<variant>``, parts left out when 0."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec

MOST_RUNS = 2_000  # a line number taken for a run would fill the memory with columns of one answer each
Number = Annotated[int, msgspec.Meta(ge=0)] | None
PROMPT_ID = re.compile(r"(?P<id>.+?)(?:#(?:r(?P<run>\d{1,9}))?(?:v(?P<variant>\d{1,9}))?)?", re.ASCII)


def joined_id(prompt_id: str, run: int, variant: int) -> str:
    """Write id, run and variant as one id.

    Examples
    --------
    >>> joined_id("sdak-disease_cause-0001-f", 2, 0)
    'sdak-disease_cause-0001-f#r2'
    """
    parts = (f"r{run}" if run else "") + (f"v{variant}" if variant else "")
    return f"{prompt_id}#{parts}" if parts else prompt_id


def split_id(joined: str) -> tuple[str, int, int]:
    """Take an id apart.

    Examples
    --------
    >>> split_id("sdak-disease_cause-0001-f#r2")
    ('sdak-disease_cause-0001-f', 2, 0)
    """
    if "#" not in joined:
        return joined, 0, 0
    match = PROMPT_ID.fullmatch(joined)
    if match is None:
        return joined, 0, 0
    return match["id"], int(match["run"] or 0), int(match["variant"] or 0)


class AskedFields(msgspec.Struct):
    """The fields of a record or prompt line, carried along by a tool, that say what was asked."""

    id: str = ""
    run: Number = None
    variant: Number = None

    def parts(self) -> tuple[str, int, int]:
        """Give id, run and variant."""
        prompt_id, run, variant = split_id(self.id)
        return prompt_id, run or self.run or 0, variant or self.variant or 0
