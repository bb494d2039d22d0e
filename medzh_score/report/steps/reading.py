"""First step of scoring: everything that was asked and came back, read and checked against the records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from medzh_score.benchmark.about_predictions import AUDIT, SECOND
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.config import by_dictionary, rule_of
from medzh_score.benchmark.registry import is_foreign
from medzh_score.conformance import check_quickly
from medzh_score.data.checked_rows import laid_out, records_of
from medzh_score.data.hub import place_of
from medzh_score.data.records import Records, read_manifest
from medzh_score.files.input_file import input_of
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.alignment import owners_named
from medzh_score.predictions.asked_questions import AskedQuestions
from medzh_score.predictions.missing import variants_due
from medzh_score.predictions.options import check_options
from medzh_score.predictions.readers.rows import PredictionRows, Rows
from medzh_score.predictions.readers.several import PredictionFiles
from medzh_score.predictions.reading_answers import collect
from medzh_score.prompts.codes import check_code, no_order, split_judged_id
from medzh_score.prompts.prompt_choices import train_records
from medzh_score.prompts.sent_positions import orders_of_rounds, sent_lines, sent_order
from medzh_score.prompts.sent_prompts import UNKNOWN, UNKNOWN_PROMPT, sent_prompt, written_asking, written_decoding
from medzh_score.rounds.asking_predictions import context
from medzh_score.rounds.drawn import read_samples, with_due
from medzh_score.rounds.first_answers import Items
from medzh_score.rounds.reading_items import at_hand_of, check_judged, read_rounds
from medzh_score.rounds.scoring_predictions import by_key, check_rule, predictions_read
from medzh_score.rounds.sent_items import files_by_round, sent_rounds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Asked, Layout, Record
    from medzh_score.benchmark.rules import Rule
    from medzh_score.predictions.collected import Collected
    from medzh_score.predictions.options import Options
    from medzh_score.prompts.codes import SentOrder
    from medzh_score.prompts.sent_prompts import SentPrompt
    from medzh_score.rounds.binding import Predictions
    from medzh_score.rounds.drawn import Sample
    from medzh_score.rounds.scoring_predictions import PredictionsRead


@dataclass(frozen=True)
class Read:
    """What was asked and what came back; ``judged`` is that of rounds about items before second readings enter."""

    config: Config
    rule: Rule
    records: Records
    layout: Layout
    asked: Sequence[Asked]
    files: PredictionFiles
    sent: SentPrompt
    judged: Mapping[str, Judgements]
    came: PredictionsRead
    at_hand: Predictions
    samples: Mapping[str, Sample]
    asked_again: Mapping[str, str]
    second_prompt: str

    @property
    def ids(self) -> list[str]:
        """Those of the records, in their order."""
        return [record["id"] for record in self.records.rows]

    @property
    def collected(self) -> Collected:
        """All answers."""
        return self.came.collected

    @property
    def table(self) -> AnswerTable:
        """The answers by the chosen rule."""
        return self.collected.tables[self.rule.name]

    @property
    def plain(self) -> str:
        """The name of the chosen rule's answers without second readings."""
        return self.came.without(self.rule.name)


def read_all(
    config: Config,
    predictions: Sequence[Path] | PredictionFiles | Rows,
    data: str | Path | Records,
    options: Options,
) -> Read:
    """Read predictions, prompts files and rounds."""
    check_options(options)
    if options.dictionary:
        config = by_dictionary(config, options.dictionary)
    rule = rule_of(config, options.rule)
    # Where prompts are to be recognised, all columns are needed.
    foreign = is_foreign(config.name)
    records = records_of(config, data, None if options.prompts or foreign else list(config.columns))
    layout = laid_out(config, records)
    if foreign:
        check_quickly(config, records.rows)
    check_rule(config, rule, options)
    of_items, _ = by_key(config, options.rounds)
    items = Items(records.rows, layout)
    first, later = files_by_round(options.prompts, config, items, second=options.second_reader is not None)
    sent = UNKNOWN_PROMPT if not first else recognised(first, config, records, data)
    questions = AskedQuestions(config, data, first)
    files = _as_set(predictions, options, sent_order(config, data, first), questions)
    orders = orders_of_rounds(config, later)
    asked, sent_files = config.asked(records.rows, layout), {name: later.pop(name, []) for name in (SECOND, AUDIT)}
    due = variants_due(options.variants, sent.variants, asked)
    with owners_named(data):
        collected = collect(items.ids, asked, config.rules, files, sent=due)
    sent = questions.signed(sent)
    items = items.answered(files.texts)
    asked_again = sent_rounds(later, config, items)
    judged = read_rounds(config, of_items, items, orders)
    of = config.reads.of.round if config.reads and config.reads.of else ""
    responses = options.rounds.get(of, ())
    at_hand = at_hand_of(config, items, asked, files, responses, judged, order=orders.get(of, no_order))
    came = predictions_read(config, rule, options, collected, judged, at_hand, orders)
    second_prompt, _ = (sent_about(name, paths, config, records.rows, at_hand) for name, paths in sent_files.items())
    check_judged(config.rounds, judged, came.collected.tables[rule.name].runs)
    samples = read_samples(options.round_sample, config, judged)
    plain = came.without(rule.name)
    came = replace(came, judged=with_due(came.judged, config.rounds, layout, came.collected.tables, plain, samples))
    return Read(
        config, rule, records, layout, asked, files, sent, judged, came, at_hand, samples, asked_again, second_prompt
    )


def _as_set(
    predictions: Sequence[Path] | PredictionFiles | Rows, options: Options, order: SentOrder, questions: AskedQuestions
) -> PredictionFiles:
    if isinstance(predictions, PredictionFiles):
        return replace(predictions, order=order, keep_reasoning=options.keep_reasoning, questions=questions)
    reading = (options.reader, options.file_per_run, order, options.keep_reasoning)
    if isinstance(predictions, Rows):
        return PredictionRows(*reading, rows=predictions)
    return PredictionFiles(tuple(predictions), *reading, questions=questions)


def sent_about(
    round_name: str, paths: Sequence[Path], config: Config, records: Sequence[Record], at_hand: Predictions
) -> str:
    """Read with which prompt and settings a round was asked, and check that the lines ask just that."""
    if not paths:
        return UNKNOWN
    later, rows = pick("round", config.every_round, round_name), {record["id"]: record for record in records}
    reads, respondent = config.reads, later.model
    assert reads is not None  # noqa: S101 - the round is declared with it
    assert respondent is not None  # noqa: S101 - a model answers both
    lines = [(path, *one) for path in paths for one in sent_lines(path, respondent.decoding)]
    keys = [split_judged_id(line.id, path, number) for path, number, line in lines]
    came, texts = at_hand.with_text(), at_hand.texts(key for key, _ in keys)
    codes = at_hand.codes(round_name, (key for key, _ in keys))
    if not lines:  # who had nothing to read is signed as who had
        return f"{respondent.prompts[0].name} {written_decoding(respondent.decoding)}"
    settings = set()
    for (path, number, line), (key, code) in zip(lines, keys, strict=True):
        check_code(key, code, codes.get(key), path, number)
        shown = context(reads, rows[key.id], came[key], at_hand.places[key.id], key.variant, texts[key])
        text = "".join(line.turns or (line.text or "",))
        name = next((prompt.name for prompt in respondent.prompts if prompt.fill(**shown) == text), None)
        settings.add(written_asking(str(name), line))
        if name is None or len(settings) > 1:
            raise MedzhError(
                "is not what the round asks about this answer, or differs in prompt or decoding from lines before it",
                file=path,
                line=number,
                expected=", ".join(prompt.name for prompt in respondent.prompts),
            )
    return settings.pop()


MOST = 16  # of which a process keeps what they say
RECOGNISED: dict[tuple[object, ...], SentPrompt] = {}


def recognised(paths: Sequence[Path], config: Config, records: Records, data: str | Path | Records) -> SentPrompt:
    """Read what was sent; the records that examples came from are loaded only where there were some."""
    if isinstance(data, Records):  # which anybody may have edited, in columns that have no digest, too
        return sent_prompt(paths, config, records, _no_examples)
    # The digests of all splits: records that examples came from are not loaded to look whether they are the same.
    build = msgspec.json.encode(read_manifest(place_of(data, config.name).folder)["configs"][config.name])
    key = (config.name, config.prompts, records.split, build, tuple(input_of(path, "").sha256 for path in paths))
    if key not in RECOGNISED:
        RECOGNISED[key] = sent_prompt(paths, config, records, lambda: train_records(config.name, data))
        for oldest in list(RECOGNISED)[:-MOST]:
            del RECOGNISED[oldest]
    return RECOGNISED[key]


def _no_examples() -> Sequence[Record]:
    problem = "examples were sent, and these records come without those they were chosen from"
    raise MedzhError(problem, field="data", expected="a build folder")
