"""As `sdak_scoring`, of texts that no model writes: each has several verdicts, most of which contradict each other."""

from __future__ import annotations

import sdak_scoring
import texts


def main() -> None:
    """Measure and print."""
    records = texts.records()
    path = texts.predictions(records, sdak_scoring.RUNS, sdak_scoring.LENGTH, sdak_scoring.SEED)
    sdak_scoring.measure("sdak_mixed", records, path)


if __name__ == "__main__":
    main()
