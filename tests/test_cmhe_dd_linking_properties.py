"""What holds for every text: names are found as by brute force, results are equal, and the work grows with the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.extraction import cmhe_dd_cues, cmhe_dd_ruled_out, cmhe_dd_sections, cmhe_dd_tables_in_text
from medzh_score.extraction.cmhe_dd_compact import compacted
from medzh_score.extraction.cmhe_dd_names import linked
from medzh_score.extraction.cmhe_dd_ruled_out import OUT, ruled_out, said
from medzh_score.terminology.disease_names import dictionary_of, folded, folded_with_gaps, our_dictionary
from medzh_score.terminology.icd10 import icd10

OURS = our_dictionary()
WORDS = """
肺炎 肺癌 支气管肺炎 高血压 糖尿病 2型糖尿病 Ⅱ型 糖尿病肾病 COPD 发热 J18.9 癲癇 诊断 考虑 最可能 不考虑 排除 不除外
待排 疑似 可能 可能性小 鉴别诊断 与 和 、 鉴别 既往 病史 父亲 患者 无 非 不是 而是 若 如果 均 可排除 多见于 综上所述
因此 治疗 警惕 ( ) （ ） [ ] 【 】 ， 。 ； ： : | |---| # ** * - 1. 2) ①
— , ; ! rule out unlikely is 疫苗 饮食 急性 双侧
新生儿 <br> İ ß ﬃ 😀
"""
SIGNS = ["\n", "\n\n", "\r\n", "\t", " ", "  ", "* ", "\u2028", "\x00", "\ud800"]
PIECES = [*WORDS.split(), *SIGNS]
texts = st.one_of(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.text(max_size=60))
MENTION = re.compile(r"肺炎|肺癌|糖尿病|COPD|J18\.9")


@given(texts)
def test_every_text_is_read_and_equally(text):
    codes, out = linked(text, OURS)
    assert (codes, out) == linked(text, OURS)
    assert len({code[:3] for code in codes}) == len(codes)
    assert all(icd10().place(code) for code in codes)
    assert out >= 0


@given(texts)
def test_a_text_and_its_form_are_read_alike(text):
    form = folded(text)
    spans = [found.span() for found in re.finditer("肺炎|肺癌|糖尿病", form)]
    ways = said(form, spans)
    assert [way == OUT for way in ways] == ruled_out(form, spans)
    # Marks and space, which folding drops, change nothing.
    spread = "".join(f"{sign}*" if sign in "肺糖" else sign for sign in form)
    moved = [found.span() for found in re.finditer(r"肺\*炎|肺\*癌|糖\*尿病", spread)]
    assert said(spread, moved) == ways


@given(texts)
def test_a_name_that_is_found_stands_in_the_form(text):
    form, gaps = folded_with_gaps(text)
    assert form == folded(text)
    assert all(0 <= place <= len(form) and width > 0 for place, width in gaps.items())
    end = 0
    for found in OURS.mentions(text, form):
        assert end <= found.start < found.end <= len(form)
        assert form[found.start : found.end] in OURS.forms
        end = found.end


def brute_force(form, names):
    """Leftmost, then longest: at each place the longest name that stands there, and on behind it."""
    found, place = [], 0
    while place < len(form):
        longest = max((name for name in names if form.startswith(name, place)), key=len, default="")
        if longest:
            found.append((place, place + len(longest)))
        place += len(longest) or 1
    return found


@given(
    st.lists(st.text("肺炎癌性急支", min_size=2, max_size=5), min_size=1, max_size=12, unique=True),
    st.text("肺炎癌性急支，", max_size=40),
)
def test_the_longest_name_is_found_as_by_brute_force(names, text):
    dictionary = dictionary_of([("J18.9", name) for name in names], "test")
    found = [(mention.start, mention.end) for mention in dictionary.mentions(text, folded(text))]
    # A name that says 病性 has a second way, and an ending that says nothing is cut: none of these signs makes either.
    assert found == brute_force(folded(text), names)


@given(texts)
def test_places_move_with_the_text(text):
    spans = [found.span() for found in MENTION.finditer(text)]
    compact, moved = compacted(text, spans)
    assert compact.endswith("\n")
    assert [compact[start:end] for start, end in moved] == [text[start:end].lower() for start, end in spans]


# The work is counted, not timed: the characters that patterns are given to look at.


class Counted:
    """A pattern that counts."""

    def __init__(self, pattern, count):
        self.pattern, self.count = pattern, count

    def _looked(self, text, start=0, end=None, *, far):
        # What matches at one place looks no farther than a pattern is long; what searches may look at all.
        self.count[0] += (len(text) if end is None else end) - start if far or end is not None else 1

    def match(self, text, *window):
        self._looked(text, *window, far=False)
        return self.pattern.match(text, *window)

    def fullmatch(self, text, *window):
        self._looked(text, *window, far=False)
        return self.pattern.fullmatch(text, *window)

    def search(self, text, *window):
        self._looked(text, *window, far=True)
        return self.pattern.search(text, *window)

    def finditer(self, text, *window):
        self._looked(text, *window, far=True)
        return self.pattern.finditer(text, *window)


UNITS = [
    "肺炎",
    "肺炎,",
    "肺炎、",
    "肺炎。",
    "(肺炎",
    "肺炎)",
    "1.肺炎",
    "肺炎;发热,",
    "肺炎:发热,不符,",
    "不考虑肺炎",
    "与肺炎鉴别",
    "肺炎均可排除,",
    "鉴别诊断:肺炎\n",
    "鉴别诊断\n\n- 肺炎\n\n",
    "病因:肺炎",
    "治疗\n肺炎\n",
    "|肺炎|低|\n",
    "综上,肺炎",
    "肺炎和其他",
    "若肺炎,则",
]


@pytest.mark.parametrize("unit", UNITS)
def test_the_work_grows_with_the_text_and_no_faster(unit, monkeypatch):
    count = [0]
    for module in (cmhe_dd_cues, cmhe_dd_ruled_out, cmhe_dd_sections, cmhe_dd_tables_in_text):
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                monkeypatch.setattr(module, name, Counted(value, count))

    def work(length):
        text = (unit * length)[:length]
        count[0] = 0
        ruled_out(text, [found.span() for found in re.finditer("肺炎", text)])
        return count[0]

    half, whole = work(100_000), work(200_000)
    assert half >= 100_000
    assert whole <= 2.1 * half
    assert whole <= 200 * 200_000
