"""A user's settings of a rebuilt recipe: a TOML file, and what the build says of it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, TypeVar

from medzh_score.files.bounds import toml_of
from medzh_score.files.regular import regular
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from _typeshed import DataclassInstance

    Switches = TypeVar("Switches", bound=DataclassInstance)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a settings file in UTF-8, with or without a BOM."""
    try:
        return toml_of(regular(path).read_bytes(), path)
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path, advice="name a settings file") from error
    except ValueError as error:
        raise MedzhError(f"is no settings file in TOML and UTF-8: {error}", file=path) from error


def read_switches(path: Path, default: Switches) -> Switches:
    """Read a settings file of choices that are made or not; what it does not name stays as it is."""
    written, own = read_toml(path), asdict(default)
    for name, value in written.items():
        if name not in own:
            raise MedzhError("is no setting", file=path, field=name, expected=", ".join(own))
        if not isinstance(value, bool):
            raise MedzhError("is no such value", file=path, field=name, expected="true or false", found=value)
    return replace(default, **written)


def in_place_of(
    settings: DataclassInstance, default: DataclassInstance, written: Callable[[Any], str] = str
) -> tuple[str, ...]:
    """Note which settings of a build are not the recipe's own, if any."""
    own = asdict(default)
    found = [
        f"{name} {written(value)} in place of {written(own[name])}"
        for name, value in asdict(settings).items()
        if value != own[name]
    ]
    return (f"settings of the user: {'; '.join(found)}",) if found else ()
