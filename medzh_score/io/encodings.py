"""Which encoding a Chinese text is in that is no UTF-8: the same bytes may be words in GB18030 and, others, in Big5."""

from __future__ import annotations

import re
from functools import cache
from math import log
from typing import TYPE_CHECKING

from medzh_score.io.paths import package_file
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

GB18030, BIG5 = "GB18030", "Big5"
EITHER = _("{right} or {wrong}", right=GB18030, wrong=BIG5)
FREQUENT = "io/frequent_characters.txt"
SIGNS = "，。、；：？！（）《》“”‘’—…「」『』【】\u3000％～·"
CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef“”‘’…—·]")
# Ranks, as if in one list of all characters: of signs between sentences, and of what is in no list of frequent ones.
SIGN, RARE, FOREIGN = 20, 20_000, 40_000
FLATTER = 10  # added to ranks: the very first characters are less frequent than 1 / rank
# Odds of 3,000 to 1. Of 48,000 medical phrases of one to twenty characters none in Big5 passed as GB18030, nor the
# other way; of those of eight characters 99.9 % were told apart.
SURELY = 8


def likely_encoding(content: bytes) -> str | None:
    """Name the encoding in which content that is no UTF-8 reads as Chinese, or both where either may be."""
    if _damaged_utf8(content):
        return None
    text = _decoded(content, "gb18030")
    told = BIG5 if text is None else _gb18030_or_big5(set(text))
    read = _decoded(content, "big5hkscs") if told == BIG5 else text
    return told if read is not None and _is_chinese(read) else None


def _gb18030_or_big5(characters: Collection[str]) -> str:
    """Say by how frequent the characters are that some bytes are in GB18030, and those that they are in Big5.

    Each counts once, however often it stands in the text: a word that is repeated is no better evidence.
    """
    lead = sum(_log_rank(_in_big5(one)) - _log_rank(one) for one in characters if not one.isascii())
    return GB18030 if lead >= SURELY else BIG5 if lead <= -SURELY else EITHER


def _damaged_utf8(content: bytes) -> bool:
    """Say whether it is UTF-8 with a fault, which reads as Chinese too, of a sort; but most of it is still UTF-8."""
    text = content.decode("utf-8", "replace")
    faults = text.count("\ufffd")
    return faults <= sum(not character.isascii() for character in text) - faults


def _decoded(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _is_chinese(text: str) -> bool:
    """Say whether nine in ten characters beyond ASCII are Chinese, or the signs between them."""
    foreign = sum(not character.isascii() for character in text)
    return len(CHINESE.findall(text)) * 10 >= foreign * 9


def _in_big5(character: str) -> str:
    """Give the character that the same bytes are in Big5, with the additions of Hong Kong."""
    try:
        return character.encode("gb18030").decode("big5hkscs")[0]
    except UnicodeError:
        return "\ufffd"


def _log_rank(character: str) -> float:
    return _log_ranks().get(character) or log(RARE if CHINESE.match(character) else FOREIGN)


@cache
def _log_ranks() -> Mapping[str, float]:
    lines = package_file("medzh_score", FREQUENT).read_text(encoding="utf-8").splitlines()
    ranks = {character: log(rank + FLATTER) for rank, line in enumerate(lines, 1) for character in line}
    return ranks | dict.fromkeys(SIGNS, log(SIGN))
