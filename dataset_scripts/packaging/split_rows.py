"""The rows of a split as its files hold them, and what is made of them in one pass in the order of their ids."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.stored import Stored
from medzh_score.data.digests import ID, ColumnDigests, blocks_in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipe import Record
    from medzh_score.data.fingerprint import Fingerprint


class SplitRows:
    """The rows of a split, their ids, and how many have each value of a column."""

    def __init__(self, names: Sequence[str], breakdown: str | None) -> None:
        self._names = names
        self.breakdown = breakdown
        self.rows = Stored()
        self.ids: list[Any] = []
        self.groups: Counter[str] = Counter()

    def add(self, rows: Sequence[Record]) -> None:
        """Take the next rows."""
        self.rows.extend(rows)
        self.ids += (row[ID] for row in rows)
        if self.breakdown:
            self.groups.update(str(row[self.breakdown]) for row in rows)

    def digests(self, split: str, content: Fingerprint) -> dict[str, str]:
        """Compute the digest of each column, and add the rows to the fingerprint."""
        columns = ColumnDigests(len(self.ids))
        for block in blocks_in_order(self.rows, self.ids):
            content.add(split, block)
            for name in self._names:
                columns.add(name, [row[name] for row in block])
        return columns.hexdigests()
