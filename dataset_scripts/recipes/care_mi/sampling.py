"""Steps 1 to 4 of CARE-MI's rebuilt recipe in their order: from sources to samples (paper, sections 2 and 3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from dataset_scripts.recipes.care_mi.exams import read_exams
from dataset_scripts.recipes.care_mi.false_statements import deny, replace_answers
from dataset_scripts.recipes.care_mi.questions import ask_open, ask_tf
from dataset_scripts.recipes.care_mi.records import content_id, stopped
from dataset_scripts.recipes.care_mi.samples import Sample
from dataset_scripts.recipes.care_mi.triples import (
    BIOS_FILES,
    BIOS_LABEL,
    CPUBMED,
    CPUBMED_LABEL,
    Found,
    read_bios,
    read_cpubmed,
)
from dataset_scripts.recipes.care_mi.true_statements import Stated, state_exams, state_triples
from dataset_scripts.rounds.pending import both

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.recipes.care_mi.exams import Exams
    from dataset_scripts.recipes.care_mi.false_statements import Falsified
    from dataset_scripts.recipes.care_mi.questions import Questions
    from dataset_scripts.recipes.care_mi.settings import Settings
    from dataset_scripts.recipes.care_mi.topics import Topic
    from dataset_scripts.recipes.care_mi.true_statements import Statement
    from dataset_scripts.rounds.rounds import Rounds

NEGATION, REPLACEMENT = "negation", "replacement"
TF, OPEN = "tf", "open"
NO_FALSE = "no false statement"
TWICE = "the same question stands before"


@dataclass(frozen=True)
class Sampled:
    """What the first four steps gave."""

    triples: Mapping[str, Found]
    exams: Mapping[str, Exams]
    statements: Stated  # step 2
    denied: Falsified  # step 3, as is replaced
    replaced: Falsified
    tf: Questions  # step 4, as is open
    open: Questions
    samples: tuple[Sample, ...] = ()  # each question once
    # questions that are no sample, by source, type and reason
    lost: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    @property
    def sources(self) -> dict[str, Found | Exams]:
        """Triples and questions of step 1, by source."""
        return {**self.triples, **self.exams}


def sample(files: Mapping[str, SourceFile], topic: Topic, settings: Settings, seed: int, rounds: Rounds) -> Sampled:
    """Make samples.

    What each step made is kept beside the stages: ``step-1-topic.jsonl`` to ``step-4-questions.jsonl``.
    """
    triples = _triples(files, topic, settings)
    exams = read_exams(files, topic, settings)
    kept = [triple for found in triples.values() for triple in found.triples]
    questions = [exam for found in exams.values() for exam in found.kept]
    rounds.keep("step-1-topic", [*map(asdict, kept), *map(asdict, questions)])
    by_wording = state_triples(kept)
    joined = state_exams(questions, rounds, rules_only=settings.rules_only)
    stated = Stated([*by_wording.statements, *joined.statements], by_wording.left_out + joined.left_out)
    rounds.keep("step-2-true-statements", (asdict(one) for one in stated.statements))
    denied, tf = both(
        partial(deny, stated.statements, rounds, rules_only=settings.rules_only),
        partial(ask_tf, stated.statements, rounds, rules_only=settings.rules_only),
    )
    replaced, opened = replace_answers(stated.statements, seed), ask_open(stated.statements)
    made = Sampled(triples, exams, stated, denied, replaced, tf, opened)
    rounds.keep("step-3-false-statements", _false_rows(made))
    samples = tuple(_samples(made))
    rounds.keep("step-4-questions", (asdict(one) for one in samples))
    return Sampled(triples, exams, stated, denied, replaced, tf, opened, samples, made.lost)


def _triples(files: Mapping[str, SourceFile], topic: Topic, settings: Settings) -> dict[str, Found]:
    found: dict[str, Found] = {}
    if BIOS_LABEL in settings.sources and files.keys() & set(BIOS_FILES):
        found[BIOS_LABEL] = read_bios(files, topic)
    if CPUBMED_LABEL in settings.sources and CPUBMED in files:
        found[CPUBMED_LABEL] = read_cpubmed(files[CPUBMED].path, topic)
    return found


def _false_rows(made: Sampled) -> Iterator[Mapping[str, str]]:
    for method, falsified in ((NEGATION, made.denied), (REPLACEMENT, made.replaced)):
        for one, (text, rule) in falsified.texts.items():
            yield {"key": one.key, "true": one.text, "false": text, "method": method, "rule": rule}


def _samples(made: Sampled) -> Iterator[Sample]:
    """Pair each question with the false statement of its type: negation with tf, replacement with open."""
    seen: set[str] = set()
    for kind, asked, method, falsified in (
        (TF, made.tf, NEGATION, made.denied),
        (OPEN, made.open, REPLACEMENT, made.replaced),
    ):
        for one, (question, rule) in asked.texts.items():
            if one not in falsified.texts:
                made.lost[one.source, kind, NO_FALSE] += 1
                continue
            sampled = _sample(one, kind, question, method, (*falsified.texts[one], rule))
            if sampled.key in seen:
                made.lost[one.source, kind, TWICE] += 1
            else:
                seen.add(sampled.key)
                yield sampled


def _sample(one: Statement, kind: str, question: str, method: str, made: Sequence[str]) -> Sample:
    false_text, falsified_by, asked_by = made
    true, false = stopped(one.text)[0], stopped(false_text)[0]
    return Sample(
        key=content_id(question, true),
        source=one.source,
        type=kind,
        context=one.context,
        question=question,
        true_statement=true,
        false_statement=false,
        false_method=method,
        rules=(*one.rules, falsified_by, asked_by),
        upstream_key=one.key,
    )
