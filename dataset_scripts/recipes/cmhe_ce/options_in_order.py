"""CMHE-CE's questions with their options: in which order these stand, so that each letter is right equally often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipes.cmhe_ce.questions import CLASSES, QUESTIONS, question_on
from dataset_scripts.recipes.cmhe_ce.records import record_of
from medzh_score.benchmark.draws import draw_first
from medzh_score.configs.cmhe_ce.words import LETTERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import Record
    from dataset_scripts.recipes.cmhe_ce.concepts import Concept
    from dataset_scripts.recipes.cmhe_ce.options import Chosen

    ConceptAspect = tuple[Concept, str]


def question_records(
    concepts: Sequence[Concept], chosen: Mapping[str, Chosen], *, seed: int, source: str, recipe: str
) -> list[Record]:
    """Make the questions of concepts in any order; those without options are passed over."""
    letters = balanced([one for one in concepts if one.identifier in chosen], seed)
    return [
        record_of(_fields(concept, aspect, chosen[concept.identifier], letter, seed), source=source, recipe=recipe)
        for (concept, aspect), letter in letters.items()
    ]


def balanced(concepts: Sequence[Concept], seed: int) -> dict[ConceptAspect, str]:
    """Give each question the letter that is right.

    Letters in turn over the questions of each class and aspect, drawn into an order: over all of them and over each
    aspect no letter is right more than once more often than another.
    """
    every = [
        [(one, aspect) for one in concepts if one.kind.name == name] for name in CLASSES for aspect in QUESTIONS[name]
    ]
    drawn = [draw_first(own, lambda pair: f"{pair[0].identifier}:{pair[1]}", len(own), seed) for own in every]
    ordered = [pair for own in drawn for pair in own]
    return {pair: LETTERS[number % len(LETTERS)] for number, pair in enumerate(ordered)}


def _fields(concept: Concept, aspect: str, chosen: Chosen, letter: str, seed: int) -> dict[str, object]:
    others = [*chosen.near, chosen.far]
    key = f"{concept.identifier}:{aspect}"
    options = draw_first(others, lambda other: f"{key}:{other.identifier}", len(others), seed)
    options.insert(LETTERS.index(letter), concept)
    return {
        "concept_id": concept.identifier,
        "concept": concept.name,
        "concept_en": concept.english,
        "aliases": concept.aliases,
        "concept_class": concept.kind.name,
        "aspect": aspect,
        "question": question_on(concept.name, concept.kind.name, aspect),
        "options": [other.name for other in options],
        "answer": letter,
        "distances": [chosen.distances.get(other.identifier, 0) for other in options],
        "options_mode": "paper",
        "widened": chosen.widened,
        "tree_numbers": concept.numbers,
        "scope_note": concept.scope_note,
        "upstream_key": concept.identifier,
    }
