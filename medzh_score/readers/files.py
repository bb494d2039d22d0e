"""Several files as one set of predictions."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Protocol, cast

import msgspec

from medzh_score.extraction.thinking import may_hold_marks
from medzh_score.extraction.whole_text import answer_text
from medzh_score.io.open_input import InputFile
from medzh_score.io.paths import LIKELY, in_natural_order
from medzh_score.prompting.ids import judged_item_of
from medzh_score.prompting.positions import no_order
from medzh_score.readers import native
from medzh_score.readers.detect import find_reader
from medzh_score.readers.prediction import Shuffled
from medzh_score.ui.errors import NAMED, MedzhError, printable
from medzh_score.ui.i18n import _, joined
from medzh_score.ui.progress import defer_note, display_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from medzh_score.io.open_input import Input
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.readers.detect import Reader
    from medzh_score.readers.native import Batch
    from medzh_score.readers.prediction import Prediction

    Line = tuple[int, Prediction]


BATCH = 250
MARK_SIGNS = "<＜〈‹«[［【〔〖◁"  # with which all marks of a chat begin that are no head
HALVES = re.compile("[\ud800-\udfff]")
SHOWN_AS = {"native": _("native format"), "batch": _("batch output")}  # other forms by their names
MOST = 200  # files of a folder that are looked at: it may be a whole disk


class StoredQuestionCheck(Protocol):
    """What compares the questions that files hold with those that were to be asked."""

    unasked: bool

    def passing(self, predictions: Iterable[Line], path: Path) -> Iterator[Line]:
        """Let predictions pass."""


@dataclass(frozen=True)
class Opened:
    """Predictions as they are read: the file, as which form, and its lines; its hash is known when they are read."""

    path: Path
    reader: str
    batches: Iterable[Batch]
    accounted: Callable[[str], Input]

    @property
    def lines(self) -> Iterator[Line]:
        """Go through the lines one by one."""
        return (line for numbers, predictions in self.batches for line in zip(numbers, predictions, strict=True))

    @property
    def input(self) -> Input:
        """Account for it."""
        return self.accounted(self.reader)


@dataclass(frozen=True)
class PredictionFiles:
    """Predictions files as one set, and how they are read; without a reader's name each file is recognised.

    Reasoning is removed from all texts, and chat tokens are stripped, unless ``keep_reasoning`` is true.
    ``order`` is asked only by forms that name no ids. Of a later round, where a later response may replace an earlier
    one, ``standing`` has file and line of each item and run that counts. Questions that files hold are compared with
    ``questions``, where these are given.
    """

    paths: tuple[Path, ...]
    reader: str | None = None
    file_per_run: bool = False
    order: SentOrder = no_order
    keep_reasoning: bool = False
    standing: Mapping[tuple[str, int], tuple[Path, int]] | None = None
    questions: StoredQuestionCheck | None = None

    def __post_init__(self) -> None:
        """Refuse a folder, and a file that is named twice where its answers would be two runs."""
        for path in self.paths:
            refuse_folder(path)
        places = [path.resolve() for path in self.paths] if self.file_per_run else []
        for number, place in enumerate(places):
            if place in places[:number]:
                problem, advice = (
                    _("the file is specified twice"),
                    _("check whether a pattern also matches a file that is specified separately"),
                )
                raise MedzhError(problem, file=self.paths[number], expected=_("each file once"), advice=advice)

    def opened(self) -> Iterator[Opened]:
        """Open the files in turn, each until the next, and say as what they are read."""
        for run, one in enumerate(self.again()):
            form = SHOWN_AS.get(one.reader, one.reader)
            if self.file_per_run:
                defer_note(
                    _(
                        "{display_name}: read as {form}, run {run}",
                        display_name=display_name(one.path),
                        form=form,
                        run=run + 1,
                    )
                )
            else:
                defer_note(_("{display_name}: read as {form}", display_name=display_name(one.path), form=form))
            yield one

    def each(self) -> Iterator[Prediction]:
        """Read all predictions that did not fail again, without a word on how: once collected, they are sound."""
        return (one for opened in self.again() for _unused, one in opened.lines if one.error is None)

    def texts(self, ids: Collection[str], *, with_reasoning: bool = False) -> dict[tuple[str, int], str]:
        """Read the texts of some predictions, as a rule without reasoning, by id and run."""
        answers = replace(self, keep_reasoning=with_reasoning).each()
        return {(one.id, one.run): one.prediction for one in answers if one.id in ids}

    def again(self) -> Iterator[Opened]:
        """Open the files in turn, without a word."""
        for one in self.untouched():
            yield one if self.keep_reasoning else replace(one, batches=map(without_reasoning, one.batches))

    def untouched(self) -> Iterator[Opened]:
        """Open the files in turn, without a word; texts are as they came."""
        for run, path in enumerate(self.paths):
            with InputFile(path) as file:
                reader = find_reader(file, self.reader)
                yield Opened(path, reader.name, self._batches(run, file, reader), file.read_as)

    def _batches(self, run: int, file: InputFile, reader: Reader) -> Iterable[Batch]:
        if reader.name == "native" and not self.file_per_run and self.standing is None:
            if self.questions is not None:
                self.questions.unasked = True
            return native.blocks(file)
        predictions = cast("Iterable[Line]", map(_without_halves, reader.read(file, self.order)))
        if self.questions is not None:
            predictions = self.questions.passing(predictions, file.path)
        return in_batches(self._effective(predictions, file.path, run))

    def _effective(self, predictions: Iterable[Line], path: Path, run: int) -> Iterator[Line]:
        """Leave out what a later response replaced, and number the runs by the files where the user says so."""
        for number, prediction in predictions:
            one = prediction
            if self.standing is not None:
                key, _unused = judged_item_of(one.id, "", path, number)
                one = msgspec.structs.replace(one, id=key.id, run=key.run or one.run)
                if self.standing.get((one.id, one.run)) != (path, number):
                    continue
            if self.file_per_run:
                if one.run:
                    problem = _("the prediction has a run number, but --file-per-run numbers the runs by file")
                    raise MedzhError(problem, file=path, line=number, field="run", expected="0", found=one.run)
                one = msgspec.structs.replace(one, run=run)
            yield number, one


def without_reasoning(batch: Batch) -> Batch:
    """Leave of texts what is the answer."""
    numbers, predictions = batch
    texts = [one.prediction for one in predictions]
    together = "\0".join(texts)
    marked = "assistantfinal" in together or any(sign in together for sign in MARK_SIGNS)
    if marked or any(may_hold_marks(text) for text in texts if text[:1].isascii()):  # a head is ASCII
        return numbers, [_answer(one) if may_hold_marks(one.prediction) else one for one in predictions]
    return batch


def _answer(prediction: Prediction) -> Prediction:
    given = prediction.prediction
    text = answer_text(given)
    if text == given:
        return prediction
    if isinstance(given, Shuffled):
        text = Shuffled(text, given.orders)
    return msgspec.structs.replace(prediction, prediction=text)


def _without_halves(line: Line) -> Line:
    """Put U+FFFD for halves of characters, which tools' own decoders let through and no file can hold."""
    number, prediction = line
    try:
        prediction.prediction.encode("utf-8")
    except UnicodeEncodeError:
        text = HALVES.sub("\ufffd", prediction.prediction)
        return number, msgspec.structs.replace(prediction, prediction=text)
    return line


def in_batches(predictions: Iterable[Line]) -> Iterator[Batch]:
    """Gather lines; those before a faulty one come before its error."""
    numbers: list[int] = []
    found: list[Prediction] = []
    try:
        for number, prediction in predictions:
            numbers.append(number)
            found.append(prediction)
            if len(found) == BATCH:
                yield numbers, found
                numbers, found = [], []
    except MedzhError:
        if found:
            yield numbers, found
        raise
    if found:
        yield numbers, found


def refuse_folder(path: Path) -> None:
    """Refuse a folder, and name the files below it that can be read as predictions, each with its form."""
    if not path.is_dir():
        return
    likely = (one for one in path.rglob("*") if one.name.removesuffix(".gz").endswith(LIKELY) and one.is_file())
    names = in_natural_order(str(file.relative_to(path)) for file in islice(likely, MOST))
    forms = [f"{printable(name)} ({form})" for name in names if (form := _form_of(path / name)) is not None]
    if forms:
        advice = _(
            "specify a file in the folder: {forms}{value}",
            forms=joined(forms[:NAMED]),
            value=", …" if len(forms) > NAMED else "",
        )
    else:
        advice = _(
            "choose another path; none of the {n_names} checked files in the folder contains predictions",
            n_names=len(names),
        )
    raise MedzhError(_("the path is a folder"), file=path, expected=_("a file"), advice=advice)


def _form_of(path: Path) -> str | None:
    try:
        with InputFile(path) as file:
            return find_reader(file, None).name
    except MedzhError:
        return None
