"""The configs that can be scored here: installed packages declare them as entry points."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from medzh_score.benchmark.config import Config


def config_names() -> list[str]:
    """List the configs that can be scored here, in alphabetical order."""
    return sorted(point.name for point in entry_points(group="medzh_score.configs"))


def find_config(name: str) -> Config:
    """Load a config by its name.

    Parameters
    ----------
    name : str
        A name of the entry-point group ``medzh_score.configs``.

    Raises
    ------
    MedzhError
        If no installed package declares it.

    Examples
    --------
    >>> find_config("sdak").unit
    'percent'
    """
    for point in entry_points(group="medzh_score.configs", name=name):
        loaded: Config = point.load()
        return loaded
    raise MedzhError("no such config", field="CONFIG", expected=", ".join(config_names()), found=name)
