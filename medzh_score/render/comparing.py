"""Comparing in Python: a comparison that also writes itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from medzh_score.comparison.load import Choices, gate_of
from medzh_score.comparison.model import Comparison
from medzh_score.comparison.run import comparable, compared
from medzh_score.render.compare import rendered, rendered_for_paper
from medzh_score.render.compare_tables import COLUMNS, tidy_rows
from medzh_score.render.display import DisplayOptions
from medzh_score.results.report import Report
from medzh_score.results.result import Result
from medzh_score.stats.values import Bootstrap
from medzh_score.ui.errors import MedzhError, redact_errors
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


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

    def to_text(self, showing: DisplayOptions | None = None) -> str:
        """Give the tables of all that was found as text, as ``medzh-score compare`` writes them."""
        return rendered(self, "text", showing or DisplayOptions())

    def to_latex(self, showing: DisplayOptions | None = None) -> str:
        """Give the table of a paper for LaTeX with booktabs: systems as rows, metrics as columns."""
        return rendered_for_paper(self, "latex", showing or DisplayOptions())

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


SEVERAL = ("labels", "metrics", "by", "allow", "printed")  # options of which each is a list of words


class CompareOptions(TypedDict, total=False):
    """The options of `compare`, by keyword; what is left out is as in `Choices`.

    Attributes
    ----------
    labels : sequence of str or None
        What each system is called, None by its report's model or else by its folder; empty for all of these.
    metrics : sequence of str
        Which are compared; empty for the headline and what the config shows beside it.
    by : sequence of str
        The breakdowns whose groups are compared, too.
    baseline : str
        The label or the folder of the system that all others are compared with, chosen before the answers were seen;
        when not given, every system is compared with every other, by the randomised Tukey test.
    rule : str
        By which answers were read: the config's primary rule when not given; with printed rows the paper's.
    allow : sequence of str
        The keys of signatures that move values in which the systems may differ, such as ``prompt``, ``missing`` or
        ``data``; ``runs`` for another number of runs.
    same_prompts : bool
        Whether the systems are to differ in nothing but the decoding, under prompts that are known.
    bootstrap : int
        Resamples of intervals and ranks, 1,000 when not given; 0 for none.
    seed : int
        Of resamples and swaps (NumPy's PCG64); 0 when not given.
    swaps : int
        How many times rows are swapped, at least.
    printed : sequence of str
        Rows of the paper's tables that are set beside and never tested, as ``TABLE:ROW``.
    fail_on_regression : str
        A gate, as ``METRIC`` or ``METRIC:points``; ``judged`` has what it says of each system beside the baseline.
    """

    labels: Sequence[str | None]
    metrics: Sequence[str]
    by: Sequence[str]
    baseline: str | None
    rule: str | None
    allow: Sequence[str]
    same_prompts: bool
    bootstrap: int
    seed: int
    swaps: int
    printed: Sequence[str]
    fail_on_regression: str | None


@redact_errors
def compare(results: Sequence[Result | str | Path], **options: Unpack[CompareOptions]) -> Compared:
    """Compare systems on the same units: which is better, and is it sure.

    Parameters
    ----------
    results : sequence of path or Result
        Result folders, as `Report.save` writes them, two or more.
    **options : CompareOptions
        The options of ``medzh-score compare``, such as ``by=["type"]``: see `CompareOptions`.

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
    unknown = sorted(options.keys() - CompareOptions.__annotations__.keys())
    if unknown:
        raise TypeError(f"compare() got an unexpected keyword argument {unknown[0]!r}")
    if isinstance(results, Sequence) and any(isinstance(one, Report) for one in results):
        advice = _("save each: report.save(FOLDER), and give the folders")
        raise MedzhError(_("a report alone holds no statistics of items"), field="results", advice=advice)
    if not isinstance(results, Sequence) or not all(isinstance(one, Result | str | Path) for one in results):
        raise _no_list("results", _("a list of result folders"), results)
    _refuse_letters("results", results)
    choices = _choices(options)
    return Compared(**vars(compared(comparable(results, choices), choices)))


def _choices(options: CompareOptions) -> Choices:
    given: dict[str, Any] = dict(options)
    for name in SEVERAL:
        _refuse_letters(name, given.get(name))
        given[name] = tuple(given.get(name, ()))
    gate = given.pop("fail_on_regression", None)
    resamples = Bootstrap(given.pop("bootstrap", Bootstrap.resamples), given.pop("seed", Bootstrap.seed))
    return Choices(**given, bootstrap=resamples, gate=None if gate is None else gate_of(gate))


def _refuse_letters(name: str, given: object) -> None:
    if isinstance(given, str):
        raise _no_list(name, _("a list"), given)


def _no_list(name: str, expected: str, found: object) -> MedzhError:
    return MedzhError(_("is no list"), field=name, expected=expected, found=found)
