"""Validation of 40,000 records, beside ``fastjsonschema``, which writes Python code, and ``jsonschema``."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fastjsonschema
from jsonschema import Draft202012Validator
from timing import beside, report

from dataset_scripts.packaging.schema import Validator, invalid, read_schema
from dataset_scripts.recipe import SourceFile, dataset
from dataset_scripts.recipes.sdak.dataset import MINI

if TYPE_CHECKING:
    from collections.abc import Callable

Record = dict[str, Any]

RECORDS = 40_000
SLICE = 4_000  # what the rival validates in each repeat; its time is scaled to all records
REPEATS = 7
SEED = 0
COMPILED, PURE = "fastjsonschema, compiled", "jsonschema, Draft202012Validator.iter_errors"
BROKEN_EVERY = 50

BREAKS: tuple[Callable[[Record], None], ...] = (
    lambda record: record.pop("claim"),
    lambda record: record.update(label="supports"),
    lambda record: record.update(id=record["id"].upper()),
    lambda record: record.update(prompt=7),
    lambda record: record.update(slot_values=[*record["slot_values"], None]),
    lambda record: record.update(surplus="x"),
    lambda record: record.update(answer="", polarity=None),
    lambda record: record.update(pair_id=record["pair_id"] + "-" + "9" * 40),
)


def digest(*parts: object) -> int:
    """Draw a number; another seed, another draw."""
    return int.from_bytes(hashlib.sha256(":".join(map(str, (SEED, *parts))).encode()).digest()[:8], "big")


def make_records() -> list[Record]:
    """Recombine the mini records: the texts of one, the object of another, a number of its own."""
    file = SourceFile("sdak-mini", MINI, "0" * 64, pinned=True)
    base = dataset("sdak").recipe("mini").make({file.name: file}, 0).splits["test"]
    records = []
    for number in range(RECORDS):
        record = dict(base[digest(number, "record") % len(base)])
        other = base[digest(number, "other") % len(base)]
        record["claim"] = f"{record['claim']}，{number}，{other['claim']}"
        record["prompt"] = record["prompt"] + other["claim"] + str(number)
        record["object"] = other["object"]
        record["slot_names"], record["slot_values"] = other["slot_names"], other["slot_values"]
        record["pair_id"] = f"sdak-food_effect-{number:06d}"
        record["id"] = f"{record['pair_id']}-{record['polarity'][0]}"
        if number % BROKEN_EVERY == 0:
            BREAKS[number // BROKEN_EVERY % len(BREAKS)](record)
        records.append(record)
    return records


def found_by_us(records: list[Record], schema: Record) -> list[set[str]]:
    """Say which fields we find at fault, record by record."""
    validator = Validator(schema)
    return [{problem.pointer for problem in validator.problems(record, place)} for place, record in enumerate(records)]


def found_by_rival(records: list[Record], validator: Draft202012Validator) -> list[set[str]]:
    """Say which fields the rival finds at fault; it names a missing or surplus field in the message only."""
    pointers: list[set[str]] = []
    for record in records:
        pointers.append(set())
        for error in validator.iter_errors(record):
            pointer = "".join(f"/{step}" for step in error.absolute_path)
            named: list[str] = []
            if error.validator == "required":
                named = [name for name in error.validator_value if name not in error.instance]
            if error.validator == "additionalProperties":
                named = [name for name in error.instance if name not in error.schema["properties"]]
            pointers[-1].update(f"{pointer}/{name}" for name in named)
            if not named:
                pointers[-1].add(pointer)
    return pointers


def main() -> None:
    """Run it."""
    records = make_records()
    schema = read_schema(dataset("sdak").schema)
    validator = Draft202012Validator(schema)
    rival_found = found_by_rival(records, validator)
    equal = found_by_us(records, schema) == rival_found and sum(map(bool, rival_found)) == RECORDS // BROKEN_EVERY
    compiled = fastjsonschema.compile(schema)
    equal = equal and [bool(names) for names in rival_found] == [not accepts(compiled, record) for record in records]
    part = records[:SLICE]
    ours_s, found = beside(
        lambda: invalid(records, schema),
        {
            COMPILED: lambda: [accepts(compiled, record) for record in records],
            PURE: lambda: [list(validator.iter_errors(record)) for record in part],
        },
        REPEATS,
    )
    scale, pure = RECORDS / SLICE, found[PURE]
    scaled = replace(
        pure, seconds=pure.seconds * scale, ratio=pure.ratio * scale, bound=60, note=f"{SLICE:,} records, scaled"
    )
    first_only = "says of a record the first fault alone"
    report("validation", ours_s, [replace(found[COMPILED], bound=2, note=first_only), scaled], equal=equal)


def accepts(compiled: Callable[[Record], Record], record: Record) -> bool:
    """Say whether fastjsonschema accepts a record."""
    try:
        compiled(record)
    except fastjsonschema.JsonSchemaValueException:
        return False
    return True


if __name__ == "__main__":
    main()
