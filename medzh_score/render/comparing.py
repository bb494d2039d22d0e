"""Comparison in Python: of result folders, results and reports, with methods that write it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from medzh_score.comparison.load import Choices, gate_of
from medzh_score.comparison.model import Comparison
from medzh_score.comparison.run import comparable, compared
from medzh_score.render.compare import rendered
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
    {
        *("n", "rank", "rank_low", "rank_high", "tie", "family", "permutations", "won", "lost", "tied"),
        "depends_on_unparsed",
    }
)
NUMBERS = frozenset(
    {
        *("value", "low", "high", "unparsed_percent", "difference", "difference_low", "difference_high"),
        *("p", "corrected_p", "detectable", "bounds_low", "bounds_high"),
    }
)


class Compared(Comparison):
    """A `Comparison` with methods that write it."""

    def to_text(self, showing: DisplayOptions | None = None, *, full: bool = False) -> str:
        """Return the verdict or the ranking as text, or with ``full`` all tables, as ``medzh-score compare`` does."""
        return rendered(self, "text", showing or DisplayOptions(), "full" if full else "screen")

    def to_markdown(self, showing: DisplayOptions | None = None, *, full: bool = False) -> str:
        """Return the table of a paper, or with ``full`` all tables, as Markdown."""
        return rendered(self, "markdown", showing or DisplayOptions(), "full" if full else "paper")

    def to_latex(self, showing: DisplayOptions | None = None) -> str:
        """Return the table of a paper for LaTeX with booktabs: systems as rows, metrics as columns."""
        return rendered(self, "latex", showing or DisplayOptions())

    def to_arrow(self) -> pa.Table:
        """Return one row per metric, group, and system or pair, as ``--to csv`` writes them."""
        import pyarrow as pa

        kinds = {name: pa.int64() for name in COUNTS} | {name: pa.float64() for name in NUMBERS}
        schema = pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])
        return pa.Table.from_pylist(list(tidy_rows(self)), schema)

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows of `to_arrow` as a data frame."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame


SEVERAL = ("labels", "metrics", "by", "allow", "printed")  # options that are lists


class CompareOptions(TypedDict, total=False):
    """The options of `compare`, by keyword; the defaults are those of `Choices`.

    Attributes
    ----------
    labels : sequence of str or None
        Name of each system; None for the model of its report, else its folder.
    metrics : sequence of str
        Metrics to compare; empty for the primary metric and the summary metrics of the config.
    by : sequence of str
        Breakdowns whose groups are compared as well.
    baseline : str
        Name or folder of the baseline, chosen before the answers were seen. Without a baseline all pairs of systems
        are compared by the randomized Tukey test.
    rule : str
        Extraction rule; by default the primary rule of the config, or the rule of the paper if rows of it are shown.
    allow : sequence of str
        Signature keys that may differ between the systems, such as ``prompt``, ``missing``, ``data`` or ``runs``.
    same_prompts : bool
        Whether only the generation settings may differ, and the prompts must be known.
    bootstrap : int
        Number of resamples for intervals and ranks, 1,000 by default; 0 for none.
    seed : int
        Random seed of resamples and permutations (NumPy's PCG64), 0 by default.
    permutations : int
        Minimum number of permutations.
    printed : sequence of str
        Rows of the paper's tables that are shown and never tested, as ``TABLE:ROW``.
    fail_on_regression : str
        Regression check, as ``METRIC`` or ``METRIC:POINTS``; ``judged`` has its outcome for each system.
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
    permutations: int
    printed: Sequence[str]
    fail_on_regression: str | None


@redact_errors
def compare(results: Sequence[Result | Report | str | Path], **options: Unpack[CompareOptions]) -> Compared:
    """Compare systems on the same clusters, with confidence intervals and significance tests.

    Parameters
    ----------
    results : sequence of path, Result or Report
        Two or more result folders, as `Report.save` writes them, results that were loaded from them, or reports that
        `score` returned.
    **options : CompareOptions
        The options of ``medzh-score compare``, such as ``by=["type"]``: see `CompareOptions`.

    Returns
    -------
    Compared
        A `Comparison` with ``to_text``, ``to_markdown``, ``to_latex``, ``to_arrow`` and ``to_pandas``.

    Raises
    ------
    MedzhError
        If systems are not comparable, with the keys in which they differ; or if a report was read from JSON, which
        does not contain the statistics of the items.

    Examples
    --------
    >>> comparison = compare(["results/a", "results/b"], by=["type"])  # doctest: +SKIP
    >>> comparison.as_dict()["found"][0]["differences"][0]["verdict"]  # doctest: +SKIP
    'ahead'
    """
    unknown = sorted(options.keys() - CompareOptions.__annotations__.keys())
    if unknown:
        raise TypeError(f"compare() got an unexpected keyword argument {unknown[0]!r}")
    accepted = Result | Report | str | Path
    if not isinstance(results, Sequence) or not all(isinstance(one, accepted) for one in results):
        raise _no_list("results", _("a list of result folders, results or reports"), results)
    _refuse_letters("results", results)
    choices = _choices(options)
    with TemporaryDirectory(prefix="medzh-") as folder:  # items are read from a folder only
        given = [
            _saved(one, Path(folder) / f"report-{place}") if isinstance(one, Report) else one
            for place, one in enumerate(results, 1)
        ]
        return Compared(**vars(compared(comparable(given, choices), choices)))


def _saved(report: Report, folder: Path) -> Path:
    if report.__dict__.get("artifacts") is None:
        problem = _("the report was read from a file and does not contain the statistics of the items")
        advice = _("compare the result folder of the report, or a report returned by score()")
        raise MedzhError(problem, field="results", found=repr(report), advice=advice)
    report.save(folder)
    return folder


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
    return MedzhError(_("the value is not a list"), field=name, expected=expected, found=found)
