"""SDAK's `rebuilt` recipe: structured disease content to pairs of claims, as in the paper's section 3.2."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.sdak.content import REASONS, Content, fold
from dataset_scripts.recipes.sdak.denials import Denials, complications, is_reversed
from dataset_scripts.recipes.sdak.departments import departments_of
from dataset_scripts.recipes.sdak.dictionaries import DICTIONARIES, read_dictionaries
from dataset_scripts.recipes.sdak.disease_csv import read_disease_csv
from dataset_scripts.recipes.sdak.drug_tables import read_indications, read_kamed_graph
from dataset_scripts.recipes.sdak.examinations import read_examinations
from dataset_scripts.recipes.sdak.facts import Dropped, Fact, draw, settle, sift, stated_claims, unite
from dataset_scripts.recipes.sdak.medical_json import read_medical_json
from dataset_scripts.recipes.sdak.names import name_table, names_its_subject
from dataset_scripts.recipes.sdak.pairs import Pair, records_of
from dataset_scripts.recipes.sdak.settings import SETTINGS, Settings, changed, read_settings
from dataset_scripts.recipes.sdak.templates import BY_KIND
from dataset_scripts.recipes.sdak.types import TYPES, find_type
from dataset_scripts.recipes.sdak.witnesses import EXAMINATIONS, independent, is_enough, witnesses
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dataset_scripts.recipe import Record, SourceFile

RECIPE = "rebuilt"
LIMIT = 1000  # of each type (paper, section 3.2)
READERS = {
    "disease-csv": read_disease_csv,
    "medical-json": read_medical_json,
    "kamed-graph-csv": read_kamed_graph,
    "qizhen-indications": read_indications,
    **dict.fromkeys(EXAMINATIONS, read_examinations),
}
SOURCES = (*READERS, *DICTIONARIES, SETTINGS)
NEVER_ALONE = (*DICTIONARIES, SETTINGS)


def rebuild(files: Mapping[str, SourceFile], seed: int) -> Built:
    """Rebuild SDAK from structured disease content (paper, section 3.2 and Table 11).

    Facts come from the sources, claims from the templates; the counterfactual negates the implication. A pair is
    built only if enough sources say the fact, and nothing in them makes its counterfactual true. Of each type at most
    1,000 are drawn. What is built depends on the content of the sources and the seed, not on the order of their rows.
    """
    settings = read_settings(files[SETTINGS].path) if SETTINGS in files else Settings()
    content = _read(files)
    names = name_table(content.aliases)
    affirmed, denied, dropped = settle(content.values)
    facts = _sound(affirmed, denied, names, files, dropped)
    united = _witnessed(facts, content, names, settings, dropped)
    drawn = draw(united, seed, LIMIT, dropped)
    records = [record for fact in drawn for record in _records(fact)]
    found = Counter(value.kind for value in content.values)
    kept = Counter(fact.kind for fact in drawn)
    notes = (*_notes(found, dropped, kept), *changed(settings))
    if not any(name in files for name in DICTIONARIES):
        notes = (*notes, "no dictionary was given: what is a disease, a symptom or a check was not looked up")
    return Built({"test": records}, notes=notes, tables=(_table(found, dropped, kept), _by_sources(drawn)))


def _sound(
    affirmed: list[Fact],
    denied: list[Fact],
    names: Mapping[str, set[str]],
    files: Mapping[str, SourceFile],
    dropped: Dropped,
) -> list[Fact]:
    """Keep the facts whose names are of the right kinds, and that no source denies."""
    stated, denials, known = stated_claims(affirmed, denied, names), Denials(denied, names), read_dictionaries(files)
    facts = sift(
        affirmed, "names the subject", lambda fact: names_its_subject(fact.kind, fact.subject, fact.obj, names), dropped
    )
    facts = sift(facts, "contradicted", lambda fact: denials.deny(fact) or fold(fact.claims[1]) in stated, dropped)
    forward = complications(facts)
    facts = sift(facts, "contradicted", lambda fact: is_reversed(fact, forward), dropped)
    listed = departments_of(affirmed)
    facts = sift(facts, "several fields", lambda fact: not listed.confirm(fact), dropped)
    facts = sift(facts, "unknown name", lambda fact: not known.knows(fact), dropped)
    return sift(facts, "wrong kind", lambda fact: not known.fits(fact), dropped)


def _witnessed(
    facts: list[Fact], content: Content, names: Mapping[str, set[str]], settings: Settings, dropped: Dropped
) -> list[Fact]:
    """Make one of facts that are the same, and keep those that enough sources say."""
    united = unite(facts, dropped)
    known = witnesses(facts, content.sentences, names)
    heard = [replace(fact, sources=known.of(fact)) for fact in united]
    return sift(heard, "too few sources", lambda fact: not is_enough(fact, fact.sources, settings.min_sources), dropped)


def _read(files: Mapping[str, SourceFile]) -> Content:
    read = {name: file for name, file in files.items() if name in READERS}
    if not read or not set(SOURCES) >= files.keys():
        raise MedzhError(
            "the recipe cannot be built from these sources",
            field="--source",
            expected="one or more of " + ", ".join(READERS),
            found=", ".join(sorted(files)),
        )
    content = Content()
    for name, file in sorted(read.items()):
        part = READERS[name](file.path, name)
        content.values += part.values
        content.sentences |= part.sentences
        for disease, others in part.aliases.items():
            content.aliases.setdefault(disease, set()).update(others)
    return content


def _records(fact: Fact) -> list[Record]:
    sources = independent(fact.source, fact.sources)
    return [
        record | {"sources": sources, "n_sources": len(sources)}
        for record in records_of(_pair(fact), fact.source, RECIPE)
    ]


def _by_sources(drawn: list[Fact]) -> BuildTable:
    counts = Counter((fact.kind, min(len(independent(fact.source, fact.sources)), 3), fact.source) for fact in drawn)
    rows: list[tuple[str | int, ...]] = [
        (kind.name, source, *(counts[kind.name, number, source] for number in (1, 2, 3)))
        for kind in TYPES
        for source in sorted({source for name, _, source in counts if name == kind.name})
    ]
    return BuildTable(
        title="Pairs by type, source and number of independent sources",
        columns=("type", "source", "said by one", "by two", "by three or more"),
        rows=tuple(rows),
    )


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
