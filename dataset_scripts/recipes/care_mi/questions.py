"""Step 4 of CARE-MI's rebuilt recipe: questions of both types, where they can be made (paper, section 3)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataset_scripts.recipes.asking import ask
from dataset_scripts.recipes.care_mi.asking import DECODING, SHOTS, TF, read_tf
from dataset_scripts.recipes.care_mi.interrogatives import interrogative, needs_options
from dataset_scripts.recipes.care_mi.true_statements import ASKS, NEEDS_MODEL, NOT_ANSWERED
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipes.care_mi.true_statements import Statement
    from dataset_scripts.rounds.rounds import Rounds

STAGE = "tf-questions"
APPENDED, BY_MODEL = "tf-append-吗", "tf-model"
# A statement that holds one of these cannot be asked about by putting 吗 behind it.
NOT_PLAIN = re.compile(f"{ASKS.pattern}|[?？。！!；;]")
VERB = re.compile("[是为]")
NO_VERB_OF_ITS_OWN = re.compile(
    "是否|但是|于是|还是|或是|可是|凡是|若是|只是|总是|要是"
    "|行为|为主|为了|人为|为宜|为佳|为好|为止|为期|因为|以为|认为|较为|更为|极为|最为|尤为|颇为|为何|为什么"
)
NO_VERB, NO_ANSWER = "no 是 or 为 before the answer", "the answer does not stand in the statement"
IN_A_WORD, LEAKED = "the last 是 or 为 is part of another word", "the question would hold the answer"
UNNAMED = "what is asked for is not named, or one of many"
CHOICE, NOT_WHAT = "the question would need its options", "what follows 是 or 为 is not the answer alone"


@dataclass
class Questions:
    """Questions of one type."""

    # the question with its context, and the rule that made it
    texts: dict[Statement, tuple[str, str]] = field(default_factory=dict)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)  # by source and reason


def ask_tf(statements: Sequence[Statement], rounds: Rounds, *, rules_only: bool) -> Questions:
    """Ask whether statements hold: with 吗 behind them, and by a model where they hold a question already.

    A statement is passed over whose question had a point by its options alone.
    """
    rest = [one for one in statements if NOT_PLAIN.search(one.text)]

    def read(text: str, one: Statement) -> str | None:
        return read_tf(text, one.text)

    replies: dict[Statement, str] = {}
    if not rules_only:
        questions = {one: ask(TF, statement=f"{one.text}。") for one in rest}
        replies = rounds.ask(STAGE, questions, prompt=TF.name, read=read, shots=SHOTS[TF], decoding=DECODING)
    made = Questions()
    needing = set(rest)
    for one in statements:
        if one.answer_at >= 0 and needs_options(one.context, one.text[: one.answer_at]):
            made.left_out[one.source, CHOICE] += 1
            continue
        text, rule = (replies.get(one, ""), BY_MODEL) if one in needing else (f"{one.text}吗？", APPENDED)
        if text:
            made.texts[one] = f"{one.context}{text}", rule
        else:
            made.left_out[one.source, NEEDS_MODEL if rules_only else NOT_ANSWERED] += 1
    return made


def ask_open(statements: Sequence[Statement]) -> Questions:
    """Ask for the answer of examination questions: the statement up to the last 是 or 为, then what its answer is.

    Statements of triples, of which the paper asks no open questions, are passed over.
    """
    made = Questions()
    for one in (one for one in statements if one.answer):
        text, rule = _open(one)
        if text:
            made.texts[one] = text, rule
        else:
            made.left_out[one.source, rule] += 1
    return made


def _open(one: Statement) -> tuple[str, str]:
    if one.answer_at < 0:
        return "", NO_ANSWER
    hits = list(VERB.finditer(one.text, 0, one.answer_at))
    if not hits:
        return "", NO_VERB
    verb = hits[-1]
    asked = one.text[: verb.end()]
    question = interrogative(asked, one.answer, case=bool(one.context))
    reasons = {
        IN_A_WORD: any(
            word.start() < verb.end() and verb.start() < word.end() for word in NO_VERB_OF_ITS_OWN.finditer(one.text)
        ),
        CHOICE: needs_options(one.context, asked),
        NOT_WHAT: verb.end() != one.answer_at,
        LEAKED: fold(one.answer) in fold(f"{one.context}{asked}"),
        UNNAMED: not question,
    }
    why_not = next((reason for reason, holds in reasons.items() if holds), "")
    return ("", why_not) if why_not else (f"{one.context}{question}", f"open-after-{verb.group()}")
