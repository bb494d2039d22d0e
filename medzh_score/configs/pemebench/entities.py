"""The key entities of a reference, and whether an answer names them (PeMeBench, section 2.4)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

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

    Parameters
    ----------
    text : str
        An entity, a reference or an answer.

    Returns
    -------
    str
        In NFKC and lower case, without white space, punctuation and invisible characters, of which one space is left
        between two digits: 2～3天 is not 23天. The point inside a number stays, for 1.5 mg is not 15 mg, and so do
        signs such as + and <.

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

    Parameters
    ----------
    text, entity : str
        Normalised.

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

    Parameters
    ----------
    reference : str
        The reference.
    entities : iterable of str
        As they were written down.
    judged : bool
        Whether they come from the round.

    Returns
    -------
    Entities
        What the reference does not hold, and what is nothing but punctuation, is left out.

    Examples
    --------
    >>> entities_in("麻疹病毒感染", ["麻疹", "麻 疹", "风疹"])
    Entities(kept=('麻疹',), left_out=1, judged=False)
    """
    where = normalised(reference)
    distinct = dict.fromkeys(map(normalised, entities))
    kept = tuple(entity for entity in distinct if entity and names(where, entity))
    return Entities(kept, len(distinct) - len(kept), judged)
