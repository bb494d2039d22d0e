"""Texts that are folded together are folded as each is alone."""

from __future__ import annotations

import unicodedata

from amounts import at_least
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.text.fold import fold, fold_all, without_radicals

# What composes with a neighbour, decomposes, is wide or blank, and the sign that parts texts that are folded together.
ODD = st.sampled_from("e\u0301\u1100\u1161\u11a8\u0323\u3099かＡ，（）① \n\t\u3000\u00a0\ufb01\u0344症\0")
TEXTS = st.lists(st.one_of(st.text(ODD, max_size=5), st.text(max_size=5)), max_size=6)


@at_least(300)
@given(TEXTS)
def test_texts_folded_together_are_folded_as_each_alone(texts):
    alone = ["".join(unicodedata.normalize("NFKC", text).split()) for text in texts]
    assert [fold(text) for text in texts] == alone
    assert fold_all(texts) == alone


def test_radicals_become_the_characters_that_look_alike_and_nothing_else_changes():
    for code in range(0x2E00, 0x3100):
        radical = 0x2E80 <= code < 0x2FE0
        assert without_radicals(f"Ａ{chr(code)}") == "Ａ" + (
            unicodedata.normalize("NFKC", chr(code)) if radical else chr(code)
        )
