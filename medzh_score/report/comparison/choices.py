"""What a user asks of a comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from medzh_score.messages.errors import MedzhError
from medzh_score.statistics.comparison.compare import SWAPS
from medzh_score.statistics.values import Bootstrap

GATE = "--fail-on-regression"


@dataclass(frozen=True)
class Gate:
    """By how many points a metric may be worse than the baseline's; None for any that is not significant."""

    metric: str
    points: float | None = None


def gate_of(text: str) -> Gate:
    """Read ``METRIC[:points]``.

    Examples
    --------
    >>> gate_of("F1-level-2:0.5"), gate_of("FactAcc")
    (Gate(metric='F1-level-2', points=0.5), Gate(metric='FactAcc', points=None))
    """
    metric, colon, points = text.rpartition(":")
    if not colon:
        return Gate(text)
    try:
        allowed = float(points)
    except ValueError:
        allowed = math.nan
    if not (metric and 0 <= allowed < math.inf):
        raise MedzhError("is no gate", field=GATE, expected="METRIC or METRIC:points, such as FactAcc:2", found=text)
    return Gate(metric, allowed)


@dataclass(frozen=True)
class Choices:
    """How systems are compared.

    Attributes
    ----------
    labels : tuple of str or None
        What each system is called, None by its report's model or else by its folder; empty for all of these.
    metrics : tuple of str
        Which are compared; empty for the headline and what the config shows beside it.
    by : tuple of str
        The breakdowns whose groups are compared, too.
    baseline : str or None
        The label or the folder of the system that all others are compared with; None for the best.
    all_pairs : bool
        Whether every system is compared with every other.
    best : int or None
        Of all pairs, those alone are described that so many of the best form; all are tested. None for all.
    rule : str or None
        By which answers were read. None for ``medzh-1`` where all reports hold it, else for their own; with printed
        rows for the paper's.
    allow : tuple of str
        The keys of signatures that move values in which the systems may differ, ``runs`` for another number of runs.
    same_prompts : bool
        Whether the systems are to differ in nothing but the decoding, under prompts that are known.
    bootstrap : Bootstrap
        Resamples of intervals and ranks; the seed is that of the swaps, too.
    swaps : int
        How many times rows are swapped, at least.
    printed : tuple of str
        Rows of the paper's tables that are set beside, as ``TABLE:ROW``.
    gate : Gate or None
        By how much systems may be worse than the baseline.
    """

    labels: tuple[str | None, ...] = ()
    metrics: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    baseline: str | None = None
    all_pairs: bool = False
    best: int | None = None
    rule: str | None = None
    allow: tuple[str, ...] = ()
    same_prompts: bool = False
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    swaps: int = SWAPS
    printed: tuple[str, ...] = ()
    gate: Gate | None = None
