"""CARE-MI: whether an answer to a yes-or-no question says that its claim holds; the rest of it is for raters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from medzh_score.benchmark.rounds import Between
from medzh_score.extraction.expressions import expression
from medzh_score.extraction.score import read_score
from medzh_score.extraction.verdict import NODDED, read_verdict
from medzh_score.extraction.yes_no import read_yes_no

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

AGREE, REFUSE = "agree", "refuse"
_OF = {"correct": AGREE, "yes": AGREE, "incorrect": REFUSE, "no": REFUSE}
NEGATED = expression(
    "negated claim",
    r"不[是为宜能可应会得需必要]|没有|无需|无须|禁止",
    matches="活动性肺结核的产妇不宜母乳喂养",
    misses="叶酸有助于预防胎儿神经管缺陷",
)
AFFIRMED = expression("affirmed claim", r"[是为宜能可应会得需必要有]", matches="可以母乳喂养", misses="对")
PARTLY = expression("claim in part", r"不一定|不完全|未必|既[是对]", matches="是的，但不一定", misses="不是")


@dataclass(frozen=True)
class Claim:
    """What a yes-or-no question claims, as a statement that it holds, and what the question says against it."""

    statement: str
    opposite: str = ""

    @cached_property
    def negative(self) -> bool:
        """Whether it denies something, so that 不是 may deny it or repeat it."""
        return NEGATED.pattern.search(self.statement) is not None


def read(text: str, claim: Claim) -> str | None:
    """Read whether an answer agrees with the claim of its question; a bare no to a claim that denies may mean either.

    Examples
    --------
    >>> claim = Claim("妊娠剧吐会引起脱水。")
    >>> [read(text, claim) for text in ("这个说法是正确的。", "不会。", "不一定。")]
    ['agree', 'refuse', None]
    """
    if PARTLY.pattern.search(text):
        return None
    found = read_verdict(text)
    nodded = found.why == NODDED.name
    if not claim.negative and (nodded or found.why == "nothing"):
        found = read_yes_no(text, spoken=True)
    elif nodded and _affirms(text[found.spans[-1].end :]):
        return None
    if isinstance(found.value, str):
        return _OF[found.value]
    repeated = {claim.statement: AGREE, claim.opposite: REFUSE} if found.why == "nothing" else {}
    # The longer first: one may begin as the other does.
    return next((repeated[one] for one in sorted(repeated, key=len, reverse=True) if _repeats(text.strip(), one)), None)


def _repeats(text: str, statement: str) -> bool:
    """Say whether a text opens by repeating a statement as a sentence, which agrees with it."""
    bare = statement.rstrip("。")
    return bool(bare) and text.startswith(bare) and text[len(bare) : len(bare) + 1] in {"", *"。，！；\n"}


def _affirms(text: str) -> bool:
    """Say whether what stands behind a nod affirms and denies nothing, which a nod to a denial would have it do."""
    return AFFIRMED.pattern.search(text) is not None and NEGATED.pattern.search(text) is None


SCORE = Between(0, 1)


def score_reader(aspect: str) -> Callable[[str, Mapping[str, str]], Mapping[str, str] | None]:
    """Make the reader of a round's responses, which gives the score under the name of the aspect.

    Examples
    --------
    >>> read = score_reader("correctness")
    >>> read("评分：0.80", {}), read("0.8，因为基本正确", {}), read("评分：8.5/10", {})
    ({'correctness': '0.8'}, {'correctness': '0.8'}, None)
    """

    def read(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
        value = read_score(text, SCORE.low, SCORE.high).value
        number = SCORE.read(f"{value:.9f}") if isinstance(value, float) else None
        return None if number is None else {aspect: number}

    return read
