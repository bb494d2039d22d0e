"""Step 3 of CARE-MI's rebuilt recipe: false statements, by negation and by a wrong option (paper, section 3)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataset_scripts.recipes.asking import ask
from dataset_scripts.recipes.care_mi.asking import DECODING, NEGATION, SHOTS, read_negation
from dataset_scripts.recipes.care_mi.negation import negate
from dataset_scripts.recipes.care_mi.true_statements import NEEDS_MODEL, NOT_ANSWERED
from medzh_score.benchmark.draws import draw_first
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipes.care_mi.true_statements import Statement
    from dataset_scripts.rounds.rounds import Rounds

STAGE = "negations"
BY_MODEL = "negation-model"
REPLACED = "replacement-drawn"
# What is counted or measured: an option in another unit, or in none, is false of itself.
UNIT = re.compile(
    r"(?<=[0-9一二三四五六七八九十半两])\s?(?:[A-Za-zμµ%％‰℃]+|个?月|[岁周天日年次张万克分]|小时|毫[升克])"
)
NO_ANSWER, NO_WRONG, SAME = (
    "the answer does not stand in the statement",
    "no wrong option says something alone and in the unit of the answer",
    "the wrong option makes the same statement",
)


@dataclass
class Falsified:
    """False statements of one kind."""

    # the false statement without a full stop, and the rule that made it
    texts: dict[Statement, tuple[str, str]] = field(default_factory=dict)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)  # by source and reason
    # what the released rules would have denied and ours saw a reason not to, by that reason
    unsafe: Counter[str] = field(default_factory=Counter)


def deny(statements: Sequence[Statement], rounds: Rounds, *, rules_only: bool) -> Falsified:
    """Deny statements: by the wording of their triple, by rule, and the rest by a model."""
    made = Falsified()
    by_rule = {one: _by_rule(one, made.unsafe) for one in statements}
    replies = _asked([one for one, found in by_rule.items() if found is None], rounds) if not rules_only else {}
    for one, found in by_rule.items():
        text, rule = found or (replies.get(one, ""), BY_MODEL)
        if text:
            made.texts[one] = text, rule
        else:
            made.left_out[one.source, NEEDS_MODEL if rules_only else NOT_ANSWERED] += 1
    return made


def _by_rule(one: Statement, unsafe: Counter[str]) -> tuple[str, str] | None:
    if one.negated:
        return one.negated, one.negated_by
    if not one.answer:
        return None  # an unknown relation in which no verb was found
    denied = negate(one.text, one.answer_at if one.answer_at >= 0 else None)
    if denied.text:
        return denied.text, denied.rule
    unsafe[denied.rule] += 1
    return None


def _asked(rest: Sequence[Statement], rounds: Rounds) -> Mapping[Statement, str]:
    def read(text: str, one: Statement) -> str | None:
        return read_negation(text, one.text)

    questions = {one: ask(NEGATION, statement=f"{one.text}。") for one in rest}
    return rounds.ask(STAGE, questions, prompt=NEGATION.name, read=read, shots=SHOTS[NEGATION], decoding=DECODING)


def replace_answers(statements: Sequence[Statement], seed: int) -> Falsified:
    """Put a wrong option in the place of the answer, where it stands for the last time and letter by letter.

    An option is drawn of those that have the answer's units.
    Statements of triples, which have no options, are passed over.
    """
    made = Falsified()
    for one in (one for one in statements if one.answer):
        alike = [option for option in one.wrong if _units(option) == _units(one.answer)]
        drawn = draw_first(alike, lambda option, key=one.key: f"{key}/{fold(option)}", 1, seed)  # type: ignore[misc]
        place = one.answer_at
        if place < 0:
            made.left_out[one.source, NO_ANSWER] += 1
        elif not drawn:
            made.left_out[one.source, NO_WRONG] += 1
        else:
            text = f"{one.text[:place]}{drawn[0]}{one.text[place + len(one.answer) :]}"
            if fold(text) == fold(one.text):
                made.left_out[one.source, SAME] += 1
            else:
                made.texts[one] = text, REPLACED
    return made


def _units(option: str) -> frozenset[str]:
    return frozenset(fold(unit) for unit in UNIT.findall(option))
