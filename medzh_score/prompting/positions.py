"""From positions to ids: by the order in which prompts were sent, once every text says that it is this order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, overload

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.data.records import records_of
from medzh_score.prompting.ids import AnswerKey
from medzh_score.prompting.sent import sent_lines
from medzh_score.ui.errors import MedzhError, shown
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.prompts import PromptBuilder
    from medzh_score.data.records import Records

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


def as_sets(position: int, prompts: int) -> tuple[int, int]:
    """Take a position behind the last prompt as one of the next time that all of them were sent."""
    return position % prompts, position // prompts


def in_a_row(times: int) -> Repeats:
    """Take positions as those of prompts each of which was sent several times before the next."""
    return lambda position, _prompts: (position // times, position % times)


def placed(
    found: Sequence[AskedPosition],
    orders: Mapping[str, Sequence[Position]],
    path: Path,
    repeats: Iterable[Repeats] = (as_sets,),
) -> dict[int, AnswerKey]:
    """Find what each position is the answer to."""
    best: tuple[int, str, AskedPosition, str] | None = None
    for repeated in repeats:
        for name, order in orders.items():
            if not order:
                continue
            keys, misfits = _in_order(found, order, repeated)
            if not misfits:
                return keys
            if best is None or len(misfits) < best[0]:
                at, _unused = repeated(misfits[0].position, len(order))
                best = len(misfits), name, misfits[0], order[at].text if at < len(order) else "no prompt"
    if best is None:
        raise MedzhError(
            _("the file has no ids, and the order of the prompts is unknown"),
            file=path,
            advice=_('write one line per prediction: {"id": …, "prediction": …}'),
        )
    count, name, first, sent = best
    raise MedzhError(
        _(
            "the file has no ids, and {count:,} of {n_found:,} prompts differ from {name}, the first at position "
            "{position}",
            count=count,
            n_found=len(found),
            position=first.position,
            name=name,
        ),
        file=path,
        line=first.line,
        expected=shown(sent),
        found=first.asked,
        advice=_(
            "use --prompts to pass the prompts file, in the order in which it was sent, or write one line "
            'per prediction: {"id": …, "prediction": …}'
        ),
    )


def _in_order(
    found: Sequence[AskedPosition], order: Sequence[Position], repeated: Repeats
) -> tuple[dict[int, AnswerKey], list[AskedPosition]]:
    """Give what each position is the answer to, and the positions at which something else was asked."""
    keys: dict[int, AnswerKey] = {}
    misfits, runs = list[AskedPosition](), 0
    for one in found:
        at, time = repeated(one.position, len(order))
        if time and not runs:
            runs = max(sent.run for sent in order) + 1
        sent = order[at] if at < len(order) else None
        if sent is not None and _stands_in(sent, one.asked):
            keys[one.position] = AnswerKey(sent.id, sent.run + runs * time, sent.variant)
        else:
            misfits.append(one)
    return keys, misfits


def _stands_in(sent: Position, asked: str) -> bool:
    """Say whether what was sent stands in what was asked, its turns in their order; a tool may set marks around."""
    whole, at = plain(asked), 0
    for turn in map(plain, sent.turns or (sent.text,)):
        at = whole.find(turn, at)
        if at < 0 or not turn:
            return False
        at += len(turn)
    return True


def plain(text: str) -> str:
    """Take a text without space around it and at the ends of its lines, which tools cut off."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


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
    if prompts:
        return _order_of_files(prompts, config.prompting.generation_kwargs)

    @cache
    def order() -> Mapping[str, Sequence[Position]]:
        rows = records_of(config, data).rows
        named: dict[str, Sequence[Position]] = {
            f"the prompts {prompt.name}": PromptOrder(config.prompting.builder(rows, PromptSettings(prompt)))
            for prompt in config.prompting.templates
        }
        of_records = [Position(row["id"], 0, 0, row["prompt"]) for row in rows if row.get("prompt")]
        return {**named, "the records' prompts": of_records}

    return order


def orders_of_stages(config: Config, prompts: Mapping[str, Sequence[Path]]) -> dict[str, SentOrder]:
    """Give the orders in which the prompts of later rounds were sent: only their prompts files know."""
    generation = {later.name: later.model.generation_kwargs for later in config.every_stage if later.model}
    return {
        name: _order_of_files(paths, generation[name])
        for name, paths in prompts.items()
        if paths and name in generation
    }


def _order_of_files(paths: Sequence[Path], generation: Mapping[str, float]) -> SentOrder:
    @cache
    def order() -> Mapping[str, Sequence[Position]]:
        sent = [
            _position(line.id, line.run, line.variant, line.turns or (line.text or "",))
            for path in paths
            for _unused, line in sent_lines(path, generation)
        ]
        return {f"the prompts of {', '.join(path.name for path in paths)}": sent}

    return order


def _position(identifier: str, run: int, variant: int, turns: tuple[str, ...]) -> Position:
    return Position(identifier, run, variant, "\n".join(turns), turns)
