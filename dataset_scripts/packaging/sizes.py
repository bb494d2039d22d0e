"""How many bytes a split takes in memory, as Arrow counts a table in one piece, from the blocks of that table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

BITS = 8  # values of which one byte says whether they are null


class Size:
    """The bytes of a table whose blocks come one after another.

    A column that holds a null anywhere has a bit for each of its values; a block that holds none has no such bits.
    """

    def __init__(self) -> None:
        self._bytes = 0
        self._nulls: set[str] = set()
        self._without: Counter[str] = Counter()

    def add(self, table: pa.Table) -> None:
        """Count a block."""
        self._bytes += table.nbytes
        for name in table.column_names:
            for place, values in _levels(name, table.column(name).combine_chunks()):
                if values.null_count:
                    self._nulls.add(place)
                else:
                    self._without[place] += -(-len(values) // BITS)

    @property
    def bytes(self) -> int:
        """What the whole table takes."""
        return self._bytes + sum(self._without[place] for place in self._nulls)


def _levels(name: str, values: pa.Array) -> Iterator[tuple[str, pa.Array]]:
    """Give a column and, of lists, what is in them."""
    import pyarrow as pa

    yield name, values
    if pa.types.is_list(values.type):
        yield from _levels(f"{name}[]", values.flatten())
