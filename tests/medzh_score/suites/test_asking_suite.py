"""A suite asks a server of the user's: first answers, then the same model's second round; called again, it goes on."""

from __future__ import annotations

import json

import pytest
from model_server import MODEL, serving
from simulated import prompts_in

from medzh_score.cli.main import main
from medzh_score.suites import ask as asking


@pytest.fixture
def suite(tmp_path, minis):
    folder = tmp_path / "suite"
    plan = ["--models", "glm", "qwen", "--configs", "cmhe_ce", "--data", str(minis), "--quiet"]
    assert main(["suite", "plan", str(folder), *plan]) == 0
    path = folder / "plan.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace('label = "glm"\n', f'label = "glm"\nserved = ["{MODEL}"]\n')
    )
    return folder


def ask(suite, url, *more):
    return main(["suite", "ask", str(suite), "--model", "glm", "--base-url", url, *more])


def test_both_rounds_of_a_model_are_asked_and_once_only(suite, capsys):
    with serving() as server:
        assert ask(suite, server.base_url, "--yes") == 0
        once = len(server.requests)
        assert ask(suite, server.base_url, "--yes") == 0
    assert len(server.requests) == once
    assert {request["model"] for _, request in server.requests} == {MODEL}
    first, second = (prompts_in(suite / f"answers/glm/cmhe_ce/{name}.jsonl") for name in ("answer", "choose"))
    assert (len(first), len(second)) == (40, 40)
    assert not (suite / "answers/qwen").exists()
    assert "nothing can be asked of glm now" in capsys.readouterr().err
    assert main(["suite", "score", str(suite), "--quiet"]) == 0
    assert (suite / "results/glm/cmhe_ce/report.json").exists()


def test_what_failed_is_asked_again_and_until_then_lacks(suite):
    def sometimes(_prompt, before, one):
        return before < 9 and one.give({"error": {"message": "bad"}}, 422) if sum(map(ord, _prompt)) % 7 == 0 else False

    with serving(sometimes) as server:
        assert ask(suite, server.base_url, "--yes") == 3
    back = prompts_in(suite / "answers/glm/cmhe_ce/answer.jsonl")
    assert any("error" in line for line in back)
    assert not (suite / "answers/glm/cmhe_ce/choose.jsonl").exists()
    with serving() as server:
        assert ask(suite, server.base_url, "--yes") == 0
        assert len(server.requests) == sum("error" in line for line in back) + 40
    assert not any("error" in line for line in prompts_in(suite / "answers/glm/cmhe_ce/answer.jsonl"))


def test_an_ask_killed_after_its_last_answer_is_closed_by_the_next(suite, capsys, monkeypatch):
    answers = suite / "answers/glm/cmhe_ce/choose.jsonl"
    with serving() as server:
        assert ask(suite, server.base_url, "--yes") == 0
        whole = answers.read_bytes()
        answers.unlink()
        with monkeypatch.context() as patch:
            patch.setattr(asking, "write_kept", lambda *_: 1 / 0)
            assert ask(suite, server.base_url, "--yes") == 2
        once = len(server.requests)
        capsys.readouterr()
        assert main(["suite", "status", str(suite), "--to", "json"]) == 3
        found = json.loads(capsys.readouterr().out)
        closes = f"medzh-score suite ask {suite} --model glm --base-url URL  # goes on, and closes"
        assert closes in found["next"]
        assert not any("suite score" in step for step in found["next"])
        assert ask(suite, server.base_url, "--yes") == 0
        assert len(server.requests) == once
    assert answers.read_bytes() == whole
    assert main(["suite", "score", str(suite), "--quiet"]) == 0
    assert (suite / "results/glm/cmhe_ce/report.json").exists()


def test_nothing_is_sent_before_somebody_agrees(suite, capsys):
    with serving() as server:
        assert ask(suite, server.base_url) == 2
        said = capsys.readouterr().err
        assert not server.requests
    assert f"40 calls to {server.base_url}" in said
    assert "agree with --yes" in said


def test_the_key_is_read_from_the_environment_and_shown_nowhere(suite, capsys, monkeypatch):
    with serving() as server:
        assert ask(suite, server.base_url, "--yes", "--api-key-env", "OUR_KEY") == 2
        assert "is not set in the environment" in capsys.readouterr().err
        monkeypatch.setenv("OUR_KEY", "sk-marked-0123456789")
        assert ask(suite, server.base_url, "--yes", "--api-key-env", "OUR_KEY") == 0
    assert {headers["authorization"] for headers, _ in server.requests} == {"Bearer sk-marked-0123456789"}
    streams = capsys.readouterr()
    assert "sk-marked" not in streams.err + streams.out
    assert not [path for path in suite.rglob("*") if path.is_file() and b"sk-marked" in path.read_bytes()]
