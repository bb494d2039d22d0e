"""How a parquet file is damaged that stays one: its columns, their types, its rows."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pyarrow as pa
from pyarrow import parquet

if TYPE_CHECKING:
    import random

TYPES = (pa.string(), pa.int64(), pa.float64(), pa.bool_(), pa.list_(pa.string()), pa.binary(), pa.timestamp("s"))


def changed(content: bytes, draw: random.Random) -> bytes:
    """Write the table with a column twice, away, renamed, of another type or empty, or with other rows."""
    try:
        table = parquet.read_table(io.BytesIO(content))
    except (pa.ArrowException, OSError):
        return content
    at = draw.randrange(table.num_columns) if table.num_columns else 0
    match draw.randrange(7):
        case 0:
            table = table.append_column(table.field(at), table.column(at))
        case 1:
            table = table.remove_column(at)
        case 2:
            names = table.column_names
            names[at] = draw.choice(("x", "", "id", "\x1b[1m", "医"))
            table = table.rename_columns(names)
        case 3:
            table = table.set_column(at, table.field(at).name, pa.nulls(len(table), draw.choice(TYPES)))
        case 4:
            table = table.slice(0, draw.randrange(len(table) + 1))
        case 5:
            table = pa.concat_tables([table, table.slice(draw.randrange(len(table) + 1), 1)])
        case _:
            table = table.set_column(at, table.field(at).name, _retyped(table.column(at), draw))
    stream = io.BytesIO()
    parquet.write_table(table, stream)
    return stream.getvalue()


def _retyped(column: pa.ChunkedArray, draw: random.Random) -> pa.ChunkedArray:
    try:
        return column.cast(draw.choice(TYPES))
    except pa.ArrowException:
        return pa.chunked_array([pa.array([{"a": [1.5, None]}] * len(column))])
