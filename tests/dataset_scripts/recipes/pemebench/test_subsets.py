"""The pediatric subsets of PeMeBench's Table 4: readers, selection, what is read of what is there, hostile files."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from tables import case_tables, holds

from dataset_scripts.recipe import SourceFile, dataset
from dataset_scripts.recipes.banks.choice_questions import read_apollo, read_cmexam, read_medqa, settle
from dataset_scripts.recipes.banks.questions import CONTESTED, DATED, NOT_ASKED, REASONS, SPOILT, WRONG, Question
from dataset_scripts.recipes.pemebench.bank import gather
from dataset_scripts.recipes.pemebench.huatuo_reader import read_huatuo
from dataset_scripts.recipes.pemebench.subset import subset
from dataset_scripts.rounds.rounds import Rounds
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
    found = subset({"x": gather(rows)})
    assert [(question.text, question.answer) for question, _ in found.kept] == [("小儿贫血", "A"), ("小儿贫血", "B")]
    assert (found.repeated, found.contradicted) == (Counter(x=3), Counter(x=2))
    assert found.banks["x"].others == 1


@pytest.mark.parametrize(
    ("question", "options", "reason"),
    [
        ("小儿初次接种麻疹疫苗的时间是", FIVE, DATED),
        ("小儿肺结核首选的药物是", ("异烟肼", "青霉素"), DATED),
        ("新生儿缺氧缺血性脑病控制惊厥首选", FIVE, DATED),
        ("小儿接种疫苗后发热，首先考虑", FIVE, None),
        ("新生儿缺氧缺血性脑病的病因是", FIVE, None),
        ("小儿出生后6个月", FIVE, NOT_ASKED),
        ("新生儿期", FIVE, NOT_ASKED),
        ("小儿营养不良症", FIVE, NOT_ASKED),  # a name, and a purpose, and nothing that asks
        ("为防止新生儿溶血", FIVE, NOT_ASKED),
        ("为防止新生儿溶血应给予", FIVE, None),
        ("小儿体重为出生时2倍的年龄是6个月", FIVE, None),
        ("新生儿期最常见的疾病", FIVE, None),
        ("小儿腹泻需要禁食时不超过", FIVE, DATED),
        ("小儿腹泻的饮食宜", FIVE, None),
        ("男婴，20天。皮肤黄染，一般情况好。处理是", ("暂停母乳喂养", "换血"), DATED),
        ("关于新生儿病理性黄疸，错误的是", ("出生当天出现", "总胆红素超过205μmol/L"), DATED),
        ("关于新生儿病理性黄疸，错误的是", ("出生当天出现", "退而复现"), None),
        ("重度营养不良患儿热量供给的开始量是", FIVE, DATED),
        ("小儿能控制排尿的年龄是", FIVE, CONTESTED),
        ("男婴，8天，母乳喂养，皮肤黄染。诊断是", ("母乳性黄疸", "溶血", "生理性黄疸"), CONTESTED),
        ("男婴，3天，皮肤黄染。诊断是", ("母乳性黄疸", "溶血", "生理性黄疸"), None),
        ("婴儿，腹泻伴脱水，第一天补液的总量是", ("60ml/kg", "150ml/kg"), CONTESTED),
        ("婴儿要注意预防的疾病是", ("传染病", "感染性疾病"), CONTESTED),
        ("女童，4岁，低热盗汗。诊断是", ("原发综合征", "支气管淋巴结结核"), CONTESTED),
        ("女童，4岁，低热盗汗，胸片见肺门肿大。诊断是", ("原发综合征", "支气管淋巴结结核"), None),
        ("出生后8个月开始", FIVE, NOT_ASKED),
        ("小儿惊厥应采取的措施，除了", FIVE, NOT_ASKED),
        ("小儿1岁时的头围是", ("46cm", "9kg"), NOT_ASKED),  # the options of two questions
        ("小儿1岁时的头围是", ("46cm", "50cm"), None),
        ("性早熟是指", ("女孩7岁前乳房发育，均属性早熟", "月经"), NOT_ASKED),
        ("女婴，10个月。Hb80g/L，MCV68fl，MCH22pg，MCHC0.28。诊断是", FIVE, SPOILT),
        ("男孩，6岁，水肿。血浆蛋白24g/L。诊断是", FIVE, SPOILT),
        ("男孩，6岁，发热。脑脊液红细胞3×10⁹/L。诊断是", FIVE, None),  # of the fluid, not of the blood
        ("男孩，6岁，发热。脑脊液WBC7.5×10⁶/L。诊断是", FIVE, SPOILT),  # no part of a cell
        ("男孩，6岁，水肿。血浆白蛋白24g/L。诊断是", FIVE, None),
        ("女婴，10个月。Hb80g/L，MCV75fl，MCH21pg，MCHC0.28。诊断是", FIVE, None),
        ("女婴，10个月。Hb80g/L，MCV75fl，MCH21pg，MCHC28%。诊断是", FIVE, None),
    ],
)
def test_what_has_changed_or_asks_nothing_is_left_out_by_its_reason(question, options, reason):
    bank = gather([Question("x", question, "A", tuple(options))])
    assert bank.dropped == ({reason: 1} if reason else {})
    assert len(bank.children) == (reason is None)


@pytest.mark.parametrize(
    ("stem", "option", "right_stem", "right_option"),
    [
        ("女婴，心率140/分，血压80∕50ｍmHg", "体重9Kg", "心率140次/分，血压80/50mmHg", "体重9kg"),
        ("下列小儿贫血的原因不包括", "离开母亲时有深感不安", "小儿贫血的原因不包括", "离开母亲时深感不安"),
        ("9月女婴，查体：38.5℃", "肺炎球菌", "9个月女婴，查体：体温38.5℃", "肺炎球菌"),
        ("6个月，发热3天", "占60%～70%左右", "小儿，6个月，发热3天", "占60%～70%"),
        ("女婴，血钠130mmol/L血钾3mmoL/L", "体温38.5C", "血钠130mmol/L，血钾3mmol/L", "体温38.5℃"),
        ("男孩，头痛l天，脑脊液白细胞300×10⁹/L", "2∶3∶l液", "头痛1天，脑脊液白细胞300×10⁶/L", "2∶3∶1液"),
        ("男孩，红细胞3.1×10⁹/L，WBC7.5×10⁶/L", "青霉索", "红细胞3.1×10¹²/L，WBC7.5×10⁹/L", "青霉素"),
        ("男孩，咳嗽，,大便糖稀，PPD试验（一）", "形体消痩", "咳嗽，大便溏稀，PPD试验（-）", "形体消瘦"),
        ("小儿，为明确骨龄。首选", "头围46㎝", "小儿，为明确骨龄，首选", "头围46cm"),
        (
            "女婴，胸骨左级全收缩杂音，P2亢进",
            "完全性右束传导阻滞",
            "胸骨左缘全收缩期杂音，P₂亢进",
            "完全性右束支传导阻滞",
        ),
        ("小儿（牙合）面的裂沟", "A+B+C+D", "小儿𬌗面的裂沟", "以上都是"),
        ("女婴，尿蛋白（+）红细胞5个/HP", "白面部出疹", "尿蛋白（+），红细胞5个/HP", "自面部出疹"),
    ],
)
def test_what_is_certainly_misprinted_is_put_right(stem, option, right_stem, right_option):
    ((found, _),) = gather([Question("x", stem, "A", (option, "肺炎"))]).children
    assert found.text.endswith(right_stem)
    assert found.options == (right_option, "肺炎")


@pytest.mark.parametrize(
    "stem",
    [
        "下列各项小儿贫血的原因不包括",
        "面色苍白，面部浮肿的小儿",
        "男孩，6个月，发热3天",
        "6岁，女孩，发热3天",
        "小儿X线片见左、右束",
        "小儿乳牙合并龋坏的治疗",
        "小儿血压90/60mmHg",
    ],
)
def test_what_is_printed_well_stays(stem):
    ((found, _),) = gather([Question("x", stem, "A", FIVE)]).children
    assert found.text == stem


def test_a_question_that_was_read_and_found_wrong_is_told_with_the_number_of_its_paper(monkeypatch):
    question = Question("x", "小儿贫血", "A", FIVE)
    monkeypatch.setattr("dataset_scripts.recipes.pemebench.bank.wrong_keys", lambda: frozenset({question.digest}))
    rows = [question, Question("x", "3．小儿贫血", "A", FIVE), Question("x", "小儿发热", "A", FIVE)]
    assert gather(rows).dropped == {WRONG: 2}


def test_open_questions_are_kept_once_whatever_their_answers():
    rows = [Question("x", "宝宝发热", "多饮水"), Question("x", "宝宝发热", "就医")]
    found = subset({"x": gather(rows)})
    assert [question.answer for question, _ in found.kept] == ["多饮水"]


# CMExam


def test_cmexam_from_csv_to_records(write_csv, rebuilt):
    path = write_csv(
        cmexam_row("小儿肺炎的并发症有", answer="ABC"),
        cmexam_row("女，3岁，犬吠样咳嗽，诊断是", answer="B"),
        cmexam_row("成人肺炎的病因是"),
        cmexam_row("小儿贫血", answer="nan"),
        cmexam_row("小儿贫血", ("甲", "甲")),
    )
    made, rows = rebuilt("pemebench_cmexam", f"cmexam-test={path}")
    assert {text: (row["answer"], row["matched"]) for text, row in rows.items()} == {
        "小儿肺炎的并发症有": ("ABC", ["child"]),
        "女，3岁，犬吠样咳嗽，诊断是": ("B", ["age-years"]),
    }
    for row in rows.values():
        assert row["id"] == row["upstream_key"]
        assert row["options"] == list(FIVE)
        assert (row["source"], row["recipe"]) == ("cmexam-test", "rebuilt")
        assert "多个正确选项" in row["prompt"]
    _reading, beside, by_source, by_reason, by_pattern = made.tables
    assert [row[1:] for row in beside.rows] == [("5", "2"), ("60,000", "2,936"), ("not stated", "265 (inferred)")]
    assert by_source.rows == (("cmexam-test", 5, 2, 1, 0, 0, 2),)
    assert [(row[0], row[2]) for row in by_reason.rows] == [("equal options", 1), ("no answer", 1)]
    assert {row[0]: row[2:] for row in by_pattern.rows if row[2]} == {"child": (1, 1), "age-years": (1, 1)}
    assert made.sources[0]["redistributable"] is False


def made_of(config, *files):
    """Let the recipe make what it makes of these files."""
    return dataset(config).recipe("rebuilt").make({file.name: file for file in files}, 0, Rounds(Path()))


def test_what_a_user_gives_is_read_and_the_cache_is_left_alone(write_csv):
    given, cached = (write_csv(cmexam_row(f"小儿肺炎，{name}"), name=f"{name}.csv") for name in ("given", "cached"))
    source = dataset("pemebench_cmexam").recipe("rebuilt").sources
    assert source[:3] == ("cmexam-test", "cmexam-val", "cmexam-val-xlsx")
    built = made_of(
        "pemebench_cmexam",
        SourceFile("cmexam-test", cached, "0" * 64, pinned=True),
        SourceFile("cmexam-val", given, "1" * 64, pinned=False, given=True),
    )
    assert [row["question"] for row in built.splits["test"]] == ["小儿肺炎，given"]
    assert built.notes == ("cmexam-test stands in the cache and was left out",)
    assert built.left_out == ("cmexam-test",)


def test_of_the_cache_the_source_nearest_to_the_paper_is_read(write_csv):
    names = ("cmexam-test", "cmexam-val")
    files = [SourceFile(n, write_csv(cmexam_row(f"小儿肺炎，{n}"), name=n), "0" * 64, pinned=True) for n in names]
    built = made_of("pemebench_cmexam", *files)
    assert [row["question"] for row in built.splits["test"]] == ["小儿肺炎，cmexam-test"]
    assert built.left_out == ("cmexam-val",)


def test_what_a_user_gives_is_read_although_it_stands_in_the_cache_folder(write_lines, rebuilt, cache):
    cache.mkdir()
    first = write_lines(cache / "h1.jsonl", [{"question": "宝宝发热", "answer": "甲"}])
    second = write_lines(cache / "h2.jsonl", [{"question": "宝宝咳嗽", "answer": "乙"}])
    made, rows = rebuilt("pemebench_huatuo", f"huatuo-test={first}", f"huatuo-lite={second}")
    assert rows.keys() == {"宝宝发热", "宝宝咳嗽"}
    assert not any("left out" in note for note in made.notes)


def test_several_files_that_a_user_gives_are_joined_and_told_apart(write_csv, rebuilt):
    test = write_csv(cmexam_row("小儿肺炎是"), cmexam_row("小儿喉炎是"), name="t.csv")
    val = write_csv(cmexam_row("小儿肺炎是"), cmexam_row("小儿脑炎是"), name="v.csv")
    made, rows = rebuilt("pemebench_cmexam", f"cmexam-val={val}", f"cmexam-test={test}")
    assert {text: row["source"] for text, row in rows.items()} == {
        "小儿肺炎是": "cmexam-test",
        "小儿喉炎是": "cmexam-test",
        "小儿脑炎是": "cmexam-val",
    }
    told = "2 cmexam-test, 1 cmexam-val; the column source tells them apart"
    assert made.notes == (f"the split test holds questions of several sources: {told}",)


# MedQA


def medqa_row(question, answer="A", **more):
    options = dict(zip("ABCD", FIVE, strict=False))
    return {"question": question, "options": options, "answer": options[answer], "answer_idx": answer, **more}


def test_medqa_from_json_lines(write_lines, rebuilt, tmp_path):
    rows = [medqa_row("8个月女婴，喘息", "B", meta_info="儿科"), medqa_row("男，40岁，喘息")]
    (row,) = rebuilt("pemebench_medqa", write_lines(tmp_path / "test.jsonl", rows))[1].values()
    assert (row["answer"], row["options"], row["source"]) == ("B", list(FIVE[:4]), "medqa-mainland-test")
    assert row["id"].startswith("pmmedqa-")
    assert "多个" not in row["prompt"]
    assert "只有一个正确选项" in row["prompt"]


def test_apollo_is_read_for_medqa_alone(tmp_path):
    options = "(A) 肺炎.\n(B) 血钙2.0mmol/L.\n(C) 1.5.\n(D) 以上都不是."
    rows = [
        {"question": "小儿惊厥", "options": options, "answer": "(B)", "source": "medqa-mcmle"},
        {"question": "小儿呕吐", "options": options, "answer": "(A)", "source": "cmexam"},
    ]
    path = tmp_path / "zh.json"
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    (found,) = read_apollo("apollo-zh-test", path)
    assert (found.text, found.answer) == ("小儿惊厥", "B")
    assert found.options == ("肺炎", "血钙2.0mmol/L", "1.5", "以上都不是")


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


def test_huatuo_in_all_its_shapes(write_lines, rebuilt, tmp_path):
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
    made, rows = rebuilt("pemebench_huatuo", write_lines(tmp_path / "h.jsonl", lines))
    assert {text: row["answer"] for text, row in rows.items()} == {
        "宝宝发热怎么办？": "多饮水。",
        "婴儿腹泻怎么办？": "补液。",
        "新生儿黄疸要紧吗？": "多数不要紧。",
    }
    assert rows["新生儿黄疸要紧吗？"]["upstream_key"] == "7"
    assert all(row["prompt"] == text for text, row in rows.items())
    assert made.notes[0].startswith("2 other wordings and answers of these questions were not taken")
    assert made.tables[1].rows == (("huatuo-test", 8, 3, 1, 1, 0, 3),)
    assert [(row[0], row[2]) for row in made.tables[2].rows] == [("no text", 1), ("no answer", 1), ("link", 1)]


def test_of_an_equal_question_in_several_parts_of_huatuo_the_first_answer_is_taken(write_lines, rebuilt, tmp_path):
    parts = [("test", "甲"), ("encyclopedia", "乙")]
    given = [
        f"huatuo-{name}={write_lines(tmp_path / name, [{'question': '宝宝发热', 'answer': answer}])}"
        for name, answer in parts
    ]
    (row,) = rebuilt("pemebench_huatuo", *given[::-1])[1].values()
    assert (row["answer"], row["source"]) == ("甲", "huatuo-test")


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
    assert refused(config).advice


def test_the_spreadsheet_and_the_csv_give_the_same_questions(write_csv, tmp_path):
    from openpyxl import Workbook

    rows = [cmexam_row("小儿肺炎的并发症有", answer="AB"), cmexam_row("小儿喉炎是", FIVE[:4], "D")]
    book = Workbook()
    for row in [HEAD, *rows]:
        book.active.append([cell.replace("\n", "\\n") for cell in row])
    book.save(tmp_path / "val.xlsx")
    of_sheet = list(read_cmexam("cmexam-val-xlsx", tmp_path / "val.xlsx"))
    of_csv = list(read_cmexam("cmexam-val", write_csv(*rows)))
    assert [one.digest for one in of_sheet] == [one.digest for one in of_csv]
    assert [one.answer for one in of_sheet] == ["AB", "D"]


def test_order_and_repetition_of_rows_do_not_change_a_build(write_csv, rebuilt):
    rows = [cmexam_row(f"小儿疾病第{number}问", answer="ABCDE"[number % 5]) for number in range(20)]
    one, _ = rebuilt("pemebench_cmexam", write_csv(*rows), out="a")
    other, _ = rebuilt("pemebench_cmexam", write_csv(*rows[::-1], *rows[:5], name="turned.csv"), out="b")
    assert one.fingerprint == other.fingerprint
