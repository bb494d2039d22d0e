"""Step 1 of CARE-MI's rebuilt recipe: the words, users' lists, and which triples and questions they select."""

from __future__ import annotations

import json
from functools import partial

import pytest
from tables import case_tables, holds

from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.care_mi.exams import APOLLO, DATED, DEPENDS, SUPPOSES, read_exams
from dataset_scripts.recipes.care_mi.settings import FILTERS, QUESTION, Settings, changed, read_settings
from dataset_scripts.recipes.care_mi.stems import Stem, filters_that_fire, speaks_of_others, split_stem
from dataset_scripts.recipes.care_mi.topics import LISTS, choose_topic, our_topic, read_words
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold

MEDQA, MLEC = "medqa-mainland-test", "mlec-clinic-test"
CASES = case_tables("care_mi_rebuilt")
REAL = "FreedomIntelligence/Apollo/505c48e82207b36cf3921df61fcd58895fb6ca4e/metadata/test/zh.json"


def given(**paths):
    names = {name: name.replace("_", "-") for name in paths}
    return {names[name]: SourceFile(names[name], path, "ab" * 32, pinned=False) for name, path in paths.items()}


def question(text, options, answer="A"):
    lettered = dict(zip("ABCDE", options, strict=False))
    return {"question": text, "options": lettered, "answer_idx": answer, "answer": lettered[answer]}


def test_words_are_found_in_texts_but_not_inside_others():
    holds(CASES["on_the_topic"], our_topic().found_in)
    holds(CASES["on_the_topic"], lambda text: our_topic().found_in("无关", text))


def test_our_list_is_of_words_each_once_and_longer_than_a_character():
    words = our_topic().words
    assert len(words) >= 200
    assert all(len(word) >= 2 for word in words)
    assert our_topic().has("前置 胎盘")
    assert not our_topic().has("前置胎盘的治疗")


def test_users_lists_are_merged_and_take_the_place_of_ours(tmp_path):
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_bytes("\ufeff# 题目\r\n孕妇\r\n\r\n 胎动 \r\n".encode())
    second.write_bytes("胎动\nＨＥＬＬＰ综合征".encode())
    files = {
        name: SourceFile(name, path, "ab" * 32, pinned=False)
        for name, path in zip(LISTS, (first, second), strict=False)
    }
    topic = choose_topic(files)
    assert topic.words == {"孕妇", "胎动", "HELLP综合征"}
    assert topic.name == "care_mi-words (abababab), care_mi-words-2 (abababab)"
    assert not topic.found_in("产后出血")
    assert choose_topic({}) is our_topic()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "holds no word"),
        ("# 只有注释\n".encode(), "holds no word"),
        ("孕\n".encode(), ":1: is no word"),
        (("长" * 41).encode(), "is no word"),
        ("孕妇\t3\n".encode(), "is no word"),
        ("孕妇".encode("gb18030"), "UTF-8"),
    ],
)
def test_a_file_that_is_no_list_is_refused(tmp_path, content, problem):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(MedzhError, match=problem):
        read_words(path)


def test_what_is_asked_is_the_last_sentence_or_clause():
    holds([[text, Stem(*parts)] for text, *parts in CASES["stems_split"]], split_stem)


def test_each_filter_of_the_released_code_fires_as_described():
    rows = CASES["filters_that_fire"]
    without = [[*asked, [name for name in fires if name != "blank"]] for *asked, fires in rows]
    holds(rows, partial(filters_that_fire, with_blank=True))
    holds(without, partial(filters_that_fire, with_blank=False))
    assert {name for *_, fires in rows for name in fires} == set(FILTERS)


def test_options_that_speak_of_others_are_told_apart():
    holds(CASES["options_that_speak_of_others"], speaks_of_others)


def exams(tmp_path, write_lines, medqa=(), mlec=(), settings=Settings()):  # noqa: B008 - frozen
    files = {}
    if medqa:
        files |= given(medqa_mainland_test=write_lines(tmp_path / "m.jsonl", medqa))
    if mlec:
        path = tmp_path / "l.json"
        path.write_text(json.dumps(mlec, ensure_ascii=False), encoding="utf-8")
        files |= given(mlec_clinic_test=path)
    return read_exams(files, our_topic(), settings)


def mlec_row(text, options, answer="A", **more):
    lettered = dict(zip("ABCDE", options, strict=False))
    return {"qid": "1", "qtype": "A1型题", "qtext": text, "options": lettered, "answer": answer, **more}


def test_a_word_may_stand_in_the_answer_to_a_case_unless_the_setting_says_question(tmp_path, write_lines):
    case = "女，27岁。昨日起阴道大量流血，宫底软，轮廓不清。最可能的诊断是"
    rows = [
        question(case, ["宫缩乏力", "感染"]),
        question(case, ["感染", "宫缩乏力"]),
        question("首选", ["宫缩剂", "催产素"]),
    ]
    found = exams(tmp_path, write_lines, rows)["MEDQA"]
    assert [one.answer for one in found.kept] == ["宫缩乏力"]
    assert found.left_out == {"no word of the topic": 2}
    alone = exams(tmp_path, write_lines, rows, settings=Settings(search=QUESTION))["MEDQA"]
    assert (alone.kept, alone.on_topic) == ([], 0)


def test_questions_of_mlec_qa_that_stand_in_medqa_are_dropped(tmp_path, write_lines):
    options = ["IgG", "IgM", "IgA"]
    medqa = [
        question("唯一能通过胎盘的免疫球蛋白是（    ）", options),
        question("唯一能通过胎盘的免疫球蛋白是", options),
    ]
    mlec = [
        mlec_row("唯一能通过 胎盘的免疫球蛋白是（  ）？", options[::-1], "C"),
        mlec_row("唯一能通过胎盘的免疫球蛋白是", options, "B"),  # another answer is another question
        mlec_row("胎盘的描述，如图", options, qimage="1.png"),
    ]
    found = exams(tmp_path, write_lines, medqa, mlec)
    assert len(found["MEDQA"].kept) == 1
    assert found["MEDQA"].left_out == {"stands there twice": 1}
    assert [one.answer for one in found["MLEC-QA"].kept] == ["IgM"]
    assert found["MLEC-QA"].left_out == {
        "stands in a source before": 1,
        "no question that could be asked: image": 1,
    }


def test_filters_are_counted_always_and_used_only_where_the_settings_say(tmp_path, write_lines):
    rows = [
        question("下列属于早孕表现的是", ["停经", "发热"]),
        question("妊娠剧吐首先应检查的项目是（    ）", ["尿酮体", "血糖", "心电图", "血压"]),
        question("妊娠早期出血的处理是", ["以上都是", "观察"]),
    ]
    found = exams(tmp_path, write_lines, rows)["MEDQA"]
    assert len(found.kept) == 2
    assert found.left_out == {"the answer speaks of other options": 1}
    assert found.filters == {"four-options": 2, "blank": 2, "meta-words": 1, "meta-options": 1}
    used = exams(tmp_path, write_lines, rows, settings=Settings(filters=tuple(FILTERS)))["MEDQA"]
    assert [one.answer for one in used.kept] == ["尿酮体"]
    assert used.left_out == {"filter four-options": 2}


def test_a_source_that_the_settings_leave_out_is_not_read(tmp_path, write_lines):
    rows = [question("早孕的表现是", ["停经", "发热"])]
    assert exams(tmp_path, write_lines, rows, settings=Settings(sources=("BIOS",))) == {}


@pytest.mark.parametrize(
    ("text", "answer", "reason"),
    [
        ("初产妇，27岁。妊娠39周，破膜2小时，胎心90次/分。首选的处理是", "剖宫产术", DEPENDS),
        ("初产妇，27岁。妊娠39周，阴道流血伴腹痛。最可能的诊断是", "胎盘早剥", None),
        ("胎盘早剥确诊后的处理是", "终止妊娠", None),  # of no case: what the disease asks for
        ("初产妇，27岁。妊娠39周，见红。若血压升高，应考虑的产科并发症是", "子痫前期", SUPPOSES),
        ("妊娠合并贫血，为明确诊断应进一步查", "血清铁", SUPPOSES),
        ("《母婴保健法》规定，产前诊断是指", "对胎儿进行诊断", SUPPOSES),
        ("妊高征的基本病理变化是", "全身小动脉痉挛", DATED),
        ("子痫前期的基本病理变化是", "全身小动脉痉挛", None),
        ("妊娠中期引产常用", "利凡诺羊膜腔内注射", DATED),
    ],
)
def test_what_is_open_without_its_options_is_left_out_by_its_reason(text, answer, reason, tmp_path, write_lines):
    found = exams(tmp_path, write_lines, [question(text, [answer, "葡萄胎"])])["MEDQA"]
    assert found.on_topic == 1
    assert found.left_out == ({reason: 1} if reason else {})
    assert [one.answer for one in found.kept] == ([answer] if reason is None else [])


@pytest.mark.parametrize(
    ("case", "on_topic"),
    [
        ("男孩，1岁半。", False),
        ("男婴，14个月。", False),
        ("男婴，前囟已闭。", False),
        ("男婴，11个月。", True),
        ("男婴，1岁。", True),
    ],
)
def test_a_child_of_more_than_a_year_is_no_infant(case, on_topic):
    assert our_topic().concerns(f"{case}面色苍白2个月。", "该婴儿首先应添加的辅食是", "蛋黄") == on_topic


def test_the_real_rows_of_apollo_are_counted_whole(upstream_file):
    path = upstream_file(REAL)
    rows = json.loads(path.read_text(encoding="utf-8"))
    found = read_exams({APOLLO: SourceFile(APOLLO, path, "0", pinned=True)}, our_topic(), Settings())
    for label, bank in (("MEDQA", "medqa-mcmle"), ("CMExam", "cmexam")):
        exam = found[label]
        assert exam.total == sum(row["source"] == bank for row in rows)
        assert exam.total == len(exam.kept) + exam.left_out.total()
        # Without the automaton: what is kept has a word in its question or answer, by Python's own search.
        for one in exam.kept:
            assert any(word in fold(f"{one.question}\n{one.answer}") for word in our_topic().words), one.question
    assert found["MEDQA"].on_topic > 250


def test_a_case_is_on_the_topic_by_what_it_asks_not_by_the_past_of_a_patient():
    def concerns(case, asked, answer):
        return our_topic().concerns(case, asked, answer)

    past = "经产妇，45岁。渐进性痛经3年，子宫如妊娠12周大小，质硬。"
    rows = [
        (past, "最可能的诊断是", "子宫腺肌病", False),
        (past, "最可能的诊断是", "葡萄胎", True),
        (past, "产后应采取的措施是", "休息", True),
        ("女孩，5岁。发热1天后出疹。", "最可能的诊断是", "幼儿急疹", False),
        ("", "属于Ⅳ型超敏反应的是", "新生儿溶血病", False),
        ("", "新生儿溶血病最常见的是", "ABO溶血", True),
    ]
    holds(rows, concerns)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x = 1", "field x: is no setting"),
        ("filters = ['nothing']", "field filters: is no such value"),
        ("filters = 'blank'", "field filters"),
        ("sources = []", "field sources"),
        ("search = 'options'", "field search"),
        ("rules_only = 1", "field rules_only"),
        ("evidence = 7", "field evidence"),
        ("evidence = true", "field evidence"),
        ("rule = 'main'", "field rule"),
        ("= 1", "is no settings file"),
    ],
)
def test_a_faulty_settings_file_is_refused(tmp_path, text, problem):
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MedzhError, match=problem):
        read_settings(path)


def test_settings_are_read_in_our_order_and_noted(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_bytes('\ufefffilters = ["vague", "blank"]\r\nsearch = "question"\r\nexperts = false\r\n'.encode())
    settings = read_settings(path)
    assert settings == Settings(filters=("blank", "vague"), search=QUESTION, experts=False)
    assert changed(Settings()) == ()
    (note,) = changed(settings)
    assert note.split(": ", 1)[1].split("; ") == [
        "search question in place of question-or-answer",
        "filters blank, vague in place of none",
        "experts false in place of true",
    ]
