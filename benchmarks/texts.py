"""SDAK at its full size from the embedded sample: pairs repeated under new ids, texts recombined with a seed."""

from __future__ import annotations

import json
import random
import re
import tempfile
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from dataset_scripts.packaging.build_files import write_splits
from dataset_scripts.packaging.schema import column_types, features_of, read_schema
from dataset_scripts.recipe import SourceFile, dataset
from medzh_score.data.hub import MANIFEST
from medzh_score.data.records import Origin, Records
from medzh_score.extraction.verdict import read_verdict

if TYPE_CHECKING:
    from collections.abc import Callable

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
    """Write predictions of about ``length`` characters: the start of a sample text, then clauses of others.

    Verdicts are among the clauses, so that most texts contradict themselves.
    """
    samples, clauses = _samples()

    def text(draw: random.Random) -> str:
        return _filled(draw.choice(samples)[:30], length, clauses, draw)

    return _written(of, runs, seed, text)


def answers(of: Records, runs: int, length: int, seed: int) -> Path:
    """Write predictions as models answer: a sample text with its one verdict, if any, then clauses that give none.

    One in five says at its end once more what it says at its beginning.
    """
    samples, clauses = _samples()
    reasons = [clause for clause in clauses if read_verdict(clause).value is None]
    again = {sample: CONCLUSIONS.get(read_verdict(sample).value) for sample in samples}

    def text(draw: random.Random) -> str:
        sample = draw.choice(samples)
        answer = _filled(sample, length, reasons, draw)
        return f"{answer[:-1]}。{again[sample]}" if again[sample] and draw.random() < 0.2 else answer

    return _written(of, runs, seed, text)


CONCLUSIONS = {"correct": "因此，这个说法是正确的。", "incorrect": "因此，这个说法是错误的。"}


def _samples() -> tuple[list[str], list[str]]:
    """Give the texts of the sample's predictions, and their clauses."""
    lines = (MINI / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["prediction"] for line in lines]
    return texts, [clause for text in texts for clause in re.split(r"(?<=[。，])", text) if clause]


def _filled(text: str, length: int, clauses: list[str], draw: random.Random) -> str:
    while len(text) < length:
        text += draw.choice(clauses)
    return text


def _written(of: Records, runs: int, seed: int, text: Callable[[random.Random], str]) -> Path:
    draw = random.Random(seed)  # noqa: S311 - a benchmark
    path = Path(tempfile.mkdtemp()) / "predictions.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for run in range(runs):
            for record in of.rows:
                line = {"id": record["id"], "prediction": text(draw), "run": run}
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    return path
