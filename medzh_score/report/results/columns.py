"""The columns of a result folder's tables, and how they are written: equal rows give equal bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import IO

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.layout import Asked, Layout
    from medzh_score.benchmark.rules import Rule
    from medzh_score.predictions.readers.several import PredictionFiles

STATISTICS_VERSION, ITEMS_VERSION = "statistics-1", "items-1"  # versions, as `schemas/result.schema.json` has them
KIND = "medzh"  # under which a file says its version
TEXTS = "texts"  # under which a file of items says which it holds
BREAKDOWN = "by "  # before its name
STATISTIC = "s"  # before the place of a statistic, from 0
ROWS = 1 << 20  # of a group of rows
SETTINGS: dict[str, Any] = {"compression": "zstd", "compression_level": 3, "version": "2.6", "store_schema": False}


def statistics_schema(breakdowns: Iterable[str], columns: int) -> pa.Schema:
    """Give the columns of ``statistics.parquet``."""
    import pyarrow as pa

    names, number = pa.dictionary(pa.int32(), pa.string()), pa.int32()
    return _required(
        {
            "rule": names,
            "item": names,
            "unit": number,
            "run": number,
            **{BREAKDOWN + name: names for name in breakdowns},
            "unread": number,
            "missing": number,
            **{f"{STATISTIC}{place}": pa.float64() for place in range(columns)},
        }
    )


def items_schema() -> pa.Schema:
    """Give the columns of ``items.parquet``."""
    import pyarrow as pa

    names, number = pa.dictionary(pa.int32(), pa.string()), pa.int32()
    known = {"rule": names, "item": names, "id": names, "run": number, "variant": number, "found_by": names}
    found = {"answer": names, "note": names, "clear": pa.bool_(), "spans": pa.list_(pa.list_(number))}
    return pa.schema([*_required(known), *(pa.field(*one) for one in found.items()), pa.field("text", pa.string())])


def named(places: NDArray[np.int64], names: Sequence[str | None]) -> pa.DictionaryArray:
    """Put names for their places; None for none."""
    import numpy as np
    import pyarrow as pa

    different = list(dict.fromkeys(name for name in names if name is not None))
    numbers = {name: number for number, name in enumerate(different)}
    of_place = np.array([-1 if name is None else numbers[name] for name in names], np.int32)
    chosen = of_place[places]
    indices = pa.array(chosen, pa.int32(), mask=chosen < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(different, pa.string()))


def write_tables(
    stream: IO[bytes], schema: pa.Schema, facts: Mapping[str, str], columns: Iterable[Mapping[str, Any]]
) -> None:
    """Write columns, one batch after the other; ``facts`` is what the file says of itself."""
    import pyarrow as pa
    from pyarrow import parquet

    with parquet.ParquetWriter(stream, schema, **SETTINGS) as writer:
        for batch in columns:
            arrays = [_as(batch[one.name], one.type) for one in schema]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema), ROWS)
        writer.add_key_value_metadata(dict(facts))


def _as(values: Any, kind: pa.DataType) -> pa.Array:  # noqa: ANN401 - what Arrow takes
    import pyarrow as pa

    return values if isinstance(values, pa.Array) else pa.array(values, kind)


def _required(kinds: Mapping[str, pa.DataType]) -> pa.Schema:
    import pyarrow as pa

    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in kinds.items()])


Texts = Literal["none", "spans", "full"]


@dataclass(frozen=True)
class RuleBasis:
    """What one rule's values were made of: its answers, and what each item contributed, shape (items, runs, k)."""

    rule: Rule
    answers: AnswerTable
    statistics: NDArray[np.float64]


@dataclass(frozen=True)
class Basis:
    """What a report was made of.

    Attributes
    ----------
    config : str
        The config's name.
    layout : Layout
        Items, members, units and groups.
    ids : sequence of str
        Those of the records.
    rules : mapping of str to RuleBasis
        By the name under which the report has what a rule found, in its order.
    asked : sequence of Asked
        What the predictions answer.
    files : PredictionFiles
        Where the texts are read again.
    """

    config: str
    layout: Layout
    ids: Sequence[str]
    rules: Mapping[str, RuleBasis]
    asked: Sequence[Asked]
    files: PredictionFiles
