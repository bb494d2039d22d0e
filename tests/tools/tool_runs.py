"""Processes in which the tools of others run on our builds: what they run, and what they may not do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from places import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

NEEDS_TOOLS = pytest.mark.skipif("MEDZH_REQUIRE_TOOLS" not in os.environ, reason="long: set MEDZH_REQUIRE_TOOLS")
# What stands in a folder on PYTHONPATH as sitecustomize.py.
NO_NETWORK = """
import sys
def refuse(event, arguments):
    if event == "socket.getaddrinfo" and arguments[0] not in ("127.0.0.1", "localhost", None):
        raise AssertionError(f"looked up {arguments[0]}")
    if event == "socket.connect" and isinstance(arguments[1], tuple) and arguments[1][0] not in ("127.0.0.1", "::1"):
        raise AssertionError(f"connected to {arguments[1]}")
sys.addaudithook(refuse)
"""
ROWS = """
import json, sys
from medzh_score.data.records import load_records
print(json.dumps([dict(row) for row in load_records(config=sys.argv[2], data=sys.argv[1]).rows], default=str))
"""


class Tool:
    """Python with a home of its own that reaches nothing but the loopback."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
        self.settings = {
            **{name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")},
            "PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")])),
            "HF_HOME": str(folder / "hf"),
            "HF_HUB_OFFLINE": "1",
            "PYTHONUTF8": "1",
        }

    def __call__(self, *arguments: object) -> str:
        """Run it and give what it prints; it must succeed."""
        command = [sys.executable, *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, env=self.settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def native(path: Path, lines: list[dict[str, object]]) -> Path:
    """Write native lines."""
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def lines_of(path: Path) -> list[Any]:
    """Read lines of JSON by the standard library."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def answers_of_sdak(tool: Tool, build: Path) -> dict[str, tuple[str, list[str]]]:
    """Give, by the prompt, its id and two answers: the sample's, and the same turned round."""
    sample = {line["id"]: line["prediction"] for line in lines_of(SAMPLES / "sdak" / "predictions.jsonl")}
    rows = json.loads(tool("-c", ROWS, build, "sdak"))
    return {row["prompt"]: (row["id"], [sample[row["id"]], sample[row["id"]][::-1]]) for row in rows}
