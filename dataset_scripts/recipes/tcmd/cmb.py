"""The reader of CMB-Exam, alone or inside CMB.zip, and of what has its shape (TCM-BEST4SDT)."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipes.banks.options import from_mapping
from dataset_scripts.recipes.tcmd.documents import mapping, objects, parse, read_bytes, text
from dataset_scripts.recipes.tcmd.rows import Raw, Reading
from medzh_score.files.archives import BoundedZip
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SEVERAL = "多项选择题"
LABELS = ("exam_type", "exam_class", "exam_subject", "class")
ARCHIVED = ("CMB-train-merge.json", "CMB-val-merge.json", "CMB-test-choice-question-merge.json")


def read_cmb(file: Path, answers: Path | None = None) -> Reading:
    """Read a file in the format of CMB-Exam; groups are not marked, and the test file has its answers apart, by id."""
    known = _answers(answers)
    return _read(parse(read_bytes(file), file), file, known)


def read_cmb_zip(file: Path, answers: Path | None = None) -> Reading:
    """Read train, val and test of CMB-Exam out of CMB.zip, of which nothing is unpacked to the disk.

    Without the answers of the test file its rows have none.
    """
    known, reading = _answers(answers), Reading()
    try:
        with BoundedZip(file, io.BytesIO(read_bytes(file))) as archive:
            names = [name for name in sorted(archive.namelist()) if name.rpartition("/")[2] in ARCHIVED]
            contents = [archive.read(name) for name in names]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise MedzhError(f"not a zip archive that can be read: {error}", file=file) from error
    if not names:
        raise MedzhError("not the archive of CMB", file=file, expected=" or ".join(ARCHIVED))
    for content in contents:
        part = _read(parse(content, file), file, known)
        reading.rows += part.rows
        reading.dropped += part.dropped
    return reading


def _answers(file: Path | None) -> dict[str, str]:
    if file is None:
        return {}
    listed = objects(parse(read_bytes(file), file), file, "")
    return {
        text(member, "id", file, pointer, needed=True): text(member, "answer", file, pointer)
        for pointer, member in listed
    }


def _read(value: object, file: Path, answers: Mapping[str, str]) -> Reading:
    reading = Reading()
    for pointer, member in objects(value, file, ""):
        if text(member, "question_type", file, pointer).strip() == SEVERAL:
            reading.dropped["several answers"] += 1
            continue
        key = text(member, "id", file, pointer)
        # Only the test file lacks the answers and has them elsewhere.
        answer = text(member, "answer", file, pointer) if "answer" in member else answers.get(key, "")
        raw = Raw(
            text(member, "question", file, pointer, needed=True),
            from_mapping(mapping(member.get("option"), file, f"{pointer}/option")),
            answer,
            text(member, "explanation", file, pointer),
            key,
        )
        reading.add(raw, labels=_labels(member, file, pointer))
    return reading


def _labels(member: dict[str, Any], file: Path, pointer: str) -> tuple[str, ...]:
    values = ((name, text(member, name, file, pointer).strip()) for name in LABELS)
    return tuple(f"{name}: {value}" for name, value in values if value)
