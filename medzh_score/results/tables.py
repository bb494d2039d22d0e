"""The columns of a result folder's tables, and how they are written: equal rows give equal bytes."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from medzh_score.benchmark.answers import FALLBACK, Answer, answered
from medzh_score.data.integrity import canonical
from medzh_score.extraction.whole_text import CUT
from medzh_score.prompting.ids import AnswerKey
from medzh_score.readers.align import DIGEST as SIZE
from medzh_score.readers.align import read_by, read_in
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import IO

    import pyarrow as pa
    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable, Cell, Reading
    from medzh_score.benchmark.items import ItemIndex, Query
    from medzh_score.benchmark.rules import Rule
    from medzh_score.readers.files import PredictionFiles


STATISTICS_VERSION, ITEMS_VERSION = "statistics-2", "items-2"  # versions, as `schemas/result.schema.json` has them
KIND = "medzh"  # under which a file says its version
TEXTS = "texts"  # under which a file of items says which it holds
BREAKDOWN = "by "  # before its name
STATISTIC = "s"  # before the place of a statistic, from 0
ROWS = 1 << 20  # of a group of rows
SETTINGS: dict[str, Any] = {"compression": "zstd", "compression_level": 3, "version": "2.6", "store_schema": False}


# By which rules the whole text is the answer: then nothing is unread but what is empty, or never stops thinking.
WHOLE_TEXTS = frozenset({"whole text", "own text", "for the judge", CUT})
PREDICTION = "prediction_sha256"
DIGESTS = ("query_sha256", PREDICTION, "label_sha256")


def statistics_schema(breakdowns: Iterable[str], columns: int) -> pa.Schema:
    """Give the columns of ``statistics.parquet``."""
    import pyarrow as pa

    names, number = pa.dictionary(pa.int32(), pa.string()), pa.int32()
    return _required(
        {
            "rule": names,
            "item": names,
            "unit": number,
            "run": number,
            **{BREAKDOWN + name: names for name in breakdowns},
            "unparsed": number,
            "missing": number,
            **{f"{STATISTIC}{place}": pa.float64() for place in range(columns)},
        }
    )


def items_schema() -> pa.Schema:
    """Give the columns of ``items.parquet``."""
    import pyarrow as pa

    names, number = pa.dictionary(pa.int32(), pa.string()), pa.int32()
    known = {"rule": names, "item": names, "id": names, "run": number, "variant": number, "found_by": names}
    found = {"answer": names, "note": names, "unambiguous": pa.bool_(), "spans": pa.list_(pa.list_(number))}
    found |= {"text": pa.string(), **dict.fromkeys(DIGESTS, pa.string())}
    return pa.schema([*_required(known), *(pa.field(*one) for one in found.items())])


def named(places: NDArray[np.int64], names: Sequence[str | None]) -> pa.DictionaryArray:
    """Put names for their places; None for none."""
    import numpy as np
    import pyarrow as pa

    different = list(dict.fromkeys(name for name in names if name is not None))
    numbers = {name: number for number, name in enumerate(different)}
    of_place = np.array([-1 if name is None else numbers[name] for name in names], np.int32)
    chosen = of_place[places]
    indices = pa.array(chosen, pa.int32(), mask=chosen < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(different, pa.string()))


def write_tables(
    stream: IO[bytes], schema: pa.Schema, facts: Mapping[str, str], columns: Iterable[Mapping[str, Any]]
) -> None:
    """Write columns, one batch after the other; ``facts`` is what the file says of itself."""
    import pyarrow as pa
    from pyarrow import parquet

    with parquet.ParquetWriter(stream, schema, **SETTINGS) as writer:
        for batch in columns:
            arrays = [_as(batch[one.name], one.type) for one in schema]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema), ROWS)
        writer.add_key_value_metadata(dict(facts))


def _as(values: Any, kind: pa.DataType) -> pa.Array:  # noqa: ANN401 - what Arrow takes
    import pyarrow as pa

    return values if isinstance(values, pa.Array) else pa.array(values, kind)


def _required(kinds: Mapping[str, pa.DataType]) -> pa.Schema:
    import pyarrow as pa

    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in kinds.items()])


Texts = Literal["none", "spans", "full"]


@dataclass(frozen=True)
class RuleArtifacts:
    """What one rule's values were made of: its answers, and what each item contributed, shape (items, runs, k)."""

    rule: Rule
    answers: AnswerTable
    statistics: NDArray[np.float64]


@dataclass(frozen=True)
class DigestSources:
    """The digests of predictions and queries, and the labels that digests are made of."""

    predictions: Mapping[Cell, bytearray]  # of each record so many bytes; all 0 where no prediction was received
    queries: Sequence[str]  # the id under which each record is asked
    query_digest: Callable[[str, int], str | None]  # of such an id in a variant
    # from rule, item and prediction to the labels by stage
    labels_of: Callable[[str, str, AnswerKey], Mapping[str, object]]


@dataclass(frozen=True)
class ScoringArtifacts:
    """What a report was made of."""

    config: str
    layout: ItemIndex
    ids: Sequence[str]
    rules: Mapping[str, RuleArtifacts]  # by name, in the order of the report
    asked: Sequence[Query]
    files: PredictionFiles  # from which the texts are read again
    digests: DigestSources | None = None  # none of a private config: a guess could be tried against them


def statistics_columns(basis: ScoringArtifacts) -> Iterator[dict[str, Any]]:
    """Give the columns of ``statistics.parquet``, rule by rule, so many rows at a time as are written at once."""
    layout = basis.layout
    for name, of_rule in basis.rules.items():
        table, counts = of_rule.answers, of_rule.statistics
        unparsed, missing = unparsed_of(layout, table), missing_of(layout, table)
        for start in range(0, unparsed.size, ROWS):
            items, runs = np.divmod(np.arange(start, min(start + ROWS, unparsed.size)), len(table.runs))
            yield {
                "rule": named(np.zeros(len(items), np.int64), [name]),
                "item": named(items, layout.items),
                "unit": layout.clusters[items].astype(np.int32),
                "run": np.array(table.runs, np.int32)[runs],
                **{BREAKDOWN + breakdown: named(items, list(labels)) for breakdown, labels in layout.groups.items()},
                "unparsed": unparsed[items, runs],
                "missing": missing[items, runs],
                **{f"{STATISTIC}{place}": counts[items, runs, place] for place in range(counts.shape[2])},
            }


def unparsed_of(layout: ItemIndex, table: AnswerTable) -> NDArray[np.int32]:
    """Count in how many variants something that came of an item was not read, shape (items, runs)."""
    return _variants(layout, (one.codes(_is_unparsed) > 0 for one in table.by_run()))


def missing_of(layout: ItemIndex, table: AnswerTable) -> NDArray[np.int32]:
    """Count in how many variants something of an item did not come, shape (items, runs)."""
    return _variants(layout, (one.missing for one in table.by_run()))


def _variants(layout: ItemIndex, by_run: Iterable[NDArray[np.bool_]]) -> NDArray[np.int32]:
    """Count for each item and run the variants in which something holds of any of its records.

    Of each run comes an array of shape (records, 1, variants).
    """
    counts = [of_records[layout.members].any(axis=1).sum(axis=2, dtype=np.int32) for of_records in by_run]
    return np.concatenate(counts, axis=1)


def _is_unparsed(answer: Answer) -> int:
    return int(answer.value is None)


MISSING = Answer(None, "missing")


def items_columns(basis: ScoringArtifacts, texts: Texts) -> Iterator[dict[str, Any]]:
    """Give the columns of ``items.parquet``, rule by rule and run by run."""
    item_of = _items_of_records(basis)
    pieces = _texts_again(basis, texts)
    for name, of_rule in basis.rules.items():
        table = of_rule.answers
        expected = table.expected.T.ravel()
        records = np.tile(np.arange(len(basis.ids)), len(table.variants))[expected]
        variants = np.repeat(np.array(table.variants, np.int32), len(basis.ids))[expected]
        ranks = np.argsort(table.by_appearance)  # so that names are in one order, whatever the order of the lines
        for run in table.runs:
            used, answers = np.unique(ranks[table.numbers_of(run).T.ravel()[expected]], return_inverse=True)
            of_ranks = [table.numbering.different[number] or MISSING for number in table.by_appearance[used]]
            yield {
                "rule": named(np.zeros(len(records), np.int64), [name]),
                "item": named(item_of[records], basis.layout.items),
                "id": named(records, basis.ids),
                "run": np.full(len(records), run, np.int32),
                "variant": variants,
                **_answers(answers, of_ranks, texts),
                **_pieces(pieces[name], run, variants, records),
                **digest_columns(basis.digests, _rows(basis, item_of, name, run, variants, records)),
            }


def _rows(  # noqa: PLR0913, PLR0917 - all that names a row
    basis: ScoringArtifacts,
    items: NDArray[np.int64],
    rule: str,
    run: int,
    variants: NDArray[np.int32],
    records: NDArray[np.int64],
) -> list[AnswerRow]:
    return [
        AnswerRow(rule, basis.layout.items[items[record]], AnswerKey(basis.ids[record], run, variant), record)
        for record, variant in zip(records.tolist(), variants.tolist(), strict=True)
    ]


def _items_of_records(basis: ScoringArtifacts) -> NDArray[np.int64]:
    """Find the item of each record, of which it is the only one."""
    found = np.full(len(basis.ids), -1)
    for members in basis.layout.members.T:
        found[members] = np.arange(len(members))
    return found


def _answers(places: NDArray[np.int64], answers: Sequence[Answer], texts: Texts) -> dict[str, Any]:
    """Give what was read; an answer that is the whole text stands there only where texts do."""
    untold = WHOLE_TEXTS if texts == "none" else frozenset()
    unambiguous = np.array([one.unambiguous for one in answers], bool)
    return {
        "answer": named(places, [None if one.reason in untold else one.value for one in answers]),
        "found_by": named(places, [one.reason for one in answers]),
        "note": named(places, [one.note for one in answers]),
        "unambiguous": unambiguous[places],
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


class AnswerRow(NamedTuple):
    """A prediction of a record, by a rule."""

    rule: str
    item: str
    key: AnswerKey
    record: int  # its place


def digest_columns(sources: DigestSources | None, rows: Sequence[AnswerRow]) -> dict[str, list[str | None]]:
    """Give the digests of rows; all null of a private config."""
    if sources is None:
        return {name: [None] * len(rows) for name in DIGESTS}
    found: list[tuple[str | None, str | None, str | None]] = []
    for row in rows:
        cell = sources.predictions.get((row.key.run, row.key.variant), b"")
        received = cell[SIZE * row.record : SIZE * (row.record + 1)]
        labels = sources.labels_of(row.rule, row.item, row.key)
        found.append(
            (
                sources.query_digest(sources.queries[row.record], row.key.variant),
                received.hex() if any(received) else None,
                sha256_of(canonical(labels)) if labels else None,
            )
        )
    return {name: [row[place] for row in found] for place, name in enumerate(DIGESTS)}


def sha256_of(text: str) -> str:
    """Give the SHA-256 of a text in UTF-8, as 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class Piece(NamedTuple):
    """Places in a text, None where none can be said, and what is kept of it: all, or what is in those places."""

    spans: list[list[int]] | None
    text: str


Pieces = dict[tuple[int, int, int], Piece]  # run, variant, record


def _texts_again(basis: ScoringArtifacts, texts: Texts) -> dict[str, Pieces]:
    found: dict[str, Pieces] = defaultdict(dict)
    if texts == "none":
        return found
    asked = {one.id: one for one in basis.asked}
    read = read_by if basis.files.keep_reasoning else read_in
    for prediction in replace(basis.files, keep_reasoning=True).each():
        one, text = asked[prediction.id], prediction.prediction
        for name, of_rule in basis.rules.items():
            column = of_rule.answers.columns[prediction.run, prediction.variant]
            readings = read(of_rule.rule, text, one.context, prediction.variant)
            for member, reading in zip(one.members, readings, strict=True):
                spans = _spans(reading, column[member], basis)
                kept = text if texts == "full" else "".join(text[start:end] for start, end in spans or ())
                found[name][prediction.run, prediction.variant, member] = Piece(spans, kept)
    return found


def _spans(reading: Reading, scored: Answer | None, basis: ScoringArtifacts) -> list[list[int]] | None:
    """Give the places of what was scored; a second reader names none."""
    if scored is None or (scored.reason != FALLBACK and not _alike(answered(reading), scored)):
        file = ", ".join(path.name for path in basis.files.paths)
        raise MedzhError(_("the file has changed since it was scored"), file=file, advice=_("score again"))
    if scored.reason == FALLBACK or (scored.value is not None and not reading.spans):
        return None
    return [[span.start, span.end] for span in reading.spans]


def _alike(one: Answer, other: Answer) -> bool:
    return (one.value, one.reason, one.note, one.unambiguous) == (
        other.value,
        other.reason,
        other.note,
        other.unambiguous,
    )
