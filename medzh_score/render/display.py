"""Display of a comparison: names, decimals, order and language, and the cells of its tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from medzh_score.io.open_input import InputFile
from medzh_score.io.tables import read_rows
from medzh_score.render.tables import UNLIMITED
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _, pgettext
from medzh_score.ui.numbers import MISSING, PAPER_DECIMALS, PERCENT_DECIMALS, interval_text, percent, rounded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.comparison.model import Comparison
    from medzh_score.stats.pairwise import Difference, MetricComparison, SystemResult


GIVEN = "given"
Language = Literal["en", "zh"]
Caption = Literal["en", "zh", "both"]
CAPTIONS: dict[Caption, tuple[Language, ...]] = {"en": ("en",), "zh": ("zh",), "both": ("en", "zh")}


@dataclass(frozen=True)
class DisplayOptions:
    """Display of a comparison.

    Attributes
    ----------
    names : mapping of str to str
        Display names by system name.
    digits : int or None
        Decimals of values; None for one decimal of a percentage and three of a fraction.
    order : str or None
        Metric that sorts the systems, or ``given`` for the order in which they were named; None for the first metric.
    caption : {"en", "zh", "both"}
        Language of captions and methods.
    methods : bool
        Whether a paragraph on the statistical methods is added.
    width : int
        Maximum width of text, in columns.
    color : bool
        Whether a terminal shows the text.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    digits: int | None = None
    order: str | None = None
    caption: Caption = "en"
    methods: bool = False
    width: int = UNLIMITED
    color: bool = False

    @property
    def languages(self) -> tuple[Language, ...]:
        """The languages of captions and methods, in their order."""
        return CAPTIONS[self.caption]

    def name(self, label: str) -> str:
        """Return the display name of a system."""
        return printable(self.names.get(label, label))

    def decimals(self, unit: str) -> int:
        """Return the decimals of a value in the table of a paper, which keeps the unit of the config."""
        return PAPER_DECIMALS[unit] if self.digits is None else self.digits

    @property
    def percent_decimals(self) -> int:
        """The decimals of percentages."""
        return PERCENT_DECIMALS if self.digits is None else self.digits


def read_names(path: Path) -> dict[str, str]:
    """Read display names from a CSV file with the columns ``label`` and ``name``."""
    names: dict[str, str] = {}
    with InputFile(path) as file:
        for line, row in read_rows(file, ("label", "name")):
            for column in ("label", "name"):
                if not row[column]:
                    raise MedzhError(_("the cell is empty"), file=path, line=line, field=column, expected=_("a string"))
            if row["label"] in names:
                problem = _("the label is listed twice")
                raise MedzhError(
                    problem, file=path, line=line, field="label", expected=_("distinct values"), found=row["label"]
                )
            names[row["label"]] = row["name"]
    return names


def ordered(comparison: Comparison, options: DisplayOptions) -> list[int]:
    """Return the positions of the systems in display order; two systems of one display name are refused."""
    counts = Counter(options.name(system.label) for system in comparison.systems)
    name, count = counts.most_common(1)[0]
    if count > 1:
        problem, expected = _("two systems have the same display name"), _("one display name per system")
        raise MedzhError(problem, field="--display-names", expected=expected, found=name)
    if options.order == GIVEN:
        return [*range(len(counts))]
    by = comparison.found[0] if options.order is None else _by(comparison, options.order)
    return standing_order(by.standings)


def _by(comparison: Comparison, metric: str) -> MetricComparison:
    for found in comparison.found:
        if found.metric == metric and not found.breakdown:
            return found
    known = ", ".join(dict.fromkeys(found.metric for found in comparison.found if not found.breakdown))
    expected = _("{given} or one of {known}", given=GIVEN, known=known)
    raise MedzhError(
        _("the comparison does not include this metric"), field="--sort-by", expected=expected, found=metric
    )


def standing_order(standings: Sequence[SystemResult]) -> list[int]:
    """Return positions by value, the best first; without a direction the highest first; last those without a value."""

    def key(place: int) -> tuple[bool, float]:
        value = standings[place].value
        sign = 1 if value.direction == "lower" else -1
        return value.value is None, sign * (value.value or 0.0)

    return sorted(range(len(standings)), key=key)


P_DECIMALS = 3
SMALLEST_P = 10**-P_DECIMALS
NONE = MISSING
INTERVAL = "95% CI"
ADJUSTED_P = pgettext("heads", "adjusted p")
# The columns after a difference.
DIFFERENCE_HEADS = (
    INTERVAL,
    "p",
    ADJUSTED_P,
    pgettext("heads", "won/lost/tied"),
    pgettext("heads", "MDD"),
    pgettext("heads", "worst-case bounds"),
)
DAGGER = "†"
EXPLAINED = _("† sensitive to unparsed answers")  # in a figure


def number(value: float | None, decimals: int) -> str:
    """Write a number in its own unit."""
    return NONE if value is None else rounded(value, decimals)


def span(low: float | None, high: float | None, decimals: int) -> str:
    """Write an interval in its own unit."""
    return NONE if low is None or high is None else f"[{rounded(low, decimals)}, {rounded(high, decimals)}]"


def p_value(p: float | None) -> str:
    """Write a p value.

    >>> p_value(0.06), p_value(0.0004), p_value(None)
    ('0.060', '<0.001', '–')
    """
    if p is None:
        return NONE
    return rounded(p, P_DECIMALS) if p >= SMALLEST_P else f"<{rounded(SMALLEST_P, P_DECIMALS)}"


def points(value: float | None, unit: str, decimals: int = PERCENT_DECIMALS) -> str:
    """Write a difference in percentage points, with its sign.

    >>> points(0.072, "fraction"), points(-7.2, "percent"), points(0.0, "percent")
    ('+7.2', '-7.2', '0.0')
    """
    text = percent(value, unit, decimals)
    return f"+{text}" if value is not None and value > 0 and text.strip("0.") else text


def outcomes(difference: Difference) -> str:
    """Write the numbers of clusters won, lost and tied."""
    counted = (difference.won, difference.lost, difference.tied)
    return NONE if difference.won is None else "/".join(map(str, counted))


def difference_cells(one: Difference, unit: str, decimals: int) -> tuple[str, ...]:
    """Write a difference, with † if it is sensitive to unparsed answers, and the cells of `DIFFERENCE_HEADS`."""
    dagger = f" {DAGGER}" if one.depends_on_unparsed else ""
    bounds = NONE if one.bounds is None else interval_text(one.bounds.low, one.bounds.high, unit, decimals)
    return (
        points(one.value, unit, decimals) + dagger,
        interval_text(one.low, one.high, unit, decimals),
        p_value(one.p),
        p_value(one.corrected),
        outcomes(one),
        percent(one.detectable, unit, decimals),
        bounds,
    )
