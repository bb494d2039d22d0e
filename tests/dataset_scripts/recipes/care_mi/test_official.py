"""CARE-MI in the form of the published examples: the twenty real rows, and what a file may do wrong."""

from __future__ import annotations

import ast
import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import case_tables, holds

from dataset_scripts.cli.main import main
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.care_mi.official import EXAMPLES, context_of, read_official, read_texts
from dataset_scripts.recipes.care_mi.records import WHOLE, check, content_id
from medzh_score.data.records import load_records
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

CASES = case_tables("care_mi_official")
REAL = "Meetyou-AI-Lab/CARE-MI/2e1a45574c3b9c5ed52643de2714eb9275bb7284/examples.tsv"
HEAD = "q-type\tsource\tfull-question\tanswer\tanswer-wrong\tevidence"
LINE = {
    "question": "鹅口疮由真菌引起吗？",
    "type": "tf",
    "source": "mlecqa",
    "true_statement": "鹅口疮由真菌引起",
    "false_statement": "鹅口疮不由真菌引起",
    "false_method": "negation",
}
ROW = "tf\tmedqa\t鹅口疮由真菌引起吗？\t鹅口疮由真菌引起\t鹅口疮不由真菌引起。\t['鹅口疮的病原体是白色念珠菌。']"


def source(path, name=WHOLE):
    return {name: SourceFile(name, path, "0" * 64, pinned=False)}


@pytest.fixture
def table(tmp_path):
    def write(*lines, head=HEAD, encoding="utf-8", end="\n"):
        path = tmp_path / "examples.tsv"
        path.write_bytes(end.join([head, *lines, ""]).encode(encoding))
        return path

    return write


def read(path):
    return read_official(source(path), 0)


@pytest.fixture(scope="module")
def real(upstream_file):
    path = upstream_file(REAL)
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    return rows, read_official(source(path, EXAMPLES), 0)


def test_the_twenty_rows_become_nineteen_records(real):
    rows, built = real
    records = built.splits["test"]
    assert (len(rows), len(records)) == (20, 19)
    assert built.notes[0] == "1 rows that repeat another row were excluded."
    assert check(built.splits) == []
    assert all(record["asked"] == ("true" if record["type"] == "tf" else None) for record in records)
    assert [record["question"] for record in records] == list(dict.fromkeys(row["full-question"] for row in rows))


def test_evidence_is_what_pythons_own_literals_say(real):
    rows, built = real
    texts = {row["full-question"]: ast.literal_eval(row["evidence"]) for row in rows}
    assert sum(len(ast.literal_eval(row["evidence"])) for row in rows) == 79
    for record in built.splits["test"]:
        assert record["evidence"] == texts[record["question"]]
        assert 3 <= len(record["evidence"]) <= 6
        assert record["evidence_corpus"] == [""] * len(record["evidence"])
        assert record["evidence_rank"] == [0] * len(record["evidence"])


def test_statements_are_the_files_but_for_one_full_stop(real):
    """metrics.md 3.6, item 11: the true statement of the one row of a knowledge graph lacks its full stop."""
    rows, built = real
    given = {row["full-question"]: row for row in rows}
    changed = [record for record in built.splits["test"] if "final-stop-true" in record["rules"]]
    assert [record["source"] for record in changed] == ["CPubMed"]
    for record in built.splits["test"]:
        row = given[record["question"]]
        assert record["true_statement"] == row["answer"] + ("。" if record in changed else "")
        assert record["false_statement"] == row["answer-wrong"]
        assert record["false_method"] == {"tf": "negation", "open": "replacement"}[row["q-type"]]


def test_contexts_are_the_cases_before_the_questions(real):
    _, built = real
    cases = {record["question"][:8]: record for record in built.splits["test"] if record["context"]}
    assert sorted(cases) == sorted(
        [
            "初孕妇，妊娠34",
            "初孕妇，32岁。",
            "足月男孩，顺产，",
            "男，40岁。发现",
            "女，30岁，孕2",
            "患者，37岁，闭",
            "经产妇，62岁。",
        ]
    )
    for record in cases.values():
        assert record["context"].endswith("。")
        asked = record["question"].removeprefix(record["context"])
        assert asked.removesuffix("吗？").removesuffix("什么？") in record["true_statement"]
    unknown = [record for record in built.splits["test"] if "context-unknown" in record["rules"]]
    assert [record["true_statement"][:11] for record in unknown] == [
        "新生儿期筛查苯丙酮尿症"
    ]  # it says 为, the question 是


def test_where_a_case_ends_follows_from_the_statement():
    holds(CASES["contexts"], context_of)


def test_a_list_is_read_by_its_grammar():
    holds(CASES["lists"], read_texts)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_what_python_prints_is_read_back(texts):
    assert read_texts(repr(texts)) == texts


@pytest.mark.parametrize(
    ("encoding", "end", "start"), [("utf-8-sig", "\n", ""), ("utf-8", "\r\n", ""), ("utf-8", "\n", "\n\n")]
)
def test_marks_line_ends_and_blank_lines_do_not_count(table, encoding, end, start):
    records = read(table(ROW, "", head=f"{start}{HEAD}", encoding=encoding, end=end)).splits["test"]
    assert [(record["id"], record["rules"]) for record in records] == [
        (content_id("鹅口疮由真菌引起吗？", "鹅口疮由真菌引起。"), ["final-stop-true"])
    ]


@pytest.mark.parametrize(
    ("lines", "head", "problem"),
    [
        ([ROW], HEAD.replace("answer-wrong", "wrong"), 'field "answer-wrong": a column is missing'),
        ([ROW], HEAD.replace("\t", ","), "a column is missing"),
        ([f"{ROW}\t['x']"], f"{HEAD}\tevidence", "duplicate column"),
        ([ROW, "tf\tmedqa\t问？"], HEAD, ":3: the row and the header differ in the number of cells"),
        ([ROW.replace("tf", "mc", 1)], HEAD, 'field "q-type": unknown question type'),
        ([ROW.replace("medqa", "cmb")], HEAD, 'field "source": unknown source'),
        ([ROW.replace("鹅口疮由真菌引起吗？", "")], HEAD, 'field "full-question": the cell is empty'),
        (
            [ROW.replace("真菌引起吗", "\x00\ufffd")],
            HEAD,
            'field "full-question": the text contains an invalid character',
        ),
        ([ROW.replace("['", "{'")], HEAD, 'field "evidence": wrong type: expected a list of strings'),
        ([ROW.replace("['鹅", "[1, '鹅")], HEAD, 'field "evidence": wrong type: expected a list of strings'),
        (
            [ROW.replace("鹅口疮不由", "鹅口疮由")],
            HEAD,
            'field "answer-wrong": the wrong answer is equal to the field "answer"',
        ),
        ([ROW.replace("['", "\"['")], HEAD, "invalid table: unexpected end of data"),
        ([ROW.replace("真菌引起吗", "真菌" * 600_000)], HEAD, "field larger than field limit"),
        ([], HEAD, "the file contains no questions"),
    ],
)
def test_a_faulty_table_is_refused_with_its_place(table, lines, head, problem):
    with pytest.raises(MedzhError, match=problem) as caught:
        read(table(*lines, head=head))
    assert "examples.tsv" in str(caught.value)


def test_repeated_rows_and_lost_paragraphs_are_left_out_and_counted(table):
    other = ROW.replace("鹅口疮不由", "鹅口疮并非由")
    damaged = ROW.replace("鹅口疮", "脐炎").replace("['", "['\ufffd', '', '")
    built = read(table(ROW, ROW, other, damaged))
    assert len(built.splits["test"]) == 2
    assert built.notes[:3] == (
        "1 rows that repeat another row were excluded.",
        "1 rows that repeat another's question and answer, with something else changed were excluded.",
        "2 evidence paragraphs with lost characters were excluded.",
    )


def test_an_own_file_may_have_the_columns_of_the_schema(tmp_path, write_lines):
    """What is asked about is the true statement unless the file says so; a sheet writes FALSE."""
    lines = [LINE, LINE | {"question": "鹅口疮不由真菌引起吗？", "asked": "FALSE", "source": "written"}]
    lines.append(LINE | {"question": "鹅口疮由什么引起？", "type": "open"})
    made = read(write_lines(tmp_path / "own.jsonl", lines)).splits["test"]
    assert [(one["source"], one["asked"]) for one in made] == [
        ("MLEC-QA", "true"),
        ("written", "false"),
        ("MLEC-QA", None),
    ]
    assert {(*one["evidence"], one["answer"]) for one in made} == {("鹅口疮由真菌引起。",)}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"evidence": ["段落一。"], "evidence_rank": [1, 2]},
            'field "evidence_rank": the number of values differs from the number of evidence paragraphs',
        ),
        ({"evidence": "段落一。"}, "evidence"),
        (
            {"false_statement": "鹅口疮由真菌引起。"},
            'field "false_statement": the false statement is equal to the true statement',
        ),
        ({"context": "女，30岁。"}, 'field "context": the question does not start with the context'),
        ({"answer": "是"}, 'field "answer": the answer differs from the field "true_statement"'),
        ({"source": "CMB"}, "source"),
        ({"asked": "both"}, 'field "asked": the value does not match the schema: expected one of true, false, null'),
        ({"type": "open", "asked": "true"}, 'field "asked": the field is not allowed for open questions'),
        (
            {"evidence": ["\x00段落"]},
            r'field "evidence/0": character 1 is U\+0000: expected text without control characters',
        ),
    ],
)
def test_a_faulty_line_is_refused(tmp_path, write_lines, change, problem):
    with pytest.raises(MedzhError, match=problem):
        read(write_lines(tmp_path / "own.jsonl", [LINE | change]))


def test_what_no_schema_sees_is_found(table):
    (record,) = read(table(ROW)).splits["test"]
    wrong = {
        **record,
        "id": "caremi-0000000000",
        "prompt": "x",
        "answer": "x",
        "context": "女",
        "asked": None,
        "false_statement": "鹅口疮由真菌引起",
        "evidence_rank": [],
    }
    problems = check({"test": [record, wrong]})
    expected = (
        "the id of its content",
        "/prompt",
        "/answer",
        "/asked",
        "the false statement is equal to the true statement",
        "one full stop",
    )
    expected += ("/context", "the lists have 1, 1 and 0 entries", "the question occurs twice")
    assert all(any(words in problem for problem in problems) for words in expected)
    assert len(problems) == len(expected)


def test_a_report_on_the_published_examples_says_that_they_are_not_the_whole(upstream_file, tmp_path, write_lines):
    out = tmp_path / "medzh"
    example = upstream_file(REAL)
    assert (
        main(["build", "care_mi", "--recipe", "official", "--source", f"{EXAMPLES}={example}", "--output", str(out)])
        == 0
    )
    answers = [{"id": row["id"], "prediction": "是的。"} for row in load_records(out, "care_mi").rows]
    notes = score("care_mi", write_lines(tmp_path / "answers.jsonl", answers), out, bootstrap=0).notes
    assert (
        "The data contain only the published part of the benchmark (20 examples of 1,612 questions). Do not "
        "compare with published results."
    ) in notes
