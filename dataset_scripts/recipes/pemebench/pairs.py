"""The questions and answers that a model makes of text blocks, each with what the paper's rules find in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dataset_scripts.recipes.pemebench.generation import (
    ANSWER,
    EXAMPLES,
    FEW_SHOT,
    ZERO_SHOT,
    ask_answer,
    ask_pairs,
    ask_questions,
    read_pairs,
    read_questions,
    read_written_answer,
)
from dataset_scripts.recipes.pemebench.records import content_id
from dataset_scripts.recipes.pemebench.sifting import Pair, sift, sift_question
from dataset_scripts.rounds.pending import both

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipes.pemebench.blocks import Block
    from dataset_scripts.recipes.pemebench.sifting import Finding
    from dataset_scripts.rounds.rounds import Rounds

KEPT = "kept"
UNANSWERED = "not answered"
REPEATED = "repeated"
IN_DOUBT = ""  # until a person has looked

FewShot = tuple[str, str, str]  # block, template, question


@dataclass(frozen=True)
class Judged:
    """A pair, and what becomes of it."""

    pair: Pair  # of a question that was not answered its answer is empty
    findings: tuple[Finding, ...]  # the rules that fire
    fate: str  # kept, or why it is not; empty while a person has to look


def make_pairs(blocks: Sequence[Block], seed: int, rounds: Rounds) -> list[Judged]:
    """Have a model make pairs of blocks, and hold them against the rules: zero-shot pairs first, then few-shot.

    A question that a rule drops is not sent out for its answer. Of equal questions in a department one passes; of those
    in doubt several may stand until a person has looked.
    """
    by_id = {block.id: block for block in blocks}
    zero_shot, few_shot = both(
        lambda: rounds.ask(
            "zero-shot",
            {block.id: ask_pairs(block) for block in blocks},
            prompt=ZERO_SHOT.name,
            read=lambda text, _: read_pairs(text),
        ),
        lambda: _few_shot(by_id, seed, rounds),
    )
    judged = [
        _judged(Pair(by_id[block], "zero-shot", made.question, made.answer))
        for block, found in zero_shot.items()
        for made in found
    ]
    return once([*judged, *few_shot])


def _few_shot(by_id: Mapping[str, Block], seed: int, rounds: Rounds) -> list[Judged]:
    """Ask for questions, and then each of them that no rule drops for its answer."""
    questions = rounds.ask(
        "few-shot-questions",
        {(name, kind): ask_questions(block, kind, seed) for name, block in by_id.items() for kind in block.section.ask},
        prompt=FEW_SHOT.name,
        shots=EXAMPLES,
        read=lambda text, _: read_questions(text),
    )
    judged: dict[FewShot, Judged] = {}
    for (block, kind), found in questions.items():
        for question in found:
            findings = tuple(sift_question(question, by_id[block]))
            judged[block, kind, question] = Judged(Pair(by_id[block], kind, question, ""), findings, _fate(findings))
    asked = [key for key, one in judged.items() if one.fate in {KEPT, IN_DOUBT}]
    answers = rounds.ask(
        "few-shot-answers",
        {(block, kind, question): ask_answer(by_id[block], question) for block, kind, question in asked},
        prompt=ANSWER.name,
        read=lambda text, _: read_written_answer(text),
    )
    for key in asked:
        if key in answers:
            judged[key] = _judged(replace(judged[key].pair, answer=answers[key]))
        else:
            judged[key] = replace(judged[key], fate=UNANSWERED)
    return list(judged.values())


def _judged(pair: Pair) -> Judged:
    findings = tuple(sift(pair))
    return Judged(pair, findings, _fate(findings))


def _fate(findings: Sequence[Finding]) -> str:
    """Give the first rule that drops it; else it is in doubt where another fires."""
    dropping = next((finding.name for finding in findings if finding.drops), None)
    return dropping or (IN_DOUBT if findings else KEPT)


def once(judged: Sequence[Judged]) -> list[Judged]:
    """Leave of equal questions in a department one, the first that passes; the others have the fate ``repeated``.

    Of those in doubt all stay but the ones of which another passes, and the ones that are the same in text and answer:
    of two equal questions a person may turn down the first. Once nothing is in doubt, this is done again.
    """
    passed = [_asked(one.pair) if one.fate == KEPT else "" for one in judged]
    kept = set(passed)
    seen: set[tuple[str, ...]] = set()
    left = []
    for one, name in zip(judged, passed, strict=True):
        asked = name or _asked(one.pair)
        same = (asked,) if one.fate == KEPT else (asked, one.pair.block.id, one.pair.question, one.pair.answer)
        again = same in seen or (one.fate == IN_DOUBT and asked in kept)
        left.append(replace(one, fate=REPEATED) if again and one.fate in {KEPT, IN_DOUBT} else one)
        if one.fate in {KEPT, IN_DOUBT}:
            seen.add(same)
    return left


def _asked(pair: Pair) -> str:
    return content_id(pair.block.department, pair.question)
