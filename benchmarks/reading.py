"""Reading a million native lines: validated, aligned with the records, looked through for repeated ones, texts let go.

One rival decodes the whole file into a list by msgspec's ``decode_lines``, into a Struct with the same three fields as
the lines, the friendliest fair form; the other decodes line by line into dicts with orjson, and checks as we do: the
fields and their types, that the id is known, and that no record comes twice in a run. Beside them stands how long it
takes with lines of ten characters. Peak memory is measured in a process of its own, above that of the imports.

What reading answers takes is measured by `reading_speed`.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import msgspec
import orjson
import timing

from medzh_score.benchmark.items import Query
from medzh_score.readers.align import collect
from medzh_score.readers.files import PredictionFiles

RUNS, RECORDS, SEED, REPEATS = 4, 250_000, 20260101, 5
LENGTH, SHORT = 150, 10
STRUCTS, DICTS = "msgspec decode_lines into a list of Structs", "orjson into dicts, with the same checks"


class Line(msgspec.Struct):
    """What stands on each line."""

    id: str
    prediction: str
    run: int


def identifiers() -> list[str]:
    """Make ids as those of SDAK are."""
    return [f"sdak-bench-{number // 2:06d}-{'fc'[number % 2]}" for number in range(RECORDS)]


def predictions(length: int) -> Path:
    """Write four runs of a quarter of a million lines."""
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    words = "".join(draw.choices("正确错误因为所以这个说法是，。疾病的病因包括", k=20_000))
    path = Path(tempfile.mkdtemp()) / "predictions.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for run in range(RUNS):
            for name in identifiers():
                start = draw.randrange(len(words) - length)
                line = {"id": name, "prediction": words[start : start + length], "run": run}
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    return path


def read(path: Path, asked: list[Query]) -> dict[int, bytes]:
    """Read as scoring does, without the rules: by run, which records came."""
    came = collect([one.id for one in asked], asked, [], PredictionFiles((path,)))
    return {run: bytes(map(bool, forms)) for (run, _), forms in came.forms.items()}


def decode(path: Path) -> list[Line]:
    """Decode the whole file into a list."""
    return msgspec.json.Decoder(Line).decode_lines(path.read_bytes())


def checked(path: Path) -> dict[int, bytes]:
    """Decode into dicts line by line, and check what reading checks; by run, which records came."""
    places = {name: place for place, name in enumerate(identifiers())}
    came: dict[int, bytearray] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            item = orjson.loads(line)
            name, text, run = item["id"], item["prediction"], item.get("run", 0)
            if type(name) is not str or type(text) is not str or type(run) is not int or run < 0:
                raise ValueError(number)
            column = came.setdefault(run, bytearray(RECORDS))
            if column[places[name]]:
                raise ValueError(number)
            column[places[name]] = 1
    return {run: bytes(column) for run, column in came.items()}


def restated(path: Path) -> dict[int, bytes]:
    """Find plainly which records came in which run, each once."""
    places = {name: place for place, name in enumerate(identifiers())}
    came = {run: bytearray(RECORDS) for run in range(RUNS)}
    with path.open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            came[line["run"]][places[line["id"]]] += 1
    return {run: bytes(column) for run, column in came.items()}


def asked() -> list[Query]:
    """Ask each record alone."""
    return [Query(name, (place,), None) for place, name in enumerate(identifiers())]


def main() -> None:
    """Measure and print."""
    records = asked()
    long, short = predictions(LENGTH), predictions(SHORT)
    equal = all(read(path, records) == restated(path) == checked(path) for path in (long, short))
    ours_s, found = timing.beside(
        lambda: read(long, records), {STRUCTS: lambda: decode(long), DICTS: lambda: checked(long)}, REPEATS
    )
    *_, short_ratio = timing.interleaved(lambda: read(short, records), lambda: decode(short), REPEATS)
    timing.report(
        "reading",
        ours_s,
        [replace(found[STRUCTS], bound=0.7), replace(found[DICTS], bound=1.0)],
        equal=equal,
        ratio_10_characters=round(short_ratio, 3),
        peak_mb=timing.peak_mb(__file__, "ours", long),
        rival_peak_mb=timing.peak_mb(__file__, "rival", long),
    )


def only_rise(whose: str, path: Path) -> None:
    """Print by how much one of the two raises the peak."""
    records = asked()
    timing.print_rise((lambda: read(path, records)) if whose == "ours" else (lambda: decode(path)))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        only_rise(sys.argv[1], Path(sys.argv[2]))
    else:
        main()
