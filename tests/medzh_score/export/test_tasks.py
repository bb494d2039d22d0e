"""The files of tasks: they compile, ask the prompts that `prompts` writes, and our readers read what comes back."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from unittest.mock import MagicMock

import pytest
import yaml
from answer_forms import evalscope_line
from places import ROOT, SAMPLES
from simulated import write_lines
from tool_runs import lines_of

from medzh_score.cli.export import TOOLS
from medzh_score.export import harness
from medzh_score.export.harness import answer_of, primary_name, primary_name_by


@pytest.fixture
def written(calling, tmp_path, minis):
    """Give a function that writes a task and gives its folder."""

    def write(tool, config, *words):
        folder = tmp_path / f"{tool}-{config}"
        status, _, err = calling("harness", tool, config, "--data", minis, "-o", folder, *words)
        assert status == 0, err
        return folder

    return write


def answers_of(config):
    lines = lines_of(SAMPLES / config / "predictions.jsonl")
    return {line["id"]: line["prediction"] for line in lines if not line.get("variant")}


def test_the_command_and_the_writers_name_the_same_tools():
    assert harness.TOOLS == TOOLS


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("config", ["sdak", "tcmd", "pemebench"])
def test_the_prompts_are_those_of_the_command(written, calling, minis, tool, config):
    folder = written(tool, config)
    form = "text" if tool == "lm-eval" else "chat"
    _, expected, _ = calling("prompts", config, "--data", minis, "--to", form)
    assert (folder / "prompts.jsonl").read_text(encoding="utf-8") == expected
    for path in folder.glob("*.py"):
        ast.parse(path.read_text(encoding="utf-8"))


def test_a_folder_that_is_there_stays(written, calling, minis):
    folder = written("inspect", "sdak")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    words = ("harness", "inspect", "sdak", "--data", minis, "-o", folder)
    assert calling(*words)[0] == 0  # which holds the same
    status, _, err = calling(*words, "--runs", 2)
    assert status == 2
    assert "the folder contains other files" in err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_runs_are_epochs_of_inspect(written):
    """Were they samples, too, --epochs would give a run two answers."""
    pytest.importorskip("inspect_ai")
    from medzh_score.export.inspect_ai import inspect_task

    folder = written("inspect", "sdak", "--runs", "2")
    task = inspect_task(folder / "prompts.jsonl", "sdak", data="mini", origin="")
    assert (task.epochs, len(task.dataset), {sample.metadata.get("run") for sample in task.dataset}) == (2, 204, {None})


def test_the_task_of_lm_eval_says_what_ours_is(written):
    """Functions of the task file stand behind a tag that only the harness knows: they are taken as their names."""
    folder = written("lm-eval", "sdak")

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    task = yaml.load((folder / "medzh_sdak.yaml").read_text(encoding="utf-8"), Loader=Loader)  # noqa: S506 - a safe one
    assert task["generation_kwargs"]["until"] == []
    assert (task["generation_kwargs"]["max_gen_toks"], task["generation_kwargs"]["do_sample"]) == (128, True)
    (metric,) = task["metric_list"]
    names = {
        one.name
        for one in ast.walk(ast.parse((folder / "medzh_sdak_task.py").read_text("utf-8")))
        if isinstance(one, ast.FunctionDef)
    }
    assert (metric["metric"], metric["higher_is_better"]) == ("FactAcc", True)
    assert {"medzh_sdak_task." + name for name in names} == {task["custom_dataset"], task["process_results"]}
    assert metric["aggregation"] == "medzh_sdak_task.primary_metric"


def test_the_headline_in_a_tool_is_that_of_the_report(minis, calling):
    answers = answers_of("sdak")
    given = [answer_of({"id": name}, [text]) for name, text in answers.items()]
    words = ("score", "sdak", SAMPLES / "sdak" / "predictions.jsonl", "--data", minis, "--bootstrap", 0, "--to", "json")
    expected = json.loads(calling(*words)[1])
    assert (
        primary_name_by("sdak", data=str(minis), origin=expected["signature"]["data"])(given)
        == expected["primary_metric"]["value"]
    )


@pytest.mark.parametrize(
    ("left", "origin", "words"),
    [
        (3, "", "201 of 204 predictions are missing"),
        (204, "1.0.0/official/01234567", "the data differ from the data used for the prompts"),
    ],
)
def test_what_cannot_be_scored_is_no_number_and_stops_no_tool(minis, capsys, left, origin, words):
    given = [{"id": name, "prediction": text} for name, text in [*answers_of("sdak").items()][:left]]
    assert primary_name("sdak", str(minis), origin, given) is None
    err = capsys.readouterr().err
    assert words in err
    assert re.fullmatch(r"medzh-score: sdak: .+\n  Fix: .+\n", err)


def test_a_headline_that_a_later_round_gives_is_none_and_says_which(minis, capsys):
    given = [{"id": name, "prediction": text} for name, text in answers_of("cmhe_ce").items()]
    assert primary_name("cmhe_ce", str(minis), "", given) is None
    assert (
        "cmhe_ce: accuracy is not available: there are no responses for stage choose: write its prompts with "
        in capsys.readouterr().err
    )


# Of each tool: the form of its prompts, the modules that its example imports, and what it writes of a question.
EXAMPLES = {
    "evalscope": (
        "chat",
        ("evalscope",),
        "predictions/MODEL/general_qa_medzh_sdak.jsonl",
        lambda asked, said: [
            evalscope_line(line, text, at, {"id": "unknown"})
            for at, (line, text) in enumerate(zip(asked, said, strict=True))
        ],
    ),
    "opencompass": (
        "text",
        (
            "opencompass",
            "opencompass.datasets",
            "opencompass.openicl",
            "opencompass.openicl.icl_evaluator",
            "opencompass.openicl.icl_inferencer",
            "opencompass.openicl.icl_prompt_template",
            "opencompass.openicl.icl_retriever",
        ),
        "predictions/MODEL/medzh_sdak.json",
        lambda asked, said: {
            str(at): {"origin_prompt": [{"role": "HUMAN", "prompt": line["question"]}], "prediction": text}
            for at, (line, text) in enumerate(zip(asked, said, strict=True))
        },
    ),
}


@pytest.mark.parametrize("tool", EXAMPLES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_example_of_the_manual_writes_what_the_tool_asks_and_what_it_writes_is_read(
    calling, minis, tmp_path, monkeypatch, tool, language
):
    """Neither tool is installed: its own names are stand-ins, and its predictions are written in its form by hand."""
    form, modules, name, written_by_tool = EXAMPLES[tool]
    monkeypatch.chdir(tmp_path)
    assert calling("prompts", "sdak", "--data", minis, "--to", form, "-o", "prompts.jsonl")[0] == 0
    for module in modules:
        monkeypatch.setitem(sys.modules, module, MagicMock())
    manual = (ROOT / "docs" / language / "exports.md").read_text(encoding="utf-8")
    (example,) = [one for one in re.findall(r"```python\n(.*?)```", manual, re.DOTALL) if f"from {tool}" in one]
    exec(compile(example, "exports.md", "exec"), {})  # noqa: S102 - ours
    asked, prompts = lines_of(tmp_path / "medzh_sdak.jsonl"), lines_of(tmp_path / "prompts.jsonl")
    answers = answers_of("sdak")
    said = [answers[line["id"]] for line in prompts]
    found = written_by_tool(asked, said)
    out = tmp_path / name
    out.parent.mkdir(parents=True)
    texts = found if isinstance(found, list) else [found]
    out.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in texts), encoding="utf-8")
    same = write_lines(tmp_path / "native.jsonl", [{"id": name, "prediction": answers[name]} for name in answers])
    reports = []
    for file in (out, same):
        words = ("score", "sdak", file, "--data", minis, "--bootstrap", 0, "--to", "json", "--prompts", "prompts.jsonl")
        status, text, err = calling(*words)
        assert status == 0, err
        reports.append({key: value for key, value in json.loads(text).items() if key not in {"inputs", "model"}})
    signed = reports[0]["signature"]  # the tool asked by messages, whatever it was given, and states no settings
    assert (signed["prompt"], signed["format"], signed["generation"]) == ("paper-1", "chat", "unknown")
    same = {key: reports[1]["signature"][key] for key in ("format", "generation")}
    assert {**reports[0], "signature": {**signed, **same}} == reports[1]


def test_inspect_finds_scorers_by_the_name_of_the_package():
    """Inspect asks for the entry point that is called as the package in which scorers stand."""
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert points["inspect_ai"] == {"medzh_score": "medzh_score.export.inspect_ai"}
