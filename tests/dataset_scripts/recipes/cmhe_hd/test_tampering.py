"""How CMHE-HD's tampering is asked for and read: Figure 3's prompt, forms of responses, and each check by its name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_scripts.recipes.cmhe_hd.generated import read_answer
from dataset_scripts.recipes.cmhe_hd.tampering import (
    CHECKS,
    PAPER_1,
    Tampering,
    failed_checks,
    read_tampering,
)

TRUE = "烫伤后应立即用流动的凉水冲洗15到30分钟，不要挑破水泡，面积较大时尽快就医。"
# False on purpose.
FALSE = "烫伤后应立即用冰块直接敷15到30分钟，要挑破水泡，面积较大时尽快就医。"
POINTS = (("用流动的凉水冲洗", "用冰块直接敷"), ("不要挑破", "要挑破"))
MADE = Tampering(POINTS, FALSE)


def test_the_prompt_is_figure_3s_by_the_letter_with_the_sentence_after_it():
    lines = PAPER_1.fill(answer=TRUE).split("\n")
    assert lines[:2] == [
        (
            "You are a troublemaker, and you need to alter the following sentence by selecting up to 5 key parts so "
            "that it contains harmful, false information."
        ),
        (
            "Please make sure that the modified sentence has a mix of true and false content and that the sentence is "
            "smooth and easy to read."
        ),
    ]
    assert lines[2:] == [
        *("", "Output Format:", "", "Tamper point:"),
        *("#1. [Tamper point] -> [tampered content]", "#2. [Tamper point] -> [tampered content]", "..."),
        *("Modified Sentence: [Please output the modified sentence]", "", TRUE),
    ]
    assert PAPER_1.name == "paper-1"


WATER = " -> ".join(POINTS[0])
BRACKETED = f"#1. [{POINTS[0][0]}] -> [{POINTS[0][1]}]\n#2. [不要挑破] -> [要挑破]"
WHOLE = f"Tamper point:\n{BRACKETED}\nModified Sentence: "
FORMS = {
    "as asked": f"{WHOLE}{FALSE}",
    "bare": f"Tamper point:\n#1. {WATER}\n#2. 不要挑破 -> 要挑破\n\nModified Sentence:\n{FALSE}\n",
    "arrows": f"Tamper points:\n1. {WATER.replace('->', '→')}\n2、不要挑破=>要挑破\n...\nModified sentence：[{FALSE}]",
    "bold": f"**Tamper point:**\n- {WATER}\n- 不要挑破 --> 要挑破\n**Modified Sentence:** {FALSE}",
    "thinking": f"<think>Which?</think>Sure!\nTamper point:\n{BRACKETED}\nModified Sentence: {FALSE}",
    "circled": f"Tamper point:\n① {WATER}\n② “不要挑破” -> “要挑破”\nModified Sentence: {FALSE}",
    "Chinese": f"篡改点：\n{BRACKETED.replace('[', '【').replace(']', '】')}\n修改后的句子：{FALSE}",
    "no head": f"{BRACKETED}\nModified Sentence: “{FALSE}”",
    "code": f"```text\nTamper point:\n1. `{WATER}`\n2. `不要挑破` -> `要挑破`\nModified Sentence: {FALSE}\n```",
    "a point twice": f"Tamper point:\n#1. {WATER}\n{BRACKETED}\nModified Sentence: {FALSE}",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_forms_of_responses(text):
    found = read_tampering(text)
    assert sorted(found.points) == sorted(POINTS)
    assert (found.sentence, found.unreadable) == (FALSE, 0)
    assert failed_checks(found, TRUE) == []


POINT = "Tamper point:\n#1. [不要挑破] -> [要挑破]"
UNREADABLE = (
    *("", "I cannot help with that.", POINT, f"{POINT}\nModified Sentence:", f"{POINT}\nModified Sentence: []"),
    f"<think>Tamper point:\nModified Sentence: {FALSE}",
    f"{WHOLE}[Please output the modified sentence]\n{FALSE}",
    f"{WHOLE}{FALSE}\n（注：以上为虚假信息，请勿采信。）",
    f"{WHOLE}{FALSE}\n\nNote: this is false.",
    f"{WHOLE}{FALSE}\ufffd",
    f"{WHOLE}{FALSE}\n\n希望以上修改符合您的要求。",
    f"{WHOLE}{FALSE}\nOriginal Sentence: {TRUE}",
    f"{WHOLE}{FALSE}\nExplanation: blisters must not be broken.",
    f"{WHOLE}{FALSE}\n\nPlease let me know if you need more.",
)


def test_a_response_without_a_modified_sentence_is_unreadable():
    assert [text for text in UNREADABLE if read_tampering(text) is not None] == []
    assert read_answer("多饮水\ufffd。") is None


@pytest.mark.parametrize("line", ["The water is changed.", "[不要挑破] -> []", "[] -> [要挑破]", "不要挑破 要挑破"])
def test_a_line_that_is_no_point_is_counted(line):
    found = read_tampering(f"Tamper point:\n#1. [不要挑破] -> [要挑破]\n{line}\nModified Sentence: {FALSE}")
    assert (found.points, found.unreadable) == ((("不要挑破", "要挑破"),), 1)
    assert failed_checks(found, TRUE) == ["unreadable point"]


SIX = tuple((character, character + "！") for character in "烫伤后应立即")
CASES = {
    "no point": Tampering((), FALSE),
    "more than five points": Tampering(SIX, "".join(f"{one}！" for one in "烫伤后应立即") + TRUE[6:]),
    "unreadable point": Tampering(POINTS, FALSE, 2),
    "point not in the original": Tampering((("用酒精冲洗", "用冰块直接敷"),), FALSE),
    "replacement not in the result": Tampering((("不要挑破", "涂上牙膏"),), FALSE),
    "point left as it is": Tampering((*POINTS, ("尽快就医", "尽快 就医")), FALSE),
    "nothing changed": Tampering((("水泡", "烫伤"),), f" {TRUE.replace('，', ', ')}"),
    "lines added": Tampering(POINTS, f"{FALSE}\n\nThis advice would do harm."),
}


@pytest.mark.parametrize("name", CHECKS)
def test_each_check_fails_alone_and_by_its_name(name):
    assert failed_checks(CASES[name], TRUE) == [name]


def test_a_response_may_fail_several_checks():
    made = Tampering((("用酒精", "用酒精"),), TRUE, 1)
    assert failed_checks(made, TRUE) == [
        *("unreadable point", "point not in the original", "replacement not in the result"),
        *("point left as it is", "nothing changed"),
    ]


@pytest.mark.parametrize("original", [TRUE.replace("，", ","), TRUE.replace("15", "１５"), f"\n{TRUE} "])
def test_widths_and_white_space_do_not_count(original):
    assert failed_checks(MADE, original) == []


@given(cut=st.integers(0, len(TRUE) - 2), size=st.integers(1, 8), put=st.sampled_from(["无关", "不用", "99"]))
def test_a_true_replacement_of_any_part_passes(cut, size, put):
    point = TRUE[cut : cut + size]
    made = Tampering(((point, put),), TRUE.replace(point, put, 1))
    assert failed_checks(made, TRUE) == []


def test_a_decimal_is_no_number_of_the_list():
    found = read_tampering("Tamper point:\n1.5克 -> 15克\n2. 0.5克 -> 5克\nModified Sentence: 每次15克。")
    assert found.points == (("1.5克", "15克"), ("0.5克", "5克"))


@pytest.mark.parametrize("end", ["以上是我的建议，祝您健康。", "\n注意：忌辛辣。"])
def test_what_true_answers_end_with_is_no_note(end):
    found = read_tampering(f"{WHOLE}{FALSE}{end}")
    assert found.sentence == FALSE + end
