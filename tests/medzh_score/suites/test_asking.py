"""Asking a faulty server: every answer that came is kept, none twice, and what failed is named."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
from contextlib import contextmanager
from email.utils import formatdate
from time import monotonic, time

import msgspec
import pytest
from model_server import MODEL, PAGE, answer_to, body_of, serving

from medzh_score.benchmark.prompts import PromptSettings, one_a_record
from medzh_score.configs.sdak.config import PAPER_2
from medzh_score.io.jsonl import decoded_lines
from medzh_score.prompting.ids import AnswerKey
from medzh_score.prompting.write import prompt_lines
from medzh_score.readers.prediction import Prediction
from medzh_score.suites import ask as asking
from medzh_score.suites.ask import ClientConfig, RetryPolicy, ask, ask_with_progress, cost, outcome, part_of, say_cost
from medzh_score.suites.requests import Endpoint
from medzh_score.ui.errors import MedzhError, error_line
from medzh_score.ui.i18n import current
from medzh_score.ui.progress import telling

pytestmark = pytest.mark.smoke

ANSWERS = msgspec.json.Decoder(Prediction)
QUICK = RetryPolicy(attempts=4, pause=0.001)
EFFORT = ClientConfig(patience=QUICK)
CLAIMS = ("麻疹具有传染性", "百日咳由细菌引起", "水痘由病毒引起", "白喉可以通过接种疫苗预防")  # all true
# What a server may do to the first request of a prompt, before it answers the second as it should.
FAULTS = {
    "status 429, which says when to come back": lambda _, one: one.give({}, 429, Retry_After="0.01"),
    "status 429, which names a date": lambda _, one: one.give({}, 429, Retry_After=formatdate(time(), usegmt=True)),
    "status 429, which says nothing": lambda _, one: one.give({"error": {"message": "slow down"}}, 429),
    "status 500": lambda _, one: one.give({"error": {"message": "out of memory"}}, 500),
    "status 502 with a page": lambda _, one: one.give(PAGE, 502, Content_Type="text/html"),
    "status 503, which says when to come back": lambda _, one: one.give(b"", 503, Retry_After="0"),
    "no answer at all": lambda _, one: one.hang(),
    "a body without its end": lambda prompt, one: one.give(body_of(prompt), Content_Length="9999") and one.drop(),
    "no choices": lambda _, one: one.give({"model": MODEL, "choices": []}),
    "choices of null": lambda _, one: one.give({"model": MODEL, "choices": None}),
    "no field choices": lambda _, one: one.give({"model": MODEL}),
    "a choice without a message": lambda _, one: one.give({"choices": [{"index": 0}]}),
    "no JSON": lambda _, one: one.give(b'{"choices": [{"message": {"content": "\xe7\xad'),
    "JSON of another shape": lambda _, one: one.give({"choices": "正确"}),
    "a text instead of an object": lambda _, one: one.give('"正确"'.encode()),
    "a page": lambda _, one: one.give(PAGE, Content_Type="text/html"),
    "nothing": lambda _, one: one.give(b""),
    "a connection that is closed": lambda _, one: one.drop(),
    "a body that takes too long": lambda prompt, one: one.drip(body_of(prompt), 1),
    "an error in a body": lambda _, one: one.give({"error": {"message": "engine died", "code": 500}}),
    "generation that broke off": lambda prompt, one: one.give({"choices": [
        {"message": {"content": answer_to(prompt)[:3]}, "finish_reason": "abort"}]}),
}  # fmt: skip


def prompts_of(count=4, **more):
    return [
        {
            "id": f"a-{n:03d}",
            "messages": [{"role": "user", "content": f"{CLAIMS[n % 4]}（{n}）"}],
            "decoding": {},
            **more,
        }
        for n in range(count)
    ]


def lines_in(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def text_of(line):
    return line["messages"][-1]["content"]


def expected(prompts):
    """Give the file of a server that does nothing wrong, in the order of the keys."""
    lines = [
        {"id": one["id"], "prediction": answer_to(text_of(one)), "model": MODEL, "finish_reason": "stop"}
        for one in prompts
    ]
    return sorted(lines, key=lambda line: line["id"])


@contextmanager
def refusing_once(port, monkeypatch):
    """Refuse the second connection to a port."""
    refused, seen, real = [], [], asyncio.BaseEventLoop.create_connection

    async def connect(self, factory, host=None, to=None, **more):
        seen.append(to)
        if to == port and len(seen) == 2:
            refused.append(to)
            raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        return await real(self, factory, host, to, **more)

    with monkeypatch.context() as patch:
        patch.setattr(asyncio.BaseEventLoop, "create_connection", connect)
        yield refused


@pytest.fixture
def answers(tmp_path):
    return tmp_path / "model" / "sdak" / "answer.jsonl"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_passes_costs_no_answer(fault, answers):
    prompts = prompts_of()
    with serving(lambda prompt, before, one: before == 0 and FAULTS[fault](prompt, one)) as server:
        asked = ask(prompts, answers, Endpoint(server.base_url, MODEL, timeout=0.4), EFFORT)
    assert (asked.answered, asked.failed, asked.left) == (4, 0, 0)
    assert lines_in(answers) == expected(prompts)
    assert set(server.asked.values()) == {2}
    assert sorted(path.name for path in answers.parent.iterdir()) == ["answer.jsonl"]


def test_all_faults_at_once_change_nothing_in_the_file(tmp_path):
    """The file is that of a server without faults, byte for byte, whatever order the answers came in."""
    prompts, faults = prompts_of(64), list(FAULTS.values())

    def behave(prompt, before, one):
        number = int(prompt.split("（")[1][:-1])
        return before < number % 3 and faults[(number + before) % len(faults)](prompt, one)

    with serving() as good, serving(behave) as bad:
        ask(prompts, tmp_path / "good.jsonl", Endpoint(good.base_url, MODEL), EFFORT)
        ask(reversed(prompts), tmp_path / "bad.jsonl", Endpoint(bad.base_url, MODEL, timeout=0.4), EFFORT)
    assert (tmp_path / "bad.jsonl").read_bytes() == (tmp_path / "good.jsonl").read_bytes()
    assert lines_in(tmp_path / "good.jsonl") == expected(prompts)
    assert set(bad.asked.values()) >= {1, 2, 3}  # a busy machine is asked again where an answer took too long


@pytest.mark.parametrize(
    ("behave", "words"),
    [
        (FAULTS["status 500"], "status 500: out of memory"),
        (FAULTS["status 502 with a page"], "status 502: 502 Bad Gateway"),
        (FAULTS["no answer at all"], "no whole answer within 0.5 seconds"),
        (FAULTS["a body that takes too long"], "no whole answer within 0.5 seconds"),
        (FAULTS["no choices"], "no choices"),
        (FAULTS["no field choices"], "no choices"),
        (FAULTS["a choice without a message"], "a choice without a message"),
        (FAULTS["JSON of another shape"], "JSON of another shape: Expected `array | null`, got `str` - at `$.choices`"),
        (FAULTS["a page"], "a page instead of JSON: 502 Bad Gateway"),
        (FAULTS["nothing"], "an empty body"),
        (FAULTS["an error in a body"], "an error instead of an answer: engine died"),
        (FAULTS["generation that broke off"], "generation broke off"),
    ],
)
def test_what_does_not_pass_is_named_in_the_line_of_its_prompt(behave, words, answers):
    """The others are answered, and the next call sends the failed one again and nothing else."""
    prompts, broken = prompts_of(), True
    with serving(lambda prompt, _, one: broken and "（2）" in prompt and behave(prompt, one)) as server:
        in_time = 0.5 if "within" in words else 60.0  # on a busy machine an answer may take long
        endpoint = Endpoint(server.base_url, MODEL, timeout=in_time)
        asked = ask(prompts, answers, endpoint, EFFORT)
        assert (asked.answered, asked.failed) == (3, 1)
        lines = expected(prompts)
        assert lines_in(answers) == [*lines[:2], {"id": "a-002", "prediction": "", "error": words}, lines[3]]
        assert [one.error for one in decoded_lines(answers, ANSWERS)] == [None, None, words, None]
        assert cost(prompts, answers, endpoint).calls == 1
        broken = False
        ask(prompts, answers, endpoint, EFFORT)
    assert lines_in(answers) == lines
    times = [server.asked[text_of(one)] for one in prompts]
    assert times.pop(2) == QUICK.attempts + 1
    assert times == [1, 1, 1] or "within" in words


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (body_of("", content=""), {"prediction": "", "finish_reason": "stop"}),
        (body_of("", content=None), {"prediction": "", "finish_reason": "stop"}),
        (body_of("", content=None, refusal="不"), {"prediction": "", "finish_reason": "content_filter"}),
        (body_of("", content=[{"type": "text", "text": "正确"}]), {"prediction": "正确", "finish_reason": "stop"}),
        (
            {"choices": [{"message": {"content": None, "reasoning_content": "…"}, "finish_reason": "length"}]},
            {"prediction": "", "finish_reason": "length"},
        ),
        (body_of("", content=None, tool_calls=[{"id": "1"}]), {"error": "a tool call instead of a text"}),
        ({"choices": body_of("")["choices"] * 2}, {"error": "2 choices instead of one"}),
    ],
)
def test_what_a_model_said_is_not_asked_again(body, line, answers):
    """An empty text is what it said: to ask until it says more would choose among its answers."""
    with serving(lambda _prompt, _before, one: one.give(body)) as server:
        ask(prompts_of(1), answers, Endpoint(server.base_url, "served"), EFFORT)
    (found,) = lines_in(answers)
    assert found | line == found
    assert found.get("model") == (None if "error" in line else body.get("model", "served"))
    assert list(server.asked.values()) == [1]


def test_it_goes_on_where_it_stopped_and_asks_nothing_twice(answers):
    """Given up in the middle, what came stands in a part file; a half-written last line is no answer."""
    prompts, down = prompts_of(40), True

    def behave(prompt, _, one):
        return down and int(prompt.split("（")[1][:-1]) >= 25 and one.give(PAGE, 503)

    with serving(behave) as server:
        endpoint = Endpoint(server.base_url, MODEL)
        with pytest.raises(MedzhError, match=r"status 503: 502 Bad Gateway; 1\d requests failed in a row: ") as caught:
            ask(prompts, answers, endpoint, ClientConfig(concurrency=3, give_up_after=10, patience=QUICK))
        assert caught.value.advice.endswith("; answers that are kept: 25")
        assert not answers.exists()
        part = part_of(answers)
        content = part.read_bytes()
        lines = content.splitlines(keepends=True)
        part.write_bytes(content + lines[0].replace(b"a-000", b"a-039")[:-9])
        assert cost(prompts, answers, endpoint).there == 25
        with pytest.raises(MedzhError, match="status 503"):
            ask(prompts, answers, endpoint, ClientConfig(concurrency=3, give_up_after=2, patience=QUICK))
        assert part.read_bytes().startswith(content)
        assert sum("error" not in line for line in lines_in(part)) == 25  # and no line is joined to the half one
        down = False
        asked = ask(prompts, answers, endpoint, EFFORT)
    assert (asked.answered, asked.failed) == (15, 0)
    assert lines_in(answers) == expected(prompts)
    assert all(server.asked[text_of(one)] == 1 for one in prompts[:25])
    assert not part.exists()


def test_answers_that_are_there_stay_as_they_are(answers):
    """Also those of other tools and to other prompts; what failed there is sent."""
    answers.parent.mkdir(parents=True)
    there = [
        {"id": "a-001", "prediction": "有"},
        {"id": "a-002", "prediction": "", "error": "x"},
        {"id": "b", "prediction": ""},
    ]
    answers.write_text("".join(json.dumps(line) + "\n" for line in there), encoding="utf-8")
    prompts = prompts_of()
    with serving() as server:
        asked = ask(prompts, answers, Endpoint(server.base_url, MODEL), EFFORT)
    wanted = expected(prompts)
    assert asked.answered == 3
    assert lines_in(answers) == [wanted[0], there[0], *wanted[2:], there[2]]


def test_a_changed_request_is_not_mixed_with_what_came(answers):
    with serving(lambda prompt, _, one: "（3）" in prompt and one.give({}, 401)) as server:
        with pytest.raises(MedzhError, match="status 401"):
            ask(prompts_of(), answers, Endpoint(server.base_url, MODEL), ClientConfig(concurrency=1))
        for prompts, model in ((prompts_of(decoding={"temperature": 1}), MODEL), (prompts_of(), "another")):
            with pytest.raises(MedzhError, match="answers another request than is to be sent") as caught:
                ask(prompts, answers, Endpoint(server.base_url, model))
            assert (caught.value.file, caught.value.line) == (str(part_of(answers)), 1)
    assert len(lines_in(part_of(answers))) == 3


def test_a_server_that_wants_to_be_left_alone_is_left_alone(answers):
    """All requests wait, not the refused one alone; one that asks for too long ends it."""
    times = []

    def behave(_prompt, _before, one):
        times.append(monotonic())
        return len(times) == 1 and one.give({}, 429, Retry_After="1")

    with serving(behave) as server:
        ask(prompts_of(8), answers, Endpoint(server.base_url, MODEL), ClientConfig(concurrency=1, patience=QUICK))
        assert min(times[1:]) - times[0] >= 1
        assert len(times) == 9
    with serving(lambda _prompt, _before, one: one.give({}, 429, Retry_After="3600")) as server:
        with pytest.raises(MedzhError, match="asks to be left alone for 3,600 seconds"):
            ask(prompts_of(2), answers.with_name("b.jsonl"), Endpoint(server.base_url, MODEL), EFFORT)
        assert max(server.asked.values()) == 1


def test_pauses_grow_differ_and_come_from_the_seed():
    pauses = [[RetryPolicy().pause_after(attempt, AnswerKey(name, 0, 0)) for attempt in range(1, 9)] for name in "ab"]
    for mine in pauses:
        assert all(2**place <= pause < 2 ** (place + 1) for place, pause in enumerate(mine[:6]))
        assert mine[6:] == [60, 60]
    assert pauses[0][:5] != pauses[1][:5]
    assert pauses[0] == [RetryPolicy().pause_after(attempt, AnswerKey("a", 0, 0)) for attempt in range(1, 9)]
    assert pauses[0][0] != RetryPolicy(seed=1).pause_after(1, AnswerKey("a", 0, 0))


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"error": {"message": "Unsupported parameter", "param": "top_k", "code": "unsupported_parameter"}}, ["top_k"]),
        ({"object": "error", "message": "[{'loc': ('body', 'repetition_penalty')}]"}, ["repetition_penalty"]),
        ({"detail": [{"loc": ["body", "top_k"], "msg": "Extra inputs are not permitted"}]}, ["top_k"]),
        ({"error": {"message": "maximum context length is 2048 tokens", "param": "messages"}}, []),
    ],
)
def test_settings_that_a_server_refuses_are_named(body, names, answers):
    settings = {"top_k": 5, "top_p": 0.85, "repetition_penalty": 1.05, "max_new_tokens": 128}
    prompts = prompts_of(40, decoding=settings)
    with serving(lambda _prompt, _before, one: one.give(body, 400)) as server:
        with pytest.raises(MedzhError, match=r"1\d requests failed in a row") as caught:
            ask(prompts, answers, Endpoint(server.base_url, MODEL), ClientConfig(concurrency=4))
        assert set(server.asked.values()) == {1}
        assert 10 <= len(server.asked) < 14
    assert (f", and the server refuses {', '.join(names)}: take this out" in caught.value.advice) == bool(names)
    assert caught.value.advice.endswith("; answers that are kept: 0")


def test_a_setting_that_is_refused_for_one_prompt_does_not_stop_the_others(answers):
    message = {"error": {"message": "max_tokens is too large: the prompt has 2000 tokens", "param": "max_tokens"}}
    prompts = prompts_of(decoding={"max_new_tokens": 128})
    with serving(lambda prompt, _, one: "（0）" in prompt and one.give(message, 400)) as server:
        asked = ask(prompts, answers, Endpoint(server.base_url, MODEL), EFFORT)
    assert (asked.answered, asked.failed, dict(asked.refused)) == (3, 1, {"max_tokens": 1})
    assert outcome("sdak answer", asked)[1:] == [
        "sdak answer: 1 requests failed for good: the same command sends them again",
        "sdak answer: the server refused the setting max_tokens in 1 requests",
    ]


def test_a_server_that_was_never_there_is_not_waited_for(answers):
    with serving() as gone:
        endpoint = Endpoint(gone.base_url, MODEL)
    begin = monotonic()
    with pytest.raises(MedzhError, match=r"no connection: .*Connect"):
        ask(prompts_of(), answers, endpoint)
    assert monotonic() - begin < 10
    assert not list(answers.parent.iterdir())


def test_one_that_was_there_is_waited_for(answers, monkeypatch):
    """The second request meets no server; that one, tried again, does."""
    with serving(lambda prompt, _, one: one.give(body_of(prompt), Connection="close")) as server:
        port = int(server.base_url.split(":")[2].split("/")[0])
        with refusing_once(port, monkeypatch) as refused:
            asked = ask(
                prompts_of(), answers, Endpoint(server.base_url, MODEL), ClientConfig(concurrency=1, patience=QUICK)
            )
    assert (asked.answered, asked.failed) == (4, 0)
    assert refused == [port]
    assert lines_in(answers) == expected(prompts_of())


@pytest.mark.parametrize("status", [401, 402, 404])
def test_what_would_meet_every_request_stops_at_once(status, answers):
    with serving(lambda _prompt, _before, one: one.give({"error": {"message": "no such model"}}, status)) as server:
        with pytest.raises(MedzhError, match=f"status {status}: no such model; no request would succeed"):
            ask(prompts_of(40), answers, Endpoint(server.base_url, MODEL), ClientConfig(concurrency=1))
        assert sum(server.asked.values()) == 1
    assert not list(answers.parent.iterdir())


def test_used_up_money_stops_at_once_though_it_comes_as_too_many_requests(answers):
    body = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    with serving(lambda _prompt, _before, one: one.give(body, 429)) as server:
        with pytest.raises(MedzhError, match="status 429: You exceeded your quota; no request would succeed"):
            ask(prompts_of(40), answers, Endpoint(server.base_url, MODEL), ClientConfig(concurrency=1))
        assert sum(server.asked.values()) == 1


def test_requests_are_what_the_prompts_say(tmp_path, answers):
    """A line of the paper's prompt as it is written to a file, a conversation behind a system message, a plain text."""
    decoding = {"do_sample": False, "max_new_tokens": 128, "top_k": 5}
    asking = PromptSettings(PAPER_2)
    lines = list(prompt_lines(one_a_record([{"id": "a", "claim": CLAIMS[0]}], asking), asking, decoding, runs=2))
    lines.append(
        {"id": "b", "messages": [{"role": "system", "content": "简答"}, *lines[0]["messages"]], "decoding": {}}
    )
    lines.append({"id": "c", "text": "续写", "variant": 3, "decoding": {"temperature": 0.5}})
    extra = {"chat_template_kwargs": {"enable_thinking": False}}
    lines = [{**line, "extra_body": extra} for line in lines]
    file = tmp_path / "prompts.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with serving() as server:
        endpoint = Endpoint(server.base_url + "/", MODEL)
        costs = cost(file, answers, endpoint)
        assert costs == cost(lines, answers, endpoint)
        ask(file, answers, endpoint, EFFORT)
    sent = sorted((head["path"], body) for head, body in server.requests if "messages" not in body)
    assert sent == [("/v1/completions", {"model": MODEL, "prompt": "续写", "temperature": 0.5, **extra})]
    chats = [body for _, body in server.requests if "messages" in body]
    paper = {"model": MODEL, "messages": lines[0]["messages"], "temperature": 0, "max_tokens": 128, "top_k": 5, **extra}
    assert [body for body in chats if len(body["messages"]) == 1] == [paper, paper]
    assert [body for body in chats if len(body["messages"]) == 2] == [
        {"model": MODEL, "messages": lines[2]["messages"], **extra}
    ]
    length = len(lines[0]["messages"][0]["content"])
    assert (costs.calls, costs.characters, costs.there) == (4, 3 * length + 4, 0)
    found = lines_in(answers)
    assert [(one["id"], one.get("run"), one.get("variant")) for one in found] == [
        ("a", None, None),
        ("a", 1, None),
        ("b", None, None),
        ("c", None, 3),
    ]
    assert found[-1]["finish_reason"] == "length"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([{"id": "a"}], "2: field messages or text: is no prompt line"),
        ([{"id": "a", "text": "b", "messages": []}], "2: field messages or text: is no prompt line"),
        ([{"id": "a-000", "text": "b"}], "2: field id: is asked twice"),
        ([{"id": "a", "text": "b", "decoding": {"n": 5}}], "field decoding: cannot be set"),
        ([{"text": "b"}], "2: field id: the field is missing"),
    ],
)
def test_prompts_that_cannot_be_sent_are_refused_before_anything_is(lines, words, tmp_path, answers):
    file = tmp_path / "prompts.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in [*prompts_of(1), *lines]), encoding="utf-8")
    with pytest.raises(MedzhError, match=words):
        ask(file, answers, Endpoint("http://localhost:1/v1", MODEL))
    assert not answers.parent.exists()


def test_no_more_requests_are_under_way_than_were_allowed(answers):
    with serving(lambda prompt, _, one: one.drip(body_of(prompt), 0.01)) as server:
        ask(prompts_of(24), answers, Endpoint(server.base_url, MODEL), ClientConfig(concurrency=6))
        assert server.most_under_way == 6


def test_of_two_that_ask_for_the_same_one_is_refused(answers):
    found = []

    def behave(prompt, _before, _one):
        with pytest.raises(MedzhError, match="another process is at work here; these answers are asked for already"):
            ask(prompts_of(), answers, Endpoint(server.base_url, MODEL))
        found.append(prompt)
        return False

    with serving(behave) as server:
        ask(prompts_of(), answers, Endpoint(server.base_url, MODEL), ClientConfig(concurrency=1))
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
            with pytest.raises(MedzhError, match="cannot be written: No space left"):
                ask(prompts, answers, endpoint, ClientConfig(concurrency=1))
        assert cost(prompts, answers, endpoint).there == 2
        ask(prompts, answers, endpoint)
    assert lines_in(answers) == expected(prompts)
    assert [server.asked[text_of(one)] for one in prompts] == [1, 1, 2, 1]


def test_what_goes_wrong_is_named_in_chinese_too(answers):
    token = current.set("zh")
    try:
        with serving(lambda _prompt, _before, one: one.give({"error": {"message": "no such model"}}, 404)) as server:
            with pytest.raises(MedzhError) as caught:
                ask(prompts_of(), answers, Endpoint(server.base_url, MODEL), EFFORT)
            said = "其他请求也不会成功：请排除问题，再次运行同一命令；已保存的回答：0 个"
            assert error_line(caught.value) == f"{server.base_url}：状态码 404：no such model；{said}"
    finally:
        current.reset(token)


def test_a_terminal_is_shown_how_far_it_is_and_how_fast(answers, capsys, monkeypatch):
    """A bar that counts answers and failures together, names the failures, and is gone in the end."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(asking, "shows_progress", lambda: True)
    with serving(lambda prompt, _, one: "（1）" in prompt and one.give({}, 400)) as server, telling():
        endpoint = Endpoint(server.base_url, MODEL)
        ask_with_progress("sdak answer", prompts_of(), answers, endpoint, ClientConfig(concurrency=1, patience=QUICK))
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
    assert re.search(r"sdak answer .* 4/4 +\d+\.\d/s failed: 1 ", shown)


def test_what_a_command_says(capsys, answers):
    """What it costs, before anything is sent, and what came of it, in words; and the status with which it ends."""
    prompts = prompts_of()
    with serving(lambda prompt, _, one: "（1）" in prompt and one.give({}, 400)) as server, telling():
        endpoint = Endpoint(server.base_url, MODEL)
        say_cost("sdak answer", cost(prompts, answers, endpoint), endpoint)
        assert not server.requests
        characters = sum(len(text_of(one)) for one in prompts)
        said = f"sdak answer: 4 calls to {server.base_url}, {characters} characters of prompts\n"
        assert capsys.readouterr().err == said
        assert ask_with_progress("sdak answer", prompts, answers, endpoint, EFFORT) == 3
        came, failed = capsys.readouterr().err.splitlines()
        assert re.match(r"sdak answer: 3 answers came in \d+ s, ", came)
        assert failed == "sdak answer: 1 requests failed for good: the same command sends them again"
        say_cost("sdak answer", cost(prompts, answers, endpoint), endpoint)
        assert capsys.readouterr().err.splitlines()[1] == "sdak answer: 3 answers are there already"
        assert ask_with_progress("sdak answer", [*prompts[:1], *prompts[2:]], answers, endpoint, EFFORT) == 0
