"""From a folder of guidelines to text blocks: encodings, departments, headings, sections, subjects, sizes."""

from __future__ import annotations

import itertools

import pytest
from tables import case_tables, holds

from dataset_scripts.recipes.pemebench.account import notes, tables
from dataset_scripts.recipes.pemebench.blocks import UNDERSTOOD, cut_blocks, section_of
from dataset_scripts.recipes.pemebench.guidelines import Book, decoded, read_guidelines
from dataset_scripts.recipes.pemebench.headings import bare, outline
from dataset_scripts.recipes.pemebench.settings import TABLE, read_settings, settings
from medzh_score.configs.pemebench.words import DEPARTMENTS, TASKS
from medzh_score.messages.errors import MedzhError

CASES = case_tables("pemebench_cases")
DEPARTMENT = "儿科呼吸系统疾病"
PNEUMONIA = """\
第三章　呼吸系统疾病
第一节　支气管肺炎（bronchopneumonia）
支气管肺炎是小儿时期最常见的肺炎，以婴幼儿多见，全年均可发病。
【病因】肺炎链球菌是常见的细菌病原，呼吸道合胞病毒是常见的病毒病原。
【诊断】
1.临床表现
发热、咳嗽、气促，肺部可听到固定的中、细湿啰音。
2. 辅助检查
1. 血常规
2. 胸部X线检查
可见双肺下野点片状阴影。
【治疗】
（一）一般治疗
保持室内空气流通，供给充足的水分和营养。
（二）抗感染治疗
肺炎链球菌肺炎首选青霉素，用至热退且平稳后5～7天。
【预防】
按时接种肺炎球菌疫苗和流感疫苗，勤洗手，注意通风。
【预后】
及时治疗的患儿多数预后良好，重症者可遗留肺不张。
第二节 毛细支气管炎
一、病 因
呼吸道合胞病毒最常见，多见于2岁以下的婴幼儿，尤以2～6个月者为多。
二、治疗
以氧疗和支持治疗为主，注意补充液体，不常规使用抗菌药物。
"""


def cut(text, *, markdown=False, subject=""):
    return cut_blocks([Book("file", DEPARTMENT, subject, text, markdown=markdown)])


def seen(text, **how):
    return [(block.subject, block.section.name, block.heading) for block in cut(text, **how).blocks]


def test_a_chapter_of_plain_text_becomes_a_block_for_each_section():
    assert seen(PNEUMONIA) == [
        ("支气管肺炎", "other", ""),
        ("支气管肺炎", "cause", "病因"),
        ("支气管肺炎", "diagnosis", "诊断"),
        ("支气管肺炎", "treatment", "治疗"),
        ("支气管肺炎", "prevention", "预防"),
        ("支气管肺炎", "other", "预后"),
        ("毛细支气管炎", "cause", "病因"),
        ("毛细支气管炎", "treatment", "治疗"),
    ]
    assert cut(PNEUMONIA).blocks[1].path == ("呼吸系统疾病", "支气管肺炎", "病因")


def test_numbered_items_stay_in_their_section_and_nothing_of_the_text_is_lost():
    blocks = cut(PNEUMONIA).blocks
    assert blocks[2].text.splitlines() == [
        "1.临床表现",
        "发热、咳嗽、气促，肺部可听到固定的中、细湿啰音。",
        "2. 辅助检查",
        "1. 血常规",
        "2. 胸部X线检查",
        "可见双肺下野点片状阴影。",
    ]
    kept = "".join(block.text for block in blocks)
    sentences = [line.rpartition("】")[2] for line in PNEUMONIA.splitlines() if line.endswith("。")]
    assert len(sentences) == 10
    assert all(sentence in kept for sentence in sentences)


def test_markdown_has_headings_with_marks_and_underlined_ones():
    text = (
        "---\ntitle: 讲义\n---\n呼吸\n===\n\n## 2.1 支气管哮喘\n\n### 概述 ###\n"
        "支气管哮喘是儿童期最常见的慢性气道炎症性疾病。\n\n治疗\n---\n"
        "急性发作时首选吸入速效β2受体激动剂缓解症状。\n\n"
        "```\n# 预防\n```\n\n---\n\n- 随身携带吸入剂\n---\n"
    )
    blocks = cut(text, markdown=True).blocks
    assert [(block.subject, block.section.name) for block in blocks] == [
        ("支气管哮喘", "overview"),
        ("呼吸", "treatment"),  # underlined with dashes it is of the second level, as 支气管哮喘 is
    ]
    assert blocks[1].text.splitlines()[1:] == ["# 预防", "- 随身携带吸入剂"]


def test_the_book_decides_whether_brackets_stand_above_or_under_numbers():
    above = "第一节 麻疹\n【治疗】\n一、一般治疗\n卧床休息，保持眼、鼻和口腔的清洁，防止继发感染。\n"
    under = above.replace("第一节", "一、").replace("一、一般治疗\n", "") + "二、风疹\n【预防】\n"
    under += "按时接种含风疹成分的疫苗，患者应隔离至出疹后5天。\n"
    assert seen(above) == [("麻疹", "treatment", "治疗")]
    assert seen(under) == [("麻疹", "treatment", "治疗"), ("风疹", "prevention", "预防")]


def test_a_sentence_with_a_number_is_no_heading():
    text = (
        "第一节 麻疹\n【治疗】\n1. 卧床休息，给予易消化的食物。\n2. 高热时可酌情使用小剂量退热药，避免骤然退热；\n"
        "3. 继发细菌感染时给予抗菌药物\n"
    )
    (tree,) = outline(text, markdown=False).children
    (treatment,) = tree.children
    assert len(treatment.paragraphs) == 2
    assert [child.title for child in treatment.children] == ["3. 继发细菌感染时给予抗菌药物"]
    assert cut(text).blocks[0].text.splitlines()[2] == "3. 继发细菌感染时给予抗菌药物"


def test_sections_are_known_by_their_headings():
    holds(CASES["sections"], lambda title: section.name if (section := section_of(title)) else None)


def test_a_heading_without_its_number():
    holds(CASES["headings"], bare)


def test_the_paper_assigns_templates_to_sections():
    asks = {section.name: section.ask for section in settings().sections}
    assert asks["overview"] == asks["cause"] == ("definition",)
    assert asks["diagnosis"] == asks["treatment"] == asks["prevention"] == ("solution", "reason")
    assert {name for name, ask in asks.items() if not ask} == {"dose", "pharmacology", "other"}
    assert {section.task for section in settings().sections} == set(TASKS)


def test_of_a_file_in_a_department_the_name_is_the_subject_of_sections_without_a_heading_above():
    text = "## 病因\n\n流感嗜血杆菌和呼吸道病毒都可引起，多为混合感染。\n"
    assert seen(text, markdown=True, subject="急性喉炎") == [("急性喉炎", "cause", "病因")]
    assert cut(text, markdown=True).dropped == {"no subject": 1}


def test_long_sections_are_split_at_paragraphs_and_long_paragraphs_at_sentences():
    sentences = [f"病程第{day}天应注意休息，多饮水，保持室内空气流通。" for day in range(100, 320)]
    lines = ["".join(sentences[start:end]) for start, end in ((0, 40), (40, 80), (80, 120), (120, 220))]
    made = cut("\n".join(["# 感冒", "## 治疗", *lines, "短尾。"]), markdown=True)
    assert made.split == 1
    sizes = [len(block.text.replace("\n", "")) for block in made.blocks]
    assert max(sizes) <= settings().longest
    assert min(sizes) >= settings().shortest
    joined = "".join(block.text.replace("\n", "") for block in made.blocks)
    assert joined == "".join(sentences) + "短尾。"
    assert all(block.text.endswith("。") for block in made.blocks)


@pytest.mark.parametrize(
    "line",
    [
        "，".join(f"第{day}天体温38.5℃" for day in range(1000, 1400)),
        "".join(f"每次{number}mg" for number in range(1000, 1700)),
        "".join(map(chr, range(0x4E00, 0x4E00 + 5000))),  # no sentence at all
        "无" * 1600 + "。尾声。",
        "无" * 1590 + "。" + "尾" * 15 + "。",
    ],
)
def test_no_block_is_too_long_or_too_short_however_few_full_stops_there_are(line):
    made = cut(f"# 感冒\n## 治疗\n{line}\n", markdown=True)
    texts = [block.text.replace("\n", "") for block in made.blocks]
    assert "".join(texts) == line
    assert all(settings().shortest <= len(text) <= settings().longest for text in texts)
    assert not any(before[-1].isdigit() and after[0].isdigit() for before, after in itertools.pairwise(texts))


def test_short_and_repeated_blocks_are_counted():
    assert cut("# 感冒\n## 预后\n良好。\n", markdown=True).dropped == {"short": 1}
    assert cut_blocks(
        [Book("a", DEPARTMENT, "", PNEUMONIA, markdown=False), Book("b", DEPARTMENT, "", PNEUMONIA, markdown=False)]
    ).dropped == {"repeated": 8}


def test_ids_follow_from_the_content_and_not_from_its_place():
    forth = cut(PNEUMONIA).blocks
    back = cut_blocks([Book("elsewhere", DEPARTMENT, "", f"第一章 总论\n{PNEUMONIA}", markdown=False)]).blocks
    assert {block.id for block in forth} == {block.id for block in back}
    assert len({block.id for block in forth}) == len(forth)


SEPSIS = "新生儿败血症常见的病原菌是大肠埃希菌和葡萄球菌，可经宫内、产时或产后感染。"
CARE = "尽早联合使用抗菌药物，疗程足够，并给予支持治疗和对症处理，监测生命体征。"
BOTH = [("败血症", "cause", "病因"), ("败血症", "treatment", "治疗")]


def test_headings_of_markdown_as_people_write_them():
    def shown(first, second, third):
        text = f"{first}\n\n{second}\n{SEPSIS}\n\n{third}\n{CARE}\n"
        return [one for one in seen(text, markdown=True) if one[2]]

    holds([(*lines, BOTH) for *lines, _ in CASES["headings_of_markdown"]], shown)


def test_headings_of_plain_text_as_people_write_them():
    rows = [(*lines, BOTH) for *lines, _ in CASES["headings_of_plain_text"]]
    holds(rows, lambda first, second, third: seen(f"{first}\n{second}\n{SEPSIS}\n{third}\n{CARE}\n"))


@pytest.mark.parametrize("line", ["第三节讲过的内容", "[1] 中华医学会儿科学分会", "2 岁以下"])
def test_lines_of_the_text_are_no_headings(line):
    assert seen(f"第一节 败血症\n【病因】\n{SEPSIS}\n{line}\n{CARE}\n") == BOTH[:1]


def test_a_sentence_above_a_rule_is_no_heading():
    assert seen(f"# 败血症\n## 病因\n{SEPSIS}\n---\n{CARE}\n", markdown=True) == BOTH[:1]


def test_under_the_name_of_a_department_scales_are_subjects_beside_its_overview():
    text = f"# 儿科临床常用量表\n## 概述\n{SEPSIS}\n## Apgar评分\n{CARE}\n"
    assert [block[0] for block in seen(text, markdown=True)] == ["儿科临床常用量表", "Apgar评分"]


def test_a_file_with_the_name_of_a_section_is_about_its_folder(tmp_path):
    place = tmp_path / "books" / "新生儿疾病" / "新生儿败血症"
    place.mkdir(parents=True)
    (place / "01 病因.md").write_text(SEPSIS, encoding="utf-8")
    (place.parent / "治疗.md").write_text(CARE, encoding="utf-8")
    made = cut_blocks(read_guidelines(tmp_path / "books")[0])
    assert [(one.subject, one.section.name, one.heading) for one in made.blocks] == [("新生儿败血症", "cause", "病因")]
    assert made.places("no subject") == ["新生儿疾病/治疗.md"]


def test_what_is_in_no_block_is_named_with_file_and_headings():
    made = cut("# 感冒\n## 预后\n良好。\n", markdown=True)
    assert made.places("short") == ["file > 感冒 > 预后"]
    assert any(note.endswith("file > 感冒 > 预后") for note in notes(made, 0, []))
    assert ("short", "file", 1) in [row for table in tables(made, []) for row in table.rows]
    assert all(table.rows for table in tables(made, []))
    assert UNDERSTOOD in notes(cut(f"{SEPSIS}\n"), 0, [])


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "books"
    place.mkdir()
    return place


@pytest.mark.parametrize("department", DEPARTMENTS, ids=lambda known: known.name)
def test_every_department_is_known_by_its_names(folder, department):
    for number, name in enumerate((department.name, *department.aliases), 1):
        (folder / f"{number:02d}_{name}.txt").write_text("第一节 某病", encoding="utf-8")
    (folder / f"7-{department.name}.txt").write_text("第一节 某病", encoding="utf-8")
    (folder / department.name / "卷一").mkdir(parents=True)
    (folder / department.name / "卷一" / "02 黄疸.MD").write_text("# x", encoding="utf-8")
    books, passed_over = read_guidelines(folder)
    assert {book.department for book in books} == {department.name}
    assert {book.subject for book in books} == {"", "黄疸"}
    assert {book.markdown for book in books} == {True, False}
    assert passed_over == 0


def test_a_file_of_no_department_is_refused_and_the_names_are_listed(folder):
    (folder / "儿科外科").mkdir()
    (folder / "儿科外科" / "阑尾炎.md").write_text("# 阑尾炎", encoding="utf-8")
    with pytest.raises(MedzhError) as caught:
        read_guidelines(folder)
    assert "阑尾炎.md: is in no department" in str(caught.value)
    assert "found '儿科外科'" in str(caught.value)
    assert all(department.name in str(caught.value) for department in DEPARTMENTS)


def test_files_of_other_kinds_are_passed_over_and_counted(folder):
    (folder / "新生儿疾病.txt").write_text("第一节 黄疸", encoding="utf-8")
    (folder / "封面.png").write_bytes(b"\x89PNG")
    assert read_guidelines(folder)[1] == 1
    (folder / "新生儿疾病.txt").unlink()
    with pytest.raises(MedzhError, match="holds no guidelines"):
        read_guidelines(folder)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_texts_are_utf_8_or_gb18030(folder, encoding):
    (folder / "a.txt").write_bytes(PNEUMONIA.replace("\n", "\r\n").encode(encoding))
    assert seen(decoded(folder / "a.txt")) == seen(PNEUMONIA)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (("第一行\n" * 3).encode() + "第四行".encode()[:-1] + b"\n", "a.txt:4: is UTF-8 with a fault"),
        ("第一行\n第二行".encode("gb18030") + b"\xff\n", "a.txt:2: is neither UTF-8 nor gb18030"),
        ("第一行".encode("utf-16"), "a.txt:1: is neither UTF-8 nor gb18030"),
        (b"line\n\x00\x01\x02", "a.txt:2: is no text"),
        ("第一行\n第二\ufffd行".encode(), "a.txt:2: holds a character that was lost"),
        ("新生兒黃疸的病因與治療，應儘早照光。".encode("big5"), "a.txt:1: is not UTF-8, and read as gb18030 it is not"),
    ],
)
def test_what_is_no_text_is_named_with_its_line(folder, content, words):
    (folder / "a.txt").write_bytes(content)
    with pytest.raises(MedzhError) as caught:
        decoded(folder / "a.txt")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("longest = 1600", "", "not a table of settings"),
        ('"概述", ', '"概述", "病因", ', "a heading stands twice"),
        ('drop = "本书', 'drop = "(本书', "not a table of settings"),
        ("[blocks]", "[blocks", "not a table of settings"),
    ],
)
def test_a_faulty_table_of_settings_is_refused(tmp_path, old, new, words):
    text = TABLE.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "t.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(MedzhError, match=words):
        read_settings(tmp_path / "t.toml")
