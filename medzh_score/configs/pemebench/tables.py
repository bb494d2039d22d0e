"""PeMeBench's own tables: the profiles in the form of Table 3, the lengths that drive F, and the entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.config import Table
from medzh_score.configs.pemebench.metrics import EXTRACTED, METRICS, PRIMARY, entities_of_items, total_of
from medzh_score.stats import overlap_metrics
from medzh_score.stats.overlap_metrics import OverlapColumns as C
from medzh_score.ui.i18n import _
from medzh_score.ui.numbers import rounded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.benchmark.stages import Annotations

FURTHER = ("Hall_sentence", "Recall_entity", "S_total")  # columns of Table 3


def tables(
    layout: ItemIndex, answers: AnswerTable, counts: NDArray[np.float64], judged: Mapping[str, Annotations]
) -> dict[str, Table]:
    """Make the tables of `pemebench` (PeMeBench, Table 3)."""
    title = "Metrics by profile, in the layout of Table 3 of the paper"
    return {
        "profiles": _profiles(title, METRICS, counts, FURTHER),
        "entities": _entities(layout, judged),
        "lengths": _lengths(answers.runs, counts),
    }


def overlap_tables(
    _layout: ItemIndex, answers: AnswerTable, counts: NDArray[np.float64], _judged: Mapping[str, Annotations]
) -> dict[str, Table]:
    """Make the tables of a config of overlap alone (PeMeBench, Table 4)."""
    title = "Metrics by profile, in the layout of Table 4 of the paper"
    return {
        "profiles": _profiles(title, overlap_metrics.METRICS, counts, ()),
        "lengths": _lengths(answers.runs, counts),
    }


def _profiles(title: str, metrics: Sequence[Metric], counts: NDArray[np.float64], further: Sequence[str]) -> Table:
    """Put what each profile reads as BLEU, R-1, R-2 and R-L into a row."""
    sums = counts.sum(axis=0)
    rows = []
    for profile in overlap_metrics.PROFILES:
        names = [*profile.parts, *(total_of(profile) if name == PRIMARY else name for name in further)]
        found = (pick("metric", metrics, name).formula(sums) for name in names)
        rows.append((profile.name, *map(_mean_over_runs, found)))
    return Table(title, ("profile", *overlap_metrics.PRINTED, *further), tuple(rows))


def _mean_over_runs(per_run: NDArray[np.float64]) -> float | None:
    defined = per_run[~np.isnan(per_run)]
    return float(defined.mean()) if len(defined) else None


def _entities(layout: ItemIndex, judged: Mapping[str, Annotations]) -> Table:
    found = entities_of_items(layout, judged)
    extracted = layout.item_values[EXTRACTED]
    rows = (
        ("questions with entities", sum(bool(one.kept) for one in found)),
        ("questions without entities (excluded from entity recall)", sum(not one.kept for one in found)),
        (
            "of these, questions with no entity extraction yet",
            sum(not (there or one.judged) for there, one in zip(extracted, found, strict=True)),
        ),
        ("entities, counted once per question", sum(len(one.kept) for one in found)),
        ("entities excluded because they are not in the reference", sum(one.left_out for one in found)),
        ("questions with entities from stage entities", sum(one.judged for one in found)),
    )
    return Table("Key entities of the references", ("what", "count"), rows)


def length_lines(made: Mapping[str, Table]) -> list[str]:
    """State how long answers and references are on average."""
    answered = [(row[-2], row[-1]) for row in made["lengths"].rows if row[-2] is not None]
    if not answered:
        return []
    answer, reference = (sum(map(float, column)) / len(column) for column in zip(*answered, strict=True))
    values = {"answer": rounded(answer, 1), "reference": rounded(reference, 1)}
    return [_("mean length in characters: answers {answer}, references {reference}", **values)]


def _lengths(runs: Sequence[int], counts: NDArray[np.float64]) -> Table:
    """Say how long answers and references are, without white space: length alone moves ROUGE's F."""
    rows = []
    for run, sums in zip(runs, counts.sum(axis=0), strict=True):
        items, answered = int(sums[C.items]), int(sums[C.answered])
        rows.append(
            (
                run,
                items,
                answered,
                int(sums[C.empty]),
                float(sums[C.predicted_characters] / answered) if answered else None,
                float(sums[C.reference_characters] / items) if items else None,
            )
        )
    heads = ("run", "questions", "answered", "empty", "mean answer", "mean reference")
    return Table("Mean lengths in characters", heads, tuple(rows))
