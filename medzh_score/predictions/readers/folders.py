"""The model that a file's folder is named after, where a tool names its folders so and its lines name nobody."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from medzh_score.files.json_text import NO_JSON

if TYPE_CHECKING:
    from pathlib import Path

DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
SAMPLES = re.compile(rf"samples_.+_(?P<date>{DATE})\.jsonl.*")
DETAILS = re.compile(rf"details_.+_{DATE}\.parquet")
# What people call the folders of runs into which they sort files: those name no model. Epochs are checkpoints.
OF_A_RUN = re.compile(
    r"(?:(?:run|rep(?:eat)?|trial|try|sampl(?:e|ing)|part|第|采样)?[-_ .]?\d{1,3}[次轮]?|seed[-_ .]?\d+"
    r"|20\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?:[-_ T][\d-]+)?)",
    re.IGNORECASE,
)


class Summary(msgspec.Struct):
    """What lm-eval's summary says of the model, blank where the model had no name."""

    model_name_sanitized: str


def after_folder(path: Path) -> str | None:
    """Name the model of lm-eval's samples, ``<model>/samples_<task>_<date>.jsonl``.

    Examples
    --------
    >>> from pathlib import Path
    >>> after_folder(Path("out/org__model-7b/samples_tcmd_2026-01-31T09-30-00.123456.jsonl"))
    'org__model-7b'
    """
    match = SAMPLES.fullmatch(path.name)
    if match is None:
        return None
    summaries = {file.name: file for file in path.parent.glob(f"*_{match['date']}.json")}
    if (summary := summaries.get(f"results_{match['date']}.json")) is not None:
        said = _named_in(summary)
        return _model(path.absolute().parent.name) if said is None else said or None
    return None if summaries else _model(path.absolute().parent.name)


def in_predictions(path: Path) -> str | None:
    """Name the model of OpenCompass's and EvalScope's files, ``predictions/<model>/<dataset>.json``.

    Examples
    --------
    >>> from pathlib import Path
    >>> in_predictions(Path("out/20260131_093000/predictions/model-7b/tcmd.json"))
    'model-7b'
    """
    folders = path.absolute().parents
    return _model(folders[0].name) if len(folders) > 1 and folders[1].name == "predictions" else None


def in_details(path: Path) -> str | None:
    """Name the model of lighteval's files, ``details/<model>/<date>/details_<task>_<date>.parquet``.

    Examples
    --------
    >>> from pathlib import Path
    >>> in_details(Path("out/details/org/model-7b/2026-01-31T09-30-00.1/details_tcmd_2026-01-31T09-30-00.1.parquet"))
    'org/model-7b'
    """
    parts = path.absolute().parts[:-2]
    if not DETAILS.fullmatch(path.name) or "details" not in parts:
        return None
    last = len(parts) - 1 - parts[::-1].index("details")
    return _model("/".join(parts[last + 1 :]))


def _named_in(summary: Path) -> str | None:
    """Read the model's name; None where the summary does not say it, as those of early versions."""
    try:
        return msgspec.json.decode(summary.read_bytes(), type=Summary).model_name_sanitized.strip()
    except (OSError, *NO_JSON):
        return None


def _model(name: str) -> str | None:
    return None if not name or OF_A_RUN.fullmatch(name) else name
