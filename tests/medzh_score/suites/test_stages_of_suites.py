"""No model is scored before its later rounds were asked about the answers that are there, and came back."""

from __future__ import annotations

import json
import re

import pytest
from deadly import results_in
from simulated import as_native, prompts_in

from medzh_score.cli.main import main
from medzh_score.suites.plan import read_plan
from medzh_score.suites.prompts import notes_on_later_stages


class Suite:
    """A suite of some models on a config, and what is done with it."""

    def __init__(self, folder, data, config, models, *judges):
        self.path, self.folder, self.config = folder / "suite", folder, config
        named = [part for one in judges for part in ("--judge", one)]
        self.call("plan", "--models", *models, "--configs", config, "--data", str(data), *named)

    def call(self, step, *arguments):
        assert main(["suite", step, str(self.path), *map(str, arguments), "--quiet"]) == 0

    def add(self, model, prompts, *options, changed=None):
        file = as_native(prompts, model, self.folder / model / str(len(list(self.folder.rglob("*.jsonl")))))
        if changed is not None:
            lines = [json.loads(line) | {"prediction": changed} for line in file.read_text("utf-8").splitlines()]
            file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        self.call("add", file, *options)

    def first(self, model, **more):
        self.add(model, prompts_in(self.path / "prompts" / self.config / "answer.jsonl"), **more)

    def answer(self, label):
        """Call ``suite prompts``, and answer all that is asked of somebody then."""
        self.call("prompts")
        for path in sorted((self.path / "outbox" / label).glob("*.jsonl")):
            self.add(label, prompts_in(path))


@pytest.fixture
def begin(tmp_path, minis):
    return lambda *arguments: Suite(tmp_path, minis, *arguments)


@pytest.fixture
def status(capsys):
    """Read what ``suite status`` says: rows by round and model, and the next steps."""

    def read(suite):
        capsys.readouterr()
        lacks = main(["suite", "status", str(suite.path), "--to", "json"]) == 3
        found = json.loads(capsys.readouterr().out)
        assert found["lacks"] == lacks
        steps = [step.removeprefix("medzh-score ").replace(str(suite.path), "S") for step in found["next"]]
        return {(row["stage"], row["model"]): row for row in found["rows"]}, steps

    return read


@pytest.fixture
def score(capsys):
    """Call ``suite score``: what it did."""

    def call(suite):
        capsys.readouterr()
        assert main(["suite", "score", str(suite.path)]) == 0
        return capsys.readouterr().err.splitlines()[-1]

    return call


WAITS, SCORED = (
    "0 scored, 0 failed, 0 already scored, 1 incomplete",
    "1 scored, 0 failed, 0 already scored, 0 incomplete",
)


@pytest.mark.parametrize(
    ("config", "judges", "later", "by"),
    [
        ("cmhe_ce", (), "choose", "glm"),
        ("pemebench", ("hallucination=j",), "hallucination", "j"),
        ("cmhe_dd", ("codes=j",), "codes", "j"),
        ("cmhe_hd", ("fallback=j",), "fallback", "j"),
    ],
)
def test_a_round_that_was_not_asked_so_far_is_waited_for(begin, status, score, config, judges, later, by):
    suite = begin(config, ["glm"], *judges)
    suite.first("glm")
    rows, steps = status(suite)
    assert (rows["answer", "glm"]["asked"], rows[later, "glm"]["asked"]) == ("yes", "no")
    assert rows["answer", "glm"]["scored"] == "no"
    assert steps == ["suite prompts S  # 0 calls, 0 characters; tasks without prompts: 1"]
    assert score(suite) == WAITS
    assert not results_in(suite.path)
    suite.answer(by)
    assert status(suite)[1] == ["suite score S  # 1 of 1 ready"]
    assert score(suite) == SCORED
    rows, steps = status(suite)
    assert (rows["answer", "glm"]["scored"], steps) == ("yes", ["summary S"])
    (report,) = [json.loads(one) for name, one in results_in(suite.path).items() if name.endswith("report.json")]
    assert report["primary_metric"]["value"] is not None
    (note,) = [one for one in notes_on_later_stages(read_plan(suite.path)) if one.startswith(f"{config} {later},")]
    most = int(re.search(r"at most ([\d,]+) calls per model$", note)[1].replace(",", ""))
    sent = len(prompts_in(suite.path / "prompts" / config / f"{later}--glm.jsonl"))
    assert sent == most or later in ("fallback", "codes")
    assert 0 < sent <= most


def test_where_nothing_can_be_asked_about_nothing_is_waited_for(begin, status, score):
    suite = begin("cmhe_dd", ["glm"], "codes=j")
    suite.first("glm", changed=" ")
    assert score(suite) == WAITS
    suite.call("prompts")
    assert [stage_name for stage_name, _ in status(suite)[0]] == ["answer", "codes"]
    assert not (suite.path / "prompts" / "cmhe_dd" / "codes--glm.jsonl").exists()
    assert score(suite) == SCORED
    assert status(suite)[1] == ["summary S"]


def test_answers_that_took_the_place_of_others_are_asked_about_again(begin, status, score):
    suite = begin("cmhe_ce", ["glm"])
    suite.first("glm")
    suite.answer("glm")
    assert score(suite) == SCORED
    suite.add("glm", prompts_in(suite.path / "prompts/cmhe_ce/answer.jsonl")[:3], "--overwrite", changed="不知道。")
    assert score(suite) == WAITS
    assert status(suite)[0]["choose", "glm"]["asked"] == "no"
    suite.call("prompts")
    row = status(suite)[0]["choose", "glm"]
    assert (row["asked"], row["sent"], row["missing"]) == ("yes", 40, 3)
    assert score(suite) == WAITS
    suite.answer("glm")
    assert score(suite) == SCORED


def test_a_round_that_was_answered_is_not_drawn_otherwise(begin, score, capsys):
    suite = begin("pemebench", ["glm"], "hallucination=j")
    suite.first("glm")
    plan = suite.path / "plan.toml"
    text = plan.read_text("utf-8").replace("seed = 0\n", "")
    plan.write_text(f"{text}sample = 5\nseed = 1\n", encoding="utf-8")
    suite.call("prompts")
    suite.answer("j")
    assert score(suite) == SCORED
    plan.write_text(f"{text}sample = 4\nseed = 1\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["suite", "prompts", str(suite.path)]) == 2
    differing = "j already answered, but the prompts of the current plan or data differ from the sent prompts\n"
    assert f'field "judges.pemebench/hallucination.sample": {differing}' in capsys.readouterr().err
    plan.write_text(f"{text}sample = 5\nseed = 1\n", encoding="utf-8")
    assert score(suite) == "0 scored, 0 failed, 1 already scored, 0 incomplete"


def test_a_round_about_all_models_waits_for_no_other_and_scores_none_that_it_lacks(begin, status, score):
    suite = begin("care_mi", ["glm", "qwen"], "correctness=j", "interpretability=j")
    suite.first("glm")
    suite.answer("j")
    suite.first("qwen")
    assert score(suite) == "1 scored, 0 failed, 0 already scored, 1 incomplete"
    assert {name.partition("/")[0] for name in results_in(suite.path)} == {"glm"}
    rows, steps = status(suite)
    assert (rows["answer", "glm"]["scored"], rows["answer", "qwen"]["scored"]) == ("yes", "no")
    assert rows["correctness", "all"]["asked"] == "no"
    assert steps[0].endswith("; tasks without prompts: 2")
    suite.answer("j")
    assert score(suite) == "2 scored, 0 failed, 0 already scored, 0 incomplete"
    assert status(suite)[1] == ["summary S"]


def test_a_model_waits_for_nothing_that_only_another_lacks(begin, status, score):
    suite = begin("cmhe_ce", ["glm", "qwen"])
    suite.first("glm")
    suite.first("qwen")
    suite.answer("qwen")
    assert status(suite)[0]["choose", "glm"]["missing"] > 0
    assert score(suite) == "1 scored, 0 failed, 0 already scored, 1 incomplete"
    assert {name.partition("/")[0] for name in results_in(suite.path)} == {"qwen"}
    assert status(suite)[0]["answer", "qwen"]["scored"] == "yes"


def test_judges_of_one_round_are_asked_alike(begin, capsys):
    suite = begin("cmhe_dd", ["glm"], "codes=j")
    plan = suite.path / "plan.toml"
    other = '\n[[judges]]\nstage = "cmhe_dd/codes"\nlabel = "k"\nsample = 5\n'
    plan.write_text(plan.read_text("utf-8") + other, encoding="utf-8")
    assert main(["suite", "prompts", str(suite.path)]) == 2
    assert 'field "judges": the judges of a stage have different settings' in capsys.readouterr().err


@pytest.mark.parametrize("changed", ["the second reader", "the label", "what reads"])
def test_a_result_that_would_now_be_another_is_made_again(begin, status, score, monkeypatch, changed):
    suite = begin("cmhe_hd", ["glm"], "fallback=j", "audit=j")
    suite.first("glm")
    suite.answer("j")
    assert score(suite) == SCORED
    assert score(suite) == "0 scored, 0 failed, 1 already scored, 0 incomplete"
    (path,) = suite.path.glob("results/*/*/report.json")
    before = path.read_bytes()
    plan = suite.path / "plan.toml"
    text = plan.read_text("utf-8")
    if changed == "what reads":
        monkeypatch.setattr("medzh_score.benchmark.rules.digest", lambda: "01234567")
    elif changed == "the label":
        for place in ("prompts", "results", "answers"):
            for one in sorted((suite.path / place).rglob("*glm*")):
                one.rename(one.with_name(one.name.replace("glm", "other")))
        plan.write_text(text.replace('"glm"', '"other"\nserved = ["glm"]'), encoding="utf-8")
        lock = suite.path / "prompts" / "plan.lock"
        lock.write_text(lock.read_text("utf-8").replace("glm", "other"), encoding="utf-8")
    else:
        for one in sorted(suite.path.glob("answers/*/*/fallback--j.jsonl")):
            one.rename(one.with_name("fallback--k.jsonl"))
        plan.write_text(text.replace('"j"', '"k"\nserved = ["j"]', 1), encoding="utf-8")
    assert status(suite)[1] == ["suite score S  # 1 of 1 ready"]
    assert score(suite) == SCORED
    assert score(suite) == "0 scored, 0 failed, 1 already scored, 0 incomplete"
    assert [one.read_bytes() for one in suite.path.glob("results/*/*/report.json")] != [before]


def test_a_setting_that_a_server_refuses_is_left_out_and_the_signature_says_so(begin, score, capsys):
    suite = begin("cmhe_ce", ["glm"])
    plan = suite.path / "plan.toml"
    text = plan.read_text("utf-8")
    plan.write_text(text.replace('label = "glm"\n', 'label = "glm"\nunsent = ["topk"]\n'), encoding="utf-8")
    assert main(["suite", "prompts", str(suite.path)]) == 2
    problem = "the configs do not have this setting, or it is set in `generation`"
    assert f'field "models.unsent": {problem}: expected ' in capsys.readouterr().err
    plan.write_text(text.replace('label = "glm"\n', 'label = "glm"\nunsent = ["top_k"]\n'), encoding="utf-8")
    assert main(["suite", "prompts", str(suite.path), "--to", "openai-batch"]) == 0
    bodies = [line["body"] for line in prompts_in(suite.path / "outbox" / "glm.jsonl")]
    assert {"temperature" in body and "top_k" not in body for body in bodies} == {True}
    note = "glm: these settings of the papers are not sent: top_k. The signature records this."
    assert note in capsys.readouterr().err
    suite.add("glm", prompts_in(suite.path / "prompts" / "cmhe_ce" / "answer--glm.jsonl"))
    suite.answer("glm")
    assert score(suite) == SCORED
    (report,) = [json.loads(one) for name, one in results_in(suite.path).items() if name.endswith("report.json")]
    assert report["signature"]["generation"] == "repetition_penalty=1.1,temperature=0.5,top_p=0.7"
    assert "top_k" not in report["signature"]["stages"]


def test_what_goes_with_every_request_stands_in_prompts_and_signature(begin, score):
    suite = begin("cmhe_ce", ["glm"])
    plan, extra = suite.path / "plan.toml", {"chat_template_kwargs": {"enable_thinking": False}}
    switch = "extra_body = { chat_template_kwargs = { enable_thinking = false } }"
    text = plan.read_text("utf-8").replace('label = "glm"\n', f'label = "glm"\n{switch}\n')
    plan.write_text(text, encoding="utf-8")
    suite.call("prompts", "--to", "openai-batch")
    bodies = [line["body"] for line in prompts_in(suite.path / "outbox" / "glm.jsonl")]
    assert bodies
    assert all(body.items() >= extra.items() for body in bodies)
    lines = prompts_in(suite.path / "prompts" / "cmhe_ce" / "answer--glm.jsonl")
    assert {json.dumps(line["extra_body"]) for line in lines} == {json.dumps(extra)}
    suite.add("glm", lines)
    suite.answer("glm")
    assert score(suite) == SCORED
    (report,) = [json.loads(one) for name, one in results_in(suite.path).items() if name.endswith("report.json")]
    assert report["signature"]["generation"].startswith('chat_template_kwargs={"enable_thinking":false},')
