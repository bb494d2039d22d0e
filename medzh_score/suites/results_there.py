"""The results of a suite that may be shown: of the answers that are there, or brought without any."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.messages.errors import NAMED, MedzhError
from medzh_score.suites.answered import has_answers
from medzh_score.suites.places import results_of
from medzh_score.suites.stated_results import stated_in
from medzh_score.suites.work import is_of_inputs, work_of

if TYPE_CHECKING:
    from medzh_score.suites.plan import Plan


def results_there(suite: Path, plan: Plan, config: str | None = None) -> dict[Path, str]:
    """List result folders with the labels of their models, and refuse those of other answers than are there.

    Results that were brought from elsewhere, without answers or prompts, stand for themselves.
    """
    found = results_of(suite, config)
    others = [f"{model} {folder.name}" for folder, model in found.items() if _is_of_others(suite, plan, folder, model)]
    if others:
        problem = f"holds results of other answers than are there now ({', '.join(others[:NAMED])})"
        advice = f"score again: medzh-score suite score {suite}; what lacks before: medzh-score suite status {suite}"
        raise MedzhError(problem, file=suite, advice=advice)
    return found


def _is_of_others(suite: Path, plan: Plan, folder: Path, label: str) -> bool:
    """Say whether a result is of other inputs; one that was damaged is named where it is read."""
    if not has_answers(suite, folder.name, plan.model(label)):
        return False
    work, stated = work_of(suite, plan, label, folder.name), stated_in(folder)
    return stated is not None and Path(work.prompts[0]).exists() and not is_of_inputs(work, stated)
