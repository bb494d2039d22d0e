"""Whether a build is whole and true: all of its files, verified offline against its manifest and the schemas."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataset_scripts.building.loading import loading_problems
from dataset_scripts.packaging.build_files import ROWS, column_digests, group_counts
from dataset_scripts.packaging.card_head import card_problems, read_card
from dataset_scripts.packaging.schema import Survey, Validator, column_types, faults, features_of, invalid, read_schema
from dataset_scripts.private_ids import holds_private, is_private
from dataset_scripts.recipe import dataset, dataset_names
from dataset_scripts.records import Records, sha256
from medzh_score.data.hub import MANIFEST, BuildLocation, folder_of
from medzh_score.data.integrity import Fingerprint, label_of
from medzh_score.data.records import BUILD_ADVICE, read_manifest
from medzh_score.data.stored_rows import RECIPE, check_files
from medzh_score.io.limits import check_texts, parquet_faults
from medzh_score.io.open_input import regular
from medzh_score.io.paths import package_file
from medzh_score.ui.errors import MedzhError, error_line, shown
from medzh_score.ui.i18n import _, joined
from medzh_score.ui.privacy import at_work, quotable, quotable_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pyarrow as pa


Entry = dict[str, Any]


@dataclass(frozen=True)
class Checked:
    """What was found.

    Attributes
    ----------
    problems : list of str
        One line each; none if all is well.
    summary : list of str
        What was verified, one line a config.
    """

    problems: list[str]
    summary: list[str]


class _Held:
    """The records of a split, and what is found while they are read."""

    def __init__(self, schema: pa.Schema, validator: Validator) -> None:
        self.records = Records(schema)
        self.has_columns = True
        self.recipes: Counter[str] = Counter()
        self.survey = Survey(validator)

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next records."""
        self.records.append_batch(batch)
        for record in batch.to_pylist():
            if RECIPE in record:
                self.recipes[str(record[RECIPE])] += 1
            self.survey.add(record)


def check(folder: Path) -> Checked:
    """Verify a build, offline.

    Gives all problems, not the first alone. Where the manifest is damaged, nothing else can be verified.
    """
    folder = folder_of(folder)
    if not (folder / MANIFEST).is_file() and not (folder / "README.md").is_file():
        raise MedzhError(_("there is no build here"), file=folder, advice=BUILD_ADVICE)
    try:
        manifest = read_manifest(folder)
    except MedzhError as error:
        return Checked([error_line(error)], [])
    # Of a private one nothing is quoted from here on but in what is looked at of a public one alone.
    private = {name for name, entry in manifest["configs"].items() if holds_private(name, entry)}
    schema = read_schema(package_file("medzh_score", "schemas/manifest.schema.json"))
    if wrong := invalid([manifest], schema):
        return Checked(
            [
                _(
                    "{file}: {pointer}: expected {expected}; found {found}",
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
        problems.append(error_line(error))  # and load_dataset, which reads the card without bounds, does not get it
    else:
        problems += card_problems(folder, card, manifest)
        problems += loading_problems(folder, list(manifest["configs"]))
    summary = [
        _(
            "{config} {recipe} {version}: {counts}, fingerprint {fingerprint}: all is well",
            config=name,
            recipe=entry["recipe"],
            version=entry["version"],
            counts=joined(
                [
                    _("{split} {account:,} records", split=split, account=account["records"])
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
            yield _("{path}: cannot be read: {strerror}", path=path, strerror=_(error.strerror or str(error)))
            continue
        if found != digest:
            yield _(
                "{path}: is not the file that was built: expected SHA-256 {digest}; found {found}",
                path=path,
                digest=digest,
                found=found,
            )
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    for path in sorted(there - expected.keys() - {MANIFEST}):
        yield _("{path}: is no part of the build", path=quotable_key(path))


def _config_problems(folder: Path, name: str, entry: Entry) -> Iterator[str]:
    if name not in dataset_names():
        yield _("{name}: no installed package declares this config, so its records cannot be verified", name=name)
        return
    if is_private(name) != ("key" in entry):
        yield _("{name}: it was built before it became private, or while it was: build it again", name=name)
    chosen = dataset(name)
    schema = read_schema(chosen.schema)
    types, validator = column_types(schema), Validator(schema)
    if [(column["name"], column["type"]) for column in entry["features"]] != list(types.items()):
        yield _(
            "{name}: the columns in {manifest} are not those of {schema_name}",
            name=name,
            manifest=MANIFEST,
            schema_name=chosen.schema.name,
        )
    columns = features_of(types).arrow_schema
    held = {split: _Held(columns, validator) for split in entry["splits"]}
    for split, account in entry["splits"].items():
        rows = held[split]
        for file in account["files"]:
            yield from (
                joined([file["path"], problem], ": ") for problem in _read(folder / file["path"], file, types, rows)
            )
        if not rows.has_columns:
            del held[split]  # of dates and bytes no schema speaks, and no digest is taken
            continue
        yield from _split_problems(f"{name} {split}", account, rows.records, chosen.breakdown)
        yield from _wrong_recipe(f"{name} {split}", entry["recipe"], rows)
    if held.keys() == entry["splits"].keys():
        surveys = {split: rows.survey for split, rows in held.items()}
        yield from faults(name, surveys, {split: rows.records for split, rows in held.items()}, chosen.check)
    yield from _content_problems(folder, name, entry, types, held)


def _content_problems(
    folder: Path, name: str, entry: Entry, types: Mapping[str, str], held: Mapping[str, _Held]
) -> Iterator[str]:
    """Say why loading would refuse the splits, by digests that differ or what files say of themselves; fingerprint."""
    content, place = Fingerprint(types, entry.get("key")), BuildLocation(folder)
    ordered = {split for split, rows in held.items() if all(isinstance(one, str) for one in rows.survey.ids)}
    for split, rows in sorted(held.items()):
        digests = column_digests(rows.records, split, content) if split in ordered else {}
        try:
            check_files(place, entry["splits"][split], label_of(name, split, entry), digests)
        except MedzhError as error:
            yield _("{config} {split}: {error}", config=name, split=split, error=error)
    if ordered != entry["splits"].keys():
        return  # said already: other columns, or a record that is invalid
    try:
        found = content.hexdigest()
    except (ValueError, TypeError) as error:
        yield _("{name}: fingerprint: a record holds what JSON cannot say: {error}", name=name, error=quotable(error))
        return
    if found != entry["fingerprint"]:
        yield _(
            "{name}: fingerprint: expected {entry}; the records have {found}",
            name=name,
            entry=entry["fingerprint"],
            found=found,
        )


def _split_problems(place: str, account: Entry, records: Records, breakdown: str | None) -> Iterator[str]:
    if account["records"] != len(records):
        yield _(
            "{place}: {manifest} counts {account:,} records; there are {n_records:,}",
            place=place,
            manifest=MANIFEST,
            account=account["records"],
            n_records=len(records),
        )
    if account["groups"] != group_counts(records, breakdown):
        yield _(
            "{place}: the counts by {breakdown} in {manifest} are not those of the records",
            place=place,
            breakdown=breakdown,
            manifest=MANIFEST,
        )


def _wrong_recipe(place: str, recipe: str, held: _Held) -> Iterator[str]:
    for other, count in held.recipes.items():
        if other != recipe:
            yield _(
                "{place}: {count:,} records are of the recipe {other}; {manifest} says {recipe}",
                place=place,
                count=count,
                other=shown(other),
                manifest=MANIFEST,
                recipe=repr(recipe),
            )


def _read(path: Path, file: Entry, types: Mapping[str, str], held: _Held) -> Iterator[str]:
    """Add the rows of a parquet file, and say what is wrong with the file."""
    from pyarrow import parquet

    try:
        # Without threads: those of Arrow may abort a process that ends early.
        with regular(path).open("rb") as stream:
            stored = parquet.ParquetFile(stream, pre_buffer=False)
            schema, expected = stored.schema_arrow, features_of(types).arrow_schema
            if not schema.equals(expected):
                columns = ", ".join(f"{quotable_key(field.name)} ({field.type})" for field in schema)
                yield _("its columns are not those of the schema: {columns}", columns=columns)
                held.has_columns = False
                return
            check_texts(stream, path.stat().st_size, path)
            for batch in stored.iter_batches(ROWS, use_threads=False):
                batch.validate(full=True)  # the bytes of a text need not be UTF-8
                held.add(batch)
    except OSError as error:
        yield _("cannot be read: {why}", why=_(error.strerror or str(error)))
        return
    except parquet_faults() as error:
        yield _("is no parquet file: {error}", error=quotable(error).replace("\n", " "))
        return
    except MedzhError as error:
        yield error.problem
        return
    rows = stored.metadata.num_rows
    if (schema.metadata or {}).get(b"huggingface") != expected.metadata[b"huggingface"]:
        yield _("its metadata does not hold the features")
    if rows != file["records"]:
        yield _(
            "{manifest} counts {file:,} records; it holds {rows:,}", manifest=MANIFEST, file=file["records"], rows=rows
        )


def _files(entry: Entry) -> Iterator[Entry]:
    for split in entry["splits"].values():
        yield from split["files"]
