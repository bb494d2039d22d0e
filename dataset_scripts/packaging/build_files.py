"""From records to the files of a build: parquet, manifest, card and license."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.digests import sha256
from dataset_scripts.packaging.card import PLACEHOLDER, UNPUBLISHED, card, licence_text
from dataset_scripts.packaging.card_head import common_licence
from dataset_scripts.packaging.schema import invalid, read_schema
from dataset_scripts.recipe import dataset, dataset_names
from medzh_score.benchmark.registry import data_name
from medzh_score.data.hub import MANIFEST
from medzh_score.data.integrity import (
    ID,
    LABEL,
    ColumnDigests,
    Fingerprint,
    canonical,
    digest_of,
    label_of,
    stated_in_file,
)
from medzh_score.data.records import read_manifest
from medzh_score.io.atomic import open_for_writing, write_bytes
from medzh_score.io.paths import package_file
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa

    from medzh_score.data.integrity import Label

Entry = dict[str, Any]

FORMAT = 1
ROWS = 10_000  # of a row group; fixed, so that a library's default does not change the files


def write_splits(  # noqa: PLR0913, PLR0917 - what is written, and all that its files say of themselves
    folder: Path,
    config: str,
    splits: Mapping[str, pa.Table],
    types: Mapping[str, str],
    breakdown: str | None,
    made: Mapping[str, Any],
) -> Entry:
    """Write the parquet files of a config and account for them."""
    content = Fingerprint(types, made.get("key"))
    columns = {split: column_digests(table, split, content) for split, table in sorted(splits.items())}
    digest = content.hexdigest()
    name = data_name(config, made["recipe"])
    (folder / name).mkdir()
    written = {}
    for split, table in sorted(splits.items()):
        path = f"{name}/{split}-{digest[:8]}-00000-of-00001.parquet"
        label = label_of(config, split, {**made, "fingerprint": digest})
        in_memory = _write_parquet(folder / path, table, label)
        length = (folder / path).stat().st_size
        file = {"path": path, "sha256": sha256(folder / path), "bytes": length, "records": len(table)}
        written[split] = {
            "records": len(table),
            "bytes": in_memory,
            "groups": group_counts(table, breakdown),
            "files": [file],
            "columns": columns[split],
            "digest": digest_of(label, columns[split]),
        }
    features = [{"name": name, "type": written_type} for name, written_type in types.items()]
    return {"version": UNPUBLISHED, "fingerprint": digest, "features": features, "splits": written}


def column_digests(table: pa.Table, split: str, content: Fingerprint) -> dict[str, str]:
    """Compute the digest of each column in the order of the ids, and add the records to the fingerprint."""
    rows, digests = sorted(table.to_pylist(), key=itemgetter(ID)), ColumnDigests(len(table))
    content.add(split, rows)
    for name in table.column_names:
        digests.add(name, [row[name] for row in rows])
    return digests.hexdigests()


def group_counts(table: pa.Table, breakdown: str | None) -> dict[str, int]:
    """Count the records by the values of a column, in order of first occurrence."""
    return dict(Counter(map(str, table.column(breakdown).to_pylist()))) if breakdown else {}


def carried_over(standing: Path | None, folder: Path, config: str) -> dict[str, Entry]:
    """Copy the other configs of the existing build into the next one."""
    if standing is None:
        return {}
    manifest = read_manifest(standing)
    problems = invalid([manifest], read_schema(package_file("medzh_score", "schemas/manifest.schema.json")))
    if problems:
        raise MedzhError(
            _("the manifest of the existing build is damaged or has another format"),
            file=standing / MANIFEST,
            field=problems[0].pointer,
            expected=problems[0].expected,
            found=problems[0].found,
            advice=_("delete the existing build, or choose another folder with `--output`"),
        )
    others = {name: entry for name, entry in manifest["configs"].items() if name != config}
    for entry in others.values():
        for file in (file for split in entry["splits"].values() for file in split["files"]):
            _copy(standing, folder, file)
    return others


def write_rest(
    folder: Path,
    configs: Mapping[str, Entry],
    *,
    before: Path | None = None,
    private: bool = False,
    repo: str = PLACEHOLDER,
) -> None:
    """Write card, license, metadata and manifest next to the parquet files.

    The texts about a config that is not installed are copied from the files in the folder `before`. Card and manifest
    of a ``private`` release state that it is for internal use only. The commands in the card name the repository.
    """
    ordered = dict(sorted(configs.items()))
    files = {
        "LICENSE": licence_text(ordered).encode("utf-8"),
        "README.md": card(ordered, folder, before=before, private=private, repo=repo).encode("utf-8"),
    }
    digests = {name: _sha256(content) for name, content in files.items()}
    files[CROISSANT] = _as_json(croissant(ordered, digests, before))
    for name, content in files.items():
        write_bytes(folder / name, content)
    manifest = {
        "format": FORMAT,
        "generator": f"medzh-score {VERSION}",
        **({"private": True} if private else {}),
        "files": {name: _sha256(content) for name, content in files.items()},
        "configs": ordered,
    }
    write_bytes(folder / MANIFEST, _as_json(manifest))


def _as_json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode("utf-8")


def _write_parquet(path: Path, table: pa.Table, label: Label) -> int:
    """Write a table, and count the bytes that it takes in memory.

    The file has its features in the metadata, so that load_dataset restores them without a card, and beside them says
    of itself which rows it holds.
    """
    from pyarrow import parquet

    schema = table.schema.with_metadata({**table.schema.metadata, LABEL: canonical(stated_in_file(label))})
    with open_for_writing(path) as stream, parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        writer.write_table(table.replace_schema_metadata(schema.metadata), row_group_size=ROWS)
    return int(table.nbytes)


def _copy(standing: Path, folder: Path, file: Mapping[str, Any]) -> None:
    source, target = standing / file["path"], folder / file["path"]
    try:
        content = source.read_bytes()
    except OSError as error:
        advice = _("build the config of this file first, or delete the existing build")
        raise MedzhError(
            _(
                "the file cannot be copied from the existing build: {strerror}",
                strerror=_(error.strerror or str(error)),
            ),
            file=source,
            advice=advice,
        ) from error
    if _sha256(content) != file["sha256"]:
        raise MedzhError(
            _("the file in the existing build does not match the manifest"),
            file=source,
            expected=file["sha256"],
            found=_sha256(content),
            advice=_("build the config of this file first, or delete the existing build"),
        )
    target.parent.mkdir(exist_ok=True)
    write_bytes(target, content)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


CROISSANT = "croissant.json"
SPECIFICATIONS = ("http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0")
PARQUET = "application/x-parquet"
TYPES = {"string": "sc:Text", "int64": "sc:Integer", "float64": "sc:Float", "bool": "sc:Boolean"}
NAME = "medzh"
DESCRIPTION = (
    "Chinese medical benchmarks for language models, one per config. Only a config of recipe official, converted from "
    "a file whose hash matches the file of the authors, is the benchmark itself."
)


def croissant(
    configs: Mapping[str, Mapping[str, Any]], digests: Mapping[str, str], before: Path | None
) -> dict[str, Any]:
    """Describe a build in Croissant 1.0, with its vocabulary for responsible AI."""
    versions = sorted({entry["version"] for entry in configs.values()}, key=lambda one: [*map(int, one.split("."))])
    return {
        "@context": json.loads(Path(__file__).with_name("croissant_context.json").read_text(encoding="utf-8")),
        "@type": "sc:Dataset",
        "conformsTo": list(SPECIFICATIONS),
        "name": NAME,
        "description": DESCRIPTION,
        "version": versions[-1],
        "license": common_licence(configs) or "LICENSE",
        "inLanguage": "zh",
        **_responsible(configs),
        "distribution": [*_documents(digests), *(file for name in configs for file in _files(name, configs[name]))],
        "recordSet": [one for name, entry in configs.items() for one in _record_sets(name, entry, before)],
    }


def _responsible(configs: Mapping[str, Mapping[str, Any]]) -> dict[str, str | list[str]]:
    """State the origin, reviewers, biases and limits of the records of each config."""
    named = [(data_name(name, entry["recipe"]), entry) for name, entry in configs.items()]
    read_by = [f"{name}: reviewed by {entry['read_by'].partition(' / ')[0]}" for name, entry in named]
    return {
        "rai:dataCollection": "\n".join(f"{name}: {entry['summary']}" for name, entry in named),
        "rai:dataAnnotationProtocol": read_by,
        "rai:dataBiases": [f"{name}: {bias}" for name, entry in named for bias in entry.get("biases", ())],
        "rai:dataLimitations": [f"{name}: {limit}" for name, entry in named for limit in entry["limits"]],
    }


def _documents(digests: Mapping[str, str]) -> Iterator[dict[str, str]]:
    for path, digest in sorted(digests.items()):
        kind = "text/markdown" if path.endswith(".md") else "text/plain"
        yield _file(path, kind, digest)


def _files(name: str, entry: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    known = data_name(name, entry["recipe"])
    for split, account in entry["splits"].items():
        for file in account["files"]:
            yield _file(file["path"], PARQUET, file["sha256"], f"{known}, split {split}, {file['records']:,} records")


def _file(path: str, kind: str, digest: str, description: str = "") -> dict[str, str]:
    about = {"@type": "cr:FileObject", "@id": path, "name": path, "contentUrl": path, "encodingFormat": kind}
    return about | ({"description": description} if description else {}) | {"sha256": digest}


def _record_sets(name: str, entry: Mapping[str, Any], before: Path | None) -> Iterator[dict[str, Any]]:
    if name not in dataset_names():  # its schema, which describes the columns, is not installed
        stood = {} if before is None else json.loads((before / CROISSANT).read_text(encoding="utf-8"))
        known = data_name(name, entry["recipe"])
        yield from (one for one in stood.get("recordSet", ()) if one["@id"].startswith(f"{known}/"))
        return
    meanings = read_schema(dataset(name).schema)["properties"]
    for split, account in entry["splits"].items():
        (file,) = account["files"]
        identifier = f"{data_name(name, entry['recipe'])}/{split}"
        yield {
            "@type": "cr:RecordSet",
            "@id": identifier,
            "name": identifier,
            "description": f"{account['records']:,} records by the recipe {entry['recipe']}: {entry['summary']}",
            "key": {"@id": f"{identifier}/id"},
            "field": [_field(identifier, column, file["path"], meanings) for column in entry["features"]],
        }


def _field(identifier: str, column: Mapping[str, str], path: str, meanings: Mapping[str, Any]) -> dict[str, Any]:
    name, kind = column["name"], column["type"]
    inner = kind.removeprefix("list<").removesuffix(">")
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{identifier}/{name}",
        "name": f"{identifier}/{name}",
        "description": meanings.get(name, {}).get("description", name),
        "dataType": TYPES[inner],
        "source": {"fileObject": {"@id": path}, "extract": {"column": name}},
    }
    return field | ({"repeated": True} if inner != kind else {})
