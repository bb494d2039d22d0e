from __future__ import annotations

import csv
import io
import json

import pytest
from places import CASE_FILES
from tables import case_tables

from dataset_scripts.building.build import build
from dataset_scripts.building.checking import check
from dataset_scripts.command_line import main
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.tcmd.own_reader import read_own
from medzh_score.messages.errors import MedzhError


def mapping_of(name):
    return (CASE_FILES / f"{name}.toml").read_text(encoding="utf-8")


CASE = "患者，男，30岁。咳嗽2天，痰稠色黄，咽痛，身热，舌苔薄黄，脉浮数。"
HEAD = ["编号", "题型", "科目", "题干", "A", "B", "C", "D", "E", "答案", "集合", "年份"]
TABLE = [
    ["1", "A1型题", "中医基础理论", "开窍于舌的脏是", "心", "肝", "脾", "肺", "肾", "A", "测试", "2019"],
    ["2", "A1型题", "内经", "《素问》中称为“君主之官”的是", "心", "肝", "胆", "", "", "心", "训练", "2019"],
    ["3", "B1", "Chinese Herbal Medicine", "长于清心火的药物是", "黄连", "黄柏", "", "", "", "ａ", "训练", ""],
    ["4", "B1", "Chinese Herbal Medicine", "长于退虚热的药物是", "黄连", "黄柏", "", "", "", "B", "训练", ""],
    ["5", "A2", "内科学*", "患者便后滴鲜血，肛门镜见齿线上方紫红色肿物", "痔", "肛裂", "肛瘘", "", "", "A", "训练", ""],
]
MAPPING = mapping_of("tcmd_mapping")


def table(rows, separator=","):
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator).writerows([HEAD, *rows])
    return stream.getvalue()


def changed(number, **changes):
    """Change cells of one row of the table, by their column."""
    rows = [list(row) for row in TABLE]
    for name, value in changes.items():
        rows[number - 1][HEAD.index(name)] = value
    return rows


def read(tmp_path, content, mapping=MAPPING, name="own.csv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    (tmp_path / "mapping.toml").write_text(mapping, encoding="utf-8")
    files = {
        "tcmd": SourceFile("tcmd", path, "0" * 64, pinned=False),
        "tcmd-mapping": SourceFile("tcmd-mapping", tmp_path / "mapping.toml", "1" * 64, pinned=False),
    }
    return read_own("official", files)


def facts(built):
    return {
        record["upstream_key"]: (
            split,
            record["type"],
            record["subject"],
            record["question"],
            record["options"],
            record["answer"],
        )
        for split, records in built.splits.items()
        for record in records
    }


def rows_of(built, title):
    (found,) = (made.rows for made in built.tables if made.title.startswith(title))
    return list(found)


TAKEN = {
    "1": ("test", "A1", "中医基础理论", "开窍于舌的脏是", ["心", "肝", "脾", "肺", "肾"], "A"),
    "2": ("train", "A1", "黄帝内经", "《素问》中称为“君主之官”的是", ["心", "肝", "胆"], "A"),
    "3": ("train", "B1", "中药学", "长于清心火的药物是", ["黄连", "黄柏"], "A"),
    "4": ("train", "B1", "中药学", "长于退虚热的药物是", ["黄连", "黄柏"], "B"),
    "5": ("train", "A2", "内科学", "患者便后滴鲜血，肛门镜见齿线上方紫红色肿物", ["痔", "肛裂", "肛瘘"], "A"),
}


@pytest.mark.parametrize(
    ("name", "content", "more"),
    [
        ("own.csv", table(TABLE).encode("utf-8"), ""),
        ("own.csv", b"\xef\xbb\xbf" + table(TABLE).encode("utf-8"), ""),
        ("own.csv", table(TABLE).replace("\r\n", "\n").encode("utf-8"), ""),
        ("own.csv", table(TABLE).encode("gb18030"), 'encoding = "gb18030"\n'),
        ("own.tsv", table(TABLE, "\t").encode("utf-8"), ""),
        ("own.txt", table(TABLE, "\t").encode("utf-8"), 'format = "tsv"\n'),
        ("own.json", json.dumps([dict(zip(HEAD, row, strict=True)) for row in TABLE]).encode(), ""),
        ("own.jsonl", "\n".join(json.dumps(dict(zip(HEAD, row, strict=True))) for row in TABLE).encode(), ""),
    ],
)
def test_files_of_every_format_are_mapped(tmp_path, name, content, more):
    made = read(tmp_path, content, more + MAPPING, name)
    assert facts(made) == TAKEN
    assert rows_of(made, "Rows that were taken") == [("taken", 5, "")]
    assert rows_of(made, "Fields of the file") == [("'年份'", 2)]
    assert made.notes == ("1 fields of the file were not used; a table names them",)


def test_options_and_answers_inside_objects(tmp_path):
    rows = [
        {
            "meta": {"k": 7, "科": "中医诊断学"},
            "q": {"题": "数脉主", "项": {"A": "热证", "B": "寒证"}},
        },
        {"meta": {"k": 8, "科": "中医诊断学"}, "q": {"题": "迟脉主", "项": {"A": "热证", "B": "寒证"}}},
    ]
    mapping = mapping_of("tcmd_mapping_objects")
    for answer, one in zip((0, "1"), rows, strict=True):
        one["q"]["答"] = answer
        one["q"]["难度"] = {"level": 3}
    made = read(tmp_path, json.dumps(rows), mapping, "own.json")
    assert {key: fact[-1] for key, fact in facts(made).items()} == {"7": "A", "8": "B"}
    assert rows_of(made, "Fields of the file") == [("'q.难度'", 2)]


NESTED = {
    "kind": "A3/A4型题",
    "share": CASE,
    "subs": [
        {"q": "其证候是", "o": "A．风寒袭肺\nB．风热犯肺", "a": ["B"], "why": "脉浮数，苔薄黄。"},
        {"q": "治疗应首选", "o": "A．桑菊饮\nB．三拗汤\nC．二陈汤", "a": ["A"], "why": ""},
    ],
}
NESTED_MAPPING = mapping_of("tcmd_mapping_nested")


def test_a_group_may_be_one_object(tmp_path):
    made = read(tmp_path, json.dumps([NESTED]), NESTED_MAPPING, "own.json")
    assert [
        (one["type"], one["stem"], one["position"], one["options"], one["answer"], one["explanation"])
        for one in made.splits["test"]
    ] == [
        ("A3", CASE, 1, ["风寒袭肺", "风热犯肺"], "B", "脉浮数，苔薄黄。"),
        ("A3", CASE, 2, ["桑菊饮", "三拗汤", "二陈汤"], "A", None),
    ]
    assert len({one["group_id"] for one in made.splits["test"]}) == 1


def test_options_may_stand_behind_the_question(tmp_path):
    rows = [{"q": "1．开窍于舌的脏是（  ）。\nA．心\nB．肝", "a": "A"}, {"q": "开窍于目的脏是 A．心 B．肝", "a": "B"}]
    mapping = mapping_of("tcmd_mapping_behind")
    made = read(tmp_path, json.dumps([*rows, {"q": "开窍于鼻的脏是", "a": "A"}]), mapping, "own.json")
    assert sorted((one["question"], one["options"], one["answer"]) for one in made.splits["test"]) == [
        ("1．开窍于舌的脏是（  ）。", ["心", "肝"], "A"),
        ("开窍于目的脏是", ["心", "肝"], "B"),
    ]
    assert rows_of(made, "Rows that were taken")[1] == ("question: cannot be separated by letters", 1, "tcmd, line 1")


@pytest.mark.parametrize("subs", [[], {}, "none", [1, None], [{"q": "其证候是"}]])
def test_an_object_without_such_questions_is_left_out(tmp_path, subs):
    other = {**NESTED, "share": CASE.replace("30", "40"), "subs": subs}
    made = read(tmp_path, json.dumps([NESTED, other]), NESTED_MAPPING, "own.json")
    assert len(made.splits["test"]) == 2
    reasons = rows_of(made, "Rows that were taken")
    assert reasons[0] == ("taken", 2, "")
    assert all(place == "tcmd, line 1" for _, _, place in reasons[1:])
    assert len(reasons) > 1


@pytest.mark.parametrize(("changes", "reason"), case_tables("tcmd_banks")["unmapped"])
def test_a_row_that_cannot_be_mapped_is_left_out_and_counted(tmp_path, changes, reason):
    made = read(tmp_path, table(changed(2, **changes)))
    assert facts(made) == {key: fact for key, fact in TAKEN.items() if key != "2"}
    assert rows_of(made, "Rows that were taken") == [("taken", 4, ""), (reason, 1, "tcmd, line 3")]
    assert made.notes[0] == "1 of 5 rows were left out; a table says why"


def test_values_that_are_not_known_are_listed_with_their_first_line(tmp_path):
    rows = changed(2, 科目="骨伤科学")
    rows[4][HEAD.index("科目")] = "骨伤科学"
    rows[3][HEAD.index("题型")] = "C型题"
    made = read(tmp_path, table(rows))
    assert rows_of(made, "Values that are not known") == [
        ("subject", "'骨伤科学'", 2, "tcmd, line 3"),
        ("type", "'C型题'", 1, "tcmd, line 5"),
    ]
    assert list(facts(made)) == ["1", "3"]
    assert (
        "values that are not known are listed in a table; the mapping file can say in [values.subject], [values.type] "
        "what they mean"
    ) in made.notes


def test_a_group_is_left_out_as_a_whole(tmp_path):
    made = read(tmp_path, table(changed(4, 答案="C")))
    assert list(facts(made)) == ["1", "2", "5"]
    assert rows_of(made, "Rows that were taken")[1:] == [
        ("group_id: another question of its group was left out", 1, "tcmd, line 4"),
        ("answer: is none of the options", 1, "tcmd, line 5"),
    ]


def test_equal_questions_are_taken_once_and_test_comes_first(tmp_path):
    again = ["6", *TABLE[0][1:]]
    again[HEAD.index("集合")] = "训练"
    made = read(tmp_path, table([again, *TABLE]))
    assert facts(made) == TAKEN
    assert rows_of(made, "Rows that were taken")[1] == ("question: repeats another row", 1, "tcmd, line 2")


def test_of_equal_questions_with_two_answers_none_is_taken(tmp_path):
    again = ["6", *TABLE[1][1:]]
    again[HEAD.index("答案")] = "B"
    made = read(tmp_path, table([*TABLE, again]))
    assert list(facts(made)) == ["1", "3", "4", "5"]
    assert rows_of(made, "Rows that were taken")[1] == (
        "answer: an equal question has another answer",
        2,
        "tcmd, line 3",
    )


def objects(rows):
    return json.dumps([dict(zip(HEAD, row, strict=True)) for row in rows])


def test_fields_that_no_row_has_are_noted(tmp_path):
    mapping = MAPPING.replace("[split]", 'explanation = "解折"\n[split]', 1)
    assert (
        "no row has a value where the mapping looks for explanation = '解折'"
        in read(tmp_path, objects(TABLE), mapping, "own.json").notes
    )


@pytest.mark.parametrize(
    ("before", "after", "field", "found"),
    [
        ('"D", "E"]', '"D", "e"]', "options", "e"),
        ('"A", "B", "C"', '"X", "B", "C"', "options", "X"),
        ('"题干"', '"题目"', "fields.question", "题目"),
        ('"集合"', '"集"', "split", "集"),
    ],
)
def test_a_name_that_neither_a_header_nor_any_object_has_is_refused(tmp_path, before, after, field, found):
    mapping = MAPPING.replace(before, after)
    with pytest.raises(MedzhError, match=f"a column that the table does not have: {found}; expected one of 编号, "):
        read(tmp_path, table(TABLE), mapping)
    with pytest.raises(MedzhError, match=r"where the mapping looks for .* such as 编号, ") as caught:
        read(tmp_path, objects(TABLE), mapping, "own.json")
    assert (caught.value.field, caught.value.found) == (field, found)


def test_an_option_that_every_object_leaves_empty_is_none(tmp_path):
    rows = [[*row[: HEAD.index("E")], "", *row[HEAD.index("E") + 1 :]] for row in TABLE]
    assert facts(read(tmp_path, objects(rows), MAPPING, "own.json"))["1"][4] == ["心", "肝", "脾", "肺"]


@pytest.mark.parametrize(
    ("content", "mapping", "words"),
    [
        (
            table(TABLE),
            MAPPING.replace('"答案"', '"年份"'),
            "5 of 5 rows were left out, 3 as answer is missing",
        ),
        (table(TABLE), MAPPING.replace('"测试" = "test"\n', ""), "no question is left for test"),
        (table(TABLE[1:]), MAPPING, "no question is for test"),
        (table([]), MAPPING, "no question is for test"),
        (b"", MAPPING, "no question is for test"),
        (table(TABLE).encode("gb18030"), MAPPING, "is not UTF-8"),
        (table(TABLE), 'format = "jsonl"\n' + MAPPING, "is not JSON"),
        (table(TABLE), MAPPING + "[answer]\nindex = 1\n", "answer is none of the options"),
    ],
)
def test_nothing_is_built_where_no_test_question_is_left(tmp_path, content, mapping, words):
    with pytest.raises(MedzhError, match=words) as caught:
        read(tmp_path, content, mapping)
    assert "\n" not in str(caught.value)


def test_the_mapping_is_a_source_and_its_report_is_printed(tmp_path, capfd):
    out, own, how = tmp_path / "build" / "medzh", tmp_path / "own.csv", tmp_path / "how.toml"
    own.write_text(table(changed(5, 科目="肛肠科学")), encoding="utf-8")
    how.write_text(MAPPING, encoding="utf-8")
    command = ["build", "tcmd", "--recipe", "official", "--source", str(own), "--mapping", str(how), "--out", str(out)]
    assert main(command) == 0
    printed = capfd.readouterr().out
    assert "'肛肠科学'" in printed
    assert "note: 1 of 5 rows were left out; a table says why" in printed
    assert "tcmd official: test 1 records, train 3 records" in printed
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert [source["name"] for source in manifest["configs"]["tcmd"]["sources"]] == ["tcmd", "tcmd-mapping"]
    assert check(out).problems == []
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "'肛肠科学'" in card
    assert "brought" in card.partition("# medzh")[0]
    # The mapping file is given as a source just as well, and gives the same build.
    named = [f"tcmd={own}", f"mapping={how}"]
    assert build("tcmd", "official", out, given=named).fingerprint == manifest["configs"]["tcmd"]["fingerprint"]


def test_a_recipe_without_a_mapping_refuses_one(tmp_path, capfd):
    (tmp_path / "how.toml").write_text(MAPPING, encoding="utf-8")
    mapping = ["--mapping", str(tmp_path / "how.toml")]
    assert main(["build", "sdak", "--recipe", "mini", *mapping, "--out", str(tmp_path / "b")]) == 2
    assert "mini reads no such source" in capfd.readouterr().err
