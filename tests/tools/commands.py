"""Commands called one by one, and packages that declare a config, as a private one does."""

from __future__ import annotations

import sys

from medzh_score.cli.main import COMMANDS
from medzh_score.ui.cli import Parser


def called(name, *words):
    """Call a command of medzh-score in this process, where errors are raised."""
    command = next(one for one in COMMANDS if one.name == name)
    arguments = Parser(module=command.module).parse_args([*map(str, words)])
    status: int = arguments.run(arguments)
    return status


def installed(folder, name, code):
    """Install a package that is one module and declares the config of its name."""
    distribution = folder / f"{name}-1.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (distribution / "entry_points.txt").write_text(f"[medzh_score.configs]\n{name} = {name}:CONFIG\n")
    (folder / f"{name}.py").write_text(code)
    return folder


# A hook between fork and exec may wait for ever on a lock: a process sets the signals, and becomes the command.
SET = """
import os, signal, sys
for one in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
    signal.signal(one, signal.SIG_IGN if one.name in sys.argv[1] else signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, "-m", "medzh_score", *sys.argv[2:]])
"""


def heeding(*words, ignored=""):
    """Give the command line of medzh-score that ignores the named signals and no other of the three that end it."""
    return [sys.executable, "-c", SET, ignored, *map(str, words)]
