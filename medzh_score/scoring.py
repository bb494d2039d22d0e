"""From a predictions file to a report."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from medzh_score.answers import NAMED, collect
from medzh_score.config import find_config, pick
from medzh_score.errors import MedzhError, printable
from medzh_score.items import write_items
from medzh_score.records import DEFAULT_DATA, Records, load_records
from medzh_score.report import Report, RuleResult
from medzh_score.sent_prompts import UNSTATED_PROMPT, sent_prompt
from medzh_score.sheets import read_judgements
from medzh_score.statistics import GENERATOR, TOTAL, Bootstrap, breakdowns, values
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.answers import AnswerTable, Collected, Coverage
    from medzh_score.config import Config, Layout
    from medzh_score.sheets import Judgements
    from medzh_score.signature import Signature

Missing = Literal["error", "wrong", "skip"]
Paths = str | Path | list[str | Path] | tuple[str | Path, ...]
MUCH_UNANSWERED = 0.20
MUCH_TRUNCATED = 0.05


@dataclass(frozen=True)
class Options:
    """How predictions are scored.

    Attributes
    ----------
    rule : str or None
        What stands in the report's ``metrics``; None is the config's first, the paper's.
    missing : {"error", "wrong", "skip"}
        What a missing prediction is: an error, a wrong answer, or a reason to drop its whole unit in that run.
    bootstrap : Bootstrap
        Resamples and seed of the intervals.
    ddof : int
        Of the standard deviation over runs; 1 unless the population's is wanted.
    reader : str or None
        The form of the files; None recognises it.
    file_per_run : bool
        Number the files as runs.
    rounds : mapping of str to list of Path
        Filled sheets of later rounds.
    prompts : Path or None
        The prompts file that was sent.
    items : Path or None
        Where to write a line per item and run.
    model : str or None
        Who answered, if the files do not say it.
    """

    rule: str | None = None
    missing: Missing = "error"
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    ddof: int = 1
    reader: str | None = None
    file_per_run: bool = False
    rounds: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    prompts: Path | None = None
    items: Path | None = None
    model: str | None = None


def score(  # noqa: PLR0913 - the options of the command, by keyword
    config: str,
    predictions: Paths,
    data: str | Path | Records = DEFAULT_DATA,
    *,
    rule: str | None = None,
    missing: Missing = "error",
    bootstrap: int = 1000,
    seed: int = 0,
    ddof: int = 1,
    reader: str | None = None,
    file_per_run: bool = False,
    rounds: Mapping[str, Paths] | None = None,
    prompts: str | Path | None = None,
    items: str | Path | None = None,
    model: str | None = None,
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
        The rule that stands in the report's ``metrics``; the paper's when not given. All rules are computed.
    missing : {"error", "wrong", "skip"}
        What a missing prediction is: an error, a wrong answer, or a reason to drop its unit in that run.
    bootstrap : int
        Resamples of the intervals; 0 for none.
    seed : int
        Of the resamples (NumPy's PCG64).
    ddof : int
        Of the standard deviation over runs.
    reader : str, optional
        ``native``, ``batch`` or ``sheet``; recognised when not given.
    file_per_run : bool
        Number the files as runs, from 0.
    rounds : mapping of str to path or paths, optional
        Filled sheets of later rounds, by the round's name.
    prompts : path, optional
        The prompts file that was sent; without it the signature says ``unstated``.
    items : path, optional
        Where to write a line per item and run.
    model : str, optional
        Who answered.

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
        ddof=ddof,
        reader=reader,
        file_per_run=file_per_run,
        rounds={name: _paths(paths) for name, paths in (rounds or {}).items()},
        prompts=None if prompts is None else Path(prompts),
        items=None if items is None else Path(items),
        model=model,
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
    _check_options(options)
    rule = pick("--rule", config.rules, options.rule)
    records = data if isinstance(data, Records) else load_records(config.name, data, columns=_columns(config, options))
    layout = config.layout(records.rows)
    judged = _judged(config, options)
    ids = [record["id"] for record in records.rows]
    collected = collect(
        ids,
        config.prepare(records.rows, layout),
        config.rules,
        predictions,
        reader=options.reader,
        file_per_run=options.file_per_run,
    )
    table = collected.tables[rule.name]
    _check_judged(judged, layout, table.runs)
    coverage = collected.coverage(rule.name)
    _check_missing(collected, coverage, ids, options.missing)
    statistics = _statistics(config, layout, collected, judged, options.missing)
    signature = _signature(config, records, rule.name, len(layout.items), len(table.runs), judged, options)
    found = values(
        layout,
        np.stack(list(statistics.values())),
        config.metrics,
        bootstrap=options.bootstrap,
        unit=config.unit,
        ddof=options.ddof,
    )
    results = {
        name: RuleResult(
            by_group[TOTAL],
            breakdowns(by_group),
            config.tables(layout, statistics[name], judged),
            collected.tables[name].unanswered,
        )
        for name, by_group in zip(statistics, found, strict=True)
    }
    models = [options.model] if options.model else collected.models
    if options.items is not None:
        write_items(options.items, config, rule.name, layout, ids, collected.tables, statistics)
    return Report(
        config=config.name,
        rule=rule.name,
        results=results,
        coverage=coverage,
        inputs=tuple(collected.inputs),
        arguments=_arguments(options),
        signature=signature,
        model=printable(", ".join(models)) or None,
        notes=tuple(_notes(records, collected, coverage, judged, models)),
    )


def _paths(paths: Paths) -> list[Path]:
    return [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]


def _judged(config: Config, options: Options) -> dict[str, Judgements]:
    return {
        name: read_judgements(list(paths), pick("--round", config.rounds, name).values)
        for name, paths in options.rounds.items()
    }


def _columns(config: Config, options: Options) -> list[str]:
    """Name the columns to load: those that scoring reads, and those that the prompts to be recognised name."""
    named = [] if options.prompts is None else [field for prompt in config.prompts for field in prompt.fields]
    return list(dict.fromkeys([*config.columns, *named]))


def _check_options(options: Options) -> None:
    """Refuse what the command's own parser refuses."""
    for name, given, allowed in (("missing", options.missing, get_args(Missing)), ("ddof", options.ddof, (0, 1))):
        if given not in allowed:
            expected = " or ".join(map(str, allowed))
            raise MedzhError("there is no such choice", field=f"--{name}", expected=expected, found=given)
    for name, number in (("bootstrap", options.bootstrap.resamples), ("seed", options.bootstrap.seed)):
        if number < 0:
            raise MedzhError("is negative", field=f"--{name}", expected="a number from 0", found=number)


def _check_judged(judged: Mapping[str, Judgements], layout: Layout, runs: Sequence[int]) -> None:
    """Refuse a sheet that judges what was not scored: of another build, or of another set of runs."""
    items = set(layout.items)
    for who in judged.values():
        for (item, run), (file, line) in who.places.items():
            if item not in items:
                raise MedzhError("no item has this id", file=file, line=line, field="id", found=item)
            if run not in runs:
                expected = ", ".join(map(str, runs))
                raise MedzhError(
                    "is judged, but no prediction of this run was read",
                    file=file,
                    line=line,
                    field="run",
                    expected=expected,
                    found=run,
                )


def _check_missing(collected: Collected, coverage: Coverage, ids: Sequence[str], missing: Missing) -> None:
    if missing != "error" or not coverage.missing:
        return
    table = next(iter(collected.tables.values()))
    absent = [
        f"{ids[index]} run {run}" + (f" variant {variant}" if variant else "")
        for run in table.runs
        for variant in table.variants
        for index, answer in enumerate(table.columns[run, variant])
        if answer is None
    ]
    named = ", ".join(absent[:NAMED]) + (", …" if len(absent) > NAMED else "")
    failed = f"; {len(collected.failures)} requests failed ({collected.failures[0]})" if collected.failures else ""
    raise MedzhError(
        f"{coverage.missing} of {coverage.expected} predictions are missing ({named}){failed}",
        file=", ".join(file.name for file in collected.inputs),
        advice="complete them, or count them as wrong (--missing wrong) or drop their units (--missing skip)",
    )


def _statistics(
    config: Config, layout: Layout, collected: Collected, judged: Mapping[str, Judgements], missing: Missing
) -> dict[str, NDArray[np.float64]]:
    """Compute each rule's statistics; under ``skip`` a unit that lacks a prediction contributes nothing."""
    statistics = {name: config.statistics(layout, table, judged) for name, table in collected.tables.items()}
    if missing == "skip":
        dropped = _incomplete(layout, next(iter(collected.tables.values())))
        for counts in statistics.values():
            counts[dropped] = 0
    return statistics


def _incomplete(layout: Layout, table: AnswerTable) -> NDArray[np.bool_]:
    """Find the (item, run) pairs whose unit lacks a prediction."""
    seen = [
        [[answer is not None for answer in table.columns[run, variant]] for variant in table.variants]
        for run in table.runs
    ]
    present = np.logical_and.reduce(np.array(seen, bool), axis=1)
    lacking = ~present[:, layout.members].all(axis=2)
    units = np.zeros((len(table.runs), int(layout.units.max()) + 1), bool)
    for run, items in enumerate(lacking):
        units[run, layout.units[items]] = True
    return units[:, layout.units].T


def _signature(  # noqa: PLR0913, PLR0917 - all that a signature is made of
    config: Config,
    records: Records,
    rule: str,
    items: int,
    runs: int,
    judged: Mapping[str, Judgements],
    options: Options,
) -> Signature:
    sent = UNSTATED_PROMPT if options.prompts is None else sent_prompt(options.prompts, config, records)
    drawn = options.bootstrap
    interval = (
        f"bootstrap {drawn.resamples} percentile 95% {GENERATOR} seed {drawn.seed}" if drawn.resamples else "none"
    )
    judges = {"judges": "; ".join(f"{name} {', '.join(who.raters)}" for name, who in judged.items())} if judged else {}
    return {
        "config": config.name,
        "split": records.split,
        "data": str(records.origin),
        "items": str(items),
        "prompt": sent.prompt,
        "shots": sent.shots,
        "decoding": sent.decoding,
        "rule": rule,
        **judges,
        "missing": options.missing,
        "runs": str(runs),
        "interval": interval,
        "medzh_score": VERSION,
    }


def _arguments(options: Options) -> dict[str, object]:
    return {
        "rule": options.rule,
        "missing": options.missing,
        "bootstrap": options.bootstrap.resamples,
        "seed": options.bootstrap.seed,
        "ddof": options.ddof,
        "from": options.reader,
        "file_per_run": options.file_per_run,
        "rounds": {name: [printable(path.name) for path in paths] for name, paths in options.rounds.items()},
        "prompts": None if options.prompts is None else printable(options.prompts.name),
    }


def _notes(
    records: Records,
    collected: Collected,
    coverage: Coverage,
    judged: Mapping[str, Judgements],
    models: Sequence[str],
) -> list[str]:
    notes = []
    if not records.origin.official:
        made = records.origin.recipe if records.origin.recipe != "official" else "made from a file that is not pinned"
        notes.append(f"The data are {made}, not the official benchmark: compare with no paper.")
    if collected.failures:
        notes.append(f"{len(collected.failures)} requests failed and count as missing; first {collected.failures[0]}.")
    if coverage.unanswered > MUCH_UNANSWERED * coverage.read:
        notes.append(f"No answer was found in {coverage.unanswered} of {coverage.read} predictions; look at --items.")
    if coverage.truncated > MUCH_TRUNCATED * coverage.read:
        notes.append(f"{coverage.truncated} of {coverage.read} predictions were cut off at the length limit.")
    if len(models) > 1:
        notes.append("The predictions name several models; they were scored as one.")
    for name, who in judged.items():
        said = f"Round {name}: {len(who.values)} judged, {who.unrated} left blank"
        notes.append(said + (f", {who.overridden} replaced by a later file." if who.overridden else "."))
    return notes
