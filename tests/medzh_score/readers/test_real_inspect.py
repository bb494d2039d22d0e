"""inspect runs on builds of ours, and its logs are scored as they are.

It runs in a process that reaches nothing but the loopback. Expected are, record for record, native lines
of the same texts: taken from the file by the standard library, or those that the model was told to give. These tests
run where MEDZH_REQUIRE_TOOLS is set, as .ci/run does for them; the tool must be installed then.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from importlib import import_module

import pytest
from sentences import sentences
from simulated import write_lines
from tool_runs import NEEDS_TOOLS, told_of_prompts

from medzh_score.cli.main import main

pytestmark = NEEDS_TOOLS
NO_CONNECTION = """
import sys
def refuse(event, arguments):
    if event in ("socket.getaddrinfo", "socket.connect", "subprocess.Popen"):
        raise AssertionError(f"scoring did {event} {arguments}")
sys.addaudithook(refuse)
from medzh_score.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
INSPECT = """
import json, sys
from itertools import count
from inspect_ai import Task, eval as run
from inspect_ai.log import write_eval_log
from inspect_ai.dataset import FieldSpec, hf_dataset
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate
def main(answers, out, place):
    answers = json.load(open(answers, encoding="utf-8"))
    turns = {prompt: count() for prompt in answers}
    def answer(messages, tools, choice, config):
        text, stop = answers[messages[-1].text][next(turns[messages[-1].text])]
        if stop == "error":
            raise RuntimeError(text)
        output = ModelOutput.from_content("mockllm/canned", text, stop)
        output.usage = ModelUsage()  # which it would count with a vocabulary that it downloads
        return output
    fields = FieldSpec(input="prompt", target="answer", metadata=["id"])
    fields.id = "no such column"
    data = hf_dataset(place, name="sdak", split="test", sample_fields=fields)
    task = Task(dataset=data, solver=generate(), scorer=match(), name="sdak")
    model = get_model("mockllm/canned", custom_outputs=answer)
    common = {"max_connections": 1, "fail_on_error": False, "log_format": "eval", "log_dir": out, "display": "none"}
    (log,) = run(task, model=model, epochs=2, **common)
    assert log.status == "success", log.error
    write_eval_log(log, f"{out}/as.json", format="json")
main(*sys.argv[1:])
"""


@pytest.fixture(scope="module")
def told(tool, told_answers):
    """Write what the mock model is to say: in the first epoch some samples fail, are cut off, or are filtered."""
    stops = {0: "error", 1: "max_tokens", 2: "content_filter", 3: "model_length"}
    said = {
        prompt: [[texts[0], stops.get(place, "stop")], [texts[1], "stop"]]
        for place, (prompt, (_, texts)) in enumerate(told_answers.items())
    }
    path = tool.folder / "told.json"
    path.write_text(json.dumps(said), encoding="utf-8")
    return path, said


@pytest.fixture(scope="module")
def logs(minis, tool, told):
    """Run inspect, and have it write its log in both forms."""
    tool("-c", INSPECT, told[0], tool.folder / "logs", minis)
    (zipped,) = (tool.folder / "logs").glob("*.eval")
    return {"eval": zipped, "json": tool.folder / "logs" / "as.json"}


def expected_of_inspect(told_answers, said):
    """Native lines of what the model was told to say; what failed is not there."""
    return [
        {"id": name, "prediction": text, "run": run, **({} if stop == "stop" else {"finish_reason": stop})}
        for prompt, (name, _) in told_answers.items()
        for run, (text, stop) in enumerate(said[prompt])
        if stop != "error"
    ]


@pytest.mark.parametrize("kind", ["json", "eval"])
def test_logs_of_inspect(logs, scored_as_is, tmp_path, told_answers, told, kind):
    same = expected_of_inspect(told_answers, told[1])
    assert len(same) == 2 * len(told_answers) - 1
    found, items, report = scored_as_is("sdak", logs[kind], "--missing", "wrong")
    beside, expected, _ = scored_as_is("sdak", write_lines(tmp_path / "n.jsonl", same), "--missing", "wrong")
    assert items == expected
    coverage = found["coverage"]
    failed = next(iter(told_answers.values()))
    told_so = f"1 request failed and counts as missing: {failed[0]}: RuntimeError({failed[1][0]!r})."
    notes = sentences(beside)
    assert sentences(found) == [notes[0], told_so, *notes[1:]]
    assert told_of_prompts(found, beside) == {"prompt": "paper-1", "format": "chat", "shots": "0"}
    del found["warnings"], beside["warnings"]
    assert found == beside
    declined = 4  # texts that say so, beside the one that was filtered
    assert (coverage["missing"], coverage["truncated"], coverage["refused"]) == (1, 2, declined + 1)
    assert [one["reader"] for one in report["inputs"]] == ["inspect"]
    assert report["model"] == "mockllm/canned"


@pytest.mark.parametrize("kind", ["json", "eval"])
def test_scoring_a_log_opens_no_connection(logs, minis, told_answers, kind):
    words = ("score", "sdak", logs[kind], "--data", minis, "--missing", "wrong", "--bootstrap", "0")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", NO_CONNECTION, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, f"{logs[kind]}: read as inspect\n")
    assert f" of {2 * len(told_answers)} predictions parsed" in done.stdout
    assert ", 1 missing" in " ".join(done.stdout.split())


def damaged(name, content, folder):
    """Write a log otherwise than it is: halved, without a part, or with a sample that is none."""
    import_module("inspect_ai.log")  # which teaches zipfile the compression of logs
    path = folder / "damaged.eval"
    if name == "half":
        path.write_bytes(content[: len(content) // 2])
        return path
    with zipfile.ZipFile(io.BytesIO(content)) as whole, zipfile.ZipFile(path, "w") as archive:
        for number, member in enumerate(whole.namelist()):
            sample = member.startswith("samples/")
            if not (name == "no header" and not sample) and not (name == "no samples" and sample):
                archive.writestr(member, b'{"id": ' if name == "broken" and number == 5 else whole.read(member))
    return path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("half", "invalid ZIP file"),
        ("no header", "inspect cannot load the log"),
        ("no samples", "no predictions found"),
        ("broken", "inspect cannot load the log"),
    ],
)
def test_a_damaged_log_is_refused_in_a_line(logs, minis, tmp_path, capfd, name, message):
    path = damaged(name, logs["eval"].read_bytes(), tmp_path)
    assert main(["score", "sdak", str(path), "--data", str(minis)]) == 2
    found = capfd.readouterr().err
    assert message in found
    assert found.replace("\n  Fix: ", " ").count("\n") == 1
    assert "Traceback" not in found


def test_a_run_that_was_killed_holds_what_had_ended(logs, scored_as_is, tmp_path):
    """The header and the summaries are written at the end; the journal and the samples are there before."""
    import_module("inspect_ai.log")  # which teaches zipfile the compression of logs
    path = tmp_path / "killed.eval"
    with zipfile.ZipFile(logs["eval"]) as whole, zipfile.ZipFile(path, "w") as archive:
        samples = [name for name in whole.namelist() if name.startswith("samples/")]
        for name in ["_journal/start.json", *samples[:50]]:
            archive.writestr(name, whole.read(name))
    _, _, report = scored_as_is("sdak", path, "--missing", "wrong")
    failed = sum(bool(re.search("requests? failed", note)) for note in sentences(report))
    assert report["coverage"]["read"] == 50 - failed
    assert report["coverage"]["missing"] == report["coverage"]["expected"] - 50 + failed
