"""The readers of KaMed's graph of entities and of QiZhenGPT's table of indications."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from dataset_scripts.files.json_lines import UTF_8, decoded_lines
from dataset_scripts.recipes.sdak.content import Content, Value
from dataset_scripts.recipes.sdak.medicines import is_western
from medzh_score.files.csv_reader import ORDINARY_CELL, csv_reader
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Each edge stands there twice, once a direction; these are the directions of SDAK's types.
RELATIONS = {
    "contains_symptom": "Disease-Symptom",
    "treated_by": "Disease-Medicine",
    "to_treat": "Western Medicine-Effect",
    "adverse_reaction": "Western Medicine-SideEffect",
    "complication_to": "Diseases-Complication",
    "caused_by": "Disease-Cause",
    "check_item": "Disease-Examination",
}
GRAPH = ("HEAD", "RELATION", "TAIL")
INDICATIONS = ("药品", "药品适应症", "医学专家标注的适应病症")
# A medicine for what these diseases bring about, which is no medicine for them.
BROUGHT_ABOUT = re.compile("(?:疾病|药物|手术|原因)[^，。；]{0,8}引起的")
MEDICINE = re.compile("^Western Medicine")


def read_kamed_graph(file: Path, source: str) -> Content:
    """Read the graph: a value for each edge of a relation that is one of SDAK's types."""
    content = Content()
    for head, relation, tail in _columns(file, GRAPH):
        kind = RELATIONS.get(relation)
        if kind and (not MEDICINE.match(kind) or is_western(head)):
            content.values.append(Value(kind, head, tail.strip("."), source))
    return content


def read_indications(file: Path, source: str) -> Content:
    """Read the indications that physicians marked, which the table parts by ``|``.

    Those of a label that speaks of what diseases bring about are passed over: they name the diseases.
    """
    content = Content()
    for medicine, label, indications in _columns(file, INDICATIONS):
        if BROUGHT_ABOUT.search(label):
            continue
        for text in filter(None, map(str.strip, indications.split("|"))):
            content.values.append(Value("Disease-Medicine", text, medicine, source))
            if is_western(medicine):
                content.values.append(Value("Western Medicine-Effect", medicine, text, source))
    return content


def _columns(file: Path, names: tuple[str, ...]) -> Iterator[list[str]]:
    lines = (f"{line}\n" for line in decoded_lines(file, UTF_8))
    reader = csv_reader(lines, largest=ORDINARY_CELL, strict=True)
    try:
        head = next(reader, [])
        for missing in (name for name in names if name not in head):
            raise MedzhError(
                "a column is missing", file=file, line=1, field=missing, expected=", ".join(names), found=head
            )
        places = [head.index(name) for name in names]
        for row in reader:
            if len(row) > max(places) and all(row[place].strip() for place in places):
                yield [row[place].strip() for place in places]
    except csv.Error as error:
        raise MedzhError(f"not CSV: {error}", file=file, line=reader.line_num) from error
