"""Tables in the width of a terminal: no line is wider, no word is cut, and no number is missing without being named."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import SAMPLES
from rich.cells import cell_len
from scored_minis import scored_mini

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.benchmark.tables import Table
from medzh_score.command_line import main
from medzh_score.messages.languages import results_in
from medzh_score.report.check import check
from medzh_score.report.numbers import cell
from medzh_score.report.paper import load_paper, reported_tables
from medzh_score.show.checks import rendered_check
from medzh_score.show.reports import rendered, tables_of
from medzh_score.show.tables import as_latex, as_markdown, as_text
from medzh_score.show.widths import UNLIMITED
from medzh_score.show.wrapping import in_lines, wrapped

WIDTHS = (60, 80, 100, 200)
BESIDE = {"95% interval", "std", "n"}
WORD = re.compile(r"[!-{}~]+")  # ASCII but spaces and bars, beside which lines may break
LEFT_OUT = re.compile(r"^left out for \d+ columns: (.+)\Z", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module", params=config_names())
def report(request, minis):
    return scored_mini(request.param, minis)


def words(text):
    return Counter(WORD.findall(text))


def names_of(columns):
    """Name each column as a reader would: one whose head comes again by the value that it stands beside."""
    names, value = [], ""
    for head in columns:
        value = value if head in BESIDE else head
        names.append(head if columns.count(head) == 1 else f"{value} {head}".strip())
    return names


def check_drawn(table, drawn, decimals, width):
    """Hold a drawing against its table; give the names of what was left out."""
    assert max(map(cell_len, drawn.splitlines())) <= width
    found = LEFT_OUT.search(drawn)
    missing = [] if found is None else " ".join(found[1].split()).split(", ")
    names = names_of(table.columns)
    assert set(missing) <= set(names)
    drawn = drawn if found is None else drawn[: found.start()]
    kept = [place for place, name in enumerate(names) if name not in missing]
    cells = [cell(row[place], decimals) for row in table.rows for place in kept]
    expected = words(" ".join((table.title, *(table.columns[place] for place in kept), *cells)))
    numbers = {str(number) for number in range(1, len(table.rows) + 1)} | {"row"} if "\n row " in drawn else set()
    assert expected <= words(drawn)
    assert words(drawn).keys() - expected.keys() <= numbers
    return missing


@pytest.mark.parametrize("width", WIDTHS)
def test_tables_of_all_samples_fit(report, width):
    for table in tables_of(report):
        missing = check_drawn(table, as_text(table, 2, width), 2, width)
        assert all(name.endswith(("interval", "std", "n")) for name in missing), missing


@pytest.mark.parametrize("width", WIDTHS)
def test_reports_of_all_samples_fit(report, width):
    """But for a word that is itself wider, such as a hash."""
    for line in rendered(report, "text", width).splitlines():
        assert cell_len(line) <= width or not line.strip().replace("|", " ").strip(" ").count(" "), line


def test_what_checking_says_of_all_samples_fits(minis):
    for config in config_names():
        found = check(config, [SAMPLES / config / "predictions.jsonl"], minis)
        for width in WIDTHS:
            assert max(map(cell_len, rendered_check(found, "text", width).splitlines())) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_tables_of_all_papers_fit(width):
    for config in config_names():
        paper = load_paper(config)
        for table in reported_tables(paper):
            drawn = as_text(table, paper.decimals, width)
            assert check_drawn(table, drawn, paper.decimals, width) == []


def test_without_a_limit_every_row_is_a_line(report):
    for table in tables_of(report):
        drawn = as_text(table, 2)
        assert len(drawn.splitlines()) == len(table.rows) + 3
        assert check_drawn(table, drawn, 2, UNLIMITED) == []


TEXTS = st.text(alphabet="abz 0.9儿科热，。（", min_size=1, max_size=60).map(lambda text: " ".join(text.split()) or "-")
SHORT = TEXTS.filter(lambda text: max(map(len, text.split())) <= 15)
CELLS = st.one_of(SHORT, st.integers(-9999, 9999), st.floats(-100, 100), st.none(), st.just("12.34 to 56.78"))
HEADS = st.lists(st.sampled_from(["value", "95% interval", "std", "n", "what", "名称", "a longer head"]), min_size=1)


@st.composite
def tables(draw):
    columns = tuple(draw(HEADS.map(lambda heads: heads[:9])))
    rows = draw(st.lists(st.tuples(*(CELLS for _ in columns)), max_size=5))
    return Table("A title of some words", columns, tuple(rows))


@given(tables(), st.integers(40, 130))
def test_any_table_fits(table, width):
    drawn = as_text(table, 2, width)
    assert max(map(cell_len, drawn.splitlines())) <= width
    given_words = words(" ".join((table.title, *table.columns, *(cell(c, 2) for row in table.rows for c in row))))
    extra = {"row", "left", "out", "for", "columns", str(width), *map(str, range(1, 6))}
    left_out = drawn.partition("left out for")[2]
    marks = ",;:"  # of lists of what is left out, and of what is said by number
    assert {word.rstrip(marks) for word in words(drawn)} <= {word.rstrip(marks) for word in given_words} | extra
    if not left_out:
        assert given_words <= words(drawn)


def test_what_is_beside_a_value_goes_in_a_fixed_order():
    columns = ("metric", "value", "95% interval", "std", "n")
    table = Table("T", columns, (("a" * 14, "12.34%", "10.00 to 20.00", "0.12", 7),))
    for width, missing in (
        (52, ""),
        (51, "n"),
        (48, "n"),
        (47, "std, n"),
        (41, "std, n"),
        (40, "95% interval, std, n"),
    ):
        assert " ".join(as_text(table, 2, width).partition("columns: ")[2].split()) == missing, width


def test_a_value_keeps_what_is_beside_it_in_its_block():
    columns = ("type", "IFR", "95% interval", "n", "FactAcc", "95% interval", "n")
    rows = (("Disease-Cause", "83.33%", "43.65 to 96.99", 6, "50.00%", "18.76 to 81.24", 6),)
    assert as_text(Table("By type", columns, rows), 2, 60) == (
        "By type\n"
        " type            IFR      95% interval     n\n"
        " ───────────────────────────────────────────\n"
        " Disease-Cause   83.33%   43.65 to 96.99   6\n"
        "\n"
        " type            FactAcc   95% interval     n\n"
        " ────────────────────────────────────────────\n"
        " Disease-Cause   50.00%    18.76 to 81.24   6\n"
    )


def test_rows_are_numbered_where_what_tells_them_apart_takes_the_room():
    rows = (("x" * 39, 1.0), ("y" * 39, 2.0))
    assert as_text(Table("T", ("id", "share"), rows), 2, 47) == (
        "T\n"
        " row   id\n"
        " ─────────────────────────────────────────────\n"
        f"   1   {'x' * 39}\n"
        f"   2   {'y' * 39}\n"
        "\n"
        " row   share\n"
        " ───────────\n"
        "   1    1.00\n"
        "   2    2.00\n"
    )


def test_what_told_the_rows_apart_and_has_no_room_is_said_by_number():
    table = Table("T", ("system", "share"), (("x" * 50, 1.0), ("y", 2.0)))
    assert as_text(table, 2, 40) == (
        "T\n"
        " row   share\n"
        " ───────────\n"
        "   1    1.00\n"
        "   2    2.00\n"
        f"system: 1\n  {'x' * 50};\n  2 y\n"
        "left out for 40 columns: system\n"
    )


def test_a_column_without_room_that_only_looks_like_one_that_tells_rows_apart_is_not_said_by_number():
    """The second std has the cells of the first, which stands in each block."""
    columns = ("value", "value", "std", "value", "value", "value", "value", "value", "std")
    table = Table("T", columns, (("0", "0", "0", "0", None, *"0000"), ("0", "0", "0", "9", None, "0", "0", None, "0")))
    drawn = as_text(table, 2, 40)
    assert "std: " not in drawn
    assert drawn.endswith("left out for 40 columns: value std\n")


def test_what_has_no_room_at_all_is_named():
    table = Table("T", ("what", "where"), (("a", "/" * 60),))
    assert as_text(table, 2, 40) == "T\n what\n ────\n a\nleft out for 40 columns: where\n"


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


def test_a_short_head_of_chinese_is_not_folded():
    table = Table("T", ("system", "corrected p"), (("A", 0.5),))
    with results_in("zh"):
        assert as_text(table, 2, 14) == "T\n        校正后\n 系统     的 p\n ─────────────\n A        0.50\n"


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_the_list_of_configs_fits(capfdbinary, width):
    assert main(["configs", "--width", str(width)]) == 0
    printed = capfdbinary.readouterr().out.decode()
    assert max(map(cell_len, printed.splitlines())) <= width
    for config in map(find_config, config_names()):
        parts = (config, *config.rules, *config.prompts, *config.every_round)
        assert {config.title.split()[-1], *(part.name for part in parts)} <= set(printed.replace(",", " ").split())


def test_the_list_of_configs_fits_eighty_columns_in_a_pipe(capfdbinary):
    assert main(["configs"]) == 0
    assert max(map(cell_len, capfdbinary.readouterr().out.decode().splitlines())) <= 80


# Signs of other forms


def test_a_row_that_begins_with_a_bracket_is_no_argument_of_the_row_before():
    assert "\n{[}2pt] & a \\\\\n{*}x & b \\\\\n" in as_latex(Table("T", ("id", "v"), (("[2pt]", "a"), ("*x", "b"))))


def test_markdown_reads_no_sign_of_a_cell():
    assert as_markdown(Table("_T_", ("id",), (("a*b_c<d>|e\\\nf",),))).splitlines() == [
        r"**\_T\_**",
        "",
        "| id |",
        "| --- |",
        r"| a\*b\_c\<d\>\|e\\ f |",
    ]
