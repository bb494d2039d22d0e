"""What every rule read in every prediction, as columns: rule by rule, run by run, variant by variant."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from medzh_score.benchmark.answer_table import SECOND_READING
from medzh_score.benchmark.answers import Answer, answered
from medzh_score.extraction.length import read_by
from medzh_score.messages.errors import MedzhError
from medzh_score.report.readiness import WHOLE_TEXTS
from medzh_score.report.results.columns import named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Reading
    from medzh_score.report.results.columns import Basis, Texts

MISSING = Answer(None, "missing")


def items_columns(basis: Basis, texts: Texts) -> Iterator[dict[str, Any]]:
    """Give the columns of ``items.parquet``, rule by rule and run by run."""
    item_of = _items_of_records(basis)
    pieces = texts_again(basis, texts)
    for name, of_rule in basis.rules.items():
        table = of_rule.answers
        due = table.due.T.ravel()
        records = np.tile(np.arange(len(basis.ids)), len(table.variants))[due]
        variants = np.repeat(np.array(table.variants, np.int32), len(basis.ids))[due]
        ranks = np.argsort(table.by_appearance)  # so that names are in one order, whatever the order of the lines
        for run in table.runs:
            used, answers = np.unique(ranks[table.numbers_of(run).T.ravel()[due]], return_inverse=True)
            of_ranks = [table.numbering.different[number] or MISSING for number in table.by_appearance[used]]
            yield {
                "rule": named(np.zeros(len(records), np.int64), [name]),
                "item": named(item_of[records], basis.layout.items),
                "id": named(records, basis.ids),
                "run": np.full(len(records), run, np.int32),
                "variant": variants,
                **_answers(answers, of_ranks, texts),
                **_pieces(pieces[name], run, variants, records),
            }


def _items_of_records(basis: Basis) -> NDArray[np.int64]:
    """Find the item of each record, of which it is the only one."""
    found = np.full(len(basis.ids), -1)
    for members in basis.layout.members.T:
        found[members] = np.arange(len(members))
    return found


def _answers(places: NDArray[np.int64], answers: Sequence[Answer], texts: Texts) -> dict[str, Any]:
    """Give what was read; an answer that is the whole text stands there only where texts do."""
    untold = WHOLE_TEXTS if texts == "none" else frozenset()
    clear = np.array([one.clear for one in answers], bool)
    return {
        "answer": named(places, [None if one.why in untold else one.value for one in answers]),
        "found_by": named(places, [one.why for one in answers]),
        "note": named(places, [one.note for one in answers]),
        "clear": clear[places],
    }


def _pieces(
    of_rule: Pieces, run: int, variants: NDArray[np.int32], records: NDArray[np.int64]
) -> dict[str, Sequence[object]]:
    """Give places and texts, in the order of the rows."""
    if not of_rule:
        return dict.fromkeys(("spans", "text"), [None] * len(records))
    keys = zip(variants.tolist(), records.tolist(), strict=True)
    found = [of_rule.get((run, variant, record)) for variant, record in keys]
    return {
        "spans": [None if one is None else one.spans for one in found],
        "text": [None if one is None else one.text for one in found],
    }


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
