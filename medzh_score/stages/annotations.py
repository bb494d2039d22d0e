"""Annotations: labels of stages about items."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.stages import UNNAMED, Annotations, Key, Labels, Source
from medzh_score.extraction.whole_text import is_overlong
from medzh_score.prompting.ids import (
    AnswerKey,
    key_text,
)
from medzh_score.prompting.positions import no_order
from medzh_score.readers.align import ModelNames
from medzh_score.stages.binding import StageItems, bind
from medzh_score.stages.label_files import (
    BLANK,
    EMPTY,
    FAILED,
    UNREADABLE,
    Label,
    LabelFile,
    list_blank_rows,
    read_label_files,
)
from medzh_score.ui.errors import NAMED, MedzhError, shown
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import Worded, quotable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import Record
    from medzh_score.benchmark.stages import Stage
    from medzh_score.io.open_input import Input
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.stages.binding import Codes


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
    files = read_label_files(stage, paths, order, annotator)
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
        list_blank_rows(labels)
    return tally.annotations([file for _unused, file in files])


def _with_codes_of_answers(labels: list[Label], stage: Stage, items: StageItems, codes: Codes | None) -> list[Label]:
    """Take codes of whole texts, as older labels have them, for those of the answers in them."""
    foreign = {one.key.id for one in labels if one.code and one.code not in (codes or {}).get(one.key.id, {}).values()}
    older = items.codes_by_older(stage, foreign) if codes is not None and foreign else {}
    return [replace(one, code=older.get((one.key.id, one.code), one.code)) for one in labels] if older else labels


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


def check_judged(stages: Iterable[Stage], judged: Mapping[str, Annotations], runs: Sequence[int]) -> None:
    """Refuse what judges the answers of a run that was not scored; a stage about records judges no answers."""
    for stage in stages:
        if stage.about == "records" or stage.name not in judged:
            continue
        for (_unused, run), (file, line) in judged[stage.name].places.items():
            if run not in runs:
                problem, known = _("the annotation is for a run without predictions"), ", ".join(map(str, runs))
                raise MedzhError(problem, file=file, line=line, field="run", expected=known, found=run)
