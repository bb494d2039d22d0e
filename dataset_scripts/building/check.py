"""Verify all files of a build offline against its manifest and the schemas."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from dataset_scripts.building.loading import loading_problems
from dataset_scripts.digests import holds_private, is_private, sha256
from dataset_scripts.packaging.build_files import ROWS, column_digests, group_counts
from dataset_scripts.packaging.card_head import card_problems, read_card
from dataset_scripts.packaging.schema import column_types, faults, features_of, invalid, read_schema, surveyed
from dataset_scripts.recipe import dataset, dataset_names
from medzh_score.data.hub import MANIFEST, BuildLocation, folder_of
from medzh_score.data.integrity import Fingerprint, label_of
from medzh_score.data.records import BUILD_ADVICE, read_manifest
from medzh_score.data.stored_rows import RECIPE, check_files
from medzh_score.io.limits import check_texts, parquet_faults
from medzh_score.io.open_input import regular
from medzh_score.io.paths import package_file
from medzh_score.ui.errors import MedzhError, error_text, shown
from medzh_score.ui.i18n import _, _n, joined
from medzh_score.ui.privacy import at_work, quotable, quotable_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


Entry = dict[str, Any]


class Checked(NamedTuple):
    """What was found."""

    problems: list[str]  # one line each; none if all is well
    summary: list[str]  # the verified content, one line per config


def check(folder: Path) -> Checked:
    """Verify a build, offline.

    Gives all problems, not the first alone. Where the manifest is damaged, nothing else can be verified.
    """
    folder = folder_of(folder)
    if not (folder / MANIFEST).is_file() and not (folder / "README.md").is_file():
        raise MedzhError(_("no build found"), file=folder, advice=BUILD_ADVICE)
    try:
        manifest = read_manifest(folder)
    except MedzhError as error:
        return Checked([error_text(error)], [])
    # Values of private configs are not quoted after this line.
    private = {name for name, entry in manifest["configs"].items() if holds_private(name, entry)}
    schema = read_schema(package_file("medzh_score", "schemas/manifest.schema.json"))
    if wrong := invalid([manifest], schema):
        return Checked(
            [
                _(
                    "{file}: {pointer}: expected {expected}, found {found}",
                    file=MANIFEST,
                    pointer=one.pointer,
                    expected=one.expected,
                    found=one.found,
                )
                for one in wrong
            ],
            [],
        )
    problems = list(_file_problems(folder, manifest))
    for name, entry in manifest["configs"].items():
        with at_work(public=name not in private):
            problems += _config_problems(folder, name, entry)
    try:
        card = read_card(folder)
    except MedzhError as error:
        problems.append(error_text(error))  # and load_dataset, which reads the card without bounds, does not get it
    else:
        problems += card_problems(folder, card, manifest)
        problems += loading_problems(folder, list(manifest["configs"]))
    summary = [
        _(
            "{config} {recipe} {version}: {counts}, fingerprint {fingerprint}: no problems found",
            config=name,
            recipe=entry["recipe"],
            version=entry["version"],
            counts=joined(
                [
                    _n("{split} {n:,} record", "{split} {n:,} records", account["records"], split=split)
                    for split, account in entry["splits"].items()
                ]
            ),
            fingerprint=entry["fingerprint"][:8],
        )
        for name, entry in manifest["configs"].items()
    ]
    return Checked(problems, summary)


def _file_problems(folder: Path, manifest: Entry) -> Iterator[str]:
    expected = dict(manifest["files"])
    for entry in manifest["configs"].values():
        expected.update((file["path"], file["sha256"]) for file in _files(entry))
    for path, digest in expected.items():
        try:
            found = sha256(folder / path)
        except OSError as error:
            yield _("{path}: the file cannot be read: {strerror}", path=path, strerror=_(error.strerror or str(error)))
            continue
        if found != digest:
            yield _(
                "{path}: the file does not match the manifest: expected SHA-256 {digest}, found {found}",
                path=path,
                digest=digest,
                found=found,
            )
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    for path in sorted(there - expected.keys() - {MANIFEST}):
        yield _("{path}: the file is not listed in the manifest", path=quotable_key(path))


def _config_problems(folder: Path, name: str, entry: Entry) -> Iterator[str]:
    if name not in dataset_names():
        yield _("{name}: no installed package declares this config, so its records cannot be verified", name=name)
        return
    if is_private(name) != ("key" in entry):
        yield _(
            "{name}: the private setting of the config has changed since the build; build the config again", name=name
        )
    chosen = dataset(name)
    schema = read_schema(chosen.schema)
    types = column_types(schema)
    if [(column["name"], column["type"]) for column in entry["features"]] != list(types.items()):
        yield _(
            "{name}: the columns in {manifest} do not match {schema_name}",
            name=name,
            manifest=MANIFEST,
            schema_name=chosen.schema.name,
        )
    columns = features_of(types).arrow_schema
    tables: dict[str, pa.Table] = {}
    for split, account in entry["splits"].items():
        read = [(file["path"], *_read(folder / file["path"], file, columns)) for file in account["files"]]
        yield from (joined([path, problem], ": ") for path, _rows, problems in read for problem in problems)
        if any(table is None for _path, table, _problems in read):
            continue  # of dates and bytes no schema speaks, and no digest is taken
        tables[split] = pa.concat_tables([table for _path, table, _problems in read])
        yield from _split_problems(f"{name} {split}", account, tables[split], chosen.breakdown)
        yield from _wrong_recipe(f"{name} {split}", entry["recipe"], tables[split])
    rows = {split: table.to_pylist() for split, table in tables.items()}
    surveys = surveyed(rows, schema)
    if tables.keys() == entry["splits"].keys():
        yield from faults(name, surveys, rows, chosen.check)
    ordered = {split for split, survey in surveys.items() if all(isinstance(one, str) for one in survey.ids)}
    yield from _content_problems(folder, name, entry, types, tables, ordered)


def _content_problems(  # noqa: PLR0913, PLR0917 - what is compared with what
    folder: Path, name: str, entry: Entry, types: Mapping[str, str], tables: Mapping[str, pa.Table], ordered: set[str]
) -> Iterator[str]:
    """Compare digests, labels of files and the fingerprint, as loading does."""
    content, place = Fingerprint(types, entry.get("key")), BuildLocation(folder)
    for split, table in sorted(tables.items()):
        digests = column_digests(table, split, content) if split in ordered else {}
        try:
            check_files(place, entry["splits"][split], label_of(name, split, entry), digests)
        except MedzhError as error:
            yield _("{config} {split}: {error}", config=name, split=split, error=error)
    if ordered != entry["splits"].keys():
        return  # already reported: other columns, or an invalid record
    try:
        found = content.hexdigest()
    except (ValueError, TypeError) as error:
        yield _(
            "{name}: fingerprint: a record contains a value that JSON cannot represent: {error}",
            name=name,
            error=quotable(error),
        )
        return
    if found != entry["fingerprint"]:
        yield _(
            "{name}: fingerprint of the records: expected {entry}, found {found}",
            name=name,
            entry=entry["fingerprint"],
            found=found,
        )


def _split_problems(place: str, account: Entry, records: pa.Table, breakdown: str | None) -> Iterator[str]:
    if account["records"] != len(records):
        yield _n(
            "{place}: {manifest} lists {n:,} record, but there are {n_records:,}",
            "{place}: {manifest} lists {n:,} records, but there are {n_records:,}",
            account["records"],
            place=place,
            manifest=MANIFEST,
            n_records=len(records),
        )
    if account["groups"] != group_counts(records, breakdown):
        yield _(
            "{place}: the counts by {breakdown} in {manifest} do not match the records",
            place=place,
            breakdown=breakdown,
            manifest=MANIFEST,
        )


def _wrong_recipe(place: str, recipe: str, records: pa.Table) -> Iterator[str]:
    stated = records.column(RECIPE).to_pylist() if RECIPE in records.column_names else []
    for other, count in Counter(map(str, stated)).items():
        if other != recipe:
            yield _n(
                "{place}: {n:,} record has recipe {other}, but {manifest} states {recipe}",
                "{place}: {n:,} records have recipe {other}, but {manifest} states {recipe}",
                count,
                place=place,
                other=shown(other),
                manifest=MANIFEST,
                recipe=repr(recipe),
            )


def _read(path: Path, file: Entry, columns: pa.Schema) -> tuple[pa.Table | None, list[str]]:
    """Read the valid rows of a parquet file, and return its problems; None if the columns differ."""
    from pyarrow import parquet

    batches: list[pa.RecordBatch] = []
    try:
        # Without threads: those of Arrow may abort a process that ends early.
        with regular(path).open("rb") as stream:
            stored = parquet.ParquetFile(stream, pre_buffer=False)
            schema = stored.schema_arrow
            if not schema.equals(columns):
                found = ", ".join(f"{quotable_key(field.name)} ({field.type})" for field in schema)
                return None, [_("the columns do not match the schema: {columns}", columns=found)]
            check_texts(stream, path.stat().st_size, path)
            for batch in stored.iter_batches(ROWS, use_threads=False):
                batch.validate(full=True)  # the bytes of a text need not be UTF-8
                batches.append(batch.replace_schema_metadata())
            problems = _file_faults(stored.metadata.num_rows, schema, file, columns)
    except OSError as error:
        problems = [_("cannot read the file: {why}", why=_(error.strerror or str(error)))]
    except parquet_faults() as error:
        problems = [_("invalid Parquet file: {error}", error=quotable(error).replace("\n", " "))]
    except MedzhError as error:
        problems = [error.problem]
    return pa.Table.from_batches(batches, schema=columns.remove_metadata()), problems


def _file_faults(rows: int, schema: pa.Schema, file: Entry, columns: pa.Schema) -> list[str]:
    found = []
    if (schema.metadata or {}).get(b"huggingface") != columns.metadata[b"huggingface"]:
        found.append(_("the file metadata does not contain the expected features"))
    if rows != file["records"]:
        found.append(
            _n(
                "{manifest} lists {n:,} record, but the file contains {rows:,}",
                "{manifest} lists {n:,} records, but the file contains {rows:,}",
                file["records"],
                manifest=MANIFEST,
                rows=rows,
            )
        )
    return found


def _files(entry: Entry) -> Iterator[Entry]:
    for split in entry["splits"].values():
        yield from split["files"]
