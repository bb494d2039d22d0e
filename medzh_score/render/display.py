"""How a comparison is shown: under which names, with how many digits, in which order and language."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from medzh_score.io.open_input import InputFile
from medzh_score.io.tables import read_rows
from medzh_score.render.tables import UNLIMITED
from medzh_score.results.numbers import DECIMALS, rounded
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _

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
    """How a comparison is shown."""

    names: Mapping[str, str] = field(default_factory=dict)  # by label
    digits: int | None = None  # None: those of the config's unit
    order: str = GIVEN  # or the metric that sorts
    caption: Caption = "en"
    methods: bool = False  # add a paragraph on the statistics
    width: int = UNLIMITED  # of text, in columns

    @property
    def languages(self) -> tuple[Language, ...]:
        """The languages of captions and methods, in their order."""
        return CAPTIONS[self.caption]

    def name(self, label: str) -> str:
        """Give the name under which a system is shown."""
        return printable(self.names.get(label, label))

    def decimals(self, unit: str) -> int:
        """Say how many decimals a value of a unit has."""
        return DECIMALS[unit] if self.digits is None else self.digits


def read_names(path: Path) -> dict[str, str]:
    """Read the names under which systems are shown: a CSV file with the columns ``label`` and ``name``."""
    names: dict[str, str] = {}
    with InputFile(path) as file:
        for line, row in read_rows(file, ("label", "name")):
            for column in ("label", "name"):
                if not row[column]:
                    raise MedzhError(_("is empty"), file=path, line=line, field=column, expected=_("a text"))
            if row["label"] in names:
                problem = _("the label stands there twice")
                raise MedzhError(problem, file=path, line=line, field="label", expected=_("once"), found=row["label"])
            names[row["label"]] = row["name"]
    return names


def ordered(comparison: Comparison, options: DisplayOptions) -> list[int]:
    """Give the places of the systems in the order in which they are shown, and refuse two of one name."""
    often = Counter(options.name(system.label) for system in comparison.systems)
    name, count = often.most_common(1)[0]
    if count > 1:
        problem, expected = _("two systems would be shown under one name"), _("a name of its own for each")
        raise MedzhError(problem, field="--labels", expected=expected, found=name)
    return standing_order(_by(comparison, options.order).standings) if options.order != GIVEN else [*range(len(often))]


def _by(comparison: Comparison, metric: str) -> MetricComparison:
    for found in comparison.found:
        if found.metric == metric and not found.breakdown:
            return found
    known = ", ".join(dict.fromkeys(found.metric for found in comparison.found if not found.breakdown))
    expected = _("{given} or one of {known}", given=GIVEN, known=known)
    raise MedzhError(_("no such metric is compared"), field="--order", expected=expected, found=metric)


def standing_order(standings: Sequence[SystemResult]) -> list[int]:
    """Give places by value, the best first; the highest where no direction is better, and last what has none."""

    def key(place: int) -> tuple[bool, float]:
        value = standings[place].value
        sign = 1 if value.direction == "lower" else -1
        return value.value is None, sign * (value.value or 0.0)

    return sorted(range(len(standings)), key=key)


P_DECIMALS = 4
SMALLEST_P = 10**-P_DECIMALS
UNREAD_DECIMALS = 2
NONE = "-"
INTERVAL = "95% interval"
BESIDE = (INTERVAL, "p", "corrected p", "won/lost/tied", "would find", "bounds")  # what says more of a difference
DAGGER = "†"
EXPLAINED = _("† depends on unread answers")  # in a figure
ARROWS = {"higher": "↑", "lower": "↓", None: ""}


def number(value: float | None, decimals: int) -> str:
    """Write a number."""
    return NONE if value is None else rounded(value, decimals)


def span(low: float | None, high: float | None, decimals: int) -> str:
    """Write an interval."""
    return (
        NONE
        if low is None or high is None
        else _("{least} to {most}", least=rounded(low, decimals), most=rounded(high, decimals))
    )


def p_value(p: float | None) -> str:
    """Write a p value; one that rounding would make 0 is smaller than something."""
    if p is None:
        return NONE
    return rounded(p, P_DECIMALS) if p >= SMALLEST_P else f"<{rounded(SMALLEST_P, P_DECIMALS)}"


def outcomes(difference: Difference) -> str:
    """Write in how many units a system is better, worse and equal."""
    counted = (difference.won, difference.lost, difference.tied)
    return NONE if difference.won is None else "/".join(map(str, counted))


def difference_cells(one: Difference, decimals: int) -> tuple[str, ...]:
    """Write a difference, with a dagger where unread answers may turn its sign, and all that is known of it."""
    dagger = DAGGER if one.depends_on_unread else ""
    bounds = NONE if one.bounds is None else span(one.bounds.low, one.bounds.high, decimals)
    return (
        number(one.value, decimals) + dagger,
        span(one.low, one.high, decimals),
        p_value(one.p),
        p_value(one.corrected),
        outcomes(one),
        number(one.detectable, decimals),
        bounds,
    )
