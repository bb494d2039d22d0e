"""Rows as they are: they hold what scoring relies on, and are those of the fingerprint or said to be edited."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from medzh_score.content import ID, column_digests, columns_of, digest_of
from medzh_score.errors import MedzhError, shown
from medzh_score.records import Records, load_records

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from medzh_score.config import Config, Layout
    from medzh_score.content import Columns


def records_of(config: Config, data: str | Path | Records, columns: Collection[str] | None = None) -> Records:
    """Give the records that are scored or asked about.

    Parameters
    ----------
    config : Config
        Whose records they are.
    data : str, Path or Records
        A build folder, a bundle, a tag on the hub, or records that are at hand.
    columns : collection of str, optional
        Only these are loaded; all when not given.

    Raises
    ------
    MedzhError
        If they cannot be loaded, are not what the manifest says, or do not hold what scoring relies on.
    """
    return as_they_are(config, data) if isinstance(data, Records) else load_records(data, config.name, columns=columns)


def as_they_are(config: Config, records: Records) -> Records:
    """Take records from Python: where a column that scoring reads is not as it was built, they are edited.

    Their order does not matter. Records that no build made are edited, too: nothing shows which they are.

    Parameters
    ----------
    config : Config
        Whose columns are compared.
    records : Records
        Loaded, and perhaps changed since; or made by hand.

    Raises
    ------
    MedzhError
        If they are of another config, or do not hold what scoring relies on.
    """
    if records.config != config.name:
        problem = "the records are of another config"
        raise MedzhError(problem, file=records.file, field="config", expected=config.name, found=records.config)
    if not records.rows:
        raise MedzhError(f"{records.config} holds no records", file=records.file)
    columns = columns_of(records.rows, config.columns)
    check_columns(config, columns, records.file)
    digests = column_digests(columns)
    known = records.origin.columns
    if all(known.get(name) == digest for name, digest in digests.items()):
        return replace(records, origin=replace(records.origin, edited=None))
    return replace(records, origin=replace(records.origin, edited=digest_of({}, digests)))


def check_columns(config: Config, columns: Columns, file: str) -> None:
    """Refuse columns that do not hold what scoring relies on.

    Parameters
    ----------
    config : Config
        Its ``columns`` say what they must hold.
    columns : dict of str to list
        All in one order, with the ids among them; those that the config does not declare are not looked at.
    file : str
        Where they were read.

    Raises
    ------
    MedzhError
        Names the first record with a wrong value, or two that share an id.
    """
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


def laid_out(config: Config, records: Records) -> Layout:
    """Lay records out as items and units; what is wrong among their fields is refused with the file.

    Parameters
    ----------
    config : Config
        Which lays them out.
    records : Records
        From `records_of`.

    Raises
    ------
    MedzhError
        If the fields of a record, or of several, do not go together.
    """
    try:
        return config.layout(records.rows)
    except MedzhError as error:
        error.file = error.file or records.file
        raise
