"""The rule ``strict-1`` on a table whose expectations come from its description, not from its code.

Sources, named in each row: "words", "whole" (对 and 是 as the whole clause), "end" (a verdict closes the clause),
"longest", "hedge", "negation", "contradiction", "strip" (what is passed over), "clause" (where it stops) and "trap"
(texts that read as "correct" to a rule without these) are sentences of the rule's description; "ours" is a reading that
the description leaves open and the docstring of ``sdak_strict.read`` settles.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medzh_score.extraction import sdak_strict
from medzh_score.extraction.sdak_reason import FACTUAL, RESTATES, ClaimSide, counterfactual_side

C, I, N = "correct", "incorrect", None  # noqa: E741 - the letters of the rule's description

# Text, answer, what found it (the wording, or why there is none), source.
TABLE = [
    ("正确", C, "正确", "words"),
    ("属实", C, "属实", "words"),
    ("无误", C, "无误", "words"),
    ("没有错误", C, "没有错误", "words"),
    ("没错", C, "没错", "words"),
    ("错误", I, "错误", "words"),
    ("不正确", I, "不正确", "words"),
    ("不对", I, "不对", "words"),
    ("不完全正确", I, "不完全正确", "words"),
    ("不准确", I, "不准确", "words"),
    ("不属实", I, "不属实", "words"),
    ("有误", I, "有误", "words"),
    ("不成立", I, "不成立", "words"),
    ("对", C, "对 as the clause", "whole"),
    ("对的", C, "对的 as the clause", "whole"),
    ("是", C, "是 as the clause", "whole"),
    ("是的", C, "是的 as the clause", "whole"),
    ("对，因为病因明确", C, "对 as the clause", "whole"),
    ("是的。这种药可以用", C, "是的 as the clause", "whole"),
    ("不是", I, "不是 as the clause", "whole"),
    ("不是的", I, "不是的 as the clause", "whole"),
    ("否", I, "否 as the clause", "whole"),
    ("否，并无根据", I, "否 as the clause", "whole"),
    ("不是，这种药不能用", I, "不是 as the clause", "whole"),
    ("对不起，我无法回答", N, "nothing", "trap"),
    ("对于这个问题", N, "nothing", "trap"),
    ("对不称", N, "nothing", "trap"),
    ("无法判断正确与否", N, "hedge", "trap"),
    ("不太正确", N, "hedge", "trap"),
    ("我不是医生", N, "nothing", "trap"),
    ("不对称", N, "nothing", "trap"),
    ("正确诊断需要就医", N, "nothing", "trap"),
    ("是否正确", N, "hedge", "hedge"),
    ("是一种常见病", N, "nothing", "whole"),
    ("否定", N, "nothing", "whole"),
    ("对症治疗即可", N, "nothing", "whole"),
    ("正确的", C, "正确", "end"),
    ("正确了", C, "正确", "end"),
    ("正确的说法", C, "正确", "end"),
    ("正确的观点", C, "正确", "end"),
    ("错误的", I, "错误", "end"),
    ("错误的说法。理由如下", I, "错误", "end"),
    ("不正确的观点", I, "不正确", "end"),
    ("错误率很高", N, "nothing", "end"),
    ("没有错误率", N, "nothing", "end"),
    ("正确答案如下", N, "nothing", "end"),
    ("这个说法正确", C, "正确", "end"),
    ("这种说法是正确的", C, "正确", "end"),
    ("这种说法是错误的", I, "错误", "end"),
    ("该说法错误", I, "错误", "end"),
    ("这是错误的", I, "错误", "end"),
    ("这是没有错误的", C, "没有错误", "longest"),
    ("说法没有错误，可以放心", C, "没有错误", "longest"),
    ("这是不完全正确的", I, "不完全正确", "longest"),
    ("完全不正确", I, "不正确", "longest"),
    ("不是正确的", I, "不是…正确", "不是 before a C-word"),
    ("不是完全正确", I, "不是…正确", "ours: 不是完全 as 不是"),
    ("不是属实", I, "不是…属实", "不是 before a C-word"),
    ("不确定", N, "hedge", "hedge"),
    ("不一定正确", N, "hedge", "hedge"),
    ("未必正确", N, "hedge", "hedge"),
    ("部分正确", N, "hedge", "hedge"),
    ("部分错误", N, "hedge", "hedge"),
    ("不能确认正确", N, "hedge", "hedge"),
    ("无法确定", N, "hedge", "hedge"),
    ("正确与否", N, "hedge", "hedge"),
    ("不太准确", N, "hedge", "hedge"),
    ("不是错误", N, "negation", "negation"),
    ("不能说不正确", N, "negation", "negation, tested before hedge"),
    ("不能说错误", N, "negation", "negation, tested before hedge"),
    ("不能算错误", N, "negation", "ours: 不能算 as 不能说"),
    ("并非错误", N, "negation", "ours: 并非 as 不是"),
    ("没什么错误", N, "negation", "ours: a negated I-word that is not 没有错误"),
    ("并非正确", N, "negation", "ours: only 不是 turns a C-word round"),
    ("正确和错误", N, "contradiction", "contradiction"),
    ("正确而不是错误", N, "negation", "negation: an I-word is negated"),
    ("有对有误也有正确", N, "contradiction", "contradiction"),
    ("没有错误不是没有错误", N, "contradiction", "longest: 没有错误 is never I"),
    ("不正确，正确的是", I, "不正确", "clause"),
    ("正确；错误", C, "正确", "clause"),
    ("正确\n错误", C, "正确", "clause"),
    ("错误: 正确", I, "错误", "clause"),
    ("正确;", C, "正确", "clause"),
    ("根据现有研究。正确", N, "nothing", "clause"),
    ("这种关于病因的说法正确", N, "nothing", "clause: 10 characters"),
    ("关于病因的说法是正确", C, "正确", "clause: 10 characters"),
    ("关于该病因的说法是正确", N, "nothing", "clause: 10 characters"),
    ("关于病因的说法是正确的说法", C, "正确", "ours: what follows the word may pass the tenth"),
    ("正确！", C, "正确", "ours: ！ . ! stop a clause too"),
    ("正确.", C, "正确", "ours: ！ . ! stop a clause too"),
    ("正确？", N, "nothing", "ours: a question is no verdict"),
    ("正确吗", N, "nothing", "end"),
    ("  正确", C, "正确", "strip"),
    ("\n\n错误", I, "错误", "strip"),
    ("\u3000错误", I, "错误", "strip"),
    ("“正确”", C, "正确", "strip"),
    ("”正确”", C, "正确", "strip"),
    ('"错误"。', I, "错误", "strip"),
    ("「错误」", I, "错误", "strip"),
    ("“对”。", C, "对 as the clause", "strip"),
    ("【正确】", C, "正确", "strip"),
    ("1. 正确", C, "正确", "strip"),
    ("1、错误", I, "错误", "strip"),
    ("（1）错误", I, "错误", "strip"),
    ("- 正确", C, "正确", "strip"),
    ("① 正确", C, "正确", "strip"),
    ("**正确**", N, "nothing", "ours: markup is strict-2's"),
    ("回答：错误", I, "错误", "strip"),
    ("答案：正确", C, "正确", "strip"),
    ("答案是：正确", C, "正确", "strip"),
    ("回答: “不正确”", I, "不正确", "strip"),
    ("答案不正确", I, "不正确", "strip"),
    ("答案：对", C, "对 as the clause", "strip"),
    ("", N, "empty", "nothing found"),
    (" \n\t", N, "empty", "nothing found"),
    ("。正确", N, "nothing", "ours: an empty first clause"),
    ("“”", N, "nothing", "nothing found"),
    ("yes", N, "nothing", "nothing found"),
    ("正確", N, "nothing", "ours: the rule is for simplified characters"),
    ("正 确", N, "nothing", "nothing found"),
    ("𠀀正确", C, "正确", "end"),
    ("😀错误", I, "错误", "end"),
]
SIDES = (FACTUAL, ClaimSide(counterfactual=True, focus="\x00"))


@pytest.mark.parametrize(("text", "answer", "rule", "source"), TABLE)
def test_table(text, answer, rule, source):
    for side in SIDES:
        found = sdak_strict.read(text, side)
        assert (found.value, found.rule) == (answer, rule), source


def test_the_table_covers_every_word():
    rules = {rule.split(" ")[0] for _, _, rule, _ in TABLE}
    words = {
        *sdak_strict.CORRECT_WORDS,
        *sdak_strict.INCORRECT_WORDS,
        *sdak_strict.CORRECT_CLAUSES,
        *sdak_strict.INCORRECT_CLAUSES,
    }
    assert words <= rules
    assert len(TABLE) >= 70
    assert len({text for text, *_ in TABLE}) == len(TABLE)
    assert all(any(hedge in text for text, _, rule, _ in TABLE if rule == "hedge") for hedge in sdak_strict.HEDGES[:9])


@pytest.mark.parametrize("word", sdak_strict.HEDGES)
@pytest.mark.parametrize("verdict", ["正确", "属实", "无误", "准确"])
def test_a_hedge_is_no_answer(word, verdict):
    for text in (f"{word}{verdict}", f"说法{word}{verdict}的"):
        assert sdak_strict.read(text, FACTUAL).value is None


WORDS = (
    *sdak_strict.CORRECT_WORDS,
    *sdak_strict.INCORRECT_WORDS,
    *sdak_strict.CORRECT_CLAUSES,
    *sdak_strict.INCORRECT_CLAUSES,
    *sdak_strict.HEDGES,
    *(
        "没有",
        "没",
        "不",
        "非",
        "并非",
        "说",
        "的说法",
        "了",
        "因为",
        "。",
        "，",
        "\n",
        " ",
        "“",
        "”",
        "1.",
        "- ",
        "𠀀",
        "：",
        "？",
    ),
)
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map("".join) | st.text(max_size=20)
PADDING = st.lists(
    st.sampled_from([" ", "\n", "\t", "\u3000", "“", "”", '"', "'", "「", "1. ", "2、", "（3）", "- ", "* ", "①"]),
    max_size=5,
).map("".join)
LABELS = st.sampled_from(["", "回答：", "答案：", "答案: ", "回答是：", "答案为："])


@settings(max_examples=300, deadline=None)
@given(text=st.text() | TEXTS)
def test_any_text_is_read(text):
    for side in (FACTUAL, ClaimSide(counterfactual=True, focus="正")):
        found = sdak_strict.read(text, side)
        assert found.value in {C, I, N}
        assert found.rule


@settings(max_examples=400, deadline=None)
@given(before=PADDING, label=LABELS, between=PADDING, text=TEXTS)
def test_padding_does_not_change_the_answer(before, label, between, text):
    padded = sdak_strict.read(before + label + between + text, FACTUAL)
    assert padded.value == sdak_strict.read(text, FACTUAL).value


@settings(max_examples=400, deadline=None)
@given(before=PADDING, label=LABELS, text=TEXTS)
def test_the_longest_word_decides(before, label, text):
    assert sdak_strict.read(f"{before}{label}不正确{text}", FACTUAL).value != C
    assert sdak_strict.read(f"{before}{label}没有错误{text}", FACTUAL).value != I


@settings(max_examples=200, deadline=None)
@given(text=TEXTS, rest=st.text())
def test_what_follows_the_first_clause_does_not_matter(text, rest):
    answer = sdak_strict.read(text + "。", FACTUAL)
    assert sdak_strict.read(text + "。" + rest, FACTUAL).value == answer.value


@pytest.mark.parametrize(
    "piece", [" ", '"', "“", "不", "1.", "正确", "-", "- ", "答案：", "\n", "正确，", "甲，", "“甲", "甲「"]
)
@pytest.mark.parametrize("start", ["", "正确。甲"])
@pytest.mark.usefixtures("a_minute_at_most")
def test_two_million_characters_are_gone_through(piece, start):
    text = start + piece * (2_000_000 // len(piece))
    sdak_strict.read(text, counterfactual_side("乙有甲", "乙没有甲", "甲"))


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("正确。乙的病因包括甲。", RESTATES),
        ("正确。乙的病因不包括甲。", None),
        ("正确。乙有别的病因。", None),
        ("正确。“乙的病因包括甲”。", None),  # a quote is the claim, not its reason
        ("正确。“乙的病因包括甲。", RESTATES),  # nothing closes it
        ("甲正确", None),  # a bare verdict
        ("错误。乙的病因包括甲。", None),
        ("正确。乙的病因包括甲，不同于丙。", RESTATES),
    ],
)
def test_the_reason_is_noted_on_counterfactual_claims(text, note):
    """Source: the heuristic's docstring."""
    side = counterfactual_side("乙的病因包括甲", "乙的病因不包括甲", "甲")
    assert sdak_strict.read(text, side).note == note
    assert sdak_strict.read(text, FACTUAL).note is None


NEGATED = (
    "没有明显错误 该说法没有明显错误 不存在错误 未发现错误 看不出错误 没有原则性错误 无明显不正确 没有哪里不对 "
    "不全是错误 不见得错误 谈不上错误 不会错误 不见得正确 未见得正确"
)
PLAIN = "非常正确 非常正确的说法 没问题正确 不孕症遗传正确 非处方药正确 不良反应正确"


@pytest.mark.parametrize("text", NEGATED.split())
def test_a_negated_verdict_is_never_an_answer(text):
    """Source: "a negated I-word is none with the rule negation", wherever in the clause the negation stands."""
    found = sdak_strict.read(text + "。", FACTUAL)
    assert (found.value, found.rule) == (None, "negation")


@pytest.mark.parametrize("text", PLAIN.split())
def test_a_negation_character_inside_another_word_negates_nothing(text):
    assert sdak_strict.read(text + "。", FACTUAL).value == "correct"
