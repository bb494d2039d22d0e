"""Where reasoning is looked for: no text that holds a mark or a head is passed over."""

import sys

import pytest

from medzh_score.extraction.thinking import may_hold_marks
from medzh_score.readers.files import MARK_SIGNS, without_reasoning
from medzh_score.readers.prediction import Prediction

FOLLOWING = ("think>", "|im_end|>", " |a", "思考】", "INST]", "gMASK]", "/think▷", "a", "/a", " ")
HEADS = ("thinking", "analysisA", "here is my", "here's my")


def test_all_marks_begin_with_a_sign_that_is_looked_for() -> None:
    """A mark begins with a known sign, a head with ASCII."""
    signs = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    found = {sign for sign in signs for following in FOLLOWING if may_hold_marks(f"答{sign}{following}")}
    assert found == set(MARK_SIGNS)
    begin = {sign for sign in signs for head in HEADS if may_hold_marks(sign + head) or may_hold_marks(sign + head[1:])}
    assert all(sign.isascii() for sign in begin - set(MARK_SIGNS))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>A?</think>B", "B"),
        ("答assistantfinal B", "B"),
        ("## Thinking\n先看A\n## Final Response\nB", "B"),
        ("B", "B"),
        ("", ""),
    ],
)
def test_reasoning_is_removed_beside_plain_texts(text: str, left: str) -> None:
    """One text of many is enough for each to be looked at."""
    batch = range(1, 4), [Prediction("a", "正确。"), Prediction("b", text), Prediction("c", "")]
    _numbers, found = without_reasoning(batch)
    assert [one.prediction for one in found] == ["正确。", left, ""]
