"""What rounds about single predictions ask about: the first answers, or the same model's responses of a later round."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.answer_table import SECOND_READING
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.judgements import Source
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.several import PredictionFiles
from medzh_score.prompts.codes import no_order
from medzh_score.rounds.binding import Predictions
from medzh_score.rounds.reading_items import read_round

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Asked
    from medzh_score.prompts.codes import SentOrder
    from medzh_score.rounds.judged_texts import Items

FOUND_BY = "found_by"  # beside a value in the items file


def at_hand_of(  # noqa: PLR0913, PLR0917 - where both kinds stand
    config: Config,
    items: Items,
    asked: Sequence[Asked],
    files: PredictionFiles,
    responses: Sequence[Path],
    judged: Mapping[str, Judgements] | None = None,
    *,
    order: SentOrder = no_order,
) -> Predictions:
    """Find the predictions that are read by our rule, and can be read again."""
    of = config.reads.of if config.reads else None
    if of is None:
        return Predictions(items.ids, asked, files)
    later = pick("--round", config.rounds, of.round)
    found = (judged or {}).get(of.round) or read_round(later, responses, items.records, items.layout, None, order)
    filled_in = {key for source, said in found.sources.items() if source.kind == "person" for key in said}
    # A file of which nothing counts would be refused as empty.
    holding = {path for key, (path, _) in found.places.items() if key not in filled_in}
    paths = [path for path in dict.fromkeys(responses) if path in holding]
    files = PredictionFiles(tuple(paths), order=order, standing=found.places)
    return Predictions(items.ids, of.asked(items.records, items.layout), files)


def refuse_none(config: Config, at_hand: Predictions) -> None:
    """Raise an error where responses of a later round are to be read again, and none was given."""
    if config.reads is not None and config.reads.of is not None and not at_hand.files.paths:
        problem, name = "gives the responses that second readings and audits are about", config.reads.of.round
        raise MedzhError(problem, field="--round", expected=f"{name}=FILE")


def restated(found: Judgements, table: AnswerTable, ids: Sequence[str], column: str, reader: str) -> Judgements:
    """Put second readings in the place of what was read of a round's responses."""
    again = {
        (name, run): one.value
        for (run, _), answers in table.columns.items()
        for name, one in zip(ids, answers, strict=True)
        if one is not None and one.why == SECOND_READING
    }
    said = {
        key: {**({} if value is None else {column: value}), FOUND_BY: SECOND_READING} for key, value in again.items()
    }
    who = Source(reader, "person")
    sources = {
        source: {key: one for key, one in values.items() if key not in said} for source, values in found.sources.items()
    }
    none = {key for key, value in again.items() if value is None}
    unreadable = tuple(sorted(none | (set(found.unreadable) - again.keys())))
    return replace(found, sources={**sources, who: {**sources.get(who, {}), **said}}, unreadable=unreadable)
