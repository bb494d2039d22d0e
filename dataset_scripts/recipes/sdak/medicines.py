"""Names of medicines: what is left without salt and dosage form, and which are of Western medicine."""

from __future__ import annotations

import re
from functools import cache

from dataset_scripts.recipes.sdak.content import fold
from dataset_scripts.recipes.sdak.words import alternatives

SALT = re.compile(f"^(?:注射用)?(?:{alternatives('salts')})?")
FORM = re.compile(f"(?:{alternatives('ways')})*(?:{alternatives('forms')})$")
WESTERN = re.compile(alternatives("western"))


@cache
def core(name: str) -> str:
    """Reduce a medicine's name to what it holds, folded: without salt and dosage form.

    >>> core("盐酸左氧氟沙星胶囊"), core("阿奇霉素片"), core("散剂")
    ('左氧氟沙星', '阿奇霉素', '散剂')
    """
    folded = fold(name)
    bare = FORM.sub("", SALT.sub("", folded))
    return bare if len(bare) > 1 else folded


def is_western(name: str) -> bool:
    """Say whether a name is one of Western medicine for certain."""
    return bool(WESTERN.search(name)) and "复方" not in name
