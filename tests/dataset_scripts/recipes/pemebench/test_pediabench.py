"""The essay questions of PediaBench: small workbooks of our own, and the real one by counts."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from contextlib import closing

import pytest
from amounts import one_in
from openpyxl import Workbook, load_workbook
from places import CASE_FILES

from dataset_scripts.building.build import build
from dataset_scripts.building.checking import check
from dataset_scripts.command_line import main
from dataset_scripts.recipe import Built, SourceFile
from dataset_scripts.recipes.pemebench import dataset
from dataset_scripts.recipes.pemebench.pediabench import COLUMNS, ESSAY, read_pediabench
from dataset_scripts.recipes.pemebench.records import CLASSES, content_id
from dataset_scripts.recipes.pemebench.wording import PARAMETERS, kind_of, task_of
from dataset_scripts.rounds.rounds import Rounds
from medzh_score.benchmark.draws import draw_first
from medzh_score.data.records import load_records
from medzh_score.messages.errors import MedzhError

NOT_IT = "the essay questions of PediaBench, another benchmark by the same authors: this is not PeMeBench"
REAL = "ACMISLab/PediaBench/a8ac50aeab30f7fd898b696a35a2cd336b83c602/data/EssayShort Answer.xlsx"

ROWS = [
    ("儿科急诊与危重症", "什么是休克？", "休克是组织灌注不足的急性循环衰竭。"),
    ("儿科免疫缺陷性疾病", "先天性免疫缺陷是什么病？", "先天性免疫缺陷(PID)是免疫系统的遗传病。\n易反复感染。"),
    ("儿科免疫缺陷性疾病", "先天性免疫缺陷有哪些临床表现？", "反复感染。\n生长迟缓。"),
    ("儿科神经系统疾病", "什么是热性惊厥？", "发热时的惊厥。"),
    ("新生儿疾病", "新生儿黄疸的病因有哪些？", "胆红素生成过多或排泄减少。"),
    ("新生儿疾病", " 新生儿黄疸的病因有哪些?", "胆红素代谢特点所致。"),
    ("新生儿疾病", "什么是脐炎？", ""),
    ("新生儿疾病", "什么是湿肺\ufffd？", "肺液吸收延迟。"),
    ("新生儿疾病", "新生儿黄疸的 病因有哪些？", "胆红素生成过多 或排泄减少。"),
    ("新生儿疾病", "\u200b", "没有问题。"),
    ("", "", ""),
]


def book(*rows, head=COLUMNS):
    made = Workbook()
    for row in (head, *rows):
        made.active.append(list(row))
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


@pytest.fixture
def reading(tmp_path):
    def read(content):
        file = tmp_path / "essay.xlsx"
        file.write_bytes(content)
        return read_pediabench(SourceFile(ESSAY, file, "0" * 64, pinned=False))

    return read


def table(built, title):
    (found,) = (made for made in built.tables if made.title.startswith(title))
    return {row[0]: dict(zip(found.columns, row, strict=True)) for row in found.rows}


def test_rows_become_records_by_the_other_names_of_departments(reading):
    built = reading(book(*ROWS))
    facts = [(one["department"], one["question"], one["task"], one["kind"]) for one in built.splits["test"]]
    assert facts == [
        ("儿科急诊与危重症疾病", "什么是休克？", "疾病知识", "definition"),
        ("儿科免疫系统疾病", "什么是先天性免疫缺陷？", "疾病知识", "definition"),
        ("新生儿疾病", "新生儿黄疸的病因有哪些？", "疾病知识", "reason"),
    ]
    assert [one["entities"] for one in built.splits["test"]] == [None, None, None]  # nobody has extracted them
    assert {(one["source"], one["recipe"]) for one in built.splits["test"]} == {("pediabench-essay", "rebuilt")}
    assert built.splits["test"][1]["answer"] == "先天性免疫缺陷(PID)是免疫系统的遗传病。\n易反复感染。"


def test_what_becomes_no_record_is_counted_by_reason(reading):
    built = reading(book(*ROWS))
    rows = table(built, "Rows of PediaBench")
    assert list(rows) == ["新生儿疾病", "儿科急诊与危重症", "儿科免疫缺陷性疾病", "儿科神经系统疾病", "all"]
    counted = {name: (row["found"], row["left out"], row["kept"]) for name, row in rows.items()}
    assert counted["新生儿疾病"] == (6, 5, 1)
    assert counted["儿科神经系统疾病"] == (1, 1, 0)
    assert counted["all"] == (10, 7, 3)  # a blank row is none
    reasons = {name: row["rows"] for name, row in table(built, "Rows that were left out").items() if row["rows"]}
    assert reasons == {"no text": 2, "no class": 1, "damaged": 1, "no kind": 1, "repeated": 1, "other answer": 1}


def test_it_is_never_called_pemebench(reading):
    built = reading(book(*ROWS))
    assert built.notes[0] == NOT_IT
    assert built.notes[1].startswith("no question is of the classes 儿科肾脏系统疾病, ")
    assert built.notes[1].endswith("儿科诊疗技术, 儿科临床常用量表")


def test_columns_may_stand_in_another_order_beside_others(reading):
    rows = [(answer, 7, group, question) for group, question, answer in ROWS]
    built = reading(book(*rows, head=("answers", "n", " Disease Groups ", "questions")))
    assert built.splits == reading(book(*ROWS)).splits


def broken(content, name, change):
    """Change one file of an archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(stream, "w") as target:
        for member in source.namelist():
            data = source.read(member)
            target.writestr(member, change(data) if member == name else data)
    return stream.getvalue()


GOOD = book(*ROWS)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a spreadsheet that can be read"),
        (b"Disease Groups,questions,answers\n", "not a spreadsheet that can be read"),
        (GOOD[: len(GOOD) // 2], "not a spreadsheet that can be read"),
        (GOOD[:200] + b"\0" * 200 + GOOD[400:], "not a spreadsheet that can be read"),
        (broken(GOOD, "xl/worksheets/sheet1.xml", lambda data: data[:300]), "not a spreadsheet that can be read"),
        (broken(GOOD, "xl/worksheets/sheet1.xml", lambda data: b"\xff" + data), "not a spreadsheet that can be read"),
        (broken(GOOD, "xl/workbook.xml", lambda _: b"<workbook/>"), "not a spreadsheet that can be read"),
        (book(head=("科室", "问题", "答案")), "field Disease Groups: a column is missing; .* found '科室, 问题, 答案'"),
        (book(head=(*COLUMNS, "answers")), "field answers: a column stands twice"),
        (book(head=()), "a column is missing"),
        (book(), "no question can be used; .* found 'no rows'"),
        (book(ROWS[3], ROWS[6]), "no question can be used; .* found '1 no class, 1 no text'"),
    ],
)
def test_a_workbook_that_is_none_is_refused_in_one_line(reading, content, words):
    with pytest.raises(MedzhError, match=words) as caught:
        reading(content)
    assert "essay.xlsx" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_workbook_that_is_not_there(tmp_path):
    with pytest.raises(MedzhError, match="cannot be read"):
        read_pediabench(SourceFile(ESSAY, tmp_path / "absent.xlsx", "0" * 64, pinned=False))


def test_the_command_builds_it_and_the_card_says_what_it_is(tmp_path, capfd):
    own, out = tmp_path / "essay.xlsx", tmp_path / "build" / "medzh"
    own.write_bytes(GOOD)
    command = ["build", "pemebench", "--recipe", "rebuilt", "--source", f"pediabench-essay={own}", "--out", str(out)]
    assert main(command) == 0
    printed = capfd.readouterr().out
    assert f"note: {NOT_IT}" in printed
    assert "pemebench rebuilt: test 3 records" in printed
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "NOT the official benchmark" in card
    assert "This data is not PeMeBench and was not made by its procedure." in card
    entry = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["configs"]["pemebench"]
    assert [source["name"] for source in entry["sources"]] == ["pediabench-essay"]
    assert not entry["sources"][0]["redistributable"]
    assert entry["parameters"]["patterns for task and kind"].startswith("pemebench/questions.toml, ")


def test_it_is_left_out_with_a_note_where_guidelines_are_given(tmp_path, monkeypatch):
    given = {name: SourceFile(name, tmp_path, "0" * 64, pinned=False) for name in ("guidelines", ESSAY)}
    asked = []

    def rebuilt(files, seed, rounds):
        asked.append((list(files), seed, rounds))
        return Built({"test": [{"id": "pemebench-0123456789"}]}, notes=("2 blocks",))

    monkeypatch.setattr(dataset, "rebuild", rebuilt)
    rounds = Rounds(tmp_path / "rounds")
    built = dataset.rebuild_or_read(given, 7, rounds)
    assert asked == [(["guidelines"], 7, rounds)]
    assert built.notes == ("2 blocks", "PediaBench's essay questions were left out, for guidelines were given")
    assert built.left_out == (ESSAY,)
    alone = dataset.rebuild_or_read({"guidelines": given["guidelines"]}, 7, rounds)
    assert (alone.notes, alone.left_out) == (("2 blocks",), ())


def test_without_a_source_both_are_named(tmp_path, capfd):
    assert main(["build", "pemebench", "--recipe", "rebuilt", "--out", str(tmp_path / "build" / "medzh")]) == 2
    said = capfd.readouterr().err
    assert "expected one or more of pediabench-essay, guidelines; medzh-build fetch pediabench-essay" in said


# The real file.


def folded(text):
    """Fold full-width forms, and drop white space: enough for the questions of the real file."""
    return "".join(chr(ord(one) - 0xFEE0) if "！" <= one <= "～" else one for one in text if not one.isspace())


def bare(text):
    """Leave words and numbers of a text, which no mending of signs and blanks touches."""
    return "".join(one for one in folded(text) if one.isalnum())


# Table 1's names of the disease groups, written down by hand.
DEPARTMENT = {
    "新生儿疾病": "新生儿疾病",
    "儿科肾脏系统疾病": "儿科肾脏系统疾病",
    "儿科急诊与危重症": "儿科急诊与危重症疾病",
    "儿科基础保健与发育行为疾病": "儿童保健与发育行为疾病",
    "儿科免疫缺陷性疾病": "儿科免疫系统疾病",
    "儿科感染性疾病": "儿科感染性疾病",
    "儿科呼吸系统疾病": "儿科呼吸系统疾病",
    "儿科心血管系统疾病": "儿科心血管系统疾病",
    "儿科内分泌与遗传代谢性系统疾病": "儿科内分泌与代谢性疾病",
    "儿科血液系统疾病": "儿科血液系统疾病",
}


@pytest.fixture(scope="module")
def real_cells(upstream_file):
    with closing(load_workbook(upstream_file(REAL), read_only=True)) as opened:
        return list(opened["Sheet1"].iter_rows(min_row=2, values_only=True))


@pytest.fixture(scope="module")
def real_build(upstream_file, tmp_path_factory):
    """Build the real file: what was made, and where."""
    out = tmp_path_factory.mktemp("real") / "medzh"
    return build("pemebench", "rebuilt", out, given=[f"pediabench-essay={upstream_file(REAL)}"]), out


def test_the_real_file_by_a_loop_over_its_cells(real_cells, real_build):
    assert len(real_cells) == 1565
    there, left_out = Counter(DEPARTMENT.get(group) for group, *_ in real_cells), Counter()
    left_out.update(group for group, *_ in real_cells if group not in DEPARTMENT)
    assert left_out == {"儿科神经系统疾病": 110, "儿科消化系统疾病": 104}
    made, out = real_build
    (reasons,) = (table.rows for table in made.tables if table.title.startswith("Rows that were left out"))
    lost = {reason: count for reason, _, count in reasons}
    assert (lost["no class"], sum(lost.values())) == (214, 1565 - made.records["test"])
    assert made.records["test"] >= 150
    longer = [1 for group, _, answer in real_cells if group in DEPARTMENT and len(answer.strip()) > 300]
    assert 0 < lost["paragraph"] <= len(longer)
    assert check(out).problems == []
    rows = load_records(out, "pemebench").rows
    texts = {DEPARTMENT[group]: set() for group, *_ in real_cells if group in DEPARTMENT}
    for group, _, answer in real_cells:
        if group in DEPARTMENT:
            texts[DEPARTMENT[group]].add(bare(answer))
    assert sum(bare(one["answer"]) in texts[one["department"]] for one in rows) > 0.6 * len(rows)  # the rest is mended
    (source,) = made.sources
    assert (source["name"], source["pinned"], source["redistributable"]) == ("pediabench-essay", True, False)
    assert [there[name] for name in CLASSES] == [144, 139, 104, 149, 128, 150, 132, 138, 145, 122, 0, 0]
    assert {one["entities"] for one in rows} == {None}
    decided = [(task_of(one["question"], one["answer"]), kind_of(one["question"])) for one in rows]
    assert decided == [(one["task"], one["kind"]) for one in rows]
    assert max(len(one["answer"]) for one in rows) <= 300


def test_tasks_and_kinds_agree_with_labels_that_were_made_by_hand(real_cells):
    """Labels of question and answer, made before the rules on answers were written; some were left out since."""
    rows = {
        content_id(DEPARTMENT[group], question.strip()): {"task": task_of(question, answer), "kind": kind_of(question)}
        for group, question, answer in real_cells[::-1]
        if group in DEPARTMENT
    }
    labelled = (CASE_FILES / "pediabench_tasks.tsv").read_text(encoding="utf-8")
    labels = [line.split("\t") for line in labelled.splitlines()]
    assert len({name for name, *_ in labels}) == 100
    tasks, kinds = (
        sum(rows[name][column] == value[place] for name, *value in labels)
        for place, column in enumerate(("task", "kind"))
    )
    said = PARAMETERS["labels made by hand that the rules agree with"]
    assert said == f"{tasks} of 100 tasks and {kinds} of 100 kinds"


# Which of the 100 questions that were read by hand have a wrong task or kind, and what would be right; and which may.
WRONG = {
    "pemebench-11c022b07b": ("治疗方案", "reason", "the task is 疾病知识: it asks for factors"),
    "pemebench-14ead99c35": ("疾病知识", "solution", "the kind is definition: it asks for findings"),
}
DOUBTFUL = {
    "pemebench-13632915fe": ("疾病预防", "solution", "or 治疗方案: it asks for both"),
    "pemebench-d3a96c340b": ("疾病知识", "definition", "or 治疗方案: it asks for a need of fluid"),
    "pemebench-e0fe9e2f0f": ("疾病知识", "reason", "or definition: it asks for factors and for rules"),
}


def test_the_hand_read_sample_is_what_the_card_says_of_it(real_cells):
    """Drawn of all rows, before those that a scan has spoilt were left out."""
    asked = [(DEPARTMENT[group], question.strip()) for group, question, _ in real_cells if group in DEPARTMENT]
    rows = {content_id(*one): one[1] for one in asked}
    sample = draw_first(rows, str, 100, 20261)
    for name, (task, kind, _) in {**WRONG, **DOUBTFUL}.items():
        assert name in sample
        assert (task_of(rows[name]), kind_of(rows[name])) == (task, kind)
    said = PARAMETERS["tasks and kinds wrong in a hand-read sample"]
    assert said == f"1 task and 1 kind of 100 questions of PediaBench; {len(DOUBTFUL)} more doubtful"


def test_the_order_of_the_real_rows_does_not_matter(real_cells, rebuilt, tmp_path):
    once = {(group, folded(question)): (group, question, answer) for group, question, answer in real_cells}
    some = list(once.values())[:: one_in(3)]
    prints = set()
    for name, listed in (("forth", some), ("back", some[::-1])):
        (tmp_path / f"{name}.xlsx").write_bytes(book(*listed))
        made, rows = rebuilt("pemebench", f"pediabench-essay={tmp_path / name}.xlsx", out=name)
        prints.add(made.fingerprint)
    assert len(rows) > 25 / one_in(3) * 0.5
    assert len(prints) == 1


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("什么是白细胞增多？", "白细胞增多是白细胞超过15×109/L。", None),
        ("什么是白细胞增多？", "白细胞增多是白细胞超过15×10L。", "spoilt"),
        ("什么是贫血？", "血红蛋白低于110gL。", "spoilt"),
        ("什么是过敏？", "过敏是变应原引起的反应，lgE 升高。", None),
        ("什么是气胸？", "胸片有气体（图 2-2）。", "incomplete"),
        ("什么是休克？", "2.循环衰竭。", "incomplete"),
        ("肠外营养是什么病？", "经静脉供给营养。", "no definition"),
        ("风疹需要跟哪些疾病进行鉴别诊断？", "需要鉴别的疾病有风疹（热度不高）；幼儿急疹。", "other's answer"),
        ("什么是黄疸？", "黄疸是胆红素大于85μmol/L。", None),
        ("什么是黄疸？", "胆红素大于85mmo/L。", "spoilt"),
        ("什么是贫血？", "血红蛋白中度～60g/L。", "spoilt"),
        ("什么是痢疾？", "痢疾是肠道传染病，恶心呕叶、腹泻。", None),
        ("什么是痢疾？", "痢疾是肠道传染病，匚吐、腹泻。", "spoilt"),
        ("什么是痢疾？", "恶心、腹泻腹泻。", "spoilt"),
        ("什么是停搏？", "心电图无 \u0420 波。", "spoilt"),
        ("什么是哮喘？", "① 咳嗽；③ 喘息。", "incomplete"),
        ("哮喘的原因有哪些？", "（1）遗传：① 父亲；② 母亲。（2）环境：① 尘螨。", None),
        ("什么是哮喘？", "详见呼吸系统疾病。", "incomplete"),
        ("什么是哮喘？", "喘" * 301, "paragraph"),
        ("哮喘的特点", "反复喘息。", "broken question"),
        ("如何治疗哮喘？", "吸入糖皮质激素。", None),
        ("如何治疗哮喘？", "每次吸入布地奈德200μg。", "of its time"),
        ("如何治疗哮喘？", "目前多吸入糖皮质激素。", "of its time"),
        ("如何诊断哮喘？", "反复发作的喘息。", "of its time"),
        ("哮喘需要做哪些检查？", "肺功能检查，FEV1 低于预计值80%。", None),
        ("脐炎有哪些临床表现？", "脐部红肿。", "no kind"),
        ("脐炎是什么病？", "脐部红肿，有脓性分泌物。", "no definition"),
        ("脐疝是什么病？", "脐疝（umbilical hernia）是脐部的疝，又称脐膨出。", None),
        ("何谓脐炎？", "脐炎指脐部的炎症，发病率为2%。", "rate"),
        ("何谓脐炎？", "脐炎指脐部的炎症，约占新生儿感染的2%。", "rate"),
        ("什么是脐疝？", "新生儿脐疝主要是指脐部的疝。", None),
        ("什么是脐疝？", "脐疝是脐部的疝，也称脐疝。", "no definition"),
        ("什么是脐疝？", "脐疝是脐部的疝，肠管从脐", "incomplete"),
        ("何谓脐炎？", "脐炎指脐部的炎症，近年来少见。", "of its time"),
        ("如何预防脐炎？", "接触患儿前洗手，保持脐部干燥。", None),
        ("如何预防脐炎？", "注射抗生素。", "of its time"),
        ("如何预防破伤风？", "接种疫苗。", "other class"),
        ("什么是肺气肿？", "肺气肿是肺泡过度充气，多见于老年人。", "adults"),
        ("脐血监测是什么？", "脐血监测是连续测定脐血的方法。", "other class"),  # PeMeBench has a class of techniques
        ("什么是黄疸？", "黄疸是 2.5mg/dl 以上的胆红素使皮肤发黄，白细胞10×10^9/L。", None),
    ],
)
def test_rows_that_a_scan_has_spoilt_or_that_do_not_answer_are_left_out(question, answer, reason, reading):
    built = reading(book(("新生儿疾病", question, answer), ("新生儿疾病", "什么是脐炎？", "脐炎是脐部的炎症。")))
    kept = {record["question"] for record in built.splits["test"]}
    assert (len(kept) == len(("the row", "and the other"))) == (reason is None)
    if reason:
        assert table(built, "Rows that were left out")[reason]["rows"] == 1


def test_an_answer_of_two_questions_is_nobodys(reading):
    rows = [("新生儿疾病", question, "母乳含抗体。") for question in ("母乳为何能防病？", "什么是肥胖？")]
    built = reading(book(*rows, ("新生儿疾病", "什么是脐炎？", "脐炎是脐部的炎症。")))
    assert [record["question"] for record in built.splits["test"]] == ["什么是脐炎？"]
