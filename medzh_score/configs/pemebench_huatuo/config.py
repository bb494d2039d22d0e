"""The pediatric questions of Huatuo-26M that a user selects from their own file: overlap alone (PeMeBench, Table 4)."""

from __future__ import annotations

from medzh_score.benchmark.asking import one_a_record
from medzh_score.benchmark.columns import ID, TEXT
from medzh_score.benchmark.config import Config
from medzh_score.benchmark.layout import each_alone
from medzh_score.benchmark.record_layout import ItemARecord
from medzh_score.configs.pemebench.config import RULES, reference_of
from medzh_score.configs.pemebench.prompts import DECODING, PLAIN
from medzh_score.configs.pemebench.tables import overlap_tables
from medzh_score.statistics.formulas import overlap
from medzh_score.statistics.formulas.overlap_counts import REFERENCE

CONFIG = Config(
    name="pemebench_huatuo",
    title="PeMeBench's Table 4: pediatric questions of Huatuo-26M; how much of the reference does an answer repeat?",
    unit="percent",
    columns={"id": ID, "answer": TEXT},
    prompts=(PLAIN,),
    decoding=DECODING,
    rules=RULES,
    layout=ItemARecord(texts={REFERENCE: reference_of}),
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
