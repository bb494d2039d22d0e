"""What a task of lm-evaluation-harness calls: an answer of each document, and the headline of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from medzh_score.prompts.codes import AskedFields
from medzh_score.report.harness.headlines import headline

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def answer_of(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
    """Take the first response to a document, as the harness does."""
    prompt_id, run, variant = AskedFields(doc["id"], doc.get("run"), doc.get("variant")).parts()
    return {"id": prompt_id, "run": run, "variant": variant, "prediction": results[0]}


def headline_by(config: str, *, data: str, origin: str) -> Callable[[Sequence[dict[str, Any]]], float | None]:
    """Give what turns the answers of a task into its headline; None, in its results null, where it is undefined."""

    def aggregate(answers: Sequence[dict[str, Any]]) -> float | None:
        return headline(config, data, origin, list(answers))

    return aggregate
