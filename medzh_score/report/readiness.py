"""Whether scoring predictions would be sound, why not, and what to do about it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.benchmark.rules import OURS
from medzh_score.extraction.length import CUT
from medzh_score.report.cautions import MUCH_TRUNCATED, MUCH_UNREAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.answer_table import WordingCount
    from medzh_score.predictions.collected import Coverage


# By which rules the whole text is the answer: then nothing is unread but what is empty, or never stops thinking.
WHOLE_TEXTS = frozenset({"whole text", "own text", "for the judge", CUT})
MISSING, UNREAD, TRUNCATED, VALUELESS = "missing", "unread", "truncated", "without a value"


@dataclass(frozen=True)
class Given:
    """What was checked, as words of a command line: what is read, and what only scoring takes besides."""

    read: tuple[str, ...]
    more: tuple[str, ...]

    def command(self, name: str, *options: str) -> str:
        """Write a command that reads the same, to be called as it stands."""
        return shlex.join(["medzh-score", name, *self.read, *(self.more if name == "score" else ()), *options])

    def round_command(self) -> str:
        """Write the command that asks a later round, whose name stands beside it."""
        config, *read = self.read
        return shlex.join(["medzh-score", "prompts", config, "--round", "NAME", "--after", *read])


@dataclass(frozen=True)
class Why:
    """What there is too much of for scoring to be sound, and above which share."""

    what: str
    count: int
    of: int
    most: float


def problems_of(coverage: Coverage | None) -> tuple[Why, ...]:
    """Find why scoring would not be sound. Gives empty where it would be."""
    if coverage is None:
        return ()
    found = (
        Why(MISSING, coverage.missing, coverage.expected, 0.0),
        Why(UNREAD, coverage.unread, coverage.read, MUCH_UNREAD),
        Why(TRUNCATED, coverage.truncated, coverage.read, MUCH_TRUNCATED),
    )
    return tuple(why for why in found if why.count > why.most * why.of)


def takes_whole_texts(fired: Sequence[WordingCount]) -> bool:
    """Say whether all answers are whole texts."""
    answered = {one.wording for one in fired if one.answered}
    return bool(answered) and answered <= WHOLE_TEXTS


def tells_clear(rule: str, fired: Sequence[WordingCount]) -> bool:
    """Say whether a rule tells which of its answers are clear: ours does, where it reads them from texts."""
    return rule == OURS and not takes_whole_texts(fired)


def advice_on(given: Given, rule: str, why_not: Sequence[Why], *, faulty: bool) -> tuple[str, ...]:
    """Say what to do next: mend faulty files, see to each reason not to score, or score."""
    if faulty:
        return ("Next: mend the files as the error says, and check again.",)
    again = {
        MISSING: (
            "Next: send the prompts of the missing predictions again; or count them as wrong, or drop their units "
            f"(skip): {given.command('score', '--missing', 'wrong')}"
        ),
        UNREAD: f"Next: look at some of the unread: {given.command('explain', '--rule', rule, '--unread', '5')}",
        TRUNCATED: "Next: raise the limit of new tokens and generate the truncated ones again.",
        VALUELESS: f"Next: let the later round be answered: {given.round_command()}",
    }
    found = tuple(again[why.what] for why in why_not)
    return found or (f"Next: {given.command('score')}",)
