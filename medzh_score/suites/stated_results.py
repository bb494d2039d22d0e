"""What the results of a suite say of themselves, and which of them were brought without the answers they are of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.files.json_text import NO_JSON
from medzh_score.files.zipping import SUMS
from medzh_score.report.results.folder import REPORT, written_sums
from medzh_score.suites.kept import has_answers
from medzh_score.suites.places import result_of

if TYPE_CHECKING:
    from pathlib import Path


class StatedInput(msgspec.Struct):
    """A file that a report was made of."""

    sha256: str


class StatedCoverage(msgspec.Struct):
    """How many answers of a report are unread."""

    unread: int


class StatedResult(msgspec.Struct):
    """What a report says of what it was made of, as far as it tells whether it is still of what is there."""

    inputs: tuple[StatedInput, ...]
    arguments: dict[str, Any]
    signature: dict[str, str]
    coverage: StatedCoverage


def stated_in(folder: Path) -> StatedResult | None:
    """Read what a result says of itself; None where there is none, or one that is not as it was saved."""
    try:
        if (folder / SUMS).read_bytes() != written_sums(folder).encode("ascii"):
            return None
        return msgspec.json.decode((folder / REPORT).read_bytes(), type=StatedResult)
    except (OSError, *NO_JSON):
        return None


def brought(suite: Path, model: str, config: str) -> StatedResult | None:
    """Give a result that came from elsewhere, which stands for the answers: they lie where it was made."""
    return None if has_answers(suite, config, model) else stated_in(result_of(suite, model, config))
