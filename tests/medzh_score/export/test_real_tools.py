"""inspect and lm-evaluation-harness run our tasks, and print our headline: that of medzh-score, to the last digit.

Both answer from a file, without a network. These tests run where MEDZH_REQUIRE_TOOLS is set.
"""

from __future__ import annotations

import json

import pytest
from places import SAMPLES
from simulated import write_lines
from tool_runs import DUMMY, NEEDS_TOOLS, lines_of, lm_eval

from medzh_score.cli.main import main

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
for call in json.loads(sys.argv[1]):
    main(*call)
"""
TASKS = {"sdak": (), "tcmd": ("--shots", "0")}  # with the options of its prompts
JUDGED = "cmhe_ce"  # whose headline a later round gives


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


def primary_name_of(path, config, data, out, *more):
    words = ("score", config, path, "--data", data, "--bootstrap", "0", "--to", "json", "--output", out, *more)
    assert main([*map(str, words)]) == 0
    return json.loads(out.read_text(encoding="utf-8"))["primary_metric"]


def sampled(config, tmp_path):
    """Write what the model answers as native lines: two runs."""
    lines = [line for line in lines_of(SAMPLES / config / "predictions.jsonl") if not line.get("variant")]
    runs = [
        {"id": one["id"], "prediction": one["prediction"][:: 1 - 2 * run], "run": run}
        for run in (0, 1)
        for one in lines
    ]
    return write_lines(tmp_path / "native.jsonl", runs)


@pytest.fixture(scope="module")
def of_inspect(tool, minis, tmp_path_factory):
    """Run our tasks with inspect, in one process: of each config its folder, log and what inspect prints."""
    calls, found = [], {}
    for config, more in {**TASKS, JUDGED: ()}.items():
        folder = tmp_path_factory.mktemp(config) / "task"
        assert main(["harness", "inspect", config, "--data", str(minis), "-o", str(folder), *more]) == 0
        answers = told(folder, config, lambda line: json.dumps([turn["content"] for turn in line["messages"]]))
        calls.append([str(one) for one in (folder / f"medzh_{config}.py", answers, 2, folder / "log.json")])
        found[config] = folder
    printed = [json.loads(line) for line in tool("-c", INSPECT, json.dumps(calls)).splitlines() if line[:1] == "{"]
    return {config: (folder, one) for (config, folder), one in zip(found.items(), printed, strict=True)}


@pytest.mark.parametrize("config", TASKS)
def test_inspect_prints_our_headline(of_inspect, minis, tmp_path, config):
    folder, printed = of_inspect[config]
    log = folder / "log.json"
    ours = primary_name_of(log, config, minis, tmp_path / "ours.json")
    assert printed == {"name": config, ours["name"]: ours["value"]}
    same = sampled(config, tmp_path)
    assert primary_name_of(same, config, minis, tmp_path / "native.json") == ours
    sent = ("--prompts", folder / "prompts.jsonl")
    assert primary_name_of(log, config, minis, tmp_path / "sent.json", *sent) == ours


@pytest.fixture(scope="module")
def of_lm_eval(tool, minis, tmp_path_factory):
    """Run our tasks with lm-eval, in one process: the folder of each config. Its dummy model says "lol" to all."""
    calls, folders = [], {config: tmp_path_factory.mktemp(config) for config in (*TASKS, JUDGED, "pemebench_medqa")}
    for config, folder in folders.items():
        task, model, more = folder / "task", DUMMY, ()
        if config in TASKS:
            more = ("--runs", "2", *TASKS[config])
        assert main(["harness", "lm-eval", config, "--data", str(minis), "-o", str(task), *more]) == 0
        if config != "pemebench_medqa":
            model = (told(task, config, lambda line: line["text"]), "--model", "canned")
        places = ("--include_path", task, "--output_path", folder / "out", "--log_samples")
        calls.append((*model, "--tasks", f"medzh_{config}", *places))
    lm_eval(tool, *calls)
    return folders


def printed_by_lm_eval(folder, config):
    (results,) = (folder / "out").rglob("results_*.json")
    return json.loads(results.read_text(encoding="utf-8"))["results"][f"medzh_{config}"]


@pytest.mark.parametrize("config", TASKS)
def test_lm_eval_prints_our_headline(of_lm_eval, minis, tmp_path, config):
    (samples,) = (of_lm_eval[config] / "out").rglob("samples_*.jsonl")
    ours = primary_name_of(samples, config, minis, tmp_path / "ours.json")
    assert printed_by_lm_eval(of_lm_eval[config], config)[f"{ours['name']},none"] == ours["value"]
    same = sampled(config, tmp_path)
    assert primary_name_of(same, config, minis, tmp_path / "native.json") == ours


def test_what_a_later_round_gives_is_no_number_in_either_tool(of_inspect, of_lm_eval):
    _, printed = of_inspect[JUDGED]
    assert printed == {"name": JUDGED}
    (results,) = (of_lm_eval[JUDGED] / "out").rglob("results_*.json")
    assert "NaN" not in results.read_text(encoding="utf-8")
    assert printed_by_lm_eval(of_lm_eval[JUDGED], JUDGED)["accuracy,none"] is None


def test_the_dummy_model_of_lm_eval_scores_nothing(of_lm_eval):
    """In "lol" no letter of an option stands."""
    printed = printed_by_lm_eval(of_lm_eval["pemebench_medqa"], "pemebench_medqa")
    assert printed["accuracy,none"] == 0.0
