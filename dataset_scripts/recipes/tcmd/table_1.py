"""The paper's Table 1 beside a build: how many questions of each type each subject has."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.tcmd.values import subject_named
from medzh_score.configs.tcmd.exam import REALM_OF, SUBJECTS, TYPES
from medzh_score.report.paper import load_paper

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record

TITLE = "Questions in train/test, of the paper's Table 1 and of this build"
Pair = tuple[int, int]
Row = tuple[Pair, ...]


def table_1(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Count the questions of each type that each subject has, beside what the paper prints.

    Cells are ``train/test``, the paper's and the build's in turn.
    """
    counts = Counter(
        (record["subject"], record["type"], split) for split, records in splits.items() for record in records
    )
    paper = printed()
    here = {
        subject: tuple((counts[subject, kind, "train"], counts[subject, kind, "test"]) for kind in TYPES)
        for subject in SUBJECTS
    }
    rows = [(REALM_OF[subject].name, subject, *_cells(paper[subject], here[subject])) for subject in SUBJECTS]
    rows.append(("all", "all", *_cells(_sum(paper.values()), _sum(here.values()))))
    heads = [f"{kind}, {whose}" for kind in (*TYPES, "all") for whose in ("paper", "here")]
    return BuildTable(TITLE, ("realm", "subject", *heads), tuple(rows))


def printed() -> dict[str, Row]:
    """Give the counts that the paper prints: ``train`` and ``test`` of each type, by the subject's Chinese name."""
    (table,) = (table for table in load_paper("tcmd").tables if table.number == 1)
    return {
        subject_named(str(row["subject"])): tuple(
            (int(row[f"{kind.lower()}_train"] or 0), int(row[f"{kind.lower()}_test"] or 0)) for kind in TYPES
        )
        for row in table.rows
    }


def _cells(paper: Row, here: Row) -> Iterator[str]:
    for pairs in (*zip(paper, here, strict=True), (_whole(paper), _whole(here))):
        yield from (f"{train}/{test}" for train, test in pairs)


def _whole(row: Row) -> Pair:
    return sum(train for train, _ in row), sum(test for _, test in row)


def _sum(rows: Iterable[Row]) -> Row:
    return tuple(_whole(column) for column in zip(*rows, strict=True))
