"""Groups of questions out of rows: those that a source marks, and those whose shared text leaves no doubt."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from dataset_scripts.recipes.tcmd.groups import Group
from dataset_scripts.recipes.tcmd.rows import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dataset_scripts.recipes.tcmd.rows import Row

SHORTEST_STEM = 15  # characters, with its last full stop: a shorter common beginning may be chance
SENTENCE_END = re.compile(r"[。！？!?；;\n]")
AGE = r"\d+\s*(?:周?岁|个?月|天|周)"
# A case: somebody with sex and age, or somebody sick, and something found.
CASE = re.compile(
    rf"[男女](?:性|孩|婴|童|患者|病人)?[^。；]{{0,8}}?{AGE}"
    rf"|{AGE}[^。；，]{{0,4}}?[男女]"
    rf"|^[\u4e00-\u9fff]{{0,2}}[×某]{{1,2}}[，,\s]*[男女]"
    rf"|^(?:某|一)?(?:患者|患儿|病人|病儿|妇女|产妇|孕妇|[男女](?:性|孩|婴|童)?)[，,、：:]"
    rf"|^(?:某|一)?(?:患者|患儿|病人|病儿|产妇|孕妇)[^。]*?[，。、][^。]*?[，。、]"
    rf"|^某(?!些|医)[\u4e00-\u9fff]{{1,6}}患者[^。]*?[，。][^。]*?[，。]"
    rf"|^(?:某|一)?[位名]?[\u4e00-\u9fff]{{0,3}}(?:患者|病人)[，,]?(?:因|自诉)"
    rf"|^[\u4e00-\u9fff]{{1,6}}患者[，,][^。]*?[，、。](?=.*(?:舌|脉))"
    rf"|^[一某][位名]?{AGE}[^。；，]{{0,4}}(?:患者|患儿|病人|病儿)"
    rf"|^\d+岁[，。,]|^{AGE}[初经]?[孕产]妇|[初经][孕产]妇[，,]?\s*{AGE}"
    rf"|^(?:某|[\u4e00-\u9fff]某)[\u4e00-\u9fff]{{0,8}}[，,]?\s*\d+岁(?!以[上下]|年龄|组)"
)


def is_case(text: str) -> bool:
    """Say whether a text tells a case (A2, A3) rather than asks about a statement (A1).

    A case names somebody with sex and age (``患者，女，28岁``, ``某男，5岁``), or begins with a patient and goes on
    with at least two findings (``患者咳嗽痰多，痰白清稀，食少便溏``). An age alone is no case (``5岁小儿的收缩压是``).

    >>> is_case("某男，50岁。患心悸3年，宜选用的药是"), is_case("5岁小儿的收缩压是")
    (True, False)
    """
    return bool(CASE.search(text))


def regroup(rows: Sequence[Row], source: str) -> list[Candidate]:
    """Bring the rows of a source together as they stood in the examination.

    A group is what the source marks; neighbours with identical options, B1 by their type or, where no type is given,
    with more than one right letter among them (one question asked twice has but one); neighbours of type A3, or of no
    given type, whose texts begin with the same sentences, at least 15 characters and, where no type is given, a case.

    What is not recovered: groups whose members stand apart (a bank that was shuffled or sampled), groups whose stem or
    options a source has only in part, and a member that is no sound question. A question of a group that stands alone
    is typed by itself: what a source calls B1 stays B1, a case is A2, anything else A1.
    """
    candidates = []
    place = 0
    while place < len(rows):
        run, stem = _run(rows, place)
        candidates.append(_candidate(run, stem, source))
        place += len(run)
    return candidates


def _run(rows: Sequence[Row], place: int) -> tuple[Sequence[Row], str]:
    marked = _while(rows, place, lambda first, row: row.group is not None and row.group == first.group)
    if rows[place].group is not None:
        return marked, ""
    alike = _while(rows, place, _same_options)
    answers = {row.part.answer for row in alike}
    if len(alike) > 1 and (alike[0].kind == "B1" or len(answers) > 1):
        return alike, ""
    return _same_stem(rows, place)


def _while(rows: Sequence[Row], place: int, belongs: Callable[[Row, Row], bool]) -> Sequence[Row]:
    end = place + 1
    while end < len(rows) and belongs(rows[place], rows[end]):
        end += 1
    return rows[place:end]


def _same_options(first: Row, row: Row) -> bool:
    kinds = {first.kind, row.kind}
    return row.group is None and kinds in ({"B1"}, {None}) and first.part.options == row.part.options


def _same_stem(rows: Sequence[Row], place: int) -> tuple[Sequence[Row], str]:
    first = rows[place]
    stem, end = "", place + 1
    while end < len(rows) and rows[end].kind == first.kind and first.kind in {None, "A3"} and rows[end].group is None:
        shared = _common_sentences(stem or first.part.question, rows[end].part.question)
        if len(shared) < SHORTEST_STEM or (first.kind is None and not is_case(shared)):
            break
        stem, end = shared, end + 1
    run = rows[place:end]
    bare = any(not row.part.question[len(stem) :].strip() for row in run)
    return (rows[place : place + 1], "") if bare else (run, stem)


def _common_sentences(one: str, other: str) -> str:
    length = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    ends = [found.end() for found in SENTENCE_END.finditer(one[:length])]
    return one[: ends[-1]] if ends else ""


def _candidate(run: Sequence[Row], stem: str, source: str) -> Candidate:
    first = run[0]
    stem = first.stem or stem
    parts = tuple(replace(row.part, question=row.part.question[len(stem) :].strip()) for row in run)
    if first.stem or not stem:
        parts = tuple(row.part for row in run)
    if stem:
        kind = "A3"
    elif len(run) > 1 or first.kind == "B1":
        kind = "B1"
    else:
        kind = first.kind if first.kind in {"A1", "A2"} else "A2" if is_case(parts[0].question) else "A1"
    return Candidate(Group(kind, stem.strip() or None, parts, "", source), first.labels)
