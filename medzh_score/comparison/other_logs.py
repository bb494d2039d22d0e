"""Logs of any task of inspect or lm-evaluation-harness, compared sample by sample."""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

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
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Changed
    from medzh_score.comparison.load import Choices

CAPITALS = ("C", "I", "P", "N")
LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}  # as inspect reads
MEANS = ("accuracy", "mean")  # metrics of inspect that are the mean of a score
ALWAYS = ("tool", "task", "version")  # no sample of one is a sample of the other
RUNS, MISSING, LOG = "runs", "missing", "log"
TOLERANCE = 1e-9  # of what sums in another order may differ by
COLUMNS = 3  # of a metric: the sum of its scores, how many samples count, how many have no score
Cell = tuple[str, int]  # sample, run


@dataclass
class SampleLog:
    """A log: a digest of what each sample is, its scores by metric, and what the log states of each metric."""

    path: Path
    model: str | None
    signature: dict[str, str]
    asked: dict[str, str] = field(default_factory=dict)
    runs: int = 1
    scores: dict[str, dict[Cell, float]] = field(default_factory=lambda: defaultdict(dict))
    stated: dict[str, float] = field(default_factory=dict)
    lower: set[str] = field(default_factory=set)  # metrics of which lower values are better

    def take(self, sample: str, run: int, digest: str, scores: Mapping[str, object]) -> None:
        """Take the scores of a sample; what is no number is none."""
        self.runs = max(self.runs, run + 1)
        for metric, value in scores.items():
            if (sample, run) in self.scores[metric] or self.asked.setdefault(sample, digest) != digest:
                problem, advice = _("duplicate sample"), _("keep only the samples of one evaluation")
                raise MedzhError(problem, file=self.path, field="id", found=sample, advice=advice)
            written = str(value) if value in CAPITALS else str(value).lower()
            try:
                self.scores[metric][sample, run] = LETTERS[written] if written in LETTERS else float(written)
            except ValueError:
                self.scores[metric][sample, run] = math.nan
        self.asked.setdefault(sample, digest)

    def table(self, metric: str, samples: Sequence[str]) -> NDArray[np.float64]:
        """Give the scores of samples, shape (samples, runs); nan for none."""
        found = [self.scores[metric].get(cell, math.nan) for cell in product(samples, range(self.runs))]
        return np.array(found, np.float64).reshape(len(samples), self.runs)


def _of_inspect(file: InputFile) -> SampleLog:
    log = eval_log(file)
    if log.status != "success":
        problem, advice = _("the evaluation did not succeed"), _("complete it: inspect eval-retry LOG")
        raise MedzhError(problem, file=file.path, field="status", expected="success", found=log.status, advice=advice)
    task = log.eval
    signature = {"tool": "inspect", "task": task.task, "version": str(task.task_version)}
    signature |= {"task_args": canonical(task.task_args), "solver": task.solver or "none"}
    found = SampleLog(file.path, task.model, signature)
    for sample in log.samples or []:
        asked = sample.input if isinstance(sample.input, str) else [[one.role, one.text] for one in sample.input]
        scores: dict[str, object] = {}
        for scorer, score in (sample.scores or {}).items():
            of_keys = score.value.items() if isinstance(score.value, dict) else [("", score.value)]
            scores |= {f"{scorer}/{key}".rstrip("/"): value for key, value in of_keys}
        found.take(str(sample.id), sample.epoch - 1, _digest([asked, sample.target]), scores)
    for one in log.results.scores if log.results else ():
        name = one.name if one.name in found.scores else f"{one.scorer}/{one.name}"
        if one.reducer in {None, "mean"} and (means := [one.metrics[mean] for mean in MEANS if mean in one.metrics]):
            found.stated[name] = float(means[0].value)
    return found


class Summary(msgspec.Struct, rename={"shots": "n-shot"}):
    """A results file of lm_eval."""

    results: dict[str, dict[str, Any]]
    versions: dict[str, Any] = {}
    shots: dict[str, Any] = {}
    higher_is_better: dict[str, dict[str, bool | None]] = {}
    model_name: str | None = None


class Line(msgspec.Struct):
    """A line of samples, without its scores."""

    doc_id: int
    doc_hash: str
    filter: str
    metrics: list[str]
    prompt_hash: str = ""
    target_hash: str = ""


def _of_lm_eval(file: InputFile) -> SampleLog:
    if (match := SAMPLES.fullmatch(file.path.name)) is None:
        expected = _("samples_TASK_DATE.jsonl, as lm_eval names it")
        raise MedzhError(_("the file name does not state task and date"), file=file.path, expected=expected)
    task = file.path.name[len("samples_") : match.start("date") - 1]
    with InputFile(file.path.parent / f"results_{match['date']}.json") as beside:
        summary = read_document(beside, Summary, _("a results file of lm_eval"), constants=True)
    signature = {"tool": "lm-eval", "task": task, "version": str(summary.versions.get(task))}
    found = SampleLog(file.path, summary.model_name, signature | {"shots": str(summary.shots.get(task))})
    prompts = dict[str, str]()
    for number, raw in numbered_lines(file):
        line = decoded(msgspec.json.Decoder(Line), text := without_constants(raw), file, number)
        values, name = msgspec.json.decode(text), str(line.doc_id)
        prompts[name] = line.prompt_hash
        scores = {f"{metric},{line.filter}": values.get(metric) for metric in line.metrics}
        found.take(name, 0, _digest([line.doc_hash, line.target_hash]), scores)
    found.signature["prompt"] = _digest(prompts)[:8]
    found.stated = {key: value for key, value in summary.results.get(task, {}).items() if key in found.scores}
    better = summary.higher_is_better.get(task, {})
    found.lower = {name for name in found.scores if better.get(name.rpartition(",")[0]) is False}
    return found


def _digest(value: object) -> str:
    return hashlib.sha256(canonical(value).encode("utf-8")).hexdigest()


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
    names = _metric_names(logs, choices)
    samples = _common_samples(logs, names, choices.allow)
    metrics = tuple(_metric(name, COLUMNS * place, logs, samples) for place, name in enumerate(names))
    parts = [np.concatenate([_columns(log, metric, samples) for metric in metrics], axis=-1) for log in logs]
    if len({log.runs for log in logs}) > 1:
        parts = [part.mean(axis=1, keepdims=True) for part in parts]
    count, statistics = len(samples), np.stack(parts)
    layout = ItemIndex(tuple(samples), np.arange(count)[:, np.newaxis], np.arange(count), {})
    found = compare_systems(
        Systems(tuple(labels), layout, statistics, np.zeros(statistics.shape[:3])),
        metrics,
        "fraction",
        baseline=find_label(labels, paths, choices.baseline),
        best=choices.best,
        bootstrap=choices.bootstrap,
        permutations=choices.permutations,
    )
    beside = {name: [log.stated.get(name) for log in logs] for name in names}
    comparison = Comparison(
        config=logs[0].signature["task"],
        rule=tool,
        unit="fraction",
        systems=tuple(
            System(label, log.path.name, log.model, log.runs, {key: log.signature[key] for key in differing})
            for label, log in zip(labels, logs, strict=True)
        ),
        found=tuple(
            replace(
                row,
                standings=tuple(
                    replace(standing, by_rules={LOG: value})
                    for standing, value in zip(row.standings, beside[row.metric], strict=True)
                ),
            )
            for row in found
        ),
        units=count,
        left_out=len(set().union(*(log.asked for log in logs))) - count,
        signature={key: value for key, value in logs[0].signature.items() if key not in differing},
        allowed=differing,
        differing=(),
        bootstrap=choices.bootstrap.resamples,
        seed=choices.bootstrap.seed,
        cautions=tuple(_cautions(dict(zip(labels, logs, strict=True)), names, samples)),
    )
    return comparison if choices.gate is None else judged(comparison, choices.gate)


def _read(tool: str, path: Path) -> SampleLog:
    with InputFile(path) as file:
        log = _of_inspect(file) if tool == "inspect" else _of_lm_eval(file)
    if not log.scores:
        advice = _("write a log with its samples: --log-samples in inspect, --log_samples in lm_eval")
        raise MedzhError(_("the log contains no scored samples"), file=path, advice=advice)
    return log


def _refuse_other(logs: Sequence[SampleLog], allow: Sequence[str]) -> tuple[str, ...]:
    first, keys = logs[0], [key for key in logs[0].signature if key not in ALWAYS]
    for key in allow:
        if key not in {*keys, RUNS, MISSING}:
            expected = ", ".join([*keys, RUNS, MISSING])
            raise MedzhError(_("systems may not differ in this key"), field="--allow", expected=expected, found=key)
    for log in logs[1:]:
        here, there = ({**one.signature, RUNS: str(one.runs)} for one in (first, log))
        if refused := [key for key in here if here[key] != there[key] and key not in allow]:
            may = " ".join(f"--allow {key}" for key in refused)
            of = {"first_path": first.path, "refused": ", ".join(refused)}
            of["differences_written"] = differences_written(refused, here, there)
            problem = _("not comparable with {first_path}: they differ in {refused} ({differences_written})", **of)
            advice = _("compare logs of the same task")
            if not {*refused} & {*ALWAYS}:
                advice = _("evaluate both with the same settings, or allow the difference: {may}", may=may)
            raise MedzhError(problem, file=log.path, advice=advice)
        for sample in sorted(first.asked.keys() & log.asked.keys()):
            if first.asked[sample] != log.asked[sample]:
                problem = _("the sample has other contents than in {first_path}", first_path=first.path)
                raise MedzhError(problem, file=log.path, field="id", found=sample)
    return tuple(key for key in keys if len({log.signature[key] for log in logs}) > 1)


def _metric_names(logs: Sequence[SampleLog], choices: Choices) -> tuple[str, ...]:
    in_all = [name for name in logs[0].scores if all(name in log.scores for log in logs)]
    known = [name for name in in_all if all(np.isfinite(list(log.scores[name].values())).any() for log in logs)]
    gate = (choices.gate.metric,) if choices.gate else ()
    wanted = choices.metrics or gate or tuple(known)
    for name in dict.fromkeys((*wanted, *gate)):
        if name not in known or (len(wanted) > 1 and wanted == tuple(known) and not choices.metrics):
            problem = _("unknown name") if name not in known else _("the logs contain several metrics")
            field = "--metric" if name in known or name in choices.metrics else GATE
            found = None if name in known else name
            raise MedzhError(problem, field=field, expected=", ".join(known) or "none", found=found)
        for log in logs:
            _check_values(log, name)
    if not wanted:
        raise MedzhError(_("the logs have no metric in common"), field="--metric", expected=", ".join(logs[0].scores))
    return tuple(dict.fromkeys((*wanted, *gate)))


def _check_values(log: SampleLog, name: str) -> None:
    """Refuse scores that are not from 0 to 1, and those of which the log's own value is not the mean."""
    table = log.table(name, sorted(log.asked))
    for score in table[~np.isnan(table)]:
        if not 0 <= score <= 1:
            expected = _("scores from 0 to 1 for each sample")
            raise MedzhError(
                _("the metric is not a mean of shares"),
                file=log.path,
                field=name,
                expected=expected,
                found=float(score),
            )
    means = mean_over_runs(table)
    mean, stated = float(means[~np.isnan(means)].mean()), log.stated.get(name)
    if stated is not None and not math.isclose(mean, stated, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
        problem = _("the value in the log is not the mean of its samples")
        raise MedzhError(problem, file=log.path, field=name, expected=str(mean), found=stated)


def _common_samples(logs: Sequence[SampleLog], names: Sequence[str], allow: Sequence[str]) -> list[str]:
    """Give the samples that all logs have; with ``missing`` allowed those that all logs have a score of."""
    common = sorted(set.intersection(*(set(log.asked) for log in logs)))
    if MISSING in allow:
        scored = [~np.isnan(log.table(name, common)).any(axis=1) for log in logs for name in names]
        common = [sample for sample, whole in zip(common, np.all(scored, axis=0), strict=True) if whole]
        if not common:
            raise MedzhError(_("no sample has a score in all logs"), field="LOG")
        return common
    for log in logs:
        if lacking := sorted(set().union(*(one.asked for one in logs)) - log.asked.keys()):
            some = joined(quotable(one) for one in lacking[:NAMED])
            problem = _("{count} samples of the other logs are missing ({some})", count=len(lacking), some=some)
            advice = _("compare the common samples: --allow missing")
            raise MedzhError(problem, file=log.path, field="id", advice=advice)
    return common


def _metric(name: str, first: int, logs: Sequence[SampleLog], samples: Sequence[str]) -> Metric:
    """Declare a mean of scores; a share where each is 0 or 1. What has no score counts as the worst and may be any."""
    lower = name in logs[0].lower
    scores = np.concatenate([log.table(name, samples).ravel() for log in logs])
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


def _cautions(logs: Mapping[str, SampleLog], names: Sequence[str], samples: Sequence[str]) -> Iterator[str]:
    for (label, log), name in product(logs.items(), names):
        of = {"label": label, "metric": name, "of": len(samples) * log.runs}
        if count := int(np.isnan(log.table(name, samples)).sum()):
            yield _(
                "{label}: {count} of {of} samples have no {metric} score and count as the worst value. The log leaves "
                "them out.",
                count=count,
                **of,
            )
        if name not in log.stated:
            yield _("{label}: the log states no mean of {metric}, so the scores were not checked.", **of)
