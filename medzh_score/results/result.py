"""A result folder, read back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar, get_args

import numpy as np

from medzh_score.benchmark.items import ItemIndex
from medzh_score.io.limits import TABLE, check_texts, parquet_faults
from medzh_score.results.folder import AGAIN, ITEMS, REPORT, STATISTICS, read_files
from medzh_score.results.saved_reports import read_report
from medzh_score.results.tables import BREAKDOWN, ITEMS_VERSION, KIND, STATISTIC, STATISTICS_VERSION, TEXTS, Texts
from medzh_score.ui.errors import MedzhError, redact_errors
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pandas as pd
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow.parquet import ParquetFile

    from medzh_score.results.report import Report


T = TypeVar("T")


@dataclass(frozen=True)
class LabeledResult(Generic[T]):
    """A result, or what of one is known, under the label of its system."""

    label: str
    path: Path
    result: T


@dataclass(frozen=True, eq=False)
class Result:
    """A saved result of a scoring run.

    Attributes
    ----------
    folder : Path
        The result folder.
    report : Report
        The saved report.
    layout : ItemIndex
        Items, clusters and groups, without the records.
    runs : tuple of int
        The runs, ascending.
    statistics : mapping of str to array, shape (items, runs, k)
        The statistics of each item by rule, that of the report first; 0 for excluded items.
    unparsed : mapping of str to array of int, shape (items, runs)
        By rule, the number of option orders with an unparsed prediction of the item.
    missing : array of int, shape (items, runs)
        The number of option orders with a missing prediction of the item.
    texts : {"none", "spans", "full"}
        The text of the predictions that the result contains.
    """

    folder: Path
    report: Report
    layout: ItemIndex
    runs: tuple[int, ...]
    statistics: Mapping[str, NDArray[np.float64]]
    unparsed: Mapping[str, NDArray[np.int64]]
    missing: NDArray[np.int64]
    texts: Texts

    @classmethod
    @redact_errors
    def load(cls, folder: str | Path) -> Result:
        """Read a result folder, as `Report.save` and ``medzh-score score --save`` write it.

        Parameters
        ----------
        folder : path
            The folder.

        Raises
        ------
        MedzhError
            Where it is not whole, was changed, is of another version, or its parts are not of one report. Whether
            values and statistics agree is what ``medzh-score verify`` computes again.

        Examples
        --------
        >>> result = Result.load("results/a")  # doctest: +SKIP
        >>> result.statistics["medzh-1"].shape  # doctest: +SKIP
        (102, 1, 15)
        """
        from pathlib import Path

        folder = Path(folder)
        files = read_files(folder)
        report, digest = read_report(folder / REPORT), hashlib.sha256(files[REPORT]).hexdigest()
        stored = _stored_statistics(folder / STATISTICS, files[STATISTICS], report, digest)
        texts = _stored_texts(folder / ITEMS, files[ITEMS], digest)
        return cls(
            folder, report, stored.layout, stored.runs, stored.statistics, stored.unparsed, stored.missing, texts
        )

    @redact_errors
    def items(self) -> pa.Table:
        """Read the answers of every rule to every prediction; see ``schemas/result.schema.json``."""
        return read_rows(self.folder / ITEMS, read_files(self.folder)[ITEMS])

    def to_arrow(self) -> pa.Table:
        """Return every value as a row of an Arrow table; see `Report.to_arrow`."""
        return self.report.to_arrow()

    def to_pandas(self) -> pd.DataFrame:
        """Return the same rows as a data frame, which requires pandas."""
        return self.report.to_pandas()

    def __repr__(self) -> str:
        """Say in a line where it was read, and of what it is."""
        return f"<Result {str(self.folder)!r}: {self.report!r}>"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def saved_report(path: Path) -> Report:
    """Read a report as JSON, or that of a result folder, which must be whole and unchanged."""
    return Result.load(path).report if path.is_dir() else read_report(path)


@dataclass(frozen=True)
class Stored:
    """What ``statistics.parquet`` holds; see `Result`."""

    layout: ItemIndex
    runs: tuple[int, ...]
    statistics: dict[str, NDArray[np.float64]]
    unparsed: dict[str, NDArray[np.int64]]
    missing: NDArray[np.int64]


def _stored_texts(path: Path, content: bytes, report: str) -> Texts:
    found = _own_facts(path, content, ITEMS_VERSION, report).get(TEXTS, "")
    for texts in get_args(Texts):
        if found == texts:
            kept: Texts = texts
            return kept
    expected = " or ".join(get_args(Texts))
    raise MedzhError(
        _("the file does not state which texts it contains"), file=path, field=TEXTS, expected=expected, found=found
    )


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


def _stored_statistics(path: Path, content: bytes, report: Report, digest: str) -> Stored:
    _own_facts(path, content, STATISTICS_VERSION, digest)
    table = read_rows(path, content)
    try:
        return _unfolded(table, report)
    except (LookupError, TypeError, ValueError, BufferError) as error:
        problem = _("the report does not match the statistics in the same folder")
        raise MedzhError(problem, file=path, advice=AGAIN) from error


def _unfolded(table: pa.Table, report: Report) -> Stored:
    columns = {name: table.column(name).combine_chunks() for name in table.column_names}
    # By DLPack: Arrow's own way to NumPy imports pandas wherever it is installed.
    runs = np.unique(np.from_dlpack(columns["run"]))
    shape = len(report.results), -1, len(runs)
    unit, unparsed, missing = (np.from_dlpack(columns[name]).reshape(shape) for name in ("unit", "unparsed", "missing"))
    names = {name: _names(columns[name], shape) for name in ("item", *(BREAKDOWN + one for one in report.groups))}
    width = sum(name.removeprefix(STATISTIC).isdecimal() for name in columns)
    counts = np.stack([np.from_dlpack(columns[f"{STATISTIC}{place}"]) for place in range(width)], axis=-1)
    layout = ItemIndex(
        items=tuple(names["item"]),
        members=np.zeros((len(names["item"]), 0), np.int64),
        clusters=unit[0, :, 0].astype(np.int64),
        groups={breakdown: names[BREAKDOWN + breakdown] for breakdown in report.groups},
        orders={breakdown: tuple(groups) for breakdown, groups in report.groups.items()},
    )
    return Stored(
        layout,
        tuple(runs.tolist()),
        dict(zip(report.results, counts.reshape(*shape, width), strict=True)),
        dict(zip(report.results, unparsed.astype(np.int64), strict=True)),
        missing[0].astype(np.int64),
    )


def _names(column: pa.Array, shape: tuple[int, ...]) -> list[str]:
    """Give the name of each item in a column, which is the same by every rule and in every run."""
    encoded = column.dictionary_encode()
    different, places = encoded.dictionary.to_pylist(), np.from_dlpack(encoded.indices).reshape(shape)[0, :, 0]
    return [different[place] for place in places.tolist()]


def _own_facts(path: Path, content: bytes, version: str, report: str) -> dict[str, str]:
    """Give what a file says of itself; it must be of this version, and beside the report that it names by its hash."""
    try:
        said = (_parquet(content).metadata.metadata or {}).items()
    except parquet_faults() as error:
        raise _no_parquet(path, error) from error
    own = {key.decode("utf-8", "replace"): value.decode("utf-8", "replace") for key, value in said}
    if (found := own.get(KIND, "")) != version:
        problem, advice = _("unsupported version"), _("score again with this version")
        raise MedzhError(problem, file=path, field=KIND, expected=version, found=found, advice=advice)
    if (found := own.get("report", "")) != report:
        problem = _("the file belongs to another report, or the report has changed")
        raise MedzhError(problem, file=path, field="report", expected=report, found=found, advice=AGAIN)
    return own


def _parquet(content: bytes) -> ParquetFile:
    import pyarrow as pa
    from pyarrow import parquet

    # Without threads: a process that ends soon after Arrow has started some may be aborted by them.
    return parquet.ParquetFile(pa.BufferReader(content), pre_buffer=False)


def _no_parquet(path: Path, error: Exception) -> MedzhError:
    return MedzhError(_("invalid Parquet file: {error}", error=quotable(error)), file=path, advice=AGAIN)
