"""CMHE-HD's tampered answers: true ones that a model alters, checked by rules and confirmed by people (section 3.1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.asking import ask
from dataset_scripts.recipes.cmhe_hd.records import EDIT
from dataset_scripts.recipes.cmhe_hd.tampering import CHECKS, PAPER_1, failed_checks, read_tampering

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipes.cmhe_hd.cmedqa2 import Pair
    from dataset_scripts.recipes.cmhe_hd.settings import Settings
    from dataset_scripts.recipes.cmhe_hd.tampering import Tampering
    from dataset_scripts.rounds.rounds import Rounds

COLUMN = "hallucinated"
YES, NO = "yes", "no"


@dataclass(frozen=True)
class Tampered:
    """What became of the answers that a model was asked to tamper with."""

    drawn: int  # those that were sent
    made: Mapping[Pair, Tampering]  # what came back
    failed: Mapping[Pair, list[str]]  # the checks that each response fails; empty for those that pass
    looked_at: int  # by enough people
    confirmed: int  # called hallucinated by all of these
    kept: Mapping[Pair, Tampering]  # the first of the confirmed ones, in the order of the draw

    @property
    def passed(self) -> int:
        """How many responses pass every check."""
        return sum(not names for names in self.failed.values())


def tamper(pairs: Sequence[Pair], rounds: Rounds, settings: Settings) -> Tampered:
    """Have a model tamper with true answers, and people confirm what it made."""
    made = rounds.ask(
        "tampering",
        {pair: ask(PAPER_1, answer=pair.answer) for pair in pairs},
        prompt=PAPER_1.name,
        read=lambda text, _: read_tampering(text),
    )
    failed = {pair: failed_checks(one, pair.answer) for pair, one in made.items()}
    rows = {pair: _row(pair, one) for pair, one in made.items() if not failed[pair]}
    decided = rounds.ratings("confirmation", rows, {COLUMN: (YES, NO)}, raters=settings.confirmers)
    confirmed = [
        pair for pair, by_rater in decided.items() if all(decision[COLUMN] == YES for decision in by_rater.values())
    ]
    kept = {pair: made[pair] for pair in confirmed[: settings.tampered]}
    return Tampered(len(pairs), made, failed, len(decided), len(confirmed), kept)


def edits_of(made: Tampering) -> list[str]:
    """Write the points as a record has them."""
    return [EDIT.format(point, replacement) for point, replacement in made.points]


def _row(pair: Pair, made: Tampering) -> dict[str, str]:
    return {
        "question": pair.question,
        "true_answer": pair.answer,
        "tampered_answer": made.sentence,
        "edits": "\n".join(edits_of(made)),
    }


def check_table(made: Tampered) -> BuildTable:
    """Count the checks that responses fail; a response may fail several."""
    counts = Counter(name for names in made.failed.values() for name in names)
    rows = [(name, meaning, counts[name]) for name, meaning in CHECKS.items()]
    return BuildTable(
        title="Checks of tampered answers, each for all responses",
        columns=("check", "what it finds", "responses"),
        rows=(*rows, ("none of them", "the response goes on to people", made.passed)),
    )
