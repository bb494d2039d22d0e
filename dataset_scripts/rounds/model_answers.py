"""Answers of models that came back for a stage of a recipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from dataset_scripts.rounds.answer_files import ANSWERS, answer_files
from dataset_scripts.rounds.responses import UNNAMED, Responses, check_once
from medzh_score.files.input_file import InputFile
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.recognise import find_reader
from medzh_score.prompts.sent_order import no_order

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from pathlib import Path

    from medzh_score.predictions.readers.prediction import Prediction

T = TypeVar("T")

BROKEN_OFF = ("length", "content_filter")  # why a text ends before its end, in the words of the OpenAI interface


def read_answers(folder: Path, ids: Container[str], read: Callable[[str, str], T | None]) -> Responses[str, T]:
    """Read every ``answers*`` file of a stage, in the order of the numbers in their names.

    A request that failed counts as not answered. A text that is empty, cut off or refused is unreadable, and so
    is one that `read` cannot read: it never takes the place of a value.
    """
    files, backups = answer_files(folder, ANSWERS)
    found: Responses[str, T] = Responses(backups=backups)
    for path in files:
        here: dict[str, T] = {}
        stale: list[str] = []
        lines = 0
        for number, prediction in _read(path):
            lines += 1
            if prediction.id not in ids:
                stale.append(prediction.id)
                continue
            _check_alone(prediction, path, number)
            check_once(prediction.id, here, path, number)
            value = _value(prediction, read)
            if value is not None:
                here[prediction.id] = value
                found.by[prediction.id] = prediction.model or UNNAMED
            elif prediction.error is None:
                found.unreadable.add(prediction.id)
        found.add(here, stale, lines, path)
    return found


def _read(path: Path) -> Iterator[tuple[int, Prediction]]:
    with InputFile(path) as file:
        yield from find_reader(file, None).read(file, no_order)


def _check_alone(prediction: Prediction, path: Path, number: int) -> None:
    if prediction.run or prediction.variant:
        field = "run" if prediction.run else "variant"
        raise MedzhError(
            "each prompt is asked once", file=path, line=number, field=field, expected="0", advice="keep one answer"
        )


def _value(prediction: Prediction, read: Callable[[str, str], T | None]) -> T | None:
    if prediction.error is not None or prediction.finish_reason in BROKEN_OFF or not prediction.prediction.strip():
        return None
    return read(prediction.prediction, prediction.id)
