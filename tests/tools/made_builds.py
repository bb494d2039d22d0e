"""Builds made by hand, without the building side, in the shape that the scoring side reads."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from medzh_score.data.integrity import (
    LABEL,
    column_digests,
    columns_of,
    digest_of,
    in_order_of_ids,
    label_of,
    stated_in_file,
)
from medzh_score.data.records import Origin, Records

Rows = list[dict[str, Any]]


def made_build(folder, configs, **said):
    """Write configs, each with its splits of rows, and a manifest that tells the truth of them.

    What else is said goes into the account of every config, such as its recipe or fingerprint.
    """
    built = {name: made_config(folder, name, splits, **said) for name, splits in configs.items()}
    (folder / "manifest.json").write_text(json.dumps({"format": 1, "configs": built}), encoding="utf-8")
    return folder


def made_config(folder, config, splits, **said):
    """Write the files of a config, and give the manifest's account of it."""
    (folder / config).mkdir(parents=True)
    entry: dict[str, Any] = {"version": "0.0.0", "recipe": "mini", "fingerprint": "0" * 64, "sources": [], **said}
    entry["splits"] = {
        split: made_split(folder, label_of(config, split, entry), [pa.Table.from_pylist(rows)])
        for split, rows in splits.items()
    }
    return entry


def made_split(folder, label, tables, **options):
    """Write a split, a file a table, and give the manifest's account of it; options are parquet's."""
    files, columns = [], {}
    for number, table in enumerate(tables):
        stored = table.replace_schema_metadata(
            {**(table.schema.metadata or {}), LABEL: json.dumps(stated_in_file(label))}
        )
        path = f"{label['config']}/{label['split']}-{number:05d}.parquet"
        stream = pa.BufferOutputStream()
        parquet.write_table(stored, stream, **options)
        content = stream.getvalue().to_pybytes()
        (folder / path).write_bytes(content)
        files.append({"path": path, "sha256": hashlib.sha256(content).hexdigest(), "records": table.num_rows})
        for name in table.column_names:
            columns.setdefault(name, []).extend(table.column(name).to_pylist())
    digests = column_digests(in_order_of_ids(columns))
    return {"files": files, "columns": digests, "digest": digest_of(label, digests)}


def as_built(config, rows, recipe="mini", fingerprint="0" * 64):
    """Give records as loading does, with the digests that a manifest would hold of them."""
    columns = column_digests(columns_of(rows, rows[0]))
    return Records(config, "test", list(rows), Origin("0.0.0", recipe, fingerprint, columns=columns))
