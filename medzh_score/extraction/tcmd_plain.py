"""The forms that most of TCMD's responses have, read sooner: what they say is what `read_letters` says of them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.extraction.expressions import expression
from medzh_score.extraction.reading import Reading, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

_ANSWER = r"(?:【?(?:正确|最佳|参考|标准|本题)?答案】?(?:应?[是为])?[：:]? ?)"
ALONE = expression(
    "plain label alone",
    rf"(?:[（(](?P<brackets>[A-Z])[)）]|(?:选|{_ANSWER}|(?:故|应)选)?(?P<label>[A-Z]))[.。]?\s*",
    matches="答案：A",
    misses="A或B",
)
FRONT = expression(
    "plain label in front",
    rf"(?:{_ANSWER}|(?:故|因此|所以)应?选|(?:本题)?应?选)?([A-Z])[。\n]",
    matches="故选C。君药",
    misses="选项C，",
)
PROSE = expression("plain prose", r"[\u3007\u4e00-\u9fff，。；、：“”\d\n]*", matches="麻黄为君药。", misses="B不对")
# Words that may take a label back, doubt it, or speak of the other options: then the whole reading is needed.
DOUBTS = expression(
    "plain doubts",
    "题目|问题|格式|示例|例如|比如|假设|不太|不是很|不大|不敢|不可|不确|不肯|不好说|没把|没有把|拿不准|说不准|错|有误|不对|不正确|不能|无法"
    "|难以|没法|更正|修正|纠正|订正|改|重新|再[仔看想查思次检审核细]|等一?下|吗|答案|选|项|正确|符合",
    matches="不对，应为麻黄",
    misses="麻黄为君药。",
)
MOST = 12  # characters of a text that is a label alone


def plain(text: str, options: Sequence[str]) -> Reading | None:
    """Read a label that is all, or opens a text of plain words that speak of other things than the options.

    Parameters
    ----------
    text : str
        The response, untouched.
    options : sequence of str
        As they were shown.

    Returns
    -------
    Reading or None
        None where the whole reading is needed.

    Examples
    --------
    >>> plain("答案：A。君药是它。", ("桂枝", "麻黄")).value, plain("A。麻黄为君药。", ("桂枝", "麻黄"))
    ('A', None)
    """
    if len(text) <= MOST:
        return _alone(text, len(options), _lettered(tuple(options)))
    stop = text.find("。", 0, MOST)
    head = text[: stop + 1] if stop > 0 else text[:MOST].partition("\n")[0] + "\n"
    found = _front(head, len(options))
    if found is None or _lettered(tuple(options)):
        return None
    if not PROSE.pattern.fullmatch(text, len(head)) or DOUBTS.pattern.search(text, len(head)):
        return None
    return None if any(option in text for option in options) else found


@lru_cache(maxsize=1 << 10)
def _alone(text: str, count: int, lettered: bool) -> Reading | None:  # noqa: FBT001 - a key of the cache
    match = ALONE.pattern.fullmatch(text)
    if match is None or lettered:
        return None
    return _reading(match[match.lastgroup or 0], match.start(match.lastgroup or 0), count)


@lru_cache(maxsize=1 << 12)
def _front(head: str, count: int) -> Reading | None:
    match = FRONT.pattern.fullmatch(head)
    return None if match is None else _reading(match[1], match.start(1), count)


def _reading(letter: str, start: int, count: int) -> Reading | None:
    if ord(letter) - ord("A") >= count:
        return None
    return Reading(letter, "answer", (Span(start, start + 1),), clear=True)


@lru_cache(maxsize=1 << 12)
def _lettered(options: tuple[str, ...]) -> bool:
    """Say whether an option holds a Latin letter, or is so short that plain words hold it."""
    return any(len(option) < 2 or not PROSE.pattern.fullmatch(option) for option in options)  # noqa: PLR2004
