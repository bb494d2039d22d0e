"""How long ``medzh-score --help`` takes, beside ``python -c pass``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import timing

REPEATS = 15


def main() -> None:
    """Measure and print."""
    command = Path(sys.executable).with_name("medzh-score")

    def ours() -> subprocess.CompletedProcess[str]:
        return subprocess.run([command, "--help"], check=True, capture_output=True, text=True)

    def rival() -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", "pass"], check=True, capture_output=True, text=True)

    # The rival prints nothing; what is equal is the help of both ways in.
    module = subprocess.run([sys.executable, "-m", "medzh_score", "--help"], check=True, capture_output=True, text=True)
    equal = ours().stdout == module.stdout and "score" in module.stdout
    ours_s, rival_s, ratio = timing.interleaved(ours, rival, REPEATS)
    timing.report("startup", ours_s, [timing.Rival("python -c pass", rival_s, ratio)], equal=equal)


if __name__ == "__main__":
    main()
