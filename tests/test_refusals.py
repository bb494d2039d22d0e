"""The one detector of refusals, on a table by hand in the manner of real models; what it names is medically true."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medzh_score.extraction.refusals import refused

REFUSED = """\
抱歉，我无法回答这个问题，请咨询专业医生。
对不起，我不能判断该说法是正确还是错误。
很抱歉，我无法判断“链霉素可用于炭疽”这一说法是否正确。建议您咨询医生。
无法判断正确与否。
我无法确定正确答案，A和B都有可能，请咨询医生。
作为一个人工智能语言模型，我无法提供医学诊断。如果您有不适，请及时就医。
作为AI助手，我不具备医学诊断的能力，建议您前往医院就诊。
我不是医生，无法给出诊断。请您尽快就医。
您好，很抱歉，我不能为您提供诊断。
信息不足，无法判断。
题目提供的信息不足，无法作答。
这个问题超出了我的能力范围。
我不知道。
不清楚
不知道答案，抱歉。
难说。
不确定。
我不太确定。
对不起，我没有足够的信息来回答这个问题。
我暂时无法回答您的问题，请换个问题吧。
我拒绝回答。
抱歉，我不便对此发表意见。
对此我无法作出准确的判断，请以医生的意见为准。
没有提供选项，无法选择。
没有提供足够的信息，请补充。
抱歉，我没有听说过这种疾病。
我只是一个语言模型，不能代替医生，无法进行诊断。
I'm sorry, but I can't help with that.
I’m sorry, but I can’t assist with that request.
As an AI language model, I cannot provide medical advice. Please consult a healthcare professional.
I am not able to determine whether the statement is correct or incorrect.
I cannot say whether this is true or false.
I don't know.
I do not have enough information to answer this question.
There is not enough information to answer.
It is impossible to determine the answer.
Sorry, I am unable to diagnose. You should see a doctor.
I'm not sure.
I must decline to answer this question.
抱歉，我无法给出诊断，请咨询医生
"""

ANSWERED = """\
正确。
正确。我无法替代医生，请咨询医生。
错误，链霉素不能用于病毒感染。
不能，孕妇不能服用利巴韦林。
不会。
病因尚不清楚。
该药不能通过血脑屏障。
患者不能入睡，无法集中注意力。
我国患者不能直接买到该药。
我不确定，但应该是正确的。
我不确定，应该选B。
我不确定，可能是肺炎。
我无法确诊，但可能是肺炎。
我无法替代医生，根据描述，诊断为急性阑尾炎。
抱歉，之前说错了。应为错误。
抱歉，答案是B。
虽然我不是医生，但这个说法是错误的。
I am not a doctor, but the statement is false.
I'm not sure, but I think it is correct.
I cannot diagnose you. The most common cause is influenza.
No, it cannot cross the placenta.
No.
B
肺炎
急性阑尾炎。建议您尽快就医。
请咨询医生。
没有错误。
不对，高血压不能根治。
答案：C。信息不足时可再查血常规。
如果您发热，应测体温，答案是B。
否
不是
"""


@pytest.mark.parametrize("text", REFUSED.splitlines())
def test_what_declines_and_says_nothing_else_is_refused(text):
    assert refused(text)


@pytest.mark.parametrize("text", ANSWERED.splitlines())
def test_what_says_anything_is_not_refused(text):
    assert not refused(text)


@settings(max_examples=300, deadline=None)
@given(
    text=st.lists(st.sampled_from([*REFUSED.splitlines(), *ANSWERED.splitlines(), "。", "，", "\n"]), max_size=4).map(
        "".join
    )
)
def test_space_around_a_text_changes_nothing(text):
    assert refused(text) == refused(f"  {text}\n")


@pytest.mark.parametrize("text", ["正确。", "B。", "No. "])
def test_nothing_that_follows_an_answer_makes_it_a_refusal(text):
    assert not any(refused(text + line) for line in REFUSED.splitlines())


@pytest.mark.parametrize(
    "piece", ["我", "无法", "我对", "，", "。", "请", "抱歉", "I ", "cannot ", "没有", "建议", "信息", "but "]
)
@pytest.mark.usefixtures("a_minute_at_most")
def test_a_long_text_is_gone_through(piece):
    refused(piece * (200_000 // len(piece)))
