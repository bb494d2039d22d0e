"""Yes or no: tables of answers written for it, and older labelled ones of which none may be read as the opposite."""

import json
from pathlib import Path

import pytest

from medzh_score.extraction.yes_no import read_yes_no

DATA = Path(__file__).parent / "data"
# Does another's answer mislead?
JUDGED = {
    "yes": [
        "是",
        "Yes.",
        "有误导。",
        "包含误导性信息",
        "是的，包含。",
        "是的，医生的建议不正确。",
        "医生的回答存在不实信息。",
        "医生的说法是错误的：退热药不能这样用。",
        "首先看剂量，剂量超过说明书的上限。所以答案是“是”。",
        '{"misleading": true}',
        '{"是否包含误导信息": "是", "理由": "剂量有误"}',
        "否。更正：是。",
        "~~否~~ **是**",
        "☑ 是\n☐ 否",
    ],
    "no": [
        "否",
        "No. Washing the wound comes first.",
        "没有，处理符合规范。",
        "无误导信息。",
        "医生的回答不包含不真实的信息。",
        "回答正确，没有误导。",
        "医生的回答中没有任何不真实的内容。",
        "The reply contains nothing untrue or misleading.",
        '{"answer": "否", "reason": "如果不冲洗，可能感染"}',
        "医生的回答是否包含误导性信息：否",
        "结论：否",
    ],
    None: [
        "",
        "是的，建议您按时服药。",
        "不会，请放心。",
        "可以的，适量食用。",
        "Yes, you should rest.",
        "否则容易感染。",
        "没有出血的话不用处理。",
        "是的，医生说得对。",
        "是。医生的建议是正确的。",
        "Yes. That is correct.",
        "否。误导。",
        "是，否",
        "要判断医生的回答是否包含误导信息，先看剂量。",
        "如果剂量更大，医生的回答包含误导信息。",
        "可能包含误导信息。",
        "医生的回答不包含误导信息。综上，医生的回答包含误导信息。",
        "<think>是",
        "抱歉，我不能评价。",
    ],
}
# To a general question, asked of the model itself.
SPOKEN = {
    "yes": [
        "是的，鲸鱼是哺乳动物。",
        "当然可以，祝您顺利！",
        "Yes, it is in the north.",
        "这句话中存在推理谬误。",
        "左转两次是一样的。所以答案是：是",
        "Snow is cold. So the answer is yes.",
        "讲话人乙的回答代表了“是”。",
        "#### 1. 是否存在相互作用？\n**是**。两者竞争同一代谢酶。",
    ],
    "no": [
        "不是，是另一位科学家发现的。",
        "不可以。",
        "没有，该省没有这样的学校。",
        "不一定。要看距离。",
        "不能通过审核。\n依据：材料不全。",
        "早睡不会导致感冒。",
        "续写不符合现实，因为日期不对。",
        "### 审核结果\n不能通过审核。",
        "Basketball has no corner kick. So the answer is no.",
    ],
    None: [
        "",
        "这要因人而异，取决于体质。",
        "如果伤口愈合，可以游泳。",
        "两者都是常见的说法。",
        "可能会有影响。",
        "报告被承认有误。\n问：报告是否有误？",
        "<think>是的",
    ],
}
OLDER = [("yes_no_answers", "value", 230), ("cmhe_hd_judged", "verdict", 120), ("cmhe_hd_answers", "strict", 90)]


@pytest.mark.parametrize(("value", "text"), [(value, text) for value, texts in JUDGED.items() for text in texts])
def test_whether_another_misleads_is_read_from_answers_and_statements(value: str | None, text: str) -> None:
    assert read_yes_no(text).value == value


@pytest.mark.parametrize(("value", "text"), [(value, text) for value, texts in SPOKEN.items() for text in texts])
def test_what_is_said_to_an_asker_answers_a_general_question(value: str | None, text: str) -> None:
    assert read_yes_no(text, spoken=True).value == value


def test_a_reading_shows_from_where_it_was_read() -> None:
    text = "我看完了。**医生的回答存在误导**。"
    assert [text[span.start : span.end] for span in read_yes_no(text).spans] == ["存在"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("<think>是", "unfinished thinking"),
        ("可能包含误导信息。", "hedge"),
        ("是。不包含。", "contradiction"),
        ("抱歉，我不能评价。", "refusal"),
        ("蜂蜜来自花蜜。", "nothing"),
    ],
)
def test_what_is_unread_has_its_reason(text: str, why: str) -> None:
    assert read_yes_no(text).why == why


@pytest.mark.parametrize(("name", "field", "least"), OLDER)
def test_of_older_labelled_answers_none_is_read_as_the_opposite_and_most_are_read(
    name: str, field: str, least: int
) -> None:
    rows = [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]
    labelled = [(row[field].lower(), read_yes_no(row["text"]).value, row["text"]) for row in rows if row[field]]
    assert [row for row in labelled if row[1] not in {None, row[0]}] == []
    assert sum(label == value for label, value, _ in labelled) >= least


def test_of_made_up_answers_at_least_85_in_100_are_read_as_labelled() -> None:
    rows = [
        json.loads(line)
        for name in ("answers_labelled", "answers_judged_yes_no", "answers_fresh_yes_no", "answers_unseen")
        for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    labelled = [(row["label"] and row["label"].lower(), row["text"]) for row in rows if row["kind"] == "yes_no"]
    read = [(label, read_yes_no(text).value) for label, text in labelled]
    assert sum(label == value for label, value in read) >= 0.85 * len(read)
    assert sum(value not in {None, label} for label, value in read) <= 0.015 * len(read)
