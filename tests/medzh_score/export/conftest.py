"""Results that may be exported, and some that may not."""

from __future__ import annotations

import pytest
from told_results import told_build, told_result


@pytest.fixture(scope="session")
def told(minis, tmp_path_factory):
    """Give result folders of SDAK and TCMD: ``local`` and ``tag``."""
    folder = tmp_path_factory.mktemp("told")
    build = told_build(minis, folder / "medzh")
    return {
        "sdak": told_result(build, folder / "sdak", tag=False),
        "sdak at a tag": told_result(build, folder / "sdak-tag", tag=True, prompts=()),
        "tcmd": told_result(build, folder / "tcmd", "tcmd", tag=False),
        "tcmd at a tag": told_result(build, folder / "tcmd-tag", "tcmd", tag=True),
        "mini": told_result(minis, folder / "mini", tag=False),
    }
