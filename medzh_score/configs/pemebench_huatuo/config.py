"""The pediatric questions of Huatuo-26M that a user selects from their own file: overlap alone (PeMeBench, Table 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.asking import one_a_record
from medzh_score.benchmark.columns import ID, TEXT
from medzh_score.benchmark.config import Config
from medzh_score.benchmark.layout import Layout, each_alone
from medzh_score.configs.pemebench.config import RULES
from medzh_score.configs.pemebench.prompts import DECODING, PLAIN
from medzh_score.configs.pemebench.tables import overlap_tables
from medzh_score.statistics.formulas import overlap
from medzh_score.statistics.formulas.overlap_counts import REFERENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.layout import Record


def layout(records: Sequence[Record]) -> Layout:
    """Make an item and a unit of each question, by id: intervals must not depend on an order."""
    order = sorted(range(len(records)), key=lambda index: records[index]["id"])
    return Layout(
        items=tuple(records[index]["id"] for index in order),
        members=np.array(order, np.int64)[:, np.newaxis],
        units=np.arange(len(order)),
        groups={},
        texts={REFERENCE: [(records[index]["answer"],) for index in order]},
    )


CONFIG = Config(
    name="pemebench_huatuo",
    title="PeMeBench's Table 4: pediatric questions of Huatuo-26M; how much of the reference does an answer repeat?",
    unit="percent",
    columns={"id": ID, "answer": TEXT},
    prompts=(PLAIN,),
    decoding=DECODING,
    rules=RULES,
    layout=layout,
    asker=one_a_record,
    asked=each_alone,
    statistics=overlap.statistics,
    metrics=overlap.METRICS,
    tables=overlap_tables,
    verdict=overlap.verdict,
    headline=overlap.HEADLINE,
    shown=overlap.SHOWN,
    item_metrics=overlap.ITEM_METRICS,
    signed=overlap.signed,
)
