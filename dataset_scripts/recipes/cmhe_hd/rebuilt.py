"""CMHE-HD's `rebuilt` recipe: cMedQA2 and CMD to dialogues, as in the paper's section 3.1."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.cmhe_hd import cmedqa2
from dataset_scripts.recipes.cmhe_hd import generated as cmd
from dataset_scripts.recipes.cmhe_hd.generated import generate, rating_table
from dataset_scripts.recipes.cmhe_hd.records import record_of
from dataset_scripts.recipes.cmhe_hd.rules_only import BANKS, make_by_rule, records_by_rule, tables_by_rule
from dataset_scripts.recipes.cmhe_hd.settings import HIGHEST_RATING, LOWEST_RATING, Settings, changed, read_settings
from dataset_scripts.recipes.cmhe_hd.tampered import check_table, edits_of, tamper
from dataset_scripts.rounds.pending import both
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record, SourceFile
    from dataset_scripts.recipes.cmhe_hd.cmedqa2 import Pair
    from dataset_scripts.recipes.cmhe_hd.generated import Generated
    from dataset_scripts.recipes.cmhe_hd.tampered import Tampered
    from dataset_scripts.rounds.rounds import Rounds

RECIPE = "rebuilt"
SETTINGS = "cmhe_hd-settings"
DIALOGUES = (cmedqa2.QUESTIONS, cmedqa2.ANSWERS, *cmedqa2.CANDIDATES, *cmd.SOURCES)
SOURCES = (*DIALOGUES, *BANKS, SETTINGS)
NEVER_ALONE = (*cmedqa2.CANDIDATES, SETTINGS)
_OURS = Settings()
# Unless the user brings settings; those are noted.
PARAMETERS: dict[str, int | str] = {
    "correct, generated and tampered dialogues at most": f"{_OURS.correct:,}, {_OURS.generated} and {_OURS.tampered}",
    "questions of CMD that a model answers": _OURS.questions,
    "people who rate a generated answer, at least": _OURS.raters,
    "highest mean rating of what is kept": f"{_OURS.rating:g}, of {LOWEST_RATING} to {HIGHEST_RATING}",
    "true answers that a model tampers with": _OURS.answers,
    "people who must all confirm a tampered answer, at least": _OURS.confirmers,
}
PAPER = "the paper"


def rebuild(files: Mapping[str, SourceFile], seed: int, rounds: Rounds) -> Built:
    """Rebuild CMHE-HD (paper, section 3.1).

    Of cMedQA2 pairs are drawn that stay as they are, and others that a model tampers with; of CMD questions are drawn
    that a model answers. A partition whose source is not there is left out.
    """
    settings = read_settings(files[SETTINGS].path) if SETTINGS in files else Settings()
    return _by_rule(files, seed, settings) if settings.rules_only else _by_asking(files, seed, rounds, settings)


def _by_rule(files: Mapping[str, SourceFile], seed: int, settings: Settings) -> Built:
    made = make_by_rule(files, seed, settings)
    if not made.correct:
        found = ", ".join(name for name in files if name != SETTINGS)
        raise MedzhError("rules_only makes no dialogue", field="--source", expected=" or ".join(BANKS), found=found)
    unread = tuple(name for name in DIALOGUES if name in files)
    records = list(records_by_rule(made, RECIPE))
    notes = ("rules_only: what makes an answer false is the key of its question", *changed(settings))
    return Built({"test": records}, notes, tuple(tables_by_rule(made)), unread)


def _by_asking(files: Mapping[str, SourceFile], seed: int, rounds: Rounds, settings: Settings) -> Built:
    pairs, left_out = _pairs(files)
    correct, true = cmedqa2.draw_pairs(pairs, seed, settings.correct, settings.answers)
    generated, tampered = both(
        lambda: generate(files, seed, rounds, settings),
        lambda: tamper(true, rounds, settings),
    )
    records = [*_correct(correct), *_generated(generated), *_tampered(tampered)]
    if not records:
        file = next((file.path for name, file in files.items() if name in DIALOGUES), None)
        expected, found = "pairs, or answers that are kept", _reasons(left_out + generated.left_out) or "no rows"
        raise MedzhError("no dialogue can be made", file=file, expected=expected, found=found)
    notes = (*_notes(files, left_out, generated), *changed(settings))
    unread = tuple(name for name in BANKS if name in files)
    tables = tuple(_tables(files, pairs, correct, generated, tampered))
    return Built({"test": records}, notes=notes, tables=tables, left_out=unread)


def _pairs(files: Mapping[str, SourceFile]) -> tuple[list[Pair], Counter[str]]:
    if files.keys() & {cmedqa2.QUESTIONS, cmedqa2.ANSWERS, *cmedqa2.CANDIDATES}:
        return cmedqa2.read_pairs(files)
    return [], Counter()


def _correct(pairs: Sequence[Pair]) -> Iterator[Record]:
    for pair in pairs:
        yield record_of(
            question=pair.question,
            response=pair.answer,
            partition="correct",
            source=cmedqa2.ANSWERS,
            recipe=RECIPE,
            upstream_key=pair.key,
        )


def _generated(made: Generated) -> Iterator[Record]:
    for one in made.kept:
        yield record_of(
            question=one.text,
            response=made.answers[one],
            partition="generated",
            source=one.source,
            recipe=RECIPE,
        )


def _tampered(made: Tampered) -> Iterator[Record]:
    for pair, one in made.kept.items():
        yield record_of(
            question=pair.question,
            response=one.sentence,
            partition="tampered",
            edits=edits_of(one),
            source=cmedqa2.ANSWERS,
            recipe=RECIPE,
            upstream_key=pair.key,
        )


def _tables(
    files: Mapping[str, SourceFile],
    pairs: Sequence[Pair],
    correct: Sequence[Pair],
    generated: Generated,
    tampered: Tampered,
) -> Iterator[BuildTable]:
    paper = asdict(_OURS)
    rows: list[tuple[str | int, ...]] = [
        ("correct", "pairs of cMedQA2 that can be drawn", "203,569 answers", len(pairs)),
        ("correct", "drawn and kept", paper["correct"], len(correct)),
        ("generated", "questions of CMD that can be drawn", "792,099 rows", generated.found),
        ("generated", "drawn", paper["questions"], generated.drawn),
        ("generated", "answered", "not stated", len(generated.answers)),
        ("generated", "rated by enough people", "not stated", len(generated.ratings)),
        ("generated", "kept", paper["generated"], len(generated.kept)),
        ("tampered", "true answers drawn, of other questions than the correct ones", "not stated", tampered.drawn),
        ("tampered", "responses that were read", "not stated", len(tampered.made)),
        ("tampered", "responses that pass every check", "not stated", tampered.passed),
        ("tampered", "looked at by enough people", "not stated", tampered.looked_at),
        ("tampered", "confirmed by all of them", "not stated", tampered.confirmed),
        ("tampered", "kept", paper["tampered"], len(tampered.kept)),
    ]
    yield BuildTable("From sources to dialogues", ("partition", "step", PAPER, "here"), tuple(rows))
    if files.keys() & set(cmd.SOURCES):
        yield rating_table(generated)
    if cmedqa2.ANSWERS in files:
        yield check_table(tampered)


def _notes(files: Mapping[str, SourceFile], left_out: Counter[str], generated: Generated) -> Iterator[str]:
    if cmedqa2.ANSWERS not in files:
        yield "cMedQA2 was not given: there are no correct and no tampered dialogues"
    if not files.keys() & set(cmd.SOURCES):
        yield "CMD was not given: there are no generated dialogues"
    candidates = [name for name in cmedqa2.CANDIDATES if name in files]
    if candidates:
        yield f"pairs of cMedQA2 are those that {', '.join(candidates)} call right"
    for whose, counts in (("cMedQA2", left_out), ("CMD", generated.left_out)):
        if counts:
            yield f"{whose}: {_reasons(counts)} were left out"
    yield "that the answers of cMedQA2 are right is the paper's assumption: nobody checked them"


def _reasons(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {reason}" for reason, count in sorted(counts.items()))
