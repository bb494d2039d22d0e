"""A command of medzh-build that is ended by SIGKILL at a drawn moment, and what it was about then.

The moment is a step on the disk or the network, or a time of the processor: both are the same however busy the machine
is. Called with the file for the account, the kind of moment, its place and the words of the command.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from dataset_scripts.cli.main import main as command

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
STEPS = frozenset(
    f"os.{name}" for name in ("rename", "symlink", "link", "mkdir", "remove", "rmdir", "truncate", "chmod")
) | {"socket.connect", "subprocess.Popen", "fcntl.flock"}
# What the innermost of these functions does; builds first, then publishings.
STAGES = {
    "next_build": "swapping the builds",
    "write_rest": "writing card and manifest",
    "write_splits": "writing records",
    "_check": "checking records",
    "carried_over": "carrying configs over",
    "build": "making records",
    "_tag": "tagging",
    "_verify": "downloading again",
    "_upload": "uploading",
    "staged": "staging",
    "_changes": "comparing",
    "publish": "checking the build",
}


def stage(frame: FrameType | None) -> str:
    """Say what a command is about."""
    while frame is not None:
        if frame.f_code.co_name in STAGES and "dataset_scripts" in frame.f_code.co_filename:
            return STAGES[frame.f_code.co_name]
        frame = frame.f_back
    return "starting or ending"


def is_step(event: str, arguments: tuple[object, ...]) -> bool:
    """Tell a step on the disk or the network from what else an audit names."""
    if event == "open":
        return isinstance(arguments[2], int) and bool(arguments[2] & WRITES)
    return event in STEPS


def counted(last: int | None, end: Callable[[FrameType | None], None]) -> Callable[[], int]:
    """Count the steps from now on, end before the last one, and give what counts them."""
    steps = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal steps
        if is_step(event, arguments):
            steps += 1
            if steps == last:
                end(sys._getframe(1))  # noqa: SLF001 - of whoever takes the step

    sys.addaudithook(hook)
    return lambda: steps


def ended(account: int, frame: FrameType | None) -> NoReturn:
    """Write what the command was about, and end."""
    os.write(account, json.dumps({"stage": stage(frame)}).encode())
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError  # nobody comes here


def main(account: str, kind: str, place: str, *words: str) -> int:
    """Carry the command out until the moment comes; of one that ends by itself tell how long it took."""
    handle = os.open(account, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    end = partial(ended, handle)
    start = time.process_time()
    steps = counted(int(place) if kind == "step" else None, end)
    if kind == "time":
        signal.signal(signal.SIGPROF, lambda _, frame: end(frame))
        signal.setitimer(signal.ITIMER_PROF, float(place))
    try:
        status = command(list(words))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    whole = {"status": status, "steps": steps(), "seconds": time.process_time() - start}
    Path(account).write_text(json.dumps(whole), encoding="ascii")
    return status


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
