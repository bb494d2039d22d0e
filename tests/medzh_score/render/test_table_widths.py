"""Tables in the width of a terminal: no line is wider, and nothing is missing."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from scored_minis import scored_mini

from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.cli.main import main
from medzh_score.render.report import rendered, tables_of
from medzh_score.render.tables import as_latex, as_markdown, as_text, in_lines, wrapped
from medzh_score.scoring.paper import load_paper, reported_tables
from medzh_score.ui.numbers import cell

WIDTHS = (60, 100)


@pytest.fixture(scope="module", params=config_names())
def report(request, minis):
    return scored_mini(request.param, minis)


def letters(text):
    """Count characters but spaces and lines, which folding adds and takes away."""
    return Counter(re.sub(r"[\s─]", "", text))


def check_drawn(table, drawn, decimals, width):
    assert max(map(cell_len, drawn.splitlines())) <= width
    cells = [one if isinstance(one, str) else cell(one, decimals) for row in table.rows for one in row]
    assert letters(drawn) == letters(" ".join((table.title, *table.columns, *cells)))


@pytest.mark.parametrize("width", WIDTHS)
def test_tables_of_all_samples_fit(report, width):
    for table, decimals in tables_of(report):
        check_drawn(table, as_text(table, decimals, width), decimals, width)


@pytest.mark.parametrize("width", WIDTHS)
def test_reports_of_all_samples_fit(report, width):
    """But for a word that is itself wider, such as a hash."""
    for line in rendered(report, "text", width).splitlines():
        assert cell_len(line) <= width or not line.strip().replace("|", " ").strip(" ").count(" "), line


@pytest.mark.parametrize("width", WIDTHS)
def test_tables_of_all_papers_fit(width):
    for config in config_names():
        paper = load_paper(config)
        for table in reported_tables(paper):
            drawn = as_text(table, paper.decimals, width)
            check_drawn(table, drawn, paper.decimals, width)


TEXTS = st.text(alphabet="abz 0.9儿科热，。（", min_size=1, max_size=60).map(lambda text: " ".join(text.split()) or "-")
CELLS = st.one_of(TEXTS, st.integers(-9999, 9999), st.floats(-100, 100), st.none(), st.just("12.34 to 56.78"))
HEADS = st.lists(st.sampled_from(["value", "95% interval", "std", "n", "what", "名称", "a longer head"]), min_size=1)


@st.composite
def tables(draw):
    columns = tuple(draw(HEADS.map(lambda heads: heads[:12])))
    rows = draw(st.lists(st.tuples(*(CELLS for _ in columns)), max_size=5))
    return Table("A title of some words", columns, tuple(rows))


@given(tables(), st.integers(60, 130))
def test_any_table_fits(table, width):
    check_drawn(table, as_text(table, 2, width), 2, width)


def test_texts_are_folded_in_their_columns_and_numbers_stay_whole():
    table = Table(
        "T", ("system", "what", "n"), (("x" * 12, "some words and more", 7), ("y", "儿科内分泌与代谢性疾病", 12))
    )
    assert as_text(table, 2, 36) == (
        "T\n"
        " system         what               n\n"
        " ───────────────────────────────────\n"
        " xxxxxxxxxxxx   some words and     7\n"
        "                more\n"
        " y              儿科内分泌与代    12\n"
        "                谢性疾病\n"
    )


def test_chinese_breaks_between_characters_but_not_before_a_mark():
    assert in_lines("儿科热。儿科热，儿科热", 8).split("\n  ") == ["儿科", "热。儿", "科热，", "儿科热"]


@given(st.lists(st.sampled_from(["甲", "乙）", "（丙", "（丁）。", "戊”，", "己/"]), max_size=20), st.integers(10, 30))
def test_no_line_begins_with_a_mark_that_closes_or_ends_with_one_that_opens(parts, width):
    text = "".join(parts)
    for broken in (wrapped(text, width), in_lines(text, width)):
        lines = [line.strip() for line in broken.split("\n")]
        assert "".join(lines) == text
        assert all(cell_len(line) <= width for line in lines)
        assert [line for line in lines if re.search(r"^[）”，。/]|（$", line)] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_list_of_configs_fits(capfdbinary, width):
    assert main(["configs", "--width", str(width)]) == 0
    printed = capfdbinary.readouterr().out.decode()
    assert max(map(cell_len, printed.splitlines())) <= width
    if width > 60:  # there, long names are folded, too
        configs = [find_config(name) for name in config_names()]
        parts = [part.name for one in configs for part in (one, *one.rules, *one.prompting.templates, *one.every_stage)]
        assert {*parts, *(one.title.split()[-1] for one in configs)} <= set(printed.replace(",", " ").split())


# Signs of other forms


def test_a_row_that_begins_with_a_bracket_is_no_argument_of_the_row_before():
    assert "\n{[}2pt] & a \\\\\n{*}x & b \\\\\n" in as_latex(Table("T", ("id", "v"), (("[2pt]", "a"), ("*x", "b"))))


def test_markdown_reads_no_sign_of_a_cell():
    assert as_markdown(Table("_T_", ("id",), (("a*b_c<d>|e\\\nf",),))).splitlines() == [
        *(r"**\_T\_**", "", "| id |", "| --- |", r"| a\*b\_c\<d\>\|e\\ f |")
    ]
