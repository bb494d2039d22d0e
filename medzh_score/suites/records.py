"""The records that a plan names, read for what it asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.data.records import BUILD_ADVICE, load_records
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from medzh_score.data.records import Records
    from medzh_score.suites.plan import Plan

ADVICE = "build it: medzh-build build CONFIG; or say where it lies: data in plan.toml (medzh-score suite plan --data)"


def planned_records(plan: Plan, config: str) -> Records:
    """Load the records of a config; where there are none, say where the plan names them."""
    try:
        return load_records(plan.data, config)
    except MedzhError as error:
        if error.advice != BUILD_ADVICE:
            raise
        raise MedzhError(error.problem, file=error.file, expected=error.expected, advice=ADVICE) from error
