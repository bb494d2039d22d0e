"""How answers to PediaBench's objective questions are read and scored."""

from medzh_score.authoring import letters, pairs, question_config, true_false

GROUPS = (
    *("儿科基础保健与发育行为疾病", "新生儿疾病", "儿科感染性疾病", "儿科呼吸系统疾病", "儿科消化系统疾病"),
    *("儿科心血管系统疾病", "儿科肾脏系统疾病", "儿科血液系统疾病", "儿科神经系统疾病"),
    *("儿科内分泌与遗传代谢性系统疾病", "儿科免疫缺陷性疾病", "儿科急诊与危重症"),
)
CONFIG = question_config(
    "pediabench",
    "PediaBench's objective questions of pediatrics: true or false, choice with one and several, pairing",
    {"true-false": true_false("表述"), "letters": letters(), "several": letters(several=True), "pairs": pairs()},
    breakdowns={"group": GROUPS},
    # A group of pairs weighs as much as it has parts; these are weights of ours, not the paper's integrated score.
    weight=lambda record: max(1, len(record["parts"])),
)
