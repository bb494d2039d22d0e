"""SDAK's thematic analysis: which types of atomic knowledge the queries of each intent ask for (Table 1)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.sdak.types import TYPES, find_type
from dataset_scripts.study import Drawn, Study, Tally, filled_rows, raters_note
from medzh_score.benchmark.draws import draw_first
from medzh_score.benchmark.tables import Table
from medzh_score.files.document import read_document
from medzh_score.files.input_file import InputFile
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SAMPLE = 200
SOURCE = "a KUAKE-QIC file: a JSON array of objects with id, query and label"
# The labels of the file and what the paper calls them, in the order of Table 1.
INTENTS = {
    "病情诊断": "Diagnosis",
    "病因分析": "Cause",
    "治疗方案": "Method",
    "就医建议": "Advice",
    "指标解读": "Metric_explain",
    "疾病表述": "Disease_express",
    "后果表述": "Result",
    "注意事项": "Attention",
    "功效作用": "Effect",
    "医疗费用": "Price",
}
LEFT_OUT = "其他"
# Types of Table 1 of which no claims were built: they depend on where the user is.
NOT_BUILT = ("Disease-Hospital", "Treatment-Price")


@dataclass(frozen=True)
class Query:
    """A query of KUAKE-QIC."""

    id: str
    query: str
    label: str  # its intent, in Chinese


def read_queries(path: Path) -> list[Query]:
    """Read a KUAKE-QIC file; its test part, which has no labels, is refused."""
    with InputFile(path) as file:
        queries: list[Query] = read_document(file, list[Query], SOURCE)
    seen: set[str] = set()
    for index, query in enumerate(queries):
        if query.label not in INTENTS and query.label != LEFT_OUT:
            known = ", ".join((*INTENTS, LEFT_OUT))
            raise MedzhError(
                "is no intent of KUAKE-QIC",
                file=path,
                field=f"/{index}/label",
                expected=known,
                found=query.label,
                advice="use the train or dev part; the test part has no labels",
            )
        if query.id in seen:
            raise MedzhError("comes twice", file=path, field=f"/{index}/id", found=query.id)
        seen.add(query.id)
    return queries


def draw(source: Path, sample: int, seed: int) -> Drawn:
    """Draw queries of each intent, 200 in the paper (SDAK, section 3.1); the order of the file does not matter."""
    queries = read_queries(source)
    rows, notes = [], []
    for label, intent in INTENTS.items():
        pool = [query for query in queries if query.label == label]
        drawn = draw_first(pool, lambda query: query.id, sample, seed)
        rows += [{"id": query.id, "intent": intent, "query": query.query} for query in drawn]
        if len(pool) < sample:
            notes.append(f"{intent} ({label}): the file has {len(pool)} of {sample}")
    if others := sum(query.label == LEFT_OUT for query in queries):
        notes.append(f"left out: {others} queries of the intent {LEFT_OUT}")
    return Drawn(tuple(rows), tuple(notes))


def tally(sheet: Path) -> Tally:
    """Count the types of each intent's queries, most frequent first, in the form of Table 1 (SDAK, section 3.1).

    Percentages are of an intent's typed queries; one without any has one row without type and percent. A type that
    Table 1 does not have stands under its written name.
    """
    rows = filled_rows(sheet, ("id", "intent", "type"))
    for number, row in rows:
        if row["intent"] not in INTENTS.values():
            expected = ", ".join(INTENTS.values())
            raise MedzhError(
                "is no intent", file=sheet, line=number, field="intent", expected=expected, found=row["intent"]
            )
    names = _names(row["type"] for _, row in rows if row["type"])
    lines: list[tuple[str | int | float | None, ...]] = []
    for intent in INTENTS.values():
        written = [row["type"] for _, row in rows if row["intent"] == intent]
        if written:
            lines += _lines(intent, Counter(names[_folded(text)] for text in written if text), len(written))
    untyped = sum(not row["type"] for _, row in rows)
    notes = (f"{untyped} of {len(rows)} queries are not typed and not counted", raters_note(rows, "type"))
    columns = ("Intent", "Atomic Type", "Percentage", "queries", "typed", "drawn")
    return Tally(Table("Types of atomic knowledge in the queries of each intent", columns, tuple(lines)), notes, 0)


def _lines(intent: str, counts: Counter[str], drawn: int) -> list[tuple[str | int | float | None, ...]]:
    typed = counts.total()
    if not typed:
        return [(intent, None, None, 0, 0, drawn)]
    order = [kind.name for kind in TYPES] + list(NOT_BUILT)

    def place(name: str) -> tuple[int, int, str]:
        return -counts[name], order.index(name) if name in order else len(order), name

    return [
        (intent, name, 100 * counts[name] / typed, counts[name], typed, drawn) for name in sorted(counts, key=place)
    ]


def _folded(written: str) -> str:
    """Reduce a type's name to what is compared: the known type, else the text without case, hyphens and spaces."""
    found = find_type(written)
    return re.sub(r"[-_\s]+", "", found.name).casefold()


def _names(written: Iterable[str]) -> dict[str, str]:
    """Give each type one name: that of Table 1, else the smallest of the ways in which it is written."""
    names = {_folded(name): name for name in sorted(written, reverse=True)}
    known = {_folded(name): name for name in (*(kind.name for kind in TYPES), *NOT_BUILT)}
    return {folded: known.get(folded, name) for folded, name in names.items()}


STUDY = Study(
    name="thematic",
    summary="200 queries of each intent, to each of which a type of atomic knowledge is assigned: Table 1",
    needs="source",
    source=SOURCE,
    sample=SAMPLE,
    columns=("id", "intent", "query", "type", "rater"),
    draw=draw,
    tally=tally,
)
