"""The configs that can be scored here: installed packages declare them as entry points."""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint

    from medzh_score.benchmark.config import Config

CONFIGS = "medzh_score.configs"
REBUILT = "rebuilt"  # the recipe whose data bear another name than their benchmark


def declared(group: str) -> Mapping[str, EntryPoint]:
    """Find what installed packages declare, by name; they are gone through once, as long as ``sys.path`` stays."""
    return _declared(group, (*sys.path,))


@cache
def _declared(group: str, _places: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    return {point.name: point for point in reversed([*entry_points(group=group)])}  # of two, what is imported first


def config_names() -> list[str]:
    """List the configs that can be scored here, in alphabetical order."""
    return sorted(declared(CONFIGS))


def package_of(name: str) -> str:
    """Name the package whose data files are a config's: that of the module that declares it."""
    if name not in declared(CONFIGS):
        base = name.removesuffix(f"_{REBUILT}")
        known = config_names()
        advice = f"say {base}: {name} are rebuilt data of it, and --data names the data" if base in known else None
        raise MedzhError("no such config", field="CONFIG", expected=", ".join(known), found=name, advice=advice)
    return declared(CONFIGS)[name].module.rpartition(".")[0]


def data_name(config: str, recipe: str) -> str:
    """Give the name of a config's data for ``load_dataset``, hubs and signatures: the plain one is no rebuild's.

    Examples
    --------
    >>> data_name("tcmd", "rebuilt"), data_name("sdak", "official")
    ('tcmd_rebuilt', 'sdak')
    """
    return f"{config}_{recipe}" if recipe == REBUILT else config


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
    package_of(name)
    loaded: Config = declared(CONFIGS)[name].load()
    return loaded
