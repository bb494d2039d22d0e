"""PeMeBench at its full size from the embedded samples: pairs of texts of their clauses, recombined by hash."""

from __future__ import annotations

import hashlib
import json
import re

import tcmd_texts
import texts

PAIRS, REFERENCE, PREDICTION = 12_068, 113, 350  # pairs; characters on average
ENDS = ("", "", "", "\n", "\n\n", "\n1. ")  # as models set out lists and paragraphs


def lines() -> list[bytes]:
    """Make a JSON line for each pair."""
    parts = clauses()
    return [
        json.dumps(
            {"id": f"pemebench-{number:05d}", **pair(number, parts, REFERENCE, PREDICTION)}, ensure_ascii=False
        ).encode()
        for number in range(PAIRS)
    ]


def clauses() -> list[str]:
    """Give the clauses of SDAK's predictions, and of TCMD's questions and explanations."""
    samples = (texts.MINI / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for records in tcmd_texts.splits().values() for row in records]
    whole = [json.loads(line)["prediction"] for line in samples]
    whole += [row[field] for row in rows for field in ("stem", "question", "explanation") if row[field]]
    return list(dict.fromkeys(part for text in whole for part in re.split(r"(?<=[。，；？！])", text) if part))


def pair(number: int, parts: list[str], reference: int, prediction: int) -> dict[str, str]:
    """Make a reference, and a prediction of which a third is taken from it."""
    referenced = drawn_clauses(parts, reference, number, "reference")
    own = drawn_clauses(parts, prediction * 8 // 9, number, "prediction")  # the rest are ends of lines
    predicted = [
        referenced[drawn(number, place) % len(referenced)] if drawn(place, number) % 3 == 0 else clause
        for place, clause in enumerate(own)
    ]
    ended = [clause + ENDS[drawn(number, clause, place) % len(ENDS)] for place, clause in enumerate(predicted)]
    return {"reference": "".join(referenced), "prediction": "".join(ended)}


def drawn_clauses(parts: list[str], length: int, *name: object) -> list[str]:
    """Draw clauses of about so many characters, half as many to half as many again."""
    left = length * (50 + drawn("length", *name) % 101) // 100 - 6  # the last clause is longer than what is left
    made: list[str] = []
    while left > 0:
        made.append(parts[drawn(left, *name) % len(parts)])
        left -= len(made[-1])
    return made


def drawn(*name: object) -> int:
    """Draw a number by hash."""
    return int.from_bytes(hashlib.sha256(repr(name).encode()).digest()[:8], "big")
