"""Systems on several configs: headlines beside each other, one family of tests, and a gate that misses nothing."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from made_results import made, of_pairs, pairs
from places import SAMPLES

from medzh_score.cli.main import main
from medzh_score.comparison.across_configs import summary_of
from medzh_score.comparison.load import Choices, Gate
from medzh_score.render.compare import rendered_summary
from medzh_score.render.display import DisplayOptions
from medzh_score.ui.errors import MedzhError

COUNT = 60
SHARES = {"好": 0.9, "中": 0.75, "差": 0.3}


def right_of(seed, share):
    return (np.random.Generator(np.random.PCG64(seed)).random((COUNT, 1)) < share).astype(int)


def result(label, share, seed=0, config="sdak", **more):
    """Make a result of pairs, on a config that has their columns."""
    counts = {"medzh-1": of_pairs(right_of(seed, share))}
    return made(f"r/{config}-{label}", counts, pairs(COUNT), config, model=label, **more)


@pytest.fixture
def second(monkeypatch):
    """Register a second config of pairs, which is SDAK by another name."""
    from medzh_score.benchmark import registry
    from medzh_score.configs.sdak.config import CONFIG

    other = replace(CONFIG, name="ward", reporting=replace(CONFIG.reporting, primary_metrics=("IFR",), figures=()))
    found = registry.find_config
    for module in ("medzh_score.comparison.across_configs", "medzh_score.comparison.run", "made_results"):
        monkeypatch.setattr(f"{module}.find_config", lambda name: other if name == "ward" else found(name))
    return "ward"


def both(second):
    """Make three systems on SDAK, of which two stand on the second config, too."""
    followed = [right_of(9, 0.95), right_of(8, 0.5)]
    results = [result(label, share, seed) for seed, (label, share) in enumerate(SHARES.items())]
    for label, of in zip(("好", "差"), followed, strict=True):
        counts = {"medzh-1": of_pairs(right_of(3, 0.5) * of, of)}
        results.append(made(f"r/ward-{label}", counts, pairs(COUNT), second, model=label))
    return results


def summarise(results, **choices):
    return summary_of(results, Choices(**choices))


def holm(p):
    """Correct by Holm in a plain loop."""
    corrected, so_far = {}, 0.0
    for step, key in enumerate(sorted(p, key=p.get)):
        so_far = max(so_far, min(1.0, p[key] * (len(p) - step)))
        corrected[key] = so_far
    return corrected


def test_each_config_has_its_own_headline_and_nothing_is_averaged(second):
    summary = summarise(both(second))
    assert [(column.config, column.found[0].metric) for column in summary.columns] == [
        ("sdak", "FactAcc"),
        ("ward", "IFR"),
    ]
    assert summary.systems == ("好", "中", "差")
    assert summary.missing == {"中": ("ward",)}
    for text in (rendered_summary(summary, "text", DisplayOptions(), full=full) for full in (False, True)):
        assert "中 has no results on ward" in text
        means = {round(float(right_of(seed, share).mean() * 100), 1) for seed, share in enumerate(SHARES.values())}
        assert all(f"{mean:.1f}" in text for mean in means)
        assert "mean" not in text
    assert re.search(r"system +sdak: FactAcc ↑ +ward: IFR ↑", text)
    assert not [one for column in summary.columns for one in column.found[0].differences]


def test_what_is_counted_is_that_of_the_primary_metric(second):
    summary = summarise(both(second))
    (other, found, *rest) = (summary.columns[1], *summary.columns[1].found)
    one, two = found.standings
    found = replace(found, standings=(replace(one, value=replace(one.value, n=40)), two))
    columns = (summary.columns[0], replace(other, found=(found, *rest)))
    text = rendered_summary(replace(summary, columns=columns), "text", DisplayOptions())
    assert re.search(rf"sdak +FactAcc ↑ +{COUNT} .*\n ward +IFR ↑ +40–{COUNT} ", text)


def test_the_p_of_all_configs_are_one_family(second):
    """Source: Holm in a plain loop, over the p of each config."""
    summary = summarise(both(second), baseline="好")
    p = {(column.config, one.label): one.p for column in summary.columns for one in column.found[0].differences}
    assert p.keys() == {("sdak", "中"), ("sdak", "差"), ("ward", "差")}
    assert summary.family == 3
    found = {
        (column.config, one.label): one.corrected for column in summary.columns for one in column.found[0].differences
    }
    assert found == pytest.approx(holm(p), abs=1e-15)
    assert all(column.found[0].family == 3 for column in summary.columns)
    assert json.loads(summary.as_json())["correction"] == "holm"


def test_a_baseline_may_be_named_by_a_folder():
    results = [result("好", 0.9), result("差", 0.3, 1)]
    summary = summarise(results, baseline="r/sdak-差")
    assert summary.baseline == "差"
    with pytest.raises(MedzhError, match="--baseline: unknown name: expected 好, 差, found 'x'"):
        summarise(results, baseline="x")


def test_what_is_not_comparable_within_a_config_is_refused():
    with pytest.raises(MedzhError, match=r"not comparable .* the results differ in prompt"):
        summarise([result("a", 0.5), result("b", 0.5, 1, prompt="paper-2")])
    allowed = summarise([result("a", 0.5), result("b", 0.5, 1, prompt="paper-2")], allow=("prompt",))
    assert allowed.columns[0].allowed == ("prompt",)
    with pytest.raises(MedzhError, match="a already has a result on sdak"):
        summarise([result("a", 0.5), result("a", 0.6, 1)])
    with pytest.raises(MedzhError, match="--allow: differences in this key cannot be allowed"):
        summarise([result("a", 0.5), result("b", 0.5, 1)], allow=("promt",))


def test_keys_that_only_another_config_knows_are_nothing_to_this_one(second):
    results = both(second)
    odd = [one for one in results if one.report.config == second]
    for place, one in enumerate(odd):
        one.report.signature["tokenizer"] = str(place)
    assert summarise(results, allow=("tokenizer",)).columns[1].allowed == ("tokenizer",)


# The gate


@pytest.mark.parametrize(
    ("gate", "outcome"),
    [
        (Gate("primary_metric", 5.0), "fail"),
        (Gate("FactAcc", 99.0), "pass"),
        (Gate("FactAcc"), "fail"),
        (Gate("IFR", 99.0), "undecided"),
    ],
)
def test_the_gate_is_over_the_configs_whose_headline_it_names(second, gate, outcome):
    summary = summarise(both(second), baseline="好", gate=gate)
    assert summary.outcome == outcome  # 中 has no result on the second config: no gate over it can pass
    assert summary.gated == (
        ("sdak", "ward") if gate.metric == "primary_metric" else ("sdak",) if gate.metric == "FactAcc" else ("ward",)
    )


def test_a_gate_that_would_compare_nothing_is_refused(second):
    with pytest.raises(MedzhError, match="a baseline that shares a config with another system is required"):
        summarise(both(second), gate=Gate("primary_metric"))
    lone = [result("a", 0.5), made("r/w", {"medzh-1": of_pairs(right_of(1, 0.5))}, pairs(COUNT), second, model="b")]
    with pytest.raises(MedzhError, match="a baseline that shares a config with another system is required"):
        summarise(lone, baseline="a", gate=Gate("primary_metric"))
    with pytest.raises(
        MedzhError,
        match=(
            "the metric is not a primary metric of these configs: expected primary_metric, FactAcc, IFR, found 'F1'"
        ),
    ):
        summarise(both(second), baseline="好", gate=Gate("F1"))


# How it is shown


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_values_and_differences_stand_in_every_form(second, form):
    summary = summarise(both(second), baseline="好", gate=Gate("primary_metric", 5.0))
    text = rendered_summary(summary, form, DisplayOptions(caption="both", names={"差": "C_3"}))
    name = "C_3" if form == "text" else r"C\_3"
    for column in summary.columns:
        for one in column.found[0].standings:
            assert f"{one.value.value:.1f}" in text
        for one in column.found[0].differences:
            assert f"{one.value:+.1f}" in text.replace("$-$", "-")
    assert name in text
    assert "fail" in text.lower()
    if form == "latex":
        assert r"(\%, 95\% CI) of 3 systems on 2 configs" in text
        assert "over 3 comparisons" in text
        assert "按 Holm 法对 3 次比较校正" in text


@pytest.mark.parametrize(
    ("recipes", "english", "chinese"),
    [
        (("official", "official"), "on 2 configs.", "2 个评测集上的"),
        (("open", "open"), "on 2 configs (open data).", "2 个评测集（开放数据）上的"),
        (
            ("open", "mini"),
            "on 2 configs: sdak (open data), ward (mini sample).",
            "：sdak（开放数据）、ward（mini 样例）。",
        ),
        (("official", "mini"), "on 2 configs: sdak, ward (mini sample).", "：sdak、ward（mini 样例）。"),
    ],
)
@pytest.mark.parametrize("unit", ["percent", "fraction"])
def test_the_caption_names_percent_and_data(second, recipes, english, chinese, unit):
    """The table is in percent, whatever the unit of the configs."""
    summary = summarise(both(second))
    columns = tuple(
        replace(column, unit=unit, signature={**column.signature, "data": f"1.0.0/{recipe}/01234567"})
        for column, recipe in zip(summary.columns, recipes, strict=True)
    )
    text = rendered_summary(replace(summary, columns=columns), "latex", DisplayOptions(caption="both"))
    assert rf"(\%, 95\% CI) of 3 systems {english}" in text
    assert r"主要指标（\%，95\% CI）" in text
    assert chinese in text


def test_csv_has_the_rows_of_every_config(second):
    summary = summarise(both(second), baseline="好", gate=Gate("FactAcc", 5.0))
    rows = list(csv.DictReader(io.StringIO(rendered_summary(summary, "csv", DisplayOptions()).removeprefix("\ufeff"))))
    assert {one.outcome for one in summary.columns[0].judged} <= {"pass", "undecided", "fail"}
    assert [row["gate"] for row in rows] == ["", *(one.outcome for one in summary.columns[0].judged), "", ""]
    assert [(row["config"], row["metric"], row["system"]) for row in rows] == [
        ("sdak", "FactAcc", "好"),
        ("sdak", "FactAcc", "中"),
        ("sdak", "FactAcc", "差"),
        ("ward", "IFR", "好"),
        ("ward", "IFR", "差"),
    ]
    assert {row["family"] for row in rows} == {"", "3"}


def test_what_the_test_over_all_configs_does_not_tell_apart_is_marked():
    results = [result("a", 0.6, 1), result("b", 0.57, 2), result("c", 0.1, 3)]
    text = rendered_summary(summarise(results, baseline="a"), "markdown", DisplayOptions())
    (found,) = summarise(results, baseline="a").columns[0].found
    assert [one.corrected > 0.05 for one in found.differences] == [True, False]
    assert found.standings[0].rank == 1
    assert ["≈" in line for line in text.splitlines() if re.match(r"\| [abc] ", line)] == [False, True, False]
    assert "≈" not in rendered_summary(summarise(results), "markdown", DisplayOptions())  # without tests


# medzh-score summary


@pytest.fixture(scope="module")
def folders(minis, tmp_path_factory):
    """Score the SAMPLES of two configs as they are, and worse, and save results."""
    from medzh_score.scoring.pipeline import score

    made_in = tmp_path_factory.mktemp("results")
    for config in ("sdak", "cmhe_hd"):
        lines = (SAMPLES / config / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        for model in ("good", "bad"):
            texts = [row["prediction"] for row in rows]
            texts = texts if model == "good" else texts[1:] + texts[:1]
            changed = [row | {"prediction": text} for row, text in zip(rows, texts, strict=True)]
            file = made_in / f"{config}-{model}.jsonl"
            file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in changed), encoding="utf-8")
            score(config, file, data=minis, model=model).save(made_in / f"{config}-{model}")
    return [str(made_in / f"{config}-{model}") for config in ("sdak", "cmhe_hd") for model in ("good", "bad")]


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ([], 0),
        (["--baseline", "good"], 0),
        (["--baseline", "good", "--fail-on-regression", "primary_metric:2"], 1),
        (["--baseline", "bad", "--fail-on-regression", "primary_metric"], 0),
        (["--fail-on-regression", "primary_metric"], 2),
        (["--inconclusive", "pass"], 2),
        (["--decimals", "15"], 0),
    ],
)
def test_the_status_is_that_of_the_gate(folders, options, status, capsysbinary):
    assert main(["summary", *folders, *options]) == status
    told = capsysbinary.readouterr()
    assert bool(told.out) == (status != 2)
    assert (b"error" in told.err) == (status == 2)


def test_a_missing_result_leaves_the_gate_undecided(folders, capsysbinary):
    arguments = ["summary", *folders[:3], "--baseline", "bad", "--fail-on-regression", "primary_metric:99"]
    assert main(arguments) == 4
    assert "bad has no results on cmhe_hd" in capsysbinary.readouterr().out.decode()
    assert main([*arguments, "--inconclusive", "pass"]) == 0
    assert main([*arguments, "--inconclusive", "fail"]) == 1
