"""What a config declares for its answers to be read by somebody else than a rule, and how such a reader is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.answers import SECOND_READING
from medzh_score.config import OURS, answer, pick
from medzh_score.extraction import whole_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from medzh_score.config import Answer, Asked, Config, Layout, Record, Rule

NO_ANSWER = "无答案"  # what the prompt asks for where a text commits itself to nothing
BARE = "无"
NONE = re.compile(
    r"(?:最终)?(?:答案)?(?:是|为)?[:：]?(?:无(?:明确|确定)?的?(?:答案|回答)|没有(?:明确|确定)?的?答案|none|no answer)"
)
LACKING = re.compile(
    r"(?:没有|未|无)(?:能)?(?:给出|作出|做出|表明|表达)?(?:任何|一个)?(?:明确|确定|最终)?的?(?:答案|作答|回答)"
)
AROUND = " \t\r\n*`#\"'“”‘’「」『』【】[]()（）。.，,；;！!"


@dataclass(frozen=True)
class ResponsesOf:
    """A later round of the same model, each item a record: its responses are what is read, not the first answers.

    Attributes
    ----------
    round : str
        Its name.
    asked : callable
        As `Config.asked`: each record alone, with what the rule needs to know of it.
    rule : Rule
        Ours, as it reads these responses.
    """

    round: str
    asked: Callable[[Sequence[Record], Layout], Sequence[Asked]]
    rule: Rule


@dataclass(frozen=True)
class Reads:
    """How the answers of a config can be read by a person or a model.

    Attributes
    ----------
    question : callable
        From a record with all its columns, what was `Asked` and the number of the variant to what the reader is shown
        of the question: its options as they were shown, never the gold.
    choices : str
        In Chinese, in which form the reader writes an answer.
    rules : tuple of str
        The rules of the config that read answers from texts: those that an audit counts the errors of.
    shares : tuple of str
        The metrics that are shares of items, records or groups, to which each answer gives at most its own part.
    second : bool
        Whether there is a second reading; not where it is measured how well a form is followed.
    lead : str
        What stands before the reader's words when the rule reads them.
    same : callable
        From two values to whether they are one answer.
    of : ResponsesOf or None
        Of which responses the answers are read; None where it is the first.
    """

    question: Callable[[Record, Asked, int], str]
    choices: str
    rules: tuple[str, ...] = (OURS,)
    shares: tuple[str, ...] = ()
    second: bool = True
    lead: str = ""
    same: Callable[[str, str], bool] = str.__eq__
    of: ResponsesOf | None = None


class Said(NamedTuple):
    """What a reader says that a text commits itself to: a value with its note, or None for nothing."""

    value: str | None
    note: str | None = None

    @property
    def answer(self) -> Answer:
        """The answer that it makes."""
        return answer(self.value, SECOND_READING, self.note)


def our_rule(config: Config) -> Rule:
    """Give the rule of ours that reads what rounds about predictions ask about, and the replies.

    Parameters
    ----------
    config : Config
        It has `Reads`.
    """
    reads = config.reads
    return pick("--rule", config.rules, OURS) if reads is None or reads.of is None else reads.of.rule


def read_reply(reads: Reads, rule: Rule, text: str, asked: Asked, variant: int) -> Said | None:
    """Read what a reader wrote about one record's answer.

    Parameters
    ----------
    reads : Reads
        Of the config.
    rule : Rule
        Ours.
    text : str
        What the reader wrote, thinking and all.
    asked : Asked
        The record alone.
    variant : int
        In which the options were shown.

    Returns
    -------
    Said or None
        None where it cannot be read. A bare 无 says that there is none, unless the rule takes it for an answer. Who
        says that the text lacks an answer, and gives one, has solved the question: that is not read either.
    """
    said = whole_text.spoken(text)
    if said is None:
        return None
    word = said.rsplit("\n", 1)[-1].strip(AROUND)
    if NONE.fullmatch(word.lower()):
        return Said(None)
    (found,) = rule.read(reads.lead + said, asked.side, variant)
    if found.value is None:
        return Said(None) if word == BARE or LACKING.search(word) else None
    return None if word == BARE or LACKING.search(said) else Said(str(found.value), found.note)


def same_set(separator: str) -> Callable[[str, str], bool]:
    """Make a comparison of values that are lists: their order does not matter.

    Parameters
    ----------
    separator : str
        Between the members.

    Examples
    --------
    >>> same_set("；")("J30.4；J45.9", "J45.9；J30.4")
    True
    """

    def same(one: str, other: str) -> bool:
        return set(one.split(separator)) == set(other.split(separator))

    return same


def is_due(found: Answer, *, unclear: bool) -> bool:
    """Say whether a rule's reading goes out to a second reader.

    Parameters
    ----------
    found : Answer
        By the rule.
    unclear : bool
        Whether what was read without being clear goes out, too.
    """
    if found.value is None:
        return found.why not in FOUND_NONE and found.why not in NOTHING_TO_READ
    return unclear and not found.clear


def is_control(found: Answer, *, unclear: bool) -> bool:
    """Say whether a rule's reading can test a second reader: an answer, or a stated reason for none.

    Parameters
    ----------
    found : Answer
        By the rule.
    unclear : bool
        As for `is_due`.
    """
    return not is_due(found, unclear=unclear) and found.why not in NOTHING_TO_READ


NOTHING_TO_READ = frozenset({"empty"})
FOUND_NONE = frozenset({"refusal", "unfinished thinking"})  # it was understood that there is no answer
