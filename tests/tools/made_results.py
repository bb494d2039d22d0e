"""Results that were never scored: statistics that a test makes up, with the report that they give."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.registry import find_config
from medzh_score.configs.sdak.metrics import PairColumns
from medzh_score.readers.align import Coverage
from medzh_score.results.report import PrimaryMetric, Report, RuleResult
from medzh_score.results.result import Result
from medzh_score.stats.sums import TOTAL
from medzh_score.stats.values import Bootstrap, breakdowns, values

SIGNATURE = {
    "split": "test",
    "data": "1.0.0/official/01234567",
    "prompt": "paper-1",
    "form": "text",
    "shots": "0",
    "generation": "temperature 0",
    "missing": "error",
    "ddof": "1",
    "interval": "of shares wilson 95%, else none",
    "medzh_score": "0.0.0",
}
NOTHING = Coverage(*[0] * 10)


def pairs(count, labels=("A", "B"), names=()):
    """Lay out so many pairs of SDAK, each a unit, of types in turn."""
    items = tuple(names) or tuple(f"sdak-{number:05}" for number in range(count))
    types = [labels[number % len(labels)] for number in range(count)]
    return ItemIndex(items, np.zeros((count, 0), np.int64), np.arange(count), {"type": types})


def of_pairs(right, followed=None):
    """Give the statistics of pairs, shape (pairs, runs, k), from which are right and which were answered at all."""
    given = np.asarray(right, float)
    counts = np.zeros((*given.shape, PairColumns.width))
    counts[..., PairColumns.pairs], counts[..., PairColumns.right] = 1, given
    counts[..., PairColumns.followed] = 1 if followed is None else followed
    return counts


def made(folder, statistics, layout, config="sdak", **changes):
    """Make a result; the first of the rules is the chosen one, and changes are of its signature or report."""
    signed = {key: changes.pop(key) for key in list(changes) if key in SIGNATURE}
    rule, counts = next(iter(statistics.items()))
    found = find_config(config)
    by_rule = values(
        layout, np.stack(list(statistics.values())), found.metrics, bootstrap=Bootstrap(0), unit=found.unit
    )
    results = {
        name: RuleResult(by_group[TOTAL], breakdowns(by_group), {})
        for name, by_group in zip(statistics, by_rule, strict=True)
    }
    chosen = results.pop(rule)
    report = Report(
        config=config,
        rule=rule,
        metrics=chosen.metrics,
        groups=chosen.groups,
        tables={},
        rules=results,
        coverage=changes.pop("coverage", NOTHING),
        inputs=(),
        arguments={},
        signature={
            "config": config,
            **SIGNATURE,
            "items": str(len(layout.items)),
            "rule": rule,
            "runs": str(counts.shape[1]),
            **signed,
            **changes.pop("signature", {}),
        },
        model=changes.pop("model", None),
        primary_metric=PrimaryMetric(found.reporting.primary_metrics[0]),
        **dict.fromkeys(("fallback", "audit", "served_as")),
        private=False,
        summary_metrics=found.reporting.summary_metrics,
        warnings=changes.pop("warnings", ()),
    )
    empty = np.zeros(counts.shape[:2], np.int64)
    missing = changes.pop("missing_answers", empty)
    unparsed = changes.pop("unparsed", empty)
    assert not changes, changes
    by_rule_unparsed = dict.fromkeys(statistics, unparsed)
    runs = tuple(range(counts.shape[1]))
    return Result(Path(folder), report, layout, runs, statistics, by_rule_unparsed, missing, "none")
