"""The paper's Table 1 beside a build: how long the questions and answers of each class are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.pemebench.records import CLASSES
from medzh_score.configs.pemebench.prompts import department_named
from medzh_score.report.paper import load_paper

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import Record

TITLE = "Characters of questions (Q) and answers (A), of the paper's Table 1 and of this build"
MEASURES = ("min", "max", "mean")
SIDES = {"q": "question", "a": "answer"}
WHOLE = "all"


def table_1(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Measure the questions and answers of each class, beside what the paper prints.

    The paper does not print its own numbers of records. A cell is ``paper/here``, with ``-`` for a class without
    records. A character is a code point, blanks and punctuation included; means have one decimal.
    """
    paper = printed()
    records = [record for part in splits.values() for record in part]
    rows: list[tuple[str | int, ...]] = []
    for name in (*CLASSES, WHOLE):
        members = [record for record in records if name in {record["department"], WHOLE}]
        here = _measured(members)
        rows.append((name, len(members), *(f"{paper[name][key]}/{here[key]}" for key in here)))
    heads = [f"{measure} {side.upper()}, paper/here" for measure in MEASURES for side in SIDES]
    return BuildTable(TITLE, ("class", "records here", *heads), tuple(rows))


def printed() -> dict[str, dict[str, str]]:
    """Give the lengths that the paper prints, by class and for ``all``: ``min_q``, ``min_a``, … ``mean_a``."""
    (table,) = (table for table in load_paper("pemebench").tables if table.number == 1)
    rows = {department_named(str(row["class"])): row for row in table.rows}
    (rows[WHOLE],) = (total.cells for total in table.footer)
    return {name: {key: str(row[key]) for key in _measured([])} for name, row in rows.items()}


def _measured(records: Sequence[Record]) -> dict[str, str]:
    lengths = {side: [len(record[field]) for record in records] for side, field in SIDES.items()}
    return {f"{measure}_{side}": _measure(measure, lengths[side]) for measure in MEASURES for side in SIDES}


def _measure(measure: str, lengths: Sequence[int]) -> str:
    if not lengths:
        return "-"
    if measure == "mean":
        return f"{sum(lengths) / len(lengths):.1f}"
    return str(min(lengths) if measure == "min" else max(lengths))
