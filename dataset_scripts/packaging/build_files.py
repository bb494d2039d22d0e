"""From records to the files of a build: parquet, manifest, card and licence."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.card import UNPUBLISHED, card, licence_text
from dataset_scripts.packaging.croissant import CROISSANT, croissant
from dataset_scripts.packaging.features import features_of, read_schema
from dataset_scripts.packaging.inspect_tasks import EVAL, eval_yaml
from dataset_scripts.packaging.validating import invalid
from medzh_score.benchmark.registry import data_name
from medzh_score.data.digests import LABEL, column_digests, digest_of, in_order_of_ids, label_of, stated_in_file
from medzh_score.data.fingerprint import canonical, fingerprint
from medzh_score.data.hub import MANIFEST
from medzh_score.data.records import read_manifest
from medzh_score.files.package_files import package_file
from medzh_score.files.writing import write_bytes
from medzh_score.messages.errors import MedzhError
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa

    from dataset_scripts.recipe import Record
    from medzh_score.data.digests import Label

Entry = dict[str, Any]

FORMAT = 1
ROWS = 10_000  # of a row group; fixed, so that a library's default does not change the files


def write_splits(  # noqa: PLR0913, PLR0917 - what is written, and all that its files say of themselves
    folder: Path,
    config: str,
    splits: Mapping[str, Sequence[Record]],
    types: Mapping[str, str],
    breakdown: str | None,
    made: Mapping[str, Any],
) -> Entry:
    """Write the parquet files of a config and account for them."""
    schema = features_of(types).arrow_schema
    tables = {split: _table(records, schema) for split, records in splits.items()}
    # Of what is stored, not of what was made: a whole number in a column of fractions is read back as a fraction.
    digest = fingerprint({split: table.to_pylist() for split, table in tables.items()}, types)
    name = data_name(config, made["recipe"])
    (folder / name).mkdir()
    written = {}
    for split, table in sorted(tables.items()):
        path = f"{name}/{split}-{digest[:8]}-00000-of-00001.parquet"
        label = label_of(config, split, {**made, "fingerprint": digest})
        content = _parquet(_labelled(table, label))
        write_bytes(folder / path, content)
        groups = Counter(table.column(breakdown).to_pylist()) if breakdown else {}
        file = {"path": path, "sha256": _sha256(content), "bytes": len(content), "records": table.num_rows}
        columns = column_digests(in_order_of_ids(table.to_pydict()))
        written[split] = {
            "records": table.num_rows,
            "bytes": table.nbytes,
            "groups": dict(groups),
            "files": [file],
            "columns": columns,
            "digest": digest_of(label, columns),
        }
    features = [{"name": name, "type": written_type} for name, written_type in types.items()]
    return {"version": UNPUBLISHED, "fingerprint": digest, "features": features, "splits": written}


def carried_over(standing: Path | None, folder: Path, config: str) -> dict[str, Entry]:
    """Copy the other configs of the build that stands into the next one."""
    if standing is None:
        return {}
    manifest = read_manifest(standing)
    problems = invalid([manifest], read_schema(package_file("medzh_score", "schemas/manifest.schema.json")))
    if problems:
        raise MedzhError(
            "the manifest of the build that stands is damaged or of another format",
            file=standing / MANIFEST,
            field=problems[0].pointer,
            expected=problems[0].expected,
            found=problems[0].found,
            advice="delete that build, or build elsewhere with --out",
        )
    others = {name: entry for name, entry in manifest["configs"].items() if name != config}
    for entry in others.values():
        for file in (file for split in entry["splits"].values() for file in split["files"]):
            _copy(standing, folder, file)
    return others


def write_rest(folder: Path, configs: Mapping[str, Entry]) -> None:
    """Write card, licence, metadata, tasks for inspect and manifest; the parquet files are there."""
    ordered = dict(sorted(configs.items()))
    files = {"LICENSE": licence_text(ordered).encode("utf-8"), "README.md": card(ordered, folder).encode("utf-8")}
    digests = {name: _sha256(content) for name, content in files.items()}
    files[CROISSANT] = _as_json(croissant(ordered, digests))
    files[EVAL] = eval_yaml(ordered).encode("utf-8")
    for name, content in files.items():
        write_bytes(folder / name, content)
    manifest = {
        "format": FORMAT,
        "generator": f"medzh-score {VERSION}",
        "files": {name: _sha256(content) for name, content in files.items()},
        "configs": ordered,
    }
    write_bytes(folder / MANIFEST, _as_json(manifest))


def _as_json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode("utf-8")


def _table(records: Sequence[Record], schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist(list(records), schema=schema)


def _labelled(table: pa.Table, label: Label) -> pa.Table:
    """Let the file say of itself which rows it holds, beside its features."""
    return table.replace_schema_metadata({**table.schema.metadata, LABEL: canonical(stated_in_file(label))})


def _parquet(table: pa.Table) -> bytes:
    """Write a table with its features in the metadata, so that load_dataset restores them without a card."""
    import pyarrow as pa
    from pyarrow import parquet

    stream = pa.BufferOutputStream()
    parquet.write_table(table, stream, compression="zstd", row_group_size=ROWS)
    content: bytes = stream.getvalue().to_pybytes()
    return content


def _copy(standing: Path, folder: Path, file: Mapping[str, Any]) -> None:
    source, target = standing / file["path"], folder / file["path"]
    try:
        content = source.read_bytes()
    except OSError as error:
        advice = "build its config first, or delete the build that stands"
        raise MedzhError(f"cannot be carried over: {error.strerror}", file=source, advice=advice) from error
    if _sha256(content) != file["sha256"]:
        raise MedzhError(
            "cannot be carried over: it is not the file that was built",
            file=source,
            expected=file["sha256"],
            found=_sha256(content),
            advice="build its config first, or delete the build that stands",
        )
    target.parent.mkdir(exist_ok=True)
    write_bytes(target, content)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
