"""A process of its own that holds a lock."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager

HOLDER = """
import sys
from pathlib import Path
from medzh_score.io.atomic import locked
with locked(Path(sys.argv[1]), Path("elsewhere"), "wait"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process_holding(lock):
    command = [sys.executable, "-c", HOLDER, str(lock)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as holder:
        assert holder.stdout.readline() == "held\n"
        yield holder
        holder.stdin.close()
