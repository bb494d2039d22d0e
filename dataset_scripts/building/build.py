"""From a recipe to a build: records are made, validated, packaged and swapped in."""

from __future__ import annotations

import re
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.building.build_folder import next_build
from dataset_scripts.digests import DIGITS, blob_sha1, is_private, keyed_by, keyed_digest, secret_of, sha256
from dataset_scripts.packaging.build_files import carried_over, write_rest, write_splits
from dataset_scripts.packaging.licences import authenticity
from dataset_scripts.packaging.schema import column_types, faults, features_of, read_schema, surveyed
from dataset_scripts.recipe import SourceFile, dataset
from dataset_scripts.sources.fetching import cached_path, resolve
from dataset_scripts.sources.registry import cache_folder, read_sources
from medzh_score.benchmark.registry import find_config, is_foreign, provider
from medzh_score.conformance import check_quickly
from medzh_score.data.records import read_manifest
from medzh_score.io.atomic import owner_only
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, joined
from medzh_score.ui.privacy import Withheld

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    import pyarrow as pa

    from dataset_scripts.digests import Keyed
    from dataset_scripts.recipe import BuildTable, Built, Dataset, Recipe, Record
    from dataset_scripts.sources.registry import Source
    from medzh_score.benchmark.config import Config


@dataclass(frozen=True)
class Build:
    """What was built."""

    config: str
    recipe: str
    fingerprint: str  # 64 hex digits over the content
    records: dict[str, int]  # how many each split has
    sources: list[dict[str, Any]]  # the manifest's account of the files that were read
    notes: tuple[str, ...]  # notes on the build
    tables: tuple[BuildTable, ...]  # tables of counts, without empty ones
    private: bool = False  # whether ids, fingerprint and digests of sources are keyed


def build(config: str, recipe_name: str, out: Path, *, given: Sequence[str] = (), seed: int = 0) -> Build:
    """Build a config by one of its recipes; the other configs of the existing build are carried over.

    Equal content of the sources, seed and version of medzh and its libraries give equal files.
    """
    is_private(config)  # if it is, nothing is quoted after this line
    chosen = dataset(config)
    recipe = chosen.recipe(recipe_name)
    schema = read_schema(chosen.schema)
    types = column_types(schema)
    files = select_sources(chosen, recipe, given, cache_folder())
    with next_build(out) as (current, folder):
        with keyed_ids(config, recipe, files, current) as keyed:
            built = _made(config, recipe, files, seed)
        _check(chosen, schema, built.splits)
        if is_foreign(config):
            for records in built.splits.values():
                check_quickly(find_config(config), records)
        if keyed:
            check_keyed(find_config(config), built.splits, keyed)
            built = without_words(built)
        columns = features_of(types).arrow_schema
        splits = {split: _sorted(records, chosen, columns) for split, records in built.splits.items()}
        sources = stated_sources(provenance(chosen, recipe, _used(files, built)), keyed)
        made = {"recipe": recipe.name, "sources": sources, **({"key": keyed.key} if keyed else {})}
        # After this line a private config can be among those that are carried over.
        with closed_to_others(config, current, folder):
            others = carried_over(current, folder, config)
            written = write_splits(folder, config, splits, types, chosen.breakdown, made)
            tables = tuple(table for table in built.tables if table.rows)
            account = {**made, "notes": list(built.notes), "tables": [_as_entry(table) for table in tables]}
            entry = {**written, **_how(chosen, recipe, seed, sources), **account}
            write_rest(folder, {**others, config: entry}, before=current)
    counts = {split: len(records) for split, records in built.splits.items()}
    private = keyed is not None
    return Build(config, recipe.name, written["fingerprint"], counts, sources, built.notes, tables, private)


def _made(config: str, recipe: Recipe, files: Mapping[str, SourceFile], seed: int) -> Built:
    """Run a recipe; errors of other packages are reported with the package."""
    try:
        return recipe.make(files, seed)
    except Exception as error:
        if isinstance(error, MedzhError) or not is_foreign(config):
            raise
        kind, advice = type(error).__name__, _("correct the source file that the recipe uses, or the recipe")
        found = Withheld(kind) if is_private(config) else f"{kind}: {error}"  # it may contain a text of the source
        field = f"{config}: recipe {recipe.name}"
        problem = _("execution failed")
        fault = MedzhError(problem, file=provider(config), field=field, found=found, advice=advice)
        raise fault from (None if is_private(config) else error)


def _how(chosen: Dataset, recipe: Recipe, seed: int, sources: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "recipe": recipe.name,
        "summary": recipe.summary,
        "seed": seed,
        "parameters": dict(recipe.parameters),
        "limits": list(recipe.limits),
        "biases": list(recipe.biases),
        "read_by": recipe.read_by,
        "authenticity": authenticity(chosen, recipe.name, sources),
        "never_published": chosen.never_published,
    }


def _as_entry(table: BuildTable) -> dict[str, Any]:
    return {"title": table.title, "columns": list(table.columns), "rows": [list(row) for row in table.rows]}


def _used(files: Mapping[str, SourceFile], built: Built) -> dict[str, SourceFile]:
    return {name: file for name, file in files.items() if name not in built.left_out}


def _sorted(records: Sequence[Record], chosen: Dataset, columns: pa.Schema) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist(sorted(records, key=lambda one: (chosen.order(one), one["id"])), schema=columns)


def _check(chosen: Dataset, schema: dict[str, Any], splits: Mapping[str, Sequence[Record]]) -> None:
    """Reject invalid records; the message contains the first problem and the number of others."""
    problems = faults(chosen.config, surveyed(splits, schema), splits, chosen.check)
    if not splits or not all(splits.values()):
        problems = [_("{config}: the recipe produced no records from these sources", config=chosen.config)]
    if problems:
        problem, others = problems[0], len(problems) - 1
        if others:
            problem = _("{problem} (and {more:,} more)", problem=problem, more=others)
        raise MedzhError(problem, advice=_("correct the errors and build again; the build folder is unchanged"))


Entry = dict[str, Any]


def closed_to_others(config: str, standing: Path | None, folder: Path) -> AbstractContextManager[None]:
    """Restrict a build to its owner if it contains a private config."""
    return owner_only(folder) if is_private(config) or _private_entries(standing) else nullcontext()


@contextmanager
def keyed_ids(
    config: str, recipe: Recipe, files: Mapping[str, SourceFile], standing: Path | None
) -> Iterator[Keyed | None]:
    """Key the ids of a private config with its secret; None for other configs."""
    if not is_private(config):
        yield None
        return
    before = _private_entries(standing).get(config, {})
    key = before.get("key") if before.get("recipe") == recipe.name else None  # the sample has a secret of its own
    with keyed_by(secret_of(config, files.values(), key)) as keyed:
        yield keyed


def check_keyed(config: Config, splits: Mapping[str, Sequence[Record]], keyed: Keyed) -> None:
    """Reject ids of records, items and queries that were not made with the secret."""
    form = re.compile(rf"{re.escape(config.name)}-([0-9a-f]{{{DIGITS}}})(?:-[0-9a-z]{{1,3}})?")
    for split, records in splits.items():
        for name in _ids(config, records):
            if (match := form.fullmatch(name)) is None or match[1] not in keyed.given:
                raise MedzhError(
                    _("an id of a private config is not a keyed hash"),
                    file=provider(config.name),
                    field=f"{config.name}.{split}.id",
                    expected=_("an id created by dataset_scripts.authoring.content_id while the recipe runs"),
                    advice=_(
                        "create the ids of records and question groups with content_id, so that nobody can confirm a "
                        "guessed question by its id"
                    ),
                )


def without_words(built: Built) -> Built:
    """Remove the notes and tables of a recipe, which may quote its records, and note their number."""
    count = len(built.notes) + len(built.tables)
    notes = (
        (_("{count} notes and tables of the recipe are omitted because the config is private.", count=count),)
        if count
        else ()
    )
    return replace(built, notes=notes, tables=())


def stated_sources(sources: Iterable[Mapping[str, Any]], keyed: Keyed | None) -> list[Entry]:
    """Return the sources for the manifest, with keyed digests for a private config."""
    key = None if keyed is None else keyed.key
    return [{**source, "sha256": keyed_digest(source["sha256"], key)} for source in sources]


def _ids(config: Config, records: Sequence[Record]) -> Iterator[str]:
    layout = config.layout(records)
    yield from (record["id"] for record in records)
    yield from layout.items
    yield from (one.id for one in config.queries(records, layout))


def _private_entries(standing: Path | None) -> dict[str, Entry]:
    """Return the private configs of the existing build."""
    configs = {} if standing is None else read_manifest(standing)["configs"]
    return {name: entry for name, entry in configs.items() if isinstance(entry, dict) and "key" in entry}


OPTION = "--source"


def select_sources(dataset: Dataset, recipe: Recipe, given: Sequence[str], cache: Path) -> dict[str, SourceFile]:
    """Find the file of each source of a recipe.

    By name, in the recipe's order. A recipe that does not require all of its sources gets those that are there.
    """
    known = read_sources(dataset.sources)
    files = given_files(dataset, recipe, given)
    missing = []
    for name in recipe.sources:
        if name in files or name in recipe.own:
            continue
        if name in recipe.embedded:
            if not recipe.embedded[name].is_file():
                advice = _("install the package from its source folder: `pip install --no-build-isolation -e DIR`")
                raise MedzhError(
                    _("the installed package does not contain this file"), file=recipe.embedded[name], advice=advice
                )
            files[name] = SourceFile(name, recipe.embedded[name], sha256(recipe.embedded[name]), pinned=True)
        elif cached_path(known[name], cache).is_file() or recipe.requires_all:
            files[name] = resolve(known[name], cache)
        else:
            missing.append(name)
    if not files and not missing:
        raise MedzhError(
            _(
                "recipe {recipe_name} of config {config} requires a file that you provide",
                config=dataset.config,
                recipe_name=recipe.name,
            ),
            field=OPTION,
            advice=recipe.bring,
        )
    if not files:
        alone = [*missing, *recipe.own]
        raise MedzhError(
            _(
                "the cache contains no source for recipe {recipe_name} of config {config}",
                config=dataset.config,
                recipe_name=recipe.name,
            ),
            file=cache,
            expected=_("one or more of {names}", names=joined(alone)),
            advice=_(
                "run `medzh-build fetch {source}`, or provide the file with `{option} {source}=FILE`",
                source=alone[0],
                option=OPTION,
            ),
        )
    return {name: files[name] for name in recipe.sources if name in files}


def given_files(dataset: Dataset, recipe: Recipe, given: Sequence[str]) -> dict[str, SourceFile]:
    """Return the files of the user, given as ``[NAME=]FILE``, by source."""
    known = read_sources(dataset.sources)
    own = _own_files(dataset.config, recipe, given)
    return {name: _own_file(name, path, recipe, known) for name, path in own.items()}


def provenance(dataset: Dataset, recipe: Recipe, files: Mapping[str, SourceFile]) -> list[dict[str, object]]:
    """Account for the files that were read, as the manifest does: what they are, not where they stood.

    Of a user's own file nothing is known but its hash: its licence is ``unknown``, and what is made
    from it may not be redistributed.
    """
    known = read_sources(dataset.sources)
    account = []
    for name, file in files.items():
        embedded = name in recipe.embedded
        licence, redistributable = "unknown", False
        if file.pinned and embedded:
            licence, redistributable = recipe.embedded_licence, recipe.embedded_licence != "unknown"
        elif file.pinned:
            licence, redistributable = known[name].licence, known[name].redistributable
        account.append(
            {
                "name": name,
                "sha256": file.sha256,
                "pinned": file.pinned,
                "licence": licence,
                "redistributable": redistributable,
                "citation": _citation(name, recipe, known),
                "url": known[name].url if name in known and file.pinned else None,
            }
        )
    return account


def _citation(name: str, recipe: Recipe, known: Mapping[str, Source]) -> str:
    if name in recipe.own:
        return "not known: a user's own file"
    return known[name].citation if name in known else recipe.embedded_citation


def _own_files(config: str, recipe: Recipe, given: Sequence[str]) -> dict[str, Path]:
    names = {name.removeprefix(f"{config}-"): name for name in recipe.sources} | {name: name for name in recipe.sources}
    own: dict[str, Path] = {}
    for text in given:
        before, equals, after = text.partition("=")
        name, path = (names[before], after) if before in names and equals else (recipe.sources[0], text)
        if equals and before not in names and not Path(text).exists():
            expected = ", ".join(recipe.sources)
            raise MedzhError(
                _("recipe {recipe_name} does not use this source", recipe_name=recipe.name),
                field=OPTION,
                expected=expected,
                found=before,
            )
        if not path:  # which would be the current folder
            raise MedzhError(
                _("no file is specified"),
                field=OPTION,
                found=text,
                advice=_("use `{option} {name}=FILE`", option=OPTION, name=name),
            )
        if name in own:
            raise MedzhError(
                _("{name} is specified twice", name=name),
                field=OPTION,
                found=text,
                advice=_("specify each source only once"),
            )
        own[name] = Path(path)
    return own


def _own_file(name: str, path: Path, recipe: Recipe, known: Mapping[str, Source]) -> SourceFile:
    try:
        digest = sha256(path)
        if name in recipe.embedded:
            pinned = digest == sha256(recipe.embedded[name])
        else:
            pinned = name not in recipe.own and blob_sha1(path) == known[name].blob
    except OSError as error:
        advice = _("specify a readable file with `{option} {name}=FILE`", option=OPTION, name=name)
        raise MedzhError(
            _("cannot read the file: {why}", why=_(error.strerror or str(error))),
            file=path,
            field=OPTION,
            advice=advice,
        ) from error
    return SourceFile(name, path, digest, pinned)
