"""First step of scoring: everything that was asked and completed back, read and checked against the records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from medzh_score.benchmark.answers import WITHOUT
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.config import by_dictionary, rule_of
from medzh_score.benchmark.registry import is_foreign
from medzh_score.benchmark.rules import DEFAULT_RULE
from medzh_score.benchmark.stages import AUDIT, SECOND
from medzh_score.data.hub import place_of
from medzh_score.data.records import Records, laid_out, read_manifest, records_of
from medzh_score.io.open_input import input_of
from medzh_score.prompting.positions import no_order, orders_of_stages, sent_order
from medzh_score.prompting.sent import UNKNOWN, UNKNOWN_PROMPT, sent_prompt
from medzh_score.prompting.write import train_records
from medzh_score.readers.align import collect, variants_expected
from medzh_score.readers.files import PredictionFiles
from medzh_score.readers.records import PredictionRows, Rows
from medzh_score.readers.stored_questions import AskedQuestions
from medzh_score.scoring.options import check_options
from medzh_score.stages.binding import AvailableAnswers, StageItems
from medzh_score.stages.sampling import read_samples, with_expected
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import ItemIndex, Query, Record
    from medzh_score.benchmark.rules import Rule
    from medzh_score.benchmark.stages import Annotations
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.prompting.sent import SentPrompt
    from medzh_score.readers.align import AlignedAnswers
    from medzh_score.scoring.options import ScoringOptions
    from medzh_score.stages.fallback import SecondReading
    from medzh_score.stages.replies import Replies
    from medzh_score.stages.sampling import StageSample


@dataclass(frozen=True)
class ScoringInputs:
    """What was asked and what came back.

    ``collected`` has the answers by rule, of our rule completed by second readings and, beside it, without them.
    ``judged`` is what came back of stages about items, ``judged_by_rule`` with second readings and what was due;
    ``replies`` what came back about single predictions, which are those of ``about``.
    """

    config: Config
    rule: Rule
    records: Records
    layout: ItemIndex
    asked: Sequence[Query]
    files: PredictionFiles
    sent: SentPrompt
    collected: AlignedAnswers
    judged: Mapping[str, Annotations]
    judged_by_rule: Mapping[str, Mapping[str, Annotations]]
    about: AlignedAnswers
    replies: Mapping[str, Replies]
    second: SecondReading | None
    available: AvailableAnswers
    samples: Mapping[str, StageSample]
    asked_again: Mapping[str, str]
    second_prompt: str
    questions: AskedQuestions

    @property
    def ids(self) -> list[str]:
        """Those of the records, in their order."""
        return [record["id"] for record in self.records.rows]

    @property
    def table(self) -> AnswerTable:
        """The answers by the chosen rule."""
        return self.collected.tables[self.rule.name]

    @property
    def plain(self) -> str:
        """The name of the chosen rule's answers without second readings: its own where there are none beside it."""
        return self.rule.name if self.second is None else f"{self.rule.name} {WITHOUT}"


def read_inputs(
    config: Config,
    predictions: Sequence[Path] | PredictionFiles | Rows,
    data: str | Path | Records,
    options: ScoringOptions,
) -> ScoringInputs:
    """Read predictions, prompts files and stages."""
    check_options(options)
    if options.dictionary:
        config = by_dictionary(config, options.dictionary)
    rule = rule_of(config, options.rule)
    # Where prompts are to be recognised, all columns are needed.
    foreign = is_foreign(config.name)
    records = records_of(config, data, None if options.prompts or foreign else list(config.columns))
    layout = laid_out(config, records)
    if foreign:
        from medzh_score.conformance import check_quickly

        check_quickly(config, records.rows)
    _check_rule(config, rule, options)
    items = StageItems(records.rows, layout)
    first: list[Path] = []
    later: dict[str, list[Path]] = {}
    for name in options.stages:
        pick("--stage", config.every_stage, name)
    if options.prompts:
        from medzh_score.stages.sent import files_by_round

        first, later = files_by_round(options.prompts, config, items, second=options.fallback_extractor is not None)
    sent = UNKNOWN_PROMPT if not first else recognised(first, config, records, data)
    questions = AskedQuestions(config, data, first)
    files = _as_set(predictions, options, sent_order(config, data, first), questions)
    asked = config.queries(records.rows, layout)
    expected = variants_expected(options.variants, sent.variants, asked)
    with_digests = options.digests and not config.private
    collected = collect(items.ids, asked, config.rules, files, sent=expected, data=data, digests=with_digests)
    read = ScoringInputs(
        config,
        rule,
        records,
        layout,
        asked,
        files,
        questions.signed(sent),
        collected,
        judged={},
        judged_by_rule={name: {} for name in collected.tables},
        about=collected,
        replies={},
        second=None,
        available=AvailableAnswers(items.ids, asked, files),
        samples={},
        asked_again={stage.name: UNKNOWN for stage in config.stages if stage.of_same_model},
        second_prompt=UNKNOWN,
        questions=questions,
    )
    if later or options.stages or options.fallback_extractor is not None:
        read = _with_stages(read, items.answered(files.texts), later, options)
    return replace(read, samples=read_samples(options.stage_sample, config, read.judged))


def _with_stages(
    read: ScoringInputs, items: StageItems, later: Mapping[str, Sequence[Path]], options: ScoringOptions
) -> ScoringInputs:
    from medzh_score.stages.annotations import check_judged, read_stages
    from medzh_score.stages.fallback import Policy, complete_answers
    from medzh_score.stages.replies import available_answers
    from medzh_score.stages.sent import sent_about, sent_stages

    config, rule = read.config, read.rule
    orders = orders_of_stages(config, later)
    keyed: dict[str, dict[str, Sequence[Path]]] = {"item": {}, "prediction": {}}
    for name, paths in options.stages.items():
        keyed[pick("--stage", config.every_stage, name).keyed][name] = paths
    about_answers = {name: later.get(name, ()) for name in (SECOND, AUDIT)}
    asked_again = sent_stages({name: later[name] for name in later if name not in about_answers}, config, items)
    judged = read_stages(config, keyed["item"], items, orders, options.annotator)
    of = config.reads.of.stage if config.reads and config.reads.of else ""
    responses, order = options.stages.get(of, ()), orders.get(of, no_order)
    available = available_answers(config, items, read.asked, read.files, responses, judged, order=order)
    policy = (
        None if options.fallback_extractor is None else Policy(options.fallback_extractor, options.include_ambiguous)
    )
    completed = complete_answers(config, rule, keyed["prediction"], policy, read.collected, judged, available, orders)
    prompts = [sent_about(name, paths, config, items.records, available) for name, paths in about_answers.items()]
    tables = completed.collected.tables
    check_judged(config.stages, judged, tables[rule.name].runs)
    samples = read_samples(options.stage_sample, config, judged)
    read = replace(read, second=completed.second)
    return replace(
        read,
        collected=completed.collected,
        judged=judged,
        judged_by_rule=with_expected(completed.judged, config.stages, read.layout, tables, read.plain, samples),
        about=completed.about,
        replies=completed.replies,
        available=available,
        asked_again=asked_again,
        second_prompt=prompts[0],
    )


def _as_set(
    predictions: Sequence[Path] | PredictionFiles | Rows,
    options: ScoringOptions,
    order: SentOrder,
    questions: AskedQuestions,
) -> PredictionFiles:
    if isinstance(predictions, PredictionFiles):
        return replace(predictions, order=order, keep_reasoning=options.keep_reasoning, questions=questions)
    reading = (options.reader, options.file_per_run, order, options.keep_reasoning)
    if isinstance(predictions, Rows):
        return PredictionRows(*reading, rows=predictions)
    return PredictionFiles(tuple(predictions), *reading, questions=questions)


MOST = 16  # of which a process keeps what they say
RECOGNISED: dict[tuple[object, ...], SentPrompt] = {}


def recognised(paths: Sequence[Path], config: Config, records: Records, data: str | Path | Records) -> SentPrompt:
    """ScoringInputs what was sent; the records that examples completed from are loaded only where there were some."""
    if isinstance(data, Records):  # which anybody may have edited, in columns that have no digest, too
        return sent_prompt(paths, config, records, _no_examples)
    # The digests of all splits: records that examples completed from are not loaded to look whether they are the same.
    build = msgspec.json.encode(read_manifest(place_of(data, config.name).folder)["configs"][config.name])
    key = (
        config.name,
        config.prompting.templates,
        records.split,
        build,
        tuple(input_of(path, "").sha256 for path in paths),
    )
    if key not in RECOGNISED:
        RECOGNISED[key] = sent_prompt(paths, config, records, lambda: train_records(config.name, data))
        for oldest in list(RECOGNISED)[:-MOST]:
            del RECOGNISED[oldest]
    return RECOGNISED[key]


def _no_examples() -> Sequence[Record]:
    problem = _("the prompts contain few-shot examples, but the records do not include the train split")
    raise MedzhError(problem, field="data", expected=_("a build folder"))


def _check_rule(config: Config, rule: Rule, options: ScoringOptions) -> None:
    if AUDIT in options.stages and config.reads is not None and rule.name not in config.reads.rules:
        problem, those = _("the rule extracts no answers that can be audited"), " or ".join(config.reads.rules)
        raise MedzhError(problem, field="--rule", expected=those, found=rule.name)
    if options.fallback_extractor is not None and not options.fallback_extractor.strip():
        raise MedzhError(
            _("the value is blank"),
            field="--fallback-extractor",
            expected=_("the name of a person or model"),
            advice=_("name the fallback extractor"),
        )
    if options.fallback_extractor is None:
        if SECOND in options.stages:
            problem = _("this option is required with stage {second}", second=SECOND)
            advice = _("set this option even if there are no unparsed predictions, because it is part of the signature")
            raise MedzhError(
                problem, field="--fallback-extractor", expected=_("the name of a person or model"), advice=advice
            )
        if options.include_ambiguous:
            problem = _("this option requires fallback extraction")
            raise MedzhError(
                problem, field="--include-ambiguous", advice=_("name the fallback extractor: --fallback-extractor NAME")
            )
        return
    if config.reads is None or not config.reads.second:
        raise MedzhError(
            _("the config does not support fallback extraction"), field="--fallback-extractor", found=config.name
        )
    if rule.name != DEFAULT_RULE:
        problem = _("fallback extraction requires rule {default_rule}", default_rule=DEFAULT_RULE)
        raise MedzhError(problem, field="--rule", expected=DEFAULT_RULE, found=rule.name)
