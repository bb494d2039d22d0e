"""CMHE-HD rebuilt by rules alone: true statements of examination questions, and others with one change."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.banks.choice_questions import APOLLO, APOLLO_BANKS, CMEXAM, read_apollo, settle
from dataset_scripts.recipes.banks.cmexam_rows import ABSENT, SEPARATOR, csv_rows, sheet_rows
from dataset_scripts.recipes.banks.likeness import Seen
from dataset_scripts.recipes.banks.options import from_texts
from dataset_scripts.recipes.cmhe_hd.claims import Claim, claim_of
from dataset_scripts.recipes.cmhe_hd.exchanges import RULES, exchange, halves
from dataset_scripts.recipes.cmhe_hd.records import EDIT, record_of
from medzh_score.benchmark.draws import draw_first
from medzh_score.configs.cmhe_hd.words import BY_RULE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from dataset_scripts.recipe import Record, SourceFile
    from dataset_scripts.recipes.banks.questions import Question
    from dataset_scripts.recipes.cmhe_hd.exchanges import Exchange
    from dataset_scripts.recipes.cmhe_hd.settings import Settings

BANKS = (APOLLO, *CMEXAM)
REPEATED = "asks what another asks"


@dataclass(frozen=True)
class ByRule:
    """What rules made."""

    correct: tuple[Claim, ...]
    tampered: tuple[tuple[Claim, Exchange], ...]
    fates: Mapping[tuple[str, str], int]  # of the questions of each source: what became of them


def make_by_rule(files: Mapping[str, SourceFile], seed: int, settings: Settings) -> ByRule:
    """Draw claims, of which half are stated as they are, and half so that one change makes them false."""
    claims: list[Claim] = []
    seen = Seen()
    fates: Counter[tuple[str, str]] = Counter()
    for name in (name for name in BANKS if name in files):
        for number, (question, explanation) in enumerate(_questions(name, files[name].path), start=1):
            found = question if isinstance(question, str) else claim_of(question, f"{name}/{number}", explanation)
            twice = isinstance(found, Claim) and seen.is_like_one(found.question, found.right)
            fates[name, REPEATED if twice else found if isinstance(found, str) else "a claim"] += 1
            if isinstance(found, Claim) and not twice:
                seen.add(found.question, found.right)
                claims.append(found)
    drawn = draw_first(claims, lambda claim: claim.key, len(claims), seed)
    true, false = halves(drawn)
    true, false = true[: settings.correct], false[: settings.tampered]
    return ByRule(tuple(true), tuple((claim, exchange(claim, seed)) for claim in false), fates)


def _questions(name: str, path: Path) -> Iterator[tuple[Question | str, str]]:
    """Read a bank, each question with its explanation, which Apollo has not."""
    if name == APOLLO:
        for bank in APOLLO_BANKS:
            yield from ((question, "") for question in read_apollo(name, path, bank))
        return
    for cells in (sheet_rows if name.endswith("xlsx") else csv_rows)(path):
        answer, why = ("" if cells[column] == ABSENT else cells[column] for column in ("Answer", "Explanation"))
        yield settle(name, cells["Question"], from_texts(SEPARATOR.split(cells["Options"])), answer), why


def records_by_rule(made: ByRule, recipe: str) -> Iterator[Record]:
    """Make the records."""
    for claim in made.correct:
        yield record_of(
            question=claim.question,
            response=claim.answer,
            partition="correct",
            source=claim.source,
            recipe=recipe,
            upstream_key=claim.key,
        )
    for claim, change in made.tampered:
        yield record_of(
            question=claim.question,
            response=change.response,
            partition=BY_RULE,
            edits=[EDIT.format(change.point, change.replacement)],
            rule=change.rule,
            source=claim.source,
            recipe=recipe,
            upstream_key=claim.key,
        )


def tables_by_rule(made: ByRule) -> Iterator[BuildTable]:
    """Count what became of the questions, and which rules changed which kinds of answers."""
    rows = tuple((source, fate, count) for (source, fate), count in sorted(made.fates.items()))
    yield BuildTable("Questions of the sources", ("source", "what became of them", "number"), rows)
    rules = Counter(change.rule for _, change in made.tampered)
    yield BuildTable(
        "Answers that a rule tampered with, one change each",
        ("rule", "what it exchanges", "answers"),
        tuple((name, meaning, rules[name]) for name, meaning in RULES.items()),
    )
    kinds = [Counter(claim.kind for claim in made.correct), Counter(claim.kind for claim, _ in made.tampered)]
    yield BuildTable(
        "What questions ask for",
        ("kind", "correct", BY_RULE),
        tuple((kind, *(count[kind] for count in kinds)) for kind in sorted(kinds[0] | kinds[1])),
    )
