"""What tests of suites share; each file has a fixture ``suite``."""

from __future__ import annotations

import pytest

from medzh_score.cli.main import main


@pytest.fixture
def add(suite, capsys):
    """Call ``suite add``: its status, and what it said."""

    def call(*arguments):
        capsys.readouterr()
        return main(["suite", "add", str(suite), *map(str, arguments)]), capsys.readouterr().err

    return call
