"""A judgement counts for what it judged: its code is compared with that of what is at hand, or says of what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.codes import Key, check_code, judged_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.judgements import Key as Judged
    from medzh_score.benchmark.rounds import Round

    Codes = Mapping[str, Mapping[int, str]]


class Naming(Protocol):
    """What names an item and what of it is judged: a row that came back, or a prompt that was sent."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def number(self) -> int:
        """The line."""

    @property
    def item(self) -> str:
        """The item."""

    @property
    def run(self) -> int:
        """The run, where no code stands in its place."""

    @property
    def code(self) -> str:
        """Of what is judged; empty where it is not said."""


def judged_by(row: Naming, later: Round, codes: Codes | None) -> list[Judged]:
    """Say which answers of an item a row is about."""
    if not row.code or codes is None:
        return [(row.item, row.run)]
    mine = codes.get(row.item, {})
    if later.blind:
        return [(row.item, run) for run, code in mine.items() if code == row.code]
    key, right = Key(row.item, row.run), mine.get(row.run)
    if later.about == "records" and row.code != right:
        raise MedzhError(
            "judges a record of another build",
            file=row.path,
            line=row.number,
            field="id",
            expected=judged_id(key, right or ""),
            found=judged_id(key, row.code),
            advice="give the build that was asked about with --data",
        )
    check_code(key, row.code, right, row.path, row.number)
    return [(row.item, row.run)]


def refuse_strangers(rows: Sequence[Naming], judged: Sequence[Sequence[Judged]], codes: Codes | None) -> None:
    """Raise an error where a file names what it judged, and nothing of that is at hand."""
    strange = next((row for row in rows if row.code), None)
    if strange is None or codes is None or any(judged):
        return
    mine = codes.get(strange.item, {})
    raise MedzhError(
        "judges none of the answers in the predictions",
        file=strange.path,
        line=strange.number,
        field="id",
        expected=" or ".join(sorted({judged_id(Key(strange.item), code) for code in mine.values()}))
        or "an answer that came",
        found=judged_id(Key(strange.item), strange.code),
        advice="give the predictions files of which it was made",
    )


def notes_on_binding(rounds: Iterable[Round], judged: Mapping[str, Judgements]) -> list[str]:
    """Say how many judgements were passed over as of others' answers, and how many do not say what they judged."""
    notes: list[str] = []
    for later in rounds:
        found = judged.get(later.name)
        if found is not None and found.others:
            notes.append(f"Round {later.name}: {found.others} rows judge answers of others.")
        if found is not None and found.unverified:
            notes.append(
                f"Round {later.name}: unverified, since {found.unverified} values came without the code "
                "of what they judge."
            )
    return notes
