"""Predictions looked at before they are scored: what they hold, and whether scoring them would be sound."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.answer_table import WordingCount
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.layout import WITHHELD
from medzh_score.benchmark.registry import find_config
from medzh_score.data.checked_rows import laid_out, records_of
from medzh_score.data.records import DEFAULT_DATA, Records
from medzh_score.files.input_file import InputFile
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.messages.privacy import quotable
from medzh_score.messages.problems import discreet
from medzh_score.messages.progress import called
from medzh_score.predictions.alignment import owners_named
from medzh_score.predictions.asked_questions import AskedQuestions
from medzh_score.predictions.inspection import InspectedFiles, Inspection
from medzh_score.predictions.missing import first_missing, variants_due
from medzh_score.predictions.readers.recognise import find_reader
from medzh_score.predictions.readers.several import PredictionFiles
from medzh_score.predictions.reading_answers import collect
from medzh_score.prompts.sent_positions import sent_order
from medzh_score.report.readiness import VALUELESS, Given, Why, advice_on, problems_of
from medzh_score.report.report import forms_as_dict
from medzh_score.report.withholding import reason_names, sayable_reason
from medzh_score.rounds.first_answers import Items
from medzh_score.rounds.sent_items import files_by_round

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from medzh_score.benchmark.answer_table import AnswerTable, FormCount
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Asked, Layout
    from medzh_score.benchmark.rules import Rule
    from medzh_score.predictions.collected import Collected, Coverage, Place
    from medzh_score.predictions.missing import Sets


SOUND, UNSOUND, IMPOSSIBLE = 0, 1, 2
EXAMPLE = 160  # characters of a text that are shown


@dataclass(frozen=True)
class Valueless:
    """A metric that has no value, and why."""

    metric: str
    why: str


@dataclass(frozen=True)
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
    missing : tuple of str
        The first few that did not come.
    failed : mapping of str to int
        Requests that failed, and that nothing made up for, by reason; they are among the missing.
    filtered : int
        Predictions that the file marks as filtered.
    readers : mapping of str to int
        As what form the files were read, and how many.
    fired : tuple of Fired
        How often each wording decided.
    forms : tuple of Forms
        How predictions of each form of text were read.
    seen : Inspection
        What else was seen.
    error : MedzhError or None
        Why nothing can be scored: what `score` would raise.
    given : Given
        What was checked, in words for the next command.
    valueless : Valueless or None
        The primary metric where neither it nor what stands in for it has a value.
    """

    config: str
    rule: str
    runs: tuple[int, ...]
    variants: tuple[int, ...]
    coverage: Coverage | None
    missing: tuple[str, ...]
    failed: Mapping[str, int]
    filtered: int
    readers: Mapping[str, int]
    fired: tuple[WordingCount, ...]
    forms: tuple[FormCount, ...]
    seen: Inspection
    error: MedzhError | None
    given: Given
    valueless: Valueless | None = None

    @property
    def why_not(self) -> tuple[Why, ...]:
        """Why scoring would not be sound: predictions are missing, too much is unread or cut off, or no value comes."""
        lacking = () if self.valueless is None else (Why(VALUELESS, 1, 1, 0.0),)
        return (*problems_of(self.coverage), *lacking)

    @property
    def advice(self) -> tuple[str, ...]:
        """What to do next."""
        return advice_on(self.given, self.rule, self.why_not, faulty=self.error is not None)

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
            "why_not": [asdict(why) for why in self.why_not],
            "valueless": None if self.valueless is None else asdict(self.valueless),
            "error": None if self.error is None else str(self.error),
            "next": list(self.advice),
            "runs": list(self.runs),
            "variants": list(self.variants),
            "coverage": None if self.coverage is None else asdict(self.coverage),
            "files": dict(self.readers),
            "forms": forms_as_dict(self.forms),
            "missing": list(self.missing),
            "failed": {"count": sum(self.failed.values()), "reasons": dict(self.failed)},
            "duplicates": {"count": seen.duplicates.count, "first": list(map(_place, seen.duplicates.first))},
            "too_long": {"count": seen.too_long.count, "first": list(map(_place, seen.too_long.first))},
            "unknown": {"count": seen.unknown.count, "first": list(map(_place, seen.unknown.first))},
            "refusals": {"file": self.filtered, "text": seen.declined, "either": seen.declined_or_filtered},
            "languages": dict(seen.languages),
            "unclosed": seen.unclosed,
            "unread": {
                "why": {one.wording: one.answers for one in self.fired if not one.answered},
                "examples": [{**_place(one.place), "why": one.why, "text": shortened(one.text)} for one in seen.unread],
            },
            "identical": {
                "count": seen.constant,
                "of": seen.texts,
                "text": shortened(seen.frequent) if seen.constant else None,
            },
        }


def shortened(text: str) -> str:
    r"""Show a text on one line: control characters escaped, what is long cut.

    Examples
    --------
    >>> print(shortened("正确\n"), len(shortened("难" * 1000)))
    正确\n 161
    """
    shown = printable(text[: EXAMPLE + 1])
    return shown if len(shown) <= EXAMPLE else f"{printable(text[:EXAMPLE])[:EXAMPLE]}…"


def _place(place: Place) -> dict[str, str | int]:
    return {**asdict(place), "id": shortened(place.id), "file": printable(place.file)}


@discreet
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
    """Read predictions files as scoring does, and count.

    Parameters
    ----------
    config : str
        The config's name.
    predictions : sequence of path
        One set of predictions.
    data : path or Records
        A build folder, or records that were loaded from one.
    rule : str, optional
        By which answers are read; the paper's when not given.
    reader : str, optional
        The form of the files; recognised when not given.
    file_per_run : bool
        Number the files as runs.
    prompts : sequence of path
        The prompts file that was sent, or all into which it was split: its order is that of forms that name no ids.
    variants : str, optional
        The variants that were asked, as for `score`.
    keep_reasoning : bool
        Whether the authors' rules read texts with their reasoning and chat tokens, as for `score`.

    Returns
    -------
    Checked
        Counts, and whether scoring would be sound. Where it could not be done, for a faulty line, an unknown id or a
        repeated key, the counts go as far as they can: repeated lines and unknown ids are left out of them, and any
        other fault ends them. Then ``error`` is what `score` would raise.

    Raises
    ------
    MedzhError
        Where nothing can be counted: no such config or rule, no data, no predictions file of a known form.

    Examples
    --------
    >>> check("sdak", ["predictions.jsonl"]).sound  # doctest: +SKIP
    True
    """
    paths = tuple(Path(path) for path in predictions)
    files = PredictionFiles(paths, reader, file_per_run, keep_reasoning=keep_reasoning)
    return check_files(config, files, data, rule, [Path(path) for path in prompts], variants=variants)


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
    first, _ = files_by_round(prompts, found, Items(records.rows, layout))
    files = replace(files, order=sent_order(found, data, first), questions=AskedQuestions(found, data, first))
    asked = found.asked(records.rows, layout)
    due = variants_due(variants, None, asked)
    ids = [record["id"] for record in records.rows]
    seen, collected = _tolerantly(files, asked, ids, chosen, due)
    table = None if collected is None else collected.tables[chosen.name]
    whole = collected is not None and seen.error is None and not (seen.duplicates.count or seen.unknown.count)
    scoring = partial(collect, ids, asked, [chosen], files, sent=due)
    checked = Checked(
        config=found.name,
        rule=chosen.name,
        runs=table.runs if table else (),
        variants=table.variants if table else (),
        coverage=collected.coverage(chosen.name) if collected else None,
        missing=tuple(first_missing(table, ids)) if table else (),
        failed=_by_reason(collected) if collected else {},
        filtered=len(collected.filtered) if collected else 0,
        readers=Counter(one.reader for one in collected.inputs) if collected else {},
        fired=table.fired if table else (),
        forms=table.by_form if table else (),
        seen=seen,
        error=None if whole else _as_named(_fault(scoring, data) or seen.error),
        given=_given(found.name, files, data, {"--rule": [rule], "--prompts": prompts, "--variants": [variants]}),
        valueless=None if table is None else _valueless(found, layout, table),
    )
    return without_words(checked, found) if found.private else checked


def _valueless(config: Config, layout: Layout, table: AnswerTable) -> Valueless | None:
    """Say why neither the primary metric nor a stand-in has a value by these predictions alone."""
    sums = config.statistics(layout, table, {}).sum(axis=0)
    metrics = [pick("--metric", config.metrics, name) for name in (config.headline, *config.stand_ins)]
    if any(not np.isnan(metric.formula(sums)).all() for metric in metrics):
        return None
    return Valueless(metrics[0].name, metrics[0].undefined)


def _given(
    config: str, files: PredictionFiles, data: str | Path | Records, scoring: Mapping[str, Sequence[str | Path | None]]
) -> Given:
    """Keep what was given, but for defaults, for the command that comes next."""
    read: dict[str, list[str | Path | None]] = {
        "--data": [None if isinstance(data, Records) or data == DEFAULT_DATA else data],
        "--from": [files.reader],
    }
    per_run = ["--file-per-run"] if files.file_per_run else []
    per_run += ["--keep-reasoning"] if files.keep_reasoning else []
    return Given((config, *map(called, files.paths), *per_run, *_options(read)), tuple(_options(scoring)))


def _options(given: Mapping[str, Sequence[str | Path | None]]) -> Iterator[str]:
    for option, values in given.items():
        for value in values:
            if value is not None:
                yield from (option, called(Path(value)) if isinstance(value, Path) else value)


def _tolerantly(
    files: PredictionFiles, asked: Sequence[Asked], ids: Sequence[str], rule: Rule, due: Sets | None
) -> tuple[Inspection, Collected | None]:
    """Read as far as it goes: a line that cannot stand is where reading ends when it is done again."""
    by_id = {one.id: one for one in asked}
    readable, error = _readable(files)
    stop = None
    while True:
        seen = Inspection(by_id, ids, rule, files.keep_reasoning)
        read = (readable, files.reader, files.file_per_run, files.order, files.keep_reasoning)
        inspected = InspectedFiles(*read, questions=files.questions, seen=seen, stop=stop)
        try:
            collected = collect(ids, asked, [rule], inspected, sent=due)
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
    """Give the files up to the first of no known form."""
    for place, path in enumerate(files.paths):
        try:
            with InputFile(path) as file:
                find_reader(file, files.reader)
        except MedzhError as error:
            if not place:
                raise
            return files.paths[:place], error
    return files.paths, None


def _fault(scoring: Callable[[], Collected], data: str | Path | Records) -> MedzhError | None:
    """Give what scoring would say of the files."""
    try:
        with owners_named(data):
            scoring()
    except MedzhError as error:
        return error
    return None


def _as_named(error: MedzhError | None) -> MedzhError | None:
    """Let an error that is shown before it is raised say of standard input what the user calls it."""
    if error is not None and error.file is not None:
        error.file = called(Path(error.file))
    return error


def _by_reason(collected: Collected) -> dict[str, int]:
    """Count failed requests by their reasons, the most frequent first."""
    reasons = Counter(failure.partition(": ")[2] or "no reason given" for failure in collected.failures)
    return dict(sorted(reasons.items(), key=lambda one: (-one[1], one[0])))


def without_words(checked: Checked, config: Config) -> Checked:
    """Leave out of what was found in predictions what they say; unknown ids may be texts of another column."""
    (rule,) = (rule for rule in config.rules if rule.name == checked.rule)
    names, seen = reason_names(rule), checked.seen
    fired: Counter[tuple[bool, str]] = Counter()
    for one in checked.fired:
        fired[one.answered, sayable_reason(one.wording, names)] += one.answers
    unknown = [replace(place, id=quotable(place.id)) for place in seen.unknown.first]
    said = replace(
        seen,
        same=Counter({hash(WITHHELD): seen.constant}),
        frequent=WITHHELD,
        unread=[replace(one, why=sayable_reason(one.why, names), text=WITHHELD) for one in seen.unread],
        unknown=replace(seen.unknown, first=unknown),
        error=None if seen.error is None else seen.error.alone(),
    )
    return replace(
        checked,
        fired=tuple(WordingCount(wording, answered, times) for (answered, wording), times in fired.items()),
        seen=said,
        error=None if checked.error is None else checked.error.alone(),
    )
