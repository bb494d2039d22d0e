"""The facts of PeMeBench's paper: its tables come back as printed, and the errata say what these say."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest
from places import CASE_FILES
from scipy.stats import pearsonr
from tool_runs import lines_of
from written_tables import cells_of

from medzh_score.configs.pemebench.prompts import DEPARTMENTS, TASKS, task_named
from medzh_score.scoring.paper import load_paper, reported_tables
from medzh_score.ui.cli import Parser
from medzh_score.ui.errors import MedzhError

CONFIGS = ("pemebench", "pemebench_cmexam", "pemebench_medqa", "pemebench_huatuo")
PAPER = load_paper("pemebench")
ROWS = {table.number: table.rows for table in PAPER.tables}
ERRATA = {erratum.id: erratum for erratum in PAPER.errata}
STATED = {statement.name: statement.value for statement in PAPER.stated}
GRADES = {"OK", "PROVEN", "STRONG", "TEXT", "PROVEN/TEXT"}
# What the paper prints, cell by cell. In Table 4 the two zeros of BianQue2 stand for one cell of words.
PRINTED = lines_of(CASE_FILES / "pemebench_printed.jsonl")
CELLS = {number: [row["cells"] for row in PRINTED if row["table"] == number] for number in range(1, 6)}
MODELS_OF_TABLE_5 = (0, 2, 6, 7, 8, 9)  # their rows in Table 3
SIMILARITY = slice(1, 5)


def exact(cell):
    return Fraction(cell.rstrip("%"))


def column(number, index, rows=slice(None)):
    return [exact(row[index]) for row in CELLS[number][rows]]


def half_up(value, decimals):
    scaled = (2 * abs(value) * 10**decimals + 1) // 2
    return f"{'-' if value < 0 else ''}{int(scaled) / 10**decimals:.{decimals}f}"


def fits(cell, whole):
    """Tell whether a share of so many questions rounds, half up, to a printed percentage."""
    scale = 10 ** len(cell.partition(".")[2])
    printed = int(Fraction(cell) * scale)
    near = printed * whole // (100 * scale)
    counts = range(max(near - 1, 0), min(near + 2, whole) + 1)
    return any((200 * count * scale + whole) // (2 * whole) == printed for count in counts)


def shown(command, config, capsys, *words):
    parser = Parser(module=f"medzh_score.cli.papers:add_{command}")
    arguments = parser.parse_args([config, *map(str, words)])
    assert arguments.run(arguments) == 0
    return capsys.readouterr().out


def printed(capsys, config, number):
    """Give the cells of a table as the command prints them in Markdown, without the heads."""
    lines = shown("reported", config, capsys, "--table", number, "--to", "markdown").splitlines()
    rows = [line for line in lines if line.startswith("|")][2:]
    return [cells_of(row) for row in rows]


# What is printed


@pytest.mark.parametrize("number", CELLS)
def test_every_cell_comes_back_as_printed(number, capsys):
    assert printed(capsys, "pemebench", number) == CELLS[number]


@pytest.mark.parametrize("number", [1, 3, 4, 5])
def test_json_holds_numbers(number, tmp_path, capsys):
    shown("reported", "pemebench", capsys, "--table", number, "--to", "json", "--out", tmp_path / "t.json")
    facts = json.loads((tmp_path / "t.json").read_bytes())
    (table,) = facts["tables"]
    rows = [*table["rows"], *(row["cells"] for row in table.get("footer", ()))]
    for row, cells in zip(rows, CELLS[number], strict=True):
        numbers = [Fraction(str(value)) for value in row.values() if isinstance(value, int | float)]
        assert numbers == [Fraction(part) for cell in cells[1:] for part in re.findall(r"[\d.]+", cell)]
    assert facts["decimals"] == 2


def test_text_and_latex_print_the_same_digits(capsys):
    text = shown("reported", "pemebench", capsys, "--table", 3)
    assert re.search(r"ERNIE-Bot4\.0 +16\.67% +19\.95% +6\.56% +12\.31% +15% +36\.92% +45\.26%", text)
    latex = shown("reported", "pemebench", capsys, "--to", "latex")
    assert r"Baichuan2-13B-Chat & 8.53 & 14.14 & 1.76 & 10.43 & 53.2 & 47.99 \\" in latex
    assert r"Huatuo-26M & 简体中文 & 开放式问答 & 否 & \textgreater{}26 000 000+ (\textgreater{}30 000) &" in latex
    assert not re.search(r"(?<!\\)[%_#~^<>]", latex)


def test_heads_are_those_of_the_paper():
    heads = {table.title.partition(":")[0]: table.columns for table in reported_tables(PAPER)}
    assert heads["Table 3"] == (
        "模型名称", "BLEU", "R-1", "R-2", "R-L", "Hall_sentence", "Recall_entity", "S_total",
    )  # fmt: skip
    assert heads["Table 5"][1:] == (
        "BaiChuan2-7B-Chat", "Qwen-7B-Chat", "BianQue2 (7B)", "Spark3.5 Max", "ERNIE-Bot4.0", "ChatGPT- 3.5-turbo",
    )  # fmt: skip
    assert heads["Table 1"][5:] == ("平均样本长度/字符 Q", "平均样本长度/字符 A")


def test_table_1_has_our_departments_and_table_5_our_tasks():
    assert [row["class"] for row in ROWS[1]] == [department.name for department in DEPARTMENTS]
    assert {task_named(row["task"]) for row in ROWS[5]} == set(TASKS)
    assert STATED["tasks"] == len(TASKS)
    assert STATED["departments"] == len(DEPARTMENTS) - 2  # techniques and scales are classes beside them


def test_the_numbers_of_the_text():
    counts = {"diseases": 589, "techniques": 236, "medicines": 56, "scales": 70}
    pairs = {"question-answer pairs generated": 13_113, "question-answer pairs kept": 12_068}
    assert (counts | pairs).items() <= STATED.items()
    assert f"{STATED['question-answer pairs kept']:,}".replace(",", " ") == ROWS[2][-1]["size"]
    for name in ("CMExam", "MedQA"):
        (row,) = [row for row in ROWS[2] if row["dataset"].replace("CME", "CM") == name]
        assert f"{STATED[f'pediatric questions of {name}']:,}".replace(",", " ") == row["pediatric"]


@pytest.mark.parametrize("config", CONFIGS)
def test_facts_are_in_order(config):
    paper = load_paper(config)
    numbers = {table.number for table in paper.tables} | {int(number) for number in paper.left_out}
    assert paper.config == config
    assert numbers == {1, 2, 3, 4, 5}
    for found in [*paper.errata, *paper.tables]:
        assert set(found.sections) <= paper.sections.keys()
    assert {statement.section for statement in paper.stated} <= paper.sections.keys()
    for erratum in paper.errata:
        assert erratum.grade in GRADES
        assert set(erratum.tables) <= numbers
        assert erratum.finding.endswith(".")
    for table in paper.tables:
        for row in [*table.rows, *(footer.cells for footer in table.footer)]:
            assert {column.name for column in table.columns} <= row.keys()
            assert row.keys() == table.rows[0].keys()
    # Names and heads are printed in Chinese, but no sentence of the paper is.
    assert not re.search(r"[\u3400-\u9fff，]{17,}|。", repr(paper))


def test_errata_are_p1_to_p11():
    assert list(ERRATA) == [f"P{number}" for number in range(1, 12)]


# The configs of the three subsets


OWN = {"pemebench_cmexam": (0, [5]), "pemebench_medqa": (1, [6]), "pemebench_huatuo": (3, [1, 2, 3, 4])}


@pytest.mark.parametrize("config", OWN)
def test_a_subset_has_its_row_of_table_2_and_its_columns_of_table_4(config, capsys):
    row, columns = OWN[config]
    assert printed(capsys, config, 2) == [CELLS[2][row]]
    assert printed(capsys, config, 4) == [[cells[0], *(cells[index] for index in columns)] for cells in CELLS[4]]
    with pytest.raises(MedzhError, match="the table is left out here: it has nothing of this subset"):
        reported_tables(load_paper(config), 3)


@pytest.mark.parametrize("config", OWN)
def test_a_subset_cites_the_same_paper_and_names_the_set(config, capsys, tmp_path):
    paper = load_paper(config)
    assert paper.reference.fields == PAPER.reference.fields
    assert paper.sections == PAPER.sections
    assert re.search(r"; the questions are those of [\w-]+: cite its paper too", paper.reference.remark)
    text = shown("cite", config, capsys, "--data", tmp_path)
    assert r"\cite{pemebench}" in text.splitlines()[-1]
    assert {erratum.id for erratum in paper.errata} < ERRATA.keys()
    for erratum in paper.errata:
        assert erratum.grade == ERRATA[erratum.id].grade


def test_cite_names_the_authors_and_no_year_that_was_not_read(capsys, tmp_path):
    text = shown("cite", "pemebench", capsys, "--data", tmp_path)
    entry = re.search(r"@misc\{pemebench,\n(.*?)^\}$", text, re.MULTILINE | re.DOTALL).group(1)
    fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.MULTILINE))
    assert fields.keys() == {"author", "title", "doi", "language"}
    assert fields["doi"] == "10.11959/j.issn.2096-0271.2024058"
    assert fields["author"].split(" and ")[::6] == ["Zhang, Qian", "Li, Hui"]


# What the errata say


def similarity(cells):
    return sum(exact(cell) for cell in cells[SIMILARITY]) / 4


def test_p1_s_total_is_equation_3():
    for cells in CELLS[3]:
        hall, recall, total = map(exact, cells[5:])
        assert abs((similarity(cells) + recall + 100 - hall) / 3 - total) <= Fraction(5, 1000)
    first = CELLS[3][0]
    of_six = (4 * similarity(first) + exact(first[6]) + 100 - exact(first[5])) / 6
    assert half_up(of_six, 2) == "26.12"
    assert "26.12 where 40.55" in ERRATA["P1"].finding
    assert first[7] == "40.55%"


def test_p2_hall_is_a_share_of_240_cut_off():
    halls = [int(100 * hall) for hall in column(3, 5)]  # hundredths of a percent
    whole = {n: {10_000 * count // n for count in range(n + 1)} for n in range(1, 480)}
    assert [n for n, shares in whole.items() if shares.issuperset(halls)] == [240]
    counts = [next(count for count in range(241) if 10_000 * count // 240 == hall) for hall in halls]
    assert f"{', '.join(map(str, counts[:-1]))} and {counts[-1]} of 240" in ERRATA["P2"].finding
    assert [half_up(Fraction(100 * count, 240), 2) for count in (55, 100)] == ["22.92", "41.67"]
    assert STATED["question-answer pairs kept"] % 240
    assert not [n for n in range(1, 1500) if all(fits(f"{hall / 100:.2f}", n) for hall in halls)]


def test_p2_intervals_and_chance():
    halves = [196 * sqrt(hall / 100 * (1 - hall / 100) / 240) for hall in map(float, column(3, 5))]
    assert [round(half, 1) for half in (min(halves), max(halves))] == [4.5, 6.2]
    assert [round(half / 3, 1) for half in (min(halves), max(halves))] == [1.5, 2.1]
    totals = sorted(column(3, 7))
    steps = [high - low for low, high in pairwise(totals)]
    assert (sum(step < Fraction(3, 2) for step in steps), len(steps)) == (5, 9)
    one_in = Fraction(10_000, 240)  # of the percentages above 0 with two decimals
    assert (round(one_in), "one value in 42" in ERRATA["P2"].finding) == (42, True)
    assert 240 / one_in**10 < Fraction(1, 10**12)


def test_p3_no_task_reaches_the_whole():
    best = [max(column(5, index)) for index in range(1, 7)]
    totals = [column(3, 7)[row] for row in MODELS_OF_TABLE_5]
    assert all(task < total for task, total in zip(best, totals, strict=True))
    for low, high in ((min(best), max(best)), (min(totals), max(totals))):
        assert f"({half_up(low, 2)} to {half_up(high, 2)})" in ERRATA["P3"].finding
    ernie = CELLS[3][8]
    assert half_up((100 - exact(ernie[5])) / 3, 2) == "28.33"
    lowest = min(column(5, 5))
    assert half_up(100 - 3 * lowest, 2) == "42.04"
    assert half_up(100 + similarity(ernie) + exact(ernie[6]) - 3 * lowest, 2) == "92.83"
    assert all(number in ERRATA["P3"].finding for number in ("28.33", "42.04", "92.83", "19.32 to 29.48"))


def test_p4_five_cells_are_above():
    above = [
        (index, f"{huatuo[index]} over {ours[index].rstrip('%')}")
        for ours, huatuo in zip(CELLS[3], CELLS[4], strict=True)
        for index in range(1, 5)
        if exact(huatuo[index]) > exact(ours[index])
    ]
    assert sorted(index for index, _ in above) == [1, 1, 1, 1, 4]
    assert all(f"({figures})" in ERRATA["P4"].finding for _, figures in above)
    assert "Five of the 40" in ERRATA["P4"].finding


def accuracies(index):
    return [part for row in CELLS[4] for part in re.findall(r"\d+\.\d+", row[index])]


@pytest.mark.parametrize(
    ("index", "known", "best", "odd", "most"),
    [(5, "CMExam", 265, ["55.45"], []), (6, "MedQA", 496, ["47.99", "42.91"], [2976, 3472])],
)
def test_p5_no_number_of_questions_gives_all_accuracies(index, known, best, odd, most):
    cells = accuracies(index)
    assert [cell for cell in cells if not fits(cell, best)] == odd
    fitting = {n: sum(fits(cell, n) for cell in cells) for n in range(1, STATED[f"pediatric questions of {known}"] + 1)}
    fit = len(cells) - len(odd)
    assert f"{fit} of the {len(cells)}" in ERRATA["P5"].finding
    assert min(n for n, count in fitting.items() if count >= fit) == best
    assert [n for n, count in fitting.items() if count > fit] == most
    assert max(fitting.values()) < len(cells)
    assert all(n % best == 0 and f"{n:,}" in ERRATA["P5"].finding for n in most)


def test_p5_eight_of_nine_holds_only_where_53_2_is_read_with_one_decimal():
    cells = [cell if len(cell.partition(".")[2]) > 1 else f"{cell}0" for cell in accuracies(5)]
    assert [cell for cell in cells if not fits(cell, 265)] == ["53.20", "55.45"]
    fitting = {n: sum(fits(cell, n) for cell in cells) for n in range(1, STATED["pediatric questions of CMExam"] + 1)}
    assert max(fitting.values()) == 7
    for errata in ("pemebench", "pemebench_cmexam"):
        (found,) = [erratum for erratum in load_paper(errata).errata if erratum.id == "P5"]
        assert "with one decimal (141 of 265 is 53.21; read as 53.20 it is none, and 7 are)" in found.finding
    assert half_up(Fraction(100 * 141, 265), 2) == "53.21"


def test_p5_the_odd_ones_and_their_nearest_shares():
    for count, whole, nearest in ((147, 265, "55.47"), (238, 496, "47.98"), (213, 496, "42.94")):
        assert half_up(Fraction(100 * count, whole), 2) == nearest
        assert nearest in ERRATA["P5"].finding
    for errata, words in (("pemebench_cmexam", "147 of 265"), ("pemebench_medqa", "238 of 496")):
        (found,) = [erratum for erratum in load_paper(errata).errata if erratum.id == "P5"]
        assert words in found.finding


def test_p6_one_model_is_not_better_at_dosage():
    names = [row[0] for row in CELLS[5]]
    best = [names[column(5, index).index(max(column(5, index)))] for index in range(1, 7)]
    assert best == ["用药剂量", "用药剂量", "治疗方案", "用药剂量", "用药剂量", "用药剂量"]
    assert all(CELLS[5][row][3] in ERRATA["P6"].finding for row in (0, 1))


def test_p7_four_of_twenty_are_near_the_pass_mark():
    cells = [row[index].split()[0] for index in (5, 6) for row in CELLS[4]]
    near = [cell for cell in cells if 50 <= Fraction(cell) <= 70]
    assert (len(near), len(cells)) == (4, 20)
    assert "53.2, 55.45, 55.24 and 63.4" in ERRATA["P7"].finding
    assert sorted(near) == ["53.2", "55.24", "55.45", "63.4"]
    assert STATED["pass mark of multiple choice"] == 60


@pytest.mark.parametrize(("index", "correlation"), [(2, "-0.75"), (4, "-0.80")])
def test_p9_rouge_falls_where_the_recall_of_entities_rises(index, correlation):
    found = pearsonr(list(map(float, column(3, index))), list(map(float, column(3, 6)))).statistic
    assert f"{found:.2f}" == correlation
    assert correlation in ERRATA["P9"].finding
    opened = column(3, 6, slice(7))
    assert CELLS[3][opened.index(max(opened))][0] == "InternLM2-20B-Chat"
    assert min(column(3, 2)) == column(3, 2)[5]


def test_p10_the_last_row_of_table_1_agrees_with_the_others():
    whole = [exact(cell) for cell in CELLS[1][-1][1:]]
    above = [column(1, index, slice(12)) for index in range(1, 7)]
    assert whole[:2] == [min(above[0]), min(above[1])]
    assert whole[2:4] == [max(above[2]), max(above[3])]
    for mean, means, unweighted in zip(whole[4:], above[4:], ("22.2", "115.1"), strict=True):
        assert min(means) <= mean <= max(means)
        assert half_up(sum(means) / 12, 1) == unweighted
        assert unweighted in ERRATA["P10"].finding
