"""The pediatric subsets of PeMeBench's Table 4: readers, selection, what is read of what is there, hostile files."""

from __future__ import annotations

import csv

import pytest
from tables import case_tables, holds

from dataset_scripts.recipes.banks.choice_questions import read_cmexam, read_medqa, settle
from dataset_scripts.recipes.banks.questions import REASONS, Question
from dataset_scripts.recipes.pemebench.huatuo import read_huatuo
from dataset_scripts.recipes.pemebench.subset import subset
from medzh_score.messages.errors import MedzhError

FIVE = ("肺炎", "喉炎", "脑炎", "心肌炎", "尿路结石")
HEAD = ("Question", "Options", "Answer", "Explanation")


def cmexam_row(question, options=FIVE, answer="A"):
    return (question, "\n".join(f"{letter} {text}" for letter, text in zip("ABCDE", options, strict=False)), answer, "")


@pytest.fixture
def write_csv(tmp_path):
    def write(*rows, name="test.csv", head=HEAD):
        path = tmp_path / name
        with path.open("w", encoding="utf-8-sig", newline="") as stream:
            csv.writer(stream).writerows([head, *rows])
        return path

    return write


# What a question is


def test_a_row_is_a_question_or_has_a_reason():
    holds(case_tables("pemebench_cases")["rows_of_a_choice_set"], settled)


def settled(question, options, answer):
    found = settle("own", question, tuple(map(tuple, options)), answer)
    assert isinstance(found, Question) or found in REASONS
    return found.answer if isinstance(found, Question) else found


def test_ids_come_from_question_and_options_alone():
    first = Question("a", "小儿 贫血", "A", ("维生素Ａ", "铁"))
    assert first.digest == Question("b", "小儿贫血", "AB", ("维生素A", "铁 "), "7").digest
    assert first.digest != Question("a", "小儿贫血", "A", ("铁", "维生素A")).digest
    assert len(first.digest) == 10


def test_of_equal_questions_the_first_is_kept_and_of_contradicting_ones_none():
    rows = [
        Question("x", "小儿贫血", "A", FIVE),
        Question("x", "小儿 贫血", "A", FIVE),  # the same
        Question("x", "小儿贫血", "A", ("肺炎", "水痘")),  # the same question and right text, other wrong options
        Question("x", "小儿贫血", "B", ("水痘", "喉炎")),  # another right text
        Question("x", "小儿贫血吗", "A", FIVE),  # worded like it, with the same right text
        Question("x", "小儿发热", "A", FIVE),
        Question("x", "小儿发热", "B", FIVE),  # contradicts it
        Question("x", "成人发热", "A", FIVE),
    ]
    found = subset(iter(rows), "x")
    assert [(question.text, question.answer) for question, _ in found.kept] == [("小儿贫血", "A"), ("小儿贫血", "B")]
    assert (found.found, found.repeated, found.contradicted, found.others) == (8, 3, 2, 1)


@pytest.mark.parametrize("damage", ["\x00", "\ufffd", "\ue5e5", "\u2f00", "\u2fd5"])
def test_a_row_with_a_damaged_text_is_dropped_and_counted(damage):
    sound = Question("x", "小儿贫血", "A", FIVE)
    damaged = [Question("x", f"小儿{damage}发热", "A", FIVE), Question("x", "小儿咳嗽", "A", ("肺炎", f"喉{damage}"))]
    found = subset(iter([sound, *damaged]), "x")
    assert ([question for question, _ in found.kept], found.dropped) == ([sound], {"damaged": 2})


def test_nothing_is_repaired():
    ((found, _),) = subset(iter([Question("x", "3．小儿贫血，血红旦白80g/L，", "A", ("缺铁。", "肺炎"))]), "x").kept
    assert (found.text, found.options) == ("3．小儿贫血，血红旦白80g/L，", ("缺铁。", "肺炎"))


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([], "no question of this source is about children"),
        (["no text"], "no row of this source can be asked and scored"),
        ([Question("x", "成人发热", "A", FIVE)], "no question of this source is about children"),
        (
            [Question("x", "小儿发热", "A", FIVE), Question("x", "小儿发热", "B", FIVE)],
            "no question about children is left: equal ones have different answers",
        ),
    ],
)
def test_a_file_of_which_nothing_is_left_is_refused(rows, problem):
    with pytest.raises(MedzhError, match=problem):
        subset(iter(rows), "x")


def test_open_questions_are_kept_once_whatever_their_answers():
    rows = [Question("x", "宝宝发热", "多饮水"), Question("x", "宝宝发热", "就医")]
    found = subset(iter(rows), "x")
    assert [question.answer for question, _ in found.kept] == ["多饮水"]


# CMExam


def test_cmexam_from_csv_to_records(write_csv, selected):
    path = write_csv(
        cmexam_row("小儿肺炎的并发症有", answer="ABC"),
        cmexam_row("女，3岁，犬吠样咳嗽，诊断是", answer="B"),
        cmexam_row("成人肺炎的病因是"),
        cmexam_row("小儿贫血", answer="nan"),
        cmexam_row("小儿贫血", ("甲", "甲")),
    )
    made, rows = selected("pemebench_cmexam", path)
    assert {text: (row["answer"], row["matched"]) for text, row in rows.items()} == {
        "小儿肺炎的并发症有": ("ABC", ["child"]),
        "女，3岁，犬吠样咳嗽，诊断是": ("B", ["age-years"]),
    }
    for row in rows.values():
        assert row["id"] == row["upstream_key"]
        assert row["options"] == list(FIVE)
        assert (row["source"], row["recipe"]) == ("cmexam", "official")
        assert "多个正确选项" in row["prompt"]
    beside, by_source, by_reason, by_pattern = made.tables
    assert [row[1:] for row in beside.rows] == [("5", "2"), ("60,000", "2,936"), ("not stated", "265 (inferred)")]
    assert by_source.rows == (("cmexam", 5, 2, 1, 0, 0, 2),)
    assert [(row[0], row[2]) for row in by_reason.rows] == [("equal options", 1), ("no answer", 1)]
    assert {row[0]: row[2:] for row in by_pattern.rows if row[2]} == {"child": (1, 1), "age-years": (1, 1)}
    assert made.sources[0]["redistributable"] is False


# MedQA


def medqa_row(question, answer="A", **more):
    options = dict(zip("ABCD", FIVE, strict=False))
    return {"question": question, "options": options, "answer": options[answer], "answer_idx": answer, **more}


def test_medqa_from_json_lines(write_lines, selected, tmp_path):
    rows = [medqa_row("8个月女婴，喘息", "B", meta_info="儿科"), medqa_row("男，40岁，喘息")]
    (row,) = selected("pemebench_medqa", write_lines(tmp_path / "test.jsonl", rows))[1].values()
    assert (row["answer"], row["options"], row["source"]) == ("B", list(FIVE[:4]), "medqa")
    assert row["id"].startswith("pmmedqa-")
    assert "多个" not in row["prompt"]
    assert "只有一个正确选项" in row["prompt"]


def fault(read, path):
    """Give what a reader says of the second line of a file."""
    with pytest.raises(MedzhError) as caught:
        list(read("own", path))
    return caught.value.problem, caught.value.line, caught.value.field


def test_what_is_no_question_of_medqa_is_named(write_lines, tmp_path):
    def of(change):
        rows = [medqa_row("小儿肺炎是"), medqa_row("小儿喉炎是") | change]
        return fault(read_medqa, write_lines(tmp_path / "m.jsonl", rows))

    faults = [
        ({"question": None}, "question"),
        ({"options": ["肺炎"]}, "options"),
        ({"options": {"A": 1}}, "options"),
        ({"options": None}, "options"),
        ({"answer_idx": 1}, "answer_idx"),
        ({"answer_idx": "AB", "answer": None}, "answer_idx"),
        ({"answer": "喉炎"}, "answer"),
    ]
    holds([(change, ("is no question of MedQA", 2, field)) for change, field in faults], of)


def test_a_medqa_answer_may_be_its_letter_or_be_missing(write_lines, tmp_path):
    rows = [
        medqa_row("小儿肺炎是") | {"answer": "A"},
        {k: v for k, v in medqa_row("小儿喉炎是").items() if k != "answer"},
    ]
    assert len(list(read_medqa("x", write_lines(tmp_path / "m.jsonl", rows)))) == 2


# Huatuo-26M


def test_huatuo_in_all_its_shapes(write_lines, selected, tmp_path):
    lines = [
        {"questions": [["宝宝发热怎么办？", "小孩发烧怎么办？"]], "answers": ["多饮水。", "就医。"]},
        {"questions": ["婴儿腹泻怎么办？"], "answers": [["补液。"]]},
        {"id": 7, "question": "新生儿黄疸要紧吗？", "answer": "多数不要紧。", "label": "x"},
        {"questions": "成人发热怎么办？", "answers": "休息。"},
        {"questions": [], "answers": ["无"]},
        {"questions": "小儿咳嗽怎么办？", "answers": []},
        {"questions": "小儿咳嗽怎么办？", "answers": ["https://example.org/1"]},
        {"questions": "宝宝发热怎么办？", "answers": "另一种回答。"},
    ]
    made, rows = selected("pemebench_huatuo", write_lines(tmp_path / "h.jsonl", lines))
    assert {text: row["answer"] for text, row in rows.items()} == {
        "宝宝发热怎么办？": "多饮水。",
        "婴儿腹泻怎么办？": "补液。",
        "新生儿黄疸要紧吗？": "多数不要紧。",
    }
    assert rows["新生儿黄疸要紧吗？"]["upstream_key"] == "7"
    assert all(row["prompt"] == text for text, row in rows.items())
    assert made.notes[0].startswith("2 other wordings and answers of these questions were not taken")
    assert made.tables[1].rows == (("huatuo", 8, 3, 1, 1, 0, 3),)
    assert [(row[0], row[2]) for row in made.tables[2].rows] == [("no text", 1), ("no answer", 1), ("link", 1)]


def test_what_is_no_line_of_huatuo_is_named(write_lines, tmp_path):
    def of(line):
        return fault(read_huatuo, write_lines(tmp_path / "h.jsonl", [{"question": "小儿", "answer": "甲"}, line]))

    faults = [
        ({"answers": "甲"}, "a field is missing", "questions"),
        ({"questions": "小儿"}, "a field is missing", "answers"),
        ({"questions": 1, "answers": "甲"}, "is no text", "questions"),
        ({"questions": ["小儿", {"a": 1}], "answers": "甲"}, "is no text", "questions"),
        ({"questions": "小儿", "answers": [True]}, "is no text", "answers"),
    ]
    holds([(line, (problem, 2, field)) for line, problem, field in faults], of)


@pytest.mark.parametrize("config", ["pemebench_cmexam", "pemebench_medqa", "pemebench_huatuo"])
def test_who_brings_nothing_is_told_what_to_bring(config, refused):
    assert refused(config).advice.startswith("bring a file of ")


def test_the_spreadsheet_and_the_csv_give_the_same_questions(write_csv, tmp_path):
    from openpyxl import Workbook

    rows = [cmexam_row("小儿肺炎的并发症有", answer="AB"), cmexam_row("小儿喉炎是", FIVE[:4], "D")]
    book = Workbook()
    for row in [HEAD, *rows]:
        book.active.append([cell.replace("\n", "\\n") for cell in row])
    book.save(tmp_path / "val.xlsx")
    of_sheet = list(read_cmexam("cmexam", tmp_path / "val.xlsx"))
    of_csv = list(read_cmexam("cmexam", write_csv(*rows)))
    assert [one.digest for one in of_sheet] == [one.digest for one in of_csv]
    assert [one.answer for one in of_sheet] == ["AB", "D"]


def test_order_and_repetition_of_rows_do_not_change_a_build(write_csv, selected):
    rows = [cmexam_row(f"小儿疾病第{number}问", answer="ABCDE"[number % 5]) for number in range(20)]
    one, _ = selected("pemebench_cmexam", write_csv(*rows), out="a")
    other, _ = selected("pemebench_cmexam", write_csv(*rows[::-1], *rows[:5], name="turned.csv"), out="b")
    assert one.fingerprint == other.fingerprint
