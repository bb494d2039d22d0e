"""What goes out about single predictions: what is due for a second reading with its controls, or an audit's draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.about_predictions import SECOND
from medzh_score.benchmark.draws import draw_first
from medzh_score.benchmark.rules import OURS
from medzh_score.data.checked_rows import laid_out
from medzh_score.messages.errors import MedzhError, shown
from medzh_score.predictions.reading_answers import collect
from medzh_score.predictions.shuffled import Shuffled
from medzh_score.prompts.codes import code_of
from medzh_score.rounds.asking_items import NothingToAskError, Questions, Shown
from medzh_score.rounds.first_answers import Items, refuse_several
from medzh_score.rounds.reading_items import at_hand_of
from medzh_score.rounds.reading_predictions import NO_ANSWER, is_control, is_due, our_rule, read_replies
from medzh_score.rounds.second_reading import reading_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answers import Answer
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Asked, Record
    from medzh_score.benchmark.rounds import Round
    from medzh_score.benchmark.second_readers import Reads
    from medzh_score.data.records import Records
    from medzh_score.prompts.codes import Key
    from medzh_score.rounds.first_answers import FirstAnswerFiles

CONTROLS = 10  # one row in so many is a control


def prediction_questions(  # noqa: PLR0913 - the options of the command
    config: Config,
    records: Records,
    later: Round,
    after: FirstAnswerFiles | None,
    *,
    sample: int | None = None,
    seed: int = 0,
    answered: Sequence[Path] = (),
    unclear: bool = False,
) -> Questions:
    """Choose what a round about single predictions asks now.

    In an order that tells nothing; empty where nothing is due, or all of it is answered.
    """
    reads = config.reads
    assert reads is not None  # noqa: S101 - the round is declared with it
    if after is None:
        expected = f"responses of round {reads.of.round}" if reads.of else "predictions files"
        raise MedzhError(f"is needed for round {later.name}", field="--after", expected=expected)
    refuse_several(later, after)
    layout = laid_out(config, records)
    asked = config.asked(records.rows, layout)
    at_hand = at_hand_of(config, Items(records.rows, layout), asked, after.files, after.files.paths)
    if not at_hand.files.paths:
        raise NothingToAskError("holds nothing that can be asked about", file=after.files.paths[0])
    read = [our_rule(config)] if later.name == SECOND else []  # an audit is blind to what a rule says
    tables = collect(at_hand.ids, at_hand.asked, read, at_hand.files).tables
    came = at_hand.with_text()
    if later.name == SECOND:
        readings = {key: found for key in came if (found := reading_of(tables[OURS], at_hand.places, key)) is not None}
        due, controls = _due(readings, seed, unclear=unclear)
        chosen, total, drawn = due + controls, f"{len(readings):,}", f"{len(controls):,}"
        notes = [f"{len(due):,} of {total} answers with a text are due; controls drawn with seed {seed}: {drawn}"]
    else:
        size = later.sample if sample is None else sample
        chosen = draw_first(came, str, len(came) if size is None else size, seed)
        notes = [f"{len(chosen):,} of {len(came):,} answers with a text drawn with seed {seed}: {later.summary}"]
    if reads.of is not None:  # whoever gives first answers by mistake should see it
        notes.append(f"about the responses of round {reads.of.round}")
    known = read_replies(later, answered, config, at_hand)
    # In the order of the names that draw them, controls would all come first.
    mixed = draw_first(chosen, lambda key: f"order:{key}", len(chosen), seed)
    left = [key for key in mixed if key not in known.values]
    if answered:
        notes.append(f"{len(chosen) - len(left):,} of {len(chosen):,} are answered and left out")
    texts = at_hand.texts(left)
    rows = dict(zip(at_hand.ids, records.rows, strict=True))
    shown = tuple(
        Shown(
            str(key),
            0,
            context(reads, rows[key.id], came[key], at_hand.places[key.id], key.variant, texts[key]),
            code_of(later.name, [texts[key]]),
        )
        for key in left
    )
    return Questions(later, shown, ("question", "response", "choices"), tuple(notes))


def _due(readings: Mapping[Key, Answer], seed: int, *, unclear: bool) -> tuple[list[Key], list[Key]]:
    """Find what is due, and draw controls: one row in ten."""
    due = [key for key, found in readings.items() if is_due(found, unclear=unclear)]
    able = [key for key, found in readings.items() if is_control(found, unclear=unclear)]
    return due, draw_first(able, str, -(-len(due) // (CONTROLS - 1)), seed)


def context(  # noqa: PLR0913, PLR0917 - all that is shown of a prediction
    reads: Reads, record: Record, asked: Asked, member: int, variant: int, text: str
) -> Mapping[str, str]:
    """Show a question, with its place where one text answers several, and the response; never the gold."""
    if isinstance(text, Shuffled):
        raise MedzhError(
            f"{shown(asked.id)} was asked with its options in another order than the record's",
            expected="the record's order, in which second readings and audits show them",
            advice="ask again without shuffling, as medzh-score prompts writes it",
        )
    question = reads.question(record, asked, variant)
    if len(asked.members) > 1:
        place = asked.members.index(member) + 1
        question = f"（这段回答一次回答了 {len(asked.members)} 道题，这里只问其中的第 {place} 题。）\n{question}"
    return {"question": question, "response": text, "choices": f"{reads.choices}，或者“{NO_ANSWER}”"}
