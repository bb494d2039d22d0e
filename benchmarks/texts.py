"""SDAK at its full size from the embedded sample: pairs repeated under new ids, texts recombined with a seed."""

from __future__ import annotations

import json
import random
import re
import tempfile
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataset_scripts.packaging.build_files import write_splits
from dataset_scripts.packaging.schema import column_types, features_of, read_schema
from dataset_scripts.recipe import SourceFile, dataset
from medzh_score.data.hub import MANIFEST
from medzh_score.data.records import Origin, Records

PAIRS = 14_048
MINI = Path(__file__).resolve().parent.parent / "dataset_scripts" / "mini" / "sdak"


def records() -> Records:
    """Make 14,048 pairs of claims."""
    recipe = dataset("sdak").recipe("mini")
    files = {name: SourceFile(name, path, "0" * 64, pinned=True) for name, path in recipe.embedded.items()}
    by_pair: dict[str, list[dict[str, Any]]] = {}
    for record in recipe.make(files, 0).splits["test"]:
        by_pair.setdefault(record["pair_id"], []).append(record)
    pairs = list(by_pair.values())
    rows = []
    for number in range(PAIRS):
        pair_id = f"sdak-bench-{number:05d}"
        rows += [
            {**record, "id": f"{pair_id}-{record['polarity'][0]}", "pair_id": pair_id}
            for record in pairs[number % len(pairs)]
        ]
    return Records("sdak", "test", rows, Origin("0.0.0", "mini", "0" * 64))


def write_build(of: Records) -> Path:
    """Write the records as a build does; no two claims are the same text, as in the real file."""
    folder = Path(tempfile.mkdtemp()) / "medzh"
    folder.mkdir()
    rows = [{**row, "claim": f"{row['claim']}{number}"} for number, row in enumerate(of.rows)]
    types = column_types(read_schema(dataset("sdak").schema))
    made = {"recipe": "mini", "sources": []}
    table = pa.Table.from_pylist(sorted(rows, key=itemgetter("id")), schema=features_of(types).arrow_schema)
    entry = {**write_splits(folder, "sdak", {"test": table}, types, "type", made), **made}
    (folder / MANIFEST).write_text(json.dumps({"configs": {"sdak": entry}}), encoding="utf-8")
    return folder


def predictions(of: Records, runs: int, length: int, seed: int) -> Path:
    """Write predictions of about ``length`` characters: the start of a sample text, then clauses of others."""
    draw = random.Random(seed)  # noqa: S311 - a benchmark
    samples = (MINI / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["prediction"] for line in samples]
    clauses = [clause for text in texts for clause in re.split(r"(?<=[。，])", text) if clause]
    path = Path(tempfile.mkdtemp()) / "predictions.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for run in range(runs):
            for record in of.rows:
                text = draw.choice(texts)[:30]
                while len(text) < length:
                    text += draw.choice(clauses)
                line = {"id": record["id"], "prediction": text, "run": run}
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    return path
