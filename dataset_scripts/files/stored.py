"""Records of which memory holds the first: the others stand in a temporary file, to be read in any order."""

from __future__ import annotations

import marshal
import weakref
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from tempfile import TemporaryFile, gettempdir
from typing import IO, Any, overload

from medzh_score.messages.errors import MedzhError

Record = dict[str, Any]
Fields = tuple[str, ...]

KEPT = 20_000  # records that stay in memory: most builds have no more, and reading them again takes time
PLAIN = ("str", "int", "float", "bool", "NoneType", "list", "dict")
KINDS = 100  # of records by the names of their fields, which are kept once each
BLOCK = 256  # records that are written, or read, at once at most


class Stored(Sequence[Record]):
    """A sequence of records of which memory holds the first and a block, and of the others their places.

    The file has no name and goes with the process, however that ends. Records are for reading: who asks for one again
    may be given the same object.
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._kept: list[Record] = []
        self._file: IO[bytes] | None = None
        self._ends = array("q", [0])
        self._pending: list[bytes] = []
        self._block, self._first, self._beyond = memoryview(b""), 0, 0  # places among those in the file
        self._ahead = 1
        self._fields: list[Fields] = []
        self._known: dict[Fields, int] = {}
        self._decoded: dict[int, Record] = {}  # of the block
        self.extend(records)

    def append(self, record: Record) -> None:
        """Add a record."""
        if len(self._kept) < KEPT:
            self._kept.append(record)
            return
        written = self._written(record)
        self._pending.append(written)
        self._ends.append(self._ends[-1] + len(written))
        if len(self._pending) == BLOCK:
            self._flush()

    def extend(self, records: Iterable[Record]) -> None:
        """Add records, one after another."""
        for record in records:
            self.append(record)

    def __len__(self) -> int:
        """Count the records."""
        return len(self._kept) + len(self._ends) - 1

    @overload
    def __getitem__(self, place: int) -> Record: ...

    @overload
    def __getitem__(self, place: slice) -> list[Record]: ...

    def __getitem__(self, place: int | slice) -> Record | list[Record]:
        """Read a record, or some; those that stand behind the one before are at hand."""
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        if place < 0:
            place = range(len(self))[place]
        kept = len(self._kept)
        return self._kept[place] if place < kept else self._read(place - kept)

    def _read(self, place: int) -> Record:
        record = self._decoded.get(place)
        if record is None:
            if not self._first <= place < self._beyond:
                self._hold(place)
            start, ends = self._ends[self._first], self._ends
            record = self._decoded[place] = self._record(self._block[ends[place] - start : ends[place + 1] - start])
        return record

    def __iter__(self) -> Iterator[Record]:
        """Read all records in their order."""
        yield from self._kept
        for first in range(0, len(self._ends) - 1, BLOCK):
            ends = self._ends[first : first + BLOCK + 1]
            block, start = self._bytes(ends[0], ends[-1]), ends[0]
            for begin, end in pairwise(ends):
                yield self._record(block[begin - start : end - start])

    def _hold(self, first: int) -> None:
        """Read a record, and behind those that were read one after another twice as many as before."""
        if first >= len(self._ends) - 1:
            raise IndexError(first)
        self._ahead = min(2 * self._ahead, BLOCK) if first == self._beyond else 1
        beyond = min(first + self._ahead, len(self._ends) - 1)
        self._block = self._bytes(self._ends[first], self._ends[beyond])
        self._first, self._beyond, self._decoded = first, beyond, {}

    def _bytes(self, begin: int, end: int) -> memoryview:
        file = self._file
        if file is None or self._pending:
            file = self._flush()
        file.seek(begin)
        return memoryview(file.read(end - begin))

    def _flush(self) -> IO[bytes]:
        with refusing():
            if self._file is None:
                self._file = TemporaryFile(prefix="medzh-records-", buffering=0)  # noqa: SIM115 - open as long as this lives
                weakref.finalize(self, self._file.close)
            if self._pending:
                self._file.seek(0, 2)
                rest = memoryview(b"".join(self._pending))
                while rest:  # a disk that is nearly full takes a part
                    rest = rest[self._file.write(rest) :]
                self._pending.clear()
        return self._file

    def _written(self, record: Record) -> bytes:
        """Write a record so that all that JSON, however odd, can hold comes back as it was; no code comes with it."""
        fields = tuple(record)
        if fields not in self._known and len(self._fields) < KINDS:
            self._known[fields] = len(self._fields)
            self._fields.append(fields)
        try:
            return marshal.dumps((self._known.get(fields, fields), tuple(record.values())))
        except ValueError as error:
            odd = sorted({type(value).__name__ for value in record.values()}.difference(PLAIN))
            expected, found = "texts, numbers, truth values and lists of them", ", ".join(odd)
            raise MedzhError("holds what no record can hold", expected=expected, found=found) from error

    def _record(self, written: memoryview) -> Record:
        fields, values = marshal.loads(written)  # noqa: S302 - our own
        return dict(zip(self._fields[fields] if isinstance(fields, int) else fields, values, strict=True))


@contextmanager
def refusing() -> Iterator[None]:
    """Say of a full disk which one it is."""
    try:
        yield
    except OSError as error:
        advice = "free some space, or name another folder in TMPDIR"
        raise MedzhError(f"records cannot be kept there: {error.strerror}", file=gettempdir(), advice=advice) from error
