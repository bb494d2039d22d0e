"""Suites with a private config: a folder of one owner, prompts that go to this machine or to hosts that were named."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from model_server import serving
from private_package import NAME, open_to_others, private_package

from dataset_scripts.building.build import build
from medzh_score.cli.main import main
from medzh_score.suites import ask as asking
from medzh_score.suites.endpoint import Endpoint, check_host
from medzh_score.suites.progress import suite_plan
from medzh_score.suites.scoring import score_here, units_of
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.privacy import at_work, quotable, withhold_texts
from medzh_score.version import VERSION

TEXT = "患者发热三天"
PROXIES = ("http_proxy", "https_proxy", "all_proxy")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Build the sample of a private config, which is there as long as these tests run."""
    folder = tmp_path_factory.mktemp("ward")
    with private_package(folder / "own"):
        build(NAME, "mini", folder / "medzh")
        yield folder / "medzh"


@pytest.fixture
def plan(data, tmp_path):
    def call(suite, *configs):
        words = ["suite", "plan", str(suite), "--models", "m", "--configs", *(configs or (NAME,)), "--data", str(data)]
        return main([*words, "--quiet"])

    call.suite = tmp_path / "suite"
    return call


@pytest.fixture
def suite(plan):
    assert plan(plan.suite) == 0
    return plan.suite


def questions(suite):
    lines = (suite / f"prompts/{NAME}/answer.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["messages"][-1]["content"] for line in lines]


def ask(suite, url, *more):
    return main(["suite", "ask", str(suite), "--model", "m", "--base-url", url, "--yes", *more])


def test_all_that_a_suite_holds_is_its_owners_from_plan_to_results(suite, tmp_path):
    assert main(["suite", "prompts", str(suite), "--to", "openai-batch", "--quiet"]) == 0
    with serving() as server:
        assert ask(suite, server.base_url, "--quiet") == 0
    assert main(["suite", "score", str(suite), "--quiet"]) == 0
    assert main(["suite", "status", str(suite), "--output", str(tmp_path / "status")]) == 0
    assert (suite / f"results/m/{NAME}/report.json").is_file()
    assert open_to_others(suite) == []


def test_what_a_worker_raises_quotes_no_text(suite):
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    with serving() as server:
        assert ask(suite, server.base_url, "--quiet") == 0
    (kept,) = (suite / "answers").rglob("*.jsonl")
    lines = kept.read_text(encoding="utf-8").splitlines()
    kept.write_text("\n".join([f"{TEXT}, {lines[0]}", *lines[1:]]), encoding="utf-8")
    unit = units_of(suite, suite_plan(suite), "none")[0]
    said = score_here(unit, VERSION).problem
    assert said is not None
    assert TEXT not in repr(said) + str(said) + repr(vars(said))
    assert "found a string of" in str(said)


@pytest.mark.parametrize(("damaged", "shows"), [("sdak", True), (NAME, False)])
def test_a_public_config_is_quoted_beside_a_private_one(plan, data, damaged, shows, capsys):
    build("sdak", "mini", data)
    assert plan(plan.suite, NAME, "sdak") == 0
    assert main(["suite", "prompts", str(plan.suite), "--quiet"]) == 0
    with serving() as server:
        assert ask(plan.suite, server.base_url, "--quiet") == 0
    (kept,) = (plan.suite / "answers").glob(f"*/{damaged}/*.jsonl")
    first, others = kept.read_text(encoding="utf-8").split("\n", 1)
    damaged_line = json.dumps({**json.loads(first), "id": TEXT}, ensure_ascii=False)
    kept.write_text(f"{damaged_line}\n{others}", encoding="utf-8")
    capsys.readouterr()
    main(["suite", "score", str(plan.suite), "--quiet"])
    said = capsys.readouterr().err
    assert (TEXT in said, "a string of 6 characters" in said) == (shows, not shows), said


def test_what_a_public_config_says_stays_said_in_a_private_work():
    with at_work(private=True):
        assert quotable(TEXT) == "a string of 6 characters"
        with at_work(public=True):
            fault = MedzhError("invalid value", found=TEXT)
            assert quotable(TEXT) == TEXT
            with at_work(private=True):
                assert quotable(TEXT) != TEXT
            with at_work():
                withhold_texts()  # a private config takes part after all
            assert quotable(TEXT) != TEXT
        assert TEXT in str(fault)
        assert TEXT not in str(MedzhError("invalid value", found=TEXT))


def test_a_folder_that_others_can_read_is_refused_and_nothing_is_written(plan, tmp_path, capsys):
    other = tmp_path / "there"
    other.mkdir(mode=0o755)
    capsys.readouterr()
    assert plan(other) == 2
    assert (
        "there: other users can read or modify the path, which belongs to a private config" in capsys.readouterr().err
    )
    assert list(other.iterdir()) == []
    other.chmod(0o700)
    assert plan(other) == 0


def test_a_suite_that_was_opened_to_others_later_is_refused_by_every_step(suite, capsys):
    suite.chmod(0o750)
    before = sorted(suite.rglob("*"))
    steps = {
        "prompts": [],
        "ask": ["--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--yes"],
        "add": [str(suite / "plan.toml")],
        "status": [],
        "score": [],
    }
    for step, more in steps.items():
        assert main(["suite", step, str(suite), *more]) == 2, step
        assert "chmod 700" in capsys.readouterr().err
    assert sorted(suite.rglob("*")) == before


def test_a_suite_of_configs_that_are_not_private_stays_as_it_was(plan, minis, tmp_path):
    folder = tmp_path / "open"
    assert main(["suite", "plan", str(folder), "--models", "m", "--configs", "sdak", "--data", str(minis)]) == 0
    assert "plan.toml" in open_to_others(folder)
    assert plan.suite.exists() is False


FOREIGN = [
    *("http://models.example/v1", "http://127.0.0.1.evil.example/v1", "http://localhost.evil.example/v1"),
    *("http://localhost./v1", "http://127.0.0.1%2eevil.example/v1", "http://0.0.0.0:8000/v1", "http://[::]/v1"),
    *("http://[::ffff:10.0.0.5]/v1", "http://2130706433/v1", "http://127.1/v1", "http://0x7f.0.0.1/v1"),
    *("http://0177.0.0.1/v1", "http://10.0.0.5:8000/v1", "https://gpu.hospital.example.evil.example/v1"),
    *("https://evil-gpu.hospital.example/v1", "https://hospital.example/v1"),
    *("https://gpu.hospital.example./v1", "https://sub.gpu.hospital.example/v1"),
]
NO_ADDRESS = [
    *("http://127.0.0.1@evil.example/v1", "http://evil.example#@127.0.0.1/v1", "http://[::1]evil.example/v1"),
    *("http://127.0.0.1:8000:80/v1", "http://[::1]:80evil/v1"),
    *("http://evil.example\\@127.0.0.1/v1", "http://localhost:/v1"),
]


@pytest.mark.parametrize("url", [*FOREIGN, *NO_ADDRESS])
def test_a_host_that_nobody_named_is_refused_before_anything_is_sent_or_resolved(url, suite, monkeypatch, capsys):
    looked_up = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *host, **_: looked_up.append(host))
    monkeypatch.setattr(socket.socket, "connect", lambda *to: looked_up.append(to))
    assert ask(suite, url, "--allow-host", "gpu.hospital.example") == 2
    said = capsys.readouterr().err
    problem = "invalid URL" if "@" not in url else "the URL contains more than an address"
    assert ("and nothing was sent" if url in FOREIGN else problem) in said
    assert looked_up == []
    assert not (suite / "answers").exists()
    assert not any(question in said for question in questions(suite))


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("http://localhost:8000/v1", []),
        ("http://LOCALHOST/v1", []),
        ("http://127.0.0.1:8000/v1", []),
        ("http://127.9.9.9/v1", []),
        ("http://[::1]:8000/v1", []),
        ("https://gpu.hospital.example/v1", ["other.example", "gpu.hospital.example"]),
        ("https://GPU.hospital.example:8443/v1", ["gpu.Hospital.example"]),
        ("http://10.0.0.5:8000/v1", ["10.0.0.5"]),
        ("http://[fd00::5]:8000/v1", ["[FD00::5]"]),
    ],
)
def test_the_loopback_and_named_hosts_are_asked(url, allowed):
    check_host(Endpoint(url, "m", private=True), allowed)


@pytest.mark.parametrize(
    "name", ["", "*", "*.example", "http://x.example", "x.example:80", "a@x.example", "x/y", "::1"]
)
def test_what_is_no_host_is_refused(name):
    with pytest.raises(MedzhError, match="option --allow-host: invalid host"):
        check_host(Endpoint("http://localhost/v1", "m"), [name])


def test_with_named_hosts_no_suite_goes_elsewhere(minis, tmp_path, capsys):
    folder = tmp_path / "open"
    assert main(["suite", "plan", str(folder), "--models", "m", "--configs", "cmhe_hd", "--data", str(minis)]) == 0
    assert ask(folder, "http://models.example/v1", "--allow-host", "other.example") == 2
    assert "and nothing was sent" in capsys.readouterr().err


@pytest.mark.usefixtures("plain_network")
def test_no_proxy_of_the_environment_sees_a_prompt(suite, monkeypatch):
    with serving() as trap, serving() as server:
        for name in PROXIES:
            monkeypatch.setenv(name, trap.base_url.removesuffix("/v1"))
            monkeypatch.setenv(name.upper(), trap.base_url.removesuffix("/v1"))
        for url in ("http://gpu.hospital.example/v1", "https://gpu.hospital.example/v1"):
            assert Endpoint(url, "m").proxy is not None
            assert Endpoint(url, "m", private=True).proxy is None
        assert ask(suite, server.base_url, "--quiet") == 0
        assert len(server.requests) == len(questions(suite))
        assert trap.requests == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_host_is_not_followed(suite, capsys, status):
    def behave(prompt, _before, one):
        return one.give(b"", status, Location=f"{other.base_url}/chat/completions/{prompt[:1].encode().hex()}")

    with serving() as other, serving(behave) as server:
        assert ask(suite, server.base_url) == 2
        assert len(server.requests) >= 1
        assert other.requests == []
    said = capsys.readouterr().err
    assert f"status {status}: the server message is not shown because the config is private\n" in said
    assert other.base_url not in said


@pytest.mark.parametrize(
    "reply",
    [
        lambda prompt, one: one.give({"error": {"message": f"refused: {prompt}"}}, 400),
        lambda prompt, one: one.give({"error": {"message": f"refused: {prompt}"}}, 401),
        lambda prompt, one: one.give({"error": f"refused: {prompt}"}),
        lambda prompt, one: one.give(f"<html><title>{prompt}</title>".encode()),
        lambda prompt, one: one.give(f'{{"choices": "{prompt[:9]}"}}'.encode()),
    ],
    ids=["bad", "stops", "error", "page", "shape"],
)
def test_what_a_server_repeats_of_a_prompt_is_neither_said_nor_kept(suite, capsys, reply, monkeypatch):
    monkeypatch.setattr(asking, "RETRIES", 0)
    with serving(lambda prompt, _before, one: reply(prompt, one)) as server:
        assert ask(suite, server.base_url, "--concurrency", "1") in {2, 3}
    said = capsys.readouterr().err
    kept = [path.read_text(encoding="utf-8") for path in (suite / "answers").rglob("*") if path.is_file()]
    assert any("the server message is not shown because the config is private" in text for text in (said, *kept))
    for question in questions(suite):
        assert not any(question[:9] in text for text in (said, *kept))


def test_the_guard_leaves_the_mask_as_it_was(suite):
    assert main(["suite", "status", str(suite), "--output", str(suite.parent / "s.txt")]) == 3
    after = Path(suite.parent / "after")
    after.write_text("", encoding="utf-8")
    assert after.stat().st_mode & 0o044
