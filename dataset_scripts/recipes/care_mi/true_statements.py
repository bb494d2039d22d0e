"""Step 2 of CARE-MI's rebuilt recipe: true statements, by wording, by joining, and by a model (paper, section 3)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataset_scripts.recipes.asking import ask
from dataset_scripts.recipes.care_mi.asking import DECODING, SHOTS, STATEMENT, read_statement
from dataset_scripts.recipes.care_mi.relations import state
from dataset_scripts.recipes.care_mi.stems import speaks_of_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipes.care_mi.exams import Exam
    from dataset_scripts.recipes.care_mi.triples import Triple
    from dataset_scripts.rounds.rounds import Rounds

STAGE = "statements"
# What a stem ends in that is joined with its answer as it stands, by the released code.
JOINED = re.compile("(?:属于|可致|选用|首选|选择|[是为的于])$")
# A stem that asks does not lead to its answer, whatever it ends in: 下列哪项是错误的. A model gets it.
ASKS = re.compile("什么|哪|谁|怎|如何|为何|何[时种处者项]|多少|几[个岁天月周次种]|是否|能否|可否|[吗呢]")
# Behind 的 an answer makes a noun of the stem (与早孕无关的停经), unless it is an amount (占总能量的50%).
AMOUNT = re.compile(r"第?[0-9一二三四五六七八九十百]+[^A-Za-z]*$")
BY_MODEL = "statement-model"
UNKNOWN_RELATION, NEEDS_MODEL, NOT_ANSWERED = "the relation is unknown", "a model is needed", "no answer came back"


@dataclass(frozen=True)
class Statement:
    """A true statement and what it was made of."""

    source: str  # BIOS, CPubMed, MEDQA, MLEC-QA or CMExam
    key: str  # what the source calls the item
    context: str  # the case before it; "" for triples
    text: str  # without a full stop
    answer: str = ""  # the right option; "" for triples
    wrong: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    negated: str = ""  # what its wording gives, and by which rule; "" where none does
    negated_by: str = ""

    @property
    def answer_at(self) -> int:
        """Where the answer stands in the text for the last time; -1 where it does not stand there as it is."""
        return self.text.rfind(self.answer) if self.answer else -1


@dataclass
class Stated:
    """What became of triples and questions."""

    statements: list[Statement] = field(default_factory=list)  # in the order of the items
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)  # by source and reason


def state_triples(triples: Sequence[Triple]) -> Stated:
    """Make statements of triples by the published wordings."""
    made = Stated()
    for triple in triples:
        found = state(triple)
        if found is None:
            made.left_out[triple.label, UNKNOWN_RELATION] += 1
        else:
            made.statements.append(
                Statement(
                    source=triple.label,
                    key=triple.key,
                    context="",
                    text=found.statement,
                    rules=found.rules,
                    negated=found.negated,
                    negated_by=found.negated_by if found.negated else "",
                )
            )
    return made


def join(stem: str, answer: str) -> tuple[str, str] | None:
    """Join what is asked and its answer, where the end of the one leads to the other.

    Gives the statement and the rule; None where a model is needed. The released code joins a stem that asks, too, and
    one that points to its options (下列), and one that ends in 的 whatever the answer is.

    >>> join("最可能的诊断是", "子宫破裂"), join("最恰当的处理", "剖宫产"), join("哪项处理是错误的", "剖宫产")
    (('最可能的诊断是子宫破裂', 'stem-ends-in-是'), None, None)
    """
    found = JOINED.search(stem)
    if not found or ASKS.search(stem) or speaks_of_options(stem):
        return None
    if found.group() == "的" and not AMOUNT.match(answer):
        return None
    return f"{stem}{answer}", f"stem-ends-in-{found.group()}"


def state_exams(exams: Sequence[Exam], rounds: Rounds, *, rules_only: bool) -> Stated:
    """Make statements of examination questions: by joining, and of the rest by a model."""
    joined = {exam: join(exam.stem.text, exam.answer) for exam in exams}
    rest = [exam for exam, found in joined.items() if found is None]

    def read(text: str, exam: Exam) -> str | None:
        return read_statement(text, exam.stem.text, exam.answer)

    questions = {exam: ask(STATEMENT, stem=exam.stem.text, answer=exam.answer) for exam in rest}
    replies: dict[Exam, str] = {}
    if not rules_only:
        shots = SHOTS[STATEMENT]
        replies = rounds.ask(STAGE, questions, prompt=STATEMENT.name, read=read, shots=shots, decoding=DECODING)
    made = Stated()
    for exam, found in joined.items():
        text, rule = found or (replies.get(exam, ""), BY_MODEL)
        if not text:
            made.left_out[exam.label, NEEDS_MODEL if rules_only else NOT_ANSWERED] += 1
            continue
        made.statements.append(
            Statement(exam.label, exam.key, exam.stem.context, text, exam.answer, exam.wrong, (rule,))
        )
    return made
