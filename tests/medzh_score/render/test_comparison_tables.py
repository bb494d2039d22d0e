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

from medzh_score.render.compare import rendered, rendered_for_paper
from medzh_score.render.display import DisplayOptions, p_value, read_names
from medzh_score.stats.pairwise import Bounds, MetricComparison
from medzh_score.ui.errors import MedzhError

FORMS = ("text", "markdown", "latex")


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
    [(None, "-"), (1.0, "1.0000"), (0.05, "0.0500"), (0.03125, "0.0313"), (0.0001, "0.0001"), (0.00009, "<0.0001")],
)
def test_p_is_never_written_as_none(p, written):
    assert p_value(p) == written


def test_the_table_of_systems_by_hand():
    """Source: the numbers of `three_systems`, rounded half up by hand."""
    text = rendered(three_systems(), "text", DisplayOptions())
    expected = {
        "glm_4%": (
            "71.01|64.40 to 76.80|2|1 to 2|1|1.50",
            "-2.50†|-5.50 to 0.51|0.3100|0.3100|30/20/150|4.20|-4.00 to 0.50",
        ),
        "qwen&co": ("73.50|67.00 to 79.10|1|1 to 2|1|0.00", "-|-|-|-|-|-|-"),
        "甲模型": ("51.00|44.10 to 57.80|3|3 to 3|2|0.50", "-22.50|-25.50 to -19.50|<0.0001|<0.0001|5/50/145|4.20|-"),
    }
    for name, tables in expected.items():
        assert rows_of(text, name) == [[name, *cells.split("|")] for cells in tables]
    assert "minus qwen&co" in text
    assert text.startswith("sdak, rule medzh-1: 3 systems on 200 units, each with qwen&co\n")


def test_groups_stand_in_a_table_of_their_own():
    made = three_systems()
    groups = [replace(made.found[0], breakdown="type", group=name) for name in ("病因", "治疗")]
    made = replace(made, found=(*made.found, *groups))
    text = rendered(made, "text", DisplayOptions())
    assert len(rows_of(text, "病因")) == len(rows_of(text, "治疗")) == 6
    assert "FactAcc ↑ (percent), by type" in text
    assert [row["group"] for row in csv_rows(made)] == [""] * 3 + ["病因"] * 3 + ["治疗"] * 3


def test_what_lacks_is_said_with_its_reason():
    none = replace(value(None), why="no pair was followed")
    lone = difference("b", "a", 0.0, low=None, high=None, p=None, corrected=None, test=None, why="all are undefined")
    lone = replace(lone, value=None, won=None, lost=None, tied=None, detectable=None)
    standings = (standing("a", value(50.0, 40, 60), (1, 1, 1)), standing("b", none, (None, None, None)))
    made = comparison("ab", (MetricComparison("AccR", "", "", "a", standings, (lone,), (("a",),), "holm", 1, 10_000),))
    text = rendered(made, "text", DisplayOptions())
    assert rows_of(text, "b ") == [["b", *"-" * 5, "0.00"], ["b", *"-" * 7]]
    assert "AccR: no pair was followed: b" in text
    assert "AccR: all are undefined: b minus a" in text


# All pairs


def test_few_systems_are_listed_as_pairs():
    text = rendered(all_pairs(4), "text", DisplayOptions())
    listed = rows_of(text, "m0")[4:]
    assert [row[:2] for row in listed] == [[f"m0{one}", f"m0{two}"] for one in range(4) for two in range(one + 1, 4)]
    assert [row[5] for row in listed] == ["0.5000", "0.0400", "0.0400", "0.5000", "0.0400", "0.5000"]


def test_many_systems_are_a_triangle_of_the_first_ten():
    made = all_pairs(40)
    text = rendered(made, "text", DisplayOptions())
    last = next(line.split() for line in text.splitlines() if re.match(r" 10 +m09", line))
    assert last == ["10", "m09", *"<" * 8, "="]
    assert "pairs of the first 10 systems; 30 are left out: --to json and --to csv have all" in text.replace(
        "\n  ", " "
    )
    assert not re.search(r"^ 11 ", text, re.MULTILINE)
    assert sum(row["kind"] == "pair" for row in csv_rows(made)) == 40 * 39 / 2


@pytest.mark.parametrize(
    ("of", "corrected", "sign"), [(2.0, 0.05, "<"), (-2.0, 0.01, ">"), (2.0, 0.051, "="), (0.0, 0.01, "=")]
)
def test_signs_of_a_triangle(of, corrected, sign):
    """The row is the second system: it is lower where the first minus the second is positive."""
    made = all_pairs(9)
    first, *others = made.found[0].differences
    changed = replace(made.found[0], differences=(replace(first, value=of, corrected=corrected), *others))
    text = rendered(replace(made, found=(changed,)), "text", DisplayOptions())
    assert next(line.split() for line in text.splitlines() if re.match(r" 2 +m01", line)) == ["2", "m01", sign]


# Marks, cautions, allowed keys


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("draw", [rendered, rendered_for_paper])
def test_the_dagger_is_explained_in_every_form_and_only_where_it_stands(form, draw):
    made = three_systems()
    sign = r"\textdagger{}" if form == "latex" else "†"
    text = unfolded(draw(made, form, DisplayOptions(caption="both")))
    assert "depends on unread answers" in text
    assert "取决于未读出的回答" in re.sub(r"\s", "", text)
    assert sign in text
    (found,) = made.found
    clean = replace(found, differences=tuple(replace(one, bounds=Bounds(-9, -1)) for one in found.differences))
    assert sign not in draw(replace(made, found=(clean,)), form, DisplayOptions(caption="both"))


@pytest.mark.parametrize(
    ("caption", "there", "absent"),
    [
        (
            "en",
            [
                "corrected for multiple comparisons by Holm, a family of 2",
                "200 units of",
                "n = 200 items.",
                "Decoding: temp",
            ],
            ["检验"],
        ),
        (
            "zh",
            [
                "显著性检验",
                "近似随机化（置换）检验",
                "p 值经多重比较校正：Holm 法，比较族含 2 个比较",
                "的 200 个单元，n = 200 个条目。",
            ],
            ["corr"],
        ),
        (
            "both",
            ["Unread: 0.00 to 1.50 % of what is counted", "计入的部分中未读出的占 0.00 至 1.50%", "解码设置：temp"],
            [],
        ),
    ],
)
def test_captions_name_test_correction_family_n_rule_unread_and_decoding(caption, there, absent):
    text = rendered_for_paper(three_systems(), "markdown", DisplayOptions(caption=caption)).replace("\\", "")
    for words in [*there, "medzh-1+89abcdef"]:
        assert words in text
    assert not [words for words in absent if words in text]


def test_a_paragraph_on_methods_has_the_numbers_of_the_comparison():
    text = rendered(three_systems(left_out=7), "markdown", DisplayOptions(caption="both", methods=True))
    english = next(line for line in text.splitlines() if line.startswith("We compared"))
    chinese = next(line for line in text.splitlines() if line.startswith("我们在"))
    for words in (
        *("3 systems", "200 units of sdak", "n = 200 items", "10,000 draws, seed 0", "4.20 (FactAcc)"),
        *("1,000 resamples", "7 units"),
    ):
        assert words in english
    for words in (
        *("3 个系统", "200 个单元", "随机抽取 10000 次，种子 0", "4.20（FactAcc）", "重抽样 1000 次", "7 个单元"),
    ):
        assert words in chinese
    assert "We compared" not in rendered(three_systems(), "markdown", DisplayOptions())


# The table of a paper


def test_the_table_of_a_paper_by_hand():
    text = rendered_for_paper(
        three_systems(printed=(printed(FactAcc=65.42),)), "markdown", DisplayOptions(order="FactAcc")
    )
    assert [line for line in text.splitlines() if line.startswith("| ")] == [
        *("| system | FactAcc ↑ |", "| --- | ---: |", "| qwen&co | **73.50** <sub>[67.00, 79.10]</sub> |"),
        *("| glm\\_4% | 71.01≈† <sub>[64.40, 76.80]</sub> |", "| 甲模型 | 51.00 <sub>[44.10, 57.80]</sub> |"),
        *("| *printed* |  |", "| GPT-4 (Table 4) | 65.42 |"),
    ]


@pytest.mark.parametrize("form", FORMS)
def test_a_printed_row_stands_apart_and_is_never_bold(form):
    made = three_systems(printed=(printed(FactAcc=99.0),))
    text = rendered_for_paper(made, form, DisplayOptions())
    line = next(line for line in text.splitlines() if "GPT-4" in line and "99.00" in line)
    assert "**" not in line
    assert "textbf" not in line
    assert text.index("99.00") > text.index("44.10")
    assert "another sample, another rule" in text


def test_names_digits_and_order():
    names = {"glm_4%": "GLM-4", "nobody": "x"}
    text = rendered_for_paper(three_systems(), "markdown", DisplayOptions(names=names, digits=1, order="FactAcc"))
    cells = [line.split(" | ")[0].removeprefix("| ") for line in text.splitlines() if "<sub>" in line]
    assert cells == ["qwen&co", "GLM-4", "甲模型"]
    assert "71.0≈†" in text
    assert "glm" not in text


def test_what_cannot_be_shown_is_refused():
    with pytest.raises(MedzhError, match="--order: no such metric is compared; expected given or one of FactAcc"):
        rendered(three_systems(), "text", DisplayOptions(order="F1"))
    with pytest.raises(MedzhError, match="--labels: two systems would be shown under one name"):
        rendered(three_systems(), "text", DisplayOptions(names={"glm_4%": "甲模型"}))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("label,name\na,A\na,B\n", "names.csv:3: field label: the label stands there twice"),
        ("label,name\na,\n", "names.csv:2: field name: is empty"),
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
    expected = [half_up(number, digits) for number in shown] + [half_up(ours["unread"], 2)]
    expected += [half_up(number, digits) for number in changed]
    expected += [half_up(number, 4) for number in (one["p"], one["corrected"])]
    expected += [half_up(number, digits) for number in wide]
    for form in FORMS:
        text = (
            rendered(made, form, DisplayOptions(digits=digits))
            .replace("$-$", "-")
            .replace("†", "")
            .replace(r"\textdagger{}", "")
        )
        lines = [line for line in text.splitlines() if re.match(r"(?: |\| )?a\b.*(30/20/150|12\.35)", line)]
        line = re.sub(r"\b1\b[ |&-]+1(?: to |--)2[ |&-]+", "", " ".join(lines).replace("30/20/150", ""))
        assert [Decimal(number) for number in re.findall(r"-?\d+(?:\.\d+)?", line)] == expected
    row = csv_rows(made)[0]
    assert [float(row[name]) for name in ("value", "low", "high", "difference", "detectable", "bounds_low")] == [
        *shown,
        changed[0],
        *wide[:2],
    ]
    assert other["value"]["value"] == high
