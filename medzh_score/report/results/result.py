"""A result folder, read back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.discretion import discreet
from medzh_score.report.results.folder import ITEMS, REPORT, STATISTICS, read_files
from medzh_score.report.results.report_file import read_report
from medzh_score.report.results.stored_tables import read_rows, stored_statistics, stored_texts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    import pandas as pd
    import pyarrow as pa
    from numpy.typing import NDArray

    from medzh_score.benchmark.layout import Layout
    from medzh_score.report.report import Report
    from medzh_score.report.results.basis import Texts


@dataclass(frozen=True, eq=False)
class Result:
    """What a scoring run left behind.

    Attributes
    ----------
    folder : Path
        Where it was read.
    report : Report
        Equal to the one that was saved: every form of it is shown as it was then.
    layout : Layout
        Items, units and groups; nothing of the records.
    runs : tuple of int
        Those seen, ascending.
    statistics : mapping of str to array, shape (items, runs, k)
        By rule, the chosen one first, what each item contributed; of what was dropped all 0.
    unread : mapping of str to array of int, shape (items, runs)
        By rule, in how many variants the rule found no answer to something that came of an item.
    missing : array of int, shape (items, runs)
        In how many variants something of an item did not come.
    texts : {"none", "spans", "full"}
        What of the predictions' texts stands in its items.
    """

    folder: Path
    report: Report
    layout: Layout
    runs: tuple[int, ...]
    statistics: Mapping[str, NDArray[np.float64]]
    unread: Mapping[str, NDArray[np.int64]]
    missing: NDArray[np.int64]
    texts: Texts

    @classmethod
    @discreet
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
        stored = stored_statistics(folder / STATISTICS, files[STATISTICS], report, digest)
        texts = stored_texts(folder / ITEMS, files[ITEMS], digest)
        return cls(folder, report, stored.layout, stored.runs, stored.statistics, stored.unread, stored.missing, texts)

    @discreet
    def items(self) -> pa.Table:
        """Read what every rule read in every prediction: the columns that ``schemas/result.schema.json`` names."""
        return read_rows(self.folder / ITEMS, read_files(self.folder)[ITEMS])

    def to_arrow(self) -> pa.Table:
        """Give every value as a row of a table of Arrow, as `Report.to_arrow` does."""
        return self.report.to_arrow()

    def to_pandas(self) -> pd.DataFrame:
        """Give the same rows as a data frame; pandas must be installed."""
        return self.report.to_pandas()

    def __repr__(self) -> str:
        """Say in a line where it was read, and of what it is."""
        return f"<Result {str(self.folder)!r}: {self.report!r}>"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def saved_report(path: Path) -> Report:
    """Read a report as JSON, or that of a result folder, which must be whole and unchanged."""
    return Result.load(path).report if path.is_dir() else read_report(path)
