"""Where a response takes a disease out again that it stated, and where it goes on with somebody else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.diagnosis_names import is_symptom, names_after

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Pair = tuple[int, int]
NEAR = 200  # characters behind a denial in which what it denies ends
FAR = 40  # characters before a denial that may make it none
_DENIES = re.compile(
    r"(?<!有)没有?(?:患|得)?(?:有|上|了)?(?:任何)?|并?未(?:患|得)(?:有|上|了)?|(?<!是)不(?:是|属于|考虑|支持|像|患有?)"
    r"|并非(?:是)?|排除(?:了|的?(?:诊断|疾病)?\s*[：:】](?:\s*\d[.、])?)?|除外"
    r"|(?:(?<=[断果论案象答][：:])|(?<=患者)|(?<=本例)|(?<=\n))无(?:明显|明确)?的?"
    r"|\b(?:is|are|has|have|does|do|was)(?:\s+not|n't)(?:\s+have)?\s+(?:an?\s+)?|\bno\s+evidence\s+of\s+"
    r"|\b(?:ruled?\s+out|excludes?|excluded)\s+|\bunlikely\s+(?:to\s+(?:be|have)\s+)",
    re.IGNORECASE,
)
# In the clause before: somebody else is spoken of, or nothing is said to be so.
_NO_DENIAL = re.compile(
    r"不能$|不可$|不$|无法|难以|未能?$|尚未|需|请|建议|应$|(?<![可所])以$|待$|便于|帮助|为了?$|进一步|若|如果|假如|是否|既往|曾|以前|过去"
    r"|家族|[父母兄弟姐妹]|亲属|为什么|为何|\b(?:if|whether|history|to|father|mother|cannot|can't|previous\w*)\s*$",
    re.IGNORECASE,
)
_CLAUSES = re.compile("[，。；！？\\n,;!?：:（(]")
_WHOLE = re.compile(r"的?(?:诊断|可能性?|依据|证据)?(?:了|的)?(?:[，。；、！!.,;\n…）)]|和|或|及|$)")
_OUT = re.compile(
    r"(?:这一|这个|的)?(?:诊断|可能性?)?(?:均|都|也|则)?(?:已经?|可以?|应该?)?被?(?:排除|除外|不成立|不考虑|不予考虑|不存在)"
    r"(?:了|在外)?(?=[，。；、！!\n…）)]|$)"
    r"|\s+(?:is|was|has\s+been|can\s+be)\s+(?:unlikely|ruled\s+out|excluded|not\s+the\s+diagnosis)",
    re.IGNORECASE,
)
_STATED_OUT = re.compile(
    r"(?:上述|以上|该|这个|此)诊断(?:并?不(?:成立|正确|对)|有误|是错误的|错误|已?被?(?:排除|否定|推翻|撤销))"
)
_CASE = re.compile(
    r"\n\s*(?:[【\[]?(?:患者|病人|患儿|病例|病史|案例|病历|例)(?:信息|资料|情况|描述|摘要|基本信息)?\s?[\d一二三四五六七八九十]{0,2}"
    r"(?:[】\]]\s*[：:]?|\s*[：:]|[，,]?\s*(?=[男女]))"
    r"|[男女](?:性|孩|童|婴)?[，,]\s*\d{1,3}\s?[岁月天]|You\s+are\s|Read\s+the\s|(?:A|An|The)\s+\d{1,3}[\s-]year"
    r"|(?:患者|病人|患儿)\s*[，,]?\s*\d{1,3}\s*岁)"
)
_CONCLUDES = re.compile(r"综上|最终|更正|修正|综合(?:以上|上述)|所以|因此")


def is_denied(text: str, names: Sequence[str], start: int = 0, positions: Sequence[int] | None = None) -> bool:
    """Say whether a text denies, anywhere, a disease that it states.

    Parameters
    ----------
    text : str
        Prepared.
    names : sequence of str
        What it states.
    start : int
        From where on it counts.
    positions : sequence of int, optional
        Where a denial may begin; anywhere when not given.

    Examples
    --------
    >>> is_denied("患者没有患肺炎。", ["肺炎"]), is_denied("不能排除肺炎。", ["肺炎"])
    (True, False)
    """
    if "诊断" in text and _STATED_OUT.search(text, start):
        return True
    own = [_folded(name) for name in names]
    return any(_means(_folded(text[slice(*place)]), own) for place in _denied(text, own, start, positions)) or any(
        _OUT.match(text, end) for name in names for end in _ends(text, name, start)
    )


def _denials(text: str, start: int, positions: Sequence[int] | None) -> Iterator[re.Match[str]]:
    if positions is None:
        yield from _DENIES.finditer(text, start)
        return
    for place in positions:
        if place >= start and (found := _DENIES.match(text, place)):
            yield found


def _denied(text: str, own: Sequence[str], start: int, positions: Sequence[int] | None) -> Iterator[Pair]:
    """Find the names that are denied, where they may end as those that are stated."""
    last = {name[-1] for name in own}
    for found in _denials(text, start, positions):
        near = text[found.end() : found.end() + NEAR].lower()
        if not any(letter in near for letter in last):
            continue
        if _NO_DENIAL.search(_CLAUSES.split(text[max(0, found.start() - FAR) : found.start()])[-1]):
            continue
        after = names_after(text, found.end())
        if after.places and _WHOLE.match(text, after.end) and text[after.end : after.end + 1] not in {"?", "？"}:
            yield from after.places


def _means(denied: str, own: Sequence[str]) -> bool:
    # A name ends in what it is a kind of: who has no diabetes has no type 2 diabetes.
    # 无症状性心肌缺血 is a name of its own.
    return any(
        denied == name or (name.endswith(denied) and name != "无" + denied and not is_symptom(denied)) for name in own
    )


def _folded(name: str) -> str:
    return "".join(name.split()).lower()


def _ends(text: str, name: str, start: int) -> Iterator[int]:
    if name.isascii() and text.isascii():
        text, name = text.lower(), name.lower()
    place = text.find(name, start)
    while place >= 0:
        yield place + len(name)
        place = text.find(name, place + len(name))


def next_case(text: str) -> int | None:
    r"""Give where another patient's case begins behind an answer, None where none does.

    Parameters
    ----------
    text : str
        Prepared.

    Returns
    -------
    int or None
        None, too, where a conclusion is drawn behind it: the case may be the same one told again.

    Examples
    --------
    >>> next_case("肺炎\n患者，男，30岁，腹痛。\n诊断：胃溃疡"), next_case("肺炎\n依据：发热")
    (2, None)
    """
    found = _CASE.search(text, 1)
    if found is None or _CONCLUDES.search(text, found.end()):
        return None
    return found.start()
