"""A comparison of systems on one config, before anything is known of how it is shown."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from medzh_score.comparison.verdict import decide
from medzh_score.io.jsonl import json_document
from medzh_score.ui.errors import NAMED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.stats.pairwise import MetricComparison


SCHEMA = 1  # of the JSON
Outcome = Literal["pass", "undecided", "fail"]


@dataclass(frozen=True)
class System:
    """A system that is compared."""

    label: str  # as the user calls it, else the report's model, else the folder; unique
    folder: str  # name of its result folder
    model: str | None  # as its report has it
    runs: int
    differing: Mapping[str, str]  # what its signature says under the keys in which the systems differ


@dataclass(frozen=True)
class PrintedRow:
    """A row of a paper, set beside a comparison: with no interval, and never tested."""

    table: str
    row: str
    values: Mapping[str, float]  # from the metric's name here to what is printed
    remarks: tuple[str, ...]  # what is and what is not comparable


@dataclass(frozen=True)
class Judged:
    """Whether a gate lets a system pass."""

    label: str
    baseline: str
    metric: str
    points: float | None  # allowed loss in percentage points; None: any that is not significant
    outcome: Outcome
    detectable: float | None  # smallest difference that would have been found
    unavailable_reason: str | None  # there is no interval or no test


@dataclass(frozen=True, repr=False)
class Comparison:
    """Systems on the same units of one config.

    Attributes
    ----------
    config, rule, unit : str
        By which rule answers were read, and the unit of the metrics.
    systems : tuple of System
        In the order in which they were named.
    found : tuple of MetricComparison
        For each metric all items first, then each group that was asked for.
    units, left_out : int
        How many units are compared, and how many were left out because a system lacks them.
    signature : mapping of str to str
        What the signatures of all have in common.
    allowed : tuple of str
        The keys that move values in which the systems differ, and may.
    differing : tuple of str
        The keys that move only how values are shown in which they differ.
    bootstrap, seed : int
        Of the resamples; the seed is that of the swaps, too.
    cautions : tuple of str
        What a reader should know before the table.
    notes : tuple of str
        What a reader should know after it.
    data_warnings : tuple of str
        Codes of the report warnings on data that are not the official benchmark.
    printed : tuple of PrintedRow
        Rows of papers beside it.
    judged : tuple of Judged
        What a gate says of each system beside the baseline; empty without a gate.
    items : int, optional
        How many items the units have that are compared; None where logs of another tool are compared, whose samples
        are units and hold no text.
    """

    config: str
    rule: str
    unit: str
    systems: tuple[System, ...]
    found: tuple[MetricComparison, ...]
    units: int
    left_out: int
    signature: Mapping[str, str]
    allowed: tuple[str, ...]
    differing: tuple[str, ...]
    bootstrap: int
    seed: int
    cautions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    data_warnings: tuple[str, ...] = ()
    printed: tuple[PrintedRow, ...] = ()
    judged: tuple[Judged, ...] = ()
    items: int | None = None

    def __repr__(self) -> str:
        """Return one line with the systems, the rule and the number of clusters."""
        names = ", ".join(one.label for one in self.systems[:NAMED])
        more = f" and {len(self.systems) - NAMED} more" if len(self.systems) > NAMED else ""
        return f"<{type(self).__name__} {self.config}, rule {self.rule}: {names}{more} on {self.units} clusters>"

    @property
    def same_prompts(self) -> bool:
        """Whether systems were asked alike, and decoded each in its own way: nothing else that moves values differs."""
        return self.allowed == ("generation",)

    def as_dict(self) -> dict[str, Any]:
        """Give the comparison as plain mappings and lists.

        Contains ``schema`` (the version of this format) and the attributes. Each of ``differences`` also has
        ``depends_on_unparsed`` and the ``verdict`` on its first system: ``ahead``, ``behind``, ``no_difference`` or
        ``undecided``, with the ``reasons`` (see `comparison.verdict`). There is no time stamp and no path.
        """
        return {
            "schema": SCHEMA,
            **asdict(self),
            "same_prompts": self.same_prompts,
            "found": [{**asdict(one), "differences": _differences(one)} for one in self.found],
        }

    def as_json(self) -> bytes:
        """Give the comparison as JSON: UTF-8, indented, equal for equal input, ending in a newline."""
        return json_document(self.as_dict())


def _differences(found: MetricComparison) -> list[dict[str, Any]]:
    direction = found.standings[0].value.direction
    return [
        {**asdict(one), "depends_on_unparsed": one.depends_on_unparsed, **decide(one, direction)._asdict()}
        for one in found.differences
    ]
