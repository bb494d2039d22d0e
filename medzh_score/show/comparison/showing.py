"""How a comparison is shown: under which names, with how many digits, in which order and language."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from medzh_score.files.input_file import InputFile
from medzh_score.files.sheets import read_rows
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.report.numbers import DECIMALS
from medzh_score.show.wrapping import UNLIMITED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.statistics.comparison.found import MetricComparison, Standing

GIVEN = "given"
Language = Literal["en", "zh"]
Caption = Literal["en", "zh", "both"]
CAPTIONS: dict[Caption, tuple[Language, ...]] = {"en": ("en",), "zh": ("zh",), "both": ("en", "zh")}


@dataclass(frozen=True)
class Showing:
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
                    raise MedzhError("is empty", file=path, line=line, field=column, expected="a text")
            if row["label"] in names:
                problem = "the label stands there twice"
                raise MedzhError(problem, file=path, line=line, field="label", expected="once", found=row["label"])
            names[row["label"]] = row["name"]
    return names


def ordered(comparison: Comparison, showing: Showing) -> list[int]:
    """Give the places of the systems in the order in which they are shown, and refuse two of one name."""
    often = Counter(showing.name(system.label) for system in comparison.systems)
    name, count = often.most_common(1)[0]
    if count > 1:
        raise MedzhError(
            "two systems would be shown under one name",
            field="--labels",
            expected="a name of its own for each",
            found=name,
        )
    return standing_order(_by(comparison, showing.order).standings) if showing.order != GIVEN else [*range(len(often))]


def _by(comparison: Comparison, metric: str) -> MetricComparison:
    for found in comparison.found:
        if found.metric == metric and not found.breakdown:
            return found
    known = ", ".join(dict.fromkeys(found.metric for found in comparison.found if not found.breakdown))
    raise MedzhError("no such metric is compared", field="--order", expected=f"{GIVEN} or one of {known}", found=metric)


def standing_order(standings: Sequence[Standing]) -> list[int]:
    """Give places by value, the best first; the highest where no direction is better, and last what has none."""

    def key(place: int) -> tuple[bool, float]:
        value = standings[place].value
        sign = 1 if value.direction == "lower" else -1
        return value.value is None, sign * (value.value or 0.0)

    return sorted(range(len(standings)), key=key)
