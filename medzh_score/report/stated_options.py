"""Options as a report states them, and options again from what a report states: one place for both directions.

Every field of `Options` is stated under its own name and taken back from there, so that none can be forgotten; only
those differ that are named here.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.predictions.options import Options
from medzh_score.statistics.values import Bootstrap

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    Files = Mapping[str, Sequence[Path]]

FILES = ("prompts", "dictionary")  # read as what they are called
ROUND = "round "  # before the round's name: as what its files are read
MOVES_NOTHING = ("items",)  # says where something is written
RENAMED = {"reader": "from"}  # as the command has it


def stated(options: Options) -> dict[str, object]:
    """Give what a report says was asked for; files by their names only."""
    said: dict[str, object] = {}
    for name in _stated_fields():
        value = getattr(options, name)
        if name == "bootstrap":
            said |= {"bootstrap": value.resamples, "seed": value.seed}
        elif name == "rounds":
            said[name] = {round_name: _names(paths) for round_name, paths in value.items()}
        else:
            said[RENAMED.get(name, name)] = _names(value) if name in FILES else msgspec.to_builtins(value)
    return said


def options_again(said: Mapping[str, Any], files: Files) -> Options:
    """Make options of what a report states."""
    hints = get_type_hints(Options)
    found: dict[str, Any] = {}
    for name in _stated_fields():
        if name == "bootstrap":
            found[name] = Bootstrap(_said(said, "bootstrap", int), _said(said, "seed", int))
        elif name == "rounds":
            named = _said(said, name, dict[str, list[str]])
            found[name] = {one: tuple(files.get(ROUND + one, ())) for one in named}
        elif name in FILES:
            found[name] = tuple(files.get(name, ()))
        else:
            found[name] = _said(said, RENAMED.get(name, name), hints[name])
    return Options(**found)


def _stated_fields() -> list[str]:
    return [one.name for one in fields(Options) if one.name not in MOVES_NOTHING]


def _names(paths: Sequence[Path]) -> list[str]:
    return [printable(path.name) for path in paths]


def _said(said: Mapping[str, Any], name: str, kind: Any) -> Any:  # noqa: ANN401 - as the field is declared
    advice = "score again with this version: the report does not say all that moves its numbers"
    if name not in said:
        raise MedzhError("the report lacks an argument", field=f"arguments.{name}", advice=advice)
    try:
        return msgspec.convert(said[name], kind)
    except msgspec.ValidationError as error:
        raise MedzhError(
            "is of the wrong kind", field=f"arguments.{name}", found=said[name], expected=str(error), advice=advice
        ) from error
