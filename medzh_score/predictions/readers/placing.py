"""From positions to ids: by the order in which prompts were sent, once every text says that it is this order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.messages.errors import MedzhError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.prompts.codes import Position

    Orders = Mapping[str, Sequence[Position]]
    Repeats = Callable[[int, int], tuple[int, int]]  # from a position and the number of prompts to prompt and repeat


class Found(NamedTuple):
    """What a file says was asked at one position, and on which line."""

    position: int
    asked: str
    line: int


class Place(NamedTuple):
    """What a position is the answer to."""

    id: str
    run: int
    variant: int


class _Misfits(NamedTuple):
    """Where an order does not fit: how often, where first, and what was sent there."""

    number: int
    first: Found
    sent: str


def as_sets(position: int, prompts: int) -> tuple[int, int]:
    """Take a position behind the last prompt as one of the next time that all of them were sent.

    Examples
    --------
    >>> as_sets(5, 4)
    (1, 1)
    """
    return position % prompts, position // prompts


def in_a_row(times: int) -> Repeats:
    """Take positions as those of prompts each of which was sent several times before the next.

    Examples
    --------
    >>> in_a_row(2)(5, 4)
    (2, 1)
    """

    def repeats(position: int, _prompts: int) -> tuple[int, int]:
        return position // times, position % times

    return repeats


def placed(
    found: Sequence[Found], orders: Orders, path: Path, repeats: Iterable[Repeats] = (as_sets,)
) -> dict[int, Place]:
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
    found: Sequence[Found], order: Sequence[Position], repeated: Repeats
) -> tuple[dict[int, Place], _Misfits | None]:
    """Give the places in an order, and where it does not fit."""
    places: dict[int, Place] = {}
    count, first = 0, None
    runs = 0
    for one in found:
        at, time = repeated(one.position, len(order))
        if time and not runs:
            runs = max(sent.run for sent in order) + 1
        sent = order[at] if at < len(order) else None
        if sent is not None and _stands_in(sent, one.asked):
            places[one.position] = Place(sent.id, sent.run + runs * time, sent.variant)
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
