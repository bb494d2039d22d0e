"""Scorers for inspect, found as its entry point: ``medzh_score/sdak`` and one of that kind for each config."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer

from medzh_score.benchmark.registry import config_names, declared_config
from medzh_score.data.records import DEFAULT_DATA
from medzh_score.report.harness.headlines import headline

if TYPE_CHECKING:
    from collections.abc import Callable

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
    name = declared_config(config).headline

    def of_all() -> Metric:
        def compute(scores: list[SampleScore]) -> float | dict[str, float]:
            about = [one.score.metadata or {} for one in scores]
            if not about:
                return UNDEFINED
            found = headline(config, about[0]["data"], about[0]["origin"], [one["answer"] for one in about])
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
