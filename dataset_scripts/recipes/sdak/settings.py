"""What SDAK's rebuilt recipe goes by: its own way, or that of a TOML file of the user's."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.settings_files import in_place_of, read_toml
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = "sdak-settings"
FEWEST, MOST = 1, 5  # as many sources are independent of each other


@dataclass(frozen=True)
class Settings:
    """Choices of the recipe."""

    min_sources: int = 1  # independent sources that say a fact


def read_settings(path: Path) -> Settings:
    """Read a settings file."""
    given = read_toml(path)
    for name in given.keys() - asdict(Settings()).keys():
        raise MedzhError("is no setting", file=path, field=name, expected=", ".join(asdict(Settings())))
    number = given.get("min_sources", Settings.min_sources)
    if not isinstance(number, int) or isinstance(number, bool) or not FEWEST <= number <= MOST:
        expected = f"a whole number from {FEWEST} to {MOST}"
        raise MedzhError("is no such value", file=path, field="min_sources", expected=expected, found=number)
    return Settings(number)


def changed(settings: Settings) -> tuple[str, ...]:
    """Note which settings are not the recipe's own.

    >>> changed(Settings(2))
    ('settings of the user: min_sources 2 in place of 1',)
    """
    return in_place_of(settings, Settings())
