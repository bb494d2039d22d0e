"""How a second reader's reply is read, and which readings of a rule go out to one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.answer_table import SECOND_READING
from medzh_score.benchmark.answers import answer
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.rules import OURS
from medzh_score.extraction import whole_text
from medzh_score.extraction.length import TOO_LONG, runs_on

if TYPE_CHECKING:
    from medzh_score.benchmark.answers import Answer
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Asked
    from medzh_score.benchmark.rules import Rule
    from medzh_score.benchmark.second_readers import Reads

NO_ANSWER = "无答案"  # what the prompt asks for where a text commits itself to nothing
BARE = "无"
NONE = re.compile(
    r"(?:最终)?(?:答案)?(?:是|为)?[:：]?(?:无(?:明确|确定)?的?(?:答案|回答)|没有(?:明确|确定)?的?答案|none|no answer)"
)
LACKING = re.compile(
    r"(?:没有|未|无)(?:能)?(?:给出|作出|做出|表明|表达)?(?:任何|一个)?(?:明确|确定|最终)?的?(?:答案|作答|回答)"
)
AROUND = " \t\r\n*`#\"'“”‘’「」『』【】[]()（）。.，,；;！!"


class Said(NamedTuple):
    """What a reader says that a text commits itself to: a value with its note, or None for nothing."""

    value: str | None
    note: str | None = None

    @property
    def answer(self) -> Answer:
        """The answer that it makes."""
        return answer(self.value, SECOND_READING, self.note)


def our_rule(config: Config) -> Rule:
    """Give the rule of ours that reads what rounds about predictions ask about, and the replies."""
    reads = config.reads
    return pick("--rule", config.rules, OURS) if reads is None or reads.of is None else reads.of.rule


def read_reply(reads: Reads, rule: Rule, text: str, asked: Asked, variant: int) -> Said | None:
    """Read what a reader wrote about one record's answer; None where it cannot be read.

    A bare 无 says that there is none, unless the rule takes it for an answer. Who says that the text lacks an answer,
    and gives one, has solved the question: that is not read either.
    """
    said = None if runs_on(text) else whole_text.answer_text(text)
    if said is None:
        return None
    word = said.rsplit("\n", 1)[-1].strip(AROUND)
    if NONE.fullmatch(word.lower()):
        return Said(None)
    (found,) = rule.read(reads.lead + said, asked.side, variant)
    if found.value is None:
        return Said(None) if word == BARE or LACKING.search(word) else None
    return None if word == BARE or LACKING.search(said) else Said(str(found.value), found.note)


def is_due(found: Answer, *, unclear: bool) -> bool:
    """Say whether a rule's reading goes out to a second reader."""
    if found.value is None:
        return found.why not in FOUND_NONE and found.why not in NOTHING_TO_READ
    return unclear and not found.clear


def is_control(found: Answer, *, unclear: bool) -> bool:
    """Say whether a rule's reading can test a second reader: an answer, or a stated reason for none."""
    return not is_due(found, unclear=unclear) and found.why not in NOTHING_TO_READ


NOTHING_TO_READ = frozenset({"empty", TOO_LONG.why})
FOUND_NONE = frozenset({"refusal", "unfinished thinking"})  # it was understood that there is no answer
