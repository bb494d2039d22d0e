"""Where the pages and downloads of a board stand, below its folder."""

from __future__ import annotations

import hashlib
import re

OVERVIEW, READING, MANIFEST = "index.html", "reading.html", "board.json"
ALL_SHEET, ALL_DATA = "data/board.csv", "data/board.json"
FOLDERS = ("configs", "data", "models")
LETTERS = re.compile(r"[^a-z0-9.]+")
LONGEST = 40


def config_page(config: str) -> str:
    """Name the page of a config."""
    return f"configs/{config}.html"


def config_data(config: str) -> str:
    """Name what can be read of a config, as JSON: all that its page shows."""
    return f"data/{config}.json"


def config_sheet(config: str) -> str:
    """Name the same as CSV."""
    return f"data/{config}.csv"


def model_page(label: str) -> str:
    """Name the page of a model: what any file system takes of its label, and a digest, so that no two share one.

    Examples
    --------
    >>> model_page("GLM-4 <9B>"), model_page("甲")
    ('models/glm-4-9b-a1baa26e.html', 'models/model-33e3580c.html')
    """
    readable = LETTERS.sub("-", label.lower()).strip("-.")[:LONGEST].rstrip("-.") or "model"
    return f"models/{readable}-{hashlib.sha256(label.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.html"
