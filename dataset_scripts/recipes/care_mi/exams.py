"""Examination questions as the rebuilt recipe takes them: which are about the topic, each once (step 1)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.files.digests import content_digest
from dataset_scripts.recipes.banks.choice_questions import read_apollo, read_medqa
from dataset_scripts.recipes.banks.likeness import Seen
from dataset_scripts.recipes.banks.questions import Question
from dataset_scripts.recipes.banks.stems import (
    begins_with_a_patient,
    errata,
    is_sound,
    is_torn,
    mended,
    with_numbers_mended,
    wrong_keys,
)
from dataset_scripts.recipes.care_mi.settings import QUESTION
from dataset_scripts.recipes.care_mi.stems import filters_that_fire, speaks_of_others, split_stem
from dataset_scripts.recipes.tcmd.mlec import read_mlec
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.recipes.care_mi.settings import Settings
    from dataset_scripts.recipes.care_mi.stems import Stem
    from dataset_scripts.recipes.care_mi.topics import Topic

DOUBTFUL = Path(__file__).with_name("doubtful.toml")
APOLLO = "apollo-zh-test"
SPLITS = ("train", "dev", "test")
MEDQA_FILES = tuple(f"medqa-mainland-{split}" for split in SPLITS)
CATEGORIES = ("clinic", "publichealth", "stomatology", "cwm", "tcm")
IN_THE_PAPER = 3  # of these the first
MLEC_FILES = tuple(f"mlec-{category}-{split}" for category in CATEGORIES for split in SPLITS)
MEDQA, MLEC, CMEXAM = "MEDQA", "MLEC-QA", "CMExam"
EXAM_LABELS = (MEDQA, MLEC, CMEXAM)  # in this order the first has a question that several have
BANKS = {MEDQA: "medqa-mcmle", CMEXAM: "cmexam"}  # what Apollo calls them
LETTERS = "ABCDE"
STOPS = "。．.;；,，、 \t\u3000"
OUTSIDE, REPEATED, ELSEWHERE = "no word of the topic", "stands there twice", "stands in a source before"
SEVERAL, OF_OTHERS = "several right answers", "the answer speaks of other options"
TORN, GARBLED = "a part of the question is lost", "a number, a unit or a word is garbled"
KNOWN_WRONG = "was read: the key or the case is wrong, outdated or open to doubt"
ALIKE = "says with the same answer what a question before says"
UNSOUND = "no question that could be asked: "
# Of a question that stands without its options, what examiners held for the best of five is open.
DEPENDS = "asks what to do in a case: without the options several answers are right"
TO_DO = re.compile(r"处理|处置|措施|方案|治疗|手术")
SUPPOSES = "asks of a later step, of what it supposes, or what a law says"
SUPPOSED = re.compile(r"^[若如]|[，；。][若如](?:已|果|测|诊断|合并|血压)|进一步|最后|有效治疗|[》”\"]规定")
SCRAP = "a few words stand where its case should, and belong to what is asked"
SHORTEST_CASE = 10  # characters
DATED = "speaks of a disease or test by what is no longer its name or use"
OLD = re.compile(r"妊高[征症]|妊娠高血压综合征|三氯化铁|利凡诺")


@dataclass(frozen=True)
class Exam:
    """An examination question about the topic."""

    label: str  # MEDQA, MLEC-QA or CMExam
    key: str  # the name of its file and of the question in it
    question: str  # as the source has it
    stem: Stem
    answer: str
    wrong: tuple[str, ...]  # the options that say something alone


@dataclass
class Exams:
    """The questions of a source."""

    total: int = 0  # rows of the source
    kept: list[Exam] = field(default_factory=list)  # about the topic and usable, in order
    left_out: Counter[str] = field(default_factory=Counter)
    on_topic: int = 0
    # of those on the topic, what each filter of the released code would leave out, used or not
    filters: Counter[str] = field(default_factory=Counter)


def read_exams(files: Mapping[str, SourceFile], topic: Topic, settings: Settings) -> dict[str, Exams]:
    """Read examination questions and keep those about the topic, each once.

    Of questions of MLEC-QA that stand in MEDQA, and of CMExam that stand in either, those are dropped (paper, section
    2): the same question, blank and question mark aside, with the same answer.
    """
    found: dict[str, Exams] = {}
    seen = Seen()
    for label in (label for label in EXAM_LABELS if label in settings.sources):
        rows = _rows(label, files)
        if rows is None:
            continue
        exams = found[label] = Exams()
        for row in rows:
            exams.total += 1
            if isinstance(row, str):
                exams.left_out[f"{UNSOUND}{row}"] += 1
            elif _is_on_topic(row, topic, settings):
                exams.on_topic += 1
                _take(row, label, exams, seen, settings)
            else:
                exams.left_out[OUTSIDE] += 1
    return found


@cache
def _doubtful() -> frozenset[str]:
    return errata(DOUBTFUL)


def _is_on_topic(row: Question, topic: Topic, settings: Settings) -> bool:
    answers = () if settings.search == QUESTION else _texts(row, row.answer)
    stem = split_stem(row.text)
    return topic.concerns(stem.context, stem.text, *answers)


def _texts(row: Question, letters: str) -> list[str]:
    return [row.options[LETTERS.index(letter)] for letter in letters]


def _take(row: Question, label: str, exams: Exams, seen: Seen, settings: Settings) -> None:
    text = mended(row.text)
    options = tuple(with_numbers_mended(option).rstrip(STOPS) for option in row.options)
    faults = {
        SEVERAL: len(row.answer) > 1,
        KNOWN_WRONG: row.digest in wrong_keys() | _doubtful(),
        TORN: is_torn(text),
        GARBLED: not all(map(is_sound, (text, *options))),
    }
    if fault := next((reason for reason, holds in faults.items() if holds), ""):
        exams.left_out[fault] += 1
        return
    stem, answer = split_stem(row.text), options[LETTERS.index(row.answer)]
    if fault := _open_to_doubt(stem, answer):
        exams.left_out[fault] += 1
        return
    whole = f"{stem.context}{stem.text}"
    if before := seen.same(whole, answer):
        exams.left_out[REPEATED if before == label else ELSEWHERE] += 1
        return
    if seen.is_like_one(whole, answer):
        exams.left_out[ALIKE] += 1
        return
    seen.add(whole, answer, label)
    fires = filters_that_fire(row.text, stem.text, options, answer, with_blank=label == MEDQA)
    exams.filters.update(fires)
    used = [name for name in fires if name in settings.filters]
    if used:
        exams.left_out[f"filter {used[0]}"] += 1
    elif speaks_of_others(answer) or not answer or not stem.text:
        exams.left_out[OF_OTHERS] += 1
    else:
        wrong = [one for one in options if fold(one) != fold(answer) and one and not speaks_of_others(one)]
        exams.kept.append(Exam(label, row.key, row.text, stem, answer, tuple(wrong)))


def _open_to_doubt(stem: Stem, answer: str) -> str:
    fails = {
        DEPENDS: stem.context and TO_DO.search(stem.text),
        SCRAP: 0 < len(stem.context) < SHORTEST_CASE and not begins_with_a_patient(stem.context),
        SUPPOSES: SUPPOSED.search(stem.text) or SUPPOSED.search(stem.context),
        DATED: OLD.search(f"{stem.context}{stem.text}{answer}"),
    }
    return next((reason for reason, found in fails.items() if found), "")


def _rows(label: str, files: Mapping[str, SourceFile]) -> Iterator[Question | str] | None:
    """Read all files of a label, or give None where there is none."""
    names = {MEDQA: (*MEDQA_FILES, APOLLO), MLEC: MLEC_FILES, CMEXAM: (APOLLO,)}[label]
    given = [name for name in names if name in files]
    if not given:
        return None
    return (row for name in given for row in _of_file(label, name, files[name]))


def _of_file(label: str, name: str, file: SourceFile) -> Iterable[Question | str]:
    if label == MLEC:
        return _mlec(name, file)
    questions = read_apollo(name, file.path, BANKS[label]) if name == APOLLO else read_medqa(name, file.path)
    return (one if isinstance(one, str) else replace(one, key=f"{name}/{one.key or one.digest}") for one in questions)


def _mlec(name: str, file: SourceFile) -> Iterator[Question | str]:
    reading = read_mlec(file.path)
    for reason, count in reading.dropped.items():
        yield from [reason] * count
    for row in reading.rows:
        part = row.part
        key = part.upstream_key or content_digest([fold(part.question), *map(fold, part.options)])
        yield Question(name, part.question, part.answer, part.options, f"{name}/{key}")
