"""Masking: tables of mentions and of what is none, and the property that no name is left, against a plain restatement.

Independent source: NFKC and casefold from the standard library, and regular expressions made here.
"""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from medzh_score.configs.cmhe_ce.reading.explanations import Concept, distinctive, explanation
from medzh_score.text.masking import folded, forms_of, masked

LABELS = ("药物", "疾病", "医学检查")
POEMS = ("POEMS综合征", "POEMS Syndrome", "Crow-Fukase综合征", "克罗-深濑综合征", "POEMS")


def mask(text, *names, label="疾病"):
    return masked(text, forms_of(names, label), label).text


MENTIONS = {
    "the name": ("POEMS综合征是浆细胞病。", POEMS, "疾病是浆细胞病。"),
    "every one": ("POEMS综合征，即POEMS Syndrome。", POEMS, "疾病，即疾病。"),
    "the longest first": ("结直肠癌筛查", ("肠癌", "结直肠癌"), "疾病筛查"),
    "lower case": ("poems syndrome 少见", POEMS, "疾病 少见"),
    "full width": ("ＰＯＥＭＳ　ｓｙｎｄｒｏｍｅ少见", POEMS, "疾病少见"),
    "a space in the text": ("POEMS 综合征", POEMS, "疾病"),
    "a space for a hyphen": ("Crow Fukase综合征", POEMS, "疾病"),
    "no hyphen": ("CrowFukase综合征", POEMS, "疾病"),
    "another dash": ("克罗－深濑综合征；克罗—深濑综合征", POEMS, "疾病；疾病"),
    "bold type inside": ("**POEMS**综合征是", POEMS, "**疾病是"),
    "a curly apostrophe": ("Crohn’s disease", ("Crohn's Disease",), "疾病"),
    "no apostrophe": ("crohns disease", ("Crohn's Disease",), "疾病"),
    "an accent": ("Sjögren综合征，Sjo\u0308gren 综合征", ("Sjogren综合征",), "疾病，疾病"),
    "an accent at the end": ("cafe\u0301 征", ("café",), "疾病 征"),
    "without width": ("糖\u200b尿病", ("糖尿病",), "疾病"),
    "a compatibility form": ("⼼电图", ("心电图",), "疾病"),
    "inside Chinese words": ("心电图机", ("心电图",), "疾病机"),
    "an abbreviation between Chinese": ("查ECG时", ("ECG",), "查疾病时"),
    "an abbreviation in brackets": ("(ecg)、[ECG]/ECG", ("ECG",), "(疾病)、[疾病]/疾病"),
    "before a number with a hyphen": ("HIV-1", ("HIV",), "疾病-1"),
    "a plural": ("PFTs and PFT", ("PFT",), "疾病 and 疾病"),
    "a plural in es": ("abscesses", ("Abscess",), "疾病"),
    "a singular": ("lung disease", ("Lung Diseases",), "疾病"),
    "a possessive": ("Crohn's", ("Crohn",), "疾病's"),
    "one Chinese character": ("内痔和外痔", ("痔",), "内疾病和外疾病"),
    "a number in the name": ("维生素B1与维生素 B1", ("维生素B1",), "疾病与疾病"),
    "a name with a comma": ("anemia,iron deficiency", ("Anemia, Iron-Deficiency",), "疾病"),
}


@pytest.mark.parametrize(("text", "names", "expected"), MENTIONS.values(), ids=MENTIONS)
def test_a_mention_is_masked(text, names, expected):
    assert mask(text, *names) == expected


NO_MENTIONS = {
    "part of a Latin word": ("symptoms, MSH", ("MS",)),
    "the end of a Latin word": ("SARS", ("RS",)),
    "another number": ("维生素B12", ("维生素B1", "维生素B")),
    "letters of neighbouring words": ("form symptoms", ("MS",)),
    "an invisible character parts no word": ("sympto\u200bms", ("ms",)),
    "a unit": ("5㎎", ("g",)),
    "over a line's end": ("有肺\n炎症状", ("肺炎",)),
    "no plural of two letters": ("ass", ("AS",)),
    "no singular of an abbreviation": ("First aid", ("AIDS",)),
    "one Latin letter": ("A. 维生素C", ("A", "C")),
    "the label itself": ("这种疾病少见", ("疾病", "病")),
    "nothing": ("", ("POEMS",)),
    "empty names": ("肺炎", ("", " ", "-")),
    "part of a name": ("POE", POEMS),
}


@pytest.mark.parametrize(("text", "names"), NO_MENTIONS.values(), ids=NO_MENTIONS)
def test_what_is_no_mention_stays(text, names):
    assert mask(text, *names) == text


def test_all_else_stays_byte_for_byte():
    text = "\ufeff ＡＢ①\u3000㎎\r\n**ＰＯＥＭＳ** é e\u0301\t（２）\u200b"
    assert mask(text, "POEMS") == text.replace("ＰＯＥＭＳ", "疾病")


# A label makes a new name with what stands beside it; it is masked, too, and in one.
JOINED = {
    "with what stands before": ("甲乙丁", ("乙", "甲药"), "药物丁"),
    "with what follows": ("乙丙", ("乙", "物丙"), "药物"),
    "on both sides of one label": ("甲乙丙", ("乙", "甲药", "物丙"), "药物"),
    "two labels": ("乙乙", ("乙", "物药"), "药物"),
    "a chain": ("乙丙丁", ("乙", "物丙", "物丁"), "药物"),
    "between letters": ("M乙S", ("乙", "物S"), "M药物"),
    "to the next label": ("乙丙乙", ("乙", "物丙药"), "药物"),
}


@pytest.mark.parametrize(("text", "names", "expected"), JOINED.values(), ids=JOINED)
def test_a_name_that_a_label_makes_is_masked(text, names, expected):
    assert mask(text, *names, label="药物") == expected


SIGNS = "药物检甲乙aBsＡｂ1１ -－\u3000’é\u0301\u200b*㎎\n"
NAMES = st.lists(st.text(alphabet="药物检甲乙aBsＡｂ1１ -é", min_size=1, max_size=4), max_size=5)


def plain(text):
    """Write in one width and case, by the standard library alone; what has no width of its own parts no words."""
    visible = unicodedata.normalize("NFKC", text.replace("\u200b", ""))
    return unicodedata.normalize("NFKC", visible.casefold()).replace("\u0301", "")


def named(text, name):
    """Say whether a name stands in a text in any width and case, and no Latin letter or digit touches it."""
    word = plain(name)
    if not re.search(r"\w", word) or word in plain(" ".join(LABELS)) or re.fullmatch(r"[^\W一-鿿]", word):
        return False
    before = r"(?<![^\W一-鿿])" if re.match(r"[^\W一-鿿]", word) else ""
    after = r"(?![^\W一-鿿])" if re.search(r"[^\W一-鿿]\Z", word) else ""
    return re.search(before + re.escape(word) + after, plain(text)) is not None


@settings(max_examples=500)
@given(st.text(alphabet=SIGNS, max_size=14), NAMES, st.sampled_from(LABELS))
@example("药物药物", ["物药"], "药物")
@example("ＡＢs", ["aB"], "疾病")
def test_no_name_is_left_in_any_width_or_case(text, names, label):
    found = masked(text, forms_of(tuple(names), label), label)
    for name in names:
        alone = folded(name)
        if alone not in folded(label) and not re.fullmatch("[a-z0-9]?", alone):
            assert not named(found.text, name)


@given(st.text(alphabet=SIGNS, max_size=14), NAMES, st.sampled_from(LABELS))
def test_the_rest_stands_as_it_was_in_its_order(text, names, label):
    found = masked(text, forms_of(tuple(names), label), label)
    assert label.join(found.rest) == found.text
    place = 0
    for number, part in enumerate(found.rest):
        start = text.index(part, place)
        assert number or not start
        place = start + len(part)
    assert text.endswith(found.rest[-1])
    assert found.mentions == len(found.rest) - 1
    if not found.mentions:
        assert found.text == text


@given(st.text(alphabet=SIGNS, max_size=14), NAMES, st.sampled_from(LABELS))
def test_masking_again_changes_nothing_and_the_order_of_names_neither(text, names, label):
    once = masked(text, forms_of(tuple(names), label), label).text
    assert masked(once, forms_of(tuple(names), label), label).text == once
    assert masked(text, forms_of(tuple(reversed(names)), label), label).text == once


# What a mask leaves behind


ANSWER = Concept(("甲状腺功能亢进症", "甲亢"), "疾病", "甲状腺功能亢进症", ("甲状腺功能减退症", "甲状腺炎", "肾结石"))
LEAKS = {
    "half of the name": ("表现为机能亢进。", True),
    "what another option has, too": ("甲状腺肿大，功能改变。", False),
    "the label": ("甲亢是一种疾病。", False),
    "a masked name": ("甲状腺功能亢进症", False),
    "both sides of a mask": ("亢甲亢进", False),
    "over a line's end": ("亢\n进", False),
    "spread by a space": ("亢 进", True),
    "nothing": ("", False),
}


@pytest.mark.parametrize(("text", "leaks"), LEAKS.values(), ids=LEAKS)
def test_two_characters_that_only_the_answer_has_are_a_leak(text, leaks):
    assert explanation(text, ANSWER).leaks == leaks


def test_latin_words_are_told_whole():
    """Source: by hand: 综合征 stands in another option, poems does not; em is in no word alone."""
    concept = Concept(("POEMS综合征",), "疾病", "POEMS综合征", ("库欣综合征", "冷球蛋白血症"))
    assert [form.text for form in distinctive(concept.answer, concept.others, concept.label)] == ["poems", "s综"]
    assert explanation("Poems 是缩写。", concept).leaks
    assert not explanation("poem, 综合征", concept).leaks


def test_what_is_said_of_an_explanation():
    assert explanation("甲亢", ANSWER).named
    assert not explanation("怕热、多汗。", ANSWER).named
    assert explanation(" \n", ANSWER).empty
    assert not explanation("甲亢", ANSWER).empty
    assert explanation("抱歉，我无法回答。", ANSWER).refused
