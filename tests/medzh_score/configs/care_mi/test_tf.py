"""Whether answers agree with the claim of their question, against readings decided by hand."""

from __future__ import annotations

from collections import Counter

from places import CASE_FILES
from tables import case_tables, holds
from tool_runs import lines_of

from medzh_score.configs.care_mi.reading.true_false import Claim, read

ANSWERS = lines_of(CASE_FILES / "care_mi_tf_answers.jsonl")


def test_the_table_has_many_of_each_kind():
    counts = Counter(case["read"] for case in ANSWERS)
    assert len(ANSWERS) >= 170
    assert min(counts.values()) >= 40


def test_answers_are_read_as_decided_by_hand_or_not_at_all():
    found = [(case, read(case["text"], Claim(case["true_statement"], case["false_statement"]))) for case in ANSWERS]
    other = [case["text"] for case, value in found if value is not None and value != case["read"]]
    assert set(other) <= {"无。", "不会诊断。"}  # of which a person says that they answer another question
    right = sum(value == case["read"] for case, value in found)
    assert right >= 0.85 * len(ANSWERS)


def test_what_a_nod_or_a_no_means_depends_on_the_claim():
    rows = case_tables("care_mi_scores")["claims"]
    holds(rows, lambda claim, text: read(text, Claim(claim)))


def test_answers_to_a_question_that_denies_are_read_as_careful_readers_do():
    rows = [
        [Claim(case["statement"], case["opposite"] or ""), text, None if value == "unclear" else value]
        for case in case_tables("care_mi_scores")["denials"]
        for value in ("agree", "refuse", "unclear")
        for text in case[value]
    ]
    assert len(rows) >= 200
    holds(rows, lambda claim, text: read(text, claim))


def test_whether_a_question_denies_is_told_from_its_predicate():
    pairs = (
        ("没有禁忌的产妇可以哺乳。", "没有禁忌的产妇不可以哺乳。"),
        ("出血表现为不规则出血。", "出血表现为周期性出血。"),
        ("低体重儿的体重不足2500g。", "低体重儿的体重超过2500g。"),
        ("早产儿是胎龄不满37周的新生儿。", "早产儿是胎龄不满42周的新生儿。"),
        ("无应激试验的加速应为15次/分。", "无应激试验的加速应为5次/分。"),
        ("无应激试验的加速幅度是15次/分。", "无应激试验的加速幅度是5次/分。"),
        ("上腹部不适多由急性胃炎引起。", ""),
    )
    assert not any(Claim(*pair).negative for pair in pairs)
    assert all(Claim(one).negative for one in ("孕妇不宜饮酒。", "产妇禁止饮酒。"))


def test_who_opens_with_one_of_the_two_statements_says_which_holds():
    true, false = "鹅口疮由真菌引起。", "鹅口疮由真菌引起，可自愈。"  # one begins as the other does
    for claim in (Claim(true, false), Claim(false, true)):
        said = [(claim.statement, "agree"), (claim.opposite, "refuse"), (f"{claim.opposite}应治疗。", "refuse")]
        rows = [[claim, *row] for row in (*said, ("鹅口疮由真菌引起吗？", None))]
        holds(rows, lambda known, text: read(text, known))
