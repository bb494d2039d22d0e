"""The file ``eval.yaml`` of a build, by which inspect runs its configs from a hub."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.registry import data_name

if TYPE_CHECKING:
    from collections.abc import Mapping

EVAL = "eval.yaml"
HEAD = """\
# Tasks for inspect: inspect eval hf/ORG/NAME/CONFIG@vX.Y.Z --model MODEL
# What inspect prints is not the benchmark's metric. Score its log, of which .eval needs medzh's extra inspect:
#   medzh-score score CONFIG logs/….eval --data ORG/NAME@vX.Y.Z
"""


def eval_yaml(configs: Mapping[str, Mapping[str, Any]]) -> str:
    """Write the tasks of a build."""
    import yaml

    tasks = [_task(data_name(name, entry["recipe"])) for name, entry in configs.items() if "test" in entry["splits"]]
    about = {"name": "medzh", "description": "Chinese medical benchmarks", "evaluation_framework": "inspect-ai"}
    return HEAD + yaml.safe_dump(about | {"tasks": tasks}, allow_unicode=True, sort_keys=False, width=1_000)


def _task(name: str) -> dict[str, Any]:
    # Not inspect's own multiple choice: a question may lack its case (TCMD), or options be of a later round (CMHE-CE).
    fields = {"input": "prompt", "target": "answer", "metadata": ["id"]}
    return {
        "id": name,
        "config": name,
        "split": "test",
        "field_spec": fields,
        "solvers": [{"name": "generate"}],
        "scorers": [{"name": "match"}],
    }
