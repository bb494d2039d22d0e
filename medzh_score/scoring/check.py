"""Predictions looked at before they are scored: what they hold, and whether scoring them would be sound."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.answers import WordingCount
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.items import WITHHELD
from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import DEFAULT_DATA, Records, laid_out, records_of
from medzh_score.io.open_input import InputFile
from medzh_score.prompting.positions import sent_order
from medzh_score.readers.align import PredictionPlace, collect, variants_expected
from medzh_score.readers.detect import find_reader
from medzh_score.readers.files import PredictionFiles
from medzh_score.readers.stored_questions import AskedQuestions
from medzh_score.scoring.inspection import InspectedFiles, Inspection
from medzh_score.scoring.missing import first_missing
from medzh_score.scoring.report_warnings import HIGH_UNPARSED_RATE, MUCH_TRUNCATED
from medzh_score.scoring.withholding import known_reasons, redact_reason
from medzh_score.stages.binding import StageItems
from medzh_score.stages.sent import files_by_round
from medzh_score.ui.errors import MedzhError, printable, redact_errors
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable
from medzh_score.ui.progress import display_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from medzh_score.benchmark.answers import AnswerTable, FormCount
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import ItemIndex, Query
    from medzh_score.benchmark.rules import Rule
    from medzh_score.prompting.ids import AnswerKey
    from medzh_score.readers.align import AlignedAnswers, Coverage, Sets

SOUND, UNSOUND, IMPOSSIBLE = 0, 1, 2
MISSING, UNPARSED, TRUNCATED, VALUELESS = "missing", "unparsed", "truncated", "without a value"
EXAMPLE = 160  # characters of a text that are shown


@redact_errors
def check(  # noqa: PLR0913 - the options of the command, by keyword
    config: str,
    predictions: Sequence[str | Path],
    data: str | Path | Records = DEFAULT_DATA,
    *,
    rule: str | None = None,
    reader: str | None = None,
    file_per_run: bool = False,
    prompts: Sequence[str | Path] = (),
    variants: str | None = None,
    keep_reasoning: bool = False,
) -> Checked:
    """Check predictions files as for scoring, and count the predictions.

    Parameters
    ----------
    config : str
        The name of the config.
    predictions : sequence of path
        The predictions files.
    data : path or Records
        A build folder, or loaded records.
    rule : str, optional
        The extraction rule (default: the primary rule of the config).
    reader : str, optional
        The input format (default: detected).
    file_per_run : bool
        Use each file as one run.
    prompts : sequence of path
        The prompts files that were sent. Their order is used for input formats without ids.
    variants : str, optional
        The option orders that were queried, as for `score`.
    keep_reasoning : bool
        Do not remove reasoning and chat tokens before the official rules are applied.

    Returns
    -------
    Checked
        Counts, and whether scoring would be sound. Where it could not be done, for a faulty line, an unknown id or a
        repeated key, the counts go as far as they can: repeated lines and unknown ids are left out of them, and any
        other fault ends them. Then ``error`` is what `score` would raise.

    Raises
    ------
    MedzhError
        If nothing can be counted: an unknown config or rule, no data, or no predictions file of a known format.

    Examples
    --------
    >>> check("sdak", ["predictions.jsonl"]).sound  # doctest: +SKIP
    True
    """
    paths = tuple(Path(path) for path in predictions)
    files = PredictionFiles(paths, reader, file_per_run, keep_reasoning=keep_reasoning)
    return check_files(config, files, data, rule, [Path(path) for path in prompts], variants=variants)


@dataclass(frozen=True)
class Problem:
    """What there is too much of for scoring to be sound, and above which share."""

    what: str
    count: int
    of: int
    most: float


@dataclass(frozen=True)
class Valueless:
    """A metric that has no value, and why."""

    metric: str
    reason: str


@dataclass(frozen=True)
class CheckedFiles:
    """What was checked, as words of a command line: what is read, and what only scoring takes besides."""

    read: tuple[str, ...]
    more: tuple[str, ...]

    def command(self, name: str, *options: str) -> str:
        """Write a command that reads the same, to be called as it stands."""
        return shlex.join(["medzh-score", name, *self.read, *(self.more if name == "score" else ()), *options])


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What predictions hold.

    Attributes
    ----------
    config, rule : str
        What was checked, and by which rule answers were read.
    runs, variants : tuple of int
        Those seen.
    coverage : Coverage or None
        How the predictions cover what was asked, as far as they can be read; None where none can.
    missing : tuple of AnswerKey
        The first few missing predictions.
    failed : mapping of str to int
        Requests that failed, and that nothing made up for, by reason; they are among the missing.
    filtered : int
        Predictions that the file marks as filtered.
    asked : str
        How question groups were answered, as in `AlignedAnswers`; empty for a config without groups.
    readers : mapping of str to int
        As what form the files were read, and how many.
    matches : tuple of WordingCount
        How often each wording decided.
    forms : tuple of FormCount
        How predictions of each form of text were read.
    seen : Inspection
        What else was seen.
    error : MedzhError or None
        Why nothing can be scored: what `score` would raise.
    given : CheckedFiles
        What was checked, in words for the next command.
    valueless : Valueless or None
        The primary metric where neither it nor what stands in for it has a value.
    """

    config: str
    rule: str
    runs: tuple[int, ...] = ()
    variants: tuple[int, ...] = ()
    coverage: Coverage | None = None
    missing: tuple[AnswerKey, ...] = ()
    failed: Mapping[str, int] = field(default_factory=dict)
    filtered: int = 0
    asked: str = ""
    readers: Mapping[str, int] = field(default_factory=dict)
    matches: tuple[WordingCount, ...] = ()
    forms: tuple[FormCount, ...] = ()
    seen: Inspection
    error: MedzhError | None
    given: CheckedFiles
    valueless: Valueless | None = None

    def __repr__(self) -> str:
        """Return one line."""
        found = (
            "not ready to score"
            if self.coverage is None
            else (f"{self.coverage.read} of {self.coverage.expected} predictions, {self.coverage.unparsed} unparsed")
        )
        return f"<Checked {self.config}, rule {self.rule}: {found}>"

    @property
    def why_not(self) -> tuple[Problem, ...]:
        """Why scoring would not be sound: predictions are missing, too much is unread or cut off, or no value comes."""
        found: list[Problem] = []
        if (coverage := self.coverage) is not None:
            found = [
                Problem(MISSING, coverage.missing, coverage.expected, 0.0),
                Problem(UNPARSED, coverage.unparsed, coverage.read, HIGH_UNPARSED_RATE),
                Problem(TRUNCATED, coverage.truncated, coverage.read, MUCH_TRUNCATED),
            ]
        lacking = () if self.valueless is None else (Problem(VALUELESS, 1, 1, 0.0),)
        return (*(one for one in found if one.count > one.most * one.of), *lacking)

    @property
    def next_steps(self) -> tuple[tuple[str, str | None], ...]:
        """What to do next: a sentence, empty if the command is clear by itself, and a command that runs as printed."""
        if self.error is not None:
            return ((_("correct the files as the error describes, and check again."), None),)
        given = self.given
        config, *read = given.read
        stages = find_config(self.config).reporting.screen.stages
        stage = stages.get(self.valueless.metric, "NAME") if self.valueless is not None else "NAME"
        asked = ("--stage", stage, "--predictions", *read, "--output", f"{stage}.jsonl")
        prompts = shlex.join(["medzh-score", "prompts", config, *asked])
        again = {
            MISSING: (
                _(
                    "generate the missing predictions, or score them as incorrect (--missing skip drops their "
                    "clusters):"
                ),
                given.command("score", "--missing", "wrong"),
            ),
            UNPARSED: (
                _("inspect unparsed predictions:"),
                given.command("explain", "--rule", self.rule, "--unparsed", "5"),
            ),
            TRUNCATED: (_("increase the token limit and generate the truncated predictions again."), None),
            VALUELESS: (_("write the prompts of the missing stage:"), prompts),
        }
        return tuple(again[reason.what] for reason in self.why_not) or (
            (_("score the predictions:"), given.command("score")),
        )

    @property
    def advice(self) -> tuple[str, ...]:
        """The next steps in one line each."""
        return tuple(
            _("Next: {step} {command}", step=step, command=command) if command else _("Next: {step}", step=step)
            for step, command in self.next_steps
        )

    @property
    def sound(self) -> bool:
        """Whether scoring can be done and would be sound."""
        return self.status == SOUND

    @property
    def status(self) -> int:
        """0 where scoring is sound, 1 where it would not be, 2 where it cannot be done."""
        if self.error is not None or self.coverage is None:
            return IMPOSSIBLE
        return UNSOUND if self.why_not else SOUND

    def as_dict(self) -> dict[str, Any]:
        """Give what was found as plain mappings and lists."""
        seen = self.seen
        return {
            "config": self.config,
            "rule": self.rule,
            "status": self.status,
            "sound": self.sound,
            "why_not": [asdict(reason) for reason in self.why_not],
            "valueless": None if self.valueless is None else asdict(self.valueless),
            "error": None if self.error is None else str(self.error),
            "next": list(self.advice),
            "runs": list(self.runs),
            "variants": list(self.variants),
            "coverage": None if self.coverage is None else asdict(self.coverage),
            "files": dict(self.readers),
            "response_formats": {
                name: {"predictions": of, "unparsed": no, "unambiguous": unambiguous}
                for name, of, no, unambiguous in self.forms
            },
            "missing": [
                f"{one.id} run {one.run}{f' variant {one.variant}' if one.variant else ''}" for one in self.missing
            ],
            "failed": {"count": sum(self.failed.values()), "reasons": dict(self.failed)},
            **{
                name: {"count": found.count, "first": list(map(_place, found.first))}
                for name in ("duplicates", "too_long", "unknown")
                if (found := getattr(seen, name))
            },
            "refusals": {"file": self.filtered, "text": seen.declined, "either": seen.declined_or_filtered},
            "languages": dict(seen.languages),
            "unclosed": seen.unclosed,
            "unparsed": {
                "reason": {one.wording: one.answers for one in self.matches if not one.answered},
                "examples": [
                    {**_place(one.place), "reason": one.reason, "text": shortened(one.text)} for one in seen.unparsed
                ],
            },
            "identical": {
                "count": seen.constant,
                "of": seen.texts,
                "text": shortened(seen.frequent) if seen.constant else None,
            },
        }


def shortened(text: str) -> str:
    """Show a text on one line: control characters escaped, what is long cut."""
    shown = printable(text[: EXAMPLE + 1])
    return shown if len(shown) <= EXAMPLE else f"{printable(text[:EXAMPLE])[:EXAMPLE]}…"


def _place(place: PredictionPlace) -> dict[str, str | int]:
    return {**asdict(place), "id": shortened(place.id), "file": printable(place.file)}


def check_files(  # noqa: PLR0913 - as `check`
    config: str,
    files: PredictionFiles,
    data: str | Path | Records,
    rule: str | None = None,
    prompts: Sequence[Path] = (),
    *,
    variants: str | None = None,
) -> Checked:
    """Count what predictions files hold; see `check`."""
    found = find_config(config)
    chosen = rule_of(found, rule)
    records = records_of(found, data, found.columns)
    layout = laid_out(found, records)
    first, _unused = files_by_round(prompts, found, StageItems(records.rows, layout))
    files = replace(files, order=sent_order(found, data, first), questions=AskedQuestions(found, data, first))
    asked = found.queries(records.rows, layout)
    expected = variants_expected(variants, None, asked)
    ids = [record["id"] for record in records.rows]
    seen, collected = _tolerantly(files, asked, ids, chosen, expected)
    table = None if collected is None else collected.tables[chosen.name]
    whole = collected is not None and seen.error is None and not (seen.duplicates.count or seen.unknown.count)
    scoring = partial(collect, ids, asked, [chosen], files, sent=expected, data=data)
    counted: dict[str, Any] = {}
    if collected is not None and table is not None:
        counted = {
            "runs": table.runs,
            "variants": table.variants,
            "coverage": collected.coverage(chosen.name),
            "missing": tuple(first_missing(table, ids)),
            "failed": _by_reason(collected),
            "filtered": len(collected.filtered),
            "asked": collected.asked,
            "readers": Counter(one.reader for one in collected.inputs),
            "matches": table.matches,
            "forms": table.by_form,
        }
    checked = Checked(
        config=found.name,
        rule=chosen.name,
        **counted,
        seen=seen,
        error=None if whole else _scoring_error(scoring, seen.error),
        given=_given(found.name, files, data, {"--rule": [rule], "--prompts": prompts, "--variants": [variants]}),
        valueless=None if table is None else _valueless(found, layout, table),
    )
    return _without_words(checked, chosen) if found.private else checked


def _tolerantly(
    files: PredictionFiles, asked: Sequence[Query], ids: Sequence[str], rule: Rule, expected: Sets | None
) -> tuple[Inspection, AlignedAnswers | None]:
    by_id = {one.id: one for one in asked}
    readable, error = _readable(files)
    stop = None
    while True:
        seen = Inspection(by_id, ids, rule, files.keep_reasoning)
        read = (readable, files.reader, files.file_per_run, files.order, files.keep_reasoning)
        inspected = InspectedFiles(*read, questions=files.questions, seen=seen, stop=stop)
        try:
            collected = collect(ids, asked, [rule], inspected, sent=expected)
        except MedzhError as stopped:
            seen.error = seen.error or stopped
            if stopped.file is None or stopped.line is None or stop is not None:
                return seen, None
            stop = stopped.file, stopped.line
            error = error or stopped
            continue
        seen.error = seen.error or error
        return seen, collected


def _readable(files: PredictionFiles) -> tuple[tuple[Path, ...], MedzhError | None]:
    for place, path in enumerate(files.paths):
        try:
            with InputFile(path) as file:
                find_reader(file, files.reader)
        except MedzhError as error:
            if not place:
                raise
            return files.paths[:place], error
    return files.paths, None


def _scoring_error(scoring: Callable[[], AlignedAnswers], otherwise: MedzhError | None) -> MedzhError | None:
    """Give the error of scoring, which names standard input as the user does."""
    try:
        scoring()
    except MedzhError as raised:
        otherwise = raised
    if otherwise is not None and otherwise.file is not None:
        otherwise.file = display_name(Path(otherwise.file))
    return otherwise


def _by_reason(collected: AlignedAnswers) -> dict[str, int]:
    reasons = Counter(failure.partition(": ")[2] or _("no reason given") for failure in collected.failures)
    return dict(sorted(reasons.items(), key=lambda one: (-one[1], one[0])))


def _given(
    config: str, files: PredictionFiles, data: str | Path | Records, scoring: Mapping[str, Sequence[str | Path | None]]
) -> CheckedFiles:
    read: dict[str, list[str | Path | None]] = {
        "--data": [None if isinstance(data, Records) or data == DEFAULT_DATA else data],
        "--from": [files.reader],
    }
    flags = ["--file-per-run"] if files.file_per_run else []
    flags += ["--keep-reasoning"] if files.keep_reasoning else []
    return CheckedFiles((config, *map(display_name, files.paths), *flags, *_options(read)), tuple(_options(scoring)))


def _options(given: Mapping[str, Sequence[str | Path | None]]) -> Iterator[str]:
    for option, values in given.items():
        for value in values:
            if value is not None:
                yield from (option, display_name(Path(value)) if isinstance(value, Path) else value)


def _valueless(config: Config, layout: ItemIndex, table: AnswerTable) -> Valueless | None:
    sums = config.statistics(layout, table, {}).sum(axis=0)
    metrics = [pick("--metric", config.metrics, name) for name in config.reporting.primary_metrics]
    if any(not np.isnan(metric.formula(sums)).all() for metric in metrics):
        return None
    return Valueless(metrics[0].name, metrics[0].undefined_reason)


def _without_words(checked: Checked, rule: Rule) -> Checked:
    names, seen = known_reasons(rule), checked.seen
    matches: Counter[tuple[bool, str]] = Counter()
    for one in checked.matches:
        matches[one.answered, redact_reason(one.wording, names)] += one.answers
    unknown = [replace(place, id=quotable(place.id)) for place in seen.unknown.first]
    said = replace(
        seen,
        same=Counter({hash(WITHHELD): seen.constant}),
        frequent=WITHHELD,
        unparsed=[replace(one, reason=redact_reason(one.reason, names), text=WITHHELD) for one in seen.unparsed],
        unknown=replace(seen.unknown, first=unknown),
        error=None if seen.error is None else seen.error.alone(),
    )
    return replace(
        checked,
        matches=tuple(WordingCount(wording, answered, times) for (answered, wording), times in matches.items()),
        seen=said,
        error=None if checked.error is None else checked.error.alone(),
    )
