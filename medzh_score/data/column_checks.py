"""Columns of records hold what scoring relies on, or are refused."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from medzh_score.data.digests import ID
from medzh_score.messages.errors import MedzhError, shown

if TYPE_CHECKING:
    from medzh_score.benchmark.config import Config
    from medzh_score.data.digests import Columns


def check_columns(config: Config, columns: Columns, file: str) -> None:
    """Refuse columns that do not hold what scoring relies on."""
    for name, holds in config.columns.items():
        values = columns.get(name, [])
        if holds.fits(values):
            continue
        place = next((place for place, value in enumerate(values) if not holds.fits([value])), 0)
        problem = f"record {shown(columns[ID][place])} does not hold what scoring relies on"
        raise MedzhError(problem, file=file, field=name, expected=holds.expected, found=values[place])
    if len(set(columns[ID])) != len(columns[ID]):
        ids = sorted(columns[ID])
        twice = next(one for one, other in pairwise(ids) if one == other)
        problem = f"records of {config.name} share an id"
        raise MedzhError(problem, file=file, field=ID, expected="one record of each id", found=twice)
