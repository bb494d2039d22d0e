"""Each pattern of TCMD's extraction: a text that it matches, one that it does not, and that it takes one pass."""

from __future__ import annotations

import re
from importlib import import_module
from inspect import getsource
from re import _constants, _parser

import pytest

MODULES = (
    "preparation",
    "option_wordings",
    "option_texts",
    "next_question",
    "option_labels",
    "tcmd_choice",
    "tcmd_lines",
    "tcmd_numbers",
    "tcmd_question",
    "tcmd_groups",
    "tcmd_strict",
)
# Where it is looked for ("search" anywhere, "match" at the beginning, "fullmatch" all), a text with it, one without.
PATTERNS = {
    "preparation.THINKING": ("search", "</Think>", "think>"),
    "preparation.UNUSUAL": ("search", "Ｃ", "答案：C。"),
    "preparation.TURN": ("search", "C<|im_end|>", "【解析】外寒里饮<eoe>"),
    "preparation.MARKUP": ("search", "C<eoa>", "<answer>"),
    "preparation.NEXT_QUESTION": ("search", "C\n\n题目：麻黄汤", "根据题目：麻黄汤"),
    "option_wordings.OPENS_A_LINE": ("search", "C\n回", "问"),
    "option_wordings.MARKER": ("search", "答案应该是", "小青龙汤"),
    "option_wordings.DENIED_BETWEEN": ("search", "应不是", "应该是"),
    "option_wordings.CHOSEN_BETWEEN": ("search", "应选", "选项"),
    "option_wordings.LABEL": ("match", "C。", "CT"),
    "option_wordings.SPECIES": ("match", ". coli", ". 小青龙汤"),
    "option_wordings.ARTICLE": ("match", " patient", " because"),
    "option_wordings.AFTER_STRONG": ("match", "项", "级医院"),
    "option_wordings.AFTER_WEAK": ("match", "。", "是"),
    "option_wordings.AFTER_CONCLUSION": ("match", "。", "，"),
    "option_wordings.DENIED_BEFORE": ("search", "不应", "不得不"),
    "option_wordings.SUPPOSED_IN_SENTENCE": ("search", "若有汗，", "若有汗，选A；无汗"),
    "option_wordings.SUPPOSED_IN_CLAUSE": ("search", "为什么", "有人选A，其实"),
    "option_wordings.MISTAKEN_BEFORE": ("search", "考生易", "考生应"),
    "option_wordings.EXAMPLE_BEFORE": ("search", "格式为“", "本题的"),
    "option_wordings.EXAMPLE_AFTER": ("match", "”的格式", "”。"),
    "option_wordings.DENIED_AFTER": ("match", "是错误的", "是因为"),
    "option_wordings.CONCLUDES": ("search", "再看脉象，应", "所以选A。表实者"),
    "option_wordings.OTHERS_ANSWER": ("search", "您的", "您的证候"),
    "option_wordings.MORE_LABELS": ("match", "、B和C", "、CT"),
    "option_wordings.CLOSE_JOIN": ("match", "或", "，"),
    "option_wordings.LIST_ENDS": ("match", "。", "错"),
    "option_wordings.QUALIFIED": ("search", "C为本题正确", "A和C是正确"),
    "option_wordings.ASKED": ("match", "吗", "。"),
    "option_wordings.CONCLUDED": ("search", "因此，C项正确。", "因此，C项正确，D项错误。"),
    "option_texts.PROSE": ("fullmatch", "小青龙汤", "B超"),
    "option_texts.READS_AS_LABELS": ("fullmatch", "A和B", "A型"),
    "tcmd_lines.BARE": ("fullmatch", "（C）。", "C级"),
    "tcmd_lines.COMPACT": ("fullmatch", "1.A 2.C", "1.A 2.不知"),
    "tcmd_lines.COMPACT_PAIR": ("search", "2、C", "2次"),
    "tcmd_lines.LINE": ("match", "C. 小青龙汤", "CT检查"),
    "tcmd_lines.BULLET": ("match", "1. 小青龙汤", "1次"),
    "tcmd_lines.AFFIRMED": ("fullmatch", "是正确的。", "是错误的。"),
    "tcmd_lines.JUDGED": ("match", "不对", "本证外寒里饮"),
    "tcmd_lines.EXPLAINED": ("match", "因为外寒里饮", "主治外寒里饮"),
    "tcmd_lines.REJECTED": ("match", "（×）", "，外寒里饮"),
    "tcmd_lines.WRONG_ONES": ("search", "错误选项：", "选项："),
    "tcmd_lines.CONCLUDING_LINE": ("search", "正确答案：", "解析："),
    "tcmd_lines.STOPS": ("match", "。", "."),
    "tcmd_lines.GOES_ON": ("match", "（外寒里饮）", "：主治外寒里饮"),
    "tcmd_lines.SENTENCE_ENDS": ("match", "。", "，"),
    "tcmd_lines.TEXT_FIRST": ("fullmatch", "小青龙汤（C）", "小青龙汤C"),
    "tcmd_numbers.NUMBERED": ("search", "第一题选A", "CYP3A"),
    "tcmd_numbers.NUMBER": ("search", "②", "A"),
    "tcmd_numbers.COMMITTED_BETWEEN": ("search", "应选", "选项"),
    "tcmd_numbers.AFTER_NUMBERED": ("match", " ", "型"),
    "tcmd_numbers.PAIR_ENDS": ("match", "）；", "：主治"),
    "tcmd_numbers.PAIRS_GO_ON": ("match", " 2.", "，主治"),
    "tcmd_numbers.PROSE": ("match", "主治", "2.C"),
    "tcmd_numbers.REMARKS": ("match", "：", "，"),
    "tcmd_numbers.CROSSED": ("match", "×", "√"),
    "tcmd_numbers.CALLED_WRONG": ("match", "（不对）", "错杂"),
    "tcmd_numbers.WORD_BEFORE": ("match", "级", "为"),
    "next_question.COMMITTED": ("search", "外寒里饮。答案：C", "外寒里饮，选项C"),
    "next_question.HEADER": ("search", "C\n第2题：", "C\n按题干所述"),
    "next_question.BLOCK": ("search", "\nA. 三仁汤\nB. 白虎汤\n", "\nA. 三仁汤\nC. 白虎汤\n"),
    "next_question.ANSWERED": ("search", "答案：B", "外寒里饮"),
    "tcmd_question.OPENS": ("fullmatch", "是：“", "应为"),
    "tcmd_question.SETS_OFF": ("fullmatch", ". ", "，"),
    "tcmd_question.LABEL_AFTER": ("match", "（C）", "（CT）"),
    "tcmd_question.CONCLUDING": ("search", "因此，本题应", "太阳伤寒"),
    "tcmd_groups.HEAD": ("search", "。2、", "1.5"),
    "tcmd_groups.TITLED": ("fullmatch", "辨证：A", "不是A"),
    "tcmd_groups.WRONG_TITLE": ("search", "错误：A", "治法：A"),
    "tcmd_groups.WEIGHED": ("fullmatch", "A错，B对。", "A错，B错。"),
    "tcmd_groups.EXCLUDED": ("search", "（而非1.A 2.C）", "非2型糖尿病"),
    "tcmd_groups.NEXT": ("search", "\n3. 下列", "\n3.C"),
    "tcmd_groups.OPENS_A_LINE": ("search", "。\n故最终", "第1题的"),
    "tcmd_groups.SENTENCE": ("search", "。", "，"),
    "tcmd_groups.LINE_ENDS": ("search", "；", "，"),
    "tcmd_groups.COUNTS": ("search", "第1题", "(1)"),
    "tcmd_groups.RANGE": ("search", "1～3 ACB", "2～3次"),
    "tcmd_groups.FORM": ("search", "“1.A 2.C”的格式", "“1.A 2.C”"),
    "tcmd_strict.COLON": ("search", "解：桂枝汤", "桂枝汤"),
    "tcmd_strict.PLAIN": ("match", "答案：C。本证", "答案：C级"),
    "tcmd_strict.MORE": ("search", "选", "本证外寒里饮"),
    "tcmd_strict.CLOSING": ("search", "本证外寒里饮，故选C。", "若选C。"),
    "tcmd_strict.QUOTED": ("search", "例如", "本证外寒里饮"),
    "tcmd_strict.PAIRS": ("match", "1.A 2.C 3.B", "1.A 2.C D"),
}


def _patterns():
    for module in MODULES:
        home = import_module(f"medzh_score.extraction.{module}")
        source = getsource(home)
        for name, value in vars(home).items():
            if isinstance(value, re.Pattern) and f"\n{name} = " in source:
                yield f"{module}.{name}", value


FOUND = dict(_patterns())


def test_every_pattern_is_in_the_table():
    assert set(PATTERNS) == set(FOUND)


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_matches_what_it_should_and_no_more(name):
    how, matching, other = PATTERNS[name]
    find = getattr(FOUND[name], how)
    assert find(matching)
    assert not find(other)


def _parsed(pattern):
    return _parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)


def _unbounded(tree, *, inside):
    """Yield the repeats without an upper bound that stand in a repeat without one that may give back what it took."""
    for operator, argument in tree:
        repeats = operator in {_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT}
        endless = repeats and argument[1] == _constants.MAXREPEAT
        if endless and inside:
            yield operator
        gives_back = endless and operator is not _constants.POSSESSIVE_REPEAT
        for part in argument if isinstance(argument, tuple | list) else (argument,):
            for branch in part if isinstance(part, list) else (part,):
                if hasattr(branch, "data"):
                    yield from _unbounded(branch, inside=inside or gives_back)


@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_tries_the_same_repeats_again_and_again(name):
    assert not list(_unbounded(_parsed(FOUND[name]), inside=False))


@pytest.mark.parametrize("pattern", [r"(?:a+)+b", r"(?:a*b?)*c", r"(?:x|(?:a+))*b"])
def test_the_check_finds_nested_repeats(pattern):
    assert list(_unbounded(_parsed(re.compile(pattern)), inside=False))
