"""Replies of second readers: labels of stages about single predictions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.answers import FALLBACK, answer
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.rules import DEFAULT_RULE
from medzh_score.benchmark.stages import COLUMN, Annotations, Source
from medzh_score.extraction.whole_text import is_overlong
from medzh_score.prompting.ids import (
    AnswerKey,
    check_code,
    code_of,
    key_text,
)
from medzh_score.prompting.positions import no_order
from medzh_score.readers.files import PredictionFiles
from medzh_score.stages.annotations import annotations_in
from medzh_score.stages.binding import AvailableAnswers, StageItems
from medzh_score.stages.label_files import EMPTY, UNREADABLE, Label, list_blank_rows, read_label_files
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import Worded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import Query
    from medzh_score.benchmark.rules import Reads, Rule
    from medzh_score.benchmark.stages import Stage
    from medzh_score.io.open_input import Input
    from medzh_score.prompting.positions import SentOrder


FOUND_BY = "found_by"  # beside a value in the items file


def available_answers(  # noqa: PLR0913, PLR0917 - where both kinds stand
    config: Config,
    items: StageItems,
    asked: Sequence[Query],
    files: PredictionFiles,
    responses: Sequence[Path],
    judged: Mapping[str, Annotations] | None = None,
    *,
    order: SentOrder = no_order,
) -> AvailableAnswers:
    """Find the predictions that are read by our rule, and can be read again: first answers, or a stage's responses."""
    of = config.reads.of if config.reads else None
    if of is None:
        return AvailableAnswers(items.ids, asked, files)
    stage = pick("--stage", config.stages, of.stage)
    found = (judged or {}).get(of.stage) or annotations_in(
        stage, responses, StageItems(items.records, items.layout), order
    )
    filled_in = {key for source, said in found.sources.items() if source.kind == "person" for key in said}
    # A file of which nothing counts would be refused as empty.
    holding = {path for key, (path, _unused) in found.places.items() if key not in filled_in}
    paths = [path for path in dict.fromkeys(responses) if path in holding]
    files = PredictionFiles(tuple(paths), order=order, standing=found.places)
    return AvailableAnswers(items.ids, of.queries(items.records, items.layout), files)


def refuse_none(config: Config, available: AvailableAnswers) -> None:
    """Raise an error where responses of a stage are to be read again, and none was given."""
    if config.reads is not None and config.reads.of is not None and not available.files.paths:
        problem, name = (
            _("the responses that fallback extraction and audits examine are missing"),
            config.reads.of.stage,
        )
        raise MedzhError(problem, field="--stage", expected=f"{name}=FILE")


def restated(found: Annotations, table: AnswerTable, ids: Sequence[str], column: str, reader: str) -> Annotations:
    """Put second readings in the place of what was read of a stage's responses."""
    again = {
        (name, run): one.value
        for (run, _unused), answers in table.columns.items()
        for name, one in zip(ids, answers, strict=True)
        if one is not None and one.reason == FALLBACK
    }
    said = {key: {**({} if value is None else {column: value}), FOUND_BY: FALLBACK} for key, value in again.items()}
    who = Source(reader, "person")
    sources = {
        source: {key: one for key, one in values.items() if key not in said} for source, values in found.sources.items()
    }
    none = {key for key, value in again.items() if value is None}
    unreadable = tuple(sorted(none | (set(found.unreadable) - again.keys())))
    return replace(found, sources={**sources, who: {**sources.get(who, {}), **said}}, unreadable=unreadable)


class ReadAnswer(NamedTuple):
    """What a reader says that a text commits itself to: a value with its note, or None for nothing."""

    value: str | None
    note: str | None = None

    @property
    def answer(self) -> Answer:
        """The answer that it makes."""
        return answer(self.value, FALLBACK, self.note)


@dataclass
class Replies:
    """What was said about single predictions; of several files the later one wins, and says how many it replaced."""

    values: dict[AnswerKey, ReadAnswer] = field(default_factory=dict)
    sources: dict[AnswerKey, Source] = field(default_factory=dict)
    lacking: dict[AnswerKey, str] = field(default_factory=dict)
    overridden: int = 0
    inputs: list[Input] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        """Who said what stands, in alphabetical order."""
        return tuple(sorted({source.name for source in self.sources.values()}))

    def came_back(self, key: AnswerKey) -> bool:
        """Say whether something was said, readable or not."""
        return key in self.values or self.lacking.get(key) in {UNREADABLE, EMPTY}

    def take(self, label: Label, said: ReadAnswer | None) -> None:
        """Take what a label says; what says nothing takes no value away, nor that somebody said something."""
        if said is None:
            if not self.came_back(label.key):
                self.lacking[label.key] = label.lacks or UNREADABLE
            return
        self.overridden += label.key in self.values
        self.values[label.key], self.sources[label.key] = said, label.source
        self.lacking.pop(label.key, None)


def read_replies(
    stage: Stage, paths: Sequence[Path], config: Config, available: AvailableAnswers, order: SentOrder = no_order
) -> Replies:
    """Read what came back in a stage about single predictions."""
    files = read_label_files(stage, paths, order)
    replies = Replies(inputs=[file for _unused, file in files])
    for labels, _unused in files:
        here = dict[AnswerKey, Label]()
        list_blank_rows(labels)
        for label in labels:
            if label.key.id not in available.places:
                raise label.row_error(
                    _("no record has this id"),
                    expected=_("an id such as {next}", next=available.ids[0]),
                    found=label.key.id,
                    advice=_("check that --data is the build from which the prompts were written"),
                )
            if not label.lacks:
                first = here.setdefault(label.key, label)
                if first is not label and (first.text.strip(), first.source) == (label.text.strip(), label.source):
                    continue
                if first is not label:
                    problem = _("the file contains two annotations for the same id")
                    raise label.row_error(problem, found=Worded(key_text(label.key)))
            replies.take(label, None if label.lacks else _read_label(label, config, available))
    every = [label for labels, _unused in files for label in labels]
    texts = available.texts(label.key for label in every) if every else {}
    for label in every:
        right = code_of(stage.name, [texts[label.key]]) if label.key in texts else None
        check_code(label.key, label.code, right, label.path, label.number)
    return replies


def _read_label(label: Label, config: Config, available: AvailableAnswers) -> ReadAnswer | None:
    """Read one reply: what a person wrote must be readable, what a model wrote may not be."""
    reads = config.reads
    assert reads is not None  # noqa: S101 - the stage is declared with it
    asked = available.alone[label.key.id]
    if label.key.variant not in asked.variants.numbers:
        return None  # its code fits no text
    said = read_reply(reads, our_rule(config), label.text, asked, label.key.variant)
    if said is None and label.source.kind == "person":
        wanted = _("{choices}, or {no_answer}", choices=reads.choices, no_answer=NO_ANSWER)
        raise label.row_error(_("invalid value for this column"), COLUMN, expected=wanted, found=label.text)
    return said


def our_rule(config: Config) -> Rule:
    """Give the rule of ours that reads what stages about predictions ask about, and the replies."""
    reads = config.reads
    return pick("--rule", config.rules, DEFAULT_RULE) if reads is None or reads.of is None else reads.of.rule


NO_ANSWER = "无答案"  # what the prompt asks for where a text commits itself to nothing
BARE = "无"
NONE = re.compile(
    r"(?:最终)?(?:答案)?(?:是|为)?[:：]?(?:无(?:明确|确定)?的?(?:答案|回答)|没有(?:明确|确定)?的?答案|none|no answer)"
)
LACKING = re.compile(
    r"(?:没有|未|无)(?:能)?(?:给出|作出|做出|表明|表达)?(?:任何|一个)?(?:明确|确定|最终)?的?(?:答案|作答|回答)"
)
AROUND = " \t\r\n*`#\"'“”‘’「」『』【】[]()（）。.，,；;！!"


def read_reply(reads: Reads, rule: Rule, text: str, asked: Query, variant: int) -> ReadAnswer | None:
    """Read what a reader wrote about one record's answer; None where it cannot be read.

    A bare 无 says that there is none, unless the rule takes it for an answer. Who says that the text lacks an answer,
    and gives one, has solved the question: that is not read either.
    """
    if is_overlong(text):
        return None
    word = text.rsplit("\n", 1)[-1].strip(AROUND)
    if NONE.fullmatch(word.lower()):
        return ReadAnswer(None)
    (found,) = rule.read(reads.completion_prefix + text, asked.context, variant)
    if found.value is None:
        return ReadAnswer(None) if word == BARE or LACKING.search(word) else None
    return None if word == BARE or LACKING.search(text) else ReadAnswer(str(found.value), found.note)
