"""What a reader of a report should know before quoting it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.answers import Collected, Coverage
    from medzh_score.records import Records
    from medzh_score.round import Round
    from medzh_score.sheets import Judgements

MUCH_UNANSWERED = 0.20
MUCH_TRUNCATED = 0.05


def notes_on(
    records: Records,
    collected: Collected,
    coverage: Coverage,
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
    return notes


def notes_on_rounds(
    rounds: Sequence[Round], judged: Mapping[str, Judgements], statistics: NDArray[np.float64], rule: str
) -> list[str]:
    """Say how many items were judged in each later round, and how many of them count.

    Parameters
    ----------
    rounds : sequence of Round
        Of the config.
    judged : mapping of str to Judgements
        Of the rounds that came back.
    statistics : array, shape (items, runs, k)
        By the chosen rule.
    rule : str
        Its name.

    Returns
    -------
    list of str
        One sentence each.
    """
    notes = []
    for later in rounds:
        if later.name not in judged:
            continue
        who = judged[later.name]
        counted = int(statistics[..., list(later.columns)].sum())
        said = f"Round {later.name}: {len(who.values)} judged, {who.unrated} left blank"
        said += f", {who.overridden} replaced by a later file" if who.overridden else ""
        left_out = len(who.values) - counted
        said += f"; {left_out} left out, which rule {rule} does not read as the round needs" if left_out else ""
        notes.append(said + ".")
    return notes
