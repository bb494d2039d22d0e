"""Scorers for inspect, found as its entry point: ``medzh_score/sdak`` and one of that kind for each config."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer

from medzh_score.benchmark.registry import config_names, declared_config
from medzh_score.data.records import DEFAULT_DATA
from medzh_score.export.harness import primary_name
from medzh_score.prompting.ids import joined_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.solver import TaskState


UNDEFINED: dict[str, float] = {}  # no value: a mapping is as many metrics as it has names


def _answer(state: TaskState) -> dict[str, Any]:
    """Take what came for a sample as the reader of logs does: by the id in its metadata, else its own."""
    about = state.metadata or {}
    choices = state.output.choices
    stop = choices[0].stop_reason if choices else None
    return {
        "id": about.get("id") or str(state.sample_id),
        "run": about.get("run") or state.epoch - 1,
        "variant": about.get("variant") or 0,
        "prediction": state.output.completion,
        **({"finish_reason": stop} if stop else {}),
        **({} if choices else {"error": "no output"}),
    }


def _registered(config: str) -> Callable[..., Scorer]:
    """Register the scorer of a config, with its headline as the metric."""
    name = declared_config(config).reporting.primary_metrics[0]

    def of_all() -> Metric:
        def compute(scores: list[SampleScore]) -> float | dict[str, float]:
            about = [one.score.metadata or {} for one in scores]
            if not about:
                return UNDEFINED
            found = primary_name(config, about[0]["data"], about[0]["origin"], [one["answer"] for one in about])
            return UNDEFINED if found is None else found

        return compute

    def of_config(data: str = DEFAULT_DATA, origin: str = "") -> Scorer:
        async def keep(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - as inspect calls it
            answer = _answer(state)
            value = answer["prediction"]
            return Score(value=value, metadata={"answer": answer, "data": data, "origin": origin})

        return keep

    # Of every epoch, unreduced: runs are averaged by our formula, not before it.
    named: Callable[..., Metric] = metric(name=name, scores="unreduced")(of_all)
    registered: Callable[..., Scorer] = scorer(metrics=[named()], name=config)(of_config)
    return registered


# Of private configs there are none: whatever inspect asks stands in its logs.
SCORERS = {config: _registered(config) for config in config_names() if not declared_config(config).private}


# What inspect calls our settings; of others it knows nothing.
NAMES = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "max_new_tokens": "max_tokens",
    "seed": "seed",
}


def inspect_task(prompts: Path, config: str, *, data: str, origin: str) -> Task:
    """Make the task: every prompt as it would be sent, the paper's decoding as far as inspect knows it, our scorer.

    Runs are epochs, which repeat each sample: were they samples, too, two answers would be one run's.
    """
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset
    from inspect_ai.model import GenerateConfig
    from inspect_ai.solver import generate

    lines = [json.loads(line) for line in prompts.read_text(encoding="utf-8").splitlines()]
    generation = lines[0]["generation"]
    settings: dict[str, Any] = {NAMES[name]: value for name, value in generation.items() if name in NAMES}
    if generation.get("do_sample") is False:
        settings["temperature"] = 0.0
    return Task(
        dataset=MemoryDataset([_sample(line) for line in lines if not line.get("run")], name=f"medzh_{config}"),
        solver=generate(),
        scorer=SCORERS[config](data=data, origin=origin),
        config=GenerateConfig(**settings),
        epochs=1 + max(line.get("run", 0) for line in lines),
        name=f"medzh_{config}",
    )


def _sample(line: dict[str, Any]) -> Sample:
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser

    kinds = {"user": ChatMessageUser, "assistant": ChatMessageAssistant}
    variant = line.get("variant", 0)
    return Sample(
        input=[kinds[turn["role"]](content=turn["content"]) for turn in line["messages"]],
        id=joined_id(line["id"], 0, variant),
        metadata={"id": line["id"], "variant": variant},
    )
