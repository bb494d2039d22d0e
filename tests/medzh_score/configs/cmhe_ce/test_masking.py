"""Masking: tables of mentions and of what is none, and the property that no name is left, against a plain restatement.

Independent source: NFKC and casefold from the standard library, and regular expressions made here.
"""

from __future__ import annotations

import re
import unicodedata

from amounts import at_least
from hypothesis import example, given
from hypothesis import strategies as st
from tables import case_tables, holds

from medzh_score.configs.cmhe_ce.reading import Concept, explanation
from medzh_score.text.fold import fold_concept_name
from medzh_score.text.masking import forms_of, masked

LABELS = ("药物", "疾病", "医学检查")
CASES = case_tables("cmhe_ce_cases")


def mask(text, *names, label="疾病"):
    return masked(text, forms_of(names, label), label).text


def test_mentions_are_masked_and_what_is_none_stays():
    holds(CASES["mentions"], lambda _, text, names: mask(text, *names))
    stays = [(*row, row[1]) for row in CASES["no_mentions"]]
    holds(stays, lambda _, text, names: mask(text, *names))


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


@at_least(200)
@given(st.text(alphabet=SIGNS, max_size=14), NAMES, st.sampled_from(LABELS))
@example("药物药物", ["物药"], "药物")
@example("ＡＢs", ["aB"], "疾病")
def test_no_name_is_left_in_any_width_or_case(text, names, label):
    found = masked(text, forms_of(tuple(names), label), label)
    for name in names:
        alone = fold_concept_name(name)
        if alone not in fold_concept_name(label) and not re.fullmatch("[a-z0-9]?", alone):
            assert not named(found.text, name)


@given(st.text(alphabet=SIGNS, max_size=14), NAMES, st.sampled_from(LABELS))
def test_the_rest_stands_as_it_was_in_its_order_and_masking_again_changes_nothing(text, names, label):
    found = masked(text, forms_of(tuple(names), label), label)
    assert label.join(found.rest) == found.text
    place = 0
    for number, part in enumerate(found.rest):
        start = text.index(part, place)
        assert number or not start
        place = start + len(part)
    assert text.endswith(found.rest[-1])
    assert found.mentions == len(found.rest) - 1
    assert found.mentions or found.text == text
    assert masked(found.text, forms_of(tuple(names), label), label).text == found.text
    assert masked(text, forms_of(tuple(reversed(names)), label), label).text == found.text


# What a mask leaves behind


ANSWER = Concept(("甲状腺功能亢进症", "甲亢"), "疾病", "甲状腺功能亢进症", ("甲状腺功能减退症", "甲状腺炎", "肾结石"))


def test_two_characters_that_only_the_answer_has_are_a_leak():
    holds(CASES["leaks"], lambda _, text: explanation(text, ANSWER).leaks)
