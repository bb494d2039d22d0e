"""What comes back about single predictions: filled sheets and models' responses, read by the config's own rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from medzh_score.benchmark.about_predictions import COLUMN
from medzh_score.benchmark.judgements import Source
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
from medzh_score.rounds.replies import NO_ANSWER, our_rule, read_reply

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.rounds import Round
    from medzh_score.files.input_file import Input
    from medzh_score.prompts.codes import SentOrder
    from medzh_score.rounds.binding import Predictions
    from medzh_score.rounds.replies import Said


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
