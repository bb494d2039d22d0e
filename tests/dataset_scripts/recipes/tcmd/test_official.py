from __future__ import annotations

import json

import pytest
from tables import case_tables

from dataset_scripts.building.build import build
from dataset_scripts.building.check import check
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.tcmd.dataset import DATASET
from dataset_scripts.recipes.tcmd.user_file import read_own
from medzh_score.benchmark.registry import data_name
from medzh_score.data.records import load_records
from medzh_score.ui.errors import MedzhError

ORGANS = ["心", "肝", "脾", "肺", "肾"]
CASE = "患者，男，30岁。咳嗽2天，痰稠色黄，咽痛，身热，舌苔薄黄，脉浮数。"


def row(question, options, answer, *, kind="A1", subject="中医基础理论", **more):
    return {"type": kind, "subject": subject, "question": question, "options": options, "answer": answer, **more}


TONGUE = row("开窍于舌的脏是", ORGANS, "A", split="test")
EYES = row("开窍于目的脏是", ORGANS, "B", split="train", explanation="肝开窍于目。")
BLOOD = [
    row("主藏血的脏是", ORGANS, "B", kind="B1", split="train"),
    row("主统血的脏是", ORGANS, "C", kind="B1", split="train"),
]
HERBS = [
    row("长于清心火的药物是", ["黄连", "黄柏"], "A", kind="B1", subject="中药学", split="train"),
    row("长于退虚热的药物是", ["黄连", "黄柏"], "B", kind="B1", subject="中药学", split="train"),
]
COUGH = [
    row("其证候是", ["风寒袭肺", "风热犯肺"], "B", kind="A3", subject="中医内科学", stem=CASE, split="test"),
    row("其治法是", ["疏风清热", "疏风散寒"], "A", kind="A3", subject="中医内科学", stem=CASE, split="test"),
    row("治疗应首选", ["桑菊饮", "三拗汤", "二陈汤"], "A", kind="A3", subject="中医内科学", stem=CASE, split="test"),
]
ALL = [TONGUE, EYES, *BLOOD, *HERBS, *COUGH]


@pytest.fixture
def out(tmp_path):
    return tmp_path / "build" / "medzh"


def write(path, rows):
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows), encoding="utf-8")
    return path


def read(tmp_path, rows, name="tcmd.jsonl"):
    """Read a file as the recipe does; rows are objects, a text or bytes."""
    path = tmp_path / name
    if isinstance(rows, bytes):
        path.write_bytes(rows)
    elif isinstance(rows, str):
        path.write_text(rows, encoding="utf-8", newline="")
    else:
        write(path, rows)
    files = {"tcmd": SourceFile("tcmd", path, "0" * 64, pinned=False)}
    return read_own("official", files)


def shapes(built):
    return {
        split: [
            (one["type"], one["position"], one["question"], one["answer"]) for one in sorted(records, key=DATASET.order)
        ]
        for split, records in built.splits.items()
    }


def groups(built):
    made = {}
    for records in built.splits.values():
        for one in records:
            made.setdefault(one["group_id"], []).append(one["question"])
    return sorted(made.values())


# The columns of the schema.


def test_a_file_in_the_columns_of_the_schema_is_built_and_checked(out, tmp_path):
    made = build("tcmd", "official", out, given=[str(write(tmp_path / "own.jsonl", ALL))])
    assert made.records == {"test": 4, "train": 5}
    assert check(out).problems == []
    test = load_records(out, "tcmd")
    assert not test.origin.official
    assert test.origin.recipe == "official"
    by_question = {one["question"]: one for one in test.rows}
    assert by_question["治疗应首选"]["options"] == ["桑菊饮", "三拗汤", "二陈汤"]
    assert by_question["治疗应首选"]["position"] == 3
    assert by_question["开窍于舌的脏是"]["explanation"] is None
    (source,) = made.sources
    assert (source["name"], source["pinned"], source["licence"], source["url"]) == ("tcmd", False, "unknown", None)
    assert source["citation"] == "not known: a user's own file"


def test_groups_are_found_by_stem_by_adjacent_options_and_by_name(tmp_path):
    names = [["主藏血的脏是", "主统血的脏是"], ["其证候是", "其治法是", "治疗应首选"]]
    assert [group for group in groups(read(tmp_path, ALL)) if len(group) > 1] == sorted(
        [*names, [one["question"] for one in HERBS]]
    )
    # A stem holds a group together wherever its rows stand; options do so only side by side.
    apart = [COUGH[0], BLOOD[0], COUGH[1], BLOOD[1], COUGH[2], TONGUE]
    assert sorted(map(len, groups(read(tmp_path, apart)))) == [1, 1, 1, 3]
    named = [{**one, "group_id": "g"} for one in BLOOD]
    assert sorted(map(len, groups(read(tmp_path, [named[0], TONGUE, named[1]])))) == [1, 2]


def test_what_a_build_holds_can_be_brought_again(out, tmp_path):
    first = build("tcmd", "official", out, given=[str(write(tmp_path / "own.jsonl", ALL))])
    rows = [
        {name: value for name, value in one.items() if name not in {"id", "source", "recipe", "upstream_key"}}
        | {"split": split}
        for split in ("train", "test")
        for one in load_records(out, "tcmd", split=split).rows
    ]
    again = build("tcmd", "official", out, given=[str(write(tmp_path / "again.jsonl", rows[::-1]))])
    assert again.fingerprint == first.fingerprint
    assert again.notes == ()


def changed(rows, place, **changes):
    return [{**one, **changes} if index == place else one for index, one in enumerate(rows)]


def without(rows, place, name):
    return [{k: v for k, v in one.items() if k != name or index != place} for index, one in enumerate(rows)]


@pytest.mark.parametrize(
    ("rows", "line", "field", "words"),
    [
        *((changed(ALL, place, **changes), *told) for place, changes, *told in case_tables("tcmd_banks")["faults"]),
        (without(ALL, 1, "answer"), 2, "answer", "the value is missing"),
        (without(ALL, 1, "split"), 2, "split", "the value is missing"),
        (without(ALL, 7, "stem"), 8, "stem", "the value is missing"),
        (
            [*ALL, {**TONGUE, "group_id": "g"}, {**EYES, "group_id": "g"}],
            10,
            "type|split",
            "but this question is in a question group",
        ),
        ([*ALL, TONGUE], 10, "question", "the row repeats another row"),
        ([*ALL, *BLOOD], 10, "question", r"expected each question only once \(first: line 3\)"),
        (
            [*ALL, {**TONGUE, "answer": "B"}],
            10,
            "answer",
            "the same question has a different answer: expected A, as in line 1, found 'B'",
        ),
        ([*ALL, {**TONGUE, "split": "train"}], 10, "question", "the row repeats another row"),
        (
            [*ALL, {**TONGUE, "split": "train", "options": ORGANS[:2]}],
            10,
            "question",
            r"the question is also in the test split: expected each question in only one split \(also in line 1\)",
        ),
        (
            [*ALL, {**COUGH[0], "question": "其脉象属", "options": ["浮脉", "沉脉"], "answer": "A", "split": "train"}],
            10,
            "stem",
            r"the case is also in the test split: expected each case in only one split \(also in line 7\)",
        ),
        ([*ALL[:2], "[1]"], 3, None, "wrong type: expected one JSON object"),
    ],
)
def test_a_line_with_a_fault_is_refused(tmp_path, rows, line, field, words):
    text = "".join((one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)) + "\n" for one in rows)
    with pytest.raises(MedzhError, match=words) as caught:
        read(tmp_path, text)
    assert caught.value.line == line
    assert caught.value.field is field is None or caught.value.field in field.split("|")
    assert "\n" not in str(caught.value).replace("\n  ", "")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (json.dumps(TONGUE, ensure_ascii=False).encode("gb18030"), "the line is not valid UTF-8"),
        (json.dumps({**TONGUE, "question": "\ud83d"}).encode(), "the text contains an unpaired surrogate"),
        (b'{"type": "A1", "type": "A2"}', "the key 'type' occurs twice in an object"),
        (b"", "no question is in the test split"),
        (json.dumps(EYES).encode(), "no question is in the test split"),
    ],
)
def test_a_file_that_is_no_such_file_is_refused(tmp_path, content, words):
    with pytest.raises(MedzhError, match=words):
        read(tmp_path, content)


def test_short_questions_may_stand_in_both_splits_with_other_right_answers(tmp_path):
    here = row("下列说法正确的是", ["心主血脉", "心主疏泄"], "A", split="test")
    there = row("下列说法正确的是", ["肝主疏泄", "肝主血脉"], "A", split="train")
    assert shapes(read(tmp_path, [here, there])) == {
        split: [("A1", 1, "下列说法正确的是", "A")] for split in ("test", "train")
    }
    with pytest.raises(MedzhError, match="the question is also in the test split"):
        read(tmp_path, [here, {**there, "options": ["肝主血脉", "心主血脉"], "answer": "B"}])


def test_questions_that_should_share_something_and_stand_alone_are_counted(tmp_path):
    assert read(tmp_path, [BLOOD[0], TONGUE, BLOOD[1], COUGH[0]]).notes == (
        "1 A3 question is not in a question group, because no other row (for B1, no adjacent row) has the same case.",
        (
            "2 B1 questions are not in a question group, because no other row (for B1, no adjacent row) has the same "
            "options."
        ),
    )


def test_a_repeated_question_is_named_with_the_other_file(out, tmp_path):
    rows = [{key: value for key, value in one.items() if key != "split"} for one in (TONGUE, EYES)]
    train, test = write(tmp_path / "a.jsonl", rows), write(tmp_path / "b.jsonl", rows[:1])
    with pytest.raises(MedzhError, match=r"b\.jsonl:1: .* only once \(first: line 1 of .*a\.jsonl\)"):
        build("tcmd", "official", out, given=[f"train={train}", f"test={test}"])


# The command.


@pytest.mark.parametrize("name", ["tcmd-{}", "{}"])
def test_each_split_may_have_a_file_of_its_own(out, tmp_path, name):
    rows = [{key: value for key, value in one.items() if key != "split"} for one in ALL]
    train = write(tmp_path / "a.jsonl", rows[1:6])
    test = write(tmp_path / "b.jsonl", [rows[0], *rows[6:]])
    given = [f"{name.format('train')}={train}", f"{name.format('test')}={test}"]
    made = build("tcmd", "official", out, given=given)
    assert made.records == {"test": 4, "train": 5}
    assert [source["name"] for source in made.sources] == ["tcmd-train", "tcmd-test"]
    assert build("tcmd", "official", out, given=given[1:]).records == {"test": 4}
    with pytest.raises(MedzhError, match="no question is in the test split"):
        build("tcmd", "official", out, given=given[:1])
    with pytest.raises(MedzhError, match="a file with both splits cannot be combined with a file for one split"):
        build("tcmd", "official", out, given=[*given, str(train)])


def test_a_split_that_is_not_that_of_its_file_is_refused(out, tmp_path):
    own = write(tmp_path / "own.jsonl", ALL)
    with pytest.raises(MedzhError, match=r"the split does not match the file .*: expected test, found 'train'"):
        build("tcmd", "official", out, given=[f"test={own}"])


BROUGHT = "Nothing shows that the file is TCMD"
OPEN = "It is an open counterpart of TCMD, not TCMD"


@pytest.mark.parametrize(("recipe", "holds"), [("official", [BROUGHT]), ("mini", []), ("open", [OPEN])])
def test_the_card_says_of_a_recipe_what_holds_for_it(out, tmp_path, recipe, holds):
    given = [str(write(tmp_path / "own.jsonl", ALL))] if recipe == "official" else []
    made = build("tcmd", recipe, out, given=given)
    text = (out / "README.md").read_text(encoding="utf-8")
    assert [claim for claim in (BROUGHT, OPEN) if claim in text] == holds
    name = data_name("tcmd", recipe)
    assert "- Availability: not released." in text
    (first,) = [line for line in text.splitlines() if line.startswith("**`")]
    assert f"`{name}` was built by the recipe `{recipe}`" in first
    assert "It is the official data" not in first
    assert ("NOT verified against a pinned file" in first) is (recipe == "official")
    assert ("Nothing shows that this data is the benchmark" in first) is (recipe == "official")
    assert "may differ from the official benchmark" not in text
    # The manual's shares, the counts by realm, and Table 1 beside the counts by subject.
    assert "| 中医临床 | Clinical Practice of TCM | " in text
    for split, records in made.records.items():
        assert f"| `{name}` | {recipe} | `{split}` | {records:,} | " in text
    assert "| 中医临床 | 中医内科学 | 4/18 | " in text
