"""What asking sends, and to whom: to the one server, the key nowhere else, and nothing that names this machine."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from model_server import MODEL, PAGE, serving

import medzh_score
from medzh_score.suites.ask import ClientConfig, RetryPolicy, ask, cost, say_cost
from medzh_score.suites.connection import RequestError, in_words, proxy_for
from medzh_score.suites.plan import read_plan
from medzh_score.suites.requests import Endpoint
from medzh_score.ui.errors import MedzhError

pytestmark = pytest.mark.smoke

KEY = "sk-marked-0123456789abcdef"
PROMPTS = [{"id": f"a-{n}", "messages": [{"role": "user", "content": f"破伤风由细菌引起（{n}）"}]} for n in range(4)]
EFFORT = ClientConfig(concurrency=1, patience=RetryPolicy(attempts=2, pause=0.001))
HEADERS = {"host", "accept", "accept-encoding", "connection", "content-type", "content-length", "user-agent"}
ENVIRONMENT = {  # what the client reads by itself, of another server's account
    "OPENAI_API_KEY": "sk-of-another-server",
    "OPENAI_ADMIN_KEY": "sk-of-another-server",
    "OPENAI_ORG_ID": "org-of-another-server",
    "OPENAI_PROJECT_ID": "project-of-another-server",
    "OPENAI_BASE_URL": "http://another.example/v1",
    "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer sk-of-another-server\nX-Of-Another: server",
}


@pytest.fixture
def answers(tmp_path):
    return tmp_path / "answer.jsonl"


@pytest.mark.parametrize("key", [None, KEY])
def test_headers_are_those_that_a_request_needs(key, answers, monkeypatch):
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    with serving() as server:
        ask(PROMPTS, answers, Endpoint(server.base_url, MODEL, key=key), EFFORT)
    for found, _ in server.requests:
        assert found.keys() - {"path", "authorization"} == HEADERS
        assert found.get("authorization") == (f"Bearer {key}" if key else None)
        assert found["user-agent"] == "medzh-score"
        assert "another" not in str(found)


def test_no_redirect_is_followed(answers):
    """It would carry prompts, and at some servers the key, to where nobody sent them."""
    with serving() as other:
        place = f"{other.base_url}/chat/completions?key=x"
        for status in (301, 302, 303, 307, 308):
            with serving(lambda _prompt, _before, one, status=status: one.give(b"", status, Location=place)) as server:
                with pytest.raises(MedzhError, match=f"status {status}: a redirect to {other.base_url}") as caught:
                    ask(PROMPTS, answers, Endpoint(server.base_url, MODEL, key=KEY), EFFORT)
                assert "key=x" not in str(caught.value)
                assert len(server.requests) == 1
        assert not other.requests


def test_the_loopback_is_never_reached_through_a_proxy(answers, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://proxy.example:1")
        monkeypatch.setenv(name.upper(), "http://proxy.example:1")
    for host in ("localhost", "127.0.0.1", "127.8.9.1", "[::1]"):
        assert proxy_for(Endpoint(f"http://{host}:8000/v1", MODEL)) is None
        assert Endpoint(f"http://{host}:8000/v1", MODEL).is_on_this_machine
    with serving() as server:
        assert ask(PROMPTS, answers, Endpoint(server.base_url, MODEL), EFFORT).answered == 4


@pytest.mark.usefixtures("plain_network")
def test_another_host_is_reached_through_the_proxy_that_the_environment_names(answers, monkeypatch, capsys):
    from medzh_score.ui.progress import telling

    with serving() as server:
        port = server.base_url.split(":")[2].removesuffix("/v1")
        monkeypatch.setenv("http_proxy", f"user:secret-word@127.0.0.1:{port}")
        monkeypatch.setenv("no_proxy", "other.example,.inside.example")
        endpoint = Endpoint("http://models.example/v1", MODEL)
        assert not endpoint.is_on_this_machine
        with telling():
            say_cost("sdak answer", cost(PROMPTS, answers, endpoint), endpoint)
        said = capsys.readouterr().err
        assert "by way of the proxy 127.0.0.1, which the environment names" in said
        assert "secret" not in said
        assert ask(PROMPTS, answers, endpoint, EFFORT).answered == 4
        assert {found["path"] for found, _ in server.requests} == {"http://models.example/v1/chat/completions"}
    for host in ("other.example", "a.inside.example"):
        assert proxy_for(Endpoint(f"http://{host}/v1", MODEL)) is None
    assert proxy_for(Endpoint("https://models.example/v1", MODEL)) is None
    monkeypatch.setenv("http_proxy", "gopher://x")
    with pytest.raises(MedzhError, match="the environment names a proxy that cannot be used"):
        ask(PROMPTS, answers.with_name("b.jsonl"), endpoint, EFFORT)


ASKING = """
import json, os, sys, traceback
from pathlib import Path
from medzh_score.ui.progress import telling
from medzh_score.suites.ask import ask_with_progress, say_cost
from medzh_score.suites.ask import cost
from medzh_score.suites.requests import Endpoint
from medzh_score.suites.ask import RetryPolicy
from medzh_score.suites.ask import ClientConfig

prompts, folder = json.loads(sys.argv[1]), Path(sys.argv[2])
for number in range(int(sys.argv[4])):
    answers = folder / f"{number}.jsonl"
    endpoint = Endpoint(f"{sys.argv[3]}/{number}", "served", key=os.environ["MARKED"])
    print(repr(endpoint), str(endpoint), endpoint == endpoint)
    try:
        with telling():
            say_cost("sdak answer", cost(prompts, answers, endpoint), endpoint)
            config = ClientConfig(1, 2, RetryPolicy(attempts=2, pause=0.001))
            ask_with_progress("sdak answer", prompts, answers, endpoint, config)
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
        words = [sys.executable, "-c", ASKING, json.dumps(PROMPTS), tmp_path, server.base_url, str(len(ECHOES))]
        done = subprocess.run(words, capture_output=True, env=env, check=False)
        assert {found["authorization"] for found, _ in server.requests} == {f"Bearer {KEY}"}
        assert {found["path"].split("/")[2] for found, _ in server.requests} == set(map(str, range(len(ECHOES))))
    assert done.stderr.count(b"Traceback") == done.stderr.count(b".MedzhError: ") == len(ECHOES) - 1
    assert b"Incorrect API key provided: Bearer ***" in done.stderr
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert sum(b"***" in one for one in files) == 4
    for part in (KEY, KEY[3:12]):
        assert [one for one in (done.stdout, done.stderr, *files) if part.encode() in one] == []


def test_a_key_is_taken_out_of_words_and_a_placeholder_is_none():
    assert in_words(RequestError(f"wrong: {KEY}!"), KEY) == "wrong: ***!"
    assert in_words(RequestError("the queue is EMPTY"), "EMPTY") == "the queue is EMPTY"
    assert KEY not in in_words(RequestError("x" * 190 + KEY), KEY)


@pytest.mark.parametrize("key", [f"{KEY}\n", f" {KEY}", "密钥-0123456789", ""])
def test_a_key_that_no_header_can_hold_is_refused_and_not_shown(key):
    with pytest.raises(MedzhError, match="field key: is no key") as caught:
        Endpoint("http://localhost:8000/v1", MODEL, key=key)
    assert KEY not in str(caught.value)
    assert "密钥" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("localhost:8000/v1", "is no address"),
        ("ftp://models.example/v1", "is no address"),
        ("http://:8000/v1", "is no address"),
        ("http://models.example:99999/v1", "is no address"),
        ("http://模型.example/v1", "is no address"),
        ("", "is no address"),
        ("https://user:secret@models.example/v1", "is more than an address"),
        ("https://models.example/v1?api-key=secret", "is more than an address"),
        ("https://models.example/v1#secret", "is more than an address"),
    ],
)
def test_an_address_is_an_address_and_no_more(url, problem):
    with pytest.raises(MedzhError, match=problem) as caught:
        Endpoint(url, MODEL)
    assert "secret" not in str(caught.value)


def plan_with(folder, model):
    plan = f"version = 1\ndata = 'mini'\n[[models]]\nlabel = 'glm'\n{model}\n[[configs]]\nconfig = 'cmhe_ce'\n"
    (folder / "plan.toml").write_text(plan, encoding="utf-8")
    return read_plan(folder)


@pytest.mark.parametrize("name", ["max_new_tokens", "max_tokens", "temperature", "do_sample", "seed"])
def test_a_setting_of_decoding_stands_in_decoding_alone(tmp_path, name):
    """What would be sent twice under two names, or signed under the name of the one that is not sent."""
    with pytest.raises(MedzhError, match=r"plan\.toml.*models\.extra_body: is a setting of decoding"):
        plan_with(tmp_path, f"extra_body = {{ {name} = 1 }}\ndecoding = {{ seed = 7 }}")


def test_a_whole_number_is_sent_as_one(tmp_path):
    model = "decoding = { max_new_tokens = 16, do_sample = true, temperature = 0.5 }"
    decoding = plan_with(tmp_path, model).models[0].decoding
    assert json.dumps(decoding) == '{"max_new_tokens": 16, "do_sample": true, "temperature": 0.5}'


@pytest.mark.parametrize("extra", ["n = 2", "stream = true", "messages = []", "a = nan", "a = 2026-01-01"])
def test_what_cannot_go_with_every_request_is_refused(tmp_path, extra):
    with pytest.raises(MedzhError, match=r"plan\.toml.*models\.extra_body: cannot be"):
        plan_with(tmp_path, f"extra_body = {{ {extra} }}")


def test_without_the_extra_it_is_said_what_to_install(answers, monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MedzhError, match=r"pip install '\.\[ask\]'"):
        ask(PROMPTS, answers, Endpoint("http://localhost:8000/v1", MODEL))
    assert not list(answers.parent.iterdir())


def test_one_module_of_the_scorer_has_the_client_and_imports_it_where_it_is_used():
    """Scoring opens no connection: what could is imported by nothing but the module that asks."""
    root = Path(medzh_score.__file__).parent
    clients = {"openai", "httpx", "httpx2", "requests", "aiohttp", "urllib3", "http"}
    found = set()
    for path in root.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        at_top = {id(node) for node in tree.body}
        for node in ast.walk(tree):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            if clients & {name.partition(".")[0] for name in names}:
                assert id(node) not in at_top, path
                found.add(path.relative_to(root).as_posix())
    assert found == {"suites/connection.py", "suites/ask.py"}  # the second for its types
