"""``medzh-score`` as it is called: what it prints, what it writes, and how it refuses."""

from __future__ import annotations

import gzip
import json
import os
import re
import socket
import subprocess
import sys

import pytest
from sheet_files import save_sheet, sheet_rows

from medzh_score.prompting import write
from medzh_score.results.result import Result

pytestmark = pytest.mark.smoke

NO_SOCKETS = """
import socket, sys
class Refused:
    def __init__(self, *_, **__):
        raise AssertionError("scoring opened a socket")
socket.socket = socket.create_connection = socket.getaddrinfo = Refused
from medzh_score.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def no_sockets(monkeypatch):
    def refused(*_, **__):
        raise AssertionError("scoring opened a socket")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refused)


@pytest.fixture
def predictions(sdak_sample):
    return sdak_sample / "predictions.jsonl"


@pytest.fixture
def command(calling, sdak_build):
    return lambda *words, data=True: calling(*words, *(["--data", sdak_build] if data else []))


@pytest.fixture
def refused(command, tmp_path):
    """Give a function that expects a refusal: one message, status 2, ``--output`` and ``--items`` as they were."""

    def call(*arguments):
        out, items = tmp_path / "kept.txt", tmp_path / "kept.jsonl"
        out.write_text("before")
        items.write_text("before")
        status, printed, errors = command("score", "sdak", *arguments, "--output", out, "--items", items)
        assert status == 2
        assert printed == ""
        assert MESSAGE.fullmatch(errors)
        assert "Traceback" not in errors
        assert out.read_text() == items.read_text() == "before"
        assert not [path for path in tmp_path.iterdir() if ".part" in path.name]
        return errors

    return call


def process(*arguments, code=None, **environment):
    start = [sys.executable, "-m", "medzh_score"] if code is None else [sys.executable, "-c", code]
    return subprocess.run(
        [*start, *map(str, arguments)], capture_output=True, check=False, env={**os.environ, **environment}
    )


MESSAGE = re.compile(r"medzh-score: error: .*\n(  Fix: .*\n)?")
LINE = '{"id": "sdak-disease_cause-0001-f", "prediction": "正确"}\n'
HOSTILE = {
    "not UTF-8": LINE.encode("gb18030"),
    "UTF-16": LINE.encode("utf-16"),
    "truncated JSON": LINE.encode()[:-4],
    "array": b"[" + LINE.encode() + b"]",
    "id that is no text": b'{"id": 5, "prediction": "x"}',
    "prediction that is no text": b'{"id": "sdak-disease_cause-0001-f", "prediction": [1]}',
    "null prediction": b'{"id": "sdak-disease_cause-0001-f", "prediction": null}',
    "negative run": b'{"id": "sdak-disease_cause-0001-f", "prediction": "x", "run": -1}',
    "unknown id": b'{"id": "nobody\\n\\u001b[31m", "prediction": "x"}',
    "long unknown id": b'{"id": "' + b"n" * 1_000_000 + b'", "prediction": "x"}',
    "twice": LINE.encode() * 2,
    "few": LINE.encode(),
    "failed": LINE.encode() + b'{"id":"sdak-disease_cause-0001-c","prediction":"","error":"line\\nbreak\\r\\u2028"}',
    "empty": b"",
    "blank": b"\n\n",
    "truncated gzip": gzip.compress(LINE.encode() * 99)[:40],
    "no known form": b'{"text": "x"}',
    "plain text": "正确\n错误".encode(),
    "binary": bytes(range(256)) * 9,
    "long line": b"x" * 3_000_000,
    "deep": b'{"id": ' + b"[" * 200_000,
    "bad cells": "id,prediction\nsdak-disease_cause-0001-f,正确,因为\n".encode(),
    "open quote": 'id,prediction\nsdak-disease_cause-0001-f,"正确\n'.encode(),
    "variant": LINE.replace('"}', '", "variant": 2}').encode(),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_predictions(refused, tmp_path, kind):
    path = tmp_path / "p.jsonl"
    path.write_bytes(HOSTILE[kind])
    options = ("--missing", "wrong") if kind == "variant" else ()
    errors = refused(path, *options)
    assert len(errors.encode()) < 2000
    assert "\x1b" not in errors
    assert "\u2028" not in errors


def test_other_arguments_that_are_wrong(refused, predictions, tmp_path):
    assert "unknown name" in refused(predictions, "--rule", "lenient")
    assert "unknown input format" in refused(predictions, "--from", "xml")
    assert "invalid value" in refused(predictions, "--stage", "reason")
    assert "unknown name" in refused(predictions, "--stage", f"third={predictions}")
    assert "a column is missing" in refused(predictions, "--stage", f"reason={predictions}")
    assert "the file does not exist" in refused(predictions, "--prompts", tmp_path / "none")
    assert "no record has this id" in refused(
        predictions, "--prompts", _written(tmp_path / "x", '{"id":"x","text":"y"}')
    )


def _written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("out", ["no/such/folder/out.txt", "folder"])
@pytest.mark.parametrize("option", ["--output", "--items"])
def test_places_that_cannot_be_written(command, predictions, tmp_path, out, option):
    (tmp_path / "folder").mkdir()
    status, printed, errors = command("score", "sdak", predictions, option, tmp_path / out, "--bootstrap", "0")
    assert (status, printed) == (2, "")
    assert MESSAGE.fullmatch(errors)
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts threads as Linux does")  # noqa: PTH112
def test_records_are_read_without_threads(sdak_build):
    """A process that ends soon after Arrow has started threads is aborted now and then, and loses its status 2."""
    code = (
        "import os, sys, numpy, pyarrow.parquet; from medzh_score.data.records import load_records;"
        "before = len(os.listdir('/proc/self/task')); load_records(sys.argv[1], 'sdak');"
        "sys.exit(len(os.listdir('/proc/self/task')) - before)"
    )
    assert process(sdak_build, code=code).returncode == 0


@pytest.mark.parametrize("option", ["--output", "--items"])
def test_what_is_read_is_not_written_over(command, predictions, tmp_path, option):
    copy = tmp_path / "p.jsonl"
    copy.write_bytes(predictions.read_bytes())
    (tmp_path / "link").symlink_to(copy)
    for path in (copy, tmp_path / "link"):
        status, printed, errors = command("score", "sdak", copy, option, path)
        assert (status, printed) == (2, "")
        assert MESSAGE.fullmatch(errors)
    assert command("prompts", "sdak", "--stage", "error", "--predictions", copy, "--output", copy)[0] == 2
    assert copy.read_bytes() == predictions.read_bytes()


def test_a_pipe_is_written_to_and_a_link_followed(command, predictions, tmp_path):
    """A rename over a pipe or a device would take it away; over a link, what it points to would stay as it was."""
    pipe, file, link = tmp_path / "pipe", tmp_path / "file", tmp_path / "link"
    os.mkfifo(pipe)
    file.write_text("before")
    link.symlink_to(file)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        for out in (pipe, link):
            assert command("score", "sdak", predictions, "--bootstrap", "0", "--output", out)[0] == 0
        assert os.read(reader, 4) == b"sdak"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8").startswith("sdak")


def test_text(command, predictions):
    status, printed, errors = command("score", "sdak", predictions, "--model", "[/x] [bold]模型[/bold] :smile:")
    assert (status, errors) == (0, f"{predictions}: read as native format\n")
    assert printed.startswith("sdak of [/x] [bold]模型[/bold] :smile:\n")
    assert "\x1b" not in printed
    assert printed.splitlines()[2].startswith("! mini sample, not the official benchmark: do not compare")
    assert "  74.5%  [65.3, 82.0]" in printed
    full = command("score", "sdak", predictions, "--full")[1]
    assert full.splitlines()[-1].startswith("Signature: config:sdak|split:test|data:0.0.0/mini/00000000|items:102|")
    assert "Warning: The data were built with recipe mini and are not the official benchmark." in full


@pytest.mark.parametrize(("kept", "column"), [("none", False), ("full", True)])
def test_texts_are_stored_only_where_they_are_asked_for(command, predictions, tmp_path, kept, column):
    saved = ("--save", tmp_path / "result", "--include-text", kept)
    assert command("score", "sdak", predictions, "--bootstrap", "0", *saved)[0] == 0
    texts = {line["prediction"] for line in lines_of(predictions.read_text(encoding="utf-8"))}
    items = Result.load(tmp_path / "result").items().to_pylist()
    assert any(set(map(str, row.values())) & texts for row in items) == column


# The process itself.


def test_in_a_process_of_its_own_without_sockets(predictions, sdak_build, tmp_path):
    found = process("score", "sdak", predictions, "--data", sdak_build, "--bootstrap", "9", code=NO_SOCKETS)
    assert (found.returncode, found.stderr.decode()) == (0, f"{predictions}: read as native format\n")
    assert "IFR" in found.stdout.decode("utf-8")
    out = tmp_path / "out"
    found = process("score", "sdak", tmp_path, "--data", sdak_build, "--output", out, LC_ALL="C", PYTHONUTF8="0")
    assert found.returncode == 2
    assert MESSAGE.fullmatch(found.stderr.decode())
    assert not out.exists()
    found = process(
        "score", "sdak", predictions, "--data", sdak_build, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii"
    )
    assert (found.returncode, found.stderr.decode()) == (0, f"{predictions}: read as native format\n")


def test_whoever_has_read_enough(predictions, sdak_build):
    words = ["score", "sdak", str(predictions), "--data", str(sdak_build), "--to", "json"]
    command = [sys.executable, "-m", "medzh_score", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 0


# Prompts, and rounds of people.


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def test_prompts_as_chat_and_text(command, sdak_rows):
    """Source: the released file's ``instruction`` is the paper's first prompt."""
    chat = lines_of(command("prompts", "sdak")[1])
    text = lines_of(command("prompts", "sdak", "--to", "text", "--runs", "2")[1])
    assert [line["messages"] for line in chat] == [[{"role": "user", "content": row["prompt"]}] for row in sdak_rows]
    assert [line["text"] for line in text] == [row["prompt"] for row in sdak_rows] * 2
    assert [line["run"] for line in text] == [0] * 204 + [1] * 204
    assert list(chat[0]) == ["id", "messages", "prompt", "shots", "generation"]
    assert chat[0]["generation"]["temperature"] == 0.3
    second = lines_of(command("prompts", "sdak", "--prompt", "paper-2")[1])
    assert all(line["prompt"] == "paper-2" for line in second)
    assert second[0]["messages"][0]["content"].endswith("\n\n" + sdak_rows[0]["claim"])


def test_prompts_as_batch_files_are_split(command, monkeypatch, tmp_path):
    monkeypatch.setattr(write, "BATCH_LINES", 150)
    out = tmp_path / "b.jsonl"
    arguments = ("prompts", "sdak", "--to", "openai-batch", "--model", "m", "--runs", "2")
    status, _, errors = command(*arguments, "--output", out)
    assert status == 0
    names = ["b-1-of-3.jsonl", "b-2-of-3.jsonl", "b-3-of-3.jsonl"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert errors.count("Wrote") == 3
    parts = [lines_of((tmp_path / name).read_text(encoding="utf-8")) for name in names]
    assert [len(part) for part in parts] == [150, 150, 108]
    every = [line for part in parts for line in part]
    assert len({line["custom_id"] for line in every}) == 408
    assert all(len(line["custom_id"]) <= 64 for line in every)
    assert sum(line["custom_id"].endswith("#r1") for line in every) == 204
    assert every[0]["body"]["model"] == "m"
    assert every[0]["body"]["max_tokens"] == 128
    assert every[0]["url"] == "/v1/chat/completions"
    assert command(*arguments)[0] == 2  # several files do not fit on standard output


@pytest.mark.parametrize("rule", ["official", "medzh-1"])
def test_round_reason_goes_out_and_back(command, predictions, tmp_path, rule):
    """Source: the right pairs of the first run are those of the items file; AccR is what was filled in."""
    items, sheet = tmp_path / "items", tmp_path / "reason.csv"
    command("score", "sdak", predictions, "--items", items, "--rule", rule, "--bootstrap", "0")
    right = {line["item"] for line in lines_of(items.read_text(encoding="utf-8")) if line["right"]}
    arguments = ("prompts", "sdak", "--stage", "reason", "--predictions", predictions, "--rule", rule, "--seed", "3")
    status, _, errors = command(*arguments, "--output", sheet)
    assert status == 0
    assert f"{len(right)} items" in errors
    rows = sheet_rows(sheet.read_text(encoding="utf-8"))
    assert {row["id"] for row in rows} == right
    assert list(rows[0])[-3:] == ["factual_supported", "counterfactual_supported", "annotator"]
    texts = {line["id"]: line["prediction"] for line in lines_of(predictions.read_text(encoding="utf-8"))}
    for row in rows:
        for column, side in (("factual_response", "-f"), ("counterfactual_response", "-c")):
            assert row[column].removeprefix("'") == texts[row["id"] + side]
    for number, row in enumerate(rows):
        row |= {
            "factual_supported": "yes",
            "counterfactual_supported": "no" if number % 4 == 0 else "yes",
            "annotator": "李",
        }
    save_sheet(sheet, rows)
    report = json.loads(
        command(
            *("score", "sdak", predictions, "--rule", rule, "--stage", f"reason={sheet}", "--to", "json"),
            *("--stage-sample", "reason=100:3"),
        )[1]
    )
    assert report["metrics"]["AccR"]["n"] == len(right)
    assert report["metrics"]["AccR"]["value"] == pytest.approx(100 * (len(right) - -(-len(right) // 4)) / len(right))
    assert report["signature"]["annotators"] == "reason by 李 (sample 100:3, verified)"
    assert report["arguments"]["stages"] == {"reason": ["reason.csv"]}


def test_the_environment_names_the_data_where_the_option_does_not(command, predictions, sdak_build, monkeypatch):
    monkeypatch.setenv("MEDZH_DATA", str(sdak_build))
    arguments = ("score", "sdak", predictions, "--full")
    named = command(*arguments, data=False)
    assert named == command(*arguments)
    monkeypatch.setenv("MEDZH_DATA", str(sdak_build / "gone"))
    assert command(*arguments) == named
    status, _, errors = command(*arguments, data=False)
    assert (status, "gone" in errors) == (2, True)
