"""The reader of MLEC-QA: a JSON list, shared stems and options written out with each question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipes.banks.options import from_mapping
from dataset_scripts.recipes.tcmd.documents import mapping, objects, parse, read_bytes, text
from dataset_scripts.recipes.tcmd.rows import Raw, Reading
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {"A1型题": "A1", "A2型题": "A2", "A3/A4型题": "A3", "B1型题": "B1"}


def read_mlec(file: Path) -> Reading:
    """Read a file of MLEC-QA, such as ``TCM_train.json`` or ``CWM_test.json``.

    Rows have their types; groups are not told apart here.
    """
    reading = Reading()
    for pointer, member in objects(parse(read_bytes(file), file), file, ""):
        written = text(member, "qtype", file, pointer, needed=True).strip()
        if written not in KINDS:
            raise MedzhError(
                "an unknown type", file=file, field=f"{pointer}/qtype", expected=", ".join(KINDS), found=written
            )
        if text(member, "qimage", file, pointer).strip():
            reading.dropped["image"] += 1
            continue
        raw = Raw(
            text(member, "qtext", file, pointer, needed=True),
            from_mapping(mapping(member.get("options"), file, f"{pointer}/options")),
            text(member, "answer", file, pointer),
            key=text(member, "qid", file, pointer),
        )
        reading.add(raw, KINDS[written])
    return reading
