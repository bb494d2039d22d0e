"""TCMD at its full size from the embedded sample: its records, and clauses of its explanations to recombine."""

from __future__ import annotations

import json
import re
from typing import Any

from dataset_scripts.recipe import SourceFile, dataset

SINGLE = ("A1", "A2")


def splits() -> dict[str, list[dict[str, Any]]]:
    """Make the records of the sample, by split."""
    recipe = dataset("tcmd").recipe("mini")
    files = {name: SourceFile(name, path, "0" * 64, pinned=True) for name, path in recipe.embedded.items()}
    return {split: list(records) for split, records in recipe.make(files, 0).splits.items()}


def five_options() -> list[dict[str, Any]]:
    """Give the single questions of the sample that have five options."""
    rows = [row for records in splits().values() for row in records]
    return [row for row in rows if row["type"] in SINGLE and len(row["options"]) == 5]


def clauses() -> list[str]:
    """Give clauses of the explanations that name no option letter and quote nothing."""
    rows = [row for records in splits().values() for row in records]
    texts = [row["explanation"] for row in rows]
    found = dict.fromkeys(clause for text in texts for clause in re.split(r"(?<=[。，；])", text) if clause)
    return [clause for clause in found if not re.search(r"[A-Za-z选答“”]", clause)]


def sized(records: list[dict[str, Any]], counts: dict[str, int]) -> list[dict[str, Any]]:
    """Repeat groups of each type until it has a count of sub-questions, under ids and with texts of their own."""
    rows = []
    for kind, count in counts.items():
        groups: dict[str, list[dict[str, Any]]] = {}
        for row in records:
            if row["type"] == kind and len(row["options"]) == 5:
                groups.setdefault(row["group_id"], []).append(row)
        whole = [members for members in groups.values() if len(members) in {1, 2, 3}]
        made, number = 0, 0
        while made < count:
            members = whole[number % len(whole)][: count - made]
            name = f"tcmd-{kind.lower()}{number:08d}"
            rows += [
                {
                    **json.loads(json.dumps(row)),
                    "id": name if len(members) == 1 else f"{name}-{place}",
                    "group_id": name,
                    "question": f"（{number}）{row['question']}",
                }
                for place, row in enumerate(members, 1)
            ]
            made, number = made + len(members), number + 1
    return rows
