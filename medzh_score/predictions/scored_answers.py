"""The answers of several models, of which judges are trained: by label, or by what lines and files are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.benchmark.judgements import Key
    from medzh_score.predictions.readers.several import PredictionFiles


@dataclass(frozen=True)
class Answers:
    """What models answered, and who, by id and run; empty texts are left out.

    Who answered is the label, else the model that the line names, else the file. Of several models runs are counted on,
    so that a run's number does not say whose it is.
    """

    texts: Mapping[Key, str]
    models: Mapping[Key, str]
    runs: tuple[int, ...]
    several: bool = False


def answers_of(models: Mapping[str, PredictionFiles]) -> Answers:
    """Read the answers of several models."""
    several = len(models) > 1
    texts: dict[Key, str] = {}
    named: dict[Key, str] = {}
    runs: dict[tuple[str, int], int] = {}
    for label, files in models.items():
        for one in files.opened():
            for number, prediction in one.lines:
                run = runs.setdefault((label, prediction.run), len(runs) if several else prediction.run)
                key = prediction.id, run
                if key in named:
                    raise MedzhError(
                        "is answered twice",
                        file=one.path,
                        line=number,
                        field="id",
                        found=f"{prediction.id} run {prediction.run}",
                        advice="name the models of several files: LABEL=FILE",
                    )
                named[key] = label or prediction.model or one.path.stem
                if prediction.error is None and prediction.prediction.strip():
                    texts[key] = prediction.prediction
    return Answers(texts, named, tuple(sorted(runs.values())), several)
