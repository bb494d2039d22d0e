"""Codes of ICD-10 for a diagnosis: those that a text states, or else those of the names to which it commits itself."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from medzh_score.extraction.cmhe_dd_codes import SEPARATOR, found_codes
from medzh_score.extraction.diagnosis import read_diagnosis
from medzh_score.extraction.expressions import expression
from medzh_score.extraction.preparation import prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.signs import scan
from medzh_score.extraction.words import lexicon_of
from medzh_score.terminology.disease_names import folded
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from medzh_score.extraction.cmhe_dd_codes import Code
    from medzh_score.extraction.signs import Scan
    from medzh_score.terminology.disease_names import Dictionary

NOTHING = "no code or name"
NEAR = 200  # signs before and behind a code that are looked at
# Words before and behind a name that leave it in its category, as at least nine of ten pairs of the national edition do.
BEFORE = expression(
    "harmless before a name",
    r"(?:亚急性|特发性|多发性?|进行性|阵发性|难治性|晚期|早期|轻型|重型|[左右双](?:侧|边|[上中下]?肺|耳|眼|膝|髋|肩|足|手|肾|乳)?|单侧|[轻中重]度|轻微|重症|严重"
    r"|明显|新发|小儿|儿童|成人|老年)*",
    matches="左侧",
    misses="肺动脉",
)
BEHIND = expression(
    "harmless behind a name",
    r"(?:\(?[0-9一二三四]+[级期型度]\)?|[失代]*偿期|急性(?:加重|发作)期?|(?:活动|稳定|缓解|进展|终末|急性|慢性|恢复|早|中|晚)期|[轻中重]度|[轻中重]型|极?高危组?|病|症|[(].*)*",
    matches="急性加重",
    misses="疫苗",
)


def reader(dictionary: Callable[[], Dictionary]) -> Callable[[str, object], Reading]:
    """Make the rule: codes where they are stated, else names of a dictionary, never both.

    Parameters
    ----------
    dictionary : callable
        Gives it; called when the first name is read.

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
    found = scan(prepared, lexicon_of("diagnosis"))
    kept = {one.code: one for one in reversed(codes) if not _ruled_out(found, one)}
    if not kept:
        return Reading(None, "denied", tuple(prepared.span(one.start, one.end) for one in codes))
    ordered = sorted(kept.values(), key=lambda one: one.start)
    spans = tuple(prepared.span(one.start, one.end) for one in ordered)
    return Reading(SEPARATOR.join(one.code for one in ordered), "codes", spans)


OUT = expression("ruled out", r"N[^nSD]*\Z|(?:(?<=n)|\A)[ad_o]{0,3}[GN][^nS]{0,3}[:n][^S]*\Z|P[^nSD]*\Z", matches="nG:_", misses="nK:_", over="signs")
OUT_BEHIND = expression("ruled out behind", r"[_coad]{0,3}N", matches="caN", misses="D_N", over="signs")


def _ruled_out(found: Scan, one: Code) -> bool:
    """Say whether the text denies what a code names, or has it in another section."""
    sign = bisect_left(found.ends, one.start + 1)
    before = found.signs[max(0, sign - NEAR) : sign]
    label = max(before.rfind("nK"), before.rfind("nk"), before.rfind("nn"))
    if OUT.pattern.search(before[label + 1 :]):
        return True
    behind = bisect_left(found.starts, one.end)
    return OUT_BEHIND.pattern.match(found.signs, behind, behind + NEAR) is not None


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

    Parameters
    ----------
    name : str
        As `read_diagnosis` gives it.
    dictionary : Dictionary
        By which it is linked.

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
        if BEFORE.pattern.fullmatch(form, 0, mention.start) and BEHIND.pattern.fullmatch(form, mention.end):
            return mention.code
    return None
