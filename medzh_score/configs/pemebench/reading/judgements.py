"""What a judge's text says in PeMeBench's rounds: entities of a reference, and whether an answer opposes it.

Entities are read in the form that was asked for, the verdict as any answer with yes or no; all else is unreadable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from medzh_score.extraction.expressions import expression
from medzh_score.extraction.whole_text import answer_text
from medzh_score.extraction.yes_no import read_yes_no

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_ENTITIES = "无"
JOINT = "；"
SEPARATORS = expression("end of an entity", r"[；;\n\r\u2028\u2029]+", matches="发热；咳嗽", misses="发热、咳嗽")
FENCE = "```"

_ARRAY = msgspec.json.Decoder(list[str])


def read_entities(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
    r"""Read the array of entities that a judge lists, joined by ``；``, or ``无`` where it is empty.

    A separator inside an entity becomes a space, which is as little looked at as it is.

    Examples
    --------
    >>> read_entities('```json\n["麻疹", "柯氏斑"]\n```', {})
    {'entities': '麻疹；柯氏斑'}
    >>> read_entities("麻疹、柯氏斑", {}) is None
    True
    """
    try:
        listed = _ARRAY.decode(_unfenced(answer_text(text).strip()))
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    entities = [SEPARATORS.pattern.sub(" ", entity).strip() for entity in listed]
    if not all(entities) or (NO_ENTITIES in entities and len(entities) > 1):
        return None
    return {"entities": JOINT.join(entities) or NO_ENTITIES}


def _unfenced(text: str) -> str:
    head, _, rest = text.partition("\n")
    fenced = head.rstrip().lower() in {FENCE, f"{FENCE}json"} and rest.endswith(FENCE)
    return rest[: -len(FENCE)] if fenced else text


def entities_of(value: str) -> tuple[str, ...]:
    """Take apart what stands in the column ``entities`` of the round, whoever filled it in.

    Examples
    --------
    >>> entities_of("麻疹；柯氏斑"), entities_of("无")
    (('麻疹', '柯氏斑'), ())
    """
    if value.strip() == NO_ENTITIES:
        return ()
    return tuple(entity for part in SEPARATORS.pattern.split(value) if (entity := part.strip()))


def read_opposed(text: str, _context: Mapping[str, str]) -> Mapping[str, str] | None:
    r"""Read whether a judge concludes that an answer holds what is opposed to the reference.

    Examples
    --------
    >>> read_opposed("剂量相差十倍。\n结论：有", {})
    {'opposed': 'yes'}
    """
    found = read_yes_no(text).value
    return {"opposed": found} if isinstance(found, str) else None
