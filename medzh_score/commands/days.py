"""Days, as options take them."""

from __future__ import annotations

import argparse
from datetime import date


def day(text: str) -> str:
    """Read a day, for argparse."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a day such as 2024-05-01; found {text!r}") from None
