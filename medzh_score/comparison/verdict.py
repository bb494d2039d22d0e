"""The verdict on a difference between two systems, from its interval, its test and the unparsed answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from medzh_score.stats.permutation import SIGNIFICANCE

if TYPE_CHECKING:
    from medzh_score.benchmark.metrics import Direction
    from medzh_score.stats.pairwise import Difference


Verdict = Literal["ahead", "behind", "no_difference", "undecided"]
Reason = Literal[
    "not_available",  # a system has no value
    "no_direction",  # neither higher nor lower is better
    "no_test",
    "test_not_significant",  # although the interval excludes 0
    "interval_includes_zero",  # although the test is significant
    "unparsed_could_reverse",  # the worst-case bounds include 0
]


class Decision(NamedTuple):
    """A verdict on the first system of a difference, and the reasons if it is undecided."""

    verdict: Verdict
    reasons: tuple[Reason, ...] = ()


def decide(difference: Difference, direction: Direction | None) -> Decision:
    """Decide whether the first system of a difference is ahead of the second.

    The test counts with its adjusted p. A difference without an interval is decided by the test alone.

    Parameters
    ----------
    difference : Difference
        The value of one system minus that of the other.
    direction : {"higher", "lower"} or None
        Which values of the metric are better.

    Returns
    -------
    Decision
        ``ahead`` or ``behind`` if test and interval agree and no unparsed answers could reverse the sign;
        ``no_difference`` if neither finds a difference; else ``undecided`` with the reasons.
    """
    if difference.value is None:
        return Decision("undecided", ("not_available",))
    if direction is None:
        return Decision("undecided", ("no_direction",))
    if difference.corrected is None:
        return Decision("undecided", ("no_test",))
    significant = difference.corrected <= SIGNIFICANCE and difference.value != 0
    excluded = None if difference.low is None or difference.high is None else difference.low > 0 or difference.high < 0
    if not significant and not excluded:
        return Decision("no_difference")
    disagreeing: dict[Reason, bool] = {
        "test_not_significant": not significant,
        "interval_includes_zero": excluded is False,
        "unparsed_could_reverse": difference.depends_on_unparsed,
    }
    if reasons := tuple(reason for reason, applies in disagreeing.items() if applies):
        return Decision("undecided", reasons)
    return Decision("ahead" if (difference.value > 0) == (direction == "higher") else "behind")
