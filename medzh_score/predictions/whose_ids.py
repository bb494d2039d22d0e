"""Ids that the data lack, looked up in other configs: whose they are."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import config_names, declared_config
from medzh_score.data.checked_rows import laid_out
from medzh_score.data.hub import SAMPLE, is_hub_tag, place_of
from medzh_score.data.records import Records, load_records, read_manifest
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.errors import UnknownIdsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


@contextmanager
def owners_named(data: str | Path | Records) -> Iterator[None]:
    """Let a refusal of unknown ids say whose they are, where one config of the build, or else one sample, has them."""
    try:
        yield
    except UnknownIdsError as error:
        ids, error.ids = error.ids, ()  # which may be texts
        error.advise(advice=_whose(ids, data))
        raise


def _whose(ids: Sequence[str], data: str | Path | Records) -> str | None:
    # What a tag's other configs hold would have to be downloaded for it.
    local = None if isinstance(data, Records) or data == SAMPLE or is_hub_tag(data) else data
    if local is not None and (config := _owner(ids, local)):
        return f"these are {config}'s"
    if config := _owner(ids, SAMPLE):
        return f"these are {config}'s of --data {SAMPLE}"
    return None


def _owner(ids: Sequence[str], data: str | Path) -> str | None:
    """Name the one config that has all of these ids; what cannot be read is passed over, another error is at hand."""
    found = [config for config in _configs(data) if set(ids) <= _ids_of(config, data)]
    return found[0] if len(found) == 1 else None


def _configs(data: str | Path) -> Sequence[str]:
    if data == SAMPLE:
        return config_names()
    try:
        built = read_manifest(place_of(data).folder)["configs"]
    except MedzhError:
        return ()
    return [config for config in config_names() if config in built]


def _ids_of(config: str, data: str | Path) -> set[str]:
    """Give all ids that predictions may repeat, those of groups among them."""
    try:
        found = declared_config(config)
        if found.private:  # of which nothing is told where another is at work
            return set()
        records = load_records(data, config, columns=list(found.columns))
        return {one.id for one in found.asked(records.rows, laid_out(found, records))}
    except MedzhError:
        return set()
