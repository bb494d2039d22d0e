"""inspect and lm-evaluation-harness run our tasks, and print our headline: that of medzh-score, to the last digit.

Both answer from a file, without a network. These tests run where MEDZH_REQUIRE_TOOLS is set.
"""

from __future__ import annotations

import json

import pytest
from places import SAMPLES
from tool_runs import NEEDS_TOOLS, lines_of, native

from medzh_score.command_line import main

pytestmark = NEEDS_TOOLS
INSPECT = """
import json, os, sys
from itertools import count
from inspect_ai import eval as run
from inspect_ai.log import write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
def main(task, answers, epochs, out):
    answers = json.load(open(answers, encoding="utf-8"))
    turns = {prompt: count() for prompt in answers}
    def answer(messages, tools, choice, config):
        prompt = json.dumps([one.text for one in messages])
        output = ModelOutput.from_content("mockllm/canned", answers[prompt][next(turns[prompt])])
        output.usage = ModelUsage()  # which it would count with a vocabulary that it downloads
        return output
    model = get_model("mockllm/canned", custom_outputs=answer)
    os.chdir(os.path.dirname(task))  # inspect takes no absolute path
    quiet = {"max_connections": 1, "log_dir": "logs", "display": "none"}
    (log,) = run(os.path.basename(task), model=model, epochs=int(epochs), **quiet)
    assert log.status == "success", log.error
    write_eval_log(log, out, format="json")
    (scored,) = log.results.scores
    print(json.dumps({"name": scored.name, **{name: one.value for name, one in scored.metrics.items()}}))
main(*sys.argv[1:])
"""
# A model that answers as a file says, in place of the dummy model, whose answers are "lol".
CANNED = """
import json, sys
from itertools import count
from lm_eval.__main__ import cli_evaluate
from lm_eval.api.registry import register_model
from lm_eval.models.dummy import DummyLM
answers = json.load(open(sys.argv.pop(1), encoding="utf-8"))
@register_model("canned")
class Canned(DummyLM):
    def generate_until(self, requests, disable_tqdm=False):
        turns = {prompt: count() for prompt in answers}
        return [answers[one.arguments[0]][next(turns[one.arguments[0]])] for one in requests]
cli_evaluate()
"""


def told(folder, config, prompt_of):
    """Let every prompt be answered as the sample of its config does, then by the same turned round."""
    sample = {
        line["id"]: line["prediction"]
        for line in lines_of(SAMPLES / config / "predictions.jsonl")
        if not line.get("variant")
    }
    found = {}
    for line in lines_of(folder / "prompts.jsonl"):
        text = sample[line["id"]]
        found.setdefault(prompt_of(line), []).extend([text, text[::-1]])
    path = folder / "told.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


def headline_of(path, config, data, out, *more):
    words = ("score", config, path, "--data", data, "--bootstrap", "0", "--to", "json", "--out", out, *more)
    assert main([*map(str, words)]) == 0
    return json.loads(out.read_text(encoding="utf-8"))["headline"]


def sampled(config, tmp_path):
    """Write what the model answers as native lines: two runs."""
    lines = [line for line in lines_of(SAMPLES / config / "predictions.jsonl") if not line.get("variant")]
    runs = [
        {"id": one["id"], "prediction": one["prediction"][:: 1 - 2 * run], "run": run}
        for run in (0, 1)
        for one in lines
    ]
    return native(tmp_path / "native.jsonl", runs)


@pytest.mark.parametrize(("config", "more"), [("sdak", ()), ("tcmd", ("--shots", "0"))])
def test_inspect_prints_our_headline(tool, minis, tmp_path, config, more):
    folder = tmp_path / "task"
    assert main(["harness", "inspect", config, "--data", str(minis), "-o", str(folder), *more]) == 0
    answers = told(folder, config, lambda line: json.dumps([turn["content"] for turn in line["messages"]]))
    log = tmp_path / "log.json"
    printed = json.loads(tool("-c", INSPECT, folder / f"medzh_{config}.py", answers, 2, log).splitlines()[-1])
    ours = headline_of(log, config, minis, tmp_path / "ours.json")
    assert printed == {"name": config, ours["name"]: ours["value"]}
    same = sampled(config, tmp_path)
    assert headline_of(same, config, minis, tmp_path / "native.json") == ours
    sent = ("--prompts", folder / "prompts.jsonl")
    assert headline_of(log, config, minis, tmp_path / "sent.json", *sent) == ours


@pytest.mark.parametrize(("config", "more"), [("sdak", ()), ("tcmd", ("--shots", "0"))])
def test_lm_eval_prints_our_headline(tool, minis, tmp_path, config, more):
    folder, out = tmp_path / "task", tmp_path / "out"
    words = ("harness", "lm-eval", config, "--data", minis, "-o", folder, "--runs", 2, *more)
    assert main([*map(str, words)]) == 0
    answers = told(folder, config, lambda line: line["text"])
    common = ("--include_path", folder, "--output_path", out, "--log_samples")
    tool("-c", CANNED, answers, "--model", "canned", "--tasks", f"medzh_{config}", *common)
    (results,) = out.rglob("results_*.json")
    (samples,) = out.rglob("samples_*.jsonl")
    printed = json.loads(results.read_text(encoding="utf-8"))["results"][f"medzh_{config}"]
    ours = headline_of(samples, config, minis, tmp_path / "ours.json")
    assert printed[f"{ours['name']},none"] == ours["value"]
    same = sampled(config, tmp_path)
    assert headline_of(same, config, minis, tmp_path / "native.json") == ours


def test_what_a_later_round_gives_is_no_number_in_either_tool(tool, minis, tmp_path):
    folder = tmp_path / "inspect"
    assert main(["harness", "inspect", "cmhe_dd", "--data", str(minis), "-o", str(folder)]) == 0
    answers = told(folder, "cmhe_dd", lambda line: json.dumps([turn["content"] for turn in line["messages"]]))
    printed = tool("-c", INSPECT, folder / "medzh_cmhe_dd.py", answers, 1, tmp_path / "log.json")
    assert json.loads(printed.splitlines()[-1]) == {"name": "cmhe_dd"}
    folder, out = tmp_path / "lm-eval", tmp_path / "out"
    assert main(["harness", "lm-eval", "cmhe_dd", "--data", str(minis), "-o", str(folder)]) == 0
    answers = told(folder, "cmhe_dd", lambda line: line["text"])
    common = ("--include_path", folder, "--output_path", out)
    tool("-c", CANNED, answers, "--model", "canned", "--tasks", "medzh_cmhe_dd", *common)
    (results,) = out.rglob("results_*.json")
    assert "NaN" not in results.read_text(encoding="utf-8")
    assert json.loads(results.read_text(encoding="utf-8"))["results"]["medzh_cmhe_dd"]["F1-level-2,none"] is None


def test_the_dummy_model_of_lm_eval_scores_nothing(tool, minis, tmp_path):
    """It says "lol" to everything, in which no letter of an option stands."""
    folder, out = tmp_path / "task", tmp_path / "out"
    assert main(["harness", "lm-eval", "pemebench_medqa", "--data", str(minis), "-o", str(folder)]) == 0
    tool(
        "-m",
        "lm_eval",
        "--model",
        "dummy",
        "--tasks",
        "medzh_pemebench_medqa",
        "--include_path",
        folder,
        "--output_path",
        out,
    )
    (results,) = out.rglob("results_*.json")
    printed = json.loads(results.read_text(encoding="utf-8"))["results"]["medzh_pemebench_medqa"]
    assert printed["accuracy,none"] == 0.0
