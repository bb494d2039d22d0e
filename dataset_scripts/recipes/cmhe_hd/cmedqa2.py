"""The pairs of cMedQA2: true answers, of which some stay as they are and others are tampered with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.cmhe_hd.csv_tables import read_table
from medzh_score.benchmark.draws import draw_first
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import SourceFile

QUESTIONS, ANSWERS = "cmedqa2-questions", "cmedqa2-answers"
CANDIDATES = ("cmedqa2-train", "cmedqa2-dev", "cmedqa2-test")
ENCODING = "utf-8"
BLANK = "rows without a text"
TWICE = "rows with a number that stood before"
UNASKED = "answers to a question that is not there"


@dataclass(frozen=True)
class Pair:
    """A question with one of its answers."""

    key: str  # the numbers of question and answer in cMedQA2, 123/456
    question: str
    answer: str


def read_pairs(files: Mapping[str, SourceFile]) -> tuple[list[Pair], Counter[str]]:
    """Read the pairs in the order of the answers, and count the rows left out, by reason.

    Where there are files of candidates, only pairs that one of them calls right are read.
    """
    for one, other in ((QUESTIONS, ANSWERS), (ANSWERS, QUESTIONS)):
        if one not in files:
            advice = f"give the file with --source {one}=FILE, or leave out {other}"
            raise MedzhError(f"{other} is of no use without {one}", field="--source", advice=advice)
    asked = read_table(files[QUESTIONS].path, ("question_id", "content"), ENCODING)
    answered = read_table(files[ANSWERS].path, ("ans_id", "question_id", "content"), ENCODING)
    if "ans_id" in asked.header:
        found = ", ".join(asked.header)
        raise MedzhError("holds answers, not questions", file=files[QUESTIONS].path, field="ans_id", found=found)
    left_out = asked.left_out + answered.left_out
    questions: dict[str, str] = {}
    for row in asked.rows:
        left_out[TWICE] += row["question_id"] in questions
        questions.setdefault(row["question_id"], row["content"])
    wanted = _called_right([files[name].path for name in CANDIDATES if name in files])
    pairs: dict[str, Pair] = {}
    for row in answered.rows:
        number, question = row["ans_id"], questions.get(row["question_id"])
        reason = _unusable(question, row, known=number in pairs)
        if reason or question is None:
            left_out[reason] += 1
        else:
            pairs[number] = Pair(f"{row['question_id']}/{number}", question, row["content"])
    kept = [pair for pair in pairs.values() if wanted is None or pair.key in wanted]
    if not kept:
        expected = "answers to the questions of the other file"
        found = f"{len(pairs):,} pairs, of which the candidates call none right" if pairs else "none that can be used"
        raise MedzhError("gives no pair", file=files[ANSWERS].path, expected=expected, found=found)
    return kept, +left_out


def _unusable(question: str | None, row: Mapping[str, str], *, known: bool) -> str:
    if known:
        return TWICE
    if question is None:
        return UNASKED
    return "" if question and row["content"] else BLANK


def _called_right(paths: Sequence[Path]) -> set[str] | None:
    """Give the keys of right pairs; None without files, for then all answers to a question are right."""
    if not paths:
        return None
    keys = set()
    for path in paths:
        table = read_table(path, ("question_id",), ENCODING)
        if "pos_ans_id" in table.header:  # of the training part
            keys |= {f"{row['question_id']}/{row['pos_ans_id']}" for row in table.rows}
        elif {"ans_id", "label"} <= set(table.header):
            keys |= {f"{row['question_id']}/{row['ans_id']}" for row in table.rows if row["label"] == "1"}
        else:
            expected, found = "pos_ans_id, or ans_id and label", ", ".join(table.header)
            raise MedzhError("holds no candidates", file=path, line=1, expected=expected, found=found)
    return keys


def draw_pairs(pairs: Sequence[Pair], seed: int, *sizes: int) -> list[list[Pair]]:
    """Draw several samples, of which none shares a question with another or with itself.

    Of a question one answer alone is drawn; a size is the most that a sample has.
    """
    once: dict[str, Pair] = {}
    for pair in draw_first(pairs, lambda pair: f"cmedqa2/{pair.key}", len(pairs), seed):
        once.setdefault(fold(pair.question), pair)
    left = list(once.values())
    samples = []
    for size in sizes:
        samples.append(left[:size])
        left = left[size:]
    return samples
