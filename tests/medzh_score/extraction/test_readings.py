"""What every config's rules read, and where: on the sample predictions and on texts put together."""

from __future__ import annotations

import json
import random
from math import factorial

import pytest
from places import CASE_FILES, SAMPLES
from tables import holds
from tool_runs import lines_of

from medzh_score.benchmark.answers import Span
from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.variants import Variants, order_numbered
from medzh_score.configs.sdak.reading import FACTUAL
from medzh_score.configs.tcmd.reading import GroupContext, SubQuestion
from medzh_score.data.records import load_records
from medzh_score.extraction.question_types import OptionContext

pytestmark = pytest.mark.smoke

PIECES = json.loads((CASE_FILES / "pieces.json").read_text(encoding="utf-8"))["of what rules look for"]
PIECES.append("\ud83d\ude00")  # two halves of a character, which JSON would join


def texts_made(count, seed):
    draw = random.Random(seed)  # noqa: S311 - texts for a test
    return ["".join(draw.choices(PIECES, k=draw.randint(0, 9))) for _ in range(count)]


@pytest.fixture(scope="module")
def cases(config, minis):
    """Give texts with what was asked and the variant: those of the sample, and made ones."""
    rows = load_records(minis, config.name, columns=config.columns).rows
    asked = {one.id: one for one in config.queries(rows, config.layout(rows))}
    lines = lines_of(SAMPLES / config.name / "predictions.jsonl")
    found = [(line["prediction"], asked[line["id"]], line.get("variant", 0)) for line in lines]
    draw = random.Random(8)  # noqa: S311
    for text in texts_made(1000, seed=8):
        one = draw.choice(list(asked.values()))
        found.append((text, one, draw.choice(list(one.variants.numbers)[:6])))
    return found


def test_a_rule_reads_a_text_alike_again_and_shows_where_in_the_raw_text(config, cases):
    for rule in config.rules:
        placed = 0
        for number, (text, asked, variant) in enumerate(cases):
            readings = rule.read(text, asked.context, variant)
            assert len(readings) == len(asked.members), text
            assert number >= 300 or rule.read(text, asked.context, variant) == readings, text
            for reading in readings:
                placed += bool(reading.spans)
                assert list(reading.spans) == sorted(reading.spans), text
                assert all(0 <= start < end <= len(text) for start, end in reading.spans), text
                assert reading.value is None or isinstance(reading.value, str), text
                assert not (reading.unambiguous and reading.value is None), text
        assert placed > 10, rule.name


def reading_of(config, rule, text, side=None):
    (found,) = rule_of(find_config(config), rule).read(text, side, 0)
    return found.value, found.reason, [text[start:end] for start, end in found.spans]


QUESTION = ("桂枝", "麻黄", "杏仁", "甘草", "石膏")


def test_the_words_that_say_it():
    rows = [
        ("sdak", "official", "答：不正确。正确", FACTUAL, ("incorrect", "不正确[:10]", ["不正确"])),
        ("sdak", "official", "是的，错误。", FACTUAL, ("correct", "是的[:3]", ["是的"])),
        ("sdak", "official", "难说", FACTUAL, (None, "nothing", [])),
        ("cmhe_dd", "judge", "肺炎", None, ("肺炎", "for the judge", ["肺炎"])),
        ("pemebench", "medzh-1", "<think>想</think>\n多饮水。", None, ("多饮水。", "own text", ["多饮水。"])),
        ("pemebench", "medzh-1", "<think>多饮水。", None, (None, "unfinished thinking", [])),
        ("pemebench", "raw", " 多饮水。", None, (" 多饮水。", "whole text", [" 多饮水。"])),
    ]
    holds(rows, reading_of)


def test_a_letter_is_the_records_and_its_note_the_one_that_was_shown():
    side = GroupContext((SubQuestion(QUESTION),), largest=5)
    (found,) = rule_of(find_config("tcmd"), None).read("答案：A", side, 24)
    assert (found.value, found.note, found.spans) == ("B", "A", (Span(3, 4),))


def test_eleven_options_are_asked_and_read_without_a_table_of_all_permutations():
    options = tuple("桂麻杏甘石姜枣参苓术附")
    side = GroupContext((SubQuestion(options),), largest=11)
    last = factorial(11) - 1
    (found,) = rule_of(find_config("tcmd"), None).read("答案：A", side, last)
    assert found.value == "K"
    assert order_numbered(last, 11) == tuple(reversed(range(11)))
    assert len(Variants(11).shifts) == 11


def test_bare_takes_letters_and_nothing_else():
    side = OptionContext(tuple(QUESTION), several=True, wrong=False)
    letters = [("B", "B"), ("(B)。", "B"), ("【C】", "C"), ("AC", "AC"), ("C、A", "AC"), ("Ａ，Ｂ", "AB")]
    nothing = [(text, None) for text in (" b ", "A A", "答案：B", "B 肺炎", "F", "。", "")]
    holds([*letters, *nothing], lambda text: reading_of("pemebench_medqa", "letters-only", text, side)[0])
