"""A task of inspect from a file of prompts, as the files call it that ``medzh-score harness inspect`` writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from medzh_score.prompts.codes import joined_id

if TYPE_CHECKING:
    from pathlib import Path

    from inspect_ai import Task
    from inspect_ai.dataset import Sample

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

    from medzh_score.report.harness.inspect_scorers import SCORERS

    lines = [json.loads(line) for line in prompts.read_text(encoding="utf-8").splitlines()]
    decoding = lines[0]["decoding"]
    settings: dict[str, Any] = {NAMES[name]: value for name, value in decoding.items() if name in NAMES}
    if decoding.get("do_sample") is False:
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
