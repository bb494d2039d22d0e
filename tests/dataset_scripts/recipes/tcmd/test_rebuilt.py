from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dataset_scripts.packaging.features import read_schema
from dataset_scripts.packaging.validating import faults, surveyed
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.tcmd import rebuilt as recipe
from dataset_scripts.recipes.tcmd import subjects
from dataset_scripts.recipes.tcmd.dataset import DATASET
from dataset_scripts.recipes.tcmd.rebuilt import ANSWERS, OWN_SOURCES, PARAMETERS, SOURCES, rebuild
from dataset_scripts.sources.fetching import cached_path
from dataset_scripts.sources.registry import REGISTRY, read_sources
from medzh_score.configs.tcmd.exam import REALMS
from medzh_score.messages.errors import MedzhError

SCHEMA = read_schema(DATASET.schema)
REGISTERED = read_sources(REGISTRY)
WANTED = {realm.name: realm.test for realm in REALMS}
ORGANS = ("心", "肝", "脾", "肺", "肾")
COUGH = "患者，男，30岁。诊断为咳嗽，痰稠色黄，咽痛，身热，舌苔薄黄，脉浮数。"
# Units of MLEC-QA that stay together: a question, or the neighbours of a flattened group.
MLEC = [
    [("A1型题", "开窍于舌的脏是", ORGANS, "A")],
    [("A1型题", "五行中木的相克关系是", ("木克土", "木克火", "木克水"), "A")],
    [("B1型题", "肝与五脏中藏血的是", ORGANS, "B"), ("B1型题", "五脏中主统血的是", ORGANS, "C")],
    [
        ("A3/A4型题", f"{COUGH}其证候是", ("风寒袭肺", "风热犯肺", "痰湿蕴肺"), "B"),
        ("A3/A4型题", f"{COUGH}治疗应首选的方剂是", ("桑菊饮", "三拗汤", "二陈汤"), "A"),
        ("A3/A4型题", f"{COUGH}其治法是", ("疏风清热", "疏风散寒", "燥湿化痰"), "A"),
    ],
    [("A1型题", "医学伦理学的基本原则不包括", ("尊重", "不伤害", "盈利"), "C")],
    [("A1型题", "下颌第一磨牙的牙根数是", ("一", "二", "三"), "B")],
    [("A1型题", "下列说法正确的是", ("甲", "乙"), "A")],
    [("A1型题", "主血脉的脏是", ORGANS, "AB")],
]
CMB = [
    {"question": "开窍于舌的脏是（  ）。", "answer": "E", "option": dict(zip("ABCDE", ORGANS[::-1], strict=True))},
    {"question": "滑脉的主病是", "answer": "A", "option": {"A": "痰饮", "B": "血瘀", "C": "气滞", "D": "", "E": ""}},
    {"question": "涩脉的主病是", "answer": "A", "option": {"A": "血瘀", "B": "痰饮", "C": "气滞"}},
    {"question": "《素问》称“君主之官”的是", "answer": "A", "option": {"A": "心", "B": "胆"}, "exam_subject": "内经"},
]
CMEXAM = [
    ("涩脉的主病是", "A 血瘀\nB 气滞\nC 痰饮", "C", "与另一题库的答案不同。"),
    ("肺部叩诊呈鼓音，见于", "A 气胸\nB 胸腔积液", "A", "气胸叩诊呈鼓音。"),
]


def write(folder, name, content):
    path = folder / f"{name}.txt"
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return SourceFile(name, path, "0" * 64, pinned=False)


def mlec(folder, units, name="mlec-tcm-train"):
    rows = [
        {
            "qid": f"{question}{letter}",
            "qtype": kind,
            "qtext": question,
            "options": dict(zip("ABCDE", options, strict=False)),
            "answer": letter,
        }
        for unit in units
        for kind, question, options, letter in unit
    ]
    return write(folder, name, rows)


def cmexam(folder, rows, name="cmexam-train"):
    path = folder / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("Question", "Options", "Answer", "Explanation"), *rows])
    return SourceFile(name, path, "0" * 64, pinned=False)


def sources(folder, units=MLEC, cmb=CMB, rows=CMEXAM):
    listed = (mlec(folder, units), write(folder, "cmb-exam-train", cmb), cmexam(folder, rows))
    return {source.name: source for source in listed}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return rebuild(sources(tmp_path_factory.mktemp("banks")), seed=0)


def table(built, beginning):
    (found,) = (table for table in built.tables if table.title.startswith(beginning))
    return {row[0]: dict(zip(found.columns, row, strict=True)) for row in found.rows}


def by_question(built):
    return {record["question"]: record for records in built.splits.values() for record in records}


def test_records_are_valid_and_agree(built):
    assert set(built.splits) == {"test", "train"}
    assert faults("tcmd", surveyed(built.splits, SCHEMA), built.splits, DATASET.check) == []
    assert {record["recipe"] for record in by_question(built).values()} == {"rebuilt"}


def test_what_is_kept_and_where_it_belongs(built):
    kept = {
        question: (
            record["type"],
            record["subject"],
            record["source"],
            record["options"]["ABCDE".index(record["answer"])],
        )
        for question, record in by_question(built).items()
    }
    assert kept == {
        "开窍于舌的脏是": ("A1", "中医基础理论", "mlec-tcm-train", "心"),
        "五行中木的相克关系是": ("A1", "中医基础理论", "mlec-tcm-train", "木克土"),
        "肝与五脏中藏血的是": ("B1", "中医基础理论", "mlec-tcm-train", "肝"),
        "五脏中主统血的是": ("B1", "中医基础理论", "mlec-tcm-train", "脾"),
        "其证候是": ("A3", "中医内科学", "mlec-tcm-train", "风热犯肺"),
        "治疗应首选的方剂是": ("A3", "中医内科学", "mlec-tcm-train", "桑菊饮"),
        "其治法是": ("A3", "中医内科学", "mlec-tcm-train", "疏风清热"),
        "医学伦理学的基本原则不包括": ("A1", "医学伦理学", "mlec-tcm-train", "盈利"),
        "滑脉的主病是": ("A1", "中医诊断学", "cmb-exam-train", "痰饮"),
        "《素问》称“君主之官”的是": ("A1", "黄帝内经", "cmb-exam-train", "心"),
        "肺部叩诊呈鼓音，见于": ("A1", "诊断学基础", "cmexam-train", "气胸"),
    }


def test_tables_account_for_every_row(built):
    sources_table = table(built, "Rows of the sources")
    columns = ["source", "found", "not sound", "misspelt", "one answer", "duplicate", "contradicted", "outside"]
    columns += ["unassigned", "subject in doubt", "kept"]
    assert list(sources_table["mlec-tcm-train"].items()) == list(
        zip(columns, ("mlec-tcm-train", 11, 1, 0, 0, 0, 0, 1, 1, 0, 8), strict=True)
    )
    assert list(sources_table["cmb-exam-train"].values())[1:] == [4, 0, 0, 0, 1, 1, 0, 0, 0, 2]
    assert list(sources_table["cmexam-train"].values())[1:] == [2, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert list(sources_table["all"].values())[1:] == [17, 1, 0, 0, 1, 2, 1, 1, 0, 11]
    reasons = {reason: row["rows"] for reason, row in table(built, "Rows that were dropped").items()}
    assert reasons == {"several answers": 1, "duplicate": 1, "contradicted": 2, "outside": 1, "unassigned": 1}
    rules = table(built, "Questions by the rule")
    assert sum(row["questions"] for row in rules.values()) == 13  # all that are unique
    assert rules["source: Inner Canon"]["questions"] == 1
    assert rules["no rule"]["questions"] == 1


def test_shared_options_with_one_right_answer_are_left_out(tmp_path):
    twice = [("B1型题", "肝与五脏中藏血的是", ORGANS, "B"), ("B1型题", "五脏中主疏泄的是", ORGANS, "B")]
    built = rebuild({"mlec-tcm-train": mlec(tmp_path, [*MLEC, twice])}, seed=0)
    assert table(built, "Rows of the sources")["all"]["one answer"] == len(twice)
    assert "五脏中主疏泄的是" not in by_question(built)
    assert "五脏中主统血的是" in by_question(built)  # its set has two


def test_realms_that_cannot_be_filled_are_told(built):
    filled = table(built, "Questions of the test split")
    assert filled["中医基础"] == {"realm": "中医基础", "wanted": 140, "filled": 2, "left for train": 3}
    assert filled["all"] == {"realm": "all", "wanted": 600, "filled": 8, "left for train": 3}
    assert len(built.notes) == 10
    assert built.notes[0] == "the test split has 2 of 140 questions of 中医基础; 3 of that realm are left for train"
    assert built.notes[5:9] == tuple(
        f"the test split has {got} questions of type {kind}, and the paper's has {wanted}"
        for kind, got, wanted in (("A1", 5, 212), ("A2", 0, 142), ("A3", 3, 102), ("B1", 0, 144))
    )


def test_questions_with_shared_options_do_not_stand_on_both_sides(built):
    assert {record["question"] for record in built.splits["train"]} == {
        "开窍于舌的脏是",
        "肝与五脏中藏血的是",
        "五脏中主统血的是",
    }
    assert (
        built.notes[9]
        == "3 questions (2 groups) are in train because another group has nearly the same case, question or options"
    )


def test_split_without_questions_is_left_out_and_told(tmp_path):
    units = [[("A1型题", "医学伦理学的基本原则不包括", ("尊重", "不伤害", "盈利"), "C")]]
    file = mlec(tmp_path, units)
    small = rebuild({file.name: file}, seed=0)
    assert {split: len(records) for split, records in small.splits.items()} == {"test": 1}
    assert small.notes[-1] == "there is no train split: no question was left for it"


def test_sources_without_a_question_that_can_be_used_are_an_error(tmp_path):
    file = mlec(tmp_path, MLEC[5:])
    with pytest.raises(MedzhError, match="no question of these sources can be used") as caught:
        rebuild({file.name: file}, seed=0)
    assert caught.value.found == "1 several answers, 1 outside, 1 unassigned"


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations(MLEC), st.permutations(CMB), st.permutations(CMEXAM), st.permutations(range(3)))
def test_order_of_rows_and_sources_does_not_matter(tmp_path, built, units, cmb, rows, order):
    files = list(sources(tmp_path, units, cmb, rows).values())
    again = rebuild({files[place].name: files[place] for place in order}, seed=0)
    assert again == built


def test_any_one_source_is_enough(tmp_path):
    for name, file in sources(tmp_path).items():
        records = [record for split in rebuild({name: file}, seed=0).splits.values() for record in split]
        assert {record["source"] for record in records} == {name}


def test_answers_apart_reach_their_questions(tmp_path):
    test = write(
        tmp_path, "cmb-exam-test", [{"id": 1, "question": "迟脉的主病是", "option": {"A": "寒证", "B": "热证"}}]
    )
    answers = write(tmp_path, ANSWERS, [{"id": 1, "answer": "A"}])
    assert by_question(rebuild({"cmb-exam-test": test, ANSWERS: answers}, seed=0))["迟脉的主病是"]["answer"] == "A"
    with pytest.raises(MedzhError, match="1 no answer"):
        rebuild({"cmb-exam-test": test}, seed=0)


@pytest.mark.parametrize("names", [[], [ANSWERS], ["sdak"], ["mlec-tcm-train", "sdak"]])
def test_other_sources_are_an_error(tmp_path, names):
    files = {name: mlec(tmp_path, MLEC, name) for name in names}
    with pytest.raises(MedzhError, match="cannot be built from these sources"):
        rebuild(files, seed=0)


def test_sources_are_registered_or_the_users_own():
    assert {name for name in SOURCES if name not in REGISTERED} == set(OWN_SOURCES)
    assert {name for name, source in REGISTERED.items() if "tcmd" in source.used_by} <= set(SOURCES)
    assert len(SOURCES) == len(set(SOURCES))


def many(folder, size):
    # Numbers in the text make questions of their own; three options of five are right in turn.
    units = [
        [("A1型题", f"第{number}条医学伦理学原则是", (f"甲{number}", f"乙{number}"), "AB"[number % 2])]
        for number in range(size)
    ]
    file = mlec(folder, units)
    return {file.name: file}


def test_seed_changes_the_draw_and_nothing_else(tmp_path):
    files = many(tmp_path, 60)
    builds = [rebuild(files, seed) for seed in (0, 0, 1)]
    assert builds[0] == builds[1]
    assert builds[0].splits["test"] != builds[2].splits["test"]
    assert builds[0].tables == builds[2].tables
    assert by_question(builds[0]) == by_question(builds[2])
    assert [len(builds[0].splits[split]) for split in ("test", "train")] == [20, 40]


# The sources that the counts below were taken from; CMB and the CSV of CMExam are not among them.
COUNTED = [
    name for name in SOURCES if name.startswith(("tcmbench-", "tcm-best4sdt-", "cmexam-val-xlsx", "tcm-pharmacist-"))
]


def test_real_sources_are_rebuilt(upstream_file, monkeypatch):
    """One test, since one build takes seconds: the split, the records, the rows, and who is no child."""
    decided = []

    def decide(candidate):
        decided.append((candidate.group, subjects.decide(candidate)))
        return decided[-1][1]

    monkeypatch.setattr(recipe, "decide", decide)
    paths = {name: upstream_file(str(cached_path(REGISTERED[name], Path()))) for name in COUNTED}
    real = rebuild({name: SourceFile(name, path, "0" * 64, pinned=True) for name, path in paths.items()}, seed=0)
    assert faults("tcmd", surveyed(real.splits, SCHEMA), real.splits, DATASET.check) == []
    check_the_fill(real)
    check_the_splits(real)
    check_the_rows(real)
    check_the_children(decided)


def check_the_fill(real):
    assert Counter(record["realm"] for record in real.splits["test"]) == WANTED
    assert Counter(record["type"] for record in real.splits["test"]) == {"A1": 388, "A2": 162, "B1": 44, "A3": 6}
    assert Counter(record["realm"] for record in real.splits["train"]) == {
        "中医基础": 318,
        "中医经典": 5,
        "中医临床": 74,
        "西医综合": 253,
        "医学人文": 206,
    }
    assert real.notes == (
        "the test split has 388 questions of type A1, and the paper's has 212",
        "the test split has 162 questions of type A2, and the paper's has 142",
        "the test split has 6 questions of type A3, and the paper's has 102",
        "the test split has 44 questions of type B1, and the paper's has 144",
        "108 questions (100 groups) are in train because another group has nearly the same case, question or options",
        "4 explanations were left out, for they give the answers of other questions by their numbers",
    )


def test_sample_of_subjects_was_read_with_these_rules():
    # Who changes the rules reads a new sample and prints its number among the parameters.
    assert PARAMETERS["rules for subjects"] == "tcmd/subjects.toml, d6c84837f418e59a"
    assert "8 had a wrong subject" in str(PARAMETERS["subjects in doubt"])


def check_the_splits(real):
    """They share neither options nor beginnings of cases."""
    options, cases = (
        [{what(record) for record in real.splits[split]} for split in ("test", "train")]
        for what in (
            lambda record: tuple(record["options"]),
            lambda record: (record["stem"] or record["question"])[:40],
        )
    )
    assert options[0].isdisjoint(options[1])
    assert {case for case in cases[0] & cases[1] if len(case) == 40} == set()


def check_the_children(decided):
    """None of them is an adult."""
    children = [
        " ".join((group.stem or "", *(part.question for part in group.parts)))
        for group, rule in decided
        if rule and rule.name == "outside: children, by Western medicine" and group.source == "cmexam-val-xlsx"
    ]
    assert len(children) > 100
    assert [text for text in children if re.search(r"(?<!\d)(?:1[89]|[2-9]\d)岁", text)] == []


def check_the_rows(real):
    total = table(real, "Rows of the sources")["all"]
    assert list(total.values()) == ["all", 8103, 717, 6, 6, 14, 0, 3695, 1981, 228, 1456]
    assert {reason: row["rows"] for reason, row in table(real, "Rows that were dropped").items()} == {
        "image": 40,
        "stem lost": 130,
        "no options": 19,
        "lettering": 57,
        "empty option": 3,
        "equal options": 9,
        "no answer": 6,
        "several answers": 394,
        "answer without option": 1,
        "damaged": 58,
        "misspelt": 6,
        "one answer": 6,
        "duplicate": 14,
        "outside": 3695,
        "unassigned": 1981,
        "subject in doubt": 228,
    }
