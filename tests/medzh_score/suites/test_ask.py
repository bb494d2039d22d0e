"""`suite ask` against servers good and bad: every answer that came is kept, none twice, and what failed is named."""

from __future__ import annotations

import ast
import errno
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from shutil import rmtree
from time import sleep

import pytest
from killed import SIGKILL, harness
from model_server import MODEL, PAGE, answer_to, body_of, serving
from simulated import prompts_in, write_lines

import medzh_score
from medzh_score.benchmark.prompts import PromptSettings, one_a_record
from medzh_score.cli.main import main
from medzh_score.configs.sdak.config import PAPER_2
from medzh_score.prompting.write import prompt_lines
from medzh_score.suites import ask as asking
from medzh_score.suites.ask import ask, ask_with_progress, say_cost
from medzh_score.suites.endpoint import Endpoint
from medzh_score.ui.errors import MedzhError, error_text
from medzh_score.ui.i18n import current
from medzh_score.ui.progress import telling

pytestmark = pytest.mark.smoke

KEY = "sk-marked-0123456789abcdef"
CLAIMS = ("麻疹具有传染性", "百日咳由细菌引起", "水痘由病毒引起", "白喉可以通过接种疫苗预防")  # all true


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch):
    """Let the client retry at once."""
    for name in ("INITIAL_RETRY_DELAY", "MAX_RETRY_DELAY"):
        monkeypatch.setattr(f"openai._base_client.{name}", 0.001)


@pytest.fixture
def answers(tmp_path):
    return tmp_path / "model" / "sdak" / "answer.jsonl"


def prompts_of(count=4, **more):
    return [
        {
            "id": f"a-{n:03d}",
            "messages": [{"role": "user", "content": f"{CLAIMS[n % 4]}（{n}）"}],
            "generation": {},
            **more,
        }
        for n in range(count)
    ]


def text_of(line):
    return line["messages"][-1]["content"]


def number_of(prompt):
    return int(prompt.split("（")[1][:-1])


def expected(prompts):
    """Give the file of a server that does nothing wrong, in the order of the keys."""
    lines = [
        {"id": one["id"], "prediction": answer_to(text_of(one)), "model": MODEL, "finish_reason": "stop"}
        for one in prompts
    ]
    return sorted(lines, key=lambda line: line["id"])


# What a server does to the first request of a prompt, before it answers the second as it should: the client retries.
PASSING = {
    "429": lambda _, one: one.give({"error": {"message": "slow down"}}, 429),
    "429 with a pause": lambda _, one: one.give({}, 429, Retry_After="0.01"),
    "500": lambda _, one: one.give({"error": {"message": "out of memory"}}, 500),
    "502 with a page": lambda _, one: one.give(PAGE, 502, Content_Type="text/html"),
    "no answer at all": lambda _, one: one.hang(),
    "a body without its end": lambda prompt, one: one.give(body_of(prompt), Content_Length="9999") and one.drop(),
    "a connection that is closed": lambda _, one: one.drop(),
}


def test_all_faults_at_once_change_nothing_in_the_file(tmp_path):
    """The file is that of a server without faults, byte for byte, whatever order the answers came in."""
    prompts, faults = prompts_of(32), list(PASSING.values())

    def behave(prompt, before, one):
        number = number_of(prompt)
        return before < number % 3 and faults[(number + before) % len(faults)](prompt, one)

    with serving() as good, serving(behave) as bad:
        ask(prompts, tmp_path / "good.jsonl", Endpoint(good.base_url, MODEL))
        tally = ask(prompts[::-1], tmp_path / "bad.jsonl", Endpoint(bad.base_url, MODEL, timeout=1))
    assert (tally.answered, tally.failed, tally.left) == (32, 0, 0)
    assert (tmp_path / "bad.jsonl").read_bytes() == (tmp_path / "good.jsonl").read_bytes()
    assert prompts_in(tmp_path / "good.jsonl") == expected(prompts)
    assert set(bad.asked.values()) >= {1, 2, 3}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.jsonl", "good.jsonl"]


CHOICE = {"choices": [{"index": 0}]}


def giving(content, **head):
    return lambda _, one: one.give(content, **head)


FAILING = {  # what is wrong for good, and the words in the line of its prompt
    "500": (PASSING["500"], "status 500: out of memory"),
    "page": (PASSING["502 with a page"], "status 502: 502 Bad Gateway"),
    "silent": (PASSING["no answer at all"], "no complete response within 1 seconds"),
    "no choices": (giving({"model": MODEL, "choices": []}), "no choices"),
    "null": (giving({"model": MODEL, "choices": None}), "no choices"),
    "no message": (giving(CHOICE), "the choice has no message"),
    "shape": (
        giving({"choices": "正确"}),
        "unexpected JSON structure: Expected `array | null`, got `str` - at `$.choices`",
    ),
    "no JSON": (giving(b'{"choices": ['), "invalid or truncated JSON: Input data was truncated"),
    "200 page": (giving(PAGE, Content_Type="text/html"), "the response is a web page, not JSON: 502 Bad Gateway"),
    "nothing": (giving(b""), "the response body is empty"),
    "error": (giving({"error": {"message": "engine died", "code": 500}}), "the response is an error: engine died"),
    "abort": (
        giving({"choices": [{"message": {"content": "正"}, "finish_reason": "abort"}]}),
        "the generation was aborted",
    ),
    "tool": (
        lambda prompt, one: one.give(body_of(prompt, content=None, tool_calls=[{"id": "1"}])),
        "the response is a tool call, not text",
    ),
    "two": (
        lambda prompt, one: one.give({"choices": body_of(prompt)["choices"] * 2}),
        "the response has 2 choices instead of 1",
    ),
}


@pytest.mark.parametrize("fault", FAILING)
def test_what_does_not_pass_is_named_in_the_line_of_its_prompt(fault, answers, monkeypatch):
    """The others are answered, and the next call sends the failed one again and nothing else."""
    monkeypatch.setattr(asking, "RETRIES", 1)
    prompts, broken, (behave, words) = prompts_of(), True, FAILING[fault]
    with serving(lambda prompt, _, one: broken and "（2）" in prompt and behave(prompt, one)) as server:
        endpoint = Endpoint(server.base_url, MODEL, timeout=1 if fault == "silent" else 60)
        tally = ask(prompts, answers, endpoint)
        assert (tally.answered, tally.failed) == (3, 1)
        lines = expected(prompts)
        assert prompts_in(answers) == [*lines[:2], {"id": "a-002", "prediction": "", "error": words}, lines[3]]
        broken, server.asked = False, Counter()
        assert ask(prompts, answers, endpoint).answered == 1
    assert prompts_in(answers) == lines
    assert server.asked == {text_of(prompts[2]): 1}


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (body_of("", content=""), {"prediction": "", "finish_reason": "stop", "model": MODEL}),
        (body_of("", content=None, refusal="不"), {"prediction": "", "finish_reason": "content_filter"}),
        (body_of("", content=[{"type": "text", "text": "正确"}]), {"prediction": "正确", "finish_reason": "stop"}),
        (
            {"choices": [{"message": {"content": None, "reasoning_content": "…"}, "finish_reason": "length"}]},
            {"prediction": "", "finish_reason": "length", "model": "served"},
        ),
    ],
)
def test_what_a_model_said_is_not_asked_again(body, line, answers):
    """An empty text is what it said: to ask until it says more would choose among its answers."""
    with serving(lambda _prompt, _before, one: one.give(body)) as server:
        ask(prompts_of(1), answers, Endpoint(server.base_url, "served"))
    (found,) = prompts_in(answers)
    assert found | line == found
    assert list(server.asked.values()) == [1]


def test_it_gives_up_after_failures_in_a_row_and_goes_on_where_it_stopped(answers):
    """What came stays, a half-written last line is no answer, and nothing is asked twice."""
    prompts, down = prompts_of(40), True
    with serving(lambda prompt, _, one: down and number_of(prompt) >= 25 and one.give({}, 422)) as server:
        endpoint = Endpoint(server.base_url, MODEL)
        again = r"run the same command again to send the rest; 10 requests failed in a row; "
        with pytest.raises(MedzhError, match=rf"status 422: \{{\}}\n  Fix: fix the problem and {again}") as caught:
            ask(prompts, answers, endpoint, 1)
        assert caught.value.advice.endswith("; stored responses: 25")
        kept = answers.read_bytes()
        assert sum("error" not in line for line in prompts_in(answers)) == 25
        answers.write_bytes(kept + kept.splitlines()[0].replace(b"a-000", b"a-039")[:-9])
        down = False
        assert ask(prompts, answers, endpoint).answered == 15
    assert prompts_in(answers) == expected(prompts)
    assert all(server.asked[text_of(one)] == 1 for one in prompts[:25])


def test_answers_that_are_there_stay_as_they_are(answers):
    """Also those of other tools and to other prompts; what failed there is sent."""
    there = [
        {"id": "a-001", "prediction": "有"},
        {"id": "a-002", "prediction": "", "error": "x"},
        {"id": "b", "prediction": "", "error": "y"},
    ]
    write_lines(answers, there)
    with serving() as server:
        assert ask(prompts_of(), answers, Endpoint(server.base_url, MODEL)).answered == 3
    wanted = expected(prompts_of())
    assert prompts_in(answers) == [wanted[0], there[0], *wanted[2:], there[2]]


def said(status, **error):
    return lambda one: one.give({"error": error}, status, x_should_retry="false")


def redirect(status):
    return lambda one: one.give(b"", status, Location="http://other.example/v1?key=x")


STOPPING = {  # what would meet every request
    **{f"status {one}: no such model": said(one, message="no such model") for one in (401, 402, 404)},
    "status 429: You exceeded": said(429, message="You exceeded your quota", code="insufficient_quota"),
    **{
        f"status {one}: the redirect to http://other.example/v1 is not followed": redirect(one)
        for one in (301, 302, 307, 308)
    },
}


@pytest.mark.parametrize("words", STOPPING)
def test_what_would_meet_every_request_stops_at_once(words, answers):
    with serving(lambda _prompt, _before, one: STOPPING[words](one)) as server:
        with pytest.raises(MedzhError, match=rf"{words}.*\n  Fix: .*; other requests would fail as well; ") as caught:
            ask(prompts_of(40), answers, Endpoint(server.base_url, MODEL), 1)
        assert "key=x" not in str(caught.value)
        assert sum(server.asked.values()) == 1
    assert not list(answers.parent.iterdir())


def test_no_server_is_an_error_and_leaves_nothing(answers):
    with serving() as gone:
        endpoint = Endpoint(gone.base_url, MODEL)
    with pytest.raises(MedzhError, match=r"the connection failed: .*Connect"):
        ask(prompts_of(), answers, endpoint)
    assert not list(answers.parent.iterdir())


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"error": {"message": "Unsupported parameter", "param": "top_k", "code": "unsupported_parameter"}}, ["top_k"]),
        ({"object": "error", "message": "[{'loc': ('body', 'repetition_penalty')}]"}, ["repetition_penalty"]),
        ({"detail": "top_p and top_k are no parameters"}, ["top_p", "top_k"]),
        ({"error": {"message": "too long for top_kk"}}, []),
    ],
)
def test_a_setting_that_a_server_refuses_is_named(body, names, answers, capsys):
    settings = {"top_k": 5, "top_p": 0.7, "repetition_penalty": 1.1}
    with serving(lambda _prompt, _before, one: one.give(body, 400)) as server, telling():
        assert (
            ask_with_progress("x", prompts_of(2, generation=settings), answers, Endpoint(server.base_url, MODEL), 1)
            == 3
        )
    said = capsys.readouterr().err
    assert re.findall(r"the server rejected setting (\w+) in 2 requests", said) == sorted(names, key=said.index)


def test_requests_are_what_the_prompts_say(answers):
    """A line of the paper's prompt, a conversation behind a system message, a plain text."""
    asked = PromptSettings(PAPER_2)
    generation = {"do_sample": False, "max_new_tokens": 128, "top_k": 5}
    lines = list(prompt_lines(one_a_record([{"id": "a", "claim": CLAIMS[0]}], asked), asked, generation, runs=2))
    lines.append({"id": "b", "messages": [{"role": "system", "content": "简答"}, *lines[0]["messages"]]})
    lines.append({"id": "c", "text": "续写", "variant": 3, "generation": {"temperature": 0.5}})
    extra = {"chat_template_kwargs": {"enable_thinking": False}}
    lines = [{**line, "extra_body": extra} for line in lines]
    with serving() as server:
        ask(lines, answers, Endpoint(server.base_url + "/", MODEL))
    sent = [(head["path"], body) for head, body in server.requests]
    paper = {"model": MODEL, "messages": lines[0]["messages"], "temperature": 0, "max_tokens": 128, "top_k": 5, **extra}
    wanted = [
        *(("/v1/chat/completions", body) for body in (paper, paper)),
        ("/v1/chat/completions", {"model": MODEL, "messages": lines[2]["messages"], **extra}),
        ("/v1/completions", {"model": MODEL, "prompt": "续写", "temperature": 0.5, **extra}),
    ]
    assert sorted(map(json.dumps, sent)) == sorted(map(json.dumps, wanted))
    found = [(one["id"], one.get("run"), one.get("variant"), one["finish_reason"]) for one in prompts_in(answers)]
    assert found == [
        ("a", None, None, "stop"),
        ("a", 1, None, "stop"),
        ("b", None, None, "stop"),
        ("c", None, 3, "length"),
    ]


def test_no_more_requests_are_under_way_than_were_allowed(answers):
    with serving(lambda prompt, _, one: one.drip(body_of(prompt), 0.01)) as server:
        ask(prompts_of(24), answers, Endpoint(server.base_url, MODEL), 6)
        assert server.most_under_way == 6


def test_of_two_that_ask_for_the_same_one_is_refused(answers):
    found = []

    def behave(prompt, _before, _one):
        wait = "wait until the other process has received these responses"
        with pytest.raises(MedzhError, match=rf"another process is using the path\n  Fix: {wait}\."):
            ask(prompts_of(), answers, Endpoint(server.base_url, MODEL))
        found.append(prompt)
        return False

    with serving(behave) as server:
        ask(prompts_of(), answers, Endpoint(server.base_url, MODEL), 1)
    assert len(found) == 4


def test_a_full_disk_ends_it_and_what_came_is_kept(answers, monkeypatch):
    written, write = [], os.write

    def full(stream, content):
        written.append(content)
        if len(written) == 3:
            write(stream, content[:20])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(stream, content)

    prompts = prompts_of()
    with serving() as server:
        endpoint = Endpoint(server.base_url, MODEL)
        with monkeypatch.context() as patch:
            patch.setattr("medzh_score.suites.ask.os.write", full)
            with pytest.raises(MedzhError, match="cannot write to the path: No space left"):
                ask(prompts, answers, endpoint, 1)
        assert len(prompts_in(answers)) == 2
        ask(prompts, answers, endpoint)
    assert prompts_in(answers) == expected(prompts)
    assert [server.asked[text_of(one)] for one in prompts] == [1, 1, 2, 1]


# Killed at any moment and resumed, the file is the one that it would have been undisturbed.
PROMPTS = prompts_of(8)
ASKING = """
import json, os, sys
from pathlib import Path
from medzh_score.suites import ask as asking
from medzh_score.suites.endpoint import Endpoint

prompts, answers = json.loads(sys.argv[1]), Path(sys.argv[2])

def work():
    return asking.ask(prompts, answers, Endpoint(sys.argv[3], "served"), 3).left
"""
# A line is written in two halves, and each half and the way to the disk is a step like those that Python tells of.
IN_STEPS = """
import openai
place = str(answers.parent)
write, fsync = os.write, os.fsync

def in_halves(stream, content):
    sys.audit("shutil.first half")
    done = write(stream, content[: len(content) // 2])
    sys.audit("shutil.second half")
    return done + write(stream, content[done:])

def to_the_disk(stream):
    sys.audit("shutil.to the disk")
    fsync(stream)

class Steps:
    write, fsync = staticmethod(in_halves), staticmethod(to_the_disk)
    def __getattr__(self, name):
        return getattr(os, name)

asking.os = Steps()
"""


def whole_lines(answers):
    lines = answers.read_bytes().split(b"\n")[:-1] if answers.exists() else []
    return {json.loads(line)["id"] for line in lines}


@pytest.fixture
def undisturbed(tmp_path):
    with serving() as server:
        ask(PROMPTS, tmp_path / "undisturbed.jsonl", Endpoint(server.base_url, "served"))
    return (tmp_path / "undisturbed.jsonl").read_bytes()


def test_killed_at_any_moment_and_resumed_the_file_is_the_same(tmp_path, undisturbed):
    answers = tmp_path / "asked" / "answer.jsonl"
    with serving() as server, harness(ASKING + IN_STEPS, json.dumps(PROMPTS), answers, server.base_url) as run:
        assert run() == 0
        moments = run.chosen() if "MEDZH_EXAMPLES" in os.environ else run.chosen()[::4]
        for number in moments:
            rmtree(answers.parent)
            server.settle()
            assert run(number) == SIGKILL
            server.settle()
            kept, before = whole_lines(answers), server.asked.copy()
            assert run() == 0
            assert answers.read_bytes() == undisturbed
            assert server.asked - before == Counter(text_of(one) for one in PROMPTS if one["id"] not in kept)
            # A temporary name of a killed process may be left.
            assert [path.name for path in answers.parent.iterdir() if path.name[0] != "."] == ["answer.jsonl"]


@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_signal_ends_the_command_and_what_came_is_kept(suite, name, status, capsys):
    stuck = True
    with serving(lambda _, __, one: stuck and sum(server.asked.values()) > 7 and one.hang()) as server:
        words = ["suite", "ask", str(suite), "--model", "glm", "--base-url", server.base_url, "--yes"]
        command = [sys.executable, "-m", "medzh_score", *words]
        # What was begun in the background of a shell ignores an interrupt, and so would what it begins.
        heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=heard) as process:  # noqa: PLW1509
            while server.under_way < 3 or len(whole_lines(suite / "answers/glm/cmhe_ce/answer.jsonl")) < 7:
                sleep(0.01)
            process.send_signal(getattr(signal, name))
            assert process.wait(20) == status
            said = process.stderr.read().splitlines()
        assert "cmhe_ce answer of glm: received 7 responses in " in said[-2]
        assert said[-1] == (
            "cmhe_ce answer of glm: stopped by a signal; 33 requests remain. Run the same command again to continue."
        )
        stuck = False
        server.closing.set()
        assert main(words) == 0
    assert len(prompts_in(suite / "answers/glm/cmhe_ce/answer.jsonl")) == 40
    capsys.readouterr()


def test_what_a_command_says(capsys, answers, monkeypatch):
    """What it costs, before anything is sent, how far it is, what came of it; and the status with which it ends."""
    prompts = prompts_of()
    monkeypatch.setenv("FORCE_COLOR", "1")
    with serving(lambda prompt, _, one: "（1）" in prompt and one.give({}, 400)) as server, telling():
        endpoint = Endpoint(server.base_url, MODEL)
        say_cost("sdak answer", prompts, answers, endpoint)
        assert not server.requests
        characters = sum(len(text_of(one)) for one in prompts)
        said = f"sdak answer: 4 calls to {server.base_url}, {characters} characters of prompts\n"
        assert capsys.readouterr().err == said
        assert ask_with_progress("sdak answer", prompts, answers, endpoint, 8) == 3
        came, failed = capsys.readouterr().err.splitlines()
        assert re.match(r"sdak answer: received 3 responses in \d+ s \(", came)
        assert failed == ("sdak answer: 1 request failed after all retries. Run the same command again to resend it.")
        say_cost("sdak answer", prompts, answers, endpoint)
        assert capsys.readouterr().err.splitlines()[1] == "sdak answer: 3 responses were already received"
        monkeypatch.setattr(asking, "shows_progress", lambda: True)
        answers.unlink()
        ask_with_progress("sdak answer", prompts, answers, endpoint, 1)
        shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
        assert re.search(r"sdak answer .* 4/4 +\d+\.\d/s failed: 1 ", shown)
    token = current.set("zh")
    try:
        with serving(lambda _prompt, _before, one: one.give({"error": {"message": "no such model"}}, 404)) as server:
            with pytest.raises(MedzhError) as caught:
                ask(prompts_of(), answers.with_name("b.jsonl"), Endpoint(server.base_url, MODEL))
            said = "请排除问题，再次运行同一命令；其他请求也不会成功；已保存的回答：0 条。"
            assert error_text(caught.value) == f"{server.base_url}：状态码 404：no such model\n  处理方法：{said}"
    finally:
        current.reset(token)


# What is sent, and to whom: to the one server, the key nowhere else, and nothing that names this machine.
SENT = {"host", "accept", "accept-encoding", "connection", "content-type", "content-length", "user-agent"}
ENVIRONMENT = {  # what the client reads by itself, of another server's account
    "OPENAI_API_KEY": "sk-of-another-server",
    "OPENAI_ORG_ID": "org-of-another-server",
    "OPENAI_PROJECT_ID": "project-of-another-server",
    "OPENAI_BASE_URL": "http://another.example/v1",
    "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer sk-of-another-server\nX-Of-Another: server",
}


@pytest.mark.parametrize("key", [None, KEY])
def test_headers_are_those_that_a_request_needs_and_the_loopback_has_no_proxy(key, answers, monkeypatch):
    proxies = dict.fromkeys(("http_proxy", "HTTPS_PROXY", "all_proxy"), "http://proxy.example:1")
    for name, value in (ENVIRONMENT | proxies).items():
        monkeypatch.setenv(name, value)
    with serving() as server:
        ask(prompts_of(), answers, Endpoint(server.base_url, MODEL, key=key))
    for found, _ in server.requests:
        assert found.keys() - {"path", "authorization"} == SENT
        assert found.get("authorization") == (f"Bearer {key}" if key else None)
        assert found["user-agent"] == "medzh-score"
        assert "another" not in str(found)


@pytest.mark.usefixtures("plain_network")
def test_another_host_is_reached_through_the_proxy_that_the_environment_names(answers, monkeypatch, capsys):
    with serving() as server:
        port = server.base_url.split(":")[2].removesuffix("/v1")
        monkeypatch.setenv("http_proxy", f"user:secret-word@127.0.0.1:{port}")
        monkeypatch.setenv("no_proxy", "other.example,.inside.example")
        endpoint = Endpoint("http://models.example/v1", MODEL)
        with telling():
            say_cost("sdak answer", prompts_of(), answers, endpoint)
        said = capsys.readouterr().err
        assert "requests use the proxy 127.0.0.1 (set by an environment variable)" in said
        assert "secret" not in said
        assert ask(prompts_of(), answers, endpoint).answered == 4
        assert {found["path"] for found, _ in server.requests} == {"http://models.example/v1/chat/completions"}
    for url in ("http://other.example/v1", "http://a.inside.example/v1", "https://models.example/v1"):
        assert Endpoint(url, MODEL).proxy is None
    monkeypatch.setenv("http_proxy", "gopher://x")
    with pytest.raises(MedzhError, match="the proxy in the environment cannot be used"):
        ask(prompts_of(), answers.with_name("b.jsonl"), endpoint)


SHOWING = """
import json, os, sys, traceback
from pathlib import Path
from medzh_score.ui.progress import telling
from medzh_score.suites import ask as asking
from medzh_score.suites.endpoint import Endpoint

asking.RETRIES, asking.GIVE_UP_AFTER = 0, 2
prompts, folder = json.loads(sys.argv[1]), Path(sys.argv[2])
for number in range(int(sys.argv[4])):
    answers = folder / f"{number}.jsonl"
    endpoint = Endpoint(f"{sys.argv[3]}/{number}", "served", key=os.environ["MARKED"])
    print(repr(endpoint), str(endpoint), endpoint == endpoint)
    try:
        with telling():
            asking.say_cost("sdak answer", prompts, answers, endpoint)
            asking.ask_with_progress("sdak answer", prompts, answers, endpoint, 1)
    except Exception:
        traceback.print_exc()
"""
ECHOES = (
    lambda said, one: one.give({"error": {"message": f"Incorrect API key provided: {said}"}}, 401),
    lambda said, one: one.give({"error": {"message": "x" * 180 + said}}, 401),
    lambda said, one: one.give({"detail": [{"headers": {"authorization": said}}]}, 400),
    lambda said, one: one.give(PAGE.replace(b"502 Bad Gateway", said.encode()), 500),
    lambda said, one: one.give(b"", 307, Location=f"http://other.example/{said.replace(' ', '/')}"),
    lambda said, one: one.give(PAGE.replace(b"502 Bad Gateway", said.encode())),
    lambda said, one: one.give(said.encode()),
    lambda said, one: one.give({"error": said}),
    lambda said, one: one.give(b"{}", 500, X_Said=said),
    lambda _, __: False,
)


def test_the_key_is_nowhere_in_what_is_said_or_written(tmp_path):
    """The server repeats it as some do; the client's own log is on, and errors end in a traceback."""

    def behave(_prompt, _before, one):
        return ECHOES[int(one.path.split("/")[2])](one.headers["Authorization"], one)

    env = {**os.environ, "MARKED": KEY, "OPENAI_LOG": "debug", "PYTHONASYNCIODEBUG": "1"}
    with serving(behave) as server:
        words = [sys.executable, "-c", SHOWING, json.dumps(prompts_of()), tmp_path, server.base_url, str(len(ECHOES))]
        done = subprocess.run(words, capture_output=True, env=env, check=False)
        assert {found["authorization"] for found, _ in server.requests} == {f"Bearer {KEY}"}
    assert done.stderr.count(b"Traceback") == done.stderr.count(b".MedzhError: ") == len(ECHOES) - 1
    assert b"Incorrect API key provided: Bearer ***" in done.stderr
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert sum(b"***" in one for one in files) == 4
    for part in (KEY, KEY[3:12]):
        assert [one for one in (done.stdout, done.stderr, *files) if part.encode() in one] == []


@pytest.mark.parametrize(
    ("url", "key", "problem"),
    [
        *(
            ("http://localhost:8000/v1", key, 'field "key": invalid key')
            for key in (f"{KEY}\n", f" {KEY}", "密钥-01", "")
        ),
        *(
            (url, None, "invalid URL")
            for url in ("localhost:8000/v1", "ftp://models.example/v1", "http://:8000/v1", "")
        ),
        *((url, None, "invalid URL") for url in ("http://models.example:99999/v1", "http://模型.example/v1")),
        ("https://user:secret@models.example/v1", None, "the URL contains more than an address"),
        ("https://models.example/v1?api-key=secret", None, "the URL contains more than an address"),
        ("https://models.example/v1#secret", None, "the URL contains more than an address"),
    ],
)
def test_an_address_is_an_address_and_a_key_a_key(url, key, problem):
    with pytest.raises(MedzhError, match=problem) as caught:
        Endpoint(url, MODEL, key=key)
    assert not any(word in str(caught.value) for word in ("secret", "密钥", KEY))


def test_one_module_of_the_scorer_imports_the_client_and_only_where_it_is_used(answers, monkeypatch):
    """Scoring opens no connection; without the extra it is said what to install."""
    root = Path(medzh_score.__file__).parent
    clients, found = {"openai", "httpx", "httpx2", "requests", "aiohttp", "urllib3", "http"}, set()
    for path in root.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        at_top = {id(node) for node in tree.body}
        for node in ast.walk(tree):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            if clients & {name.partition(".")[0] for name in names}:
                assert id(node) not in at_top, path
                found.add(path.relative_to(root).as_posix())
    assert found == {"suites/ask.py"}
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MedzhError, match=r"pip install 'medzh-score\[ask\]'"):
        ask(prompts_of(), answers, Endpoint("http://localhost:8000/v1", MODEL))


# The command: first answers, then the same model's second round; called again, it goes on.
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


def ask_suite(suite, url, *more):
    return main(["suite", "ask", str(suite), "--model", "glm", "--base-url", url, *more])


def test_both_rounds_of_a_model_are_asked_once_and_what_failed_again(suite, capsys, monkeypatch):
    first, second = suite / "answers/glm/cmhe_ce/answer.jsonl", suite / "answers/glm/cmhe_ce/choose.jsonl"
    with serving(lambda prompt, _, one: sum(map(ord, prompt)) % 7 == 0 and one.give({}, 422)) as server:
        assert ask_suite(suite, server.base_url) == 2
        said = capsys.readouterr().err
        assert f"40 calls to {server.base_url}" in said
        assert "add --yes to confirm" in said
        assert not server.requests
        assert ask_suite(suite, server.base_url, "--yes") == 3
    failed = sum("error" in line for line in prompts_in(first))
    assert failed > 0
    assert not second.exists()
    with serving() as server:
        assert ask_suite(suite, server.base_url, "--yes", "--api-key-env", "OUR_KEY") == 2
        assert "the environment variable is not set" in capsys.readouterr().err
        monkeypatch.setenv("OUR_KEY", KEY)
        assert ask_suite(suite, server.base_url, "--yes", "--api-key-env", "OUR_KEY") == 0
        assert len(server.requests) == failed + 40
        assert {headers["authorization"] for headers, _ in server.requests} == {f"Bearer {KEY}"}
        assert ask_suite(suite, server.base_url, "--yes") == 0
        assert len(server.requests) == failed + 40
    assert {request["model"] for _, request in server.requests} == {MODEL}
    assert [sum("error" not in line for line in prompts_in(path)) for path in (first, second)] == [40, 40]
    assert not (suite / "answers/qwen").exists()
    streams = capsys.readouterr()
    assert "No prompts can be sent to glm now." in streams.err
    assert "sk-marked" not in streams.err + streams.out
    assert not [path for path in suite.rglob("*") if path.is_file() and b"sk-marked" in path.read_bytes()]
    assert main(["suite", "score", str(suite), "--quiet"]) == 0
    assert (suite / "results/glm/cmhe_ce/report.json").exists()
