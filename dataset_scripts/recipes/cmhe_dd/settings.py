"""What CMHE-DD's rebuilt recipe goes by: the paper's way, or that of a TOML file of the user's."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.settings_files import in_place_of, read_toml
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """Choices of the recipe."""

    rules_only: bool = False  # leave out what a rule cannot do, in place of asking a model or a person


def read_settings(path: Path) -> Settings:
    """Read a settings file."""
    written = read_toml(path)
    for name, value in written.items():
        if name not in asdict(Settings()):
            raise MedzhError("is no setting", file=path, field=name, expected=", ".join(asdict(Settings())))
        if not isinstance(value, bool):
            raise MedzhError("is no such value", file=path, field=name, expected="true or false", found=value)
    return Settings(**written)


def changed(settings: Settings) -> tuple[str, ...]:
    """Note which settings are not the recipe's own.

    >>> changed(Settings(rules_only=True))
    ('settings of the user: rules_only true in place of false',)
    """
    return in_place_of(settings, Settings(), lambda value: str(value).lower())
