"""What comes back about single predictions: filled sheets and models' responses, read by the config's own rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.about_predictions import COLUMN
from medzh_score.benchmark.judgements import Source
from medzh_score.files.sheets import read_rows
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.recognise import find_reader
from medzh_score.prompts.codes import Key, check_code, split_judged_id
from medzh_score.prompts.sent_order import no_order
from medzh_score.rounds.item_rows import BLANK, EMPTY, FAILED, UNNAMED, UNREADABLE, is_filled_sheet
from medzh_score.rounds.replies import NO_ANSWER, our_rule, read_reply

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.rounds import Round
    from medzh_score.prompts.sent_order import SentOrder
    from medzh_score.rounds.predictions import Predictions
    from medzh_score.rounds.replies import Said


class Row(NamedTuple):
    """A row of a sheet, or a response: where it stands, what it judges, what was said, and by whom."""

    path: Path
    number: int
    key: Key
    code: str
    text: str
    source: Source
    failed: bool = False


@dataclass
class Replies:
    """What was said about single predictions; of several files the later one wins, and says how many it replaced."""

    values: dict[Key, Said] = field(default_factory=dict)
    sources: dict[Key, Source] = field(default_factory=dict)
    lacking: dict[Key, str] = field(default_factory=dict)
    overridden: int = 0

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
        sheet, here = is_filled_sheet(path, later), set[Key]()
        for row in _filled_rows(path) if sheet else _responses(path, order):
            rows.append(row)
            _check_known(row, at_hand)
            if row.failed or not row.text.strip():
                replies.lacks(row.key, BLANK if sheet else FAILED if row.failed else EMPTY)
                continue
            if row.key in here:
                raise _twice(row)
            here.add(row.key)
            _take(replies, row, config, at_hand, sheet=sheet)
    if rows:
        codes = at_hand.codes(later.name, (row.key for row in rows))
        for row in rows:
            check_code(row.key, row.code, codes.get(row.key), row.path, row.number)
    return replies


def _filled_rows(path: Path) -> Iterator[Row]:
    for number, row in read_rows(path, ("id", COLUMN)):
        key, code = split_judged_id(row["id"], path, number)
        yield Row(path, number, key, code, row[COLUMN], Source(row.get("rater") or UNNAMED, "person"))


def _responses(path: Path, order: SentOrder) -> Iterator[Row]:
    before = 0
    for number, line in find_reader(path, None).read(path, order):
        if number == before or line.run or line.variant:
            raise MedzhError(
                "holds several choices, or a run or variant beside those of its id",
                file=path,
                line=number,
                field="id",
                expected="one response a prompt",
                found=line.id,
            )
        before = number
        key, code = split_judged_id(line.id, path, number)
        source = Source(line.model or UNNAMED, "model")
        yield Row(path, number, key, code, line.prediction, source, failed=line.error is not None)


def _check_known(row: Row, at_hand: Predictions) -> None:
    if row.key.id not in at_hand.places:
        raise MedzhError(
            "no record has this id",
            file=row.path,
            line=row.number,
            field="id",
            expected=f"one such as {at_hand.ids[0]}",
            found=row.key.id,
            advice="check that --data is the build that was asked about",
        )


def _twice(row: Row) -> MedzhError:
    return MedzhError("is judged twice in one file", file=row.path, line=row.number, field="id", found=str(row.key))


def _take(replies: Replies, row: Row, config: Config, at_hand: Predictions, *, sheet: bool) -> None:
    """Read one reply: what a person wrote must be readable, what a model wrote may not be."""
    reads = config.reads
    assert reads is not None  # noqa: S101 - the round is declared with it
    asked = at_hand.alone[row.key.id]
    said = None
    if row.key.variant in asked.variants.numbers:  # else its code fits no text
        said = read_reply(reads, our_rule(config), row.text, asked, row.key.variant)
    if said is None and sheet and row.key.variant in asked.variants.numbers:
        expected = f"{reads.choices}, or {NO_ANSWER}"
        raise MedzhError(
            "not a value of this column",
            file=row.path,
            line=row.number,
            field=COLUMN,
            expected=expected,
            found=row.text,
        )
    if said is None:
        replies.lacks(row.key, UNREADABLE)
        return
    replies.overridden += row.key in replies.values
    replies.values[row.key], replies.sources[row.key] = said, row.source
    replies.lacking.pop(row.key, None)
