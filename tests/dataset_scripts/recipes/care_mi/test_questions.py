"""Questions of CARE-MI's rebuilt recipe: by rule, by a model, and never with their answer in them."""

from __future__ import annotations

import pytest
from tables import case_tables, holds

from dataset_scripts.recipes.care_mi.asking import read_tf
from dataset_scripts.recipes.care_mi.interrogatives import interrogative
from dataset_scripts.recipes.care_mi.questions import NOT_PLAIN, ask_open, ask_tf
from dataset_scripts.recipes.care_mi.true_statements import Statement
from dataset_scripts.rounds.pending import AnswersPending
from dataset_scripts.rounds.rounds import Rounds

CASES = case_tables("care_mi_rebuilt")


def statement(text, answer="", context=""):
    return Statement("MEDQA" if answer else "BIOS", text, context, text, answer, ("错",), ("made-up",))


def test_a_plain_statement_is_asked_by_a_word_behind_it():
    def asked(context, text):
        one = statement(text, "x", context)
        return ask_tf([one], Rounds(None), rules_only=True).texts[one]

    rows = [[*given, (question, "tf-append-吗")] for *given, question in CASES["asked_plainly"]]
    holds(rows, asked)


@pytest.mark.parametrize(
    "text",
    [
        "下列哪项是早孕表现停经",
        "何时断奶是一岁",
        "是否妊娠看停经",
        "停经几天是早孕",
        "停经；恶心是早孕",
        "早孕吗是停经",
        "胎动怎样算正常",
    ],
)
def test_a_statement_that_asks_goes_to_a_model(text, tmp_path):
    assert NOT_PLAIN.search(text)
    assert ask_tf([statement(text)], Rounds(None), rules_only=True).left_out == {("BIOS", "a model is needed"): 1}
    with pytest.raises(AnswersPending) as caught:
        ask_tf([statement(text), statement("早孕有停经")], Rounds(tmp_path), rules_only=False)
    assert [due.stage for due in caught.value.stages] == ["tf-questions"]
    sent = (tmp_path / "tf-questions" / "prompts.jsonl").read_text(encoding="utf-8")
    assert sent.count("\n") == 1
    assert f"陈述句：{text}。" in sent


def test_a_models_question_is_read_or_asked_again():
    rows = CASES["questions_read_or_not"]
    holds(rows, lambda said: read_tf(said, "下列属于早孕表现的是停经"))


def test_an_open_question_ends_where_its_answer_begins():
    def asked(context, text, answer):
        one = statement(text, answer, context)
        made = ask_open([one])
        return made.texts, made.left_out

    rows = []
    for context, text, answer, question, rule in CASES["asked_openly_or_not"]:
        texts = {statement(text, answer, context): (question, rule)} if question else {}
        rows.append((context, text, answer, (texts, {} if question else {("MEDQA", rule): 1})))
    holds(rows, asked)


def test_an_open_question_asks_by_what_its_answer_is():
    holds(CASES["interrogatives"], lambda asked, answer, case: interrogative(asked, answer, case=case))


def test_a_statement_that_needs_its_options_is_not_asked_for_either():
    one = statement("属于婴儿期特点的是生长最快", "生长最快")
    made = ask_tf([one], Rounds(None), rules_only=True)
    assert (made.texts, made.left_out) == ({}, {("MEDQA", "the question would need its options"): 1})


def test_no_open_question_is_asked_of_triples():
    made = ask_open([statement("前置胎盘的病因是瘢痕子宫")])
    assert (made.texts, made.left_out) == ({}, {})


ASKED = "什么？"  # the released code's, whatever the answer is


def open_as_released(context, statement):
    """Ask as the released code means to: all up to the last 是 or 为, wherever it stands."""
    text = f"{context}{statement}"
    place = max(text.rfind("是"), text.rfind("为"))
    return f"{text[: place + 1]}{ASKED}" if place >= 0 else ""


def test_the_released_rule_cuts_wherever_the_last_one_stands():
    """metrics.md 3.6, item 9, as its authors meant it."""
    holds(CASES["asked_as_released"], open_as_released)
