"""The published list of patterns: what it finds in a question, and what it leaves alone."""

from __future__ import annotations

import csv
import io
import json
import re
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_scripts.recipes.banks.choice_questions import read_cmexam
from dataset_scripts.recipes.banks.questions import Question
from dataset_scripts.recipes.pemebench.pediatric import MEASURED, PATTERNS, TABLE, matched, published_list, read_list
from dataset_scripts.sources.fetching import cached_path
from dataset_scripts.sources.registry import REGISTRY, read_sources
from medzh_score.benchmark.draws import draw_first
from medzh_score.messages.errors import MedzhError

LABELS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "pemebench_pediatric_labels.jsonl").read_text("utf-8").splitlines()
]
DATA = Path(__file__).parent / "data"
PARENTS = [json.loads(line) for line in (DATA / "pemebench_pediatric_parents.jsonl").read_text("utf-8").splitlines()]
CARD = Path(__file__).parent.parent / "cards" / "pemebench_huatuo.md.jinja"
SAMPLE = "Toyhom/Chinese-medical-dialogue-data/26724a4357fcd142f0cab81188cacf1a2dd8a827/样例_内科5000-6000.csv"
PATTERN = '[[pattern]]\nname = "{name}"\nmeaning = "m"\nfound = ["{found}"]\n'


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("小儿腹泻最常见的病毒是", ["child"]),
        ("患儿发热3天，首选的检查是", ["child", "patient-child"]),
        ("婴幼儿贫血的常见原因", ["child"]),
        ("幼儿期的保健重点", ["child"]),
        ("学龄前儿童的视力筛查", ["child", "pediatrics"]),
        ("宝宝咳嗽怎么办", ["child", "child-at-home"]),
        ("新生儿败血症的常见病原", ["newborn"]),
        ("早产儿补充铁剂的时间", ["newborn"]),
        ("足月儿的生理特点", ["newborn"]),
        ("新生儿窒息的处理", ["newborn", "newborn-care"]),
        ("男婴，发热", ["baby-boy-girl"]),
        ("女孩，智力落后", ["baby-boy-girl", "mind"]),
        ("儿科散剂的要求", ["pediatrics"]),
        ("女，3岁。发热", ["age-years"]),
        ("女，３岁。发热", ["age-years"]),
        ("女，3 岁 。发热", ["age-years"]),
        ("男，1岁半，呕吐", ["age-years"]),
        ("男，1.5岁，呕吐", ["age-years"]),
        ("男，13岁，头痛", ["age-years"]),
        ("某患者，八岁，哮喘", ["age-years"]),
        ("患者，十二岁，哮喘", ["age-years"]),
        ("好发于3～6岁的疾病", ["age-years"]),
        ("两岁，腹痛", ["age-years"]),
        ("母亲35岁，带5岁男孩就诊", ["age-years-boy-girl"]),
        ("未满8岁禁用的药物", ["age-years", "age-limit"]),
        ("12岁以下禁用的药物", ["age-years", "age-limit"]),
        ("男，8个月。高热", ["age-months"]),
        ("女，10个月，腹泻", ["age-months"]),
        ("6个月，高热3天", ["age-months"]),
        ("患者，15个月，哭闹", ["age-months"]),
        ("能独坐的月龄是", ["age-months", "development"]),
        ("男，5天。拒奶", ["age-days"]),
        ("生后24小时内出现黄疸", ["age-days"]),
        ("出生体重3.2kg，拒奶", ["age-days"]),
        ("Apgar评分的项目", ["newborn-diseases"]),
        ("水痘的潜伏期", ["infections"]),
        ("麻疹的出疹顺序", ["infections"]),
        ("法洛四联症的X线表现", ["inborn"]),
        ("21-三体综合征的核型", ["inborn"]),
        ("肾母细胞瘤的转移部位", ["tumours"]),
        ("佝偻病活动期的血磷", ["nutrition"]),
        ("前囟闭合的时间", ["development"]),
        ("乳牙萌出的顺序", ["development"]),
        ("抽动障碍的治疗", ["mind"]),
        ("单纯性热性惊厥的特点", ["fits"]),
        ("疳证的病机", ["chinese-pediatrics"]),
        ("母乳喂养的优点", ["feeding"]),
        ("百白破疫苗的接种次数", ["vaccines"]),
        ("肠套叠的灌肠复位", ["other-diseases"]),
        ("3岁女儿发烧怎么办", ["child-at-home", "age-years"]),
        ("7岁儿子近视怎么办", ["child-at-home", "age-years"]),
        ("我家5岁的儿子咳嗽一周", ["child-at-home", "age-years"]),
        ("我有一个孩子3岁，老是咳嗽怎么办", ["baby-boy-girl", "child-at-home", "age-years"]),
        ("家有2岁孩子，拉肚子", ["baby-boy-girl", "child-at-home", "age-years"]),
        ("我30岁，孩子2岁发烧怎么办", ["child-at-home"]),
        ("产后42天宝宝黄疸", ["child-at-home"]),
        ("34周早产儿，剖宫产娩出，生后2小时呼吸困难", ["newborn-care"]),
    ],
)
def test_it_finds_children(question, names):
    assert matched(question) == names


@pytest.mark.parametrize(
    "question",
    [
        "",
        "男，35岁。咳嗽3个月",
        "女，35岁，病史3个月",
        "男，45岁，3个月前从高处跌落",
        "患者，女，3个月前跌倒",
        "女，3个月来乏力",
        "病史3个月",
        "男，60岁，1岁时患麻疹",
        "患者3岁时患麻疹，现40岁",
        "女，16岁，小腿肿痛",
        "一名16岁男孩，外伤",
        "女，22岁，13岁月经初潮",
        "女，30岁，12岁初潮",
        "停经3个月，下腹痛",
        "妊娠8个月，胎动减少",
        "好发于20～40岁的疾病",
        "二十三岁，发热",
        "病程2年3个月",
        "术后3天发热",
        "2.28岁初产妇，临产",
        "男，28岁，育有一子，5岁",
        "孕妇，28岁，估计胎儿体重3000g",
        "胎儿窘迫的处理",
        "母婴传播的途径",
        "试管婴儿的伦理问题",
        "幼儿园教师，女，咽痛",
        "儿科医师的执业范围",
        "小儿子去世后失眠",
        "荨麻疹的治疗",
        "治疗麻疹不透的药物",
        "软下疳的病原体",
        "走马牙疳的治法",
        "膀胱癌灌注卡介苗",
        "成人牛奶不耐受的原因",
        "大鼠出生后3天给药",
        "巨幼细胞贫血的治疗",
        "早幼粒细胞白血病",
        "流行性感冒的治疗",
        "罂粟壳的功效",
        "想要孩子，要做什么检查",
        "结婚三年还没有怀上孩子",
        "怀孕2个月感冒对孩子有影响吗",
        "生孩子以后总是腰痛",
        "高血压会遗传给孩子吗",
        "女孩子月经不调怎么办",
        "男孩子早泄怎么办",
        "备孕期间能吃感冒药吗",
    ],
)
def test_it_leaves_others_alone(question):
    assert matched(question) == []


def test_every_pattern_is_shown_at_work():
    shown = {name for mark in test_it_finds_children.pytestmark for _, names in mark.args[1] for name in names}
    assert shown == {pattern.name for pattern in published_list().patterns}


def test_only_the_question_is_looked_at_in_half_width_without_spaces():
    listed = published_list()
    assert listed.looked_at("女，　３ 岁：\n发热") == "女,3岁:发热"
    assert matched("女，３\n岁") == matched("女,3岁") != []


@given(st.text(max_size=80))
def test_any_text_can_be_looked_at(text):
    names = [pattern.name for pattern in published_list().patterns]
    found = matched(text)
    assert [name for name in names if name in found] == found
    assert matched(" ".join(text)) == found


def test_the_digest_is_that_of_the_file():
    content = TABLE.read_bytes().replace(b"\r\n", b"\n")
    assert f"pemebench/pediatric.toml, SHA-256 {sha256(content).hexdigest()}" == PATTERNS


def test_patterns_have_names_meanings_and_no_name_twice():
    patterns = published_list().patterns
    assert len({pattern.name for pattern in patterns}) == len(patterns) >= 20
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", pattern.name) and len(pattern.meaning) > 8 for pattern in patterns)


@pytest.mark.parametrize(
    ("content", "problem", "field"),
    [
        ("[[pattern]\n", "not a list of patterns", None),
        (PATTERN.format(name="a", found="x") * 2, "two patterns have one name", "name"),
        (PATTERN.format(name="A b", found="x"), "not a pattern", "A b"),
        ('[[pattern]]\nname = "a"\nmeaning = "m"\n', "not a pattern", "a"),
        ('[[pattern]]\nname = "a"\nfound = ["x"]\n', "not a pattern", "a"),
        (PATTERN.format(name="a", found="x") + "when = 1\n", "not a pattern", "a"),
        (PATTERN.format(name="a", found="("), "not a pattern: ", "a/found"),
        (PATTERN.format(name="a", found="x") + 'unless = ["["]\n', "not a pattern: ", "a/unless"),
        (PATTERN.format(name="a", found="@none"), "no such list", "a/found"),
        ('[blank]\nb = ["("]\n', "not a pattern: ", "blank"),
        ('[expressions]\ne = "@none"\n', "no such list", "e"),
    ],
)
def test_a_broken_list_is_refused(content, problem, field, tmp_path):
    file = tmp_path / "list.toml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(MedzhError) as caught:
        read_list(file)
    assert caught.value.problem.startswith(problem)
    assert (caught.value.file, caught.value.field) == (str(file), field)


def test_a_missing_list_and_one_that_is_not_utf_8_are_refused(tmp_path):
    with pytest.raises(MedzhError, match="not a list of patterns"):
        read_list(tmp_path / "none.toml")
    (tmp_path / "list.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(MedzhError, match="not a list of patterns"):
        read_list(tmp_path / "list.toml")


def test_terms_expressions_blanks_and_exceptions_work_as_described(tmp_path):
    file = tmp_path / "list.toml"
    file.write_text(
        '[terms]\nbaby = "婴 婴儿"\n[expressions]\nfew = "[1-3]"\n[blank]\nb = ["试管婴儿"]\n'
        '[[pattern]]\nname = "a"\nmeaning = "m"\nfound = ["@baby", "@few岁"]\nunless = ["成人"]\n',
        encoding="utf-8",
    )
    listed = read_list(file)
    texts = {"婴儿": ["a"], "2岁": ["a"], "4岁": [], "试管婴儿": [], "成人与婴儿": [], "试管婴儿，2岁": ["a"]}
    assert {text: listed.matched(text) for text in texts} == texts


def test_what_is_stated_of_precision_and_recall_follows_from_the_labels():
    selected = [row["children"] for row in LABELS if row["selected"]]
    others = [row["children"] for row in LABELS if not row["selected"]]
    stated = [int(number) for number in re.findall(r"\d+", MEASURED)]
    assert stated == [sum(selected), len(selected), sum(others), len(others)] == [320, 339, 2, 600]


def test_what_the_card_states_of_parents_questions_follows_from_the_labels_and_a_seeded_draw(upstream_file):
    """The sample has few questions of parents, so that it is a hard case; its texts are not repeated here."""
    content = upstream_file(SAMPLE).read_bytes().decode("gb18030")
    rows = csv.DictReader(io.StringIO(content))
    texts = {f"{row['title'].strip()} {row['ask'].strip()}" for row in rows}
    selected = {text for text in texts if matched(text)}
    drawn = {True: draw_first(selected, str, 60, 20261), False: draw_first(texts - selected, str, 120, 20261)}
    for chosen, some in drawn.items():
        assert {sha256(text.encode("utf-8")).hexdigest()[:10] for text in some} == {
            row["id"] for row in PARENTS if row["selected"] is chosen
        }
    counts = [sum(row["children"] for row in PARENTS if row["selected"] is chosen) for chosen in drawn]
    card = " ".join(CARD.read_text(encoding="utf-8").split())
    assert f"{len(texts):,} different questions" in card
    assert f"it selects {len(selected)}. Of 60 of these" in card
    assert f"{counts[0]} are about children, a precision of {counts[0] / 60:.0%}".replace("%", " %") in card
    assert f"Of 120 drawn from the rest {counts[1]} is" in card


def test_the_labels_are_of_what_the_list_selects_and_of_a_seeded_draw_of_the_rest(upstream_file):
    source = read_sources(REGISTRY)["cmexam-val-xlsx"]
    rows = read_cmexam(source.name, upstream_file(str(cached_path(source, Path()))))
    questions = {row.digest: row for row in rows if isinstance(row, Question)}
    selected = {digest for digest, question in questions.items() if matched(question.text)}
    labelled = {row["id"].removeprefix("pmcmexam-"): row["selected"] for row in LABELS}
    drawn = draw_first(questions.keys() - selected, str, 600, 20260)
    assert {digest for digest, chosen in labelled.items() if chosen} == selected
    assert {digest for digest, chosen in labelled.items() if not chosen} == set(drawn)
    assert len(questions) - len(selected) == 6460
