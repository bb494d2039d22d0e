"""A metric over training steps: which system is which step of which model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from medzh_score.show.comparison.showing import Showing
    from medzh_score.statistics.comparison.found import MetricComparison
    from medzh_score.statistics.values import Value

STEP = re.compile(r"step[s\s=_-]*([0-9]+)", re.IGNORECASE)
NUMBER = re.compile(r"[0-9]+")
EDGES = " =_-,;:/"


@dataclass(frozen=True)
class Trend:
    """A model's values by ascending step; the name is empty where labels hold nothing but steps."""

    name: str
    steps: tuple[int, ...]
    values: tuple[Value, ...]


def trends_of(found: MetricComparison, showing: Showing) -> list[Trend]:
    """Put systems into lines by what their names hold beside the step."""
    lines: dict[str, dict[int, Value]] = {}
    for standing in found.standings:
        label = showing.name(standing.label)
        name, step = split_step(label)
        if step in lines.setdefault(name, {}):
            raise MedzhError("two systems are of one step", field="DIR=LABEL", expected="each step once", found=label)
        lines[name][step] = standing.value
    return [Trend(name, tuple(sorted(of)), tuple(of[step] for step in sorted(of))) for name, of in lines.items()]


def split_step(label: str) -> tuple[str, int]:
    """Part a label into the name of a model and a training step: the number after "step", else the only number.

    Examples
    --------
    >>> split_step("glm-4 step=3000"), split_step("500")
    (('glm-4', 3000), ('', 500))
    """
    found = STEP.findall(label) or NUMBER.findall(label)
    if len(found) != 1:
        raise MedzhError(
            "a trend needs the training step of each system",
            field="DIR=LABEL",
            expected="labels with one number, such as step=3000",
            found=label,
        )
    rest = (STEP if STEP.search(label) else NUMBER).sub("", label)
    return rest.strip(EDGES), int(found[0])
