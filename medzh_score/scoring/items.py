"""The items file: for each item and run the answers, the rules that found them, and the verdict or the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.io.atomic import open_for_writing
from medzh_score.scoring.withholding import judgement
from medzh_score.ui.i18n import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.stages import Annotations, Stage
    from medzh_score.scoring.inputs import ScoringInputs


def write_items(path: Path, read: ScoringInputs, statistics: Mapping[str, NDArray[np.float64]]) -> None:
    """Write a JSON line per item and run, missing ones included, in the order of the items' ids.

    Where an item is not simply right or wrong, ``scores`` stands in the place of ``right``: the config's metrics of
    items, each the metric's formula on the item's own statistics, null where it is undefined.
    """
    encoder = msgspec.json.Encoder(enc_hook=plain_text)
    with open_for_writing(path) as stream:
        for line in _lines(read, statistics):
            stream.write(encoder.encode(line) + b"\n")


def _lines(read: ScoringInputs, statistics: Mapping[str, NDArray[np.float64]]) -> Iterator[dict[str, Any]]:
    config, rule, layout, ids = read.config, read.rule.name, read.layout, read.ids
    scores = {name: item_scores(config, counts) for name, counts in statistics.items()}
    came_back = read.judged_by_rule[rule]
    rounds = [pick("--round", config.stages, name) for name in came_back]
    for index, item in enumerate(layout.items):
        groups = {breakdown: labels[index] for breakdown, labels in layout.groups.items()}
        for position, run in enumerate(read.table.runs):
            by_rule = {
                name: {
                    "verdict": config.reporting.verdict(statistics[name][index, position]),
                    **_scored(config, scores[name][index][position]),
                    "answers": list(_answers(table, layout.members[index], ids, run)),
                }
                for name, table in read.collected.tables.items()
            }
            told = _scored(config, scores[rule][index][position])
            top = told or {"right": by_rule[rule]["verdict"] == "right"}
            came = {later.name: judgement(config, _came(later, came_back[later.name], item, run)) for later in rounds}
            more = {"rounds": came} if came else {}
            yield {"item": item, "run": run, "groups": groups, "rule": rule, **top, "rules": by_rule, **more}


def _came(later: Stage, found: Annotations, item: str, run: int) -> Mapping[str, Any] | None:
    key = item, run if later.about == "answers" else 0
    return found.by_name(key) or None if later.many else found.values.get(key)


def item_scores(config: Config, counts: NDArray[np.float64]) -> list[list[list[float]]]:
    """Compute the metrics of items, shape (items, runs, metrics); nan where undefined, which JSON writes as null."""
    formulas = [pick("metric", config.metrics, name).formula for name in config.reporting.item_metrics]
    if not formulas:
        return np.zeros((*counts.shape[:2], 0)).tolist()  # type: ignore[no-any-return]
    return np.stack([formula(counts) for formula in formulas], axis=2).tolist()  # type: ignore[no-any-return]


def _scored(config: Config, scores: Sequence[float]) -> dict[str, Any]:
    return {"scores": dict(zip(config.reporting.item_metrics, scores, strict=True))} if scores else {}


def _answers(
    table: AnswerTable, members: NDArray[np.int64], ids: Sequence[str], run: int
) -> Iterator[dict[str, str | int | None]]:
    for position, variant in enumerate(table.variants):
        column = table.columns[run, variant]
        for member in members[table.expected[members, position]].tolist():
            answer = column[member]
            found = ("missing", None, None) if answer is None else (answer.why, answer.value, answer.note)
            yield {"id": ids[member], "variant": variant, "answer": found[1], "found_by": found[0], "note": found[2]}
