"""Scoring what is whole and not yet scored, one unit of work after another."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError
from medzh_score.messages.progress import telling
from medzh_score.report.scoring import score

if TYPE_CHECKING:
    from medzh_score.report.results.basis import Texts
    from medzh_score.suites.work import Work


@dataclass(frozen=True)
class Done:
    """How a unit of work ended: well, or with what is wrong."""

    work: Work
    problem: str | None = None


def score_work(work: Work, texts: Texts) -> Done:
    """Score a model on a config and write its result folder; what is wrong with it stops nothing else."""
    try:
        with telling(quiet=True):
            report = score(
                work.config,
                work.predictions,
                work.data,
                prompts=list(work.prompts),
                rounds={name: list(files) for name, files in work.rounds.items()},
                round_sample=dict(work.samples),
                second_reader=work.second_reader,
                model=work.model,
            )
            report.save(Path(work.result), overwrite=True, texts=texts)
    except MedzhError as error:
        return Done(work, str(error))
    return Done(work)
