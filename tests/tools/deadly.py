"""Units of scoring that kill the process in which they are done, and where everything of a suite is compared."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

from medzh_score.suites.scoring import Unit


@dataclass(frozen=True)
class Deadly(Unit):
    """A unit of which one model's kills its process: once, where a marker is named, or each time."""

    kills: str = ""
    marker: str = ""

    def score(self):
        """Kill, or score."""
        if self.model == self.kills and not (self.marker and Path(self.marker).exists()):
            if self.marker:
                Path(self.marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().score()


def deadly(units, kills, marker=""):
    """Make units of which those of one model kill."""
    return [Deadly(one.suite, one.plan, one.model, one.config, one.texts, kills, marker) for one in units]


def results_in(suite):
    """Read everything below a suite's results, leftovers of the killed aside."""
    found = (path for path in (suite / "results").rglob("*") if path.is_file())
    inside = {path.relative_to(suite / "results"): path for path in found}
    return {str(name): path.read_bytes() for name, path in inside.items() if not name.parts[1].startswith(".")}
