"""Comparing in Python: a comparison that also writes itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.report.comparison.choices import Choices, gate_of
from medzh_score.report.comparison.comparing import comparable, compared
from medzh_score.report.comparison.comparison import Comparison
from medzh_score.show.comparison.rendering import rendered, rendered_for_paper
from medzh_score.show.comparison.showing import Showing
from medzh_score.show.comparison.tidy import COLUMNS, tidy_rows
from medzh_score.statistics.comparison.compare import SWAPS
from medzh_score.statistics.values import Bootstrap

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd
    import pyarrow as pa

    from medzh_score.report.results.result import Result

COUNTS = frozenset(
    {"n", "rank", "rank_low", "rank_high", "tie", "family", "swaps", "won", "lost", "tied", "depends_on_unread"}
)
NUMBERS = frozenset(
    {
        *("value", "low", "high", "unread_percent", "difference", "difference_low", "difference_high"),
        *("p", "corrected_p", "detectable", "bounds_low", "bounds_high"),
    }
)


class Compared(Comparison):
    """A `Comparison` that also writes itself; reports know nothing of how they are shown."""

    def to_text(self, showing: Showing | None = None) -> str:
        """Give the tables of all that was found as text, as ``medzh-score compare`` writes them."""
        return rendered(self, "text", showing or Showing())

    def to_latex(self, showing: Showing | None = None) -> str:
        """Give the table of a paper for LaTeX with booktabs: systems as rows, metrics as columns."""
        return rendered_for_paper(self, "latex", showing or Showing())

    def to_arrow(self) -> pa.Table:
        """Give one row a metric, group, and system or pair, as ``--to csv`` writes them."""
        import pyarrow as pa

        kinds = {name: pa.int64() for name in COUNTS} | {name: pa.float64() for name in NUMBERS}
        schema = pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])
        return pa.Table.from_pylist(list(tidy_rows(self)), schema)

    def to_pandas(self) -> pd.DataFrame:
        """Give the rows of `to_arrow` as a data frame."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame


def compare(  # noqa: PLR0913 - all that a comparison depends on
    results: Sequence[Result | str | Path],
    *,
    labels: Sequence[str | None] = (),
    metrics: Sequence[str] = (),
    by: Sequence[str] = (),
    baseline: str | None = None,
    all_pairs: bool = False,
    rule: str | None = None,
    allow: Sequence[str] = (),
    same_prompts: bool = False,
    bootstrap: int = 1000,
    seed: int = 0,
    swaps: int = SWAPS,
    printed: Sequence[str] = (),
    fail_on_regression: str | None = None,
) -> Compared:
    """Compare systems on the same units: which is better, and is it sure.

    Parameters
    ----------
    results : sequence of path or Result
        Result folders, as `Report.save` writes them, two or more.
    labels : sequence of str or None
        What each system is called, None by its report's model or else by its folder; empty for all of these.
    metrics : sequence of str
        Which are compared; empty for the headline and what the config shows beside it.
    by : sequence of str
        The breakdowns whose groups are compared, too.
    baseline : str
        The label or the folder of the system that all others are compared with; the best when not given.
    all_pairs : bool
        Whether every system is compared with every other, by the randomised Tukey test.
    rule : str
        By which answers were read: ``medzh-1`` where all reports hold it, else their own, when not given; with printed
        rows the paper's.
    allow : sequence of str
        The keys of signatures that move values in which the systems may differ, such as ``prompt``, ``missing`` or
        ``data``; ``runs`` for another number of runs.
    same_prompts : bool
        Whether the systems are to differ in nothing but the decoding, under prompts that are known.
    bootstrap : int
        Resamples of intervals and ranks; 0 for none.
    seed : int
        Of resamples and swaps (NumPy's PCG64).
    swaps : int
        How many times rows are swapped, at least.
    printed : sequence of str
        Rows of the paper's tables that are set beside and never tested, as ``TABLE:ROW``.
    fail_on_regression : str
        A gate, as ``METRIC`` or ``METRIC:points``; ``judged`` has what it says of each system beside the baseline.

    Returns
    -------
    Compared
        A `Comparison` with ``to_text``, ``to_latex``, ``to_arrow`` and ``to_pandas``.

    Raises
    ------
    MedzhError
        For systems that are not comparable, with the keys in which they differ.

    Examples
    --------
    >>> found = compare(["results/a", "results/b"], by=["type"])  # doctest: +SKIP
    >>> found.found[0].differences[0].corrected  # doctest: +SKIP
    0.0121
    """
    choices = Choices(
        labels=tuple(labels),
        metrics=tuple(metrics),
        by=tuple(by),
        baseline=baseline,
        all_pairs=all_pairs,
        rule=rule,
        allow=tuple(allow),
        same_prompts=same_prompts,
        bootstrap=Bootstrap(bootstrap, seed),
        swaps=swaps,
        printed=tuple(printed),
        gate=None if fail_on_regression is None else gate_of(fail_on_regression),
    )
    return Compared(**vars(compared(comparable(results, choices), choices)))
