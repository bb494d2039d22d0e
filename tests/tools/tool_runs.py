"""Processes in which the tools of others run on our builds: what they run, and what they may not do."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from places import SAMPLES

from medzh_score.data.records import load_records
from medzh_score.prompting.sent import UNKNOWN

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
# Calls lm-evaluation-harness again and again, for it takes seconds to start and, but for the cache, to read its own
# thousands of tasks for each call. The model "canned" answers as a file says.
LM_EVAL = """
import json, sys
from functools import cache
from itertools import count
from lm_eval.__main__ import cli_evaluate
from lm_eval.api.registry import register_model
from lm_eval.models.dummy import DummyLM
from lm_eval.tasks import _index
_index.load_yaml = cache(_index.load_yaml)
@register_model("canned")
class Canned(DummyLM):
    def generate_until(self, requests, disable_tqdm=False):
        answers = json.load(open(told, encoding="utf-8"))
        turns = {prompt: count() for prompt in answers}
        return [answers[one.arguments[0]][next(turns[one.arguments[0]])] for one in requests]
for told, *words in json.loads(sys.argv[1]):
    sys.argv[1:] = words
    cli_evaluate()
"""


def told_of_prompts(report, native):
    """Take from a report's signature what its file tells of how was asked, of which native lines tell nothing."""
    signed, unknown = report["signature"], [key for key, said in native["signature"].items() if said == UNKNOWN]
    told = {key: signed[key] for key in unknown if signed[key] != UNKNOWN}
    signed.update(dict.fromkeys(told, UNKNOWN))
    return told


class Tool:
    """Python with a home of its own that reaches nothing but the loopback."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
        self.settings = {
            **{name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")},
            "PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")])),
            "HF_HOME": str(folder / "hf"),
            "HF_HUB_OFFLINE": "1",
            "PYTHONUTF8": "1",
        }

    def __call__(self, *arguments):
        """Run it and give what it prints; it must succeed."""
        command = [sys.executable, *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, env=self.settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


DUMMY = ("", "--model", "dummy")


def lm_eval(tool, *calls):
    """Call lm-evaluation-harness with words behind the file of what its model is told to say."""
    tool("-c", LM_EVAL, json.dumps(calls, default=str))


def lines_of(path):
    """Read lines of JSON by the standard library."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def answers_of_sdak(build):
    """Give, by the prompt, its id and two answers: the sample's, and the same turned round."""
    sample = {line["id"]: line["prediction"] for line in lines_of(SAMPLES / "sdak" / "predictions.jsonl")}
    rows = load_records(build, "sdak").rows
    return {row["prompt"]: (row["id"], [sample[row["id"]], sample[row["id"]][::-1]]) for row in rows}
