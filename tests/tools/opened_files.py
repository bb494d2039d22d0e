"""How often files are opened, as Python itself reports it to an audit hook."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import contextmanager

_COUNTS: list[Counter[str]] = []


def _count(event, arguments):
    if event == "open" and _COUNTS and isinstance(arguments[0], (str, os.PathLike)):
        _COUNTS[-1][os.fspath(arguments[0])] += 1


sys.addaudithook(_count)  # for good: a hook cannot be taken off


@contextmanager
def openings():
    """Count while the block runs, by path."""
    _COUNTS.append(Counter())
    try:
        yield _COUNTS[-1]
    finally:
        _COUNTS.pop()
