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
    from medzh_score.benchmark.asking import Asking
    from medzh_score.benchmark.registry import config_names, find_config
    from medzh_score.data.records import load_records
    from medzh_score.messages.errors import MedzhError
    from medzh_score.prompts.writing import batch_lines, prompt_lines
    from medzh_score.report.check import check
    from medzh_score.report.citation import cite
    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.report.paper import load_paper, reported_tables
    from medzh_score.report.report import Report
    from medzh_score.report.results.result import Result
    from medzh_score.report.scoring import score
    from medzh_score.show.comparison.compared import compare

__version__ = VERSION  #: The version of the scorer.
__all__ = [  # the public names
    "Asking",
    "Comparison",
    "MedzhError",
    "Report",
    "Result",
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
    "Asking": "benchmark.asking",
    "Comparison": "report.comparison.comparison",
    "MedzhError": "messages.errors",
    "Report": "report.report",
    "Result": "report.results.result",
    "batch_lines": "prompts.writing",
    "check": "report.check",
    "cite": "report.citation",
    "compare": "show.comparison.compared",
    "config_names": "benchmark.registry",
    "find_config": "benchmark.registry",
    "load_paper": "report.paper",
    "load_records": "data.records",
    "prompt_lines": "prompts.writing",
    "reported_tables": "report.paper",
    "score": "report.scoring",
}


def __getattr__(name: str) -> object:
    # The command must answer --help in a few milliseconds; numpy and pyarrow alone take a quarter of a second.
    if name not in _HOMES:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(f"medzh_score.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
