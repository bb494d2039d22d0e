"""lm-evaluation-harness runs on builds of ours, and what it wrote is scored as it is.

It runs in a process that reaches nothing but the loopback. Expected are, record for record, native lines
of the same texts: taken from the file by the standard library, or those that the model was told to give. These tests
run where MEDZH_REQUIRE_TOOLS is set, as .ci/run does for them; the tool must be installed then.
"""

from __future__ import annotations

import json

import pytest
from places import SAMPLES
from simulated import write_lines
from tool_runs import DUMMY, NEEDS_TOOLS, lines_of, lm_eval, told_of_prompts

from medzh_score.cli.main import main

pytestmark = NEEDS_TOOLS
TASK = """
dataset_path: {path}
test_split: test
metadata: {{version: 1.0}}
doc_to_text: "{{{{prompt}}}}"
doc_to_target: "{{{{answer}}}}"
repeats: 2
"""
FILTERS = """
output_type: generate_until
generation_kwargs: {until: [], do_sample: false}
metric_list: [{metric: exact_match, aggregation: mean, higher_is_better: true}]
filter_list:
  - {name: whole, filter: [{function: take_first}]}
  - {name: verdict, filter: [{function: regex, regex_pattern: "(正确|错误)"}, {function: take_first}]}
"""
GENERATED = {"prompt": "paper-1", "format": "text", "shots": "0", "generation": "do_sample=False"}  # of the two of SDAK
CHOICES = """
output_type: multiple_choice
metric_list: [{metric: acc, aggregation: mean, higher_is_better: true}]
"""


@pytest.fixture(scope="module")
def samples(minis, tool, told_answers):
    """Run the harness: its dummy model on texts, choices and prompt lines, then a model with real answers."""
    tasks, sent, answers = tool.folder / "tasks", tool.folder / "sent.jsonl", tool.folder / "answers.json"
    tasks.mkdir()
    write = ["prompts", "tcmd", "--shots", "0", "--data", str(minis), "--variants", "cyclic", "--to", "text"]
    assert main([*write, "--output", str(sent)]) == 0
    answers.write_text(json.dumps({prompt: texts for prompt, (_, texts) in told_answers.items()}), encoding="utf-8")
    head = TASK.format(path=minis)
    letters = "doc_to_choice: \"{{['A', 'B', 'C', 'D', 'E'][:(options | length)]}}\"\n"
    lines = f"dataset_path: json\ndataset_kwargs: {{data_files: {{test: {sent}}}}}\ntest_split: test\n"
    lines += 'doc_to_text: "{{text}}"\ndoc_to_target: "A"\n'
    for name, text in {
        "medzh_sdak": head + "dataset_name: sdak\n" + FILTERS,
        "medzh_choice": head + "dataset_name: pemebench_medqa\n" + CHOICES + letters,
        "medzh_lines": lines + CHOICES + 'doc_to_choice: ["A", "B", "C", "D", "E"]\n',
    }.items():
        (tasks / f"{name}.yaml").write_text(f"task: {name}\n{text}", encoding="utf-8")
    common = ("--include_path", tasks, "--log_samples", "--output_path")
    dummy = (*DUMMY, "--tasks", "medzh_sdak,medzh_choice,medzh_lines", *common, tool.folder / "lm")
    lm_eval(tool, dummy, (answers, "--model", "canned", "--tasks", "medzh_sdak", *common, tool.folder / "canned"))
    (canned,) = (tool.folder / "canned").rglob("samples_*.jsonl")
    (results,) = (tool.folder / "lm").rglob("results_*.json")
    found = (tool.folder / "lm").rglob("samples_*.jsonl")
    named = {path.name.split("_20")[0].removeprefix("samples_"): path for path in found}
    return {**named, "canned": canned, "results": results}


def test_the_dummy_model_of_lm_eval(samples, scored_as_is, tmp_path):
    lines = lines_of(samples["medzh_sdak"])
    assert {line["filter"] for line in lines} == {"whole", "verdict"}
    same = [
        {"id": line["doc"]["id"], "prediction": text, "run": run}
        for line in lines
        if line["filter"] == "verdict"
        for run, text in enumerate(line["resps"][0])
    ]
    found, items, report = scored_as_is("sdak", samples["medzh_sdak"])
    native, expected, _ = scored_as_is("sdak", write_lines(tmp_path / "n.jsonl", same))
    assert told_of_prompts(found, native) == GENERATED
    assert (found, items) == (native, expected)
    assert [one["reader"] for one in report["inputs"]] == ["lm-eval"]
    assert {item["run"] for item in items} == {0, 1}
    assert len(same) == len(lines)  # two filters, two repeats


def test_the_choices_of_lm_eval(samples, scored_as_is, tmp_path):
    """The likeliest letter by a loop of the test's own; our accuracy of the first run is the harness's."""
    lines = lines_of(samples["medzh_choice"])
    same = [
        {"id": line["doc"]["id"], "prediction": letter, "run": run}
        for line in lines
        for run in (0, 1)
        for letter in "ABCDE"[: len(line["resps"])]
        if all(float(one[run][0]) <= float(line["resps"]["ABCDE".index(letter)][run][0]) for one in line["resps"])
    ]
    assert len(same) == 2 * len(lines)
    found, items, _ = scored_as_is("pemebench_medqa", samples["medzh_choice"])
    native, expected, _ = scored_as_is("pemebench_medqa", write_lines(tmp_path / "n.jsonl", same))
    # The harness sends a text, and what it sends here is the turn of a chat: our texts end with 答案：.
    assert told_of_prompts(found, native) == {"prompt": "modified(7f1f6f7f)", "format": "likelihood"}
    assert (found, items) == (native, expected)
    right = {line["doc"]["id"]: line["acc"] for line in lines}
    assert {item["item"]: float(item["right"]) for item in items if item["run"] == 0} == right


def test_prompt_lines_with_variants_through_lm_eval(samples, scored_as_is, tmp_path):
    lines = lines_of(samples["medzh_lines"])
    assert {line["doc"].get("variant") for line in lines} > {None, 9}
    same = [
        {
            "id": line["doc"]["id"],
            "variant": line["doc"].get("variant") or 0,
            "prediction": max(zip(line["resps"], "ABCDE", strict=True), key=lambda one: float(one[0][0][0]))[1],
        }
        for line in lines
    ]
    found, items, _ = scored_as_is("tcmd", samples["medzh_lines"])
    native, expected, _ = scored_as_is("tcmd", write_lines(tmp_path / "n.jsonl", same))
    assert told_of_prompts(found, native) == {"prompt": "medzh-zh-1", "format": "likelihood", "shots": "0"}
    assert (found, items) == (native, expected)


def test_real_answers_through_lm_eval(samples, scored_as_is, tmp_path, told_answers):
    same = [
        {"id": name, "prediction": text, "run": run}
        for name, texts in told_answers.values()
        for run, text in enumerate(texts)
    ]
    found, items, _ = scored_as_is("sdak", samples["canned"])
    native, expected, _ = scored_as_is("sdak", write_lines(tmp_path / "n.jsonl", same))
    assert told_of_prompts(found, native) == GENERATED
    assert (found, items) == (native, expected)
    sample = SAMPLES / "sdak" / "predictions.jsonl"
    assert [item for item in items if item["run"] == 0] == scored_as_is("sdak", sample)[1]


def test_the_results_of_lm_eval_are_no_predictions(samples, minis, capfd):
    assert main(["score", "sdak", str(samples["results"]), "--data", str(minis)]) == 2
    assert "samples_" in capfd.readouterr().err
