"""Several files as one set of predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.errors import MedzhError
from medzh_score.readers import native
from medzh_score.readers.recognise import find_reader
from medzh_score.readers.sent_order import no_order

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from medzh_score.readers.prediction import Prediction
    from medzh_score.readers.sent_order import SentOrder

    Batch = tuple[Sequence[int], Sequence[Prediction]]  # numbers of lines, and what they say

BATCH = 1000


@dataclass(frozen=True)
class PredictionFiles:
    """Predictions files as one set, and how they are read.

    Attributes
    ----------
    paths : tuple of Path
        The files.
    reader : str or None
        The reader's name; None recognises it for each file.
    file_per_run : bool
        Number the files as runs, from 0; what they say of runs themselves must then be 0.
    order : callable
        Gives in which order prompts may have been sent, for forms that name no ids; called only by their readers.
    """

    paths: tuple[Path, ...]
    reader: str | None = None
    file_per_run: bool = False
    order: SentOrder = no_order

    def numbered(self) -> Iterator[tuple[Path, Iterable[tuple[int, Prediction]]]]:
        """Open the files in turn.

        Yields
        ------
        (Path, iterable of (int, Prediction))
            Each file with its line numbers and predictions.
        """
        for run, path in enumerate(self.paths):
            predictions = find_reader(path, self.reader).read(path, self.order)
            yield path, _as_run(path, predictions, run) if self.file_per_run else predictions

    def batches(self) -> Iterator[tuple[Path, Iterable[Batch]]]:
        """Open the files in turn, for who goes through many lines: a step of an iterator a line is most of the cost.

        Yields
        ------
        (Path, iterable of (sequence of int, sequence of Prediction))
            Each file with the numbers of lines that follow one another, and what they say. No batch is empty.
        """
        for run, path in enumerate(self.paths):
            reader = find_reader(path, self.reader)
            if reader.name == "native" and not self.file_per_run:
                yield path, native.blocks(path)
            else:
                predictions = reader.read(path, self.order)
                yield path, _in_batches(_as_run(path, predictions, run) if self.file_per_run else predictions)

    def texts(self, wanted: Collection[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """Read the texts of some predictions, as they came, and keep no others.

        Parameters
        ----------
        wanted : collection of (str, int)
            Ids and runs.

        Returns
        -------
        dict of (str, int) to str
            Without those that did not come, or whose request failed.
        """
        return {
            (prediction.id, prediction.run): prediction.prediction
            for _, numbered in self.numbered()
            for _, prediction in numbered
            if (prediction.id, prediction.run) in wanted and prediction.error is None
        }


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
