"""Where things stand in this tree."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "dataset_scripts" / "mini"
CASE_FILES = ROOT / "tests" / "cases"
