"""Results as files in ``.eval_results/`` of a model's repository have them, which a hub shows on a dataset's board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from medzh_score.messages.errors import MedzhError
from medzh_score.show.exports.settings import headline_of, notes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.report.results.result import Result
    from medzh_score.show.exports.claims import Claim


def eval_results(claims: Sequence[tuple[Result, Claim]], url: str | None, day: str | None) -> list[dict[str, Any]]:
    """Give the entries of a file: of each result the headline, with what is unusual about its setting."""
    return [_entry(result, claim, url, day) for result, claim in claims]


def _entry(result: Result, claim: Claim, url: str | None, day: str | None) -> dict[str, Any]:
    if claim.dataset is None:
        problem = "an entry names a dataset on a hub, and the data are a local copy"
        advice = "export it to model-index, which says so"
        raise MedzhError(problem, file=result.folder, field="--to", found="eval-results", advice=advice)
    notes = notes_of(result.report)
    revision = {} if claim.dataset.commit is None else {"revision": claim.dataset.commit}
    return {
        "dataset": {"id": claim.dataset.repo, "task_id": claim.name, **revision},
        "value": headline_of(result).value,
        **({} if day is None else {"date": day}),
        **({} if url is None else {"source": {"url": url, "name": "medzh-score"}}),
        **({"notes": notes} if notes else {}),
    }
