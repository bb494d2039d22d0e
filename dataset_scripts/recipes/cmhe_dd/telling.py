"""What a case must say for its disease to be told from its neighbours, and what speaks for one of these.

By the code, to its fourth character: whatever a source calls the disease, its neighbours are the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Telling:
    """What is looked for in a case."""

    says: str = ""  # a pattern that must be found
    never: str = r"(?!)"  # and one that must not


SEEN_WITHIN = "肠镜|钡|CT|造影"  # which tell the part of the colon, too
TELLING = {
    # A cold is of the nose; bronchi, a bad cough, tonsils and high fever have names of their own, as influenza has.
    "J06.9": Telling("鼻.{0,3}[涕塞堵痒]|流涕|清涕|喷嚏", "气管|老咳|越咳|咳.{0,4}厉害|扁桃|高[烧热]|39|40度"),
    # An allergy itches and sneezes; throat, fever, blood, a growth and a sore within the nose are no part of it.
    "J30.4": Telling(r"痒[\s\S]*喷嚏|喷嚏[\s\S]*痒", "嗓|咽|喉|烧|发热|血|肉|膏|脓"),
    # The part of the colon stands on its side of the belly, and a side that is told is a part.
    "C18.2": Telling(f"右.{{0,3}}腹|{SEEN_WITHIN}"),
    "C18.6": Telling(f"左.{{0,3}}腹|{SEEN_WITHIN}"),
    "C18.7": Telling(f"左.{{0,3}}腹|直肠指|{SEEN_WITHIN}"),
    "C18.9": Telling(never="[左右].{0,3}腹"),
    # Shadows on a film without a cough may be of any germ; wheezing of an infant is bronchiolitis as often.
    "J15.7": Telling("咳"),
    "J12.1": Telling("抗原|抗体|核酸|PCR|分离"),
    # Tuberculosis and inflammation of parts that nobody looked at.
    "A17.0": Telling("脑脊液"),
    "A18.1": Telling("造影|活检|病理|镜|结核|PPD|抗酸"),
    "N41.1": Telling("前列腺|指[诊检]|EPS"),
    # Dense and closed ends are those of a fracture that will not heal.
    "M84.2": Telling(never="密度增高|硬化|封闭"),
}


def tells(text: str, codes: Sequence[str]) -> bool:
    """Say whether a case tells its diseases from their neighbours, as far as there is a rule for them.

    >>> tells("全腹胀痛，黏液血便。", ["C18.600"]), tells("左下腹包块，黏液血便。", ["C18.600"])
    (False, True)
    """
    rules = [TELLING.get(code[:5], Telling()) for code in codes]
    return all(re.search(rule.says, text) and not re.search(rule.never, text) for rule in rules)
