"""A process that forks children and kills each before a step of its work on the disk."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from amounts import one_in

if TYPE_CHECKING:
    from collections.abc import Sequence

SIGKILL = -9
PERMUTATIONS = ("os.rename", "os.symlink", "os.link")
# Stands behind the code of a test, which imports everything once and defines ``place``, the folder that counts, and
# ``work``. For each number n on its standard input it forks a child that works and is killed by SIGKILL when it is
# about to do its n-th step; it answers with the status of the child: -9 killed, else what ``work`` gives, or 0; and
# with the steps of one that was not killed.
HARNESS = """
import gc, json, os, signal, sys
STEPS = {"os.rename", "os.symlink", "os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.link", "os.chmod"}

def is_step(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        return bool(writes) and str(path).startswith(place)
    return event.startswith("shutil.") or event in STEPS

def child(number, steps):
    def hook(event, arguments):
        if is_step(event, arguments):
            steps.append(event)
            if len(steps) == number:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    return work() or 0

gc.freeze()
for line in sys.stdin:
    come, go = os.pipe()
    process = os.fork()
    if process == 0:
        steps = []
        try:
            status = child(int(line), steps)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os.write(go, json.dumps(steps).encode())
        os._exit(status)
    os.close(go)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    with open(come, "rb") as told:
        print(json.dumps([status, json.loads(told.read() or b"[]")]), flush=True)
"""


class Killed:
    """Children that work, and are killed before a step."""

    def __init__(self, process):
        self.process = process
        self.steps: Sequence[str] = ()

    def __call__(self, number=10_000):
        """Have a child do the work up to a step, or all of it, and give its status."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        status, steps = json.loads(self.process.stdout.readline())
        self.steps = steps or self.steps
        return int(status)

    def chosen(self):
        """Choose the steps of the last whole work before which one is killed.

        The first, the last, all that rename or link, and one in four; each where MEDZH_EXAMPLES is set.
        """
        last = len(self.steps)
        always = {1, last, *(place for place, step in enumerate(self.steps, 1) if step in PERMUTATIONS)}
        return sorted(always | {*range(1, last + 1, one_in(4))})


@contextmanager
def harness(code, *arguments):
    """Start a process that has children do the work that code defines."""
    process = subprocess.Popen(
        [sys.executable, "-c", code + HARNESS, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdin is not None
    with process:
        yield Killed(process)
        process.stdin.close()
