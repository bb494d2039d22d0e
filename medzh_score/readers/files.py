"""Several files as one set of predictions."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Protocol, cast

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
from medzh_score.ui.progress import defer_note, display_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.io.open_input import Input
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.readers.detect import Reader
    from medzh_score.readers.prediction import Prediction

    Line = tuple[int, Prediction]
    Batch = tuple[Sequence[int], Sequence[Prediction]]  # numbers of lines, and what they say


BATCH = 1000
HALVES = re.compile("[\ud800-\udfff]")
SAID = {"native": "native lines", "batch": "batch output"}  # other forms by their names


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
    def lines(self) -> Iterator[tuple[int, Prediction]]:
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
                raise MedzhError(
                    "is named twice",
                    file=self.paths[number],
                    expected="each file once",
                    advice="a pattern may match a file that is named by itself too",
                )

    def opened(self) -> Iterator[Opened]:
        """Open the files in turn, each until the next, and say as what they are read."""
        for run, one in enumerate(self.again()):
            form = SAID.get(one.reader, one.reader)
            if self.file_per_run:
                defer_note(f"{display_name(one.path)}: read as {form}, run {run}")
            else:
                defer_note(f"{display_name(one.path)}: read as {form}")
            yield one

    def each(self) -> Iterator[Prediction]:
        """Read all predictions again, without a word on how: once they were collected, they are known to be sound.

        For rounds that ask about answers: which of these a round takes follows from what was read of all of them.
        """
        for one in self.again():
            for _, prediction in one.lines:
                if prediction.error is None:
                    yield prediction

    def texts(self, ids: Collection[str], *, with_reasoning: bool = False) -> dict[tuple[str, int], str]:
        """Read the texts of some predictions, as a rule without reasoning, and keep no others.

        By id and run, without those that did not come, or whose request failed.
        """
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
        path, predictions = file.path, cast("Iterable[Line]", _whole(reader.read(file, self.order)))
        if self.questions is not None:
            predictions = self.questions.passing(predictions, path)
        if (places := self.standing) is not None:
            named = ((number, _as_judged(one, path, number)) for number, one in predictions)
            predictions = (one for one in named if places.get((one[1].id, one[1].run)) == (path, one[0]))
        return in_batches(_as_run(path, predictions, run) if self.file_per_run else predictions)


def without_reasoning(batch: Batch) -> Batch:
    """Leave of texts what is the answer."""
    numbers, predictions = batch
    return numbers, [_answer(one) if may_hold_marks(one.prediction) else one for one in predictions]


def _answer(prediction: Prediction) -> Prediction:
    import msgspec

    given = prediction.prediction
    text = answer_text(given)
    if text == given:
        return prediction
    if isinstance(given, Shuffled):
        text = Shuffled(text, given.orders)
    return msgspec.structs.replace(prediction, prediction=text)


def _whole(predictions: Iterable[tuple[int, Prediction]]) -> Iterator[tuple[int, Prediction]]:
    """Put U+FFFD for halves of characters, which tools' own decoders let through and no file can hold."""
    import msgspec

    for number, prediction in predictions:
        try:
            prediction.prediction.encode("utf-8")
        except UnicodeEncodeError:
            text = HALVES.sub("\ufffd", prediction.prediction)
            yield number, msgspec.structs.replace(prediction, prediction=text)
        else:
            yield number, prediction


def _as_judged(prediction: Prediction, path: Path, number: int) -> Prediction:
    import msgspec

    key, _ = judged_item_of(prediction.id, "", path, number)
    return msgspec.structs.replace(prediction, id=key.id, run=key.run or prediction.run)


def in_batches(predictions: Iterable[tuple[int, Prediction]]) -> Iterator[Batch]:
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


def _as_run(path: Path, predictions: Iterable[tuple[int, Prediction]], run: int) -> Iterator[tuple[int, Prediction]]:
    import msgspec

    for number, prediction in predictions:
        if prediction.run:
            raise MedzhError(
                "names its run while --file-per-run numbers the files",
                file=path,
                line=number,
                field="run",
                expected="0",
                found=prediction.run,
            )
        yield number, msgspec.structs.replace(prediction, run=run)


MOST = 200  # files that are looked at: a folder may be a whole disk


def refuse_folder(path: Path) -> None:
    """Refuse a folder, and name the files below it that can be read as predictions, each with its form."""
    if not path.is_dir():
        return
    names = in_natural_order(str(file.relative_to(path)) for file in islice(_likely(path), MOST))
    forms = {name: form for name in names if (form := _form_of(path / name)) is not None}
    listed = ", ".join(f"{printable(name)} ({form})" for name, form in list(forms.items())[:NAMED])
    more = ", …" if len(forms) > NAMED else ""
    if not forms:
        advice = f"no file in it holds predictions ({len(names)} looked at)"
    else:
        advice = f"name a file in it: {listed}{more}"
    raise MedzhError("is a folder", file=path, expected="a file", advice=advice)


def _likely(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.name.removesuffix(".gz").endswith(LIKELY) and file.is_file())


def _form_of(path: Path) -> str | None:
    try:
        with InputFile(path) as file:
            return find_reader(file, None).name
    except MedzhError:
        return None
