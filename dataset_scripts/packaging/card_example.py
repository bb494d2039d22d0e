"""The example of a card: one short record of the build itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

AMONG = 200  # records, of which the shortest is shown
LONGEST, MOST = 100, 6  # characters of a value, and values of a list
MARK = "…"


def example(folder: Path, entry: Mapping[str, Any]) -> str | None:
    """Choose a short record and write it as JSON, long values cut with a mark.

    Gives the shortest of the first 200 records of ``test``, or of the first split where there is no ``test``. None
    where a source may not be redistributed or the config is private: a card is passed on more easily than the data.
    """
    from pyarrow import parquet

    if "key" in entry or not all(source["redistributable"] for source in entry["sources"]):
        return None
    splits = entry["splits"]
    split = splits.get("test", next(iter(splits.values())))
    # Without threads: those of Arrow may abort a process that ends early.
    stored = parquet.ParquetFile(folder / split["files"][0]["path"], pre_buffer=False)
    rows = next(stored.iter_batches(AMONG, use_threads=False)).to_pylist()
    written = [json.dumps(row, ensure_ascii=False) for row in rows]
    shortest = min(range(len(rows)), key=lambda place: (len(written[place]), place))
    return json.dumps({name: _cut(value) for name, value in rows[shortest].items()}, ensure_ascii=False, indent=2)


def _cut(value: object) -> object:
    if isinstance(value, str) and len(value) > LONGEST:
        return value[:LONGEST] + MARK
    if isinstance(value, list):
        return [_cut(one) for one in value[:MOST]] + ([MARK] if len(value) > MOST else [])
    return value
