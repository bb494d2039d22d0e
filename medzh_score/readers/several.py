"""Several files as one set of predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.errors import MedzhError
from medzh_score.readers.recognise import find_reader

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from medzh_score.readers.prediction import Prediction


def predictions_of(
    paths: Sequence[Path], reader: str | None, *, file_per_run: bool
) -> Iterator[tuple[Path, Iterable[tuple[int, Prediction]]]]:
    """Open several files as one set of predictions.

    Parameters
    ----------
    paths : sequence of Path
        The files.
    reader : str or None
        The reader's name; None recognises it for each file.
    file_per_run : bool
        Number the files as runs, from 0; what they say of runs themselves must then be 0.

    Yields
    ------
    (Path, iterable of (int, Prediction))
        Each file with its line numbers and predictions.
    """
    for run, path in enumerate(paths):
        predictions = find_reader(path, reader).read(path)
        yield path, _as_run(path, predictions, run) if file_per_run else predictions


def texts_in(
    paths: Sequence[Path], reader: str | None, wanted: Collection[tuple[str, int]], *, file_per_run: bool
) -> dict[tuple[str, int], str]:
    """Read the texts of some predictions, as they came, and keep no others.

    Parameters
    ----------
    paths, reader, file_per_run
        As in `predictions_of`.
    wanted : collection of (str, int)
        Ids and runs.

    Returns
    -------
    dict of (str, int) to str
        Without those that did not come, or whose request failed.
    """
    return {
        (prediction.id, prediction.run): prediction.prediction
        for _, numbered in predictions_of(paths, reader, file_per_run=file_per_run)
        for _, prediction in numbered
        if (prediction.id, prediction.run) in wanted and prediction.error is None
    }


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
