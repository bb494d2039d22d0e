"""Logs of inspect and lm-evaluation-harness of a made-up task, compared; every number is made again by numpy and scipy.

Both tools write the logs here, with simulated models. These tests run where MEDZH_REQUIRE_TOOLS is set.
"""

from __future__ import annotations

import json
import math
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from pages import commands_of
from scipy import stats
from sum_logs import EPOCHS, SUMS, inspect_logs, lm_eval_logs, samples_of
from tool_runs import NEEDS_TOOLS, lines_of

from medzh_score.cli.main import main

pytestmark = NEEDS_TOOLS
ALL = ("match", "parts", "letters")
OTHER = [{**one, "target": "0"} if place == 3 else one for place, one in enumerate(samples_of())]
OF_INSPECT = {
    "good": ("good", {"scorers": ALL}),
    "poor": ("poor", {"scorers": ALL, "format": "json"}),
    "one good": ("good", {"epochs": 1}),
    "one poor": ("poor", {"epochs": 1}),
    "unscored": ("poor", {"scorers": ["letters"], "unscored": 5}),
    "scored": ("good", {"scorers": ["letters"]}),
    "failed": ("poor", {"failing": [one["id"] for one in samples_of()[:2]]}),
    "fewer": ("poor", {"samples": samples_of()[2:]}),
    "other target": ("poor", {"samples": OTHER}),
    "task": ("poor", {"task": "products"}),
    "version": ("poor", {"version": 2}),
    "level": ("poor", {"level": 2}),
    "strict": ("poor", {"strict": True}),
    "graded": ("poor", {"grader": "mockllm/other"}),
    "choices": ("poor", {"choices": ["10", "20"]}),
    "invalidated": ("poor", {"format": "json"}),
    "same key": ("poor", {"scorers": ["parts", "close"]}),
    "error": ("poor", {"failing": [samples_of()[0]["id"]], "fail_on_error": True}),
    "without samples": ("poor", {"log_samples": False}),
    "best of two": ("poor", {"reducer": "max"}),
}
OF_LM_EVAL = {
    "good": ("good", {}),
    "poor": ("poor", {}),
    "fewer": ("poor", {"samples": samples_of()[:20]}),
    "other target": ("poor", {"samples": OTHER}),
    "task": ("poor", {"task": "products"}),
    "version": ("poor", {"version": 2.0}),
}


@pytest.fixture(scope="module")
def of_inspect(tool, tmp_path_factory):
    logs = inspect_logs(tool, tmp_path_factory.mktemp("inspect"), OF_INSPECT)
    whole = Path(logs["invalidated"]).read_text(encoding="utf-8")
    Path(logs["invalidated"]).write_text(json.dumps({**json.loads(whole), "invalidated": True}), encoding="utf-8")
    return logs


@pytest.fixture(scope="module")
def of_lm_eval(tool, tmp_path_factory):
    return lm_eval_logs(tool, tmp_path_factory.mktemp("lm-eval"), OF_LM_EVAL)


def call(tool, *words):
    return main(["compare", "--from", tool, *map(str, words)])


def compared(folder, tool, *words):
    out = folder / "compared.json"
    assert call(tool, *words, "--to", "json", "--output", out) == 0
    return json.loads(out.read_bytes())


# What the logs hold, read by the tools' own libraries or the standard library, and never by our readers.


def inspect_scores(path, name):
    """Give the scores, shape (samples, epochs), in the order of the ids; nan for none; and what the log states."""
    from inspect_ai.log import read_eval_log
    from inspect_ai.scorer import value_to_float

    log, to_float, (scorer, _, key) = read_eval_log(path), value_to_float(), name.partition("/")
    found = {}
    for sample in log.samples:
        value = sample.scores[scorer].value if scorer in (sample.scores or {}) else math.nan
        found[str(sample.id), sample.epoch] = to_float(value[key] if key else value)
    ids = sorted({identifier for identifier, _ in found})
    (stated,) = [one for one in log.results.scores if one.scorer == scorer and one.name == (key or scorer)]
    table = np.array([[found[one, epoch + 1] for epoch in range(log.eval.config.epochs)] for one in ids])
    return table, {metric: one.value for metric, one in stated.metrics.items()}


def lm_eval_scores(path, name):
    metric, filtered = name.split(",")
    lines = [line for line in lines_of(path) if line["filter"] == filtered]
    (beside,) = path.parent.glob(f"results_{re.search('sums_(.*).jsonl', path.name)[1]}.json")
    stated = json.loads(beside.read_text(encoding="utf-8"))["results"]["sums"]
    table = np.array([[line[metric]] for line in sorted(lines, key=lambda line: str(line["doc_id"]))], float)
    return table, {"mean": stated[name], "stderr": stated[f"{metric}_stderr,{filtered}"]}


OF_LM_EVAL_METRICS = [f"{name},{of}" for name, of in product(("exact_match", "close", "miss"), ("plain", "last"))]
CASES = [
    *(("inspect", name) for name in ("match", "letters", "parts/close", "parts/even")),
    *(("lm-eval", name) for name in OF_LM_EVAL_METRICS),
]


@pytest.fixture
def case(request, of_inspect, of_lm_eval, tmp_path):
    """Give a metric of two logs: the comparison, the scores of each and what each log states."""
    tool, name = request.param
    logs, scores = (of_inspect, inspect_scores) if tool == "inspect" else (of_lm_eval, lm_eval_scores)
    paths = [logs["good"], logs["poor"]]
    words = [f"{path}={label}" for path, label in zip(paths, ("A", "B"), strict=True)]
    return tool, compared(tmp_path, tool, *words, "--metric", name), [scores(path, name) for path in paths]


@pytest.mark.parametrize("case", CASES, indirect=True, ids="-".join)
def test_the_tools_own_means_and_standard_errors_come_from_the_samples(case):
    """Both state the sample deviation over root n: inspect of the means over epochs, lm-eval of the documents."""
    _, found, read = case
    for standing, (table, stated) in zip(found["found"][0]["standings"], read, strict=True):
        name = "accuracy" if "accuracy" in stated else "mean"
        of_samples = table.mean(axis=1)
        own = math.fsum(of_samples) / len(table)
        assert standing["by_rules"] == {"log": stated[name]}
        assert math.isclose(standing["value"]["value"], stated[name], rel_tol=1e-15)
        if np.isin(of_samples, np.arange(5) / 4).all():  # of which no sum is rounded: equal floats
            assert own == stated[name]
            if table.shape[1] == 1:
                assert standing["value"]["value"] == stated[name]
        if "stderr" in stated:
            error = of_samples.std(ddof=1) / math.sqrt(len(table))
            assert math.isclose(error, stated["stderr"], rel_tol=1e-12)


@pytest.mark.parametrize("case", CASES, indirect=True, ids="-".join)
def test_difference_interval_test_and_smallest_difference_are_those_of_a_plain_restatement(case):
    _, found, ((first, _), (second, _)) = case
    row, (one,) = found["found"][0], found["found"][0]["differences"]
    gaps = (first - second).mean(axis=1)
    count = len(gaps)
    assert (found["units"], found["left_out"], count) == (SUMS, 0, SUMS)
    assert one["value"] == pytest.approx(gaps.mean(), abs=1e-12)
    lower = row["standings"][0]["value"]["direction"] == "lower"
    better = -gaps if lower else gaps
    assert (one["won"], one["lost"], one["tied"]) == tuple(
        int(part.sum()) for part in (better > 1e-12, better < -1e-12, abs(better) <= 1e-12)
    )
    swapped = stats.permutation_test(
        (gaps,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(5)
    )
    assert one["test"] == "randomised tukey"  # of two systems the swaps of a pair
    assert abs(one["p"] - swapped.pvalue) <= 4 * math.sqrt(0.25 / 10_000) * max(0.05, math.sqrt(4 * swapped.pvalue))
    if one["interval"] == "bootstrap":
        drawn = stats.bootstrap((gaps,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(5))
        width = drawn.confidence_interval.high - drawn.confidence_interval.low
        assert abs(one["low"] - drawn.confidence_interval.low) < 0.12 * width
        assert abs(one["high"] - drawn.confidence_interval.high) < 0.12 * width
        significant = np.quantile(np.abs(swapped.null_distribution), 0.95)  # of all swaps
        assert one["detectable"] == pytest.approx(significant + 0.84 * gaps.std() / math.sqrt(count), rel=0.1)
    assert one["bounds"] is None or one["bounds"]["low"] == pytest.approx(one["bounds"]["high"])


def test_a_share_of_one_epoch_has_mcnemars_test_and_tangos_interval(of_inspect, tmp_path):
    paths = [of_inspect["one good"], of_inspect["one poor"]]
    words = [f"{path}={label}" for path, label in zip(paths, ("A", "B"), strict=True)]
    found = compared(tmp_path, "inspect", *words, "--baseline", "B")
    (one,) = found["found"][0]["differences"]
    first, second = (inspect_scores(path, "match")[0][:, 0] for path in paths)
    won, lost = int(((first == 1) & (second == 0)).sum()), int(((first == 0) & (second == 1)).sum())
    exact = stats.binomtest(won, won + lost).pvalue
    assert (one["test"], one["interval"]) == ("mcnemar mid-p", "tango")
    assert one["p"] == pytest.approx(exact - stats.binom.pmf(won, won + lost, 0.5), rel=1e-9)
    score = [  # Tango's statistic at both ends, from the constrained maximum found by a search
        abs(tango(won, lost, len(first), end)) for end in (one["low"], one["high"])
    ]
    if won + lost >= 10:
        assert score == pytest.approx([stats.norm.ppf(0.975)] * 2, rel=1e-4)


def tango(won, lost, count, difference):
    from scipy.optimize import minimize_scalar

    def minus(second):
        chances = (second + difference, second, 1 - 2 * second - difference)
        counts = (won, lost, count - won - lost)
        return -sum(n * math.log(p) for n, p in zip(counts, chances, strict=True) if n and p > 0)

    low, high = max(0.0, -difference), (1 - difference) / 2
    second = minimize_scalar(minus, bounds=(low + 1e-12, high - 1e-12), method="bounded", options={"xatol": 1e-12}).x
    return (won - lost - count * difference) / math.sqrt(count * (2 * second + difference - difference**2))


@pytest.mark.parametrize("pair", [("scored", "unscored"), ("good", "failed")])
def test_samples_without_a_score_count_as_the_worst_and_leave_the_bounds_open(pair, of_inspect, tmp_path):
    """Every way to score them is tried: all lie within the bounds, and two of them are the bounds."""
    name = "letters" if pair[0] == "scored" else "match"
    paths = [of_inspect[one] for one in pair]
    words = [f"{path}={label}" for path, label in zip(paths, ("A", "B"), strict=True)]
    found = compared(tmp_path, "inspect", *words, "--metric", name)
    (first, _), (second, stated) = (inspect_scores(path, name) for path in paths)
    places = np.argwhere(np.isnan(second))
    assert 0 < len(places) < 8
    assert not np.isnan(first).any()
    differences = []
    for chosen in product((0.0, 0.5, 1.0), repeat=len(places)):
        filled = second.copy()
        filled[tuple(places.T)] = chosen
        differences.append(first.mean() - filled.mean())
    (one,) = found["found"][0]["differences"]
    assert one["bounds"]["low"] == pytest.approx(min(differences), abs=1e-12)
    assert one["bounds"]["high"] == pytest.approx(max(differences), abs=1e-12)
    assert one["value"] == pytest.approx(max(differences), abs=1e-12)  # all of them as the worst
    standing = found["found"][0]["standings"][1]
    assert standing["value"]["value"] == pytest.approx(np.nan_to_num(second).mean(), abs=1e-12)
    assert standing["by_rules"] == {"log": stated["accuracy"]}
    assert stated["accuracy"] > standing["value"]["value"]  # the log leaves them out
    assert standing["unparsed"] == pytest.approx(100 * len(places) / second.size)
    (caution,) = found["cautions"]
    assert caution.startswith(
        f"B: {len(places)} of {second.size} samples have no {name} score and count with the worst value."
    )
    common = compared(tmp_path, "inspect", *words, "--metric", name, "--allow", "missing")
    whole = ~np.isnan(second).any(axis=1)
    assert (common["units"], common["left_out"]) == (int(whole.sum()), int((~whole).sum()))
    expected = first[whole].mean() - second[whole].mean()
    assert common["found"][0]["differences"][0]["value"] == pytest.approx(expected, abs=1e-12)


def test_the_common_samples_and_the_means_over_epochs_are_compared_where_the_user_allows_it(of_inspect, tmp_path):
    paths = [of_inspect["one good"], of_inspect["fewer"]]
    words = [*(f"{path}={label}" for path, label in zip(paths, ("A", "B"), strict=True)), "--allow", "runs"]
    found = compared(tmp_path, "inspect", *words, "--allow", "missing")
    (first, _), (second, _) = (inspect_scores(path, "match") for path in paths)
    ids = sorted(one["id"] for one in samples_of())
    kept = [place for place, one in enumerate(ids) if one in {sample["id"] for sample in samples_of()[2:]}]
    assert (found["units"], found["left_out"]) == (SUMS - 2, 2)
    expected = first[kept].mean() - second.mean()
    assert found["found"][0]["differences"][0]["value"] == pytest.approx(expected, abs=1e-12)


def test_several_systems_metrics_and_formats_are_those_of_compare(of_inspect, tmp_path, capsysbinary):
    logs = [f"{of_inspect[name]}={name}" for name in ("good", "poor", "failed", "best of two")]
    found = compared(tmp_path, "inspect", *logs, "--metric", "match")
    (row,) = found["found"]
    assert (row["family"], row["correction"], len(row["differences"])) == (6, "randomised tukey", 6)
    assert any("best of two: the log states no mean of match" in caution for caution in found["cautions"])
    both = compared(tmp_path, "inspect", *logs[:2], "--metric", "match", "--metric", "parts/close")
    assert [(one["metric"], one["family"]) for one in both["found"]] == [("match", 2), ("parts/close", 2)]
    for form, language in (("text", "zh"), ("markdown", "en"), ("latex", "zh"), ("csv", "en")):
        capsysbinary.readouterr()
        assert call("inspect", *logs[:2], "--metric", "match", "--to", form, "--lang", language) == 0
        said = capsysbinary.readouterr().out
        assert b"good" in said
        assert call("inspect", *logs[:2], "--metric", "match", "--to", form, "--lang", language) == 0
        assert capsysbinary.readouterr().out == said
    gate = ("--metric", "match", "--baseline", "good", "--fail-on-regression", "match:1")
    assert call("inspect", *logs[:2], *gate) == 1
    turned = compared(tmp_path, "inspect", *reversed(logs[:2]), "--metric", "match")["found"][0]["differences"][0]
    straight = compared(tmp_path, "inspect", *logs[:2], "--metric", "match")["found"][0]["differences"][0]
    assert (turned["value"], turned["p"]) == (-straight["value"], straight["p"])


def test_the_commands_of_the_manual_run_on_these_logs(of_inspect, of_lm_eval, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = commands_of("docs/en/other_logs.md")
    assert len(lines) == 4
    for line in lines:
        logs = of_inspect if "--from inspect" in line else of_lm_eval
        words = line.replace("FIRST.eval", str(logs["good"])).replace("SECOND.eval", str(logs["poor"]))
        words = words.replace("FIRST.jsonl", str(logs["good"])).replace("SECOND.jsonl", str(logs["poor"]))
        capsys.readouterr()
        assert main(words.split()[1:]) == 0
        assert "--output" in line or "old" in capsys.readouterr().out


REFUSED = {
    "another task": ("inspect", ("good", "task"), (), "the logs differ in task (task: sums and products)"),
    "another version": ("inspect", ("good", "version"), (), "the logs differ in version (version: 1 and 2)"),
    "other arguments": ("inspect", ("one good", "level"), ("--allow", "runs"), "--allow task_args"),
    "other runs": ("inspect", ("one good", "failed"), (), "the logs differ in runs (runs: 1 and 2)"),
    "fewer samples": ("inspect", ("failed", "fewer"), (), "2 samples of the other logs are missing (sum-"),
    "another target": ("inspect", ("failed", "other target"), (), "the content of the sample differs from that in"),
    "other options of a scorer": ("inspect", ("failed", "strict"), (), "--allow scorer"),
    "another grader": ("inspect", ("failed", "graded"), (), "--allow model_roles"),
    "other choices": ("inspect", ("failed", "choices"), (), "the content of the sample differs from that in"),
    "an invalid sample": ("inspect", ("failed", "invalidated"), (), "expected success, found 'invalidated'"),
    "an error": ("inspect", ("good", "error"), (), 'field "status": the evaluation did not succeed: expected success'),
    "no samples": ("inspect", ("good", "without samples"), (), "the log contains no scored samples"),
    "several metrics": (
        "inspect",
        ("good", "poor"),
        (),
        "choose one of several metrics: expected match,",
    ),
    "an unknown metric": (
        "inspect",
        ("good", "poor"),
        ("--metric", "f1"),
        "unknown name: expected match, parts/close, parts/even, letters, found 'f1'",
    ),
    "one log": ("inspect", ("good",), (), "too few logs: expected at least two logs, found 1"),
    "the same twice": ("inspect", ("good", "good"), ("--metric", "match"), "two systems have the same name"),
    "an unknown key": (
        "inspect",
        ("failed", "level"),
        ("--allow", "rule"),
        "expected task_args, solver, model_roles, scorer, prompt, runs",
    ),
    "an option of results": ("inspect", ("good", "poor"), ("--by", "type"), "this option does not apply to logs"),
    "a check of nothing": (
        "inspect",
        ("good", "poor"),
        ("--metric", "match", "--baseline", "mockllm/good", "--fail-on-regression", "f1"),
        "option --fail-on-regression: unknown name",
    ),
    "another task of lm-eval": ("lm-eval", ("good", "task"), (), "the logs differ in task (task: sums and products)"),
    "another version of lm-eval": (
        "lm-eval",
        ("good", "version"),
        (),
        "the logs differ in version (version: 1.0 and 2.0)",
    ),
    "fewer documents": (
        "lm-eval",
        ("good", "fewer"),
        ("--metric", "exact_match,plain"),
        "4 samples of the other logs are missing (20, 21, 22, 23)",
    ),
    "another document": (
        "lm-eval",
        ("good", "other target"),
        ("--metric", "exact_match,plain"),
        "the content of the sample differs from that in",
    ),
    "no mean": (
        "lm-eval",
        ("good", "poor"),
        ("--metric", "most,plain"),
        'field "most,plain": the value in the log is not the mean of its samples',
    ),
    "an unknown filter": (
        "lm-eval",
        ("good", "poor"),
        ("--metric", "close,first"),
        "expected exact_match,plain",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_compared_is_refused_by_name(case, of_inspect, of_lm_eval, capsys):
    tool, names, words, message = REFUSED[case]
    logs = of_inspect if tool == "inspect" else of_lm_eval
    capsys.readouterr()
    assert call(tool, *(logs[name] for name in names), *words) == 2
    said = capsys.readouterr()
    assert message in said.err.replace("\n", " ")
    assert "Traceback" not in said.err
    assert not said.out


def test_files_that_are_no_logs_are_refused(of_lm_eval, tmp_path, capsys):
    good = of_lm_eval["good"]
    alone = tmp_path / good.name
    alone.write_bytes(good.read_bytes())
    renamed = tmp_path / "samples.jsonl"
    renamed.write_bytes(good.read_bytes())
    twice = tmp_path / "twice" / good.name
    twice.parent.mkdir()
    twice.write_bytes(good.read_bytes() * 2)
    results = Path(str(good).replace("samples_sums_", "results_")).with_suffix(".json")
    (twice.parent / results.name).write_bytes(results.read_bytes())
    above = tmp_path / "above" / good.name
    above.parent.mkdir()
    above.write_text(good.read_text(encoding="utf-8").replace('"exact_match": 1.0', '"exact_match": 7.5'), "utf-8")
    (above.parent / results.name).write_bytes(results.read_bytes())
    (tmp_path / "log.json").write_text("{}", encoding="utf-8")
    metric = ("--metric", "exact_match,plain")
    for tool, path, message in (
        ("lm-eval", alone, "results_"),
        ("lm-eval", renamed, "the file name does not state task and date"),
        ("lm-eval", twice, "duplicate sample"),
        ("lm-eval", above, "expected scores from 0 to 1 for each sample, found 7.5"),
        ("inspect", tmp_path / "log.json", "inspect cannot load the log"),
    ):
        capsys.readouterr()
        assert call(tool, path, good, *metric) == 2
        said = capsys.readouterr().err
        assert message in said
        assert "Traceback" not in said


def test_a_key_of_a_scorer_is_not_the_scorer_of_that_name(of_inspect, tmp_path):
    path = of_inspect["same key"]
    for name in ("parts/close", "close"):
        found = compared(tmp_path, "inspect", f"{path}=A", f"{path}=B", "--metric", name)
        table, stated = inspect_scores(path, name)
        standing = found["found"][0]["standings"][0]
        assert standing["by_rules"] == {"log": stated["mean"]}
        assert standing["value"]["value"] == pytest.approx(table.mean(), abs=1e-12)


def test_the_screen_offers_no_option_that_logs_do_not_have(of_inspect, capsys):
    assert call("inspect", of_inspect["one good"], of_inspect["one poor"]) == 0
    assert "--items" not in capsys.readouterr().out


def test_epochs_are_runs(of_inspect, tmp_path):
    found = compared(tmp_path, "inspect", of_inspect["good"], of_inspect["poor"], "--metric", "match")
    assert [one["runs"] for one in found["systems"]] == [EPOCHS, EPOCHS]
    table, _ = inspect_scores(of_inspect["good"], "match")
    assert found["found"][0]["standings"][0]["value"]["per_run"] == pytest.approx(table.mean(axis=0).tolist())
