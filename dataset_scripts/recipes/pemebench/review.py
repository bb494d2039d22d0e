"""The pairs in doubt, as a sheet in which a person decides by the paper's three rules, and a list of those dropped."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dataset_scripts.recipes.pemebench.pairs import IN_DOUBT, KEPT, once
from medzh_score.files.sheets import sheet_bytes
from medzh_score.files.writing import write_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipes.pemebench.pairs import Judged
    from dataset_scripts.recipes.pemebench.sifting import Pair
    from dataset_scripts.rounds.rounds import Rounds

YES, NO = "yes", "no"
# The columns to fill in, with what a no in them says.
DECISIONS = {
    "pediatric": "a person: not about pediatrics",
    "clear": "a person: not understood by itself",
    "supported": "a person: not supported by the text",
}
UNSEEN = "not looked at"
STAGE = "review"
DROPPED = "dropped.csv"


def review(judged: Sequence[Judged], rounds: Rounds) -> list[Judged]:
    """Have a person decide about what is in doubt; kept is what all three columns say yes to.

    Rows left blank, where that is accepted, are dropped; of equal questions one is kept. What is not kept stands in
    ``dropped.csv`` in the stage's folder, with the reason and all that fired: before the sheet is filled in what the
    rules dropped, afterwards all of it.
    """
    _list_dropped(judged, rounds)
    rows = {place: _row(one) for place, one in enumerate(judged) if one.fate == IN_DOUBT}
    decided = rounds.sheet(STAGE, rows, dict.fromkeys(DECISIONS, (YES, NO)))
    looked_at = once(
        [replace(one, fate=_fate(decided.get(place))) if place in rows else one for place, one in enumerate(judged)]
    )
    _list_dropped(looked_at, rounds)
    return looked_at


def _list_dropped(judged: Sequence[Judged], rounds: Rounds) -> None:
    """Write what is not kept beside the sheet, so that what the rules do can be read."""
    lost = [one for one in judged if one.fate not in {KEPT, IN_DOUBT}]
    path = rounds.folder / STAGE / DROPPED
    if not lost:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"file": one.pair.block.file, "way": one.pair.way, "reason": one.fate, **_row(one)} for one in lost]
    write_bytes(path, sheet_bytes(tuple(rows[0]), rows))


def _row(one: Judged) -> dict[str, str]:
    pair: Pair = one.pair
    return {
        "department": pair.block.department,
        "subject": pair.block.subject,
        "section": " > ".join(pair.block.path),
        "text": pair.block.text,
        "question": pair.question,
        "answer": pair.answer,
        "doubt": "; ".join(f"{finding.name}: {finding.why}" for finding in one.findings),
    }


def _fate(decision: Mapping[str, str] | None) -> str:
    if decision is None:
        return UNSEEN
    return next((fate for column, fate in DECISIONS.items() if decision[column] == NO), KEPT)
