"""CMHE-DD rebuilt by rules alone: cases without their question or diagnosis, coded by the dictionary, nobody asked."""

from __future__ import annotations

import json

import pytest
from recipe_work import Work, own_file, problems_of

from dataset_scripts.recipes.cmhe_dd.by_rule import (
    GARBLED,
    LOOKED_AT,
    NAMED_BEFORE,
    NARROW,
    NOT_EXAMINED,
    OTHER_CHAPTER,
    OTHERS,
    SAYS_NO_MORE,
    SUPPOSED,
    UNSURE,
    UNTOLD,
    described_chat,
    described_exam,
)
from dataset_scripts.recipes.cmhe_dd.cases import Case
from dataset_scripts.recipes.cmhe_dd.coding import sure_code, title_of
from dataset_scripts.recipes.cmhe_dd.rules_only import (
    ALIKE_BEFORE,
    CODE_SAYS_MORE,
    DISPUTED,
    LEAVES_OPEN,
    NOT_CODED,
    QUALIFIED,
    made_by_rule,
)
from dataset_scripts.recipes.cmhe_dd.telling import tells
from medzh_score.terminology.disease_names import dictionary_of, our_dictionary

PAIN = "男，20岁。转移性右下腹痛8小时，右下腹压痛、反跳痛，"
SAYS = "患者：从昨天晚上开始发烧，鼻子不通气，一直流清鼻涕，嗓子有点疼，还有点咳嗽，吃饭也没有胃口，怎么办"


def exam(text, name="急性阑尾炎"):
    return Case("exam", text, (name,), "apollo-zh-test", "apollo-zh-test/1")


def chat(*turns, name="肺炎"):
    return Case("chat", "\n".join((SAYS, *turns)), (name,), "dialmed-dev", "dialmed-dev/1")


@pytest.fixture
def work(tmp_path):
    work = Work("cmhe_dd", tmp_path)
    rows = [
        {"question": f"{PAIN}最可能的诊断是", "options": f"(A) {name}.\n(B) 肾结石.", "answer": "(A)", "source": source}
        for name, source in [("急性阑尾炎", "medqa-mcmle"), ("右侧输尿管结石并感染", "cmexam")]
    ]
    rows[1]["question"] = "女，44岁。右腰部绞痛伴发热2天，右肾区叩击痛，尿红细胞满视野。最可能的诊断是"
    own_file(tmp_path / "zh.json", json.dumps(rows, ensure_ascii=False))
    dialogue = [SAYS, "医生：多久了？", "患者：两天", "医生：考虑是肺炎", "医生：可以吃[MASK]"]
    line = {"label": ["x"], "disease": ["肺炎"], "dialog": dialogue, "original_dialog": dialogue}
    own_file(tmp_path / "dev.txt", [line])
    own_file(tmp_path / "settings.toml", "rules_only = true\n")
    work.sources = {"apollo-zh-test": "zh.json", "dialmed-dev": "dev.txt", "cmhe_dd-settings": "settings.toml"}
    return work


def test_records_come_at_once_and_say_how(work):
    assert work.build() == 0
    chat_case, exam_case = work.records()
    assert exam_case["description"] == "男，20岁。转移性右下腹痛8小时，右下腹压痛、反跳痛。"
    assert (exam_case["diseases"], exam_case["part"]) == (["急性阑尾炎"], "exam")
    assert chat_case["description"] == f"{SAYS}\n医生：多久了？\n患者：两天"
    assert chat_case["diseases"] == ["肺炎"]
    assert {(one["coded"], one["described"]) for one in (chat_case, exam_case)} == {("dictionary", "rule")}
    assert ["exam", NOT_CODED, 1] in work.table("Cases that were taken")
    assert problems_of(work.out) == []
    assert not work.rounds.exists()


def test_without_the_setting_the_same_sources_ask(work):
    work.keep("apollo-zh-test", "dialmed-dev")
    assert work.build() == 3
    assert work.prompts("exam-descriptions")


@pytest.mark.parametrize(
    ("written", "message"), [("rules_only = 1", "expected true or false"), ("rule = true", "is no setting")]
)
def test_a_wrong_setting_is_refused(work, capfd, written, message):
    own_file(work.place / "settings.toml", f"{written}\n")
    assert work.build() == 2
    assert message in " ".join(capfd.readouterr().err.split())
    assert not work.out.exists()


def test_a_stem_loses_its_question_and_what_leads_up_to_it():
    for question in ("最可能的诊断是", "该患者应首先考虑的诊断为（  ）", "结合临床表现，首先考虑的诊断是"):
        assert described_exam(exam(PAIN + question), ["K35.8"]) == (f"{PAIN[:-1]}。", "")
    told = described_exam(exam("2．男，20岁，右下腹痛8小时，白细胞16×109/L。根据以上表现，最可能的诊断是"), [])
    assert told == ("男，20岁，右下腹痛8小时，白细胞16×10⁹/L。", "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("男，20岁。右下腹痛8小时。若体温升高、右下腹触及包块，最可能的诊断是", SUPPOSED),
        ("男，20岁。慢性咳嗽20年，突发右下腹痛8小时。除慢性支气管炎外最可能的诊断是", NARROW),
        ("男，20岁。慢性咳嗽20年，突发右下腹痛8小时。目前除慢性支气管炎外，最可能的诊断是", NARROW),
        ("男，20岁。右下腹痛8小时，食欲减退，恶心，未呕吐。最可能的诊断是", NOT_EXAMINED),
        ("女，20岁。流产后右下腹痛8小时，右下腹压痛、反跳痛。最可能的诊断是", OTHER_CHAPTER),
        ("男，20岁，右下腹痛l2小时，右下腹压痛、反跳痛。最可能的诊断是", GARBLED),
        ("64次/分，右下腹压痛、反跳痛，肠鸣音减弱，体温升高。最可能的诊断是", GARBLED),
        ("男，20岁。右下腹痛。最可能的诊断是", SAYS_NO_MORE),
        ("男，20岁。急性阑尾炎病史，右下腹痛8小时，压痛。最可能的诊断是", NAMED_BEFORE),
    ],
)
def test_what_is_no_case_by_itself_is_left_out_by_its_reason(text, why):
    assert described_exam(exam(text), ["K35.8"]) == (None, why)


@pytest.mark.parametrize(
    ("turns", "why"),
    [
        (("医生：是不是肺炎呢？",), UNSURE),
        (("医生：排除肺炎",), UNSURE),
        (("医生：考虑支原体肺炎",), UNSURE),
        (("医生：考虑是肺炎", "医生：也有支气管哮喘"), OTHERS),
        (("患者：邻居说是肺炎", "医生：考虑是肺炎"), OTHERS),
        (("医生：照片发来看看", "医生：考虑是肺炎"), LOOKED_AT),
    ],
)
def test_a_dialogue_needs_the_doctors_own_plain_word(turns, why):
    assert described_chat(chat(*turns), ["J18.9"], our_dictionary()) == (None, why)


@pytest.mark.parametrize(
    ("code", "told", "untold"),
    [
        ("J06.9", "流清涕两天，嗓子疼", "咳嗽两天，头疼"),
        ("J06.9", "鼻子堵，低烧", "鼻子堵，感觉到支气管了"),
        ("J30.400x001", "早上鼻子痒，连着打喷嚏", "鼻塞，早上打喷嚏"),
        ("J30.400x001", "一打喷嚏就流清水，眼睛也痒", "鼻子痒，打喷嚏，发热"),
        ("C18.200", "右侧中腹部可触及肿块", "腹胀，黏液便，未触及肿块"),
        ("C18.700", "左下腹可触及包块", "大便变细，便血"),
        ("C18.900", "大便变细，便血，消瘦", "左下腹可触及包块，便血"),
        ("J15.7", "干咳2周，两下肺斑片影", "头痛，两下肺间质改变"),
        ("J12.1", "喘憋，鼻咽分泌物病毒抗原阳性", "喘憋，双肺哮鸣音"),
        ("A17.000", "颈强直，脑脊液糖和氯化物降低", "颈强直，盗汗，低热"),
        ("N41.100", "会阴胀痛，前列腺液白细胞增多", "会阴胀痛，尿频"),
        ("M84.200", "骨折5个月，断端骨痂少", "骨折9个月，断端硬化"),
        ("K35.8", "右下腹压痛", None),
    ],
)
def test_a_case_tells_its_disease_from_its_neighbours(code, told, untold):
    assert tells(told, [code])
    assert untold is None or not tells(untold, [code])


def test_a_case_that_does_not_tell_is_left_out():
    case = exam("男，19岁。低热、头痛2周，X线胸片示两下肺斑片状阴影。最可能的诊断是", "支原体肺炎")
    assert described_exam(case, ["J15.7"]) == (None, UNTOLD)
    assert described_chat(chat("患者：支气管不舒服", "医生：考虑是肺炎"), ["J06.9"], our_dictionary())[0] is None


def test_an_infant_is_named():
    told, _ = described_exam(exam("5个月，高热、咳嗽3天，两肺细湿啰音。最可能的诊断是", "肺炎"), ["J18.9"])
    assert told == "患儿，5个月，高热、咳嗽3天，两肺细湿啰音。"


def test_of_a_dialogue_its_words_are_kept():
    turns = ("医生：😊💝", "医生：嗯", "患者：打4.5下👍🏻，38.5度", "医生：好的", "医生：在忙吗？", "医生：考虑是肺炎")
    assert described_chat(chat(*turns), ["J18.9"], our_dictionary()) == (f"{SAYS}\n患者：打4、5下，38.5度", "")


def test_what_is_typed_without_a_mark_is_garbled():
    turn = "患者：前天晚上受凉以后第二天就开始发烧流鼻涕然后今天嗓子疼"
    assert described_chat(chat(turn, "医生：考虑是肺炎"), ["J18.9"], our_dictionary()) == (None, GARBLED)


def test_a_name_inside_of_another_is_not_said():
    told, why = described_chat(chat("医生：考虑是肠胃炎", name="胃炎"), ["K29.7"], our_dictionary())
    assert (told, why) == (None, UNSURE)


def test_two_keys_for_one_case_leave_both_out():
    rest = "最可能的诊断是"
    cases = [exam(f"{PAIN}体温38.{place}℃，{rest}", name) for place, name in enumerate(("急性阑尾炎", "肾结石"))]
    assert [what for _, what in made_by_rule(cases, our_dictionary())] == [DISPUTED, DISPUTED]
    assert [what for _, what in made_by_rule(cases[:1], our_dictionary())] == ["kept"]


def test_cases_that_differ_in_their_numbers_alone_are_both_left_out():
    cases = [exam(f"{PAIN}体温38.{place}℃，最可能的诊断是") for place in range(2)]
    assert [what for _, what in made_by_rule(cases, our_dictionary())] == [DISPUTED, DISPUTED]
    other = exam("女，9岁。反复腰痛3年，右肾区叩击痛，尿红细胞满视野。最可能的诊断是", "肾结石")
    assert [what for _, what in made_by_rule([cases[0], other], our_dictionary())] == ["kept", "kept"]


@pytest.mark.parametrize(
    ("code", "title", "says_more"),
    [
        ("K26.900x001", "Duodenal ulcer : unspecified as acute or chronic, without haemorrhage or perforation", True),
        ("E14.9", "Unspecified diabetes mellitus without complications", True),
        ("J18.9", "Pneumonia, unspecified", False),
        ("K35.8", "Acute appendicitis, other and unspecified", False),
        ("J47.x00", "Bronchiectasis", False),
    ],
)
def test_a_title_may_say_more_than_a_name(code, title, says_more):
    assert title_of(code) == title
    assert bool(QUALIFIED.search(title)) == says_more


@pytest.mark.parametrize("code", ["B05", "B05.x00", "E14.x01"])
def test_a_code_that_is_cut_has_no_title(code):
    """Of these a smaller class was to be chosen."""
    assert title_of(code) is None


@pytest.mark.parametrize("name", ["十二指肠溃疡", "糖尿病", "麻疹"])
def test_a_case_whose_code_says_more_than_its_name_is_left_out(name):
    ((_, what),) = made_by_rule(
        [exam("男，20岁。上腹隐痛3年，夜间为著，进食后缓解。最可能的诊断是", name)], our_dictionary()
    )
    assert what == CODE_SAYS_MORE


def test_a_case_that_is_worded_like_one_before_with_the_same_disease_is_left_out():
    cases = [exam(f"{PAIN}{more}最可能的诊断是") for more in ("", "白细胞升高，")]
    assert [what for _, what in made_by_rule(cases, our_dictionary())] == ["kept", ALIKE_BEFORE]


@pytest.mark.parametrize(("name", "fate"), [("肺炎", LEAVES_OPEN), ("胃癌", "kept")])
def test_an_unspecified_code_is_kept_of_a_dialogue_or_a_tumour_alone(name, fate):
    """A case of an examination may tell the kind, which a patient seldom does; the site in the organ is no kind."""
    ((_, what),) = made_by_rule(
        [exam("男，60岁。乏力3个月，体温37.8℃，活检已做。最可能的诊断是", name)], our_dictionary()
    )
    assert what == fate


@pytest.mark.parametrize("name", ["维生素D缺乏性手足搐搦症", "风湿性心肌炎"])
def test_a_name_whose_code_is_of_another_disease_goes_to_a_person(name):
    dictionary = dictionary_of([("E55.0", name), ("J45.9", "支气管哮喘")], "mine")
    assert sure_code(name, dictionary) is None
    assert sure_code("支气管哮喘", dictionary) == "J45.9"
