"""In which order prompts may have been sent, for tools that answer by position: of a prompts file, or of the build."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, overload

from medzh_score.benchmark.asking import Asking
from medzh_score.data.checked_rows import records_of
from medzh_score.prompts.codes import Position
from medzh_score.prompts.sent_lines import sent_lines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from medzh_score.benchmark.asking import Asker
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Record
    from medzh_score.data.records import Records
    from medzh_score.prompts.codes import SentOrder


class Asked(Sequence[Position]):
    """The prompts of a config in the order in which they are written, made when they are looked at."""

    def __init__(self, asker: Asker) -> None:
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
        named = {f"the prompts {prompt.name}": Asked(config.asker(rows, Asking(prompt))) for prompt in config.prompts}
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
