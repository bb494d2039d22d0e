"""Answers to a suite's prompts, as models of different quality might give them, in the forms of several tools."""

from __future__ import annotations

import hashlib
import json
from functools import cache

from places import SAMPLES

from medzh_score.cli.main import main

# What judges answer: each is read by its round, whatever it is about.
JUDGED = {
    "entities": '["肺炎"]',
    "hallucination": "无",
    "codes": "J18.9",
    "correctness": "0.8",
    "interpretability": "0.7",
}


@cache
def written_by_hand():
    """Give the sample predictions of all configs by id."""
    lines = [
        json.loads(line)
        for path in sorted(SAMPLES.glob("*/predictions.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return {one["id"]: one["prediction"] for one in lines if one["prediction"].strip()}


def answer_to(line, model):
    """Answer a prompt: as the sample does, and in a share of the prompts that the model's name decides, otherwise."""
    if (named := line.get("stage")) is not None and named in JUDGED:
        return JUDGED[named]
    draw = hashlib.sha256(f"{model}:{line['id']}:{line.get('run', 0)}:{line.get('variant', 0)}".encode()).digest()[0]
    poor = 256 * len(model) / 40
    return "B" if draw < poor else written_by_hand().get(line["id"].partition("~")[0], "选A。")


def prompts_in(path):
    """Read a file of chat prompts."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def write_lines(path, lines):
    """Write JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def as_native(prompts, model, folder):
    """Write native lines."""
    lines = [
        {
            "id": line["id"],
            "run": line.get("run", 0),
            "variant": line.get("variant", 0),
            "prediction": answer_to(line, model),
            "model": model,
        }
        for line in prompts
    ]
    return write_lines(folder / "native.jsonl", lines)


def answered_suite(suite, models, data, *more):
    """Plan a suite, and add all first answers of its models."""
    assert main(["suite", "plan", str(suite), "--models", *models, "--data", str(data), *more, "--quiet"]) == 0
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    files = [
        as_native(prompts_in(path), model, suite.with_name(f"{suite.name}-came") / path.parent.name / model)
        for path in sorted((suite / "prompts").glob("*/answer.jsonl"))
        for model in models
    ]
    assert main(["suite", "add", str(suite), *map(str, files), "--quiet"]) == 0
    return suite


def as_lm_eval(prompts, model, folder):
    """Write samples as lm-evaluation-harness does, below a folder with the model's name."""
    lines = [
        {
            "doc_id": number,
            "doc": line,
            "target": "",
            "arguments": {"gen_args_0": {"arg_0": "", "arg_1": {}}},
            "resps": [[answer_to(line, model)]],
            "filtered_resps": [answer_to(line, model)],
            "filter": "none",
        }
        for number, line in enumerate(prompts)
    ]
    return write_lines(folder / model / "samples_medzh_2026-01-31T09-30-00.123456.jsonl", lines)


def as_inspect(prompts, model, folder):
    """Write a log as inspect does."""
    samples = [
        {
            "id": number,
            "epoch": 1,
            "input": "",
            "target": "",
            "messages": [],
            "output": {
                "model": model,
                "choices": [
                    {"message": {"role": "assistant", "content": answer_to(line, model)}, "stop_reason": "stop"}
                ],
                "completion": answer_to(line, model),
            },
            "metadata": {"id": line["id"], "run": line.get("run", 0), "variant": line.get("variant", 0)},
        }
        for number, line in enumerate(prompts)
    ]
    content = {
        "version": 2,
        "status": "success",
        "eval": {"task": "medzh", "model": model, "dataset": {"samples": len(samples)}},
        "plan": {"steps": []},
        "results": {},
        "stats": {},
        "samples": samples,
    }
    path = folder / "2026_medzh.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def as_batch(requests, folder, stages):
    """Answer the requests of a batch file, with the rounds of the ids where these are no first prompts."""
    lines = []
    for request in requests:
        name, model = request["custom_id"], request["body"]["model"]
        asked, _, place = name.partition("#") if "~" not in name else (name, "", "")
        line = {"id": asked, "run": place, **({"stage": stages[name]} if name in stages else {})}
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": answer_to(line, model)},
        }
        body = {"model": model, "choices": [choice]}
        lines.append({"custom_id": name, "response": {"status_code": 200, "body": body}, "error": None})
    return write_lines(folder / "batch.jsonl", lines)
