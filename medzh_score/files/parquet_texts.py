"""What the texts of a parquet file come to: a text may stand in each of a million cells, and is stored once."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from medzh_score.files.bounds import check_unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.resources.abc import Traversable

    import pyarrow as pa

CELL = 8  # bytes that a cell takes at least
ROWS = 1 << 14  # that are counted at once


def parquet_faults() -> tuple[type[Exception], ...]:
    """List what Arrow raises of what is no parquet file, names of columns that are no UTF-8 among it."""
    import pyarrow as pa

    return pa.ArrowException, OSError, UnicodeDecodeError


def check_texts(
    source: pa.Buffer | IO[bytes],
    packed: int,
    path: Traversable | str,
    columns: Sequence[str] | None = None,
    free: int | None = None,
) -> None:
    """Refuse a file whose cells come to too much, before any text is repeated for the cells that it stands in."""
    import pyarrow as pa
    from pyarrow import parquet

    stored: Any = parquet.ParquetFile(source, pre_buffer=False)
    leaves = [stored.schema.column(place) for place in range(len(stored.schema))]
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
    group_of = stored.metadata.row_group
    groups = [group_of(place) for place in range(stored.metadata.num_row_groups)]
    unpacked = CELL * sum(group.column(place).num_values for group in groups for place in range(len(leaves)))
    check_unpacked(unpacked, packed, path, free)
    if isinstance(source, pa.Buffer):
        source = pa.BufferReader(source)
    else:
        source.seek(0)
    again: Any = parquet.ParquetFile(source, pre_buffer=False, read_dictionary=texts)
    # Each row group has a dictionary of its own, and Arrow joins no nested columns of two dictionaries.
    for place in range(len(groups)):
        for batch in again.iter_batches(ROWS, row_groups=[place], columns=columns, use_threads=False):
            unpacked += sum(map(_bytes_in, batch.columns))
            check_unpacked(unpacked, packed, path, free)


def _bytes_in(array: Any) -> int:  # noqa: ANN401 - of any of Arrow's types
    """Count what the texts of a column come to, in the lists and structures that they stand in."""
    import pyarrow as pa
    from pyarrow import compute

    kind = array.type
    if pa.types.is_dictionary(kind):
        return int(compute.sum(compute.binary_length(array.dictionary).take(array.indices)).as_py() or 0)
    if pa.types.is_struct(kind):
        return sum(map(_bytes_in, array.flatten()))
    if pa.types.is_map(kind):
        return _bytes_in(array.keys) + _bytes_in(array.items)
    return _bytes_in(array.flatten()) if pa.types.is_nested(kind) else 0
