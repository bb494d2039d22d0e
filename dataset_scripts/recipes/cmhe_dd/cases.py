"""Where CMHE-DD's rebuilt cases come from: questions that ask for a disease, and dialogues with a diagnosis."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.json_lines import read_objects
from dataset_scripts.recipes.banks.choice_questions import (
    APOLLO,
    APOLLO_BANKS,
    CMEXAM,
    read_apollo,
    read_cmexam,
    read_medqa,
    undecided,
)
from dataset_scripts.recipes.banks.stems import asked_clause
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.recipes.banks.questions import Question

MAINLAND = "medqa-mainland"
DIALMED = ("dialmed-train", "dialmed-dev", "dialmed-test")
KAMED = "kamed"
EXAMS, DIALOGUES = (APOLLO, MAINLAND), (*DIALMED, KAMED)
NO_DIAGNOSIS = re.compile(r"其他疾病|无确诊|未确诊|不详|不明")
SPEAKERS = ("患者", "医生")  # take turns in KaMed

# A question is one about a patient, and its last clause asks for a disease, not for what leads to one or follows it.
PATIENT = re.compile(r"[0-9０-９]\s*(?:岁|个?月|天|周)|患者|患儿|产妇|病人|[男女][，,性。]")
SHORTEST = 20  # characters of a stem that can describe a patient
ASKS = re.compile(
    r"(?:诊断|拟诊|疾病|病变|患有|病)(?:的)?(?:可能性最大的?|应|应该|可能|最可能|最大可能|首先|考虑|上|[是为于])*[（）()：:？?\s]*$"
    r"|(?:可能|考虑|首先考虑|怀疑|应考虑)(?:的)?(?:[是为])?[（）()：:？?\s]*$|(?:什么|何种|哪种|哪一种)(?:疾?病|诊断)"
)
ASKS_FOR_OTHER = re.compile(
    r"检查|试验|化验|依据|方法|意义|治疗|处理|处置|措施|指标|帮助|有助于|确诊|明确诊断|鉴别|类型|特点|表现|原因|机制|部位"
    r"|[不非未]|除外|程度|分期|分型|分级|病原|致病|药|手术|价值|标准|根据是|并发|并存|属于|证据"
)


@dataclass(frozen=True)
class Case:
    """A case before anybody was asked about it."""

    part: str  # exam or chat
    text: str  # the stem without its options, or the dialogue, a turn a line
    names: tuple[str, ...]  # of its diseases, as the source gives them
    source: str
    key: str  # what the source calls the case


@dataclass(frozen=True)
class Gathered:
    """What the sources have."""

    cases: tuple[Case, ...]  # in the order of the sources
    counts: Mapping[str, Mapping[str, int]]  # by source: what became cases, and why the rest did not


def gather(
    files: Mapping[str, SourceFile],
    exams: Sequence[str] = EXAMS,
    apollo: Sequence[str] = APOLLO_BANKS[:1],  # the paper took its cases from the first
) -> Gathered:
    """Read these banks, of Apollo's file those named, and all sources of dialogues; equal texts are taken once."""
    cases: dict[str, Case] = {}
    counts: dict[str, dict[str, int]] = {}
    for name, file in files.items():
        if name not in (*exams, *DIALOGUES):
            continue
        tally = counts.setdefault(name, {})
        for found in _exam(name, file.path, apollo) if name in exams else _chat(name, file.path):
            reason = found if isinstance(found, str) else "taken"
            if isinstance(found, Case):
                reason = "repeats another" if fold(found.text) in cases else reason
                cases.setdefault(fold(found.text), found)
            tally[reason] = tally.get(reason, 0) + 1
    return Gathered(tuple(cases.values()), counts)


def _exam(source: str, path: Path, apollo: Sequence[str]) -> Iterator[Case | str]:
    if source == APOLLO:
        questions = chain.from_iterable(read_apollo(source, path, bank) for bank in apollo)
    else:
        questions = chain((read_cmexam if source in CMEXAM else read_medqa)(source, path))
    for number, question in enumerate(questions, start=1):
        yield question if isinstance(question, str) else exam_case(question, f"{source}/{number}")


def exam_case(question: Question, key: str) -> Case | str:
    """Give the case of a question that asks for a patient's disease, or say why it is none.

    Whether the answer is a disease is found out later.
    """
    if reason := undecided(question):
        return reason
    _, asked = asked_clause(question.text)
    if len(question.text) < SHORTEST or not PATIENT.search(question.text):
        return "describes no patient"
    if not ASKS.search(asked) or ASKS_FOR_OTHER.search(asked):
        return "does not ask for a disease"
    return Case("exam", question.text, (question.right,), question.source, key)


def _chat(source: str, path: Path) -> Iterator[Case | str]:
    for line, row in read_objects(path):
        yield _kamed_case(row, path, line) if source == KAMED else _dialmed_case(row, source, path, line)


def _dialmed_case(row: dict[str, Any], source: str, path: Path, line: int) -> Case | str:
    turns, diseases = (_texts(row, name, path, line) for name in ("dialog", "disease"))
    if not diseases or any(NO_DIAGNOSIS.search(name) for name in diseases):
        return "no diagnosis"
    if not turns:
        return "nothing said"
    return Case("chat", "\n".join(turns), tuple(dict.fromkeys(diseases)), source, f"{source}/{line}")


def _kamed_case(row: dict[str, Any], path: Path, line: int) -> Case | str:
    """Read a session: turns of words, each with what it is meant to do, patient and doctor in turn."""
    turns = row.get("dialogue")
    if not isinstance(turns, list) or not all(map(_is_turn, turns)):
        expected = "a list of turns, each a list of words (or a text), an intention, and more"
        raise MedzhError("is no session of KaMed", file=path, line=line, field="dialogue", expected=expected)
    names = tuple(dict.fromkeys(_texts(row, "diagnosis", path, line))) if "diagnosis" in row else ()
    if not names and not any(len(turn) > 1 and turn[1] == "diagnosis" for turn in turns):
        return "no diagnosis"
    utterances = ["".join(turn[0]) for turn in turns]
    if not any(map(str.strip, utterances)):
        return "nothing said"
    text = "\n".join(f"{SPEAKERS[place % 2]}：{words}" for place, words in enumerate(utterances))
    return Case("chat", text, names, KAMED, str(row.get("id", f"{KAMED}/{line}")))


def _is_turn(turn: object) -> bool:
    """Tell whether it is a list that begins with a text, or with a list of words."""
    if not isinstance(turn, list) or not turn:
        return False
    words = turn[0]
    return isinstance(words, str) or (isinstance(words, list) and all(isinstance(word, str) for word in words))


def _texts(row: dict[str, Any], name: str, path: Path, line: int) -> Sequence[str]:
    values = row.get(name)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise MedzhError(
            "is no dialogue with a diagnosis",
            file=path,
            line=line,
            field=name,
            expected="a list of texts",
            found=values,
        )
    return [value.strip() for value in values if value.strip()]
