"""Examination questions as the rebuilt recipe takes them: which are about the topic, each once (step 1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataset_scripts.files.digests import content_digest
from dataset_scripts.recipes.banks.choice_questions import read_apollo, read_medqa
from dataset_scripts.recipes.care_mi.damage import is_garbled, is_torn, mend
from dataset_scripts.recipes.care_mi.settings import QUESTION
from dataset_scripts.recipes.care_mi.stems import BLANK, filters_that_fire, speaks_of_others, split_stem
from dataset_scripts.recipes.tcmd.mlec import read_mlec
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.recipes.care_mi.settings import Settings
    from dataset_scripts.recipes.care_mi.stems import Stem
    from dataset_scripts.recipes.care_mi.topics import Topic

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
TORN, GARBLED = "a part of the question is lost", "a number or unit is garbled"
UNSOUND = "no question that could be asked: "


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


@dataclass(frozen=True)
class _Read:
    question: str
    options: tuple[str, ...]
    right: str
    key: str


def read_exams(files: Mapping[str, SourceFile], topic: Topic, settings: Settings) -> dict[str, Exams]:
    """Read examination questions and keep those about the topic, each once.

    Of questions of MLEC-QA that stand in MEDQA, and of CMExam that stand in either, those are dropped (paper, section
    2): the same question, blank and question mark aside, with the same answer.
    """
    found: dict[str, Exams] = {}
    seen: dict[str, str] = {}
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
                _take(_mended(row), label, exams, seen, settings)
            else:
                exams.left_out[OUTSIDE] += 1
    return found


def _is_on_topic(row: _Read, topic: Topic, settings: Settings) -> bool:
    answers = () if settings.search == QUESTION else [row.options[LETTERS.index(letter)] for letter in row.right]
    stem = split_stem(row.question)
    return topic.concerns(stem.context, stem.text, *answers)


def _mended(row: _Read) -> _Read:
    return _Read(mend(row.question), tuple(map(mend, row.options)), row.right, row.key)


def _take(row: _Read, label: str, exams: Exams, seen: dict[str, str], settings: Settings) -> None:
    if len(row.right) > 1:
        exams.left_out[SEVERAL] += 1
        return
    if is_torn(row.question) or is_garbled("\n".join((row.question, *row.options))):
        exams.left_out[TORN if is_torn(row.question) else GARBLED] += 1
        return
    options = tuple(option.strip().rstrip(STOPS) for option in row.options)
    answer = options[LETTERS.index(row.right)]
    identity = f"{fold(BLANK.sub('', row.question)).rstrip('?。.:')}\n{fold(answer)}"
    if identity in seen:
        exams.left_out[REPEATED if seen[identity] == label else ELSEWHERE] += 1
        return
    seen[identity] = label
    stem = split_stem(row.question)
    fires = filters_that_fire(row.question, stem.text, options, answer, with_blank=label == MEDQA)
    exams.filters.update(fires)
    used = [name for name in fires if name in settings.filters]
    if used:
        exams.left_out[f"filter {used[0]}"] += 1
    elif speaks_of_others(answer) or not answer or not stem.text:
        exams.left_out[OF_OTHERS] += 1
    else:
        wrong = [one for one in options if fold(one) != fold(answer) and one and not speaks_of_others(one)]
        exams.kept.append(Exam(label, row.key, row.question, stem, answer, tuple(wrong)))


def _rows(label: str, files: Mapping[str, SourceFile]) -> Iterator[_Read | str] | None:
    """Read all files of a label, or give None where there is none."""
    names = {MEDQA: (*MEDQA_FILES, APOLLO), MLEC: MLEC_FILES, CMEXAM: (APOLLO,)}[label]
    given = [name for name in names if name in files]
    if not given:
        return None
    return (row for name in given for row in _of_file(label, name, files[name]))


def _of_file(label: str, name: str, file: SourceFile) -> Iterable[_Read | str]:
    if label == MLEC:
        return _mlec(name, file)
    questions = read_apollo(name, file.path, BANKS[label]) if name == APOLLO else read_medqa(name, file.path)
    return (
        one if isinstance(one, str) else _Read(one.text, one.options, one.answer, f"{name}/{one.key or one.digest}")
        for one in questions
    )


def _mlec(name: str, file: SourceFile) -> Iterator[_Read | str]:
    reading = read_mlec(file.path)
    for reason, count in reading.dropped.items():
        yield from [reason] * count
    for row in reading.rows:
        part = row.part
        key = part.upstream_key or content_digest([fold(part.question), *map(fold, part.options)])
        yield _Read(part.question, part.options, part.answer, f"{name}/{key}")
