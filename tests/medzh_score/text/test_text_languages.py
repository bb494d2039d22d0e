from __future__ import annotations

import pytest

from medzh_score.scoring.inspection import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("正确。", "Chinese"),
        ("答案是 B。", "Chinese"),
        ("診斷為２型糖尿病（T2DM）", "Chinese"),
        ("𠮷野家", "Chinese"),
        ("The answer is correct.", "English"),
        ("Ｃｏｒｒｅｃｔ", "English"),
        ("SLE", "English"),
        ("Sí, es correcto", "English"),  # any language in Latin script
        ("A", "none"),
        ("A、C", "none"),
        ("", "none"),
        ("1.5 %，√", "none"),
        ("服用 aspirin 和 clopidogrel", "mixed"),
        ("Correct. 正确。", "mixed"),
        ("これは正しいです", "other"),
        ("Верно", "other"),
        ("정답입니다", "other"),
        ("β受体阻滞剂", "Chinese"),
    ],
)
def test_the_script_of_most_letters_decides(text, language):
    assert language_of(text) == language
