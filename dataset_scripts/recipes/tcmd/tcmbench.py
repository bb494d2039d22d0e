"""The reader of TCMBench: single questions, and groups that stand as groups; both layouts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipes.banks.options import from_inside
from dataset_scripts.recipes.tcmd.documents import objects, parse, read_bytes, text, texts
from dataset_scripts.recipes.tcmd.rows import Raw, Reading
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

# The number of a page, left at the end of an explanation.
PAGE = re.compile(r"(?<=[。．.])\s*\d{1,3}$")


def read_tcmbench(file: Path) -> Reading:
    """Read a file of TCMBench: A1 and A2 together, A3 and A4 together, or B1.

    Its ``example`` lists single questions, whose text has the options in it, or groups with ``share_content``. Groups
    are marked; single questions are of no certain type.
    """
    document = parse(read_bytes(file), file)
    if not isinstance(document, dict) or "example" not in document:
        raise MedzhError("not a file of TCMBench", file=file, field="/example", expected="an object with examples")
    reading = Reading()
    for pointer, member in objects(document["example"], file, "/example"):
        if isinstance(member.get("question"), list):
            _group(reading, member, file, pointer)
        else:
            question, options = from_inside(text(member, "question", file, pointer, needed=True))
            key = text(member, "index", file, pointer)
            reading.add(_raw(member, question, options, file, pointer, key), labels=_labels(member, file, pointer))
    return reading


def _group(reading: Reading, member: dict[str, Any], file: Path, pointer: str) -> None:
    shared = text(member, "share_content", file, pointer, needed=True)
    stem, shared_options = from_inside(shared)
    index = text(member, "index", file, pointer)
    labels = _labels(member, file, pointer)
    for place, (inner, part) in enumerate(objects(member["question"], file, f"{pointer}/question"), start=1):
        question, options = from_inside(text(part, "sub_question", file, inner, needed=True))
        key = f"{index}-{place}" if index else ""
        if shared_options:
            raw = _raw(part, question, shared_options, file, inner, key)
            reading.add(raw, "B1", pointer, labels)
        else:
            raw = _raw(part, question, options, file, inner, key, stem)
            reading.add(raw, "A3", pointer, labels)


def _raw(  # noqa: PLR0913, PLR0917 - one per part of a question
    member: dict[str, Any],
    question: str,
    options: tuple[tuple[str, str], ...],
    file: Path,
    pointer: str,
    key: str,
    stem: str = "",
) -> Raw:
    answer = ",".join(texts(member.get("answer"), file, f"{pointer}/answer"))
    explanation = PAGE.sub("", text(member, "analysis", file, pointer).strip())
    return Raw(question, options, answer, explanation, key, stem)


def _labels(member: dict[str, Any], file: Path, pointer: str) -> tuple[str, ...]:
    point = text(member, "knowledge_point", file, pointer).strip()
    return (f"knowledge_point: {point}",) if point else ()
