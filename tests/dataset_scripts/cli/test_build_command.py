from __future__ import annotations

import errno
import json
import os
import subprocess
import sys

import pytest

from dataset_scripts.cli.main import main
from dataset_scripts.recipes.sdak.dataset import MINI


@pytest.fixture
def out(tmp_path):
    return str(tmp_path / "build" / "medzh")


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "dataset_scripts", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
        **options,
    )


def test_build_and_check_as_a_user_runs_them_whatever_the_locale(out, tmp_path):
    source = tmp_path / "病.jsonl"
    source.write_text(MINI.read_text(encoding="utf-8").replace("DiseaseCause", "疾病-医院"), encoding="utf-8")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    built = command("build", "sdak", "--recipe", "official", "--source", str(source), "--output", out, env=environment)
    assert (built.returncode, built.stderr) == (0, "")
    with open(os.path.join(out, "manifest.json"), encoding="utf-8") as stream:  # noqa: PTH118, PTH123
        fingerprint = json.load(stream)["configs"]["sdak"]["fingerprint"]
    assert f"sdak official: test 204 records, fingerprint {fingerprint[:8]}, in {out}" in built.stdout
    assert "疾病-医院" in built.stdout
    checked = command("check", out)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert (
        checked.stdout == f"sdak official 0.0.0: test 204 records, fingerprint {fingerprint[:8]}: no problems found\n"
    )


def test_notes_tables_and_sources_are_printed(out, tmp_path, capfd):
    copy = tmp_path / "SDAK.jsonl"
    copy.write_bytes(MINI.read_bytes() * 2)
    assert main(["build", "sdak", "--recipe", "official", "--source", str(copy), "--output", out]) == 0
    printed = capfd.readouterr().out
    assert "Note: 204 exact duplicates of other lines were removed." in printed
    assert "source: sdak (provided by the user, not verified), SHA-256 " in printed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["build", "nothing", "--recipe", "mini"], "unknown config: expected care_mi, cmhe_ce"),
        (["build", "sdak", "--recipe", "rebuilt"], "unknown recipe rebuilt; recipes of sdak: official, open, mini"),
        (
            ["build", "sdak", "--recipe", "mini", "--source", "no-such-file"],
            "no-such-file: option --source: cannot read the file",
        ),
        (["build", "sdak", "--recipe", "mini", "--output", "/proc/nothing/medzh"], "/proc/nothing"),
        (["check", "no/such/folder"], "no build found"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments, words, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    printed = capfd.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("medzh-build: error: ")
    assert printed.err.replace("\n  ", "").count("\n") == 1
    assert words in printed.err


@pytest.mark.parametrize("arguments", [["build"], ["build", "sdak"], ["nothing"], ["check", "a", "b"]])
def test_bad_arguments_end_with_status_2(arguments, capfd):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: medzh-build" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("raised", "status", "line"),
    [
        (KeyboardInterrupt(), 130, ""),
        (OSError(errno.ENOSPC, "No space left on device"), 2, "medzh-build: error: No space left on device\n"),
        (OSError(errno.ENOSPC, "No space left", "f"), 2, "medzh-build: error: f: No space left\n"),
    ],
)
def test_what_stops_a_command_is_no_traceback(raised, status, line, capfd, monkeypatch):
    def stop(*_, **__):
        raise raised

    monkeypatch.setattr("dataset_scripts.building.build.build", stop)
    assert main(["build", "sdak", "--recipe", "mini"]) == status
    assert capfd.readouterr().err == line


def test_a_reader_that_closes_early_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    words = [sys.executable, "-m", "dataset_scripts", "fetch", "--list"]
    try:
        done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_help_is_fast_and_names_every_command():
    probe = "import sys; from dataset_scripts.cli.main import parser; parser(); print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, encoding="utf-8", check=True
    ).stdout.split()
    assert not {"datasets", "pyarrow", "numpy", "jsonschema_rs", "jinja2", "yaml", "rich"} & set(loaded)
    printed = command("--help").stdout
    assert all(name in printed for name in ("fetch", "build", "check"))
