"""What tests of suites share; each file has a fixture ``suite``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from medzh_score.command_line import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def add(suite: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Call ``suite add``: its status, and what it said."""

    def call(*arguments: object) -> tuple[int, str]:
        capsys.readouterr()
        return main(["suite", "add", str(suite), *map(str, arguments)]), capsys.readouterr().err

    return call
