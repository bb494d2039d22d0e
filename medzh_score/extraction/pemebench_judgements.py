"""What a judge's text says in PeMeBench's rounds: entities of a reference, and whether an answer opposes it.

Both are read strictly. What is not in the form that was asked for is unreadable, which is never a verdict.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from medzh_score.extraction.preparation import spoken

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_ENTITIES = "无"
JOINT = "；"
SEPARATORS = re.compile(r"[；;\n\r\u2028\u2029]+")
FENCE = "```"
CONCLUDING = re.compile(r"\**结论\**[：:]")
# A conclusion has its line to itself; bold type around it or its last word changes nothing.
CONCLUSION = re.compile(CONCLUDING.pattern + r"\**\s*\**([有无])\**[。.]?\**")
OPPOSED: dict[str | None, str] = {"有": "yes", "无": "no"}

_ARRAY = msgspec.json.Decoder(list[str])


def read_entities(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
    r"""Read the entities that a judge lists.

    Parameters
    ----------
    text : str
        What the judge wrote: one JSON array of texts, none of them blank, and nothing else but a closed thinking block
        before it or a fence of three backticks around it.
    _context : mapping
        Not looked at: whether the reference holds them is seen when they are counted.

    Returns
    -------
    mapping or None
        ``entities``, joined by ``；``, or ``无`` where the array is empty. A separator inside an entity becomes a
        space, which is as little looked at as it is. None where the text is anything else.

    Examples
    --------
    >>> read_entities('```json\n["麻疹", "柯氏斑"]\n```', {})
    {'entities': '麻疹；柯氏斑'}
    >>> read_entities("麻疹、柯氏斑", {}) is None
    True
    """
    said = spoken(text)
    if said is None:
        return None
    try:
        listed = _ARRAY.decode(_unfenced(said.strip()))
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    entities = [SEPARATORS.sub(" ", entity).strip() for entity in listed]
    if not all(entities) or (NO_ENTITIES in entities and len(entities) > 1):
        return None
    return {"entities": JOINT.join(entities) or NO_ENTITIES}


def _unfenced(text: str) -> str:
    head, _, rest = text.partition("\n")
    fenced = head.rstrip().lower() in {FENCE, f"{FENCE}json"} and rest.endswith(FENCE)
    return rest[: -len(FENCE)] if fenced else text


def entities_of(value: str) -> tuple[str, ...]:
    """Take apart what stands in the column ``entities`` of the round, whoever filled it in.

    Parameters
    ----------
    value : str
        Entities between ``；``, ``;`` or line ends; ``无`` says that there are none.

    Examples
    --------
    >>> entities_of("麻疹；柯氏斑"), entities_of("无")
    (('麻疹', '柯氏斑'), ())
    """
    if value.strip() == NO_ENTITIES:
        return ()
    return tuple(entity for part in SEPARATORS.split(value) if (entity := part.strip()))


def read_opposed(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
    r"""Read whether a judge found in an answer what is opposed to the reference.

    Parameters
    ----------
    text : str
        What the judge wrote. Its last line must be ``结论：有`` or ``结论：无`` and nothing else, and a line before it
        that begins with ``结论：`` must say the same. A closed thinking block is passed over.
    _context : mapping
        Not looked at.

    Returns
    -------
    mapping or None
        ``opposed``, ``yes`` or ``no``; None where the text does not conclude so.

    Examples
    --------
    >>> read_opposed("剂量相差十倍。\n结论：有", {})
    {'opposed': 'yes'}
    >>> read_opposed("没有发现对立的内容。", {}) is None
    True
    """
    lines = [line.strip() for line in (spoken(text) or "").splitlines() if line.strip()]
    said = {(match := CONCLUSION.fullmatch(line)) and match[1] for line in lines if CONCLUDING.match(line)}
    if len(said) != 1 or not CONCLUDING.match(lines[-1]):
        return None
    verdict = OPPOSED.get(said.pop())
    return None if verdict is None else {"opposed": verdict}
