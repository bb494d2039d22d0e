"""lm-evaluation-harness and inspect run on builds of ours, and what they wrote is scored as it is.

Each tool runs in a process of its own that reaches nothing but the loopback. Expected are, record for record, native
lines of the same texts: taken from the file by the standard library, or those that the model was told to give. Where a
tool is not installed its tests are skipped, unless MEDZH_REQUIRE_TOOLS is set, as .ci/run does for them.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from hub_client import client_of, served
from hub_samples import published

from dataset_scripts.command_line import main as build_command
from medzh_score.command_line import main

MINI = Path(__file__).parent.parent / "dataset_scripts" / "mini"
CONFIGS = ("pemebench_medqa", "sdak", "tcmd")
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
NO_CONNECTION = """
import sys
def refuse(event, arguments):
    if event in ("socket.getaddrinfo", "socket.connect", "subprocess.Popen"):
        raise AssertionError(f"scoring did {event} {arguments}")
sys.addaudithook(refuse)
from medzh_score.command_line import main
sys.exit(main(sys.argv[1:]))
"""
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
CHOICES = """
output_type: multiple_choice
metric_list: [{metric: acc, aggregation: mean, higher_is_better: true}]
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
INSPECT = """
import json, sys
from itertools import count
from inspect_ai import Task, eval as run
from inspect_ai.log import write_eval_log
from inspect_ai.dataset import FieldSpec, hf_dataset
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate
def main(answers, out, place, limit=None):
    answers = json.load(open(answers, encoding="utf-8"))
    turns = {prompt: count() for prompt in answers}
    def answer(messages, tools, choice, config):
        text, stop = answers[messages[-1].text][next(turns[messages[-1].text])]
        if stop == "error":
            raise RuntimeError(text)
        output = ModelOutput.from_content("mockllm/canned", text, stop)
        output.usage = ModelUsage()  # which it would count with a vocabulary that it downloads
        return output
    task = place
    if not place.startswith("hf/"):
        fields = FieldSpec(input="prompt", target="answer", metadata=["id"])
        fields.id = "no such column"
        data = hf_dataset(place, name="sdak", split="test", sample_fields=fields)
        task = Task(dataset=data, solver=generate(), scorer=match(), name="sdak")
    model = get_model("mockllm/canned", custom_outputs=answer)
    common = {"max_connections": 1, "fail_on_error": False, "log_format": "eval", "log_dir": out, "display": "none"}
    (log,) = run(task, model=model, epochs=2, limit=limit and int(limit), **common)
    assert log.status == "success", log.error
    write_eval_log(log, f"{out}/as.json", format="json")
main(*sys.argv[1:])
"""


def needs(module):
    if find_spec(module) is None:
        if os.environ.get("MEDZH_REQUIRE_TOOLS"):
            pytest.fail(f"{module} is not installed, which MEDZH_REQUIRE_TOOLS asks for")
        pytest.skip(f"{module} is not installed")


def native(path, lines):
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Build a config with verdicts and one with options."""
    out = tmp_path_factory.mktemp("build") / "medzh"
    for config in CONFIGS:
        assert build_command(["build", config, "--recipe", "mini", "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    """Give a function that runs Python with a home of its own and no way out."""
    home = tmp_path_factory.mktemp("home")
    (home / "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
    settings = {
        **{name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")},
        "PYTHONPATH": str(home),
        "HF_HOME": str(home / "hf"),
        "HF_HUB_OFFLINE": "1",
        "PYTHONUTF8": "1",
    }

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, *map(str, arguments)], cwd=home, env=settings, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run.folder = home
    return run


@pytest.fixture
def scored(tmp_path, build, capfd):
    """Give a function that scores a file: the report without what it says of the file, its items, and all of it."""

    def score(config, *files, options=()):
        out, items = tmp_path / "report.json", tmp_path / "items.jsonl"
        words = ["score", config, *map(str, files), "--data", str(build), "--bootstrap", "0", *options]
        status = main([*words, "--items", str(items), "--to", "json", "--out", str(out)])
        assert status == 0, capfd.readouterr().err
        report = json.loads(out.read_text(encoding="utf-8"))
        return {key: value for key, value in report.items() if key not in ("inputs", "model")}, lines_of(items), report

    return score


@pytest.fixture(scope="module")
def prompts(build, tool):
    """Give the answers of the sample by the prompt that they answer, and a second run of them turned round."""
    sample = {line["id"]: line["prediction"] for line in lines_of(MINI / "sdak" / "predictions.jsonl")}
    rows = json.loads(tool("-c", ROWS, build, "sdak"))
    return {row["prompt"]: (row["id"], [sample[row["id"]], sample[row["id"]][::-1]]) for row in rows}


ROWS = """
import json, sys
from medzh_score.records import load_records
print(json.dumps([dict(row) for row in load_records(config=sys.argv[2], data=sys.argv[1]).rows], default=str))
"""


# lm-evaluation-harness.


@pytest.fixture(scope="module")
def samples(build, tool, prompts):
    """Run the harness: its dummy model on texts, choices and prompt lines, then a model with real answers."""
    needs("lm_eval")
    tasks, sent, answers = tool.folder / "tasks", tool.folder / "sent.jsonl", tool.folder / "answers.json"
    tasks.mkdir()
    write = ["prompts", "tcmd", "--shots", "0", "--data", str(build), "--variants", "cyclic", "--to", "text"]
    assert main([*write, "--out", str(sent)]) == 0
    answers.write_text(json.dumps({prompt: texts for prompt, (_, texts) in prompts.items()}), encoding="utf-8")
    head = TASK.format(path=build)
    letters = "doc_to_choice: \"{{['A', 'B', 'C', 'D', 'E'][:(options | length)]}}\"\n"
    lines = f"dataset_path: json\ndataset_kwargs: {{data_files: {{test: {sent}}}}}\ntest_split: test\n"
    lines += 'doc_to_text: "{{text}}"\ndoc_to_target: "A"\n'
    for name, text in {
        "medzh_sdak": head + "dataset_name: sdak\n" + FILTERS,
        "medzh_choice": head + "dataset_name: pemebench_medqa\n" + CHOICES + letters,
        "medzh_lines": lines + CHOICES + 'doc_to_choice: ["A", "B", "C", "D", "E"]\n',
    }.items():
        (tasks / f"{name}.yaml").write_text(f"task: {name}\n{text}", encoding="utf-8")
    common = ("--include_path", tasks, "--output_path", tool.folder / "lm", "--log_samples")
    tool("-m", "lm_eval", "--model", "dummy", "--tasks", "medzh_sdak,medzh_choice,medzh_lines", *common)
    found = {path.name.split("_20")[0].removeprefix("samples_"): path for path in written(tool)}
    tool("-c", CANNED, answers, "--model", "canned", "--tasks", "medzh_sdak", *common)
    (found["canned"],) = set(written(tool)) - set(found.values())
    (found["results"], *_) = (tool.folder / "lm").rglob("results_*.json")
    return found


def written(tool):
    return sorted((tool.folder / "lm").rglob("samples_*.jsonl"))


def test_the_dummy_model_of_lm_eval(samples, scored, tmp_path):
    lines = lines_of(samples["medzh_sdak"])
    assert {line["filter"] for line in lines} == {"whole", "verdict"}
    same = [
        {"id": line["doc"]["id"], "prediction": text, "run": run}
        for line in lines
        if line["filter"] == "verdict"
        for run, text in enumerate(line["resps"][0])
    ]
    found, items, report = scored("sdak", samples["medzh_sdak"])
    assert (found, items) == scored("sdak", native(tmp_path / "n.jsonl", same))[:2]
    assert [one["reader"] for one in report["inputs"]] == ["lm-eval"]
    assert {item["run"] for item in items} == {0, 1}
    assert len(same) == len(lines)  # two filters, two repeats


def test_the_choices_of_lm_eval(samples, scored, tmp_path):
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
    found, items, _ = scored("pemebench_medqa", samples["medzh_choice"])
    assert (found, items) == scored("pemebench_medqa", native(tmp_path / "n.jsonl", same))[:2]
    right = {line["doc"]["id"]: line["acc"] for line in lines}
    assert {item["item"]: float(item["right"]) for item in items if item["run"] == 0} == right


def test_prompt_lines_with_variants_through_lm_eval(samples, scored, tmp_path):
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
    found, items, _ = scored("tcmd", samples["medzh_lines"])
    assert (found, items) == scored("tcmd", native(tmp_path / "n.jsonl", same))[:2]


def test_real_answers_through_lm_eval(samples, scored, tmp_path, prompts):
    same = [
        {"id": name, "prediction": text, "run": run}
        for name, texts in prompts.values()
        for run, text in enumerate(texts)
    ]
    found, items, _ = scored("sdak", samples["canned"])
    assert (found, items) == scored("sdak", native(tmp_path / "n.jsonl", same))[:2]
    assert [item for item in items if item["run"] == 0] == scored("sdak", MINI / "sdak" / "predictions.jsonl")[1]


def test_the_results_of_lm_eval_are_no_predictions(samples, build, capfd):
    assert main(["score", "sdak", str(samples["results"]), "--data", str(build)]) == 2
    assert "samples_" in capfd.readouterr().err


# inspect.


@pytest.fixture(scope="module")
def told(tool, prompts):
    """Write what the mock model is to say: in the first epoch some samples fail, are cut off, or are filtered."""
    stops = {0: "error", 1: "max_tokens", 2: "content_filter", 3: "model_length"}
    said = {
        prompt: [[texts[0], stops.get(place, "stop")], [texts[1], "stop"]]
        for place, (prompt, (_, texts)) in enumerate(prompts.items())
    }
    path = tool.folder / "told.json"
    path.write_text(json.dumps(said), encoding="utf-8")
    return path, said


@pytest.fixture(scope="module")
def logs(build, tool, told):
    """Run inspect, and have it write its log in both forms."""
    needs("inspect_ai")
    tool("-c", INSPECT, told[0], tool.folder / "logs", build)
    (zipped,) = (tool.folder / "logs").glob("*.eval")
    return {"eval": zipped, "json": tool.folder / "logs" / "as.json"}


def expected_of_inspect(prompts, said):
    """Native lines of what the model was told to say; what failed is not there."""
    return [
        {"id": name, "prediction": text, "run": run, **({} if stop == "stop" else {"finish_reason": reason(stop)})}
        for prompt, (name, _) in prompts.items()
        for run, (text, stop) in enumerate(said[prompt])
        if stop != "error"
    ]


def reason(stop):
    return stop if stop == "content_filter" else "length"


@pytest.mark.parametrize("kind", ["json", "eval"])
def test_logs_of_inspect(logs, scored, tmp_path, prompts, told, kind):
    same = expected_of_inspect(prompts, told[1])
    assert len(same) == 2 * len(prompts) - 1
    found, items, report = scored("sdak", logs[kind], options=("--missing", "wrong"))
    beside, expected, _ = scored("sdak", native(tmp_path / "n.jsonl", same), options=("--missing", "wrong"))
    assert items == expected
    coverage = found["coverage"]
    failed = next(iter(prompts.values()))
    told_so = f"1 requests failed and count as missing; first {failed[0]}: RuntimeError({failed[1][0]!r})."
    notes = beside.pop("notes")
    assert found.pop("notes") == [notes[0], told_so, *notes[1:]]
    assert found == beside
    assert (coverage["missing"], coverage["truncated"], coverage["refused"]) == (1, 2, 1)
    assert [one["reader"] for one in report["inputs"]] == ["inspect"]
    assert report["model"] == "mockllm/canned"


@pytest.mark.parametrize("kind", ["json", "eval"])
def test_scoring_a_log_opens_no_connection(logs, build, prompts, kind):
    words = ("score", "sdak", logs[kind], "--data", build, "--missing", "wrong", "--bootstrap", "0")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", NO_CONNECTION, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, f"{logs[kind]}: read as inspect\n")
    assert f"{2 * len(prompts) - 1} of {2 * len(prompts)} predictions read" in done.stdout


def damaged(name, content, folder):
    """Write a log otherwise than it is: halved, without a part, or with a sample that is none."""
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
        ("half", "broken zip"),
        ("no header", "inspect cannot read this log"),
        ("no samples", "holds no predictions"),
        ("broken", "inspect cannot read this log"),
    ],
)
def test_a_damaged_log_is_refused_in_a_line(logs, build, tmp_path, capfd, name, message):
    path = damaged(name, logs["eval"].read_bytes(), tmp_path)
    assert main(["score", "sdak", str(path), "--data", str(build)]) == 2
    found = capfd.readouterr().err
    assert message in found
    assert found.count("\n") == 1
    assert "Traceback" not in found


def test_a_run_that_was_killed_holds_what_had_ended(logs, scored, tmp_path):
    """The header and the summaries are written at the end; the journal and the samples are there before."""
    path = tmp_path / "killed.eval"
    with zipfile.ZipFile(logs["eval"]) as whole, zipfile.ZipFile(path, "w") as archive:
        samples = [name for name in whole.namelist() if name.startswith("samples/")]
        for name in ["_journal/start.json", *samples[:50]]:
            archive.writestr(name, whole.read(name))
    _, _, report = scored("sdak", path, options=("--missing", "wrong"))
    failed = sum("requests failed" in note for note in report["notes"])
    assert report["coverage"]["read"] == 50 - failed
    assert report["coverage"]["missing"] == report["coverage"]["expected"] - 50 + failed


def test_a_release_on_a_hub_by_its_own_tasks(tool, told, scored, tmp_path, prompts):
    """The file eval.yaml of the release says how; samples are numbered, and the ids come back in the metadata."""
    needs("inspect_ai")
    released = tmp_path / "medzh"
    assert build_command(["build", "sdak", "--recipe", "mini", "--out", str(released)]) == 0
    logs, path = tmp_path / "logs", str(tool.folder)
    with served() as hub:
        client = client_of(hub, tmp_path / "home")
        done = published(client, released, "1.0.0")
        assert done.returncode == 0, done.stdout
        done = client("-c", INSPECT, str(told[0]), str(logs), "hf/org/medzh/sdak@v1.0.0", "40", PYTHONPATH=path)
        assert done.returncode == 0, done.stdout + done.stderr
    assert {one["id"] for one in json.loads((logs / "as.json").read_text(encoding="utf-8"))["samples"]} > {1, 2}
    same = native(tmp_path / "n.jsonl", expected_of_inspect(dict([*prompts.items()][:40]), told[1]))
    (log,) = logs.glob("*.eval")
    items = [scored("sdak", path, options=("--missing", "wrong"))[1] for path in (log, same)]
    assert items[0] == items[1]
