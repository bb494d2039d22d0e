"""A comparison as tables: cells by hand, every number that of the JSON, and marks in every form."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

import pytest
from compared import all_pairs, comparison, difference, printed, standing, three_systems, value
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.render.compare import rendered
from medzh_score.render.display import DisplayOptions, p_value, points, read_names
from medzh_score.stats.pairwise import Bounds, MetricComparison
from medzh_score.ui.errors import MedzhError

FORMS = ("text", "markdown", "latex")


def in_full(made, form, options=DisplayOptions()):  # noqa: B008 - frozen
    return rendered(made, form, options, "full")


def for_paper(made, form, options=DisplayOptions()):  # noqa: B008 - frozen
    return rendered(made, form, options, "paper")


def rows_of(text, first):
    """Give the cells of the rows of a drawn table that begin with a name."""
    return [re.split(r"\s{2,}", line.strip()) for line in text.splitlines() if line.strip().startswith(first)]


def unfolded(text):
    """Undo line breaks inside sentences."""
    return text.replace("\n  ", " ")


def csv_rows(made):
    return list(csv.DictReader(io.StringIO(rendered(made, "csv", DisplayOptions()).removeprefix("\ufeff"))))


# Cells


@pytest.mark.parametrize(
    ("p", "written"),
    [(None, "–"), (1.0, "1.000"), (0.05, "0.050"), (0.0315, "0.032"), (0.001, "0.001"), (0.00099, "<0.001")],
)
def test_p_is_never_written_as_none(p, written):
    assert p_value(p) == written


@pytest.mark.parametrize(
    ("of", "unit", "written"),
    [(0.072, "fraction", "+7.2"), (-7.25, "percent", "-7.3"), (0.04, "percent", "0.0"), (None, "percent", "–")],
)
def test_differences_are_points_with_a_sign(of, unit, written):
    assert points(of, unit) == written


def test_the_table_of_systems_by_hand():
    """Source: the numbers of `three_systems`, rounded half up by hand."""
    text = in_full(three_systems(), "text")
    expected = {
        "glm_4%": (
            "71.0|[64.4, 76.8]|2|[1, 2]|1|1.5",
            "-2.5 †|[-5.5, 0.5]|0.310|0.310|30/20/150|4.2|[-4.0, 0.5]",
        ),
        "qwen&co": ("73.5|[67.0, 79.1]|1|[1, 2]|1|0.0", "–|–|–|–|–|–|–"),
        "甲模型": ("51.0|[44.1, 57.8]|3|[3, 3]|2|0.5", "-22.5|[-25.5, -19.5]|<0.001|<0.001|5/50/145|4.2|–"),
    }
    for name, tables in expected.items():
        assert rows_of(text, name) == [[name, *cells.split("|")] for cells in tables]
    assert "minus qwen&co (pp)" in text
    assert text.startswith("sdak: 3 systems on the same 200 claim pairs, rule medzh-1, baseline qwen&co\n")


def test_groups_have_a_table_of_their_own():
    made = three_systems()
    groups = [replace(made.found[0], breakdown="type", group=name) for name in ("病因", "治疗")]
    made = replace(made, found=(*made.found, *groups))
    text = in_full(made, "text")
    assert len(rows_of(text, "病因")) == len(rows_of(text, "治疗")) == 6
    assert "FactAcc ↑ (%) by type" in text
    assert [row["group"] for row in csv_rows(made)] == [""] * 3 + ["病因"] * 3 + ["治疗"] * 3


def test_a_missing_value_has_its_reason():
    none = replace(value(None), unavailable_reason="no pair was annotated")
    lone = difference(
        "b", "a", 0.0, low=None, high=None, p=None, corrected=None, test=None, unavailable_reason="no test is possible"
    )
    lone = replace(lone, value=None, won=None, lost=None, tied=None, detectable=None)
    standings = (standing("a", value(50.0, 40, 60), (1, 1, 1)), standing("b", none, (None, None, None)))
    made = comparison("ab", (MetricComparison("AccR", "", "", "a", standings, (lone,), (("a",),), "holm", 1, 10_000),))
    text = in_full(made, "text")
    assert rows_of(text, "b ") == [["b", "–", "–", "-", "–", "-", "0.0"], ["b", *"–" * 7]]
    assert "AccR: no pair was annotated: b\n" in text
    assert "AccR: no test is possible: b minus a\n" in text
    both = replace(made.found[0], standings=tuple(replace(one, value=none) for one in standings), differences=())
    found = replace(made, found=(replace(made.found[0], metric="FactAcc"), both))
    assert "AccR: no pair was annotated\n" in in_full(found, "text")  # of all systems: nobody is named
    assert "AccR (%)" not in in_full(found, "text")


# All pairs


def test_few_systems_are_listed_as_pairs():
    text = in_full(all_pairs(4), "text")
    listed = rows_of(text, "m0")[4:]
    assert [row[:2] for row in listed] == [[f"m0{one}", f"m0{two}"] for one in range(4) for two in range(one + 1, 4)]
    assert [row[5] for row in listed] == ["0.500", "0.040", "0.040", "0.500", "0.040", "0.500"]


def test_many_systems_are_a_triangle_of_the_first_ten():
    made = all_pairs(40)
    text = in_full(made, "text")
    last = next(line.split() for line in text.splitlines() if re.match(r" 10 +m09", line))
    assert last == ["10", "m09", *"<" * 8, "="]
    assert "The table of pairs shows the first 10 systems. Use --to json or --to csv for the other 30." in unfolded(
        text
    )
    assert not re.search(r"^ 11 ", text, re.MULTILINE)
    assert sum(row["kind"] == "pair" for row in csv_rows(made)) == 40 * 39 / 2


@pytest.mark.parametrize(
    ("of", "corrected", "sign"), [(2.0, 0.05, "<"), (-2.0, 0.01, ">"), (2.0, 0.051, "="), (0.0, 0.01, "=")]
)
def test_signs_of_a_triangle(of, corrected, sign):
    """The row is the second system: it is lower if the first minus the second is positive."""
    made = all_pairs(9)
    first, *others = made.found[0].differences
    changed = replace(made.found[0], differences=(replace(first, value=of, corrected=corrected), *others))
    text = in_full(replace(made, found=(changed,)), "text")
    assert next(line.split() for line in text.splitlines() if re.match(r" 2 +m01", line)) == ["2", "m01", sign]


# Marks, captions, methods


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layout", ["screen", "full", "paper"])
def test_the_dagger_is_explained_in_every_form_and_only_if_it_is_used(form, layout):
    made = three_systems()
    sign = r"\textdagger{}" if form == "latex" else "†"
    assert "sensitive to unparsed answers" in unfolded(rendered(made, form, DisplayOptions(), layout))
    assert sign in rendered(made, form, DisplayOptions(), layout)
    (found,) = made.found
    clean = replace(found, differences=tuple(replace(one, bounds=Bounds(-9, -1)) for one in found.differences))
    assert sign not in rendered(replace(made, found=(clean,)), form, DisplayOptions(), layout)


@pytest.mark.parametrize("language", ["en", "zh", "both"])
def test_a_caption_names_metric_unit_systems_config_clusters_runs_and_rule(language):
    text = for_paper(three_systems(), "latex", DisplayOptions(caption=language))
    (caption,) = re.findall(r"\\caption\{(.*)\}", text)
    parts = {
        "en": "FactAcc (\\%, 95\\% CI) of 3 systems on sdak: 200 claim pairs, 1 run, rule medzh-1.",
        "zh": "3 个系统在 sdak 上的 FactAcc（\\%，95\\% CI）：200 对断言，1 次采样，提取规则 medzh-1。",
    }
    for name, part in parts.items():
        assert (part in caption) == (language in {name, "both"})


@pytest.mark.parametrize("count", [1, 3, 9])
def test_a_caption_has_at_most_forty_words(count):
    made = three_systems(printed=(printed(FactAcc=65.42),))
    made = replace(made, signature={**made.signature, "data": "1/mini/1"})
    made = replace(made, found=tuple(replace(made.found[0], metric=f"metric-{number}") for number in range(count)))
    (caption,) = re.findall(r"\\caption\{(.*)\}", for_paper(made, "latex"))
    assert len(caption.split()) <= 40, caption


def test_a_paragraph_on_methods_has_the_numbers_of_the_comparison():
    options = DisplayOptions(caption="both", methods=True)
    for layout in ("screen", "full", "paper"):
        text = rendered(three_systems(left_out=7), "markdown", options, layout).replace("\\", "")
        english = next(line for line in text.splitlines() if line.startswith("We compared"))
        chinese = next(line for line in text.splitlines() if line.startswith("我们在"))
        for words in (
            *("3 systems", "200 claim pairs of sdak", "10,000 permutations, seed 0", "4.2 pp (FactAcc)"),
            *(
                "1,000 resamples",
                "7 claim pairs that are not complete",
                "Holm's method, family of 2 comparisons",
                "medzh-1+89abcdef",
            ),
        ):
            assert words in english
        for words in (
            *("3 个系统", "200 对断言", "置换 10,000 次，随机种子 0", "4.2 个百分点（FactAcc）", "重抽样 1,000 次"),
            *("有 7 对断言", "Holm 法，共 2 次比较"),
        ):
            assert words in chinese


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"signature": {"shots": "0"}}, ("Prompt: unknown; shots: 0;", "提示词：未知；示例数：0；")),
        ({"signature": {}, "allowed": ("prompt",)}, ("Prompt: different; shots: unknown;", "提示词：各系统不同；")),
        ({"items": 300}, ("0123456789abcdef) (n = 200), with", "（n = 200）上")),
        ({"items": 200}, ("0123456789abcdef), with", "的 200 对断言上")),
    ],
)
def test_methods_state_settings_and_what_counts_where_it_is_not_all(changes, words):
    options = DisplayOptions(caption="both", methods=True)
    text = rendered(replace(three_systems(), **changes), "markdown", options, "paper").replace("\\", "")
    for one in words:
        assert one in text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layout", ["screen", "full", "paper"])
def test_methods_change_nothing_else(form, layout):
    made = three_systems()
    text = rendered(made, form, DisplayOptions(methods=True), layout)
    assert text.startswith(rendered(made, form, DisplayOptions(), layout))
    assert "We compared" not in rendered(made, form, DisplayOptions(), layout)


# The table of a paper


def test_the_table_of_a_paper_by_hand():
    text = for_paper(three_systems(printed=(printed(FactAcc=65.42),)), "markdown")
    assert [line for line in text.splitlines() if line.startswith("| ")] == [
        *("| system | FactAcc ↑ |", "| --- | ---: |", "| qwen&co | **73.5** (67.0–79.1) |"),
        *("| glm\\_4% | 71.0≈† (64.4–76.8) |", "| 甲模型 | 51.0 (44.1–57.8) |"),
        *("| *published* |  |", "| GPT-4 (Table 4) | 65.4 |"),
    ]


@pytest.mark.parametrize("form", FORMS)
def test_a_published_row_is_apart_and_never_bold(form):
    made = three_systems(printed=(printed(FactAcc=99.0),))
    text = for_paper(made, form)
    line = next(line for line in text.splitlines() if "GPT-4" in line and "99.0" in line)
    assert "**" not in line
    assert "textbf" not in line
    assert text.index("99.0") > text.index("44.1")
    assert "published rows, never tested" in text


def test_names_decimals_and_order():
    names = {"glm_4%": "GLM-4", "nobody": "x"}
    for order, expected in ((None, ["qwen&co", "GLM-4", "甲模型"]), ("given", ["GLM-4", "qwen&co", "甲模型"])):
        text = for_paper(three_systems(), "markdown", DisplayOptions(names=names, digits=2, order=order))
        assert [line.split(" | ")[0].removeprefix("| ") for line in text.splitlines() if "–" in line] == expected
        assert "71.01≈†" in text
        assert "glm" not in text


@pytest.mark.parametrize("form", FORMS)
def test_empty_metrics_are_dropped_and_other_rules_of_wide_tables(form):
    (found,) = three_systems().found
    none = replace(value(None), unavailable_reason="no pair was annotated")
    empty = tuple(replace(one, value=none, by_rules={"official": None}) for one in found.standings)
    beside = tuple(replace(one, by_rules={"official": 12.3}) for one in found.standings)
    several = [replace(found, metric=f"M{number}", standings=beside) for number in range(4)]
    made = replace(three_systems(), found=(*several, replace(found, metric="AccR", standings=empty, differences=())))
    text = for_paper(made, form)
    head = next(line for line in text.splitlines() if "M3" in line)
    assert "AccR" not in head
    assert head.count("official") == 1  # of the first metric
    assert "AccR: no pair was annotated" in text


@pytest.mark.parametrize("form", FORMS)
def test_groups_are_rows_if_there_are_more_than_systems(form):
    made = three_systems()
    groups = [replace(made.found[0], breakdown="type", group=f"group {number}") for number in range(5)]
    text = for_paper(replace(made, found=(*made.found, *groups)), form)
    assert len(re.findall(r"^[| ]*group \d", text, re.MULTILINE)) == 5
    text = for_paper(replace(made, found=(*made.found, *groups[:3])), form)
    assert not re.findall(r"^[| ]*group \d", text, re.MULTILINE)


def test_a_fraction_remains_one_in_the_table_of_a_paper_only():
    standings = (standing("a", value(0.4218, 0.35, 0.49, unit="fraction"), (1, 1, 1)),)
    found = MetricComparison("accuracy", "", "", None, standings, (), (), "holm", 1, 1)
    made = comparison("a", (found,), unit="fraction")
    text = for_paper(made, "markdown")
    assert "0.422 (0.350–0.490)" in text
    assert "fraction" in text
    for layout in ("screen", "full"):
        assert "42.2" in rendered(made, "text", DisplayOptions(), layout)


def test_options_that_fit_nothing_are_refused():
    with pytest.raises(
        MedzhError, match="--sort-by: the comparison does not include this metric: expected given or one of FactAcc"
    ):
        rendered(three_systems(), "text", DisplayOptions(order="F1"))
    with pytest.raises(MedzhError, match="--display-names: two systems have the same display name"):
        rendered(three_systems(), "text", DisplayOptions(names={"glm_4%": "甲模型"}))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("label,name\na,A\na,B\n", 'names.csv:3: field "label": the label is listed twice'),
        ("label,name\na,\n", 'names.csv:2: field "name": the cell is empty'),
        ("label\na\n", "name"),
    ],
)
def test_a_file_of_names_that_is_wrong_is_refused_by_line(content, message, tmp_path):
    path = tmp_path / "names.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(MedzhError, match=message):
        read_names(path)


# Every number is that of the JSON

NUMBERS = st.floats(-100, 100).filter(lambda x: abs(x) > 1e-9) | st.just(0.0)


def half_up(number, decimals):
    return Decimal(repr(number)).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP) + 0


@given(st.lists(NUMBERS, min_size=9, max_size=9), st.integers(0, 4))
def test_every_number_of_every_form_is_that_of_the_json(numbers, digits):
    of, low, high, change, least, most, detectable, floor, ceiling = numbers
    standings = (standing("a", value(of, low, high), (1, 1, 2), 12.345), standing("b", value(high), (2, 1, 2)))
    changes = (
        difference("a", "b", change, low=least, high=most, detectable=detectable, bounds=Bounds(floor, ceiling)),
    )
    found = MetricComparison("M", "", "", "b", standings, changes, (), "holm", 1, 10_000)
    made = comparison("ab", (found,))
    facts = json.loads(made.as_json())["found"][0]
    ours, other = facts["standings"]
    one = facts["differences"][0]
    shown = [ours["value"]["value"], ours["value"]["low"], ours["value"]["high"]]
    changed = [one["value"], one["low"], one["high"]]
    wide = [one["detectable"], one["bounds"]["low"], one["bounds"]["high"]]
    expected = [half_up(number, digits) for number in shown] + [half_up(ours["unparsed"], 1)]
    expected += [half_up(number, digits) for number in changed]
    expected += [half_up(number, 3) for number in (one["p"], one["corrected"])]
    expected += [half_up(number, digits) for number in wide]
    for form in ("text", "markdown"):
        text = in_full(made, form, DisplayOptions(digits=digits)).replace("†", "").replace("\\", "")
        lines = [line for line in text.splitlines() if re.match(r"(?: |\| )?a\b.*(30/20/150|12\.3)", line)]
        line = re.sub(r"\b1\b[ |-]+\[1, 2\][ |-]+", "", " ".join(lines).replace("30/20/150", ""))
        assert [Decimal(number) for number in re.findall(r"-?\d+(?:\.\d+)?", line)] == expected
    row = csv_rows(made)[0]
    assert [float(row[name]) for name in ("value", "low", "high", "difference", "detectable", "bounds_low")] == [
        *shown,
        changed[0],
        *wide[:2],
    ]
    assert other["value"]["value"] == high
