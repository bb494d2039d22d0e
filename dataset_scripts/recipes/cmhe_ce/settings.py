"""What CMHE-CE's rebuilt recipe can be told otherwise: by a TOML file of the user's."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.cmhe_ce.options import MODES, PAPER
from dataset_scripts.recipes.settings_files import in_place_of, read_toml
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

MOST_EXPERTS = 1_000


@dataclass(frozen=True)
class Settings:
    """How the recipe goes about it."""

    mode: str = PAPER  # the rule by which options are chosen: paper or strict
    experts: int = 3  # people who look at each concept, three in the paper; with 0 all concepts are taken


def read_settings(path: Path) -> Settings:
    """Read a settings file."""
    written = read_toml(path)
    for name, value in written.items():
        if name not in asdict(Settings()):
            expected = ", ".join(asdict(Settings()))
            raise MedzhError("is no setting", file=path, field=name, expected=expected)
        if name == "mode" and value not in MODES:
            raise MedzhError("is no mode", file=path, field=name, expected=" or ".join(MODES), found=value)
        if name == "experts" and (type(value) is not int or not 0 <= value <= MOST_EXPERTS):
            expected = f"a whole number from 0 to {MOST_EXPERTS:,}"
            raise MedzhError("is out of its range", file=path, field=name, expected=expected, found=value)
    return Settings(**written)


def changed(settings: Settings) -> tuple[str, ...]:
    """Note what is not as the recipe has it.

    >>> changed(Settings(mode="strict"))
    ('settings of the user: mode strict in place of paper',)
    """
    return in_place_of(settings, Settings())
