"""A process that forks children and kills each before a step of its work on the disk."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIGKILL = -9
# Stands behind the code of a test, which imports everything once and defines ``place``, the folder that counts, and
# ``work``. For each number n on its standard input it forks a child that works and is killed by SIGKILL when it is
# about to do its n-th step; it answers with the status of the child: -9 killed, else what ``work`` gives, or 0.
HARNESS = """
import os, signal, sys
STEPS = {"os.rename", "os.symlink", "os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.link", "os.chmod"}

def is_step(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        return bool(writes) and str(path).startswith(place)
    return event.startswith("shutil.") or event in STEPS

def child(number):
    count = 0
    def hook(event, arguments):
        nonlocal count
        if is_step(event, arguments):
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    return work() or 0

for line in sys.stdin:
    process = os.fork()
    if process == 0:
        try:
            status = child(int(line))
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


@contextmanager
def harness(code: str, *arguments: object) -> Iterator[Callable[..., int]]:
    """Give a function that has a child do the work up to a step, or all of it, and gives its status."""
    process = subprocess.Popen(
        [sys.executable, "-c", code + HARNESS, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def run(number: int = 10_000) -> int:
        process.stdin.write(f"{number}\n")
        process.stdin.flush()
        return int(process.stdout.readline())

    with process:
        yield run
        process.stdin.close()
