"""CMHE-HD rebuilt by rules alone: true statements and single exchanges, from questions written here.

What the altered answers say is false on purpose.
"""

from __future__ import annotations

import json

import pytest
from recipe_work import Work, own_file, problems_of

from dataset_scripts.recipes.banks.questions import Question
from dataset_scripts.recipes.cmhe_hd.claims import BEST_OF_FIVE, Claim, claim_of
from dataset_scripts.recipes.cmhe_hd.exchanges import exchange, halves
from dataset_scripts.recipes.cmhe_hd.neighbours import are_neighbours
from dataset_scripts.recipes.cmhe_hd.records import check, record_of

CASE = "男，{0}岁。转移性右下腹痛{0}小时，右下腹压痛、反跳痛。最可能的诊断是"
FIRST = "男，20岁。转移性右下腹痛8小时，右下腹压痛。该患者腹痛最主要的原因是", ("阑尾管腔阻塞", "胆囊结石")
CASES = (
    CASE,
    "女，{0}岁。脐周不适后移至麦氏点，结肠充气试验阳性。最可能的诊断是",
    "患者，{0}岁。恶心半天，腰大肌试验阳性，血白细胞升高。最可能的诊断是",
    "男性，{0}岁。发热，超声见阑尾增粗、周围渗出。最可能的诊断是",
)
SOURCES = ("medqa-mcmle", "medqa-mcmle", "cmexam", "cmexam", "cmexam")
OPTIONS = ("急性阑尾炎", "急性胰腺炎", "胆囊结石", "肾结石")


def question(text, options=OPTIONS, answer="A"):
    return Question("apollo-zh-test", text, answer, options)


def claim(text, options=OPTIONS, answer="A", explanation=""):
    return claim_of(question(text, options, answer), "apollo-zh-test/1", explanation)


@pytest.fixture
def work(tmp_path):
    work = Work("cmhe_hd", tmp_path)
    lettered = "\n".join(f"({letter}) {text}." for letter, text in zip("ABCD", OPTIONS, strict=True))
    rows = [
        {"question": text.format(age), "options": lettered, "answer": "(A)", "source": source}
        for age, (text, source) in enumerate(zip([*CASES, CASES[-1]], SOURCES, strict=True), start=20)
    ]
    own_file(tmp_path / "zh.json", json.dumps(rows, ensure_ascii=False))
    own_file(tmp_path / "settings.toml", "rules_only = true\n")
    work.sources = {"apollo-zh-test": "zh.json", "cmhe_hd-settings": "settings.toml"}
    return work


def test_half_stays_and_half_is_changed_once(work, capfd):
    assert work.build() == 0
    records = work.records()
    assert [record["partition"] for record in records] == ["correct"] * 2 + ["tampered-by-rule"] * 2
    assert len({record["question"] for record in records}) == 4
    assert problems_of(work.out) == []
    for record in records:
        assert record["question"].endswith("最可能的诊断是什么？")
        assert record["answer"] == ("No" if record["partition"] == "correct" else "Yes")
        if record["partition"] == "correct":
            assert (record["response"], record["edits"], record["rule"]) == ("最可能的诊断是急性阑尾炎。", [], None)
            continue
        ((point, replacement),) = (edit.split(" -> ") for edit in record["edits"])
        assert record["response"] == "最可能的诊断是急性阑尾炎。".replace(point, replacement, 1)
        assert record["rule"] == "entity"
    assert ["apollo-zh-test", "asks what another asks", 1] in work.table("Questions of the sources")
    assert "rules_only true in place of false" in " ".join(capfd.readouterr().out.split())


def test_the_card_says_of_rules_alone_what_holds_of_them(work):
    """Of models, raters and a forum there is nothing to say where nobody was asked and no forum was read."""
    assert work.build() == 0
    card = " ".join((work.out / "README.md").read_text(encoding="utf-8").split())
    assert "This data is rebuilt, by rules alone." in card
    assert [words for words in ("Llama2", "its raters", "answers of a forum", "a web forum") if words in card] == []


def test_the_build_is_the_same_again_and_another_by_another_seed(work):
    assert work.build() == 0
    first = work.records()
    assert work.build() == 0
    assert work.records() == first
    assert work.build("--seed", "3") == 0
    assert work.records() != first


def test_cmedqa2_is_not_read_and_not_named(work):
    work.write("question.csv", "question_id,content\n1,怎么办？")
    work.write("answer.csv", "ans_id,question_id,content\n10,1,多休息。")
    work.sources |= {"cmedqa2-questions": "question.csv", "cmedqa2-answers": "answer.csv"}
    assert work.build() == 0
    assert {source["name"] for source in work.manifest()["sources"]} == {"apollo-zh-test", "cmhe_hd-settings"}
    assert {record["source"] for record in work.records()} == {"apollo-zh-test"}


def test_without_a_bank_nothing_is_made(work, capfd):
    work.write("question.csv", "question_id,content\n1,怎么办？")
    work.sources = {"cmedqa2-questions": "question.csv", "cmhe_hd-settings": "settings.toml"}
    assert work.build() == 2
    assert "rules_only makes no dialogue" in capfd.readouterr().err
    assert not work.out.exists()


def test_the_setting_is_true_or_false(work, capfd):
    own_file(work.place / "settings.toml", "rules_only = 1\n")
    assert work.build() == 2
    assert "rules_only: is no such value; expected true or false" in " ".join(capfd.readouterr().err.split())


def test_a_case_gives_its_last_clause_and_a_plain_question_all_of_it():
    found = claim(
        "2．女，30岁。停经50天，突发下腹剧痛，血压80/50mmHg。1．最可能的诊断为", ("异位妊娠破裂", "急性胰腺炎")
    )
    assert found.question == "女，30岁。停经50天，突发下腹剧痛，血压80/50mmHg。最可能的诊断是什么？"
    assert found.answer == "最可能的诊断为异位妊娠破裂。"
    considered = claim("女，30岁。停经50天，突发下腹剧痛，血压80/50mmHg。首先考虑是", ("异位妊娠破裂", "急性胰腺炎"))
    assert considered.question.endswith("。首先考虑什么？")
    assert considered.answer == "首先考虑异位妊娠破裂。"
    assert claim("心肌自律性最高的部位是", ("窦房结", "浦肯野纤维")).answer == "心肌自律性最高的部位是窦房结。"


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("下列各项中最常见的疾病是", OPTIONS, "refers to what is not there"),
        ("最常见的外科急腹症的疾病不是", OPTIONS, "asks for nothing that ends its sentence"),
        ("外科急腹症中不属于最常见的疾病是", OPTIONS, "denies or forbids"),
        ("支气管哮喘患者禁用的药物是", ("普萘洛尔", "沙丁胺醇"), "denies or forbids"),
        ("导致右下腹痛的疾病是", OPTIONS, "may have other true answers"),
        ("治疗阑尾炎首选的治疗方法是", ("阑尾切除术", "观察"), BEST_OF_FIVE),
        ("引起尿路感染最常见的细菌是", ("大肠埃希菌", "肺炎球菌"), BEST_OF_FIVE),
        ("男，20岁。右下腹痛8小时。最可能的诊断是", OPTIONS, BEST_OF_FIVE),
        ("男，20岁。右下腹痛8小时，压痛。最需要鉴别的疾病是", OPTIONS, "may have other true answers"),
        (CASE.format(20), ("霍乱", "食物中毒"), "no other option can take its place"),
        (FIRST[0], FIRST[1], "no explanation names its answer"),
        ("中医辨证最可能的诊断是", OPTIONS, "is about traditional medicine, where several answers may be right"),
        ("某水产养殖场鱼类最常见的疾病是", OPTIONS, "is not about patients"),
        ("男，20岁。白细胞l2×10⁹/L。最可能的诊断是", OPTIONS, "is cut, garbled, or no sentence"),
        (CASE.format(20), ("急性阑尾炎", "急性坏疽性阑尾炎"), "no other option can take its place"),
        (CASE.format(20), ("以上都是", "肾结石"), "its answer is no name of its kind, or in the question"),
    ],
)
def test_what_no_rule_can_judge_is_left_out_by_its_reason(text, options, reason):
    assert claim(text, options) == reason


def test_an_explanation_is_asked_where_several_answers_may_be_right():
    assert isinstance(claim(*FIRST, explanation="多由阑尾管腔阻塞（A对）引起。"), Claim)
    assert claim(*FIRST, explanation="阑尾管腔阻塞（A错）并非原因。") == "its explanation denies its answer"


def test_quantities_are_exchanged_for_ones_of_their_unit_far_away_alone():
    options = ("6～12天", "10～14天", "30～40天", "1～2周", "13～20天")
    found = claim("破伤风的平均潜伏期是", options)
    assert found.wrong == ("30～40天",)
    change = exchange(found, 0)
    assert (change.rule, change.response) == ("number", "破伤风的平均潜伏期是30～40天。")


def test_no_form_gives_away_what_is_true():
    cases = [claim_of(question(CASE.format(age)), f"case/{age}") for age in range(60)]
    firsts = [
        claim_of(question(FIRST[0].replace("20", str(age)), FIRST[1]), f"first/{age}", "阑尾管腔阻塞")
        for age in range(20, 24)
    ]
    true, false = halves([*cases, *firsts])
    assert abs(len(true) - len(false)) <= 1
    assert {claim.wording for claim in true} == {claim.wording for claim in false}
    said = [one.answer for one in true]
    wrong = [exchange(one, 0).response for one in false]
    assert sum("原因" in one for one in said) == sum("原因" in one for one in wrong) == 2
    assert not any("不是" in one for one in (*said, *wrong))


@pytest.mark.parametrize("seed", range(5))
def test_each_exchange_is_one_change_of_the_true_statement(seed):
    found = claim(*FIRST, explanation="多由阑尾管腔阻塞（A对）引起。")
    change = exchange(found, seed)
    assert change.response != found.answer
    assert found.answer.replace(change.point, change.replacement, 1) == change.response
    assert change == exchange(found, seed)


def test_partitions_of_rules_and_of_the_paper_are_never_merged():
    made = {"question": "感冒怎么办？", "source": "own", "recipe": "official"}
    by_rule = record_of(
        **made, response="禁用水。", partition="tampered-by-rule", edits=["多饮 -> 禁用"], rule="entity"
    )
    assert check({"test": [by_rule]}) == []
    others = [record_of(**made, response=f"{name}。", partition=name) for name in ("correct", "generated", "tampered")]
    assert check({"test": [by_rule, others[0]]}) == []
    problems = check({"test": [by_rule, *others]})
    assert problems == ["/partition: tampered-by-rule stands beside generated, tampered"]
    lacking = record_of(**made, response="禁用水。", partition="tampered-by-rule", edits=["多饮 -> 禁用"])
    assert any("/rule" in problem for problem in check({"test": [lacking]}))


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("霍乱", "胃肠型食物中毒", True),
        ("肺癌", "病毒性肺炎", False),
        ("肺癌", "肺炎", True),
        ("库欣综合征", "糖尿病", True),
        ("库欣综合征", "糖尿病酮症酸中毒", False),
        ("大叶性肺炎", "肺脓肿", True),
        ("胎盘早剥", "前置胎盘", False),
        ("乙状结肠扭转", "肠梗阻", True),
    ],
)
def test_neighbours_do_not_make_each_other_false(one, other, near):
    assert are_neighbours(one, other) == are_neighbours(other, one) == near
