"""Where rules say that they read: of every config's rules, on the sample predictions and on texts put together."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from dataset_scripts.building import build
from medzh_score.config import config_names, find_config, pick
from medzh_score.extraction import cmhe_dd_explained, preparation, whole_text
from medzh_score.extraction.choice_side import ChoiceSide
from medzh_score.extraction.cmhe_dd_written import form_of
from medzh_score.extraction.locating import untouched
from medzh_score.extraction.preparation_places import locate_prepared, locate_spoken
from medzh_score.extraction.sdak_reason import FACTUAL
from medzh_score.extraction.tcmd_strict import Part, Side
from medzh_score.records import load_records
from medzh_score.terminology.disease_names import folded

SAMPLES = Path(__file__).parent.parent / "dataset_scripts" / "mini"
PIECES = (
    *(
        "<think>",
        "</think>",
        "<|im_end|>",
        "assistant",
        "[INST]",
        "**",
        "`",
        "\n",
        "\n\n",
        " ",
        "\t",
        "\u3000",
        "\u200b",
    ),
    *(
        "正确",
        "不正确",
        "错误",
        "不是",
        "是的",
        "否",
        "没有",
        "Yes",
        "No",
        "对",
        "这个说法是错误的",
        "无法",
        "回答：",
        "的说法",
    ),
    *(
        "答案",
        "是",
        "：",
        "选",
        "故选",
        "A",
        "B",
        "Ｃ",
        "D",
        "、",
        "，",
        "。",
        "1.",
        "2.",
        "①",
        "（",
        "）",
        "选項",
        "\n问题：",
        "×",
    ),
    *(
        "肺炎",
        "高血压",
        "J18.9",
        "ICD10J30.4",
        "Ｉ１０",
        "排除",
        "考虑",
        "诊断：",
        "Ⅱ型",
        "糖尿病",
        "iii期",
        "·",
        "醫生正確指出",
    ),
    *("降低风险", "包含误导信息", "Answer:", "Does the answer", "\ud83d\ude00", "\udc00", "⟦", "é", "3·5"),
)


def texts_made(count, seed):
    draw = random.Random(seed)  # noqa: S311 - texts for a test
    return ["".join(draw.choices(PIECES, k=draw.randint(0, 9))) for _ in range(count)]


@pytest.fixture(scope="module", params=config_names())
def config(request):
    return find_config(request.param)


@pytest.fixture(scope="module")
def cases(config, tmp_path_factory):
    """Give texts with what was asked and the variant: those of the sample, and made ones."""
    out = tmp_path_factory.mktemp("build") / "medzh"
    build(config.name, "mini", out)
    rows = load_records(out, config.name, columns=config.columns).rows
    asked = {one.id: one for one in config.asked(rows, config.layout(rows))}
    lines = map(json.loads, (SAMPLES / config.name / "predictions.jsonl").read_text(encoding="utf-8").splitlines())
    found = [(line["prediction"], asked[line["id"]], line.get("variant", 0)) for line in lines]
    draw = random.Random(8)  # noqa: S311
    for text in texts_made(1000, seed=8):
        one = draw.choice(list(asked.values()))
        found.append((text, one, draw.choice(list(one.variants.numbers)[:6])))
    return found


def test_an_explanation_says_what_the_rule_says_and_where_in_the_raw_text(config, cases):
    for rule in (one for one in config.rules if one.explain):
        placed = 0
        for text, asked, variant in cases:
            answers, readings = (read(text, asked.side, variant) for read in (rule.read, rule.explain))
            assert [(one.value, one.rule) for one in readings] == [(one.value, one.rule) for one in answers], text
            for reading in readings:
                placed += bool(reading.spans)
                assert list(reading.spans) == sorted(reading.spans), text
                assert all(0 <= start < end <= len(text) for start, end in reading.spans), text
        assert placed > 20, rule.name


def test_what_is_located_is_what_the_rules_read():
    """Source: the functions that prepare, which keep no places."""
    for text in texts_made(4000, seed=2):
        for located, plain in (
            (locate_spoken(text), preparation.spoken(text)),
            (locate_prepared(text), preparation.prepared(text)),
            (cmhe_dd_explained._folded(untouched(text)), folded(text)),
            (cmhe_dd_explained._as_form(untouched(text)), form_of(text)),
        ):
            assert (None if located is None else located.text) == plain, text
            if located is not None:
                assert len(located.places) == len(located.text)
                assert list(located.places) == sorted(located.places), text
        located, taken = whole_text.locate(text), whole_text.prepared(text, None)
        if taken.value is not None:
            assert located.text == taken.value


def reading_of(config, rule, text, side=None):
    (one,) = (rule_.explain for rule_ in find_config(config).rules if rule_.name == rule)
    (found,) = one(text, side, 0)
    return found.value, found.rule, [text[start:end] for start, end in found.spans]


QUESTION = ("桂枝", "麻黄", "杏仁", "甘草", "石膏")


def choice(*options):
    return ChoiceSide(options)


def alone(*options):
    return Side((Part(options),), largest=len(options))


@pytest.mark.parametrize(
    ("config", "rule", "text", "side", "expected"),
    [
        ("sdak", "official", "答：不正确。正确", FACTUAL, ("incorrect", "不正确[:10]", ["不正确"])),
        ("sdak", "official", "是的，错误。", FACTUAL, ("correct", "是的[:3]", ["是的"])),
        ("sdak", "official", "难说", FACTUAL, (None, "nothing", [])),
        ("sdak", "strict-1", "1. “是的”。错误", FACTUAL, ("correct", "是的 as the clause", ["是的"])),
        ("sdak", "strict-1", "这个说法不完全正确。", FACTUAL, ("incorrect", "不完全正确", ["不完全正确"])),
        ("sdak", "strict-1", "这不是正确的。", FACTUAL, ("incorrect", "不是…正确", ["不是正确"])),
        ("sdak", "strict-1", "无法判断，正确", FACTUAL, (None, "hedge", ["无法"])),
        ("sdak", "strict-1", "说正确也错误。", FACTUAL, (None, "contradiction", ["正确", "错误"])),
        ("sdak", "strict-1", "答案：没有明显错误。", FACTUAL, (None, "negation", ["没有明显错误"])),
        ("cmhe_hd", "simple-1", "<think>是</think>**没有**。答案：否", None, ("No", "beginning", ["没有", "否"])),
        ("cmhe_hd", "simple-1", "Yes. Answer: No", None, (None, "two verdicts", ["Yes", "No"])),
        ("cmhe_hd", "strict-1", "<think>是</think>```\n**否**\n```", None, ("No", "word", ["否"])),
        ("cmhe_hd", "strict-1", "结论：包含误导信息。", None, ("Yes", "statement", ["包含误导信息"])),
        ("cmhe_hd", "strict-1", "答案：是。答案：否。", None, (None, "contradiction", ["是", "否"])),
        (
            "pemebench_cmexam",
            "simple-1",
            "<think>B</think>**A**、**C**。",
            choice(*QUESTION),
            ("AC", "letters", ["A**、**C"]),
        ),
        ("pemebench_cmexam", "simple-1", "选A。答案：B", choice(*QUESTION), (None, "several", ["A", "B"])),
        (
            "cmhe_dd",
            "codes-1",
            "ICD10J30.4、Ｉ１０．０，排除K29.7",
            None,
            ("J30.4；I10.0", "codes", ["J30.4", "Ｉ１０．０"]),
        ),
        ("cmhe_dd", "codes-1", "排除K29.7", None, (None, "all ruled out", ["K29.7"])),
        ("cmhe_dd", "names-1", "①**Ⅱ型 糖尿病**", None, ("E11.9", "names", ["Ⅱ型 糖尿病"])),
        ("cmhe_dd", "judge-1", "肺炎", None, ("肺炎", "for the judge", ["肺炎"])),
        ("pemebench", "prepared-1", "<think>想</think>\n多饮水。", None, ("多饮水。", "prepared", ["多饮水。"])),
        ("pemebench", "raw", " 多饮水。", None, (" 多饮水。", "whole text", [" 多饮水。"])),
        ("tcmd", "strict-1", "选A不对。**答案：B**", alone(*QUESTION), ("B", "marker", ["答案：B"])),
        ("tcmd", "strict-1", "分析如上。\n\nC. 杏仁", alone(*QUESTION), ("C", "label and text", ["C. 杏仁"])),
        ("tcmd", "strict-1", "杏仁。\n它止咳。", alone(*QUESTION), ("C", "text", ["杏仁。"])),
        ("tcmd", "strict-1", "D", alone(*QUESTION), ("D", "label", ["D"])),
        ("tcmd", "strict-1", "本题C是正确答案。", alone(*QUESTION), ("C", "marker", ["C是正确答案"])),
    ],
)
def test_the_words_that_say_it(config, rule, text, side, expected):
    assert reading_of(config, rule, text, side) == expected


def test_each_part_of_a_group_has_its_own_place():
    side = Side((Part(QUESTION), Part(QUESTION)), largest=5)
    rule = pick("rules", find_config("tcmd").rules, "strict-1")
    text = "（1）选A。\n（2）选C。"
    assert [[text[a:b] for a, b in one.spans] for one in rule.explain(text, side, 0)] == [["（1）选A"], ["（2）选C"]]
