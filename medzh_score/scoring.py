"""From a predictions file to a report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.asked_variants import variants_due
from medzh_score.collecting import collect, input_of
from medzh_score.config import by_dictionary, find_config, rule_of, rules_read
from medzh_score.errors import MedzhError, printable
from medzh_score.items import write_items
from medzh_score.missing import kept_by_skip, refuse_fragments, refuse_missing
from medzh_score.notes import (
    cautions_on_lacking,
    notes_on,
    notes_on_kept,
    notes_on_missing,
    notes_on_names,
    notes_on_others,
    notes_on_rounds,
)
from medzh_score.one_model import served_as
from medzh_score.prompts.choosing import train_records
from medzh_score.readers.sent_order import no_order
from medzh_score.readers.several import PredictionFiles
from medzh_score.reading_rounds import OTHER, check_judged, read_rounds, whose_answers
from medzh_score.records import DEFAULT_DATA, Records
from medzh_score.report import Report, RuleResult
from medzh_score.rounds.binding import notes_on_binding
from medzh_score.rounds.declared import AUDIT, SECOND
from medzh_score.rounds.drawn import read_samples, undrawn, with_due
from medzh_score.rounds.judged_texts import read_once
from medzh_score.rounds.lacking import (
    Setting,
    any_of,
    lacking_in_rounds,
    refuse_fragments_of_rounds,
    refuse_lacking,
)
from medzh_score.rounds.responses import at_hand_of
from medzh_score.rounds.scoring import audit_of, by_key, came_back, check_rule
from medzh_score.rounds.sent import sent_about
from medzh_score.rounds.signed_judges import signed_judges, signed_own
from medzh_score.scoring_options import Options, check_options
from medzh_score.sent_positions import sent_again, sent_order
from medzh_score.sent_prompts import UNSTATED_PROMPT, sent_prompt
from medzh_score.sent_rounds import files_by_round, sent_rounds
from medzh_score.signature import signature_of
from medzh_score.sound_rows import laid_out, records_of
from medzh_score.stated_options import FILES, ROUND, stated
from medzh_score.statistics import TOTAL, Bootstrap, breakdowns, values
from medzh_score.variant_notes import notes_on_variants

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.answers import Collected, Input
    from medzh_score.config import Config, Layout, Record
    from medzh_score.scoring_options import Missing
    from medzh_score.sent_prompts import SentPrompt
    from medzh_score.sheets import Judgements
    from medzh_score.statistics import Kind

Paths = str | Path | list[str | Path] | tuple[str | Path, ...]


def score(  # noqa: PLR0913 - the options of the command, by keyword
    config: str,
    predictions: Paths,
    data: str | Path | Records = DEFAULT_DATA,
    *,
    rule: str | None = None,
    missing: Missing = "error",
    bootstrap: int = 1000,
    seed: int = 0,
    interval: Kind = "auto",
    ddof: int = 1,
    reader: str | None = None,
    file_per_run: bool = False,
    rounds: Mapping[str, Paths] | None = None,
    prompts: Paths = (),
    dictionary: Paths = (),
    items: str | Path | None = None,
    model: str | None = None,
    second_reader: str | None = None,
    unclear: bool = False,
    allow_fragments: bool = False,
    variants: str | None = None,
    round_sample: Mapping[str, str] | None = None,
) -> Report:
    """Score predictions files against a built config, offline.

    Parameters
    ----------
    config : str
        The config's name, such as ``sdak``.
    predictions : path or sequence of paths
        One set of predictions, in which no (id, run, variant) may repeat.
    data : path or Records
        A build folder, or records that were loaded from one.
    rule : str, optional
        The rule that stands in the report's ``metrics``; the config's first when not given. All others are computed
        beside it, but ``medzh-1`` only where it is the one.
    missing : {"error", "wrong", "skip"}
        What a missing prediction is: an error, a wrong answer, or a reason to drop its unit from all runs.
    bootstrap : int
        Resamples of the intervals; 0 for none of those.
    seed : int
        Of the resamples (NumPy's PCG64).
    interval : {"auto", "bootstrap"}
        Wilson's for shares and the bootstrap for all other metrics, or the bootstrap for all.
    ddof : int
        Of the standard deviation over runs.
    reader : str, optional
        A name that ``--from`` takes, such as ``native`` or ``lm-eval``; recognised when not given.
    file_per_run : bool
        Number the files as runs, from 0.
    rounds : mapping of str to path or paths, optional
        Filled sheets and models' responses of later rounds, by the round's name; a later file wins.
    prompts : path or paths, optional
        The prompts file that was sent, or all into which it was split, and those of later rounds; without it the
        signature says ``unstated``.
    dictionary : path, optional
        Names that answers are read by, in the place of the config's own, where it has any.
    items : path, optional
        Where to write a line per item and run.
    model : str, optional
        What the system is called. Whom the files name stands beside it as ``served_as``, where that is another name.
    second_reader : str, optional
        Who reads what the rule leaves unread, in the round ``second-reading``; to be named also where nothing was due.
    unclear : bool
        Whether they also read what the rule reads without being clear.
    allow_fragments : bool
        Whether ``skip`` may take a run that lacks more than a twentieth of what the fullest run has.
    variants : str, optional
        The variants that were asked, in the words of ``prompts --variants``: ``all``, ``cyclic`` or a number, as N:SEED
        where a seed was given. A prediction in another is refused, and what did not come of these is missing.
    round_sample : mapping of str to str, optional
        Which sample later rounds judged, where it is not their own: ``N:SEED`` as it was drawn, or ``all``.

    Returns
    -------
    Report
        Metrics, groups and tables by every rule, with coverage and signature.

    Raises
    ------
    MedzhError
        For bad input, named with file, line and field.

    Examples
    --------
    >>> report = score("sdak", "predictions.jsonl", "build/medzh")  # doctest: +SKIP
    >>> report.metrics["FactAcc"].value  # doctest: +SKIP
    40.19607843137255
    """
    options = Options(
        rule=rule,
        missing=missing,
        bootstrap=Bootstrap(bootstrap, seed),
        interval=interval,
        ddof=ddof,
        reader=reader,
        file_per_run=file_per_run,
        rounds={name: _paths(paths) for name, paths in (rounds or {}).items()},
        prompts=_paths(prompts),
        dictionary=_paths(dictionary),
        items=None if items is None else Path(items),
        model=model,
        second_reader=second_reader,
        unclear=unclear,
        allow_fragments=allow_fragments,
        variants=variants,
        round_sample=dict(round_sample or {}),
    )
    return score_with(find_config(config), _paths(predictions), data, options)


def score_with(config: Config, predictions: Sequence[Path], data: str | Path | Records, options: Options) -> Report:
    """Score predictions with a config that is at hand; see `score`.

    Parameters
    ----------
    config : Config
        What is scored.
    predictions : sequence of Path
        The files.
    data : path or Records
        A build folder, or records that were loaded from one.
    options : Options
        How it is scored.

    Returns
    -------
    Report
        Metrics, groups and tables by every rule, with coverage and signature.
    """
    check_options(options)
    if options.dictionary:
        config = by_dictionary(config, options.dictionary)
    rule = rule_of(config, options.rule)
    records = records_of(config, data, _columns(config, options))
    layout = laid_out(config, records)
    check_rule(config, rule, options)
    of_items, _ = by_key(config, options.rounds)
    ids = [record["id"] for record in records.rows]
    first, later = files_by_round(
        options.prompts, config, records.rows, layout, second=options.second_reader is not None
    )
    sent = UNSTATED_PROMPT if not first else _sent(first, config, records, data)
    order = sent_order(config, data, first)
    files = PredictionFiles(tuple(predictions), options.reader, options.file_per_run, order)
    orders = sent_again(config, later)
    asked, sent_files = config.asked(records.rows, layout), {name: later.pop(name, []) for name in (SECOND, AUDIT)}
    collected = collect(
        ids,
        asked,
        rules_read(config, rule),
        files,
        sent=variants_due(options.variants, sent.variants, asked),
    )
    texts_of = read_once(files.texts)
    asked_again = sent_rounds(later, config, records.rows, layout, texts_of)
    judged = read_rounds(config, of_items, records.rows, layout, texts_of, orders)
    of = config.reads.of.round if config.reads and config.reads.of else ""
    responses = options.rounds.get(of, ())
    at_hand = at_hand_of(config, records.rows, layout, asked, files, responses, judged, order=orders.get(of, no_order))
    came = came_back(config, rule, options, collected, judged, at_hand, orders)
    collected, table = came.collected, came.collected.tables[rule.name]
    second_prompt, _ = (sent_about(name, paths, config, records.rows, at_hand) for name, paths in sent_files.items())
    check_judged(config.rounds, judged, table.runs)
    samples = read_samples(options.round_sample, config, judged)
    plain = came.without(rule.name)
    came = replace(came, judged=with_due(came.judged, config.rounds, layout, collected.tables, plain, samples))
    lacking = lacking_in_rounds(config.rounds, came.judged, layout, collected.tables)
    by_plain = {name: by_rule[plain] for name, by_rule in lacking.items()}
    setting = Setting(config, predictions, data, options, samples)
    if options.missing == "error":
        refuse_missing(collected, ids)
        refuse_lacking(lacking, layout, table.runs, setting)
    statistics = {name: config.statistics(layout, found, came.judged[name]) for name, found in collected.tables.items()}
    kept = None
    if options.missing == "skip":
        if not options.allow_fragments:
            refuse_fragments(table, [file.name for file in collected.inputs])
            refuse_fragments_of_rounds(came.judged[plain], by_plain, table, setting)
        kept = kept_by_skip(layout, table, map(any_of, lacking.values()))
        _drop(statistics, ~kept.items)
    results = _results(config, layout, collected, statistics, came.judged, options)
    coverage, audit = collected.coverage(rule.name), audit_of(config, came, statistics, at_hand, rule.name)
    model, own = options.model or collected.model, whose_answers(config.rounds, judged, collected.model)
    others = {name: ", ".join(judged[name].raters) for name, whose in own.items() if whose == OTHER}
    if options.items is not None:
        write_items(options.items, config, rule.name, layout, ids, collected.tables, statistics, came.judged)
    return Report(
        config=config.name,
        rule=rule.name,
        results=results,
        coverage=coverage,
        inputs=(*collected.inputs, *_other_inputs(options)),
        arguments=stated(options),
        signature=signature_of(
            config,
            records,
            sent,
            options,
            items=len(layout.items),
            collected=collected,
            rule=rule.name,
            judges=signed_judges(config.rounds, judged, layout, samples, asked_again),
            responses=any(later.model and later.name in judged for later in config.rounds),
            own=signed_own(own, judged),
            asked_again={name: said for name, said in asked_again.items() if name in own},
            second_prompt=second_prompt,
            kept=kept,
        ),
        model=printable("; ".join([model or "", *(f"{name}: {said}" for name, said in others.items())])) or None,
        served_as=served_as(options.model, collected.model),
        notes=(
            *notes_on(records, collected, coverage),
            *notes_on_names(collected),
            *(
                notes_on_missing(config, coverage, by_plain, results[rule.name].metrics)
                if options.missing == "wrong"
                else ()
            ),
            *notes_on_variants(config, layout, collected, rule.name),
            *notes_on_kept(kept),
            *notes_on_rounds(
                config.rounds,
                came.judged[plain],
                statistics[plain],
                rule.name,
                by_plain,
                undrawn(came.judged[plain], config.rounds, layout, collected.tables[plain]),
            ),
            *cautions_on_lacking(config.rounds, lacking, options.missing),
            *notes_on_binding(config.rounds, judged),
            *notes_on_others(others, model),
            *came.notes(audit, sorted(filter(None, {options.model, collected.model}))),
        ),
        headline=config.headline,
        second_reading=came.second,
        audit=audit,
        shown=config.shown,
    )


def _paths(paths: Paths) -> list[Path]:
    return [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]


def _sent(paths: Sequence[Path], config: Config, records: Records, data: str | Path | Records) -> SentPrompt:
    """Read what was sent; the records that examples came from are loaded only where there were some."""

    def train() -> Sequence[Record]:
        if isinstance(data, Records):
            problem = "examples were sent, and these records come without those they were chosen from"
            raise MedzhError(problem, field="data", expected="a build folder")
        return train_records(config.name, data)

    return sent_prompt(paths, config, records, train)


def _columns(config: Config, options: Options) -> list[str] | None:
    """Name the columns to load: those that scoring reads; all where prompts are to be recognised."""
    return None if options.prompts else list(config.columns)


def _drop(statistics: Mapping[str, NDArray[np.float64]], dropped: NDArray[np.bool_]) -> None:
    """Let what was dropped contribute nothing."""
    for counts in statistics.values():
        counts[dropped] = 0


def _other_inputs(options: Options) -> list[Input]:
    """Account for the sheets and the prompts file: what they say is in the numbers, or in the signature."""
    sheets = [input_of(path, ROUND + name) for name, paths in options.rounds.items() for path in paths]
    return sheets + [input_of(path, kind) for kind in FILES for path in getattr(options, kind)]


def _results(  # noqa: PLR0913, PLR0917
    config: Config,
    layout: Layout,
    collected: Collected,
    statistics: Mapping[str, NDArray[np.float64]],
    judged: Mapping[str, Mapping[str, Judgements]],
    options: Options,
) -> dict[str, RuleResult]:
    """Turn each rule's statistics into values, groups and tables."""
    found = values(
        layout,
        np.stack(list(statistics.values())),
        config.metrics,
        bootstrap=options.bootstrap,
        unit=config.unit,
        ddof=options.ddof,
        interval=options.interval,
    )
    return {
        name: RuleResult(
            by_group[TOTAL],
            breakdowns(by_group),
            config.tables(layout, collected.tables[name], statistics[name], judged[name]),
            collected.tables[name].fired,
            collected.tables[name].by_form,
        )
        for name, by_group in zip(statistics, found, strict=True)
    }
