"""What PeMeBench's rebuilt recipe goes by where it reads PediaBench: its own way, or that of a file of the user's."""

from __future__ import annotations

from dataclasses import dataclass

from dataset_scripts.recipes.settings_files import in_place_of

SETTINGS = "pemebench-settings"


@dataclass(frozen=True)
class Settings:
    """Choices of the recipe."""

    entities_by_rule: bool = False  # list what rules find of an answer's key entities, though hardly a list is whole


def changed(settings: Settings) -> tuple[str, ...]:
    """Note which settings are not the recipe's own.

    >>> changed(Settings(entities_by_rule=True))
    ('settings of the user: entities_by_rule true in place of false',)
    """
    return in_place_of(settings, Settings(), lambda value: str(value).lower())
