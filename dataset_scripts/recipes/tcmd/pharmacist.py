"""The reader of the TCM pharmacists' examinations: papers of 120 questions, taken from scans by a machine."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from dataset_scripts.recipes.banks.options import from_texts
from dataset_scripts.recipes.tcmd.documents import objects, parse, read_bytes, text, texts
from dataset_scripts.recipes.tcmd.rows import Raw, Reading
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from dataset_scripts.recipes.banks.options import Lettered

# The blueprint of each paper: single questions, shared options, shared cases, several answers.
LAST_SINGLE, LAST_OF_CASES = 40, 110
FIRST_OF_CASES = {True: 91, False: 101}  # whether the paper is the one on practice
SET = 5  # options of a question
MARKED = re.compile(r"\s*(?:[一二三四]、\S*?选择题\s*)?【(\d+)\s*[-~～—]\s*(\d+)】\s*$")
NUMBERED = re.compile(r"第\s*\d+\s*题")
HEADING = re.compile(r"\s*[一二三四]、(?:多项选择题|配伍选择题|综合分析题)\s*$")


@dataclass(frozen=True)
class Printed:
    """A row of a paper."""

    number: int  # in the paper
    question: str  # without headings and marks
    options: Lettered
    following: Lettered  # options of the group behind it, which the scan put here
    answers: tuple[str, ...]  # letters; a group may have all of its letters at its last question
    analysis: str  # the explanation; a group may have one at its last question
    shared: tuple[int, int] | None  # first and last number of the group behind it, where the text marks them


def read_pharmacist(file: Path, *, practice: bool) -> Reading:
    """Read a paper of the TCM pharmacists' examination; in that on practice (综合与技能) cases begin at 91.

    The scan often put the options of a group into the question before the group, and the answers of a group into its
    last question. They are brought back where there is no doubt: where the text marks the group (【41-42】), or where
    options of ten letters (A-E, A-E) begin a chain in which each group has exactly as many answers as questions; and
    where neighbours with the same options have all their letters at the last. What the papers lost stays lost: the
    cases of the questions 91 (101) to 110, options that nobody has, first options cut off. An explanation that speaks
    of questions by their numbers in the paper is left out: it gives the answers of the others in the group.
    """
    printed = [_printed(member, file, pointer) for pointer, member in objects(parse(read_bytes(file), file), file, "")]
    for before, after in pairwise(printed):
        if after.number <= before.number:
            raise MedzhError("the numbers do not rise", file=file, field="number", found=after.number)
    reading = Reading()
    for row in _marked(_chained(_answered_last(printed))):
        if row.number > LAST_OF_CASES:
            reading.dropped["several answers"] += 1
        elif row.number >= FIRST_OF_CASES[practice]:
            reading.dropped["stem lost"] += 1
        else:
            numbered = NUMBERED.search(row.analysis)
            analysis = "" if numbered else row.analysis
            raw = Raw(row.question, row.options, ",".join(row.answers), analysis, str(row.number))
            if reading.add(raw, "B1" if row.number > LAST_SINGLE else None) and numbered:
                reading.unexplained.add(str(row.number))
    return reading


def _printed(member: dict[str, object], file: Path, pointer: str) -> Printed:
    written = text(member, "number", file, pointer, needed=True)
    if not written.isdecimal():
        raise MedzhError("not a number", file=file, field=f"{pointer}/number", expected="a number", found=written)
    question = text(member, "question", file, pointer, needed=True)
    mark = MARKED.search(question)
    lettered = from_texts(texts(member.get("options"), file, f"{pointer}/options"))
    doubled = len(lettered) == 2 * SET and lettered[0][0] == lettered[SET][0] == "A"
    # Behind a mark only one set of options can stand for both: the group's, for it is the nearer.
    own, following = (lettered[:SET], lettered[SET:]) if doubled else ((), lettered) if mark else (lettered, ())
    answer = text(member, "answer", file, pointer).strip()
    return Printed(
        int(written),
        HEADING.sub("", MARKED.sub("", question)),
        own,
        following,
        tuple(re.split(r"[,，\s]+", answer)) if answer else (),
        text(member, "analysis", file, pointer),
        (int(mark[1]), int(mark[2])) if mark else None,
    )


def _answered_last(rows: Sequence[Printed]) -> list[Printed]:
    """Give each of several neighbours with the same options its letter, where the last has all of them."""
    restored = list(rows)
    for last, row in enumerate(rows):
        first = last - len(row.answers) + 1
        run = rows[max(first, 0) : last + 1]
        alike = len(run) > 1 and all(other.options == row.options for other in run) and bool(row.options)
        if alike and _letters(row) and not any(other.answers for other in run[:-1]) and _adjacent(run):
            restored[first : last + 1] = _shared_out(run, row.options)
    return restored


def _chained(rows: Sequence[Printed]) -> list[Printed]:
    """Give the groups behind a question with ten options the sets that stand one question too early."""
    restored = list(rows)
    carried: Lettered = ()
    first = 0
    for place, row in enumerate(rows):
        if not carried:
            carried, first = (row.following, place + 1) if row.shared is None else ((), 0)
            continue
        if not row.options and not row.answers:
            continue
        run = rows[first : place + 1]
        if len(row.answers) != len(run) or not _letters(row) or not _adjacent(run):
            carried = ()
            continue
        restored[first : place + 1] = _shared_out(run, carried)
        # The set that stands at the last question of a group is that of the next group.
        carried, first = row.following or row.options, place + 1
    return restored


def _marked(rows: Sequence[Printed]) -> list[Printed]:
    """Give the groups that the text marks the options that stand before them, and their common explanation."""
    sets = {
        number: row.following
        for row in rows
        if row.shared and row.following
        for number in range(row.shared[0], row.shared[1] + 1)
    }
    ends = {number: row.shared[1] for row in rows if row.shared for number in range(row.shared[0], row.shared[1] + 1)}
    analyses = {row.number: row.analysis for row in rows}
    return [
        replace(
            row,
            options=row.options or sets.get(row.number, ()),
            analysis=row.analysis or analyses.get(ends.get(row.number, 0), ""),
        )
        for row in rows
    ]


def _shared_out(run: Sequence[Printed], options: Lettered) -> list[Printed]:
    last = run[-1]
    return [
        replace(row, options=options, answers=(letter,), analysis=row.analysis or last.analysis)
        for row, letter in zip(run, last.answers, strict=True)
    ]


def _letters(row: Printed) -> bool:
    return all(re.fullmatch("[A-E]", letter) for letter in row.answers)


def _adjacent(run: Sequence[Printed]) -> bool:
    return run[-1].number - run[0].number == len(run) - 1
