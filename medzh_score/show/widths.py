"""How wide what people read may be: as wide as the terminal, and without a limit everywhere else."""

from __future__ import annotations

import shutil
import sys

# Files and pipes: a line a row for other programs, and the same bytes on every machine.
UNLIMITED = 10_000
NARROWEST = 60


def width_for(out: str | None) -> int:
    """Find how wide a result may be that goes to a file, or to standard output."""
    if out not in {None, "-"} or sys.stdout is None or not sys.stdout.isatty():
        return UNLIMITED
    return max(NARROWEST, shutil.get_terminal_size().columns)
