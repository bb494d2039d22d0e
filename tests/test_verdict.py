"""Verdicts: a table of answers written for it, and older labelled ones of which none may be read as the opposite."""

import json
from pathlib import Path

import pytest

from medzh_score.extraction.verdict import read_verdict

DATA = Path(__file__).parent / "data"
READ = {
    "correct": [
        "正确",
        "✅ 正确",
        "对。",
        "<answer>正确</answer>",
        "该陈述属实。",
        "以下推理成立：\n前提一与前提二足以得出结论。",
        "这句话没有错，青霉素属于β-内酰胺类。",
        "您提供的陈述“麻疹可能并发肺炎”是正确的。",
        "走路比站立费力的说法是正确的。",
        "这个论证是一个正确的归纳论证。",
        "有人认为这句话错误，其实该说法是正确的。",
        "我不认为这个说法是错误的。",
        "这种说法正确吗？正确。钙有助于骨骼。",
        "错误。更正：正确。",
        "是的，这个说法是正确的。",
        '{"verdict": "Supported", "justification": "多家医院的资料一致，若有出入，可能是笔误。"}',
        '{"reasoning": "The text is consistent with the evidence.", "error": "None", "factuality": true}',
        "The statement is correct. Insulin lowers blood glucose.",
        "表述或做法是正确的。",
    ],
    "incorrect": [
        "错误",
        "不对。阿司匹林不是抗生素。",
        "**答案：❌ 错误**",
        "判断：×",
        "这个回答不太准确，还需要补充剂量。",
        "因此，该声明与事实不符。",
        "这种观点站不住脚。",
        "这个论证不是一个正确的归纳论证。",
        "我不认为这种说法是正确的。",
        "虽然这种说法听起来有理，但实际上是错误的。",
        "那么这个说法正确吗？答案是否定的。",
        "此说法错误，正确的说法是：胰岛素由胰岛β细胞分泌。",
        "正确……等一下，题目问的是不可能，更正：错误。",
        '{"verdict": "Refuted", "justification": "该说法曾被认为正确。", "confidence": "High"}',
        "That's not true. Scurvy comes from a lack of vitamin C.",
        "- [ ] 正确\n- [x] 错误",
    ],
    None: [
        "",
        "<think>这个说法是正确的",
        "是的，如果您有其他问题，请随时告诉我。",
        "是的，我可以帮助您。",
        "这个说法可能是正确的。",
        "这个说法是否正确，要看病情。",
        "如果患者是儿童，那么该说法正确。",
        "前半句正确，后半句错误。",
        "正确的做法是先洗手。错误的做法会带来感染。",
        "正确的。错误的。",
        "A. 正确\nB. 错误",
        "该说法正确。胰岛素升高血糖，因此该说法是错误的。",
        "正确。等一下，我看错了。",
        "这个说法有争议。",
        '{"verdict": "Not Enough Evidence", "justification": "没有资料支持这个说法，它是错误的吗？"}',
        "抱歉，我不能判断这句话正确与否。",
        "不能说这个说法是错误的。",
        "有人认为该说法正确。",
        "The statement is correct only if the patient is an adult.",
        "该方案是错误的。",
    ],
}
# Labelled none with care, where a wording of today says as much as the others: double denial, science, a whole answer.
TODAY = {
    "这是错误的做法。",
    "错误（部分）。",
    "这种观点是不科学的。",
    "这个说法没有问题。",
    "是的，这个说法是错误的。",
    "不太准确。",
    "The claim is not incorrect.",
}


@pytest.mark.parametrize(("value", "text"), [(value, text) for value, texts in READ.items() for text in texts])
def test_a_verdict_is_read_from_what_the_text_says_of_the_statement(value: str | None, text: str) -> None:
    assert read_verdict(text).value == value


def test_the_noun_of_the_task_is_judged_as_known_nouns_are() -> None:
    assert read_verdict("该方案是错误的。", noun="方案").value == "incorrect"


def test_a_reading_is_clear_where_its_clause_is_understood_and_shows_from_where_it_was_read() -> None:
    text = "**该说法**是错误的。患者可能有其他症状。"
    reading = read_verdict(text)
    assert reading.clear
    assert [text[span.start : span.end] for span in reading.spans] == ["说法**是错误的"]


def test_a_statement_that_is_doubted_within_its_sentence_is_not_clear() -> None:
    assert not read_verdict("该说法是错误的，也许还有别的看法。").clear


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("<think>错误", "unfinished thinking"),
        ("这个说法可能是正确的。", "hedge"),
        ("如果患者是儿童，那么该说法正确。", "supposed"),
        ("有人认为该说法正确。", "somebody else's"),
        ("该说法正确。该说法错误。", "contradiction"),
        ("这个说法有争议。", "undecided"),
        ("抱歉，我不能评价。", "refusal"),
        ("正确。等一下，我看错了。", "correction"),
        ("正文没有结论。", "nothing"),
    ],
)
def test_what_is_unread_has_its_reason(text: str, why: str) -> None:
    assert read_verdict(text).why == why


def test_of_older_labelled_answers_none_is_read_otherwise_and_most_are_read() -> None:
    rows = [line.split("\t", 1) for line in (DATA / "verdicts.tsv").read_text("utf-8").splitlines()]
    labelled = [(label if label in READ else None, text.replace("\\n", "\n")) for label, text in rows]
    read = [(label, read_verdict(text).value, text) for label, text in labelled]
    assert [row for row in read if row[1] not in {None, row[0]} and row[2] not in TODAY] == []
    assert sum(value is not None for _, value, _ in read) >= 160


def test_of_made_up_answers_at_least_88_in_100_are_read_as_labelled() -> None:
    rows = [
        json.loads(line)
        for name in ("answers_labelled", "answers_judged_verdict_score", "answers_unseen")
        for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    read = [(row["label"], read_verdict(row["text"]).value) for row in rows if row["kind"] == "verdict"]
    assert sum(label == value for label, value in read) >= 0.88 * len(read)
    assert sum(value not in {None, label} for label, value in read) <= 0.015 * len(read)
