"""Logs of any task of inspect or lm-evaluation-harness, compared sample by sample."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.metrics import Metric, Ratio
from medzh_score.comparison.gate import judged, refuse_without_baseline
from medzh_score.comparison.load import FEWEST, GATE, find_label, unique_labels
from medzh_score.comparison.model import Comparison, System
from medzh_score.data.integrity import canonical
from medzh_score.io.documents import read_document
from medzh_score.io.jsonl import decoded, numbered_lines, without_constants
from medzh_score.io.open_input import InputFile
from medzh_score.readers.inspect_log import eval_log
from medzh_score.readers.lm_eval import SAMPLES
from medzh_score.scoring.options import check_count
from medzh_score.scoring.signature import differences_written
from medzh_score.stats.compare import compare_systems
from medzh_score.stats.systems import Systems
from medzh_score.stats.values import mean_over_runs
from medzh_score.ui.errors import NAMED, MedzhError
from medzh_score.ui.i18n import _, joined
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Changed
    from medzh_score.comparison.load import Choices
    from medzh_score.stats.pairwise import MetricComparison

CAPITALS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}  # as inspect reads scores
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
MEANS = ("accuracy", "mean")  # metrics of inspect that are the mean of a score
ALWAYS = ("tool", "task", "version")  # no sample of one is a sample of the other
RUNS, MISSING, PROMPT, SCORER, LOG = "runs", "missing", "prompt", "scorer", "log"
TOLERANCE = 1e-9  # of what sums in another order may differ by
COLUMNS = 3  # of a metric: the sum of its scores, how many samples count, how many have no score


@dataclass
class SampleLog:
    """A log: what each sample is, its scores by metric, sample and run, and the means that the log states."""

    path: Path
    model: str | None
    signature: dict[str, str]
    asked: dict[str, str] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    scorers: dict[str, str] = field(default_factory=dict)  # by scorer its options
    runs: int = 1
    scores: dict[str, dict[tuple[str, int], float]] = field(default_factory=lambda: defaultdict(dict))
    stated: dict[str, float] = field(default_factory=dict)
    lower: set[str] = field(default_factory=set)  # metrics of which lower values are better

    def take(self, sample: str, run: int, asked: str, scores: Mapping[str, object]) -> None:
        """Take the scores of a sample; what is no number is none."""
        self.runs = max(self.runs, run + 1)
        other = self.asked.setdefault(sample, asked) != asked
        for metric, value in scores.items():
            if other or (sample, run) in self.scores[metric]:
                problem, advice = _("duplicate sample"), _("keep only the samples of one evaluation")
                raise MedzhError(problem, file=self.path, field="id", found=sample, advice=advice)
            try:
                word = str(value)
                score = CAPITALS[word] if word in CAPITALS else WORDS.get(word.lower())
                self.scores[metric][sample, run] = float(word) if score is None else score
            except ValueError:
                self.scores[metric][sample, run] = math.nan

    def table(self, metric: str, samples: Sequence[str]) -> NDArray[np.float64]:
        """Give the scores of samples, shape (samples, runs); nan for none."""
        found = [self.scores[metric].get(cell, math.nan) for cell in product(samples, range(self.runs))]
        return np.array(found, np.float64).reshape(len(samples), self.runs)


def _of_inspect(file: InputFile) -> SampleLog:
    log = eval_log(file)
    if log.status != "success" or log.invalidated:
        problem, advice = (
            _("the evaluation did not succeed"),
            _("complete the evaluation: {command}", command="inspect eval-retry LOG"),
        )
        if log.invalidated:
            problem = _("the log contains invalidated samples")
            advice = _("run the evaluation again, or use a log without invalidated samples")
        status = "invalidated" if log.invalidated else log.status
        raise MedzhError(problem, file=file.path, field="status", expected="success", found=status, advice=advice)
    task = log.eval
    signature = {"tool": "inspect", "task": task.task, "version": str(task.task_version)}
    signature |= {"task_args": canonical(task.task_args), "solver": task.solver or "none"}
    scorers: dict[str, list[object]] = defaultdict(list)
    for scorer in task.scorers or ():
        scorers[scorer.name].append(scorer.options)
    roles = {role: config.model for role, config in (task.model_roles or {}).items()}
    signature |= {"model_roles": canonical(roles)}
    found = SampleLog(file.path, task.model, signature, scorers={one: canonical(of) for one, of in scorers.items()})
    for sample in log.samples or []:
        asked = sample.input if isinstance(sample.input, str) else [[one.role, one.text] for one in sample.input]
        scores: dict[str, object] = {}
        for name, score in (sample.scores or {}).items():
            of_keys = score.value.items() if isinstance(score.value, dict) else [("", score.value)]
            scores |= {f"{name}/{key}".rstrip("/"): value for key, value in of_keys}
        found.take(str(sample.id), sample.epoch - 1, canonical([asked, sample.choices, sample.target]), scores)
    for one in log.results.scores if log.results else ():
        name = of_key if (of_key := f"{one.scorer}/{one.name}") in found.scores else one.name
        if one.reducer in {None, "mean"} and (means := [one.metrics[mean] for mean in MEANS if mean in one.metrics]):
            found.stated[name] = float(means[0].value)
    return found


class LmEvalResults(msgspec.Struct, rename={"shots": "n-shot"}):
    """A results file of lm_eval."""

    results: dict[str, dict[str, Any]]
    versions: dict[str, Any] = {}
    shots: dict[str, Any] = {}
    higher_is_better: dict[str, dict[str, bool | None]] = {}
    model_name: str | None = None


def _of_lm_eval(file: InputFile) -> SampleLog:
    if (match := SAMPLES.fullmatch(file.path.name)) is None:
        expected = _("samples_TASK_DATE.jsonl, the file name that lm_eval uses")
        raise MedzhError(_("the file name does not state task and date"), file=file.path, expected=expected)
    task = file.path.name[len("samples_") : match.start("date") - 1]
    with InputFile(file.path.parent / f"results_{match['date']}.json") as beside:
        summary = read_document(beside, LmEvalResults, _("a results file of lm_eval"), constants=True)
    signature = {"tool": "lm-eval", "task": task, "version": str(summary.versions.get(task))}
    found = SampleLog(file.path, summary.model_name, signature | {"shots": str(summary.shots.get(task))})
    decoder, better = msgspec.json.Decoder(dict[str, Any]), summary.higher_is_better.get(task, {})
    for number, raw in numbered_lines(file):
        line = decoded(decoder, without_constants(raw), file, number)
        if not {"doc_id", "doc_hash", "filter"} <= line.keys() or not isinstance(line.get("metrics"), list):
            expected = _("a sample written by lm_eval with --log_samples")
            raise MedzhError(_("wrong type"), file=file.path, line=number, expected=expected)
        name = str(line["doc_id"])
        found.prompts[name] = str(line.get("prompt_hash"))
        scores = {f"{metric},{line['filter']}": line.get(metric) for metric in line["metrics"]}
        found.take(name, 0, canonical([line["doc_hash"], line.get("target_hash")]), scores)
        found.lower |= {key for key in scores if better.get(key.rpartition(",")[0]) is False}
    means = summary.results.get(task, {}).items()
    found.stated = {key: value for key, value in means if key in found.scores and isinstance(value, float)}
    return found


def compare_logs(tool: str, paths: Sequence[Path], choices: Choices) -> Comparison:
    """Compare logs of one task on the samples that all have; runs are epochs, and each sample is a cluster."""
    check_count("--bootstrap", choices.bootstrap.resamples)
    check_count("--permutations", choices.permutations)
    if choices.gate is not None:
        refuse_without_baseline(choices.baseline)
    if len(paths) < FEWEST:
        raise MedzhError(_("too few logs"), field="LOG", expected=_("at least two logs"), found=len(paths))
    logs = [_read(tool, path) for path in paths]
    labels = unique_labels([(log.model, log.path) for log in logs], choices.labels)
    differing = _refuse_other(logs, choices.allow)
    metrics, of_logs = _metrics(logs, choices), list(zip(labels, logs, strict=True))
    samples = _common_samples(logs, metrics, choices.allow)
    parts = [np.concatenate([_columns(log, one, samples) for one in metrics], axis=-1) for log in logs]
    if len({log.runs for log in logs}) > 1:
        parts = [part.mean(axis=1, keepdims=True) for part in parts]
    count, statistics = len(samples), np.stack(parts)
    layout = ItemIndex(tuple(samples), np.arange(count)[:, np.newaxis], np.arange(count), {})
    found = compare_systems(
        Systems(tuple(labels), layout, statistics, np.zeros(statistics.shape[:3])),
        metrics,
        "fraction",
        baseline=find_label(labels, paths, choices.baseline),
        bootstrap=choices.bootstrap,
        permutations=choices.permutations,
    )
    stated = {(label, one.name): log.stated.get(one.name) for label, log in of_logs for one in metrics}
    comparison = Comparison(
        config=logs[0].signature["task"],
        rule=tool,
        unit="fraction",
        systems=tuple(
            System(label, log.path.name, log.model, log.runs, _of_keys(log, differing)) for label, log in of_logs
        ),
        found=tuple(_beside(row, stated) for row in found),
        units=count,
        left_out=len(set().union(*(log.asked for log in logs))) - count,
        signature=_of_keys(logs[0], logs[0].signature.keys() - {*differing}),
        allowed=differing,
        differing=(),
        bootstrap=choices.bootstrap.resamples,
        seed=choices.bootstrap.seed,
        cautions=tuple(one for label, log in of_logs for one in _cautions(label, log, metrics, samples)),
    )
    return comparison if choices.gate is None else judged(comparison, choices.gate)


def _of_keys(log: SampleLog, keys: Collection[str]) -> dict[str, str]:
    return {key: value for key, value in log.signature.items() if key in keys}


def _beside(row: MetricComparison, stated: Mapping[tuple[str, str], float | None]) -> MetricComparison:
    """Put next to each value the one that its log states."""
    with_log = [replace(one, by_rules={LOG: stated[one.label, row.metric]}) for one in row.standings]
    return replace(row, standings=tuple(with_log))


def _read(tool: str, path: Path) -> SampleLog:
    with InputFile(path) as file:
        log = _of_inspect(file) if tool == "inspect" else _of_lm_eval(file)
    if not log.scores:
        advice = _("write the samples to the log: --log-samples in inspect, --log_samples in lm_eval")
        raise MedzhError(_("the log contains no scored samples"), file=path, advice=advice)
    return log


def _refuse_other(logs: Sequence[SampleLog], allow: Sequence[str]) -> tuple[str, ...]:
    """Refuse logs of other tasks, samples or settings; give the settings that differ, and may."""
    first, found = logs[0], dict[str, None]()
    may = [*(key for key in first.signature if key not in ALWAYS), SCORER, PROMPT, RUNS, MISSING]
    for key in [key for key in allow if key not in may]:
        problem = _("differences in this key cannot be allowed")
        raise MedzhError(problem, field="--allow", expected=", ".join(may), found=key)
    for log in logs[1:]:
        common = sorted(first.asked.keys() & log.asked.keys())
        both = sorted(first.scorers.keys() & log.scorers.keys())
        here, there = (
            {
                **one.signature,
                SCORER: canonical({name: one.scorers[name] for name in both}),
                RUNS: str(one.runs),
                PROMPT: canonical([one.prompts.get(name) for name in common]),
            }
            for one in (first, log)
        )
        differing = [key for key in here if here[key] != there[key]]
        found |= dict.fromkeys(key for key in differing if key != RUNS)
        if refused := [key for key in differing if key not in allow]:
            of = {"first_path": first.path, "refused": ", ".join(refused)}
            of["differences_written"] = differences_written([key for key in refused if key != PROMPT], here, there)
            problem = _("not comparable with {first_path}: the logs differ in {refused} ({differences_written})", **of)
            advice = _("compare logs of the same task")
            if not {*refused} & {*ALWAYS}:
                options = " ".join(f"--allow {key}" for key in refused)
                advice = _("evaluate both with the same settings, or allow the difference: {options}", options=options)
            raise MedzhError(problem, file=log.path, advice=advice)
        for sample in [name for name in common if first.asked[name] != log.asked[name]]:
            problem = _("the content of the sample differs from that in {first_path}", first_path=first.path)
            raise MedzhError(problem, file=log.path, field="id", found=sample)
    return tuple(found)


def _metrics(logs: Sequence[SampleLog], choices: Choices) -> tuple[Metric, ...]:
    names = [name for name in logs[0].scores if all(np.isfinite([*log.scores[name].values()]).any() for log in logs)]
    known = [_metric(name, 0, logs) for name in names]
    if len(known) != 1 and not choices.metrics:
        problem, expected = _("choose one of several metrics"), ", ".join(names) or _("a metric that all logs contain")
        raise MedzhError(problem, field="--metric", expected=expected)
    chosen = [pick("--metric", known, name) for name in choices.metrics] or known
    chosen += [pick(GATE, known, choices.gate.metric)] if choices.gate else []
    found = dict.fromkeys(one.name for one in chosen)
    for name, log in product(found, logs):
        _check_values(log, name)
    return tuple(_metric(name, COLUMNS * place, logs) for place, name in enumerate(found))


def _check_values(log: SampleLog, name: str) -> None:
    """Refuse scores that are not from 0 to 1, and those of which the log's own value is not the mean."""
    table = log.table(name, sorted(log.asked))
    for score in table[(table < 0) | (table > 1)].tolist():
        problem, expected = _("the score of a sample is out of range"), _("scores from 0 to 1 for each sample")
        raise MedzhError(problem, file=log.path, field=name, expected=expected, found=score)
    means = mean_over_runs(table)
    mean, stated = float(means[~np.isnan(means)].mean()), log.stated.get(name)
    if stated is not None and not math.isclose(mean, stated, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
        problem = _("the value in the log is not the mean of its samples")
        raise MedzhError(problem, file=log.path, field=name, expected=str(mean), found=stated)


def _common_samples(logs: Sequence[SampleLog], metrics: Sequence[Metric], allow: Sequence[str]) -> list[str]:
    """Give the samples that all logs have; with ``missing`` allowed those that all logs have a score of."""
    common = sorted(set.intersection(*(set(log.asked) for log in logs)))
    if MISSING in allow:
        tables = [log.table(one.name, common) for log in logs for one in metrics]
        scored = np.all([~np.isnan(table).any(axis=1) for table in tables], axis=0)
        common = [sample for sample, is_scored in zip(common, scored, strict=True) if is_scored]
    for log in logs if MISSING not in allow else ():
        if lacking := sorted(set().union(*(one.asked for one in logs)) - log.asked.keys()):
            some = joined(quotable(one) for one in lacking[:NAMED])
            problem = _("{count} samples of the other logs are missing ({some})", count=len(lacking), some=some)
            advice = _("compare the common samples: --allow missing")
            raise MedzhError(problem, file=log.path, field="id", advice=advice)
    if not common:
        raise MedzhError(_("no sample has a score in all logs"), field="LOG")
    return common


def _metric(name: str, first: int, logs: Sequence[SampleLog]) -> Metric:
    """Declare a mean of scores; a share where each is 0 or 1. What has no score counts as the worst and may be any."""
    lower = name in logs[0].lower
    scores = np.concatenate([[*log.scores[name].values()] for log in logs])
    is_share = bool(np.isin(scores[~np.isnan(scores)], (0, 1)).all())

    def ends(rows: NDArray[np.float64], left_open: NDArray[np.float64]) -> tuple[Changed, Changed]:
        other = {first: rows[..., first] + (-left_open if lower else left_open)}
        return (other, {}) if lower else ({}, other)

    formula = Ratio(first, first + 1, 1.0, first + 1 if is_share else None, first + 2)
    reason = _("no sample has a score")
    return Metric(name, name, formula, first + 1, reason, "lower" if lower else "higher", ends=ends)


def _columns(log: SampleLog, metric: Metric, samples: Sequence[str]) -> NDArray[np.float64]:
    table = log.table(metric.name, samples)
    left_open = np.isnan(table)
    return np.stack([np.where(left_open, metric.direction == "lower", table), np.ones(table.shape), left_open], axis=-1)


def _cautions(label: str, log: SampleLog, metrics: Sequence[Metric], samples: Sequence[str]) -> list[str]:
    said = []
    for one in metrics:
        of = {"label": label, "metric": one.name, "of": len(samples) * log.runs}
        if count := int(np.isnan(log.table(one.name, samples)).sum()):
            text = _(
                "{label}: {count} of {of} samples have no {metric} score and count with the worst value.",
                count=count,
                **of,
            )
            said.append(text)
        if one.name not in log.stated:
            said.append(_("{label}: the log states no mean of {metric}, so the scores were not checked.", **of))
    return said
