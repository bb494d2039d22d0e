"""What CMHE-DD's rebuilt recipe goes by: the paper's way, or that of a TOML file of the user's."""

from __future__ import annotations

from dataclasses import dataclass

from dataset_scripts.recipes.settings_files import in_place_of


@dataclass(frozen=True)
class Settings:
    """Choices of the recipe."""

    rules_only: bool = False  # leave out what a rule cannot do, in place of asking a model or a person


def changed(settings: Settings) -> tuple[str, ...]:
    """Note which settings are not the recipe's own.

    >>> changed(Settings(rules_only=True))
    ('settings of the user: rules_only true in place of false',)
    """
    return in_place_of(settings, Settings(), lambda value: str(value).lower())
