"""Predictions that do not fit what was asked: how each kind is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.errors import NAMED, MedzhError, shown
from medzh_score.prompts.codes import MOST_RUNS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from medzh_score.predictions.readers.prediction import Prediction


@dataclass(frozen=True)
class Place:
    """A prediction in its file, of which the name stands here; lines count from 1."""

    id: str
    run: int
    variant: int
    file: str
    line: int


def too_many_runs(path: Path, number: int) -> MedzhError:
    """Refuse numbers of lines that were taken for runs."""
    return MedzhError(
        f"more than {MOST_RUNS} runs",
        file=path,
        line=number,
        field="run",
        expected="the number of a run, from 0, not of a line",
    )


def no_such_variant(path: Path, number: int, prediction: Prediction, numbers: Collection[int]) -> MedzhError:
    """Refuse a variant in which something cannot be asked."""
    listed = sorted(numbers)
    known = ", ".join(map(str, listed)) if listed != list(range(len(listed))) else f"0 to {listed[-1]}"
    advice = "a variant is numbered by the rank of its permutation, as medzh-score prompts writes it"
    if len(listed) == 1:
        known, advice = "0", 'number repeated answers with "run"'
    return MedzhError(
        f"{shown(prediction.id)} has no such variant",
        file=path,
        line=number,
        field="variant",
        expected=known,
        found=prediction.variant,
        advice=advice,
    )


def repeated(path: Path, number: int, prediction: Prediction) -> MedzhError:
    """Refuse a second answer under the same key."""
    return MedzhError(
        "the same prediction twice",
        file=path,
        line=number,
        field="id",
        expected="each id once for a run and variant",
        found=f"{prediction.id} run {prediction.run} variant {prediction.variant}",
        advice='number repeated answers with "run", or give one file a run with --file-per-run',
    )


def both_ways(path: Path, number: int, identifier: str, family: str, ways: tuple[str, str]) -> MedzhError:
    """Refuse a group that is answered as a whole and in its parts."""
    return MedzhError(
        f"the group {family} is answered as {ways[0]} and as {ways[1]}",
        file=path,
        line=number,
        field="id",
        expected="one of the two",
        found=identifier,
        advice="keep the lines of one prompt form",
    )


class UnknownIdsError(MedzhError):
    """Ids that the data lack; ``ids`` are the first of them."""

    ids: Sequence[str] = ()

    def advise(self, *, advice: str | None) -> None:
        """Take better advice, where there is some."""
        self.advice = advice or self.advice


def unknown_ids(count: int, first: Sequence[str], place: tuple[Path, int] | None, such_as: str) -> UnknownIdsError:
    """Refuse ids that the data lack."""
    path, number = place or (None, None)
    named = ", ".join(shown(identifier) for identifier in first)
    more = ", …" if count > NAMED else ""
    error = UnknownIdsError(
        problem=f"{count} predictions have an id that the data lack ({named}{more})",
        file=path,
        line=number,
        field="id",
        expected=f"one such as {such_as}",
        found=first[0],
        advice="check that --data is the build whose prompts were sent",
    )
    error.ids = first
    return error
