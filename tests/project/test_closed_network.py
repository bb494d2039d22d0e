"""The page on closed networks, run as it stands: what it fetches beforehand is all that an installation needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pages import shell_lines
from places import ROOT

PAGE = "docs/en/network.md"
CLOSED = ("unshare", "--map-root-user", "--net")
NEEDED = (
    "medzh_score",
    "dataset_scripts",
    "examples",
    "schemas",
    "cards",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "NOTICE",
)

pytestmark = pytest.mark.skipif(
    os.environ.get("MEDZH_REQUIRE_TOOLS") != "1", reason="downloads and installs packages: MEDZH_REQUIRE_TOOLS=1"
)


def run(line, cwd, *before):
    """Run a line of the page with this Python's commands on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    command = [*before, "sh", "-c", line]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False)


def test_what_the_page_carries_in_installs_and_scores_without_a_network(tmp_path):
    for name in NEEDED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    lines = [line for line in shell_lines(PAGE) if "suite" not in line]
    inside = lines.index("python3 -m venv build/inside")
    assert lines[:inside]
    for line in lines[:inside]:
        done = run(line, tmp_path)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    # No connection leads out of there.
    closed = run(
        "python3 -c 'import urllib.request as u; u.urlopen(\"http://127.0.0.1:9\", timeout=5)'", tmp_path, *CLOSED
    )
    assert "unreachable" in closed.stderr
    for line in lines[inside:]:
        done = run(line, tmp_path, *CLOSED)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    assert "80.4%" in done.stdout
