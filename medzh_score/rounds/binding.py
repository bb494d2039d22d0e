"""A judgement counts for what it judged: its code is compared with that of what is at hand, or says of what it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from medzh_score.extraction.length import runs_on
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.codes import Key, check_code, code_of, judged_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.judgements import Key as Judged
    from medzh_score.benchmark.rounds import Round

    Codes = Mapping[str, Mapping[int, str]]
    from collections.abc import Iterator, Mapping

    from medzh_score.benchmark.layout import Asked
    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.predictions.readers.several import PredictionFiles


@dataclass(frozen=True, slots=True)
class Named:
    """What names what is judged: a row that came back, or a prompt that was sent; the code may be empty."""

    path: Path
    number: int
    key: Key
    code: str


def fault_in(  # noqa: PLR0913 - the parts of a message
    row: Named,
    problem: str,
    field: str | None = "id",
    *,
    expected: str | None = None,
    found: object = None,
    advice: str | None = None,
) -> MedzhError:
    """Make the error that a line is refused with."""
    return MedzhError(
        problem, file=row.path, line=row.number, field=field, expected=expected, found=found, advice=advice
    )


def judged_by(row: Named, later: Round, codes: Codes | None) -> list[Judged]:
    """Say which answers of an item a row is about."""
    item, run, _ = row.key
    if not row.code or codes is None:
        return [(item, run)]
    mine = codes.get(item, {})
    if later.blind:
        return [(item, run) for run, code in mine.items() if code == row.code]
    right = mine.get(run)
    if later.about == "records" and row.code != right:
        raise fault_in(
            row,
            "judges a record of another build",
            expected=judged_id(row.key, right or ""),
            found=judged_id(row.key, row.code),
            advice="give the build that was asked about with --data",
        )
    check_code(row.key, row.code, right, row.path, row.number)
    return [(item, run)]


def refuse_strangers(rows: Sequence[Named], judged: Sequence[Sequence[Judged]], codes: Codes | None) -> None:
    """Raise an error where a file names what it judged, and nothing of that is at hand."""
    strange = next((row for row in rows if row.code), None)
    if strange is None or codes is None or any(judged):
        return
    item = Key(strange.key.id)
    there = sorted({judged_id(item, code) for code in codes.get(item.id, {}).values()})
    raise fault_in(
        strange,
        "judges none of the answers in the predictions",
        expected=" or ".join(there) or "an answer that came",
        found=judged_id(item, strange.code),
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


@dataclass(frozen=True)
class Predictions:
    """Predictions of records, of which a group's answers several."""

    ids: Sequence[str]
    asked: Sequence[Asked]
    files: PredictionFiles

    @cached_property
    def alone(self) -> Mapping[str, Asked]:
        """Each record as it is asked alone, by its id."""
        return {self.ids[one.members[0]]: one for one in self.asked if len(one.members) == 1}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The index of each record, by its id."""
        return {name: place for place, name in enumerate(self.ids)}

    def with_text(self) -> dict[Key, Asked]:
        """Find all that have a text, and none that runs on, each with what its prediction answers."""
        asked = {one.id: one for one in self.asked}
        return {
            Key(self.ids[member], line.run, line.variant): asked[line.id]
            for line in self._lines()
            for member in asked[line.id].members
        }

    def texts(self, keys: Iterable[Key]) -> dict[Key, str]:
        """Read the texts of some, whole: that of a group for each of its records; a blank one is none."""
        wanted, asked = set(keys), {one.id: one for one in self.asked}
        return {
            key: line.prediction
            for line in self._lines()
            for member in asked[line.id].members
            if (key := Key(self.ids[member], line.run, line.variant)) in wanted
        }

    def codes(self, round_name: str, keys: Iterable[Key]) -> dict[Key, str]:
        """Make the codes of some, as a round names them."""
        return {key: code_of(round_name, [text]) for key, text in self.texts(keys).items()}

    def _lines(self) -> Iterator[Prediction]:
        answers = replace(self.files, keep_reasoning=False).each()
        texts = (line for line in answers if line.prediction and not line.prediction.isspace())
        return (line for line in texts if not runs_on(line.prediction))
