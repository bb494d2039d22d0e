"""Codes of ICD-10 for a diagnosis: those that a text states, or else those of the names to which it commits itself."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading
from medzh_score.configs.cmhe_dd.reading.stated_codes import found_codes
from medzh_score.extraction.commitments import DOUBTS
from medzh_score.extraction.diagnosis import read_diagnosis
from medzh_score.extraction.expressions import expression
from medzh_score.extraction.preparation import prepare
from medzh_score.extraction.signs import scan
from medzh_score.extraction.words import lexicon_of
from medzh_score.terminology.disease_names import folded
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.configs.cmhe_dd.reading.stated_codes import Code
    from medzh_score.terminology.disease_names import Dictionary


SEPARATOR = "；"
NONE = "无"
SPACED = expression(
    "space in a code", r"(?<![A-Za-z0-9])([A-Z])[ \t](?=[0-9]{2}(?![0-9]))", matches="I 10", misses="I10"
)


def read_judged(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
    r"""Read the codes that a judge gives for a diagnosis, joined by ``；``, or ``无``; no code at all is no verdict.

    Examples
    --------
    >>> read_judged("1. Allergic rhinitis\n2. J30.4; J45.9", {})
    {'codes': 'J30.4；J45.9'}
    >>> read_judged("过敏性鼻炎", {}) is None
    True
    """
    said = prepare(text)
    if said.lacks:
        return None
    if codes := found_codes(SPACED.pattern.sub(r"\1", said.text), openly=True):
        return {"codes": SEPARATOR.join(dict.fromkeys(one.code for one in codes))}
    return {"codes": NONE} if said.folded.strip(" 。.\n*") in {NONE, "none"} else None


NOTHING = "no code or name"
MEANINGS = {
    "codes": "codes of ICD-10 are stated as the diagnosis",
    "names": "diseases that the dictionary has are stated as the diagnosis",
}
MOST = 200  # codes of a text that are looked at
NEAR = 120  # characters before and behind a code that are looked at
# Words before and behind a name that leave it in its category, as in nine of ten pairs of the national edition.
BEFORE = expression(
    "harmless before a name",
    r"(?:亚急性|特发性|多发性?|进行性|阵发性|难治性|晚期|早期|轻型|重型|[左右双](?:侧|边|[上中下]"
    r"|[上中下]?肺|耳|眼|膝|髋|肩|足|手|肾|乳)?|单侧|大脑半球|基底节区|[轻中重]度|轻微|重症|严重"
    r"|明显|新发|小儿|儿童|成人|老年)+",
    matches="左侧",
    misses="肺动脉",
)
BEHIND = expression(
    "harmless behind a name",
    r"(?:\(?[0-9一二三四]+[级期型度]\)?|[失代]*偿期|急性(?:加重|发作)期?|(?:活动|稳定|缓解|进展|终末"
    r"|急性|慢性|恢复|早|中|晚)期|[轻中重]度|[轻中重]型|极?高危组?|病|症|[(].*)+",
    matches="急性加重",
    misses="疫苗",
)


SECTION = expression(
    "section of codes",
    r"(?i)(?P<other>(?:鉴别(?:诊断)?|排除诊断|既往史?|家族史|治疗"
    r"|differentials?(?: diagnos[ei]s)?)[^\n。,;]{0,4}[:\n])"
    r"|(?P<own>(?:诊断|疾病|编码|diagnos[ei]s|codes?)[^\n。,;鉴别]{0,6}[:\n])",
    matches="鉴别诊断:肺炎",
    misses="考虑肺炎",
)
OUT = expression(
    "code ruled out",
    r"(?i)(?:鉴别(?:诊断)?|需与|应与|之与|既往|家族史|父亲|母亲|区别|警惕|防止|预防|可并发|rule out"
    r"|no evidence|not consistent|unlikely|n't)"
    r"(?:(?!诊断|考虑|本人|本次|但|\. )[^。!?\n])*\Z"
    r"|(?<!后)(?:不考虑|不支持|不符合|(?<!不能)(?<!不)(?:排除|除外)|没有|并非|而非|不是|未见"
    r"|无(?![痛菌症力精脉汗排尿牙乳功]))"
    r"[^,。;!?\n]*\Z",
    matches="排除肺炎(",
    misses="排除肺炎,考虑肺结核(",
)
OUT_BEHIND = expression(
    "code ruled out behind",
    r"(?i)(?:(?!\. )[^,。;!?\n])*?(?:可能性(?:小|低|不大|较小|较低|很小)|不太可能|不支持|不符|不考虑"
    r"|(?<!不能)(?<!不能完全)(?<!不)(?:排除|除外)|鉴别|不成立"
    r"|less likely|unlikely|(?:is|been|was) (?:ruled out|excluded))",
    matches=")可能性小",
    misses=")不除外",
)


def reader(dictionary: Callable[[], Dictionary]) -> Callable[[str, object], Reading]:
    """Make the rule: codes where they are stated, else names of a dictionary, never both.

    Examples
    --------
    >>> from medzh_score.terminology.disease_names import our_dictionary
    >>> read = reader(our_dictionary)
    >>> read("诊断：过敏性鼻炎（J30.4）", None).value, read("诊断为急性阑尾炎。", None).value
    ('J30.4', 'K35.8')
    """

    def read(text: str, _side: object) -> Reading:
        return _by_code(text) or _by_name(text, dictionary())

    return read


def _by_code(text: str) -> Reading | None:
    prepared = prepare(text)
    codes = [] if prepared.lacks else found_codes(prepared.text)
    if not codes:
        return None
    sections = [(match.end(), match.lastgroup == "other") for match in SECTION.pattern.finditer(prepared.text)]
    kept = {one.code: one for one in reversed(codes[:MOST]) if not _ruled_out(prepared.text, one, sections)}
    if not kept:
        return Reading(None, "denied", tuple(prepared.span(one.start, one.end) for one in codes))
    ordered = sorted(kept.values(), key=lambda one: one.start)
    spans = tuple(prepared.span(one.start, one.end) for one in ordered)
    signs = scan(prepared, lexicon_of("diagnosis")).signs
    clear = len(kept) == len({one.code for one in codes}) and (DOUBTS | {"N"}).isdisjoint(signs)
    return Reading(SEPARATOR.join(one.code for one in ordered), "codes", spans, clear)


def _ruled_out(text: str, one: Code, sections: Sequence[tuple[int, bool]]) -> bool:
    """Say whether a text denies what a code names, or only tells its diagnosis apart from it."""
    sentence = text[max(0, one.start - NEAR) : one.start]
    section = bisect_right(sections, (one.start, True))
    return (
        (section > 0 and sections[section - 1][1])
        or OUT.pattern.search(sentence) is not None
        or OUT_BEHIND.pattern.match(text, one.end, one.end + NEAR) is not None
    )


def _by_name(text: str, dictionary: Dictionary) -> Reading:
    found = read_diagnosis(text)
    if not isinstance(found.value, tuple):
        return found
    codes: dict[str, tuple[str, int]] = {}
    for place, name in enumerate(found.value):
        code = code_of(name, dictionary)
        if code is not None:
            codes.setdefault(category_of(code), (code, place))
    if not codes:
        return Reading(None, NOTHING, found.spans)
    spans = tuple(found.spans[place] for place in sorted({place for _, place in codes.values()}))
    complete = found.clear and len(spans) == len(found.value)
    return Reading(SEPARATOR.join(code for code, _ in codes.values()), "names", spans, complete)


def code_of(name: str, dictionary: Dictionary) -> str | None:
    """Link a name: it is in the dictionary, or is one with words around it that keep the category.

    Examples
    --------
    >>> from medzh_score.terminology.disease_names import our_dictionary
    >>> code_of("双侧肺炎", our_dictionary()), code_of("肺炎疫苗", our_dictionary())
    ('J18.9', None)
    """
    form = folded(name)
    if code := dictionary.code_of(form, name):
        return code
    for mention in dictionary.mentions(name, form):
        before = mention.start == 0 or BEFORE.pattern.fullmatch(form, 0, mention.start)
        if before and (mention.end == len(form) or BEHIND.pattern.fullmatch(form, mention.end)):
            return mention.code
    return None
