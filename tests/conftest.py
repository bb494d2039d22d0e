"""What tests of several modules share."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import pytest
from browser import chromium
from forked import forking
from hub_client import client_of, served
from made_builds import made_build
from places import SAMPLES
from tool_runs import Tool, answers_of_sdak, lines_of

from dataset_scripts.building import loading
from dataset_scripts.building.build import build
from dataset_scripts.recipe import RECIPES
from medzh_score.benchmark import registry
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.cli.main import main as score_command
from medzh_score.ui.i18n import ENGLISH, current

DECLARED = [point for group in (registry.CONFIGS, RECIPES) for point in entry_points(group=group)]
THEIRS = {point.dist.name for point in DECLARED if point.dist is not None} - {registry.OWN}


def _ours(**chosen):
    """Find what this project and its tests declare: packages of the tester's own are no concern of these tests."""
    return [point for point in entry_points(**chosen) if point.dist is None or point.dist.name not in THEIRS]


registry.entry_points = _ours  # before anything is parametrised by it
registry._declared.cache_clear()
# No deadline: a busy machine is slow, and no less right. The variable asks for more examples than a quick run takes.
hypothesis.settings.register_profile(
    "any machine", deadline=None, max_examples=int(os.environ.get("MEDZH_EXAMPLES", "30"))
)
hypothesis.settings.load_profile("any machine")
RELEASED_FIELDS = ("label_id", "type", "claim", "label", "instruction", "input", "output", "id")
SOURCES = os.environ.get("MEDZH_SOURCES")
NETWORK_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "request_method", "medzh_mirror")


def pytest_collection_modifyitems(items):
    """Run the tests of the whole project first: they take longest, and the last file keeps one worker only."""
    items.sort(key=lambda item: "project" not in item.path.parts)


@pytest.fixture(scope="session")
def forked():
    """Give a function that runs modules and code in processes of their own, which start at once."""
    with forking() as run:
        yield run


@pytest.fixture(scope="session", autouse=True)
def load_dataset_starts_at_once(forked):
    """Let the process in which ``check`` loads a build be such a one; a command in its own process starts Python."""

    def run(command, *, env, **_):
        return forked(*command[command.index("-m") :], env=env)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "subprocess", SimpleNamespace(run=run))
        yield


@pytest.fixture(scope="session")
def minis(tmp_path_factory):
    """Build the samples of all configs in one folder; tests leave it as it is."""
    out = tmp_path_factory.mktemp("mini") / "medzh"
    for name in config_names():
        build(name, "mini", out)
    return out


@pytest.fixture(scope="module", params=config_names())
def config(request):
    """Give each config in its turn."""
    return find_config(request.param)


@pytest.fixture(scope="module")
def browser():
    """Give a real browser without a window; its driver has an event loop, which tests of other files must not meet."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="session", autouse=True)
def no_locale():
    """Take away the locale and the language that the tester set, which messages would have."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("MEDZH_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(autouse=True)
def english():
    """Let messages be English, unless a test asks for another language."""
    token = current.set(ENGLISH)
    yield
    current.reset(token)


@pytest.fixture
def calling(capfdbinary):
    """Give a function that calls the scoring command in this process: status, output, errors."""

    def call(*words):
        status = score_command([*map(str, words)])
        captured = capfdbinary.readouterr()
        return status, captured.out.decode("utf-8"), captured.err.decode("utf-8")

    return call


@pytest.fixture(scope="session", autouse=True)
def nothing_was_fetched(tmp_path_factory):
    """Let a build take no source that its test does not give, which would take long where the tester has all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEDZH_SOURCES", str(tmp_path_factory.mktemp("nothing-fetched")))
        yield


@pytest.fixture(scope="session")
def upstream_root():
    """Give the cache folder of real upstream files; tests that need it are skipped where there is none."""
    if SOURCES and Path(SOURCES).is_dir():
        return Path(SOURCES)
    if os.environ.get("MEDZH_REQUIRE_SOURCES"):
        pytest.fail("MEDZH_REQUIRE_SOURCES is set, but MEDZH_SOURCES names no folder")
    pytest.skip("needs real upstream files: set MEDZH_SOURCES")


@pytest.fixture(scope="session")
def upstream_file(upstream_root):
    """Give real upstream files by their path inside the cache."""

    def find(relative):
        file = upstream_root / relative
        if file.is_file():
            return file
        if os.environ.get("MEDZH_REQUIRE_SOURCES"):
            pytest.fail(f"MEDZH_SOURCES has no {relative}")
        pytest.skip(f"MEDZH_SOURCES has no {relative}")

    return find


@pytest.fixture
def plain_network(monkeypatch):
    """Take the proxies and the mirror of the tester's own environment away."""
    for name in NETWORK_VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@dataclass
class Mirror:
    """A folder that is served on the loopback, and what was asked for."""

    folder: Path
    address: str
    requests: list[str] = field(default_factory=list)


@pytest.fixture
def mirror(tmp_path, plain_network):  # noqa: ARG001 - a fixture for its effect
    """Serve an empty folder, which a test fills."""

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self):
            served.requests.append(self.path)
            super().do_GET()

        def log_message(self, *_):
            """Keep quiet."""

    folder = tmp_path / "mirror"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        served = Mirror(folder, f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield served
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def sdak_sample():
    """Give the folder of the hand-written SDAK sample: released format and predictions."""
    return SAMPLES / "sdak"


@pytest.fixture(scope="session")
def sdak_rows(sdak_sample):
    """Give the sample's records as the scoring side reads them, made without the building side."""
    rows = []
    for text in (sdak_sample / "SDAK.jsonl").read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        side, number = line["label_id"].split("_")
        slug = re.sub(r"(?<!^)(?=[A-Z])", "_", line["type"]).lower().replace("diseases", "disease")
        slots = [line[name] for name in line if name not in RELEASED_FIELDS]
        pair = f"sdak-{slug}-{int(number):04d}"
        rows.append(
            {
                "id": pair + ("-f" if side == "pos" else "-c"),
                "pair_id": pair,
                "type": line["type"],
                "polarity": "factual" if side == "pos" else "counterfactual",
                "claim": line["claim"],
                "object": slots[1] if len(slots) > 1 else None,
                "prompt": line["instruction"],
                "answer": "正确" if side == "pos" else "错误",
            }
        )
    return rows


@pytest.fixture(scope="session")
def made_claims():
    """Give a function that makes pairs: how many of each type."""

    def make(**types):
        return [
            {
                "id": f"sdak-{name}-{number:04d}-{polarity[0]}",
                "pair_id": f"sdak-{name}-{number:04d}",
                "type": name,
                "polarity": polarity,
                "claim": f"疾病{number}的病因{'' if polarity == 'factual' else '不'}包括原因{number}",
                "object": f"原因{number}",
                "prompt": f"疾病{number}",
                "answer": "正确" if polarity == "factual" else "错误",
            }
            for name, count in types.items()
            for number in range(1, count + 1)
            for polarity in ("factual", "counterfactual")
        ]

    return make


@pytest.fixture(scope="session")
def write_build():
    """Give a function that writes records as a build folder, in the shape that the scoring side reads."""

    def write(folder, rows, config="sdak", recipe="mini"):
        return made_build(folder, {config: {"test": rows}}, recipe=recipe)

    return write


@pytest.fixture(scope="session")
def sdak_build(tmp_path_factory, sdak_rows, write_build):
    """Give a build folder of the sample."""
    return write_build(tmp_path_factory.mktemp("build") / "medzh", sdak_rows)


@pytest.fixture(scope="session")
def write_lines():
    """Give a function that writes objects as JSON lines."""

    def write(path, lines):
        path.write_bytes(b"".join(json.dumps(line, ensure_ascii=False).encode("utf-8") + b"\n" for line in lines))
        return path

    return write


@pytest.fixture
def file(tmp_path):
    """Give a function that writes text or bytes as a file."""

    def write(content, name="p.jsonl"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write


@pytest.fixture
def hub():
    """Serve an empty hub."""
    with served() as state:
        yield state


@pytest.fixture
def client(hub, tmp_path, forked):
    """Run Python in a process with an empty home and the test's hub, which is chosen where its client is imported."""
    return client_of(hub, tmp_path / "home", forked)


@pytest.fixture(scope="session")
def care_mi_sample():
    """Give the folder of the hand-written CARE-MI sample: questions, predictions, ratings and judges' responses."""
    return SAMPLES / "care_mi"


@pytest.fixture(scope="session")
def care_mi_rows(care_mi_sample):
    """Give the sample's records as the scoring side reads them, named by the predictions, which stand in one order."""
    questions = (care_mi_sample / "CARE-MI.jsonl").read_text(encoding="utf-8").splitlines()
    answers = (care_mi_sample / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = []
    for question, answer in zip(questions, answers, strict=True):
        row = json.loads(question)
        made = {"id": json.loads(answer)["id"], "prompt": row["question"], "answer": row["true_statement"]}
        rows.append({**row, **made, "asked": "true" if row["type"] == "tf" else None})
    return rows


@pytest.fixture(scope="session")
def care_mi_build(tmp_path_factory, care_mi_rows, write_build):
    """Give a build folder of the sample."""
    return write_build(tmp_path_factory.mktemp("build") / "medzh", care_mi_rows, "care_mi")


@pytest.fixture(scope="session")
def tool(tmp_path_factory):
    """Give Python with a home of its own and no way out."""
    return Tool(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="session")
def told_answers(minis):
    """Give what a model is told to say, by the prompt."""
    return answers_of_sdak(minis)


@pytest.fixture
def a_minute_at_most():
    """Stop a test that takes a minute of the processor's time, however busy the machine is.

    What goes through a text once takes a moment; what goes through it again and again takes hours.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number, _frame):
        raise AssertionError("the text was gone through again and again")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 60)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.fixture
def scored_as_is(tmp_path, minis, capfd):
    """Give a function that scores a file: the report without what it says of the file, its items, and all of it."""

    def score(config, file, *options):
        out, items = tmp_path / "report.json", tmp_path / "items.jsonl"
        words = ["score", config, str(file), "--data", str(minis), "--bootstrap", "0", *options]
        status = score_command([*words, "--items", str(items), "--to", "json", "--output", str(out)])
        assert status == 0, capfd.readouterr().err
        report = json.loads(out.read_text(encoding="utf-8"))
        return {key: value for key, value in report.items() if key not in ("inputs", "model")}, lines_of(items), report

    return score
