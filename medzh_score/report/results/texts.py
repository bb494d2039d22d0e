"""Where answers were read, and the texts there: read again from the predictions files, which scoring does not keep."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.answer_table import SECOND_READING
from medzh_score.benchmark.answers import answered
from medzh_score.extraction.length import read_by
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from medzh_score.benchmark.answers import Answer
    from medzh_score.benchmark.reading import Reading
    from medzh_score.report.results.basis import Basis, Texts


class Piece(NamedTuple):
    """Places in a text, None where none can be said, and what is kept of it: all, or what is in those places."""

    spans: list[list[int]] | None
    text: str


Pieces = dict[tuple[int, int, int], Piece]  # run, variant, record


def texts_again(basis: Basis, texts: Texts) -> dict[str, Pieces]:
    """Read predictions again, by rule; nothing where no texts are wanted."""
    found: dict[str, Pieces] = defaultdict(dict)
    if texts == "none":
        return found
    asked = {one.id: one for one in basis.asked}
    for prediction in basis.files.each():
        one, text = asked[prediction.id], prediction.prediction
        for name, of_rule in basis.rules.items():
            column = of_rule.answers.columns[prediction.run, prediction.variant]
            readings = read_by(of_rule.rule, text, one.side, prediction.variant)
            for member, reading in zip(one.members, readings, strict=True):
                spans = _spans(reading, column[member], basis)
                kept = text if texts == "full" else "".join(text[start:end] for start, end in spans or ())
                found[name][prediction.run, prediction.variant, member] = Piece(spans, kept)
    return found


def _spans(reading: Reading, scored: Answer | None, basis: Basis) -> list[list[int]] | None:
    """Give the places of what was scored; a second reader names none."""
    if scored is None or (scored.why != SECOND_READING and not _alike(answered(reading), scored)):
        file = ", ".join(path.name for path in basis.files.paths)
        raise MedzhError("has changed since it was scored", file=file, advice="score again")
    if scored.why == SECOND_READING or (scored.value is not None and not reading.spans):
        return None
    return [[span.start, span.end] for span in reading.spans]


def _alike(one: Answer, other: Answer) -> bool:
    return (one.value, one.why, one.note, one.clear) == (other.value, other.why, other.note, other.clear)
