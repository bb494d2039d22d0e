"""What is otherwise where a private config is built: who may read it, how ids are made, and what the build says."""

from __future__ import annotations

import re
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dataset_scripts.building.keying import is_private, keyed_by, keyed_digest
from dataset_scripts.building.secret_file import secret_of
from dataset_scripts.files.digests import DIGITS
from medzh_score.benchmark.registry import provider
from medzh_score.data.records import read_manifest
from medzh_score.files.owner_only import owner_only
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from dataset_scripts.building.keying import Keyed
    from dataset_scripts.recipe import Built, Recipe, Record, SourceFile
    from medzh_score.benchmark.config import Config

Entry = dict[str, Any]


def closed_to_others(config: str, standing: Path | None, folder: Path) -> AbstractContextManager[None]:
    """Let a build be its owner's alone where the config that is built, or one that is carried over, is private."""
    return owner_only(folder) if is_private(config) or _private_entries(standing) else nullcontext()


@contextmanager
def keyed_ids(
    config: str, recipe: Recipe, files: Mapping[str, SourceFile], standing: Path | None
) -> Iterator[Keyed | None]:
    """Let the ids of a private config be keyed by its secret; gives None for any other config."""
    if not is_private(config):
        yield None
        return
    before = _private_entries(standing).get(config, {})
    key = before.get("key") if before.get("recipe") == recipe.name else None  # the sample has a secret of its own
    with keyed_by(secret_of(config, files.values(), key)) as keyed:
        yield keyed


def check_keyed(config: Config, splits: Mapping[str, Sequence[Record]], keyed: Keyed) -> None:
    """Refuse ids that were not made by the secret: those of records, of items and of what predictions answer."""
    form = re.compile(rf"{re.escape(config.name)}-([0-9a-f]{{{DIGITS}}})(?:-[0-9a-z]{{1,3}})?")
    for split, records in splits.items():
        for name in _ids(config, records):
            if (match := form.fullmatch(name)) is None or match[1] not in keyed.given:
                raise MedzhError(
                    "an id of a private config is not keyed",
                    file=provider(config.name),
                    field=f"{config.name}.{split}.id",
                    expected="content_id of dataset_scripts.building.authoring, called while the recipe is carried out",
                    advice="make ids of records and of groups by it: then a guess of a question confirms nothing",
                )


def without_words(built: Built) -> Built:
    """Leave out the notes and tables of a recipe, which may quote its records; say how many there are."""
    count = len(built.notes) + len(built.tables)
    notes = (f"{count} notes and tables of the recipe are left out, for the config is private",) if count else ()
    return replace(built, notes=notes, tables=())


def stated_sources(sources: Iterable[Mapping[str, Any]], keyed: Keyed | None) -> list[Entry]:
    """Give the manifest's account of sources, their digests keyed where the config is private."""
    key = None if keyed is None else keyed.key
    return [{**source, "sha256": keyed_digest(source["sha256"], key)} for source in sources]


def _ids(config: Config, records: Sequence[Record]) -> Iterator[str]:
    layout = config.layout(records)
    yield from (record["id"] for record in records)
    yield from layout.items
    yield from (one.id for one in config.asked(records, layout))


def _private_entries(standing: Path | None) -> dict[str, Entry]:
    """Find the private configs of the build that stands."""
    configs = {} if standing is None else read_manifest(standing)["configs"]
    return {name: entry for name, entry in configs.items() if isinstance(entry, dict) and "key" in entry}
