"""Which mentions a diagnosis rules out or names without offering them, in one table for names and for codes."""

from __future__ import annotations

import re

import pytest

from medzh_score.extraction.cmhe_dd_codes import codes_in
from medzh_score.extraction.cmhe_dd_ruled_out import ruled_out, said

NAMED = re.compile(r"肺炎|肺结核|肺癌|高血压|糖尿病|[A-Z][0-9]{2}\.[0-9]")

# A text in which {…} is in and <…> is out.
TEXTS = [
    # Not ruled out after all.
    "{肺癌}不除外",
    "{肺癌}不能除外",
    "{肺癌}不排除",
    "{肺癌}、{肺结核}均不能排除",
    "尚不能完全除外{肺癌}",
    "尚难排除{肺癌}",
    "{肺癌}待排,<肺结核>可能性小",
    "{肺癌}(待除外)",
    "{肺炎},{肺癌}不除外",
    "{肺炎}不除外{肺癌}",
    # Said of the neighbour.
    "{肺炎}(排除<肺结核>)",
    "{肺炎}[不考虑<肺癌>]",
    "{肺炎}排除<肺结核>",
    "{肺炎} 排除:<肺结核>",
    "{肺炎}、排除<肺结核>",
    "1. {肺炎} 2. 排除<肺结核> 3. {高血压}",
    "(1){肺炎}:支持(2)<肺结核>:不支持",
    "一、{肺炎}二、不考虑<肺结核>",
    "不考虑<肺结核>(<肺癌>可能性小)。{肺炎}",
    "发热(不考虑<肺癌>){肺炎}",
    "<肺结核>已排除;{肺炎}",
    "不支持<肺结核>\n{肺炎}",
    # Sections, and what ends them.
    "{肺炎}\n鉴别诊断:\n1. <肺结核>:盗汗\n2. <肺癌>:消瘦\n综上所述,诊断为{肺炎}",
    "鉴别诊断:<肺结核>、<肺癌>。因此诊断{肺炎}",
    "**鉴别诊断**\n\n- <肺结核>\n- <肺癌>\n\n{肺炎}",
    "## 鉴别诊断\n<肺结核>\n## 诊断\n{肺炎}",
    "【鉴别诊断】<肺结核>【诊断】{肺炎}",
    "【鉴别诊断】<肺结核>\n答案:{肺炎}",
    "鉴别诊断\n(1)<肺结核>\n(2)<肺癌>\n最后诊断:{肺炎}",
    "需要排除:\n1. <肺结核>\n2. <肺癌>\n最可能的诊断:{肺炎}",
    "不太可能的疾病:\n<肺结核>",
    "{肺炎}\n治疗:抗感染,防止<肺癌>\n",
    "既往史:<高血压>10年,<糖尿病>5年。诊断:{肺炎}",
    "家族史:<糖尿病>\n诊断:{肺炎}",
    # History and family.
    "既往<高血压>病史,诊断{肺炎}",
    "<高血压>10年,<糖尿病>史5年,考虑{肺炎}",
    "父亲患<糖尿病>,考虑{肺炎}",
    "其母有<糖尿病>史",
    "曾患<肺结核>,现为{肺炎}",
    "3年前诊断为<肺结核>,本次考虑{肺炎}",
    "您母亲可能是{肺炎}",
    # Other words.
    "无<肺结核>证据",
    "目前尚无<肺癌>的依据",
    "没有证据提示<肺结核>",
    "未见<肺癌>征象",
    "<肺癌>可排除",
    "<肺癌>可除外,{肺炎}",
    "暂不考虑<肺结核>",
    "与<肺结核>不符,支持{肺炎}",
    "<肺结核>诊断不成立,{肺炎}诊断成立",
    "<肺癌>依据不足",
    "<肺癌>可能性不大",
    "<肺癌>不大可能",
    "{肺炎}≠<肺结核>",
    "{肺炎}✅ <肺癌>❌",
    "不是<肺结核>而是{肺炎}",
    "与其说是<肺结核>,不如说是{肺炎}",
    "是{肺炎}不是<肺结核>",
    "如果是<肺结核>,应考虑<肺癌>;本例{肺炎}",
    "{肺炎},警惕<肺癌>",
    "{肺炎},可并发<肺癌>",
    "<高血压>等危险因素,考虑{肺炎}",
    "<肺结核>:痰检阴性,不支持\n{肺炎}",
    "<肺结核>、<肺癌>有低热,均可排除",
    "需与<肺结核>(低热、盗汗)、<肺癌>(消瘦)相鉴别",
    "诊断{肺炎}。<肺结核>多有盗汗",
    "{肺炎}常见于儿童",  # it describes the only one that it names
    # English.
    "{肺炎} rather than <肺结核>",
    "Diagnosis: {肺炎}. Rule out <肺结核>.",
    "{肺炎}. <肺癌> is unlikely.",
    "No evidence of <肺癌>; {肺炎} is likely",
    "{肺炎}; <肺癌> has been ruled out.",
    "{肺炎} cannot be ruled out",
    # Tables.
    "|疾病|结论|\n|---|---|\n|{肺炎}|最可能|\n|<肺结核>|排除|\n|<肺癌>|可能性低|",
    "{肺炎}\n|鉴别诊断|要点|\n|---|---|\n|<肺结核>|盗汗|",
    "|诊断|依据|\n|---|---|\n|{肺炎}|发热,<高血压>|",
    "|诊断|{肺炎}|\n|---|---|\n|鉴别诊断|<肺结核>|",
    # Traditional characters and full width.
    "診斷：{肺炎}，排除<肺癌>",
    "鑑別診斷：<肺癌>",
    "｛肺炎｝",
]  # fmt: skip


def read(marked):
    text = re.sub(r"[{}<>]", "", marked)
    wanted, place = [], 0
    for found in re.finditer(r"[{}<>]|[^{}<>]+", marked):
        if found[0] in "{<":
            wanted.append((place, found[0] == "<"))
        elif found[0] not in "}>":
            place += len(found[0])
    return text, wanted


@pytest.mark.parametrize("marked", TEXTS)
def test_names_that_a_text_rules_out(marked):
    text, wanted = read(marked)
    spans = [found.span() for found in NAMED.finditer(text)]
    if wanted:
        assert [start for start, _ in spans] == [start for start, _ in wanted]
        assert ruled_out(text, spans) == [out for _, out in wanted]


CODES = {"肺炎": "J18.9", "肺结核": "A16.2", "肺癌": "C34.9", "高血压": "I10.0", "糖尿病": "E14.9"}
PLAIN = [text for text in TEXTS if "|" not in text and "母亲" not in text]


@pytest.mark.parametrize("marked", PLAIN)
def test_codes_behind_the_names_share_their_lot(marked):
    text, wanted = read(marked)
    for name in sorted(CODES, key=len, reverse=True):
        text = text.replace(name, f"{name}({CODES[name]})")
    spans = [found.span() for found in re.finditer(r"[A-Z][0-9]{2}\.[0-9]", text)]
    if wanted:
        assert ruled_out(text, spans) == [out for _, out in wanted]


def test_codes_are_asked_by_the_same_words():
    assert codes_in("肺癌（C34.9）不除外，排除 A16.2。既往高血压（I10）")[0] == ["C34.9"]


def test_what_is_offered_is_told_from_what_is_only_mentioned():
    text = "患者高血压,考虑肺炎,合并糖尿病,排除肺癌。\n1. 肺结核\n"
    spans = [found.span() for found in NAMED.finditer(text)]
    assert said(text, spans) == ["plain", "offered", "offered", "out", "offered"]


def test_no_mention_is_no_answer():
    assert ruled_out("排除肺炎", []) == []
    assert said("", []) == []
