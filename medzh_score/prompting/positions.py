"""From positions to ids: by the order in which prompts were sent, once every text says that it is this order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, overload

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.data.records import records_of
from medzh_score.prompting.sent import sent_lines
from medzh_score.ui.errors import MedzhError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import Record
    from medzh_score.benchmark.prompts import PromptBuilder
    from medzh_score.data.records import Records

    Orders = Mapping[str, "Sequence[Position]"]
    Repeats = Callable[[int, int], tuple[int, int]]  # from a position and the number of prompts to prompt and repeat


class Position(NamedTuple):
    """What was sent at one position; the text is that of all its messages, which stand apart in ``turns``."""

    id: str
    run: int
    variant: int
    text: str
    turns: tuple[str, ...] = ()


# From the name of a prompt, or of the prompts file that was sent, to the positions in their order: a reader takes the
# first of which every text fits what the file says was asked, and refuses the file where none does.
SentOrder = Callable[[], Mapping[str, Sequence[Position]]]


def no_order() -> Mapping[str, Sequence[Position]]:
    """Say that no order is known: what stands by position cannot be read."""
    return {}


class AskedPosition(NamedTuple):
    """What a file says was asked at one position, and on which line."""

    position: int
    asked: str
    line: int


class _Misfits(NamedTuple):
    """Where an order does not fit: how often, where first, and what was sent there."""

    number: int
    first: AskedPosition
    sent: str


def as_sets(position: int, prompts: int) -> tuple[int, int]:
    """Take a position behind the last prompt as one of the next time that all of them were sent."""
    return position % prompts, position // prompts


def in_a_row(times: int) -> Repeats:
    """Take positions as those of prompts each of which was sent several times before the next."""

    def repeats(position: int, _prompts: int) -> tuple[int, int]:
        return position // times, position % times

    return repeats


def placed(
    found: Sequence[AskedPosition], orders: Orders, path: Path, repeats: Iterable[Repeats] = (as_sets,)
) -> dict[int, PromptPlace]:
    """Find what each position is the answer to."""
    best: tuple[str, _Misfits] | None = None
    for repeated in repeats:
        for name, order in orders.items():
            if not order:
                continue
            places, misfits = _in_order(found, order, repeated)
            if misfits is None:
                return places
            if best is None or misfits.number < best[1].number:
                best = name, misfits
    if best is None:
        raise MedzhError(
            "names no ids, and in which order prompts were sent is not known here",
            file=path,
            advice='write a line for each answer: {"id": …, "prediction": …}',
        )
    name, misfits = best
    raise MedzhError(
        f"names no ids, and at {misfits.number:,} of {len(found):,} positions, first at {misfits.first.position}, "
        f"something else was asked than {name} ask there",
        file=path,
        line=misfits.first.line,
        expected=shown(misfits.sent),
        found=misfits.first.asked,
        advice="name the file of the prompts that were sent, in their order, with --prompts, or write a line for each "
        'answer: {"id": …, "prediction": …}',
    )


def _in_order(
    found: Sequence[AskedPosition], order: Sequence[Position], repeated: Repeats
) -> tuple[dict[int, PromptPlace], _Misfits | None]:
    places: dict[int, PromptPlace] = {}
    count, first = 0, None
    runs = 0
    for one in found:
        at, time = repeated(one.position, len(order))
        if time and not runs:
            runs = max(sent.run for sent in order) + 1
        sent = order[at] if at < len(order) else None
        if sent is not None and _stands_in(sent, one.asked):
            places[one.position] = PromptPlace(sent.id, sent.run + runs * time, sent.variant)
            continue
        count += 1
        first = first or (one, "no prompt" if sent is None else sent.text)
    return places, None if first is None else _Misfits(count, *first)


def _stands_in(sent: Position, asked: str) -> bool:
    """Say whether what was sent stands in what was asked, its turns in their order; a tool may set marks around."""
    whole, at = _plain(asked), 0
    for turn in map(_plain, sent.turns or (sent.text,)):
        at = whole.find(turn, at)
        if at < 0 or not turn:
            return False
        at += len(turn)
    return True


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


class PromptPlace(NamedTuple):
    """What a position is the answer to."""

    id: str
    run: int
    variant: int


class PromptOrder(Sequence[Position]):
    """The prompts of a config in the order in which they are written, made when they are looked at."""

    def __init__(self, asker: PromptBuilder) -> None:
        self._asker = asker
        self._ids = list(asker.variants)

    def __len__(self) -> int:
        """Count them."""
        return len(self._ids)

    @overload
    def __getitem__(self, at: int) -> Position: ...

    @overload
    def __getitem__(self, at: slice) -> list[Position]: ...

    def __getitem__(self, at: int | slice) -> Position | list[Position]:
        """Make one, or several."""
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        identifier = self._ids[at]
        return _position(identifier, 0, 0, self._asker.ask(identifier, 0).turns)


def sent_order(config: Config, data: str | Path | Records, prompts: Sequence[Path] = ()) -> SentOrder:
    """Give the orders in which prompts may have been sent; nothing is read before somebody asks for them."""

    @cache
    def order() -> Mapping[str, Sequence[Position]]:
        if prompts:
            return {f"the prompts of {', '.join(path.name for path in prompts)}": _of_files(prompts, config.decoding)}
        rows = records_of(config, data).rows
        named = {
            f"the prompts {prompt.name}": PromptOrder(config.asker(rows, PromptSettings(prompt)))
            for prompt in config.prompts
        }
        return {**named, "the records' prompts": _of_records(rows)}

    return order


def orders_of_rounds(config: Config, prompts: Mapping[str, Sequence[Path]]) -> dict[str, SentOrder]:
    """Give the orders in which the prompts of later rounds were sent: only their prompts files know."""
    decoding = {later.name: later.model.decoding for later in config.every_round if later.model}
    return {name: _known(paths, decoding[name]) for name, paths in prompts.items() if paths and name in decoding}


def _known(paths: Sequence[Path], decoding: Mapping[str, float]) -> SentOrder:
    @cache
    def order() -> Mapping[str, Sequence[Position]]:
        return {f"the prompts of {', '.join(path.name for path in paths)}": _of_files(paths, decoding)}

    return order


def _of_files(paths: Sequence[Path], decoding: Mapping[str, float]) -> list[Position]:
    return [
        _position(line.id, line.run, line.variant, line.turns or (line.text or "",))
        for path in paths
        for _, line in sent_lines(path, decoding)
    ]


def _of_records(rows: Sequence[Record]) -> list[Position]:
    return [Position(row["id"], 0, 0, row["prompt"]) for row in rows if row.get("prompt")]


def _position(identifier: str, run: int, variant: int, turns: tuple[str, ...]) -> Position:
    return Position(identifier, run, variant, "\n".join(turns), turns)
