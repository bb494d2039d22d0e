"""CARE-MI's `rebuilt` recipe: the five steps of the paper, from triples and examination questions to judged samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipe import Built
from dataset_scripts.recipes.care_mi.account import account_notes, account_tables
from dataset_scripts.recipes.care_mi.corpora import CORPORA, corpus_notes, read_corpus
from dataset_scripts.recipes.care_mi.evidence import FROM_EACH, Retrieval, retrieval_notes
from dataset_scripts.recipes.care_mi.evidence_file import searched
from dataset_scripts.recipes.care_mi.exams import APOLLO, MEDQA_FILES, MLEC_FILES
from dataset_scripts.recipes.care_mi.experts import RATERS, review
from dataset_scripts.recipes.care_mi.filter import Rule
from dataset_scripts.recipes.care_mi.records import record_of
from dataset_scripts.recipes.care_mi.relations import TABLE as WORDINGS
from dataset_scripts.recipes.care_mi.sampling import sample
from dataset_scripts.recipes.care_mi.settings import Settings, changed, read_settings
from dataset_scripts.recipes.care_mi.topics import LISTS, choose_topic, our_topic
from dataset_scripts.recipes.care_mi.triples import BIOS_FILES, CPUBMED
from dataset_scripts.recipes.published_tables import signed
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import BuildTable, Record, SourceFile
    from dataset_scripts.recipes.care_mi.evidence import Evidence
    from dataset_scripts.recipes.care_mi.samples import Sample
    from dataset_scripts.recipes.care_mi.sampling import Sampled
    from dataset_scripts.rounds.rounds import Rounds

RECIPE = "rebuilt"
SETTINGS = "care_mi-settings"
# The authors' own corpora, where they are in the cache, and those that a user brings in their place.
PINNED = {"textbooks": "care-mi-textbook-paragraphs", "wikipedia": "care-mi-wikipedia-paragraphs"}
BANKS = (APOLLO, *MEDQA_FILES, *MLEC_FILES, *BIOS_FILES, CPUBMED)
SOURCES = (*BANKS, *CORPORA, *PINNED.values(), *LISTS, SETTINGS)
OWN = (*MEDQA_FILES, *MLEC_FILES, *BIOS_FILES, CPUBMED, *CORPORA, *LISTS, SETTINGS)
NEVER_ALONE = (*CORPORA, *PINNED.values(), *LISTS, SETTINGS)
PARAMETERS: dict[str, int | str] = {
    "words of the topic": f"{len(our_topic().words)}, {our_topic().name}",
    "wordings of triples": signed(WORDINGS),
    "paragraphs of each corpus": FROM_EACH,
    "experts who judge a sample, and one arbiter": RATERS,
}


def rebuild(files: Mapping[str, SourceFile], seed: int, rounds: Rounds) -> Built:
    """Rebuild CARE-MI (paper, sections 2 and 3)."""
    settings = read_settings(files[SETTINGS].path) if SETTINGS in files else Settings()
    corpora = {name: files[found].path for name in CORPORA if (found := _corpus(name, files))}
    if not corpora and settings.experts:
        problem, expected = (
            "there is no corpus to look evidence up in",
            f"{' and '.join(CORPORA)}, one paragraph a line",
        )
        advice = (
            f"give two corpora, or do without experts and models: --source {SETTINGS}=SETTINGS.toml, a file of the "
            "lines experts = false and rules_only = true"
        )
        raise MedzhError(problem, field="--source", expected=expected, advice=advice)
    read = {name: read_corpus(path) for name, path in corpora.items()}
    topic = choose_topic(files)
    sampled = sample(files, topic, settings, seed, rounds)
    if not sampled.samples:
        raise _nothing(files, sampled)
    retrieval = Retrieval(settings.query, settings.stop_words)
    paragraphs = {name: corpus.paragraphs for name, corpus in read.items()}
    evidence = searched(rounds.folder, sampled.samples, paragraphs, retrieval)
    kept, shown, tables, notes = _judged(sampled.samples, evidence, settings, rounds)
    if not kept:
        problem, found = "the experts kept no sample", f"{len(sampled.samples):,} samples, none of them kept"
        raise MedzhError(problem, field="experts", expected="samples that the rule keeps", found=found)
    records = [_record(one, shown[one.key]) for one in kept]
    return Built(
        {"test": records},
        notes=(
            f"words of the topic: {len(topic.words):,}, {topic.name}",
            *account_notes(files, sampled, settings),
            *corpus_notes(read),
            *retrieval_notes(evidence, read, retrieval),
            *notes,
            *changed(settings),
        ),
        tables=(*account_tables(sampled, settings), *tables),
        left_out=tuple(PINNED[name] for name in CORPORA if name in files and PINNED[name] in files),
    )


def _corpus(name: str, files: Mapping[str, SourceFile]) -> str:
    return next((one for one in (name, PINNED[name]) if one in files), "")


def _judged(
    samples: Sequence[Sample], evidence: Mapping[str, tuple[Evidence, ...]], settings: Settings, rounds: Rounds
) -> tuple[Sequence[Sample], Mapping[str, Sequence[Evidence]], tuple[BuildTable, ...], tuple[str, ...]]:
    if not settings.experts:
        note = "no expert looked at these samples: statements may be wrong, and evidence beside the point"
        return samples, evidence, (), (note,)
    reviewed = review(samples, evidence, rounds, Rule(settings.rule, settings.evidence, settings.negatives))
    return reviewed.kept, reviewed.evidence, reviewed.tables, reviewed.notes


def _record(one: Sample, evidence: Sequence[Evidence]) -> Record:
    return record_of(one, evidence=evidence, recipe=RECIPE)


def _nothing(files: Mapping[str, SourceFile], sampled: Sampled) -> MedzhError:
    file = next((files[name].path for name in BANKS if name in files), None)
    read = sum(one.total for one in sampled.sources.values())
    stated = len(sampled.statements.statements)
    found = f"{read:,} rows, {stated:,} true statements, no question with both statements"
    return MedzhError("no sample can be made", file=file, expected="triples or questions on the topic", found=found)
