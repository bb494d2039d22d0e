from __future__ import annotations

import pytest

from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
from dataset_scripts.recipes.tcmd.rows import Candidate
from dataset_scripts.recipes.tcmd.subjects import TABLE, decide, published_rules, read_rules
from medzh_score.configs.tcmd.exam import SUBJECTS
from medzh_score.messages.errors import MedzhError

ANY = ("甲", "乙")


def asked(question, options=ANY, kind="A1", *, answer="A", explanation=None, labels=(), source="bank", stem=None):
    part = SubQuestion(question, tuple(options), answer, explanation, "")
    return Candidate(Group(kind, stem, (part,), "", source), tuple(labels))


@pytest.fixture
def rules(tmp_path):
    def read(text):
        file = tmp_path / "rules.toml"
        file.write_text(text, encoding="utf-8")
        return read_rules(file)

    return read


RULES = """
[terms]
organs = "心 肝 小肠"
[patterns]
full = '@organs(?:、@organs)*'
[[rule]]
name = "by label"
subject = "黄帝内经"
labels = ["exam_subject: 内经"]
[[rule]]
name = "by source and type"
outside = true
sources = ["tcm-pharmacist"]
kinds = ["B1"]
[[rule]]
name = "by options"
subject = "针灸学"
options = ['@full']
[[rule]]
name = "by half of the options"
subject = "中医外科学"
options = ['痔', '肛裂']
share = 0.5
[[rule]]
name = "by question"
subject = "中医儿科学"
question = ['小儿', '患儿']
also = ['指纹']
unless = ['伦理']
[[rule]]
name = "by answer"
subject = "方剂学"
answer = ['汤$']
[[rule]]
name = "by explanation"
subject = "中医内科学"
explanation = ['诊断为@organs痹']
"""


@pytest.mark.parametrize(
    ("candidate", "name"),
    [
        (asked("小儿指纹紫滞", labels=("exam_subject: 内经",)), "by label"),
        (asked("小儿指纹紫滞", labels=("exam_subject: 内经讲义",)), "by question"),
        (asked("主药", source="tcm-pharmacist-2024-2", kind="B1"), "by source and type"),
        (asked("主药", source="tcm-pharmacist-2024-2"), None),
        (asked("病位", ("心", "肝、小肠", "脾")), "by options"),
        (asked("病位", ("心", "脾", "肺")), None),
        (asked("病位", ("心脏", "肝脏", "小肠")), None),
        (asked("诊断", ("内痔", "痔", "肛裂", "肛瘘")), "by half of the options"),
        (asked("小儿诊断", ("指纹紫滞", "舌红")), "by question"),
        (asked("小儿诊断"), None),
        (asked("其证候是", stem="患儿，3岁，指纹紫滞", kind="A3"), "by question"),
        (asked("小儿指纹", ("伦理", "法律")), None),
        (asked("首选", ("四物汤", "四物丸")), "by answer"),
        (asked("首选", ("四物汤", "四物丸"), answer="B"), None),
        (asked("首选", explanation="诊断为心痹。"), "by explanation"),
        (asked("首选"), None),
    ],
)
def test_conditions_of_a_rule(rules, candidate, name):
    rule = decide(candidate, rules(RULES))
    assert (rule.name if rule else None) == name


def test_all_questions_of_a_group_are_looked_at_together(rules):
    parts = (
        SubQuestion("其病位在", ("心", "肝"), "A", None, ""),
        SubQuestion("首选", ("小承气汤", "丸"), "A", None, ""),
    )
    mixed = Candidate(Group("A3", "病案", parts, "", "bank"), ())
    assert decide(mixed, rules(RULES)) is None  # half of the options are organs, one of two answers is a formula
    both = Candidate(Group("A3", "病案", (parts[1], parts[1]), "", "bank"), ())
    assert decide(both, rules(RULES)).name == "by answer"


def test_first_rule_decides_and_longer_terms_win(rules):
    twice = '[[rule]]\nname = "one"\nsubject = "内科学"\nquestion = ["脉"]\n[[rule]]\nname = "two"\noutside = true\n'
    listed = rules(twice)
    assert [decide(asked(text), listed).name for text in ("脉象", "舌象")] == ["one", "two"]
    (rule,) = rules('[terms]\nherbs = "地黄 地黄炭"\n[[rule]]\nname = "one"\noutside = true\nquestion = ["^@herbs$"]')
    assert rule.patterns["question"].pattern == "^(?:地黄炭|地黄)$"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[rule", "not a table of rules"),
        ('[[rule]]\nsubject = "内科学"', "not a rule"),
        ('[[rule]]\nname = "one"\nsubject = "内科学"\nquestions = ["脉"]', "not a rule.*questions"),
        ('[[rule]]\nname = "one"\nsubject = "外科学"', "not a subject"),
        ('[[rule]]\nname = "one"', "not a subject"),
        ('[[rule]]\nname = "one"\noutside = true\nsubject = "内科学"', "not a subject"),
        ('[[rule]]\nname = "one"\noutside = true\nquestion = ["@herbs"]', "one/question.*no such list|no such list"),
        ('[patterns]\na = "@b"', "no such list"),
        ('[[rule]]\nname = "one"\noutside = true\nquestion = ["("]', "not a pattern"),
        ('[[rule]]\nname = "one"\noutside = true\n[[rule]]\nname = "one"\noutside = true', "two rules have one name"),
    ],
)
def test_table_that_is_none(rules, text, message):
    with pytest.raises(MedzhError, match=message):
        rules(text)


def test_table_that_is_not_there(tmp_path):
    with pytest.raises(MedzhError, match="not a table of rules"):
        read_rules(tmp_path / "absent.toml")


def test_published_table_reaches_every_subject_and_stands_in_the_package():
    listed = published_rules()
    assert {rule.subject for rule in listed} == {*SUBJECTS, None}
    assert TABLE.is_file()
    assert all(any((rule.labels, rule.sources, rule.kinds, rule.patterns)) for rule in listed)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_a_source_says_of_its_subject_goes_before_all(subject):
    label = f"knowledge_point: {subject}"
    assert decide(asked("患儿咳嗽，治疗应首选的方剂是", labels=(label,))).subject == subject


@pytest.mark.parametrize(
    ("candidate", "subject"),
    [
        (asked("五行中“木”的相克关系是", ("木克土", "木克火", "木克水")), "中医基础理论"),
        (asked("开窍于舌的脏是", ("心", "肝", "脾", "肺", "肾")), "中医基础理论"),
        (asked("“见肝之病，知肝传脾”体现的治则是", ("治未病", "正治", "反治")), "中医基础理论"),
        (asked("滑脉的主病是", ("痰饮", "血瘀", "气滞")), "中医诊断学"),
        (asked("舌淡白而胖嫩，多见于", ("阳虚水停", "阴虚火旺", "血瘀")), "中医诊断学"),
        (asked("既能发汗解表，又能宣肺平喘的药物是", ("麻黄", "桂枝", "荆芥", "防风", "薄荷")), "中药学"),
        (asked("黄芪的功效不包括", ("补气升阳", "固表止汗", "养阴润肺")), "中药学"),
        (asked("十八反中，反甘草的是", ("甘遂", "贝母", "白蔹")), "中药学"),
        (asked("桂枝汤中的臣药是", ("芍药", "桂枝", "甘草")), "方剂学"),
        (asked("四君子汤的组成不包括", ("人参", "白术", "黄芪")), "方剂学"),
        (asked("《素问·上古天真论》中女子“天癸至”的年龄是", ("二七", "三七", "四七")), "黄帝内经"),
        (asked("《伤寒论》太阳中风的主方是", ("桂枝汤", "麻黄汤")), "伤寒论"),
        (asked("《金匮要略》论胸痹的病机是", ("阳微阴弦", "气滞血瘀")), "金匮要略"),
        (asked("叶天士所说温病“逆传”是指", ("逆传心包", "顺传阳明")), "温病学"),
        (
            asked("患者，男，50岁。胸闷如窒而痛，痰多体胖，舌苔浊腻，脉滑。诊断为胸痹，其证候是", kind="A2"),
            "中医内科学",
        ),
        (asked("消渴之下消，治疗的代表方剂是", ("六味地黄丸", "消渴方", "玉女煎")), "中医内科学"),
        (asked("乳癖的主要病机是", ("肝郁痰凝", "热毒壅滞")), "中医外科学"),
        (asked("崩漏治疗的三法是", ("塞流、澄源、复旧", "汗、吐、下")), "中医妇科学"),
        (asked("小儿“稚阴稚阳”的理论指的是", ("脏腑娇嫩，形气未充", "生机蓬勃，发育迅速")), "中医儿科学"),
        (asked("治疗胃痛的合募配穴是", ("胃俞、中脘", "足三里、内关", "合谷、太冲")), "针灸学"),
        (asked("足三里穴的归经是", ("足阳明胃经", "足太阴脾经")), "针灸学"),
        (asked("慢性肺源性心脏病最常见的病因是", ("慢性阻塞性肺疾病", "胸廓畸形")), "内科学"),
        (asked("肺部叩诊呈鼓音，见于", ("气胸", "胸腔积液")), "诊断学基础"),
        (asked("艾滋病的传播途径不包括", ("性接触", "蚊虫叮咬")), "传染病学"),
        (asked("医学伦理学的基本原则不包括", ("尊重", "不伤害", "盈利")), "医学伦理学"),
        (asked("《医疗事故处理条例》规定的医疗事故等级共有", ("四级", "三级")), "卫生法规"),
        (asked("男，69岁。咳嗽1个月，痰中带血，诊断首先考虑", ("肺癌", "肺结核"), kind="A2"), "内科学"),
        (
            asked("女，30岁。发作前鼻痒，呼气末哮鸣音，最可能的诊断是", ("支气管哮喘", "大叶性肺炎"), kind="A2"),
            "内科学",
        ),
        (asked("肝硬化门静脉高压最常见的并发症是", ("消化道出血", "肝性脑病")), "内科学"),
        (asked("高血压脑出血最好发的部位是", ("内囊和基底节附近", "脑桥")), "内科学"),
        (asked("如寒无寒，如热无热，口苦，小便赤，治宜", ("百合地黄汤", "百合知母汤")), "金匮要略"),
        (asked("生物医学模式的缺陷是", ("忽视心理和社会因素", "重视实验")), "医学伦理学"),
    ],
)
def test_question_goes_to_its_subject(candidate, subject):
    rule = decide(candidate)
    assert rule is not None
    assert rule.subject == subject


@pytest.mark.parametrize(
    "candidate",
    [
        asked("麻黄药材的鉴别特征是断面", ("朱砂点", "云锦纹")),
        asked("根据《药品管理法》，药品经营企业应当具有", ("许可证", "批准文号")),
        asked("下颌第一磨牙的牙根数是", ("二", "三")),
        asked("股骨颈骨折的典型体征是", ("外旋畸形", "内旋畸形")),
        asked("妊娠期高血压疾病的首选药物是", ("硫酸镁", "利尿剂")),
        asked("队列研究可以直接计算的指标是", ("发病率", "患病率")),
        asked("支配三角肌的神经节段起自", ("臂丛", "颈丛")),
        asked("阿托品的药理作用不包括", ("散瞳", "缩瞳")),
        asked("3个月婴儿的疫苗接种是", ("脊髓灰质炎疫苗", "麻疹疫苗")),
        asked("男，8个月。抽搐1天，首选的检查是", ("血钙", "血糖"), kind="A2"),
        asked("在肝十二指肠韧带内经行的有", ("肝门静脉", "肝静脉")),
        asked("金花消痤丸除解毒消肿外又能", ("清热泻火", "清热凉血")),
        asked("具有1个侧枝的马鹿茸习称", ("二杠", "三岔")),
    ],
)
def test_what_the_examination_does_not_ask_is_left_out(candidate):
    rule = decide(candidate)
    assert rule is not None
    assert rule.subject is None


def test_what_no_rule_knows_stays_unassigned():
    assert decide(asked("下列说法正确的是", ("甲", "乙"))) is None
