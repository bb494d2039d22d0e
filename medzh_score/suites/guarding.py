"""A suite with a private config is its owner's alone: its folder, and all that is written while a command runs."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.files.writing import owner_only, refuse_readable
from medzh_score.suites.plan import PLAN, read_plan

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from medzh_score.suites.plan import Plan


def holds_private(plan: Plan) -> bool:
    """Say whether a suite asks a private config."""
    return any(find_config(asked.config).private for asked in plan.configs)


def guarded(suite: Path, plan: Plan) -> AbstractContextManager[None]:
    """Refuse a folder that others can read, and let what is written be the owner's; any other suite stays as it is."""
    if not holds_private(plan):
        return nullcontext()
    if suite.exists():
        refuse_readable(suite)
    return owner_only()


def guarded_if_there(suite: Path) -> AbstractContextManager[None]:
    """Guard a suite that has a plan already."""
    return guarded(suite, read_plan(suite)) if (suite / PLAN).is_file() else nullcontext()
