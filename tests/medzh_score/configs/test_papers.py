"""What papers print comes back as printed, in every form; what the errata and the text count is in the tables."""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction

import pytest
from places import CASE_FILES
from tables import case_tables
from tool_runs import lines_of
from written_tables import cells_of

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.cli.main import main
from medzh_score.configs.pemebench.prompts import DEPARTMENTS, TASKS, task_named
from medzh_score.configs.tcmd.exam import REALMS
from medzh_score.io.paths import package_file
from medzh_score.scoring.paper import load_paper, reported_tables
from medzh_score.ui.errors import MedzhError

PEMEBENCH = {
    number: [row["cells"] for row in lines_of(CASE_FILES / "pemebench_printed.jsonl") if row["table"] == number]
    for number in range(1, 6)
}
CARE_MI = case_tables("care_mi_printed")
GRADES = {"OK", "PROVEN", "STRONG", "TEXT", "CODE", "EXTRACTION"}
# Of tables, stated numbers and errata, which were compared with the papers one by one: who changes any compares again.
COMPARED = {
    "care_mi": "5ec928d1d9c4d67b",
    "cmhe_ce": "82aaa32c9b1d2dce",
    "cmhe_dd": "924c1022f2188150",
    "cmhe_hd": "fcbce4de7d28bc93",
    "pemebench": "223e864fcc32f6b4",
    "pemebench_cmexam": "bbb5ec604647a54f",
    "pemebench_huatuo": "a275a02be5e2bae7",
    "pemebench_medqa": "5164eb3b333918f6",
    "sdak": "0deeeaa7faf4b595",
    "tcmd": "ea9fcc9c4c580902",
}
SUBSETS = {"pemebench_cmexam": (0, [5]), "pemebench_medqa": (1, [6]), "pemebench_huatuo": (3, [1, 2, 3, 4])}
DIGITS = r"[01]\.\d{3}"


def reported(capsys, config, *words):
    assert main(["published", config, *map(str, words)]) == 0
    return capsys.readouterr().out


def printed(capsys, config, number):
    """Give the cells of a table as the command prints them in Markdown, without the heads."""
    lines = reported(capsys, config, "--table", number, "--to", "markdown").splitlines()
    return [cells_of(line) for line in lines if line.startswith("|")][2:]


def rows_of(config, number):
    return next(table.rows for table in load_paper(config).tables if table.number == number)


def stated(config):
    return {one.name: one.value for one in load_paper(config).stated}


@pytest.mark.parametrize(
    ("config", "number", "cells"),
    [
        *(("pemebench", number, cells) for number, cells in PEMEBENCH.items()),
        *(("care_mi", number, cells) for number, cells in CARE_MI.items()),
        *(
            (config, number, cells)
            for config, (row, columns) in SUBSETS.items()
            for number, cells in (
                (2, [PEMEBENCH[2][row]]),
                (4, [[one[0], *(one[index] for index in columns)] for one in PEMEBENCH[4]]),
            )
        ),
    ],
)
def test_every_cell_comes_back_as_printed(config, number, cells, capsys):
    assert printed(capsys, config, number) == cells


@pytest.mark.parametrize(
    ("number", "texts", "form"),
    [(1, 1, r"\d+/\d+"), (2, 3, rf"{DIGITS}|-"), (3, 2, DIGITS), (4, 1, rf"{DIGITS}(\({DIGITS}\))?")],
)
def test_every_number_of_tcmd_is_printed_with_the_digits_of_the_paper(number, texts, form, capsys):
    for row, cells in zip(rows_of("tcmd", number), printed(capsys, "tcmd", number), strict=True):
        assert cells[:texts] == list(row.values())[number == 1 :][:texts]
        assert all(re.fullmatch(form, cell) for cell in cells[texts:])
        shown = [part for cell in cells[texts:] for part in re.findall(r"[\d.]+|-", cell)]
        assert [None if part == "-" else Fraction(part) for part in shown] == [
            None if value is None else Fraction(str(value)) for value in row.values() if not isinstance(value, str)
        ]


@pytest.mark.parametrize(
    ("config", "number", "cells", "errata"),
    [
        ("sdak", 4, r"Qwen-14b-Chat +100\.00±0\.00 +57\.29±0\.03 +98", "S3 S4 S9"),
        ("sdak", 3, r"Total +748 +66 +36\n.*Percentage +88\.00% +7\.76% +4\.24%", ""),
        ("cmhe_hd", 2, r"Baichuan +8\.0 +42\.7 +80\.7 +55\.0", "C6 C10 C11"),
        ("cmhe_ce", 4, r"Baichuan +57\.4 +57\.3 +81\.7 +59\.9", "C7"),
        ("cmhe_dd", 3, r"Diagnose-chat +Baichuan +0 +49\.8 +45 +43\.7|49\.8 +45\.0 +43\.7", "C2 C3"),
        ("pemebench", 3, r"ERNIE-Bot4\.0 +16\.67% +19\.95% +6\.56% +12\.31% +15% +36\.92% +45\.26%", "P1 P2"),
        ("tcmd", 2, r"0\.550 +0\.350", "T9"),
    ],
)
def test_a_table_stands_with_its_errata_and_says_whose_it_is(config, number, cells, errata, capsys):
    shown = reported(capsys, config, "--table", number)
    assert "not computed by medzh" in " ".join(shown.splitlines()[:2])
    assert re.search(cells, shown)
    assert {*errata.split()} <= {*re.findall(r"^- ([A-Z]\d+)", shown, re.MULTILINE)}


def test_other_forms_print_the_same_digits(capsys, tmp_path):
    latex = reported(capsys, "pemebench", "--to", "latex")
    assert r"Baichuan2-13B-Chat & 8.53 & 14.14 & 1.76 & 10.43 & 53.2 & 47.99 \\" in latex
    assert not re.search(r"(?<!\\)[%_#~^<>]", latex)
    assert "0.550 & 0.350" in reported(capsys, "tcmd", "--table", 2, "--to", "latex")
    reported(capsys, "tcmd", "--to", "json", "--output", tmp_path / "tables.json")
    facts = json.loads((tmp_path / "tables.json").read_bytes())
    assert (facts["decimals"], [len(table["rows"]) for table in facts["tables"]]) == (3, [18, 40, 14, 8])
    column = {"name": "accuracy_mean", "head": "Accuracy Mean(STD)", "beside": "accuracy_std", "metric": "accuracy"}
    assert facts["tables"][3]["columns"][1] == {**column, "between": "(", "suffix": ")"}


@pytest.mark.parametrize("number", [1, 3, 4, 5])
def test_json_holds_numbers(number, capsys):
    (table,) = json.loads(reported(capsys, "pemebench", "--table", number, "--to", "json"))["tables"]
    rows = [*table["rows"], *(row["cells"] for row in table.get("footer", ()))]
    for row, cells in zip(rows, PEMEBENCH[number], strict=True):
        numbers = [Fraction(str(value)) for value in row.values() if isinstance(value, int | float)]
        assert numbers == [Fraction(part) for cell in cells[1:] for part in re.findall(r"[\d.]+", cell)]


@pytest.mark.parametrize(("config", "digest"), COMPARED.items())
def test_facts_are_those_that_were_compared(config, digest):
    written = package_file("medzh_score", f"configs/{config}/paper.json").read_bytes()
    facts = json.loads(written, object_hook=lambda one: one["en"] if one.keys() == {"en", "zh"} else one)
    parts = [facts.get(name) for name in ("tables", "stated", "errata")]
    content = json.dumps(parts, ensure_ascii=False, sort_keys=True).encode()
    assert hashlib.sha256(content).hexdigest()[:16] == digest


@pytest.mark.parametrize("config", config_names())
def test_facts_are_in_order(config):
    paper = load_paper(config)
    numbers = {table.number for table in paper.tables} | {int(number) for number in paper.left_out}
    assert paper.config == config
    for found in [*paper.errata, *paper.tables]:
        assert set(found.sections) <= paper.sections.keys()
    for erratum in paper.errata:
        assert {*erratum.grade.split("/")} <= GRADES
        assert set(erratum.tables) <= numbers
        assert erratum.finding.endswith(".")
    for table in paper.tables:
        for row in [*table.rows, *(footer.cells for footer in table.footer)]:
            assert {column.name for column in table.columns} <= row.keys()
            assert row.keys() == table.rows[0].keys()


@pytest.mark.parametrize("config", SUBSETS)
def test_a_subset_cites_the_same_paper_and_names_the_set(config, capsys, tmp_path):
    paper, whole = load_paper(config), load_paper("pemebench")
    assert (paper.reference.fields, paper.sections) == (whole.reference.fields, whole.sections)
    assert re.search(r"; the questions are those of [\w-]+: cite its paper too", paper.reference.remark)
    assert {(one.id, one.grade) for one in paper.errata} < {(one.id, one.grade) for one in whole.errata}
    assert main(["cite", config, "--data", str(tmp_path)]) == 0
    assert r"\cite{pemebench}" in capsys.readouterr().out.splitlines()[-1]
    with pytest.raises(MedzhError, match="the table is not included: nothing of this subset: expected 2, 4, found 3"):
        reported_tables(paper, 3)


@pytest.mark.parametrize(
    ("config", "entry"),
    [
        ("cmhe_hd", "https://aclanthology.org/2024.lrec-main.428"),
        ("cmhe_ce", "https://aclanthology.org/2024.lrec-main.428"),
        ("pemebench", "doi = {10.11959/j.issn.2096-0271.2024058}"),
    ],
)
def test_it_can_be_cited(config, entry, capsys):
    assert main(["cite", config]) == 0
    cited = capsys.readouterr().out
    assert entry in cited
    (fields,) = re.findall(r"^@\w+\{(?:pemebench|cmhe)\w*,\n(.*?)^\}$", cited, re.MULTILINE | re.DOTALL)
    assert ("year =" in fields) == (config != "pemebench")  # no year that was not read


@pytest.mark.parametrize(
    ("config", "number", "columns", "total"),
    [
        ("sdak", 11, ("number",), "pairs"),
        ("cmhe_hd", 1, ("generated", "tampered", "correct"), "dialogues"),
        ("cmhe_ce", 1, ("medicine", "disease", "test"), "concepts"),
        ("tcmd", 1, ("total_train",), "questions of the train set"),
        ("tcmd", 1, ("total_test",), "questions of the test set"),
    ],
)
def test_what_is_stated_is_the_sum_of_what_is_printed(config, number, columns, total):
    assert sum(row[column] for row in rows_of(config, number) for column in columns) == stated(config)[total]


def test_what_configs_declare_is_what_papers_print():
    sdak, tcmd = load_paper("sdak"), rows_of("tcmd", 1)
    assert load_paper("cmhe_dd").generation == find_config("cmhe_dd").prompting.generation_kwargs
    assert sdak.generation == {"runs": 3, "temperature": 0.3, "top_k": 5, "top_p": 0.85, "repetition_penalty": 1.05}
    assert "the released configuration, not the paper, has 128" in sdak.generation_remark
    assert find_config("sdak").prompting.generation_kwargs["max_new_tokens"] == 128
    ours = [(realm.short, subject.english.lower()) for realm in REALMS for subject in realm.subjects]
    assert [(row["realm"], row["subject"].lower()) for row in tcmd] == ours
    sizes = {realm.short: sum(row["total_test"] for row in tcmd if row["realm"] == realm.short) for realm in REALMS}
    assert sizes == {realm.short: realm.test for realm in REALMS}
    assert [row["class"] for row in rows_of("pemebench", 1)] == [department.name for department in DEPARTMENTS]
    assert {task_named(row["task"]) for row in rows_of("pemebench", 5)} == set(TASKS)
