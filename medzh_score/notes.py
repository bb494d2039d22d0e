"""What a reader of a report should know before quoting it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.answers import Collected, Coverage
    from medzh_score.records import Records
    from medzh_score.sheets import Judgements

MUCH_UNANSWERED = 0.20
MUCH_TRUNCATED = 0.05


def notes_on(
    records: Records,
    collected: Collected,
    coverage: Coverage,
    judged: Mapping[str, Judgements],
    models: Sequence[str],
) -> list[str]:
    """Say what is unusual about a scoring run.

    Parameters
    ----------
    records : Records
        What was asked about; anything but the official benchmark is named.
    collected : Collected
        What was read; failed requests are counted.
    coverage : Coverage
        By the chosen rule; much that is unanswered or cut off is named.
    judged : mapping of str to Judgements
        Of the later rounds, counted.
    models : sequence of str
        Who answered; several are named.

    Returns
    -------
    list of str
        One sentence each.
    """
    notes = []
    if not records.origin.official:
        made = records.origin.recipe if records.origin.recipe != "official" else "made from a file that is not pinned"
        notes.append(f"The data are {made}, not the official benchmark: compare with no paper.")
    if collected.failures:
        notes.append(f"{len(collected.failures)} requests failed and count as missing; first {collected.failures[0]}.")
    if coverage.unanswered > MUCH_UNANSWERED * coverage.read:
        notes.append(f"No answer was found in {coverage.unanswered} of {coverage.read} predictions; look at --items.")
    if coverage.truncated > MUCH_TRUNCATED * coverage.read:
        notes.append(f"{coverage.truncated} of {coverage.read} predictions were cut off at the length limit.")
    if len(models) > 1:
        notes.append("The predictions name several models; they were scored as one.")
    for name, who in judged.items():
        said = f"Round {name}: {len(who.values)} judged, {who.unrated} left blank"
        notes.append(said + (f", {who.overridden} replaced by a later file." if who.overridden else "."))
    return notes
