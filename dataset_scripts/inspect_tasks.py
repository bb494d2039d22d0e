"""The file ``eval.yaml`` of a build, by which inspect runs its configs from a hub."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dataset_scripts.features import read_schema
from dataset_scripts.recipe import dataset

if TYPE_CHECKING:
    from collections.abc import Mapping

EVAL = "eval.yaml"
HEAD = """\
# Tasks for inspect: inspect eval hf/ORG/NAME/CONFIG@vX.Y.Z --model MODEL
# What inspect prints is not the benchmark's metric. Score its log, in which the ids stand under metadata:
#   inspect log dump LOG | jq -c '.samples[] | {id: .metadata.id, run: (.epoch - 1), prediction: .output.completion}' \\
#     > predictions.jsonl; medzh-score score CONFIG predictions.jsonl --data ORG/NAME@vX.Y.Z
"""


def eval_yaml(configs: Mapping[str, Mapping[str, Any]]) -> str:
    """Write the tasks of a build.

    Parameters
    ----------
    configs : mapping of str to mapping
        The manifest's account of each config, sorted by name.

    Returns
    -------
    str
        YAML: one task for the split ``test`` of each config that has one. Where a record is a whole question with
        options, inspect shows the options itself; else it sends the default prompt as it stands.
    """
    import yaml

    tasks = [_task(name, entry) for name, entry in configs.items() if "test" in entry["splits"]]
    about = {"name": "medzh", "description": "Chinese medical benchmarks", "evaluation_framework": "inspect-ai"}
    return HEAD + yaml.safe_dump(about | {"tasks": tasks}, allow_unicode=True, sort_keys=False, width=1_000)


def _task(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    columns = {column["name"] for column in entry["features"]}
    task: dict[str, Any] = {"id": name, "config": name, "split": "test"}
    if _is_choice(name, columns):
        fields = {"input": "question", "target": "answer", "choices": "options", "metadata": ["id"]}
        return task | {
            "field_spec": fields,
            "solvers": [{"name": "multiple_choice"}],
            "scorers": [{"name": "choice"}],
        }
    fields = {"input": "prompt", "target": "answer", "metadata": ["id"]}
    return task | {"field_spec": fields, "solvers": [{"name": "generate"}], "scorers": [{"name": "match"}]}


def _is_choice(name: str, columns: set[str]) -> bool:
    """Say whether each record is a whole question with options and the letter of one of them."""
    declared = read_schema(dataset(name).schema)["properties"]
    letters = declared.get("answer", {}).get("enum", ())
    return (
        {"question", "options"} <= columns and "stem" not in columns and bool(letters) and set(letters) <= set("ABCDE")
    )
