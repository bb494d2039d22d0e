"""The headline of what a tool has asked, by the same scoring as ``medzh-score score``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from medzh_score.data.records import Records, load_records
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.progress import write_to_user
from medzh_score.report.scoring import score

if TYPE_CHECKING:
    from collections.abc import Sequence


def headline(config: str, data: str, origin: str, answers: Sequence[dict[str, Any]]) -> float | None:
    """Score answers by the config's default rule, and give the headline; None where it is undefined.

    A tool that has asked for hours must be able to write down what came: where nothing can be scored, as where samples
    failed, only some were asked or a later round gives the value, there is none, and standard error has the reason.
    """
    try:
        report = score(config, answers, _records(config, data, origin), bootstrap=0)
    except MedzhError as error:
        write_to_user(f"medzh-score: {config}: {error}\n")
        return None
    value = report.metrics[report.headline]
    if value.value is None:
        write_to_user(f"medzh-score: {config}: {report.headline} is undefined: {value.why}\n")
    return value.value


@cache
def _records(config: str, data: str, origin: str) -> Records:
    """Load the records, which must be those of which the prompts were made; an empty origin takes any."""
    records = load_records(data, config)
    if origin and str(records.origin) != origin:
        problem, advice = "the data are others than those of which the prompts were made", "write the tasks again"
        raise MedzhError(problem, file=data, expected=origin, found=str(records.origin), advice=advice)
    return records
