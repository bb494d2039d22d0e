"""What comes back in a stage: sheets that people filled in, and the responses of a model."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from medzh_score.benchmark.answers import FALLBACK, answer
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.rules import DEFAULT_RULE
from medzh_score.benchmark.stages import COLUMN, Annotations, Between, Key, Labels, Source, expected
from medzh_score.extraction.whole_text import TOO_LONG, answer_text, is_overlong
from medzh_score.io.open_input import InputFile
from medzh_score.io.tables import number_in, read_rows
from medzh_score.prompting.ids import (
    CODE,
    MARK,
    NO_VARIANTS,
    AnswerKey,
    check_code,
    code_of,
    judged_item_of,
    key_text,
    split_judged_id,
)
from medzh_score.prompting.positions import no_order
from medzh_score.readers.align import ModelNames, spelled
from medzh_score.readers.detect import find_reader, head_of
from medzh_score.readers.files import PredictionFiles
from medzh_score.stages.binding import AvailableAnswers, StageItems, TaskRef, bind
from medzh_score.ui.errors import NAMED, MedzhError, shown
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import Worded, quotable
from medzh_score.ui.progress import defer_note, display_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import Query, Record
    from medzh_score.benchmark.rules import Reads, Rule
    from medzh_score.benchmark.stages import Allowed, Stage
    from medzh_score.io.open_input import Input
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.stages.binding import Codes

UNREADABLE, EMPTY, FAILED, BLANK = "unreadable", "empty", _("failed"), "blank"
UNNAMED = "unnamed"  # who does not say who it was
SAME, OTHER, UNKNOWN = "the same model", "another model", "an unknown model"


# The rows of a file, of either kind of stage.


@dataclass(frozen=True, slots=True)
class Label(TaskRef):
    """A row of a sheet, or a response.

    Its run says nothing where a code stands in the place of the run. ``said`` is what a person filled in, None where
    the text is still to be read; ``lacks`` is why there is no value before anything is read.
    """

    source: Source
    text: str = ""
    said: Labels | None = None
    lacks: str = ""


LabelFile = tuple[list[Label], "Input"]


def _read_files(stage: Stage, paths: Sequence[Path], order: SentOrder, annotator: str | None = None) -> list[LabelFile]:
    files = []
    for path in paths:
        with InputFile(path) as file:
            sheet = stage.model is None or _is_filled_sheet(file, stage)
            labels = [*(_filled_rows(file, stage, annotator) if sheet else _responses(file, stage, order))]
            for label in labels if stage.keyed == "item" else ():
                _check_source(label, stage)
            files.append((labels, file.read_as(stage.name)))
    return files


def _is_filled_sheet(file: InputFile, stage: Stage) -> bool:
    """Look at the head: JSON is responses, and so is a sheet of predictions without the columns of the stage."""
    head = head_of(file)
    return head.form == "table" and (not head.has("prediction") or head.has(*stage.values))


def _filled_rows(file: InputFile, stage: Stage, annotator: str | None) -> Iterator[Label]:
    path = file.path
    for number, cells in read_rows(file, ("id", *stage.values)):
        if not any(cells[name] for name in stage.values) and not _names_task(cells):
            defer_note(
                _(
                    "{display_name}:{number}: skipped because it has no id",
                    display_name=display_name(path),
                    number=number,
                )
            )
            continue  # a signature, or a remark
        source = Source(cells.get("annotator") or annotator or UNNAMED, "person")
        if stage.keyed == "prediction":
            key, code = split_judged_id(cells["id"], path, number)
            text = cells[COLUMN]
            yield Label(path, number, key, code, source, text, lacks="" if text.strip() else BLANK)
            continue
        key, code = judged_item_of(cells["id"], cells.get(CODE) or "", path, number)
        run = number_in(cells, "run", path, number)
        if not code and CODE in cells and not cells.get("run"):
            # A code that was deleted is not run 0.
            problem, wanted = (
                _("the answer hash is blank, and no run is specified"),
                _("the unchanged id and answer hash"),
            )
            raise MedzhError(problem, file=path, line=number, field=CODE, expected=wanted)
        if MARK in cells["id"] and cells.get("run") and run != key.run:
            raise _several_in(path, number, cells["id"])
        said = filled(cells, stage.values, path, number)
        key = AnswerKey(key.id, key.run or run)
        yield Label(path, number, key, code, source, said=said, lacks="" if said else BLANK)


def _names_task(cells: Mapping[str, str]) -> bool:
    """Whether a row says which task it is of: by an id with its answer hash, or next to one."""
    return MARK in cells["id"] or bool(cells["id"] and (CODE not in cells or cells[CODE] or cells.get("run")))


def _responses(file: InputFile, stage: Stage, order: SentOrder) -> Iterator[Label]:
    path, before = file.path, 0
    for number, response in find_reader(file, None).read(file, order):
        if stage.keyed == "prediction":
            key, code = split_judged_id(response.id, path, number)
            several = number == before or response.run or response.variant
        else:
            if number == before:
                # Numbered as runs, as the choices of a model's answers are, they would judge other answers.
                problem = _("the response contains several choices")
                raise MedzhError(problem, file=path, line=number, field="choices", expected=_("one per request"))
            if response.variant:
                found = response.variant
                raise MedzhError(NO_VARIANTS, file=path, line=number, field="variant", expected="0", found=found)
            key, code = judged_item_of(response.id, "", path, number)
            several = bool(code) and response.run
            key = AnswerKey(key.id, key.run or response.run)
        if several:
            raise _several_in(path, number, response.id)
        before, text = number, answer_text(response.prediction)
        lacks = FAILED if response.error is not None else "" if text.strip() else EMPTY
        yield Label(path, number, key, code, Source(response.model or UNNAMED, "model"), text, lacks=lacks)


def _several_in(path: Path, number: int, found: str) -> MedzhError:
    problem = _("the response contains several choices, or a run or variant in addition to those of its id")
    return MedzhError(problem, file=path, line=number, field="id", expected=_("one response per prompt"), found=found)


def _check_source(label: Label, stage: Stage) -> None:
    if label.lacks == FAILED or (stage.many and label.lacks == BLANK):
        return  # a second try, or a person who has not come so far, names both
    if stage.about == "records" and label.key.run:
        problem = _("stage {stage_name} is about records and has no runs", stage_name=stage.name)
        raise label.row_error(problem, "run", expected=_("0 or no value"), found=label.key.run)
    if stage.many and label.source.name == UNNAMED:
        problem = _(
            "the annotator is missing, and stage {stage_name} compares several annotators", stage_name=stage.name
        )
        raise label.row_error(
            problem,
            "annotator",
            expected=_("a name in the column annotator of a sheet, or in the field model of a response"),
        )


# What spreadsheets and people write in a column of yes and no.
YES_NO = {"是": "yes", "true": "yes", "1": "yes", "y": "yes", "否": "no", "false": "no", "0": "no", "n": "no"}


def filled(row: Mapping[str, str], values: Mapping[str, Allowed], path: Path, number: int) -> dict[str, str]:
    """Take the value of each column as a person filled it in; empty where all are blank.

    Case does not matter to the values that a column may hold, and 是, true, 1 and y are a yes, 否, false, 0 and n a no,
    unless they are values themselves. Numbers stand in their shortest form.
    """
    found: dict[str, str] = {}
    for column, allowed in values.items():
        value = _value(row.get(column, ""), allowed)
        if value is None:
            problem, wrong = _("invalid value for this column"), row[column]
            wanted = expected(allowed)
            raise MedzhError(problem, file=path, line=number, field=column, expected=wanted, found=wrong)
        found[column] = value
    if not any(found.values()):
        return {}
    for column, allowed in values.items():
        if not found[column]:
            problem = _("the cell is blank, but other cells of the row are filled in")
            raise MedzhError(problem, file=path, line=number, field=column, expected=expected(allowed))
    return found


def _value(written: str, allowed: Allowed) -> str | None:
    """Give what a cell says in the words of its column; None where it is none of them."""
    if isinstance(allowed, Between):
        return allowed.read(written) if written else ""
    if not allowed or not written or written in allowed:
        return written
    plain = normalize("NFKC", written).strip().lower()
    known = {value.lower(): value for value in allowed}
    return known.get(plain) or known.get(YES_NO.get(plain, ""))


# Stages about items.


def read_stages(
    config: Config,
    stages: Mapping[str, Sequence[Path]],
    items: StageItems,
    orders: Mapping[str, SentOrder],
    annotator: str | None = None,
) -> dict[str, Annotations]:
    """Read the annotations of all stages about items; ``annotator`` filled the sheets that name nobody."""
    picked = {name: pick("--stage", config.stages, name) for name in stages}
    back = {
        name: _item_files(stage, stages[name], items, orders.get(name, no_order), annotator)
        for name, stage in picked.items()
    }
    of_answers = (_coded(files) for name, files in back.items() if picked[name].about == "answers")
    items.answers(set().union(*of_answers))  # the predictions are read once for all stages
    return {name: _annotations(stage, back[name], items) for name, stage in picked.items()}


def annotations_in(stage: Stage, paths: Sequence[Path], items: StageItems, order: SentOrder = no_order) -> Annotations:
    """Read what came back in a stage about items; where two files judge the same item and run, the later one wins.

    Where the stage declares many sources, it wins over what the same source said only; the others stand beside it.
    """
    return _annotations(stage, _item_files(stage, paths, items, order), items)


def _item_files(
    stage: Stage, paths: Sequence[Path], items: StageItems, order: SentOrder, annotator: str | None = None
) -> list[LabelFile]:
    files = _read_files(stage, paths, order, annotator)
    every = [label for labels, _unused in files for label in labels]
    unknown = [label for label in every if label.key.id not in items.members and label.lacks != BLANK]
    if unknown:
        ids = list(dict.fromkeys(label.key.id for label in unknown))
        named = ", ".join(map(shown, ids[:NAMED])) + (", …" if len(ids) > NAMED else "")
        raise unknown[0].row_error(
            _("no item has this id")
            if len(ids) == 1
            else _("no item has these {n_ids} ids ({named})", n_ids=len(ids), named=named),
            expected=_("an id such as {next}", next=items.layout.items[0]),
            found=ids[0],
            advice=_("check that --data is the build from which the prompts were written"),
        )
    if stage.of_same_model:  # responses of several models are refused
        models = ModelNames()
        for label in every:
            if label.source.kind == "model" and label.source.name != UNNAMED and label.lacks != FAILED:
                models.take(label.source.name, label.path, label.number)
    return files


def _coded(files: Sequence[LabelFile]) -> set[str]:
    return {label.key.id for labels, _unused in files for label in labels if label.code}


def _annotations(stage: Stage, files: Sequence[LabelFile], items: StageItems) -> Annotations:
    tally, unparsed = _Tally(stage), items.texts_of is None and stage.about == "answers"
    codes = None if unparsed else items.codes(stage, _coded(files))
    for labels, _unused in files:
        known, here = [label for label in labels if label.key.id in items.members], dict[tuple[Key, str], Label]()
        tally.unrated += len(labels) - len(known)  # blank ones of no item
        known = _with_codes_of_answers(known, stage, items, codes)
        for label, keys in zip(known, bind(known, stage, codes), strict=True):
            if not keys:
                tally.others += label.lacks != BLANK
            elif label.lacks == FAILED or (stage.many and label.lacks == BLANK) or not _again(stage, label, keys, here):
                tally.take(label, keys, items.members[label.key.id])
        _list_blank_rows(labels)
    return tally.annotations([file for _unused, file in files])


def _with_codes_of_answers(labels: list[Label], stage: Stage, items: StageItems, codes: Codes | None) -> list[Label]:
    """Take codes of whole texts, as older labels have them, for those of the answers in them."""
    foreign = {one.key.id for one in labels if one.code and one.code not in (codes or {}).get(one.key.id, {}).values()}
    older = items.codes_by_older(stage, foreign) if codes is not None and foreign else {}
    return [replace(one, code=older.get((one.key.id, one.code), one.code)) for one in labels] if older else labels


def _list_blank_rows(labels: Sequence[Label]) -> None:
    blank = [label.number for label in labels if label.lacks == BLANK]
    if not blank:
        return
    rows = ", ".join(map(str, blank[:NAMED]))
    values = {"display_name": display_name(labels[0].path), "rows": rows, "n": len(blank) - NAMED}
    if len(blank) > NAMED:
        defer_note(_("{display_name}: blank rows: {rows} and {n} more", **values))
    else:
        defer_note(_("{display_name}: blank rows: {rows}", **values))


def _again(stage: Stage, label: Label, keys: Iterable[Key], here: dict[tuple[Key, str], Label]) -> bool:
    """Refuse what the file has judged before, among several sources the same one; an equal row of a sheet is one."""
    for key in keys:
        mine = (key, label.source.name if stage.many else "")
        if mine in here:
            if label.said and (label.said, label.source) == (here[mine].said, here[mine].source):
                return True
            problem = (
                _("the file contains two responses for the same id")
                if stage.of_same_model
                else _("the file contains two annotations for the same id")
            )
            named = quotable(key[0]) if stage.about == "records" else key_text(AnswerKey(*key))
            raise label.row_error(problem, found=Worded(named))
        here[mine] = label
    return False


@dataclass
class _Tally:
    """What the files of a stage have said so far."""

    stage: Stage
    values: dict[Key, dict[Source, Labels]] = field(default_factory=dict)
    places: dict[Key, tuple[Path, int]] = field(default_factory=dict)
    lacking: dict[tuple[Key, Source | None], str] = field(default_factory=dict)  # of a source where there are many
    overridden: int = 0
    unrated: int = 0
    unnamed: int = 0
    others: int = 0
    uncoded: set[tuple[Key, Source]] = field(default_factory=set)

    def take(self, label: Label, keys: Sequence[Key], members: Sequence[Record]) -> None:
        """Take what a label says of each answer that it is about."""
        if label.lacks == BLANK:
            self.unrated += 1
            return
        stage, said, lacks = self.stage, label.said, label.lacks
        if stage.model is not None and said is None and not lacks:
            said = None if is_overlong(label.text) else stage.model.read(label.text, stage.context(members, ()))
            self.unnamed += said is not None and label.source.name == UNNAMED
        # A request that failed does not say of whom it was asked.
        source = label.source if stage.many and label.source.name != UNNAMED else None
        for key in keys:
            known = self.values.get(key, {})
            if not lacks and said is not None:
                self._value(key, label, said)
                for mine in (source, None):
                    self.lacking.pop((key, mine), None)
                continue
            # What says nothing takes no value away.
            if not known:
                self.places[key] = label.path, label.number
            if not known or (source and source not in known):
                self.lacking[key, source] = lacks or UNREADABLE

    def _value(self, key: Key, label: Label, said: Labels) -> None:
        source, known = label.source, self.values.setdefault(key, {})
        self.overridden += source in known if self.stage.many else bool(known)
        if not self.stage.many:
            known.clear()
        known[source], self.places[key] = said, (label.path, label.number)
        (self.uncoded.discard if label.code else self.uncoded.add)((key, source))

    def annotations(self, inputs: Sequence[Input]) -> Annotations:
        """Give what stands, the sources by name."""
        found: dict[Source, dict[Key, Labels]] = {}
        for key, known in self.values.items():
            for source, said in known.items():
                found.setdefault(source, {})[key] = said
        unreadable, empty, failed = (
            tuple(sorted(key for (key, _unused), why in self.lacking.items() if why == reason))
            for reason in (UNREADABLE, EMPTY, FAILED)
        )
        return Annotations(
            dict(sorted(found.items())),
            self.overridden,
            self.unrated,
            self.places,
            unreadable,
            empty,
            failed,
            self.unnamed,
            unverified=sum(source in self.values[key] for key, source in self.uncoded),
            others=self.others,
            inputs=tuple(inputs),
        )


def judged_models(stages: Iterable[Stage], judged: Mapping[str, Annotations], model: str | None) -> dict[str, str]:
    """Say whose answers came back in stages of the same model.

    By stage: `SAME`, `OTHER` where a control is run, or `UNKNOWN` where either side does not name its model.
    """
    whose = {}
    for stage in stages:
        if stage.of_same_model and stage.name in judged:
            named = {source.name for source in judged[stage.name].sources}
            unknown = model is None or not named or UNNAMED in named
            same = model is not None and {spelled(name) for name in named} == {spelled(model)}
            whose[stage.name] = UNKNOWN if unknown else SAME if same else OTHER
    return whose


def check_judged(stages: Iterable[Stage], judged: Mapping[str, Annotations], runs: Sequence[int]) -> None:
    """Refuse what judges the answers of a run that was not scored; a stage about records judges no answers."""
    for stage in stages:
        if stage.about == "records" or stage.name not in judged:
            continue
        for (_unused, run), (file, line) in judged[stage.name].places.items():
            if run not in runs:
                problem, known = _("the annotation is for a run without predictions"), ", ".join(map(str, runs))
                raise MedzhError(problem, file=file, line=line, field="run", expected=known, found=run)


# Stages about single predictions.

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
        problem, name = _("the responses for fallback extraction and audits are missing"), config.reads.of.stage
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
    files = _read_files(stage, paths, order)
    replies = Replies(inputs=[file for _unused, file in files])
    for labels, _unused in files:
        here = dict[AnswerKey, Label]()
        _list_blank_rows(labels)
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


NOTHING_TO_READ = frozenset({"empty", TOO_LONG.reason})
FOUND_NONE = frozenset({"refusal", "unfinished thinking"})  # it was understood that there is no answer


def is_expected(found: Answer, *, include_ambiguous: bool) -> bool:
    """Say whether a rule's reading goes out to a second reader."""
    if found.value is None:
        return found.reason not in FOUND_NONE and found.reason not in NOTHING_TO_READ
    return include_ambiguous and not found.unambiguous


def is_control(found: Answer, *, include_ambiguous: bool) -> bool:
    """Say whether a rule's reading can test a second reader: an answer, or a stated reason for none."""
    return not is_expected(found, include_ambiguous=include_ambiguous) and found.reason not in NOTHING_TO_READ
