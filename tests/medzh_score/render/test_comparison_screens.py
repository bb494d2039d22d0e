"""The first screens of comparisons and summaries: their size in both languages, the verdict, warnings and folds."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from compared import all_pairs, comparison, difference, standing, three_systems, value
from places import SAMPLES
from rich.cells import cell_len

from medzh_score.benchmark.registry import config_names
from medzh_score.cli.main import main
from medzh_score.comparison.model import Judged
from medzh_score.render.compare import rendered
from medzh_score.render.display import DisplayOptions
from medzh_score.render.lines import short_names
from medzh_score.scoring.pipeline import score
from medzh_score.stats.pairwise import Bounds, MetricComparison
from medzh_score.ui.i18n import CHINESE, ENGLISH, language

LANGUAGES = (ENGLISH, CHINESE)
OPEN = Bounds(-10.5, 19.9)
MOST = {"two": 20, "several": 25, "summary": 30}


def fits(text, most, width=80):
    lines = text.removesuffix("\n").split("\n")
    assert len(lines) <= most, text
    assert max(map(cell_len, lines)) <= width, text


def two(*, of=7.2, low=0.7, high=14.1, adjusted=0.06, bounds=OPEN, **more):
    """Compare two systems; by default as in the specification of the screen."""
    standings = (
        standing("DeepSeek-R1", value(49.0, 42.0, 56.0), (1, 1, 2), 12.7),
        standing("GPT-4o", value(41.8, 35.1, 48.9), (2, 1, 2), 17.6),
    )
    one = difference(
        "DeepSeek-R1", "GPT-4o", of, low=low, high=high, corrected=adjusted, bounds=bounds, detectable=9.8, won=37,
        lost=22, tied=43,
    )  # fmt: skip
    found = MetricComparison("FactAcc", "", "", None, standings, (one,), (), "randomised tukey", 1, 10_000)
    return comparison(("DeepSeek-R1", "GPT-4o"), (found,), units=102, **more)


def test_two_systems_by_hand():
    """Source: the screen of the specification, in the words of the language guide."""
    assert rendered(two(), "text", DisplayOptions()) == (
        "sdak: DeepSeek-R1 and GPT-4o on the same 102 claim pairs, 1 run, rule medzh-1\n"
        "\n"
        "UNDECIDED on FactAcc. DeepSeek-R1 is 7.2 pp higher (95% CI [0.7, 14.1],\n"
        "  adjusted p = 0.060). The test does not confirm the difference. Unparsed\n"
        "  answers could reverse the difference.\n"
        "\n"
        " %          DeepSeek-R1  GPT-4o  difference [95% CI]  adj. p  won/lost/tied\n"
        " FactAcc ↑         49.0    41.8  +7.2 [0.7, 14.1] †    0.060       37/22/43\n"
        " unparsed          12.7    17.6  of the items\n"
        "\n"
        "Minimum detectable difference (80% power): 9.8 pp\n"
        "† sensitive to unparsed answers: difference between -10.5 and +19.9\n"
        "--full: ranks, groups, methods, signature\n"
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"adjusted": 0.0004, "bounds": None},
            "AHEAD on FactAcc. DeepSeek-R1 is 7.2 pp ahead (95% CI [0.7, 14.1], adjusted p < 0.001).",
        ),
        (
            {"of": -7.2, "low": -14.1, "high": -0.7, "adjusted": 0.01, "bounds": None},
            "BEHIND on FactAcc. DeepSeek-R1 is 7.2 pp behind (95% CI [0.7, 14.1], adjusted p = 0.010).",
        ),
        (
            {"low": -1.0},
            "is 7.2 pp higher (95% CI [-1.0, 14.1], adjusted p = 0.060), which is not significant.",
        ),
        (
            {"of": -7.2, "low": -14.1, "high": 1.0},
            "is 7.2 pp lower (95% CI [-1.0, 14.1], adjusted p = 0.060), which is not significant.",
        ),
        ({"of": 0.0, "low": 0.0, "high": 0.0}, "NO DIFFERENCE FOUND on FactAcc. Both systems have the same value."),
        ({"low": -1.0, "adjusted": 0.01, "bounds": None}, "The 95% CI includes 0."),
        ({"adjusted": None}, "No test is possible."),
    ],
)  # fmt: skip
def test_the_sentence_states_the_verdict(changes, sentence):
    assert sentence in re.sub(r"\s+", " ", rendered(two(**changes), "text", DisplayOptions()))


def test_color_is_used_on_a_terminal_only():
    assert "\x1b[1;33mUNDECIDED" in rendered(two(), "text", DisplayOptions(color=True))
    assert "\x1b" not in rendered(two(), "text", DisplayOptions())


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("count", [3, 8, 40])
def test_a_ranking_fits_and_folds_what_is_beyond_ten(count, name):
    made = all_pairs(count)
    names = {system.label: f"一个名称很长的模型-{system.label}-instruct" for system in made.systems}
    made = replace(made, cautions=("warning " * 30,) * 9)
    with language(name):
        text = rendered(made, "text", DisplayOptions(names=names))
    fits(text, MOST["several"])
    assert len(re.findall(r"^ \d+ \[", text, re.MULTILINE)) == min(count, 10)
    assert "--full" in text
    assert ("30 " in text) == (count == 40)
    assert text.count("\n! ") <= 5


def test_the_ranking_shows_differences_to_the_best_and_marks():
    text = rendered(all_pairs(3), "text", DisplayOptions())
    rows = [re.sub(r"[·├┤●─]+", "", line).split() for line in text.splitlines() if re.match(r" \d+ \[", line)]
    assert rows == [
        ["1", "[1,", "2]", "m00", "≈", "90.0", "0%"],
        ["2", "[2,", "3]", "m01", "≈", "89.0", "-1.0", "0.500", "0%"],
        ["3", "[3,", "4]", "m02", "88.0", "-2.0", "0.040", "0%"],
    ]
    assert "≈ no significant difference from the best (adjusted p > 0.05)" in text


def test_a_baseline_is_always_in_the_ranking():
    made = all_pairs(40)
    (found,) = made.found
    to = tuple(one for one in found.differences if "m39" in {one.label, one.other})
    made = replace(made, found=(replace(found, baseline="m39", differences=to),))
    text = rendered(made, "text", DisplayOptions())
    fits(text, MOST["several"])
    assert "to baseline" in text
    assert "m39" in text
    assert "30 more systems: use --full" in text


def test_a_regression_check_comes_first():
    judged = tuple(
        Judged(label, "qwen&co", "FactAcc", 2.0, outcome, 4.2, None)
        for label, outcome in (("glm_4%", "undecided"), ("甲模型", "fail"))
    )
    lines = rendered(three_systems(judged=judged), "text", DisplayOptions()).splitlines()
    assert lines[1:4] == [
        "Regression check of FactAcc against qwen&co: at most 2 pp worse",
        " FAIL: 甲模型",
        " INCONCLUSIVE: glm_4%",
    ]


@pytest.mark.parametrize(
    ("signature", "codes", "line"),
    [
        ("0.0.0/mini/01", ("not_official_data",), "! mini sample, not the official benchmark"),
        ("0.0.0/open/01", ("not_official_data",), "! open data, not the official benchmark"),
        ("1.0.0/official/01", ("rows_edited",), "! edited records"),
    ],
)
def test_other_data_are_the_first_warning(signature, codes, line):
    made = two(cautions=("x",), data_warnings=codes)
    made = replace(made, signature={**made.signature, "data": signature})
    warnings = [one for one in rendered(made, "text", DisplayOptions()).splitlines() if one.startswith("! ")]
    assert warnings[0].startswith(line)
    assert warnings[1] == "! x"


def test_metrics_without_values_are_one_line_and_many_metrics_are_folded():
    none = replace(value(None), unavailable_reason="no pair was annotated")
    (found,) = two().found
    empty = tuple(replace(one, value=none) for one in found.standings)
    lone = replace(found.differences[0], value=None)
    more = [replace(found, metric=f"M{number}") for number in range(9)]
    absent = [replace(found, metric=f"A{number}", standings=empty, differences=(lone,)) for number in range(3)]
    text = rendered(replace(two(), found=(found, *more, *absent)), "text", DisplayOptions())
    fits(text, MOST["two"])
    assert "A0, A1 and 1 more: not available: no pair was annotated\n" in text
    assert "Other metrics (use --full): M5, M6, M7, M8\n" in text


@pytest.mark.parametrize(
    ("names", "width", "short"),
    [
        (["GPT-4o", "glm"], 10, ["GPT-4o", "glm"]),
        (["Llama-3.1-8B-Instruct"], 12, ["Llama-…truct"]),
        (["Qwen2.5-7B-Instruct", "Qwen2.5-72B-Instruct"], 14, ["Qwen2.5-7B…", "Qwen2.5-72B…"]),
        (["m-one-step100-x", "m-two-step100-x"], 8, ["m-one…", "m-two…"]),
        (["一二三四五六七八九十"], 10, ["一二…九十"]),
        (["aaaaaaaaaaXaaaaaaaaaa", "aaaaaaaaaaYaaaaaaaaaa"], 8, ["1 aaaaa…", "2 aaaaa…"]),
    ],
)
def test_names_are_short_and_remain_different(names, width, short):
    found = short_names(names, width)
    assert found == short
    assert max(map(cell_len, found)) <= width


# The commands, of every config


@pytest.fixture(scope="module")
def saved(minis, tmp_path_factory):
    """Save two systems of each config: the sample, and the sample with answers of its neighbors."""
    made = tmp_path_factory.mktemp("results")
    folders = {}
    for name in config_names():
        lines = (SAMPLES / name / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        folders[name] = []
        for model, shift in (("DeepSeek-R1-Distill-Qwen-32B", 0), ("一个名称很长的中文医学大模型", 1)):
            texts = [row["prediction"] for row in rows]
            texts = texts[shift:] + texts[:shift]
            changed = [{**row, "prediction": text} for row, text in zip(rows, texts, strict=True)]
            folder = made / f"{name}-{shift}"
            score(name, changed, minis, model=model, bootstrap=50, save=folder)
            folders[name].append(str(folder))
    return folders


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("config", config_names())
def test_two_systems_of_every_config_fit(saved, config, name, capsys):
    few = ["--bootstrap", "50", "--permutations", "100", "--lang", name]
    assert main(["compare", *saved[config], *few]) == 0
    fits(capsys.readouterr().out, MOST["two"])


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("gate", [[], ["--fail-on-regression", "primary_metric:2", "--inconclusive", "pass"]])
def test_a_summary_of_all_configs_fits(saved, gate, name, capsys):
    every = [folder for folders in saved.values() for folder in folders]
    baseline = ["--baseline", "DeepSeek-R1-Distill-Qwen-32B"]
    for more in ([], baseline, [*baseline, *gate]):
        assert main(["summary", *every, *more, "--lang", name]) in {0, 1}
        text = capsys.readouterr().out
        fits(text, MOST["summary"])
    assert ("Regression check" in text.splitlines()[0] or "回退检查" in text.splitlines()[0]) == bool(gate)
