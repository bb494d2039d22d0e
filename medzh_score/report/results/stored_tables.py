"""The tables of a result folder as its files hold them, refused where they are not what was saved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from medzh_score.benchmark.layout import Layout
from medzh_score.files.bounds import TABLE
from medzh_score.files.parquet_texts import check_texts, parquet_faults
from medzh_score.messages.errors import MedzhError
from medzh_score.report.results.basis import Texts
from medzh_score.report.results.columns import (
    BREAKDOWN,
    ITEMS_VERSION,
    KIND,
    STATISTIC,
    STATISTICS_VERSION,
    TEXTS,
    items_schema,
    statistics_schema,
    stored,
)
from medzh_score.report.results.folder import AGAIN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow.parquet import ParquetFile


@dataclass(frozen=True)
class Facts:
    """What a report says of the tables beside it, and by which hash they name it."""

    config: str
    digest: str
    rules: tuple[str, ...]
    breakdowns: Mapping[str, Sequence[str]]
    items: int
    runs: int
    answers: int


@dataclass(frozen=True)
class Stored:
    """What ``statistics.parquet`` holds; see `Result`."""

    layout: Layout
    runs: tuple[int, ...]
    statistics: dict[str, NDArray[np.float64]]
    unread: dict[str, NDArray[np.int64]]
    missing: NDArray[np.int64]


def open_items(path: Path, content: bytes, facts: Facts) -> ParquetFile:
    """Open ``items.parquet``, as far as it can be checked without reading its rows."""
    file = _opened(path, content, ITEMS_VERSION, facts)
    _check_columns(path, file.schema_arrow, stored(items_schema()))
    _check_rows(path, file, facts.answers * len(facts.rules))
    return file


def stored_texts(path: Path, file: ParquetFile) -> Texts:
    """Say what of the predictions' texts a file of items holds."""
    found = _own_facts(file).get(TEXTS, "")
    for texts in get_args(Texts):
        if found == texts:
            kept: Texts = texts
            return kept
    expected = " or ".join(get_args(Texts))
    raise MedzhError("does not say which texts it holds", file=path, field=TEXTS, expected=expected, found=found)


def read_rows(path: Path, content: bytes) -> pa.Table:
    """Read all rows of a file, unless they come to more than it can honestly hold."""
    import pyarrow as pa

    try:
        check_texts(pa.py_buffer(content), len(content), path, free=TABLE)
        table = _parquet(content).read(use_threads=False)
        table.validate(full=True)  # the bytes of a text need not be UTF-8
    except parquet_faults() as error:
        raise _no_parquet(path, error) from error
    return table


def stored_statistics(path: Path, content: bytes, facts: Facts) -> Stored:
    """Read ``statistics.parquet``: rows stand by rule, item and run, as they were written."""
    file = _opened(path, content, STATISTICS_VERSION, facts)
    names = file.schema_arrow.names
    width = sum(name.removeprefix(STATISTIC).isdecimal() for name in names)
    _check_columns(path, file.schema_arrow, _stored_statistics_schema(tuple(facts.breakdowns), width))
    _check_rows(path, file, len(facts.rules) * facts.items * facts.runs)
    return _unfolded(path, read_rows(path, content), facts, width)


@lru_cache(maxsize=64)  # it is made of dozens of columns, and the results of a board have few of them
def _stored_statistics_schema(breakdowns: tuple[str, ...], width: int) -> pa.Schema:
    return stored(statistics_schema(breakdowns, width))


def _unfolded(path: Path, table: pa.Table, facts: Facts, width: int) -> Stored:
    shape = len(facts.rules), facts.items, facts.runs
    columns = {name: table.column(name).combine_chunks() for name in table.column_names}
    # By DLPack: Arrow's own way to NumPy imports pandas wherever it is installed.
    numbers = {name: np.from_dlpack(columns[name]).reshape(shape) for name in ("unit", "run", "unread", "missing")}
    _check_same(path, "unit", numbers["unit"], numbers["unit"][:1, :, :1])
    _check_same(path, "run", numbers["run"], numbers["run"][:1, :1])
    _check_same(path, "missing", numbers["missing"], numbers["missing"][:1])
    names = {name: _encoded(columns[name]) for name in ("item", *(BREAKDOWN + one for one in facts.breakdowns))}
    of_rules = _encoded(columns["rule"])
    _check_same(path, "rule", of_rules.places.reshape(shape), of_rules.places.reshape(shape)[:, :1, :1])
    if of_rules.named(of_rules.places.reshape(shape)[:, 0, 0]) != list(facts.rules):
        raise _other_rows(path, "rule")
    of_items = {}
    for name, encoded in names.items():
        places = encoded.places.reshape(shape)
        _check_same(path, name, places, places[:1, :, :1])
        of_items[name] = encoded.named(places[0, :, 0])
    counts = np.stack([np.from_dlpack(columns[f"{STATISTIC}{place}"]) for place in range(width)], axis=-1)
    runs = tuple(numbers["run"][0, 0].tolist())
    units = numbers["unit"][0, :, 0].astype(np.int64)
    if len(set(of_items["item"])) < facts.items or list(runs) != sorted(set(runs)):
        raise MedzhError("has an item or a run twice", file=path, field="item", advice=AGAIN)
    if not np.array_equal(np.unique(units), np.arange(len(set(units.tolist())))):
        raise MedzhError("has a unit without items", file=path, field="unit", advice=AGAIN)
    if not np.isfinite(counts).all():
        raise MedzhError("holds a number that is none", file=path, advice=AGAIN)
    layout = Layout(
        items=tuple(of_items["item"]),
        members=np.zeros((facts.items, 0), np.int64),
        units=units,
        groups={breakdown: of_items[BREAKDOWN + breakdown] for breakdown in facts.breakdowns},
        orders=facts.breakdowns,
    )
    by_rule = counts.reshape(*shape, width)
    return Stored(
        layout,
        runs,
        dict(zip(facts.rules, by_rule, strict=True)),
        dict(zip(facts.rules, numbers["unread"].astype(np.int64), strict=True)),
        numbers["missing"][0].astype(np.int64),
    )


def _opened(path: Path, content: bytes, version: str, facts: Facts) -> ParquetFile:
    """Open a parquet file that says of itself what the report says."""
    try:
        file = _parquet(content)
    except parquet_faults() as error:
        raise _no_parquet(path, error) from error
    own = _own_facts(file)
    if (found := own.get(KIND, "")) != version:
        raise MedzhError("is of another version", file=path, field=KIND, expected=version, found=found, advice=AGAIN)
    if (found := own.get("config", "")) != facts.config:
        problem = "is of another config than the report"
        raise MedzhError(problem, file=path, field="config", expected=facts.config, found=found, advice=AGAIN)
    if (found := own.get("report", "")) != facts.digest:
        problem = "belongs to another report, or the report was changed"
        raise MedzhError(problem, file=path, field="report", expected=facts.digest, found=found, advice=AGAIN)
    return file


def _parquet(content: bytes) -> ParquetFile:
    import pyarrow as pa
    from pyarrow import parquet

    # Without threads: a process that ends soon after Arrow has started some may be aborted by them.
    return parquet.ParquetFile(pa.BufferReader(content), pre_buffer=False)


def _own_facts(file: ParquetFile) -> dict[str, str]:
    """Give what a file says of itself."""
    said = (file.metadata.metadata or {}).items()
    return {key.decode("utf-8", "replace"): value.decode("utf-8", "replace") for key, value in said}


def _check_columns(path: Path, found: pa.Schema, expected: pa.Schema) -> None:
    """Refuse columns of other names, types or order."""
    if found.equals(expected):
        return
    for is_column, should_be in zip(found, expected, strict=False):
        if not is_column.equals(should_be):
            raise MedzhError(
                "holds another column", file=path, field=is_column.name, expected=str(should_be), found=str(is_column)
            )
    if len(found) != len(expected):
        problem, counts = "holds another number of columns", (str(len(expected)), len(found))
        raise MedzhError(problem, file=path, expected=counts[0], found=counts[1], advice=AGAIN)


def _check_rows(path: Path, file: ParquetFile, expected: int) -> None:
    found = file.metadata.num_rows
    if found != expected:
        problem = "has another number of rows than the report says"
        raise MedzhError(problem, file=path, expected=str(expected), found=found, advice=AGAIN)


def _check_same(path: Path, name: str, found: NDArray[Any], expected: NDArray[Any]) -> None:
    if (found != expected).any() or (found < 0).any():
        raise _other_rows(path, name)


def _other_rows(path: Path, name: str) -> MedzhError:
    return MedzhError("the rows do not stand as they were saved", file=path, field=name, advice=AGAIN)


@dataclass(frozen=True)
class _Encoded:
    """A column of names: the different ones, and which stands in each row."""

    different: Sequence[str]
    places: NDArray[np.int32]

    def named(self, places: NDArray[np.int32]) -> list[str]:
        """Give the names for some places."""
        return [self.different[place] for place in places.tolist()]


def _encoded(column: pa.Array) -> _Encoded:
    encoded = column.dictionary_encode()
    return _Encoded(encoded.dictionary.to_pylist(), np.asarray(np.from_dlpack(encoded.indices), np.int32))


def _no_parquet(path: Path, error: Exception) -> MedzhError:
    return MedzhError(f"is no parquet file: {error}", file=path, advice=AGAIN)
