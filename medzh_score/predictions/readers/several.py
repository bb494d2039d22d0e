"""Several files as one set of predictions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError
from medzh_score.messages.progress import called, say_in_the_end
from medzh_score.predictions.readers import native
from medzh_score.predictions.readers.recognise import find_reader
from medzh_score.prompts.codes import judged_item_of
from medzh_score.prompts.sent_order import no_order

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.predictions.readers.recognise import Reader
    from medzh_score.prompts.sent_order import SentOrder

    Batch = tuple[Sequence[int], Sequence[Prediction]]  # numbers of lines, and what they say

BATCH = 1000
HALVES = re.compile("[\ud800-\udfff]")
SAID = {"native": "native lines", "batch": "batch output"}  # other forms by their names


@dataclass(frozen=True)
class PredictionFiles:
    """Predictions files as one set, and how they are read; without a reader's name each file is recognised.

    ``order`` is asked only by forms that name no ids. Of a later round, where a later response may replace an earlier
    one, ``standing`` has file and line of each item and run that counts.
    """

    paths: tuple[Path, ...]
    reader: str | None = None
    file_per_run: bool = False
    order: SentOrder = no_order
    standing: Mapping[tuple[str, int], tuple[Path, int]] | None = None
    _readers: dict[Path, Reader] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse a file that is named twice where its answers would be two runs."""
        places = [path.resolve() for path in self.paths] if self.file_per_run else []
        for number, place in enumerate(places):
            if place in places[:number]:
                raise MedzhError(
                    "is named twice",
                    file=self.paths[number],
                    expected="each file once",
                    advice="a pattern may match a file that is named by itself too",
                )

    def numbered(self) -> Iterator[tuple[Path, Iterable[tuple[int, Prediction]]]]:
        """Open the files in turn."""
        for run, path in enumerate(self.paths):
            yield path, self._read(run, path, self._said_reader(run, path))

    def batches(self) -> Iterator[tuple[Path, Iterable[Batch]]]:
        """Open the files in turn, for who goes through many lines: a step of an iterator a line is most of the cost."""
        for run, path in enumerate(self.paths):
            reader = self._said_reader(run, path)
            by_block = reader.name == "native" and not self.file_per_run and self.standing is None
            yield path, native.blocks(path) if by_block else _in_batches(self._read(run, path, reader))

    def _read(self, run: int, path: Path, reader: Reader) -> Iterable[tuple[int, Prediction]]:
        predictions: Iterable[tuple[int, Prediction]] = _whole(reader.read(path, self.order))
        if (places := self.standing) is not None:
            named = ((number, _as_judged(one, path, number)) for number, one in predictions)
            predictions = (one for one in named if places.get((one[1].id, one[1].run)) == (path, one[0]))
        return _as_run(path, predictions, run) if self.file_per_run else predictions

    def reader_of(self, path: Path) -> Reader:
        """Find a file's reader; each file is recognised once."""
        if path not in self._readers:
            self._readers[path] = find_reader(path, self.reader)
        return self._readers[path]

    def _said_reader(self, run: int, path: Path) -> Reader:
        """Find a file's reader, and say which it is."""
        reader = self.reader_of(path)
        form = SAID.get(reader.name, reader.name)
        if self.file_per_run:
            say_in_the_end(f"{called(path)}: read as {form}, run {run}")
        else:
            say_in_the_end(f"{called(path)}: read as {form}")
        return reader

    def each(self) -> Iterator[Prediction]:
        """Read all predictions again, without a word on how: once they were collected, they are known to be sound."""
        for run, path in enumerate(self.paths):
            for _, prediction in self._read(run, path, self.reader_of(path)):
                if prediction.error is None:
                    yield prediction

    def texts(self, ids: Collection[str]) -> dict[tuple[str, int], str]:
        """Read the texts of some predictions, as they came, and keep no others.

        By id and run, without those that did not come, or whose request failed.
        """
        return {
            (prediction.id, prediction.run): prediction.prediction for prediction in self.each() if prediction.id in ids
        }


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
    """Take the response of a later round as one to the item that its id names."""
    import msgspec

    key, _ = judged_item_of(prediction.id, "", path, number)
    return msgspec.structs.replace(prediction, id=key.id, run=key.run or prediction.run)


def _in_batches(predictions: Iterable[tuple[int, Prediction]]) -> Iterator[Batch]:
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
