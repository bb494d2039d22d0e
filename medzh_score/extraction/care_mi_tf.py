"""CARE-MI: whether an answer to a yes-or-no question says that its claim holds; the rest of it is for raters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from medzh_score.extraction.expressions import expression
from medzh_score.extraction.verdict import read_verdict
from medzh_score.extraction.yes_no import read_yes_no

AGREE, REFUSE = "agree", "refuse"
_OF = {"correct": AGREE, "yes": AGREE, "incorrect": REFUSE, "no": REFUSE}
NEGATED = expression(
    "negated claim",
    r"不[是为宜能可应会得需必要]|没有|无需|无须|禁止",
    matches="活动性肺结核的产妇不宜母乳喂养",
    misses="叶酸有助于预防胎儿神经管缺陷",
)


@dataclass(frozen=True)
class Claim:
    """What a yes-or-no question asks about.

    Attributes
    ----------
    statement : str
        That it holds.
    """

    statement: str

    @cached_property
    def negative(self) -> bool:
        """Whether it denies something, so that 不是 may deny it or repeat it."""
        return NEGATED.pattern.search(self.statement) is not None


def read(text: str, claim: Claim) -> str | None:
    """Read whether an answer agrees with the claim of its question or denies it.

    Parameters
    ----------
    text : str
        The prediction.
    claim : Claim
        What was asked about.

    Returns
    -------
    str or None
        ``agree`` or ``refuse``; None where it is not read. A bare no to a claim that denies may mean either.

    Examples
    --------
    >>> claim = Claim("妊娠剧吐会引起脱水。")
    >>> [read(text, claim) for text in ("这个说法是正确的。", "不会。", "不一定。")]
    ['agree', 'refuse', None]
    """
    found = read_verdict(text).value
    if found is None and not claim.negative:
        found = read_yes_no(text, spoken=True).value
    return _OF[found] if isinstance(found, str) else None
