"""Tables that stand in a temporary file, one block after another, to be read again in their order."""

from __future__ import annotations

import weakref
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from dataset_scripts.files.stored import refusing

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa


class StoredTables:
    """Tables of one schema; the file has no name and goes with the process, however that ends."""

    def __init__(self, schema: pa.Schema) -> None:
        import pyarrow as pa

        with refusing():
            self._file = TemporaryFile(prefix="medzh-tables-")  # noqa: SIM115 - open as long as this lives
            weakref.finalize(self, self._file.close)
            self._writer = pa.ipc.new_stream(self._file, schema, options=pa.ipc.IpcWriteOptions(use_threads=False))

    def append(self, table: pa.Table) -> None:
        """Add a table, before any is read."""
        with refusing():
            self._writer.write_table(table)

    def __iter__(self) -> Iterator[pa.Table]:
        """Read all tables."""
        import pyarrow as pa

        with refusing():
            self._writer.close()
            self._file.seek(0)
        for batch in pa.ipc.open_stream(self._file, options=pa.ipc.IpcReadOptions(use_threads=False)):
            yield pa.Table.from_batches([batch])
