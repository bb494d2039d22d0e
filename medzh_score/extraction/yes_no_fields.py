"""Two fields for one question: whether something is untrue, and whether something misleads; one of them is enough."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Sequence

_HOLDS = r"(?P<holds>true|yes|是|有|存在)"
_HOLDS_NOT = r"(?:false|no|否|无|没有|不存在)"
FIELDS = Wording(
    "fields",
    re.compile(
        r"(?:^|(?<=[,，;；{|]))\s*[\"']?(?:(?:is|has|contains?|any)[\s_]*|是否(?:包含|存在|含有?|有)?|包含|存在|有)?"
        r"(?:(?P<misleads>misleading|误导性?)|(?:untrue|不真实|不属实|不实|虚假))(?:[\s_]*(?:information|content)|的?(?:信息|内容))?"
        rf"[\"']?\s*[:：=]\s*[\"']?(?P<said>{_HOLDS}|{_HOLDS_NOT})[\"']?(?=\s*(?:$|[,，;；。}}|]))",
        re.IGNORECASE | re.MULTILINE,
    ),
    '"untrue": false, "misleading": true',
    '"untrue": null',
)


def both(text: str) -> tuple[str, Sequence[re.Match[str]]] | None:
    """Read the two fields of a text, wherever they stand in it.

    Parameters
    ----------
    text : str
        A response.

    Returns
    -------
    tuple of (str, sequence of re.Match) or None
        ``Yes`` where one of them holds, ``No`` where neither does, and the fields; None where one of them is missing
        or said twice.

    Examples
    --------
    >>> both('"untrue": false, "misleading": true')[0], both('"untrue": false')
    ('Yes', None)
    """
    found = list(FIELDS.expression.finditer(text))
    if sorted(field["misleads"] is not None for field in found) != [False, True]:
        return None
    return (YES if any(field["holds"] for field in found) else NO), found


def fields_deny(text: str, value: str) -> bool:
    """Say whether the fields of a response speak against what is read in it.

    Parameters
    ----------
    text : str
        The response, untouched: of an object with a field for the answer preparation keeps nothing else.
    value : str
        The verdict.

    Examples
    --------
    >>> fields_deny('{"misleading": true, "answer": "No"}', "No"), fields_deny('{"misleading": true}', "Yes")
    (True, False)
    """
    if not any(name in text for name in ("misleading", "untrue", "误导", "不真实", "不实", "虚假")):
        return False
    if value == NO:
        return any(field["holds"] for field in FIELDS.expression.finditer(text))
    found = both(text)
    return found is not None and found[0] == NO
