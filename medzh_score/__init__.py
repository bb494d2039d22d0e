"""Score Chinese medical LLM benchmarks offline, from the predictions that you already have.

Examples
--------
>>> import medzh_score
>>> report = medzh_score.score("sdak", predictions="predictions.jsonl", data="build/medzh")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medzh_score.config import config_names, find_config
    from medzh_score.errors import MedzhError
    from medzh_score.prompts.writing import prompt_lines
    from medzh_score.records import load_records
    from medzh_score.report import Report
    from medzh_score.scoring import score

__all__ = ["MedzhError", "Report", "config_names", "find_config", "load_records", "prompt_lines", "score"]

_HOMES = {
    "MedzhError": "errors",
    "Report": "report",
    "config_names": "config",
    "find_config": "config",
    "load_records": "records",
    "prompt_lines": "prompts.writing",
    "score": "scoring",
}


def __getattr__(name: str) -> object:
    # The command must answer --help in a few milliseconds; numpy and pyarrow alone take a quarter of a second.
    if name not in _HOMES:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(f"medzh_score.{_HOMES[name]}"), name)
