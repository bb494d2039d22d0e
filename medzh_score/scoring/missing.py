"""Second step of scoring: what is missing or lacks is refused, or it is settled which units count."""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import WITHOUT, incomplete
from medzh_score.benchmark.columns import pick
from medzh_score.data.records import DEFAULT_DATA
from medzh_score.prompting.ids import AnswerKey, key_text
from medzh_score.ui.errors import NAMED, MedzhError
from medzh_score.ui.i18n import _, _n, joined

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.stages import Annotations, Key, Stage
    from medzh_score.benchmark.variants import Variants
    from medzh_score.data.records import Records
    from medzh_score.readers.align import AlignedAnswers
    from medzh_score.scoring.inputs import ScoringInputs
    from medzh_score.scoring.options import ScoringOptions
    from medzh_score.stages.sampling import StageSample

    Sets = Mapping[Variants, Collection[int]]


@dataclass(frozen=True)
class MissingOutcome:
    """What is due and has no value, by rule and by the chosen one without second readings, and what counts."""

    lacking: Mapping[str, Cells]
    plain: Mapping[str, NDArray[np.bool_]]
    kept: CompleteClusters | None


def apply_missing_policy(read: ScoringInputs, data: str | Path | Records, options: ScoringOptions) -> MissingOutcome:
    """Refuse what is missing as the user asked for it, or say what is kept."""
    lacking = _lacking_in_stages(read.config.stages, read.judged_by_rule, read.layout, read.collected.tables)
    plain = {name: by_rule[read.plain] for name, by_rule in lacking.items()}
    setting = StageContext(read.config, read.files.paths, data, options, read.samples)
    if options.missing == "error":
        refuse_missing(read.collected, read.ids)
        _refuse_lacking(lacking, read.layout, read.table.runs, setting)
    if options.missing != "skip":
        return MissingOutcome(lacking, plain, None)
    if not options.allow_partial_runs:
        _check_partial_runs(read.table, [file.name for file in read.collected.inputs])
        _check_partial_stage_runs(read.judged_by_rule[read.plain], plain, read.layout, read.table, setting)
    return MissingOutcome(
        lacking, plain, _complete_clusters(read.layout, read.table, map(_missing_by_any, lacking.values()))
    )


Cells = dict[str, "NDArray[np.bool_]"]


def _lacking_in_stages(
    stages: Iterable[Stage],
    judged: Mapping[str, Mapping[str, Annotations]],
    layout: ItemIndex,
    tables: Mapping[str, AnswerTable],
) -> dict[str, Cells]:
    """Find what was asked about and has no value, by round and rule, of the rounds about answers that came back.

    The same model's text that cannot be read, or an empty one, is an answer; a judge's is none. Where several judge
    side by side, an answer lacks a value where a model that judged others did not judge it, or people did and none of
    this one.
    """
    return {
        later.name: {
            name: _lacking(later, mine[later.name], layout, tables[name])
            for name, mine in judged.items()
            if later.name in mine
        }
        for later in stages
        if later.about == "answers" and any(later.name in mine for mine in judged.values())
    }


def _lacking(later: Stage, found: Annotations, layout: ItemIndex, table: AnswerTable) -> NDArray[np.bool_]:
    asked = later.eligible(layout, table)
    asked = asked if found.expected is None else asked & found.expected
    came: AbstractSet[Key] = found.values.keys()
    if later.of_same_model:
        came = found.came_back
    elif later.many:
        came = found.by_each
    lacking: NDArray[np.bool_] = asked & ~_received_in(came, layout, table)
    return lacking


def _received_in(came: AbstractSet[Key], layout: ItemIndex, table: AnswerTable) -> NDArray[np.bool_]:
    return np.array([[(item, run) in came for run in table.runs] for item in layout.items], bool)


@dataclass(frozen=True)
class StageContext:
    """After what later rounds were asked: the benchmark, its first answers, and how they are scored."""

    config: Config
    predictions: Sequence[Path]
    data: str | Path | Records
    options: ScoringOptions
    samples: Mapping[str, StageSample]

    def command_for_missing(self, later: Stage, rule: str) -> str:
        """Write the command that asks what a round lacks."""
        options, sample = self.options, self.samples[later.name]
        words = ["medzh-score", "prompts", self.config.name, "--stage", later.name]
        if isinstance(self.data, str | Path) and str(self.data) != DEFAULT_DATA:
            words += ["--data", str(self.data)]
        words += ["--predictions", *map(str, self.predictions)]
        words += ["--from", options.reader] if options.reader else []
        words += ["--file-per-run"] if options.file_per_run else []
        words += ["--keep-reasoning"] if options.keep_reasoning else []
        words += ["--rule", rule] if rule != self.config.rules[0].name else []
        if sample.size is not None and (sample.size, sample.seed) != (later.sampling.size, 0):
            words += ["--sample", str(sample.size), "--seed", str(sample.seed)]
        return shlex.join([*words, "--skip-answered", *map(str, options.stages[later.name])])


def _refuse_lacking(
    lacking: Mapping[str, Cells], layout: ItemIndex, runs: Sequence[int], setting: StageContext
) -> None:
    for name, by_rule in lacking.items():
        cells = _missing_by_any(by_rule)
        count = int(cells.sum())
        if not count:
            continue
        later = pick("--stage", setting.config.stages, name)
        absent = [AnswerKey(layout.items[item], runs[run]) for run, item in np.argwhere(cells.T)[:NAMED]]
        named = joined([*map(key_text, absent), *["…"][: count > NAMED]])
        command = setting.command_for_missing(later, _rule_to_ask(by_rule, setting))
        values = {"name": name, "named": named, "command": command}
        problem = _n(
            "{n} expected annotation of stage {name} is missing or unparsed ({named})",
            "{n} expected annotations of stage {name} are missing or unparsed ({named})",
            count,
            **values,
        )
        advice = _(
            (
                "write the prompts of the missing annotations again: {command}; or specify the sample "
                "(--stage-sample {name}=N:SEED), score the annotations with the worst value (--missing wrong) or "
                "drop their clusters (--missing skip)"
            ),
            **values,
        )
        if later.of_same_model:
            problem = _n(
                "{n} response of stage {name} is missing ({named})",
                "{n} responses of stage {name} are missing ({named})",
                count,
                **values,
            )
            advice = _(
                (
                    "write the prompts of the missing responses again: {command}; or score the responses as incorrect "
                    "(--missing wrong) or drop their clusters (--missing skip)"
                ),
                command=command,
            )
        raise MedzhError(problem, file=", ".join(map(str, setting.options.stages[name])), advice=advice)


def _check_partial_stage_runs(
    judged: Mapping[str, Annotations],
    lacking: Mapping[str, NDArray[np.bool_]],
    layout: ItemIndex,
    table: AnswerTable,
    setting: StageContext,
) -> None:
    """Raise an error that names a run of which a later round has too little, as for predictions.

    What a round does not ask about, because of the answer that is there, it has. Where no first answer is there,
    the same model can have answered all the same, and has too little where it did not.
    """
    for name, cells in lacking.items():
        expected = np.ones(cells.shape, bool) if (drawn := judged[name].expected) is None else drawn
        there = expected & ~cells
        if pick("--stage", setting.config.stages, name).of_same_model:
            there &= _received_in(judged[name].came_back, layout, table) | ~table.missing[layout.members].any(
                axis=(1, 3)
            )
        settled = there.sum(axis=0)
        for run, count, wanted in zip(table.runs, settled, expected.sum(axis=0), strict=True):
            if wanted and count < (1 - FRAGMENT) * settled.max():
                values = {"run": run + 1, "name": name, "count": count, "max": settled.max()}
                problem = _(
                    "run {run} is a partial run: stage {name} has {count} responses, and {max} in the most "
                    "complete run",
                    **values,
                )
                files = ", ".join(map(str, setting.options.stages[name]))
                raise MedzhError(problem, file=files, advice=OF_A_FRAGMENT)


def _missing_by_any(by_rule: Cells) -> NDArray[np.bool_]:
    """Join what lacks by any rule."""
    found: NDArray[np.bool_] = np.logical_or.reduce(list(by_rule.values()))
    return found


def _rule_to_ask(by_rule: Cells, setting: StageContext) -> str:
    chosen = setting.options.rule or setting.config.rules[0].name
    ordered = sorted(by_rule, key=lambda name: name != chosen)
    return max(ordered, key=lambda name: int(by_rule[name].sum())).removesuffix(f" {WITHOUT}")


FRAGMENT = 0.05  # of what the fullest run has: a run that lacks more is no run
OF_A_FRAGMENT = _(
    "remove or complete the run, or use --allow-partial-runs to score only the clusters that are complete in all runs"
)
HALF = 0.5  # of the share that the fullest variant has: one that has less is no variant that was asked
DIGITS = 8


def refuse_missing(collected: AlignedAnswers, ids: Sequence[str]) -> None:
    """Raise an error that counts and names the missing predictions, if there are any."""
    rule, table = next(iter(collected.tables.items()))
    coverage = collected.coverage(rule)
    if not coverage.missing:
        return
    named = joined([*map(key_text, first_missing(table, ids)), *["…"][: coverage.missing > NAMED]])
    values = {"missing": f"{coverage.missing:,}", "expected": f"{coverage.expected:,}", "named": named}
    problem = _("{missing} of {expected} predictions are missing ({named})", **values)
    if collected.failures:
        problem = _n(
            "{missing} of {expected} predictions are missing ({named}); {n} request failed ({failures})",
            "{missing} of {expected} predictions are missing ({named}); {n} requests failed ({failures})",
            len(collected.failures),
            **values,
            failures=collected.failures[0],
        )
    raise MedzhError(
        problem,
        file=", ".join(file.name for file in collected.inputs),
        advice=_("add them, score them as incorrect (--missing wrong) or drop their clusters (--missing skip)"),
    )


def first_missing(table: AnswerTable, ids: Sequence[str]) -> list[AnswerKey]:
    """List the first few missing predictions, by run, then by option order, as the prompts are written."""
    absent = (
        AnswerKey(ids[index], run, table.variants[variant])
        for run, one in zip(table.runs, table.by_run(), strict=True)
        for variant, index in np.argwhere(one.missing[:, 0].T)[:NAMED]
    )
    return list(islice(absent, NAMED))


@dataclass(frozen=True)
class CompleteClusters:
    """What ``skip`` keeps: the units that are whole in every run, with a digest of the sorted ids of the kept items."""

    items: NDArray[np.bool_]
    units: int
    of: int
    digest: str

    @property
    def signed(self) -> str:
        """How it stands in a signature."""
        return f"skip, {self.units} of {self.of} units ({self.digest})"


def _complete_clusters(
    layout: ItemIndex, table: AnswerTable, stages: Iterable[NDArray[np.bool_]] = ()
) -> CompleteClusters:
    items = np.logical_not(np.any(incomplete(layout, table, stages), axis=1))
    ids = sorted(item for item, kept in zip(layout.items, items, strict=True) if kept)
    digest = hashlib.sha256("\n".join(ids).encode()).hexdigest()[:DIGITS]
    return CompleteClusters(items, len(np.unique(layout.clusters[items])), len(np.unique(layout.clusters)), digest)


def _check_partial_runs(table: AnswerTable, files: Sequence[str]) -> None:
    """Raise an error that names a run which lacks more than a twentieth of what the fullest has, or half a variant.

    Under ``skip`` either would decide which units count: one stray answer in another variant would leave one unit
    of its kind. Of a variant few records may be due, so that chance alone can take a twentieth.
    """
    asked = table.expected.sum(axis=0)
    lacking = np.stack([one.missing[:, 0].sum(axis=0) for one in table.by_run()])  # of each run and variant
    came = (asked - lacking).sum(axis=1)
    for run, count in zip(table.runs, came, strict=True):
        if count < (1 - FRAGMENT) * came.max():
            values = {"run": run + 1, "count": count, "max": came.max()}
            problem = _(
                "run {run} is a partial run: it has {count} predictions, and the most complete run has {max}", **values
            )
            raise MedzhError(problem, file=", ".join(files), advice=OF_A_FRAGMENT)
    each = (asked - lacking) / np.maximum(asked, 1)
    few = (each < HALF * each.max()) & (lacking > FRAGMENT * table.expected.any(axis=1).sum())
    for run, variant in np.argwhere(few)[:1]:
        values = {"variants": table.variants[variant], "runs": table.runs[run] + 1}
        values |= {"lacking": lacking[run, variant], "asked": asked[variant]}
        problem = _(
            "option order {variants} of run {runs} is incomplete: {lacking} of {asked} predictions are missing",
            **values,
        )
        advice = _(
            "remove or complete the option order, or use --allow-partial-runs to score only the clusters "
            "that are complete in all option orders"
        )
        raise MedzhError(problem, file=", ".join(files), advice=advice)
