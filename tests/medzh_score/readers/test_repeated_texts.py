"""Short texts that come again: read once for each question and option order, and never mistaken for each other."""

from collections import Counter
from typing import Any

from medzh_score.benchmark.answers import Numbering, Reading
from medzh_score.benchmark.rules import Rule
from medzh_score.extraction.whole_text import LONGEST, TOO_LONG
from medzh_score.readers.align import MOST_REMEMBERED, REPEATED_LENGTH, numbered
from medzh_score.readers.prediction import Shuffled


class Side:
    """A question with two options."""

    def __init__(self, name: str) -> None:
        """Name it."""
        self.name = name

    def shuffled(self, orders: object) -> "Side":
        """Take it as it was shown."""
        return Side(f"{self.name} {orders}")


def test_a_short_text_is_read_once_for_each_question_and_order() -> None:
    """What a rule reads depends on all three; long texts and shown orders are read each time."""
    calls: Counter[Any] = Counter()

    def read(text: str, side: Side, variant: int) -> list[Reading]:
        calls[text, side.name, variant] += 1
        return [Reading("A", f"{side.name} {variant}")]

    numbering = Numbering()
    numbers_of = numbered(Rule("rule", "", read), numbering)
    one, other = Side("one"), Side("other")
    long = "长" * (REPEATED_LENGTH + 1)

    def reading(text: str, side: Side, variant: int) -> tuple[Any, Any]:
        found = numbering.different[numbers_of(text, side, variant)[0]]
        assert found is not None
        return found.value, found.reason

    for _ in range(2):
        assert reading("A", one, 0) == ("A", "one 0")
        assert reading("A", one, 1) == ("A", "one 1")
        assert reading("A", other, 0) == ("A", "other 0")
        assert reading(Shuffled("A", ((1, 0),)), one, 0) == ("B", "one ((1, 0),) 0")
        assert reading(long, one, 0) == ("A", "one 0")
        assert reading("A" * (LONGEST + 1), one, 0) == (None, TOO_LONG.reason)
    assert calls["A", "one", 0] == calls["A", "one", 1] == calls["A", "other", 0] == 1
    assert calls["A", "one ((1, 0),)", 0] == calls[long, "one", 0] == 2


def test_what_is_remembered_is_bounded() -> None:
    """Beyond the bound texts are read as before."""
    calls: Counter[str] = Counter()

    def read(text: str, _side: object, _variant: int) -> list[Reading]:
        calls[text] += 1
        return [Reading(text[:1], "letter")]

    numbers_of = numbered(Rule("rule", "", read), Numbering())
    for _ in range(2):
        for number in range(MOST_REMEMBERED + 2):
            numbers_of(str(number), None, 0)
    assert calls.total() == MOST_REMEMBERED + 4
