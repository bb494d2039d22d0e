"""What comes back about single predictions: filled sheets and models' responses, read by the config's own rule."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.about_predictions import COLUMN
from medzh_score.benchmark.answer_table import SECOND_READING
from medzh_score.benchmark.answers import answer
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.judgements import Source
from medzh_score.benchmark.rules import OURS
from medzh_score.extraction.length import TOO_LONG, runs_on
from medzh_score.files.input_file import InputFile
from medzh_score.files.sheets import read_rows
from medzh_score.predictions.readers.recognise import find_reader
from medzh_score.prompts.codes import Key, check_code, no_order, split_judged_id
from medzh_score.rounds.binding import fault_in
from medzh_score.rounds.item_rows import (
    BLANK,
    EMPTY,
    UNNAMED,
    UNREADABLE,
    Row,
    is_filled_sheet,
    response_row,
    several_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answers import Answer
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Asked
    from medzh_score.benchmark.rounds import Round
    from medzh_score.benchmark.rules import Rule
    from medzh_score.benchmark.second_readers import Reads
    from medzh_score.files.input_file import Input
    from medzh_score.prompts.codes import SentOrder
    from medzh_score.rounds.binding import Predictions


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
    if runs_on(text):
        return None
    word = text.rsplit("\n", 1)[-1].strip(AROUND)
    if NONE.fullmatch(word.lower()):
        return Said(None)
    (found,) = rule.read(reads.lead + text, asked.side, variant)
    if found.value is None:
        return Said(None) if word == BARE or LACKING.search(word) else None
    return None if word == BARE or LACKING.search(text) else Said(str(found.value), found.note)


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


@dataclass
class Replies:
    """What was said about single predictions; of several files the later one wins, and says how many it replaced."""

    values: dict[Key, Said] = field(default_factory=dict)
    sources: dict[Key, Source] = field(default_factory=dict)
    lacking: dict[Key, str] = field(default_factory=dict)
    overridden: int = 0
    inputs: list[Input] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        """Who said what stands, in alphabetical order."""
        return tuple(sorted({source.name for source in self.sources.values()}))

    @property
    def how(self) -> str:
        """By whom values were said, and how many replaced others, as the end of a sentence."""
        by = f"; by {', '.join(self.names)}" if self.names else ""
        return by + (f"; {self.overridden} replaced by a later file" if self.overridden else "")

    def came_back(self, key: Key) -> bool:
        """Say whether something was said, readable or not."""
        return key in self.values or self.lacking.get(key) in {UNREADABLE, EMPTY}

    def lacks(self, key: Key, why: str) -> None:
        """Note that a row says nothing; it takes no value away, nor that somebody said something."""
        if not self.came_back(key):
            self.lacking[key] = why


def read_replies(
    later: Round, paths: Sequence[Path], config: Config, at_hand: Predictions, order: SentOrder = no_order
) -> Replies:
    """Read what came back in a round about single predictions."""
    replies, rows = Replies(), list[Row]()
    for path in paths:
        here = set[Key]()
        with InputFile(path) as file:
            for row in _filled_rows(file) if is_filled_sheet(file, later) else _responses(file, order):
                rows.append(row)
                _check_known(row, at_hand)
                if row.lacks:
                    replies.lacks(row.key, row.lacks)
                    continue
                if row.key in here:
                    raise fault_in(row, "is judged twice in one file", found=str(row.key))
                here.add(row.key)
                _take(replies, row, config, at_hand)
            replies.inputs.append(file.read_as(later.name))
    if rows:
        codes = at_hand.codes(later.name, (row.key for row in rows))
        for row in rows:
            check_code(row.key, row.code, codes.get(row.key), row.path, row.number)
    return replies


def _filled_rows(file: InputFile) -> Iterator[Row]:
    path = file.path
    for number, cells in read_rows(file, ("id", COLUMN)):
        key, code = split_judged_id(cells["id"], path, number)
        source, text = Source(cells.get("rater") or UNNAMED, "person"), cells[COLUMN]
        yield Row(path, number, key, code, source, text, lacks="" if text.strip() else BLANK)


def _responses(file: InputFile, order: SentOrder) -> Iterator[Row]:
    path, before = file.path, 0
    for number, response in find_reader(file, None).read(file, order):
        if number == before or response.run or response.variant:
            raise several_in(path, number, response.id)
        before = number
        yield response_row(path, number, *split_judged_id(response.id, path, number), response)


def _check_known(row: Row, at_hand: Predictions) -> None:
    if row.key.id not in at_hand.places:
        raise fault_in(
            row,
            "no record has this id",
            expected=f"one such as {at_hand.ids[0]}",
            found=row.key.id,
            advice="check that --data is the build that was asked about",
        )


def _take(replies: Replies, row: Row, config: Config, at_hand: Predictions) -> None:
    """Read one reply: what a person wrote must be readable, what a model wrote may not be."""
    reads = config.reads
    assert reads is not None  # noqa: S101 - the round is declared with it
    asked, said = at_hand.alone[row.key.id], None
    if row.key.variant in asked.variants.numbers:  # else its code fits no text
        said = read_reply(reads, our_rule(config), row.text, asked, row.key.variant)
        if said is None and row.source.kind == "person":
            expected = f"{reads.choices}, or {NO_ANSWER}"
            raise fault_in(row, "not a value of this column", COLUMN, expected=expected, found=row.text)
    if said is None:
        replies.lacks(row.key, UNREADABLE)
        return
    replies.overridden += row.key in replies.values
    replies.values[row.key], replies.sources[row.key] = said, row.source
    replies.lacking.pop(row.key, None)
