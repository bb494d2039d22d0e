"""How much is tried: of large upstream files a part, and all where the variable asks for many examples."""

from __future__ import annotations

import os

from hypothesis import settings


def one_in(quick, thorough=1):
    """Give every how many rows one is looked at."""
    return thorough if "MEDZH_EXAMPLES" in os.environ else quick


def at_least(examples):
    """Try that many examples of a property that is quick, or more where more are asked for."""
    return settings(max_examples=max(examples, settings().max_examples))
