"""What ``make audit`` says and ends with, by what pip-audit answers."""

from __future__ import annotations

import json
import runpy
import subprocess

import pytest
from places import ROOT

main = runpy.run_path(str(ROOT / "tests" / "advisories.py"))["main"]
SOUND = {"name": "numpy", "version": "2.0", "vulns": []}
KNOWN = {"name": "jinja2", "version": "3.0", "vulns": [{"id": "CVE-1"}]}
SKIPPED = {"name": "jieba", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("out", "err", "status", "last"),
    [
        ([SOUND], "", 0, "a.txt: 0 advisories"),
        ([SOUND, KNOWN], "", 1, "a.txt: 1 advisories"),
        ([SOUND, KNOWN, SKIPPED], "", 2, "a.txt: NOT CHECKED: 1 of 3 packages are not in the database"),
        ([SKIPPED], "", 2, "a.txt: NOT CHECKED: 1 of 1 packages are not in the database"),
        (None, "Traceback\nno connection\n", 2, "a.txt: NOT CHECKED: the database of advisories cannot be reached"),
        (None, "", 2, "a.txt: NOT CHECKED: the database of advisories cannot be reached from here (no answer)"),
    ],
)
def test_what_was_not_looked_up_is_never_called_sound(monkeypatch, capsys, out, err, status, last):
    answered = "" if out is None else json.dumps({"dependencies": out})
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess((), 1, answered, err))
    assert main(["a.txt"]) == status
    said = capsys.readouterr()
    assert said.out.splitlines()[-1].startswith(last)
    assert said.err == ""
    assert ("a.txt: jinja2 3.0: CVE-1" in said.out) == (out is not None and KNOWN in out)
