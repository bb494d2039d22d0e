"""Logs that inspect and lm-evaluation-harness write of a small made-up task: sums, with two simulated models each."""

from __future__ import annotations

import json
import random

from tool_runs import lm_eval

SUMS, EPOCHS = 24, 2
SKILL = {"good": 0.8, "poor": 0.45}
INSPECT = """
import json, sys
from inspect_ai import Epochs, Task, eval as run, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, match, mean, scorer, stderr
from inspect_ai.solver import generate, solver

@scorer(metrics={"close": [mean(), stderr()], "even": [mean()]})
def parts():
    async def score(state, target):
        text = state.output.completion
        near = 1 / (1 + abs(int(text) - int(target.text))) if text.isdecimal() else 0.0
        return Score(value={"close": near, "even": "C" if text.isdecimal() and int(text) % 2 == 0 else "I"})
    return score

@scorer(metrics=[accuracy(), stderr()])
def letters():
    async def score(state, target):
        text = state.output.completion
        if text == "?":
            return Score(value=float("nan"))
        value = "C" if text == target.text else "P" if text[-1:] == target.text[-1:] else "N" if text == "pass" else "I"
        return Score(value=value)
    return score

@scorer(metrics=[mean()])
def close():
    async def score(state, target):
        return Score(value=1.0 if state.output.completion > target.text else 0.0)
    return score

@solver
def failing(ids):
    async def solve(state, generate):
        if state.sample_id in ids:
            raise RuntimeError("no server")
        return state
    return solve

def main(name, answers, out, options):
    samples = [
        Sample(id=one["id"], input=one["question"], target=one["target"], choices=options.get("choices"))
        for one in options["samples"]
    ]
    place = "exact" if options.get("strict") else "end"
    scorers = {"match": match(location=place), "parts": parts(), "letters": letters(), "close": close()}
    @task(name=options.get("task", "sums"))
    def sums(level: int = 1):
        solvers = [failing(options.get("failing", [])), generate()]
        chosen = [scorers[one] for one in options["scorers"]]
        return Task(dataset=samples, solver=solvers, scorer=chosen, version=options.get("version", 1))
    turns = {question: iter(texts) for question, texts in answers.items()}
    def answer(messages, tools, choice, config):
        output = ModelOutput.from_content(name, next(turns[messages[-1].text]))
        output.usage = ModelUsage()
        return output
    model = get_model(f"mockllm/{name}", custom_outputs=answer)
    epochs = Epochs(options.get("epochs", 2), options.get("reducer", "mean"))
    roles = {"grader": options["grader"]} if "grader" in options else {}
    quiet = {"model_roles": roles, "max_connections": 1, "max_samples": 1, "log_dir": out, "display": "none"}
    built = sums(level=options.get("level", 1))
    (log,) = run(built, model=model, epochs=epochs, fail_on_error=options.get("fail_on_error", False),
        log_format=options.get("format", "eval"), log_samples=options.get("log_samples", True), **quiet)
    print(json.dumps(log.location))

for call in json.loads(sys.argv[1]):
    main(*call)
"""
TASK = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{target}}}}"
generation_kwargs: {{until: [], do_sample: false}}
process_results: !function sums.scored
filter_list:
  - {{name: plain, filter: [{{function: take_first}}]}}
  - {{name: last, filter: [{{function: regex, regex_pattern: "([0-9])$"}}, {{function: take_first}}]}}
metric_list:
  - {{metric: exact_match, aggregation: mean, higher_is_better: true}}
  - {{metric: close, aggregation: mean, higher_is_better: true}}
  - {{metric: miss, aggregation: mean, higher_is_better: false}}
  - {{metric: most, aggregation: !function sums.most, higher_is_better: true}}
metadata: {{version: {version}}}
"""
SCORED = """
def scored(doc, results):
    text, target = results[0], doc["target"]
    near = 1 / (1 + abs(int(text) - int(target))) if text.isdecimal() else 0.0
    right = float(text == target)
    return {"exact_match": right, "close": near, "miss": 1 - near, "most": right}
def most(values):
    return max(values)
"""


def samples_of(count=SUMS):
    """Make sums, each with an id that is no position."""
    chosen = random.Random(1)  # noqa: S311 - nothing secret
    pairs = [(chosen.randrange(10, 90), chosen.randrange(10, 90)) for _ in range(count)]
    return [
        {"id": f"sum-{one * 7 % 31}-{one}", "question": f"{first} + {second} =", "target": str(first + second)}
        for one, (first, second) in enumerate(pairs)
    ]


def answers_of(model, samples, epochs=EPOCHS, unscored=0):
    """Let a model answer each sum in each epoch; ``?`` is an answer that no scorer scores."""
    chosen, found = random.Random(sum(map(ord, model))), {}  # noqa: S311 - nothing secret
    for place, one in enumerate(samples):
        texts = []
        for epoch in range(epochs):
            right = chosen.random() < SKILL[model]
            other = chosen.choice([str(int(one["target"]) + chosen.choice([-10, -1, 1, 10, 20])), "pass"])
            texts.append("?" if place * epochs + epoch < unscored else one["target"] if right else other)
        found[one["question"]] = texts
    return found


def inspect_logs(tool, folder, runs):
    """Run inspect once for all ``runs`` (name to model, options); give the log of each."""
    calls = []
    for name, (model, options) in runs.items():
        samples = options.get("samples") or samples_of()
        answers = answers_of(model, samples, options.get("epochs", EPOCHS), options.pop("unscored", 0))
        calls.append((model, answers, str(folder / name), {"scorers": ["match"], **options, "samples": samples}))
    printed = [json.loads(line) for line in tool("-c", INSPECT, json.dumps(calls)).splitlines() if line[:1] == '"']
    return dict(zip(runs, printed, strict=True))


def lm_eval_logs(tool, folder, runs):
    """Run lm-evaluation-harness for all ``runs`` (name to model, options); give the samples of each."""
    calls = []
    for name, (model, options) in runs.items():
        samples, place = options.get("samples") or samples_of(), folder / name
        (place / "task").mkdir(parents=True)
        data = place / "task" / "data.jsonl"
        data.write_text("".join(json.dumps(one) + "\n" for one in samples), encoding="utf-8")
        task, version = options.get("task", "sums"), options.get("version", 1.0)
        written = TASK.format(name=task, data=json.dumps(str(data)), version=version)
        (place / "task" / f"{task}.yaml").write_text(written, encoding="utf-8")
        (place / "task" / "sums.py").write_text(SCORED, encoding="utf-8")
        told = place / "told.json"
        told.write_text(json.dumps(answers_of(model, samples, 1)), encoding="utf-8")
        words = ("--model", "canned", "--tasks", task, "--include_path", place / "task")
        calls.append((told, *words, "--output_path", place / "out", "--log_samples"))
    lm_eval(tool, *calls)
    return {name: next((folder / name / "out").rglob("samples_*.jsonl")) for name in runs}
