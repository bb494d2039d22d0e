"""A report as tidy rows, one a metric, group and rule: what CSV, Arrow and pandas all come from."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from medzh_score.messages.errors import MedzhError
from medzh_score.report.numbers import runs_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import pandas as pd
    import pyarrow as pa

    from medzh_score.report.rule_result import RuleResult
    from medzh_score.statistics.values import Value

    TidyRow = dict[str, Any]
    Place = tuple[str | None, str | None, Mapping[str, Value]]

NUMBERS, COUNTS = ("value", "low", "high", "std"), ("ddof", "runs", "n")
NUMBERS_OF_RUNS, COUNTS_OF_RUNS = "per_run", "n_per_run"
COLUMNS = (
    *("config", "model", "rule", "breakdown", "group", "metric"),
    *("value", "low", "high", "interval", "std", "ddof", "runs", "n", "unit", "direction", "why"),
    *(NUMBERS_OF_RUNS, COUNTS_OF_RUNS),
)


def tidy_rows(config: str, model: str | None, results: Mapping[str, RuleResult]) -> Iterator[TidyRow]:
    """Give the rows of a report, rule by rule: of each first those of all items, which have no breakdown and no group.

    ``runs`` counts the runs in which a metric is defined; all else is as in the report.
    """
    for rule, result in results.items():
        places: list[Place] = [(None, None, result.metrics)]
        places += [(name, group, found) for name, groups in result.groups.items() for group, found in groups.items()]
        for breakdown, group, named in places:
            of = {"config": config, "model": model, "rule": rule, "breakdown": breakdown, "group": group}
            for metric, value in named.items():
                yield {**of, "metric": metric, **asdict(value), "runs": runs_of(value)}


def arrow_table(rows: Iterable[TidyRow]) -> pa.Table:
    """Put rows into a table of Arrow."""
    import pyarrow as pa

    types = dict.fromkeys(COLUMNS, pa.string())
    types |= dict.fromkeys(NUMBERS, pa.float64()) | dict.fromkeys(COUNTS, pa.int64())
    types |= {NUMBERS_OF_RUNS: pa.list_(pa.float64()), COUNTS_OF_RUNS: pa.list_(pa.int64())}
    return pa.Table.from_pylist(list(rows), schema=pa.schema(list(types.items())))


def data_frame(rows: Iterable[TidyRow]) -> pd.DataFrame:
    """Put rows into a data frame."""
    try:
        import pandas as pd  # noqa: F401 - pyarrow needs it, and says less of how to install it
    except ImportError as error:
        raise MedzhError(f"a data frame needs pandas: {error}", advice="install it: pip install pandas") from error
    frame: pd.DataFrame = arrow_table(rows).to_pandas()
    return frame
