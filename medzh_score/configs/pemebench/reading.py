"""What a judge's text says in PeMeBench's rounds: entities of a reference, and whether an answer opposes it.

Entities are read in the form that was asked for, the verdict as any answer with yes or no; all else is unreadable.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from medzh_score.extraction.vocabulary import expression
from medzh_score.extraction.whole_text import answer_text
from medzh_score.extraction.yes_no import read_yes_no

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


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


DROPPED = "PZC"  # the general categories of punctuation, white space, and control and invisible characters
APART = " "  # what stands for signs between two digits
DIGITS = "0123456789"
BETWEEN_DIGITS = re.compile(rf"(?<=[0-9]){APART}+(?=[0-9])")
DASHES = "~∶\u2212"  # of another category, but written for a dash or a colon: 2～3天, 1∶1000
NO_DECIMAL = re.compile(r"(?<![0-9])\.|\.(?![0-9])")


class _Kept(dict[int, int]):
    """A table for `str.translate` that learns which characters to drop as it meets them: they become `APART`."""

    def __missing__(self, code: int) -> int:
        sign = chr(code)
        dropped = sign != "." and (sign in DASHES or unicodedata.category(sign)[0] in DROPPED)
        self[code] = kept = ord(APART) if dropped else code
        return kept


_KEPT = _Kept()


@dataclass(frozen=True)
class Entities:
    """The entities of one reference: those that stand in it, normalised, each once; and how many others there are.

    ``judged`` says that they come from the round, which overrides the record.
    """

    kept: tuple[str, ...]
    left_out: int
    judged: bool = False


def normalised(text: str) -> str:
    """Bring a text into the form in which entities are looked for.

    Examples
    --------
    >>> normalised("ＩＬ－６ 升高，CD4+，0.5 mg/kg，2～3 天。")
    'il6升高cd4+0.5mgkg2 3天'
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    kept = NO_DECIMAL.sub(APART, folded).translate(_KEPT)
    return BETWEEN_DIGITS.sub("\0", kept).replace(APART, "").replace("\0", APART)


def names(text: str, entity: str) -> bool:
    """Tell whether a text names an entity: one that begins or ends with a digit is no part of a longer number.

    Examples
    --------
    >>> names("疗程12周", "2周"), names("疗程2周", "2周"), names("口服1.5mg", "5mg")
    (False, True, False)
    """
    place = text.find(entity)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(entity) : place + len(entity) + 1]
        if not (_goes_on(entity[:1], before) or _goes_on(entity[-1:], after)):
            return True
        place = text.find(entity, place + 1)
    return False


def _goes_on(end: str, neighbour: str) -> bool:
    """Tell whether a number at the end of an entity goes on beside it: of points only those inside numbers are left."""
    return end != "" and end in DIGITS and neighbour != "" and neighbour in DIGITS + "."


def entities_in(reference: str, entities: Iterable[str], *, judged: bool = False) -> Entities:
    """Keep the entities that a reference holds.

    Examples
    --------
    >>> entities_in("麻疹病毒感染", ["麻疹", "麻 疹", "风疹"])
    Entities(kept=('麻疹',), left_out=1, judged=False)
    """
    where = normalised(reference)
    distinct = dict.fromkeys(map(normalised, entities))
    kept = tuple(entity for entity in distinct if entity and names(where, entity))
    return Entities(kept, len(distinct) - len(kept), judged)
