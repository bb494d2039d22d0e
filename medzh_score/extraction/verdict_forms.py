"""Verdicts in forms: boxes of which one is ticked, keys of JSON that are true or false, errors of a service."""

from __future__ import annotations

import re

# - [ ] 正确, ☐ 正确: what stands behind an empty box, up to its line's end or the next box, is not said.
_EMPTY_BOX = re.compile(r"(?:\[[ 　]\]|☐|□|◻)[^\n\[☐☑☒□◻]*")
_TICK = re.compile(r"\[[xX√]\]|☑|☒")
_KEY = re.compile(
    r'"(?:(正确|对|属实|成立|correct|is_correct|true)|(错误|错|不正确|incorrect|wrong|false))"\s*[:：]\s*(?:(true)|(false))',
    re.IGNORECASE,
)
BOTH_MARKS = re.compile(r"(?=.*√)(?=.*×)[√×\s/、,，|]+", re.DOTALL)
# 错误：网络连接超时 is said by a service, not by the model.
OF_A_SERVICE = re.compile(
    r"\s*[:：]\s*(?:网络|连接|服务|服务器|请求|系统|接口|超时|生成|上下文|令牌|配额|余额|模型|内部|未知|API\b|HTTP\b|[Tt]ime|[Cc]onnection|[Rr]ate"
    r"|[Rr]equest|[Ss]erver|[Ii]nternal|[Cc]ontext|\d{3}(?!\d))"
)


def ticked(text: str) -> str:
    r"""Blank out what stands behind empty boxes, where another box is ticked.

    Parameters
    ----------
    text : str
        Prepared.

    Returns
    -------
    str
        As long as the text, so that places stay.

    Examples
    --------
    >>> ticked("[ ] 正确\n[x] 错误")
    '      \n    错误'
    """
    if not _TICK.search(text):
        return text
    return _TICK.sub(_blank, _EMPTY_BOX.sub(_blank, text))


def of_keys(text: str) -> tuple[set[bool], tuple[tuple[int, int], ...]]:
    """Read keys of JSON that say whether the claim is right, each true or false.

    Parameters
    ----------
    text : str
        Prepared.

    Returns
    -------
    set of bool
        Whether the claim is right, by each of them; empty where there are none.
    tuple of tuple of int
        Where they stand.

    Examples
    --------
    >>> of_keys('{"正确": false, "错误": true}')
    ({False}, ((1, 12), (14, 24)))
    """
    found = list(_KEY.finditer(text))
    return {(met[1] is not None) == (met[3] is not None) for met in found}, tuple(met.span() for met in found)


def _blank(met: re.Match[str]) -> str:
    return " " * len(met[0])
