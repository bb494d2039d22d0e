"""One command in this process, with an eye on its time, its memory and what it says."""

from __future__ import annotations

import io
import json
import re
import signal
import time
import traceback
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

MOST_SECONDS, MOST_MB = 2.0, 300
STATUSES = frozenset(range(5))
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
UNCLEAN = re.compile("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]")
NUMBERS = ("metrics", "groups", "rules", "audit", "tables", "found")


class HangError(BaseException):
    """Goes through everything that catches exceptions."""


@dataclass(frozen=True)
class Ending:
    """How a command ended, and what it took."""

    status: int | None
    out: str
    err: str
    fault: str | None

    @property
    def numbers(self) -> object:
        """The numbers of a report."""
        report = json.loads(self.out)
        return {name: report[name] for name in NUMBERS if name in report}

    @property
    def notes(self) -> object:
        """What it says beside them."""
        report = json.loads(self.out)
        return self.err, report.get("notes"), report.get("coverage"), report.get("signature")


def ended(command: Callable[[], int]) -> Ending:
    """Call a command, and say what is wrong with how it ends, if anything is."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogateescape", newline="") for _ in range(2)]
    before, start = _megabytes("VmRSS"), time.process_time()
    CLEAR.write_text("5", encoding="ascii")  # the peak is counted from here
    fault, status = None, None
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
            status = command()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0
    except HangError:
        fault = f"a hang of over {MOST_SECONDS} s\n{traceback.format_exc(limit=-3)}"
    except BaseException:  # noqa: BLE001 - whatever a user would see as a traceback
        fault = f"a traceback\n{traceback.format_exc(limit=-5)}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    spent, grown = time.process_time() - start, _megabytes("VmHWM") - before
    out, err = (_content(stream) for stream in streams)
    return Ending(status, out, err, fault or _fault(status, out, err, spent, grown))


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise HangError


def _fault(status: int | None, out: str, err: str, spent: float, grown: float) -> str | None:
    acts = UNCLEAN.search(err) or UNCLEAN.search(out.replace("\r\n", "\n"))
    faults = {
        f"unexpected: {err}": "please report it" in err or "Traceback" in err,
        f"{spent:.1f} s of the processor": spent > MOST_SECONDS,
        f"a growth of {grown:.0f} MB": grown > MOST_MB,
        f"the status {status}": status not in STATUSES,
        f"a sign that acts: {acts and acts.string[max(0, acts.start() - 60) : acts.end()]!r}": acts is not None,
        "a failure without a word": status == 2 and not err,
    }
    return next((fault for fault, is_one in faults.items() if is_one), None)


def _content(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    return buffer.getvalue().decode("utf-8", "surrogateescape") if isinstance(buffer, io.BytesIO) else ""


def _megabytes(field: str) -> float:
    return int(STATUS.read_text(encoding="ascii").split(f"{field}:")[1].split()[0]) / 1024
