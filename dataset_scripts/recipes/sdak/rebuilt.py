"""SDAK's `rebuilt` recipe: structured disease content to pairs of claims, as in the paper's section 3.2."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.sdak.content import REASONS, Content, fold
from dataset_scripts.recipes.sdak.disease_csv import read_disease_csv
from dataset_scripts.recipes.sdak.facts import Dropped, Fact, draw, settle, sift, stated_claims, unite
from dataset_scripts.recipes.sdak.medical_json import read_medical_json
from dataset_scripts.recipes.sdak.names import name_table, names_its_subject
from dataset_scripts.recipes.sdak.pairs import Pair, records_of
from dataset_scripts.recipes.sdak.templates import BY_KIND
from dataset_scripts.recipes.sdak.types import TYPES, find_type
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dataset_scripts.recipe import SourceFile

RECIPE = "rebuilt"
LIMIT = 1000  # of each type (paper, section 3.2)
READERS = {"disease-csv": read_disease_csv, "medical-json": read_medical_json}


def rebuild(files: Mapping[str, SourceFile], seed: int) -> Built:
    """Rebuild SDAK from structured disease content (paper, section 3.2 and Table 11).

    Facts come from the sources, claims from the templates; the counterfactual negates the implication. A pair is
    built only if nothing in the sources makes its counterfactual true. Of each type at most 1,000 are drawn. What is
    built depends on the content of the sources and the seed, not on the order of their rows.
    """
    content = _read(files)
    names = name_table(content.aliases)
    affirmed, denied, dropped = settle(content.values)
    stated = stated_claims(affirmed, denied, names)
    facts = sift(
        affirmed, "names the subject", lambda fact: names_its_subject(fact.kind, fact.subject, fact.obj, names), dropped
    )
    facts = sift(facts, "contradicted", lambda fact: fold(fact.claims[1]) in stated, dropped)
    facts = draw(unite(facts, dropped), seed, LIMIT, dropped)
    records = [record for fact in facts for record in records_of(_pair(fact), fact.source, RECIPE)]
    found = Counter(value.kind for value in content.values)
    kept = Counter(fact.kind for fact in facts)
    return Built({"test": records}, notes=_notes(found, dropped, kept), tables=(_table(found, dropped, kept),))


def _read(files: Mapping[str, SourceFile]) -> Content:
    if not files or not READERS.keys() >= files.keys():
        raise MedzhError(
            "the recipe cannot be built from these sources",
            field="--source",
            expected=" or ".join(READERS) + ", or both",
            found=", ".join(sorted(files)),
        )
    content = Content()
    for name, file in sorted(files.items()):
        part = READERS[name](file.path, name)
        content.values += part.values
        for disease, others in part.aliases.items():
            content.aliases.setdefault(disease, set()).update(others)
    return content


def _pair(fact: Fact) -> Pair:
    factual, counterfactual = fact.claims
    key = f"{fact.subject}/{fact.kind}"
    slots = BY_KIND[fact.kind].values(fact.subject, fact.obj)
    return Pair(find_type(fact.kind), None, factual, counterfactual, slots, (key, key))


def _table(found: Counter[str], dropped: Dropped, kept: Counter[str]) -> BuildTable:
    reasons = [reason for reason in REASONS if any(dropped[kind.name, reason] for kind in TYPES)]
    rows: list[tuple[str | int, ...]] = [
        (kind.name, found[kind.name], *(dropped[kind.name, reason] for reason in reasons), kept[kind.name])
        for kind in TYPES
    ]
    totals = [sum(int(row[column]) for row in rows) for column in range(1, len(reasons) + 3)]
    return BuildTable(
        title="Values found in the sources (an empty cell is one without value), dropped, and kept as pairs",
        columns=("type", "found", *(f"dropped: {reason}" for reason in reasons), "kept"),
        rows=(*rows, ("all", *totals)),
    )


def _notes(found: Counter[str], dropped: Dropped, kept: Counter[str]) -> tuple[str, ...]:
    absent = [kind.name for kind in TYPES if not found[kind.name]]
    unused = [kind.name for kind in TYPES if found[kind.name] and not kept[kind.name]]
    notes = []
    if absent:
        notes.append(f"the sources have no content for {len(absent)} of the 17 types: {', '.join(absent)}")
    if unused:
        notes.append(f"no pair came of what the sources have for {', '.join(unused)}")
    counts = {reason: sum(dropped[kind.name, reason] for kind in TYPES) for reason in REASONS}
    notes += [
        f"dropped: {reason} ({meaning}): {counts[reason]:,}" for reason, meaning in REASONS.items() if counts[reason]
    ]
    return tuple(notes)
