"""The key entities of a reference, and whether an answer names them (PeMeBench, section 2.4)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

DROPPED = "PZC"  # the general categories of punctuation, white space, and control and invisible characters
DASHES = "~∶\u2212"  # of another category, but written for a dash or a colon: 2～3天, 1∶1000
NO_DECIMAL = re.compile(r"(?<![0-9])\.|\.(?![0-9])")


class _Kept(dict[int, int | None]):
    """A table for `str.translate` that learns which characters to drop as it meets them."""

    def __missing__(self, code: int) -> int | None:
        sign = chr(code)
        dropped = sign != "." and (sign in DASHES or unicodedata.category(sign)[0] in DROPPED)
        self[code] = kept = None if dropped else code
        return kept


_KEPT = _Kept()


@dataclass(frozen=True)
class Entities:
    """The entities of one reference.

    Attributes
    ----------
    kept : tuple of str
        Those that stand in the reference, normalised, each once.
    left_out : int
        How many others there are.
    judged : bool
        Whether they come from the round, which overrides the record.
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
        In NFKC and lower case, without white space, punctuation and invisible characters. The point inside a number
        stays, for 1.5 mg is not 15 mg, and so do signs such as + and <.

    Examples
    --------
    >>> normalised("ＩＬ－６ 升高，CD4+，0.5 mg/kg。")
    'il6升高cd4+0.5mgkg'
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    return NO_DECIMAL.sub("", folded).translate(_KEPT)


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
    kept = tuple(entity for entity in distinct if entity and entity in where)
    return Entities(kept, len(distinct) - len(kept), judged)
