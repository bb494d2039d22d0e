"""Rows as they are: those of the fingerprint, or said to be edited; and laid out as items."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.data.digests import column_digests, columns_of, digest_of
from medzh_score.data.records import Records, load_records
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import Name

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Layout
from medzh_score.data.records import check_columns


def records_of(config: Config, data: str | Path | Records, columns: Collection[str] | None = None) -> Records:
    """Give the records that are scored or asked about."""
    return (
        with_edits_marked(config, data)
        if isinstance(data, Records)
        else load_records(data, config.name, columns=columns)
    )


def with_edits_marked(config: Config, records: Records) -> Records:
    """Take records from Python: where a column that scoring reads is not as it was built, they are edited.

    Their order does not matter. Records that no build made are edited, too: nothing shows which they are.
    """
    if records.config != config.name:
        problem = "the records are of another config"
        raise MedzhError(problem, file=records.file, field="config", expected=config.name, found=Name(records.config))
    if not records.rows:
        raise MedzhError(f"{records.config} holds no records", file=records.file)
    columns = columns_of(records.rows, config.columns)
    check_columns(config, columns, records.file)
    digests = column_digests(columns)
    known = records.origin.columns
    if all(known.get(name) == digest for name, digest in digests.items()):
        return replace(records, origin=replace(records.origin, edited=None))
    keyed = {"key": records.origin.key} if records.origin.key else {}  # of a private config nobody can try a guess
    return replace(records, origin=replace(records.origin, edited=digest_of(keyed, digests)))


def laid_out(config: Config, records: Records) -> Layout:
    """Lay records out as items and units; what is wrong among their fields is refused with the file."""
    try:
        return config.layout(records.rows)
    except MedzhError as error:
        error.file = error.file or records.file
        raise
