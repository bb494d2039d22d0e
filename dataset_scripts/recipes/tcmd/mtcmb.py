"""The reader of MTCMB's examination questions (TCM-ED-A and TCM-ED-B), one object a line."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.json_lines import read_objects
from dataset_scripts.recipes.banks.options import from_mapping, from_texts
from dataset_scripts.recipes.tcmd.documents import mapping, text, texts
from dataset_scripts.recipes.tcmd.rows import Raw, Reading, plain, settle

if TYPE_CHECKING:
    from pathlib import Path

    from dataset_scripts.recipes.banks.options import Lettered

LOST = "stem lost"
LOST_SECTION = 1 / 3  # of its questions
NUMBER = re.compile(r"\s*(\d{1,3})\s*[.．、]\s*")


def read_mtcmb(file: Path) -> Reading:
    """Read TCM-ED-A, a sample of a bank, or TCM-ED-B, papers whose questions begin with their numbers.

    The number is taken off where the whole file has them. Neighbours of a paper with the same options that ask
    different things are B1: their numbers follow each other, so nothing was between them. A sample keeps no neighbours.
    The sections of the papers whose questions shared cases have lost them: where a third of a section asks about a case
    that is not there, nothing of it is taken.
    """
    rows = [(f"line {line}", row) for line, row in read_objects(file)]
    numbers, raws = _unnumbered([_raw(row, file, pointer) for pointer, row in rows])
    reading = Reading()
    for section in _sections(numbers, len(raws)):
        asked = [raws[place] for place in section]
        lost = sum(settle(raw) == LOST for raw in asked)
        if numbers and lost >= LOST_SECTION * len(asked):
            reading.dropped[LOST] += len(asked)
            continue
        for place, raw in enumerate(asked):
            beside = asked[max(place - 1, 0) : place] + asked[place + 1 : place + 2]
            shared = bool(numbers) and any(_share(raw, other) for other in beside)
            reading.add(raw, "B1" if shared else None)
    return reading


def _raw(row: dict[str, Any], file: Path, pointer: str) -> Raw:
    question = text(row, "question", file, pointer, needed=True)
    answer, key = text(row, "answer", file, pointer), text(row, "id", file, pointer)
    return Raw(question, _options(row, file, pointer), answer, key=key)


def _unnumbered(raws: list[Raw]) -> tuple[list[int], list[Raw]]:
    """Take the numbers off; there are none where a question has none."""
    numbers = [found for raw in raws if (found := NUMBER.match(raw.question))]
    if len(numbers) < len(raws):
        return [], raws
    bare = [replace(raw, question=raw.question[found.end() :]) for raw, found in zip(raws, numbers, strict=True)]
    return [int(found[1]) for found in numbers], bare


def _sections(numbers: list[int], total: int) -> list[range]:
    """Give the places of questions whose numbers follow each other; all of them where there are no numbers."""
    starts = [place for place in range(1, len(numbers)) if numbers[place] != numbers[place - 1] + 1]
    return [range(start, end) for start, end in pairwise([0, *starts, total])]


def _options(row: dict[str, Any], file: Path, pointer: str) -> Lettered:
    options = row.get("options")
    if isinstance(options, list):
        return from_texts(texts(options, file, f"{pointer}/options"))
    return from_mapping(mapping(options, file, f"{pointer}/options"))


def _share(one: Raw, other: Raw) -> bool:
    return one.options == other.options and plain(one.question) != plain(other.question)
