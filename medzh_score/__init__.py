"""Score Chinese medical LLM benchmarks offline, from the predictions that you already have.

Examples
--------
>>> import medzh_score
>>> report = medzh_score.score("sdak", predictions="predictions.jsonl", data="build/medzh")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.version import VERSION

if TYPE_CHECKING:
    from medzh_score.benchmark.prompts import PromptSettings
    from medzh_score.benchmark.registry import config_names, find_config
    from medzh_score.comparison.model import Comparison
    from medzh_score.data.records import load_records
    from medzh_score.prompting.write import batch_lines, prompt_lines
    from medzh_score.render.comparing import compare
    from medzh_score.results.report import Report
    from medzh_score.results.result import Result
    from medzh_score.scoring.check import check
    from medzh_score.scoring.citation import cite
    from medzh_score.scoring.paper import load_paper, reported_tables
    from medzh_score.scoring.pipeline import ScoreOptions, score
    from medzh_score.ui.errors import MedzhError

__version__ = VERSION  #: The version of the scorer.
__all__ = [  # the public names
    "Comparison",
    "MedzhError",
    "PromptSettings",
    "Report",
    "Result",
    "ScoreOptions",
    "__version__",
    "batch_lines",
    "check",
    "cite",
    "compare",
    "config_names",
    "find_config",
    "load_paper",
    "load_records",
    "prompt_lines",
    "reported_tables",
    "score",
]

_HOMES = {
    "PromptSettings": "medzh_score.benchmark.prompts",
    "Comparison": "medzh_score.comparison.model",
    "MedzhError": "medzh_score.ui.errors",
    "Report": "medzh_score.results.report",
    "Result": "medzh_score.results.result",
    "ScoreOptions": "medzh_score.scoring.pipeline",
    "batch_lines": "medzh_score.prompting.write",
    "check": "medzh_score.scoring.check",
    "cite": "medzh_score.scoring.citation",
    "compare": "medzh_score.render.comparing",
    "config_names": "medzh_score.benchmark.registry",
    "find_config": "medzh_score.benchmark.registry",
    "load_paper": "medzh_score.scoring.paper",
    "load_records": "medzh_score.data.records",
    "prompt_lines": "medzh_score.prompting.write",
    "reported_tables": "medzh_score.scoring.paper",
    "score": "medzh_score.scoring.pipeline",
}


def __getattr__(name: str) -> object:
    # The command must answer --help in a few milliseconds; numpy and pyarrow alone take a quarter of a second.
    if name not in _HOMES:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
