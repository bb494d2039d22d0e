"""The facts of TCMD's paper: its tables follow from whole numbers of questions, and the errata say what these say.

That the totals of Tables 2 and 3 are the sums of their parts (T2, T3) is seen where they are replayed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction

import pytest
from shares_of_counts import count, counts, thousandths
from written_tables import cells_of

from medzh_score.configs.tcmd.exam import REALMS
from medzh_score.scoring.paper import load_paper
from medzh_score.ui.cli import Parser

PAPER = load_paper("tcmd")
ROWS = {table.number: table.rows for table in PAPER.tables}
ERRATA = {erratum.id: erratum for erratum in PAPER.errata}
STATED = {statement.name: statement.value for statement in PAPER.stated}
OF_REALM = {"fot": 140, "cot": 20, "cpot": 300, "iwm": 120, "mh": 20}
OF_TYPE = {"a1": 212, "a2": 142, "a3": 102, "b1": 144}
GROUPS = {"a3": 34, "b1": 72}
ANSWERED = [row for row in ROWS[2] if row["total"] is not None]
DIGITS = r"[01]\.\d{3}"
CELLS = {1: r"\d+/\d+", 2: rf"{DIGITS}|-", 3: DIGITS, 4: rf"{DIGITS}(\({DIGITS}\))?"}


def total_of(model, method):
    return next(row["total"] for row in ROWS[2] if (row["model"].lower(), row["method"]) == (model.lower(), method))


def exact(value):
    return Fraction(str(value))


def show(*words):
    parser = Parser(module="medzh_score.cli.papers:add_reported")
    arguments = parser.parse_args(["tcmd", *map(str, words)])
    assert arguments.run(arguments) == 0


def printed(capsys, number):
    """Give the cells of a table as the command prints them in Markdown, without the heads."""
    show("--table", number, "--to", "markdown")
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    return [cells_of(line) for line in lines[2:]]


# The paper's own numbers


def test_t1_table_1_follows_from_its_counts():
    assert len(ROWS[1]) == STATED["subjects"]
    ours = [(realm.short, subject.english.lower()) for realm in REALMS for subject in realm.subjects]
    assert [(row["realm"], row["subject"].lower()) for row in ROWS[1]] == ours
    for part in ("train", "test"):
        for row in ROWS[1]:
            assert sum(row[f"{kind}_{part}"] for kind in OF_TYPE) == row[f"total_{part}"]
        assert sum(row[f"total_{part}"] for row in ROWS[1]) == STATED[f"questions of the {part} set"]
    assert {kind: sum(row[f"{kind}_test"] for row in ROWS[1]) for kind in OF_TYPE} == OF_TYPE
    realms = Counter()
    for row in ROWS[1]:
        realms[row["realm"].lower()] += row["total_test"]
    assert realms == OF_REALM
    for realm in REALMS:
        share = Fraction(100 * realm.test, 600)
        assert abs(share - exact(STATED[f"share of {realm.english}, percent"])) <= Fraction(5, 1000)
    for number in (2851, 600, *OF_REALM.values(), *OF_TYPE.values()):
        assert f"{number:,}" in ERRATA["T1"].finding


def test_table_2_has_two_rows_a_model_of_which_one_is_dashes():
    assert [row["method"] for row in ROWS[2]] == ["ICL", "ICL+COT"] * 20
    (dashes,) = [row for row in ROWS[2] if row not in ANSWERED]
    assert {value for name, value in dashes.items() if name in {*OF_REALM, "total"}} == {None}
    assert (dashes["model"], dashes["method"]) == ("Huatuo-Llama-Med-Chinese", "ICL+COT")
    assert len(ANSWERED) * len(OF_REALM) == 195


def test_table_3_breaks_down_what_it_says():
    wanted = {(row["model"].lower(), row["method"]) for row in ANSWERED if row["total"] >= 0.5}
    assert {(row["model"].lower(), row["method"]) for row in ROWS[3]} == wanted
    assert len(ROWS[3]) * len(OF_TYPE) == 56


def test_t4_sub_questions_count():
    cells = [(kind, row[kind]) for row in ROWS[3] for kind in GROUPS]
    impossible = [(kind, value) for kind, value in cells if not counts(value, GROUPS[kind])]
    assert (len(impossible), len(cells)) == (16, 28)
    assert {("a3", 0.569), ("a3", 0.686), ("b1", 0.618), ("b1", 0.771)} <= set(impossible)
    assert ERRATA["T4"].finding.count("16 of the 28") == 1


def test_t5_minimum_that_is_no_share_of_120():
    (row,) = [row for row in ROWS[4] if not counts(row["consistency_min"], 120)]
    assert (row["model"], row["consistency_min"]) == ("Baichuan-13B-Base", 0.21)
    assert [thousandths(Fraction(variants, 120)) for variants in (25, 26)] == [208, 217]
    possible = [f"{part} of {n}" for n in range(1, 121) for part in counts(0.21, n)]
    assert possible == ["13 of 62", "17 of 81", "21 of 100", "22 of 105", "25 of 119"]
    assert all(text in ERRATA["T5"].finding for text in possible)


def test_t6_table_4_agrees_with_table_2():
    for row in ROWS[4]:
        low, high = (count(row[f"accuracy_{name}"], 600) for name in ("min", "max"))
        single = total_of(row["model"], "ICL")
        assert low <= count(single, 600) <= high, row
        assert abs(exact(single) - exact(row["accuracy_mean"])) <= Fraction(3, 2) * exact(row["accuracy_std"]), row
        assert low <= 600 * exact(row["accuracy_mean"]) <= high, row


def test_t7_accuracy_above_the_bound_of_letters_as_written():
    above = {}
    for row in ROWS[4]:
        bound = Fraction(24, 120) + 1 - exact(row["consistency_mean"])
        if exact(row["accuracy_mean"]) > bound:
            above[row["model"]] = f"{row['accuracy_mean']:.3f} over {float(bound):.3f}"
    assert list(above) == ["Baichuan2-13B-Base", "Baichuan2-7B-Base", "Qwen-14B-Chat", "InternLM2-Chat-7B"]
    assert all(f"{model} {figures}" in ERRATA["T7"].finding for model, figures in above.items())
    assert all(row["accuracy_mean"] <= row["consistency_mean"] for row in ROWS[4])  # as mapping back demands


def test_t8_odd_counts_of_b1():
    odd = [row["b1_train"] for row in ROWS[1] if row["b1_train"] % 2]
    assert len(odd) == 11
    assert f"({', '.join(map(str, odd))})" in ERRATA["T8"].finding
    for row in ROWS[1]:
        assert row["b1_test"] % STATED["sub-questions of a B1 question"] == 0
        for part in ("train", "test"):
            assert row[f"a3_{part}"] % STATED["sub-questions of an A3 question"] == 0


def test_t9_what_the_text_says_of_table_2():
    lowest = [row for row in ANSWERED if row["cot"] == min(row[realm] for realm in OF_REALM)]
    assert (len(lowest), len(ANSWERED)) == (27, 39)
    models = {row["model"] for row in ANSWERED if row["method"] == "ICL+COT"}
    gains = [total_of(model, "ICL+COT") - total_of(model, "ICL") for model in models]
    assert (sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains), len(gains)) == (8, 11, 19)
    passed = {row["model"] for row in ANSWERED if row["total"] > 0.6}
    assert len(passed) == STATED["models that pass"]
    assert passed == {"Moonshot-v1-8k*", "Baichuan2-13B-Base", "InternLM2-Chat-20B"}
    for method in ("ICL", "ICL+COT"):
        assert total_of("ChatGLM3-6B", method) < total_of("ChatGLM2-6B", method)
    assert "Qwen-14B-Chat" in {row["model"] for row in ROWS[4]}
    assert len(ROWS[4]) == STATED["models asked all variants"]


# How they are printed


@pytest.mark.parametrize(("number", "texts"), [(1, 1), (2, 3), (3, 2), (4, 1)])
def test_every_number_is_printed_with_the_digits_of_the_paper(number, texts, capsys):
    rows = printed(capsys, number)
    assert len(rows) == len(ROWS[number])
    for row, cells in zip(ROWS[number], rows, strict=True):
        assert cells[:texts] == list(row.values())[number == 1 :][:texts]
        assert all(re.fullmatch(CELLS[number], cell) for cell in cells[texts:])
        numbers = [value for value in row.values() if not isinstance(value, str)]
        shown = [part for cell in cells[texts:] for part in re.findall(r"[\d.]+|-", cell)]
        assert [None if part == "-" else Fraction(part) for part in shown] == [
            None if value is None else exact(value) for value in numbers
        ]


def test_cells_are_printed_as_in_the_paper(capsys):
    assert printed(capsys, 1)[0] == ["Fundamental Theory of TCM", "259/25", "3/0", "0/0", "87/10", "349/35"]
    assert printed(capsys, 2)[3][2:] == ["ICL+COT", "0.350", "0.000", "0.310", "0.250", "0.550", "0.305"]
    assert printed(capsys, 2)[-1] == ["Huatuo-Llama-Med-Chinese", "TCM", "ICL+COT", *"------"]
    assert printed(capsys, 3)[2] == ["moonshot-v1-8k*", "ICL", "0.741", "0.746", "0.686", "0.590"]
    accuracy, consistency = ["0.593(0.016)", "0.560", "0.633"], ["0.767(0.224)", "0.200", "1.000"]
    assert printed(capsys, 4)[0] == ["Baichuan2-13B-Base", *accuracy, *consistency]


def test_models_that_are_marked_as_commercial():
    marked = {row["model"] for row in ROWS[2] if row["model"].endswith("*")}
    assert marked == {"ChatGPT4*", "GPT-35-turbo-instruct*", "Moonshot-v1-8k*"}
    assert {row["model"] for row in ROWS[3] if row["model"].endswith("*")} == {"ChatGPT4*", "moonshot-v1-8k*"}


def test_every_form_prints_three_decimals(tmp_path, capsys):
    for form, wanted in (("text", "0.550   0.350"), ("latex", "0.550 & 0.350")):
        show("--table", 2, "--to", form)
        assert wanted in capsys.readouterr().out
    out = tmp_path / "tables.json"
    show("--to", "json", "--out", out)
    facts = json.loads(out.read_bytes())
    assert facts["decimals"] == 3
    assert [len(table["rows"]) for table in facts["tables"]] == [18, 40, 14, 8]
    column = {"name": "accuracy_mean", "head": "Accuracy Mean(STD)", "beside": "accuracy_std", "metric": "accuracy"}
    assert facts["tables"][3]["columns"][1] == {**column, "between": "(", "suffix": ")"}
    assert facts["decoding"] == {"do_sample": False, "max_new_tokens": 128, "seed": 0}
