"""The forms into which texts are brought so that those which read the same are the same."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from medzh_score.io.paths import package_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PARTING = "\0"
# What most texts are normalised for: replaced beforehand, they leave nothing to do, which is found out faster.
WIDE = tuple((wide, unicodedata.normalize("NFKC", wide)) for wide in "，：；？！（）％")
# Copies from PDFs have them in the place of the characters that look alike.
RADICALS = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x2E80, 0x2FE0)}
RADICAL = re.compile("[\u2e80-\u2fdf]")
TRADITIONAL = "text/traditional.txt"
JOINS = "\t'’‘ʼ`´*_·•・‧"  # beside spaces and dashes: what may stand inside a name or not, as in Crohn’s and Crohns
# Signs that stand for a number: Roman ones for that of a type or a stage, those in circles for that of a list.
ROMAN, CIRCLED = ((0x2160, 12), (0x2170, 12)), ((0x2460, 20), (0x2776, 10), (0x2780, 10), (0x278A, 10))
NUMBERS = {chr(start + place): str(place + 1) for start, count in ROMAN for place in range(count)} | {
    chr(start + place): f"({place + 1})" for start, count in CIRCLED for place in range(count)
}
TYPED = re.compile(r"(?<![a-z])(i{1,3}|iv|v)(?= ?[型期度级])")
DIGITS = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5"}
DROPPED = "*_`\\\u200b\ufeff"
BULLET = re.compile(r"^([^\S\n]*)[*+•●○■□◆◇▪‣·](?=[^\S\n])", re.MULTILINE)
# White space stays where it parts Latin words and numbers, once.
SPACE = re.compile(r"(?<![a-z0-9]) +| +(?![a-z0-9 ])")
HIGH_POINT = re.compile(r"(?<=[0-9])·(?=[0-9])")


class CharMap(dict[int, str | None]):
    """A table for `str.translate` that learns what a character becomes as it meets it."""

    def __init__(self, becomes: Callable[[str], str | None]) -> None:
        super().__init__()
        self._becomes = becomes

    def __missing__(self, code: int) -> str | None:
        """Learn a character."""
        self[code] = self._becomes(chr(code))
        return self[code]


def fold(text: str) -> str:
    """Bring texts that read the same to one form: compatibility characters and spaces do not count."""
    if not unicodedata.is_normalized("NFKC", text):
        for wide, narrow in WIDE:
            text = text.replace(wide, narrow)
        text = unicodedata.normalize("NFKC", text)
    return "".join(text.split())


def fold_all(texts: Sequence[str]) -> list[str]:
    """Fold several texts at once, which is faster: nothing is composed across the character that parts them."""
    folded = fold(PARTING.join(texts)).split(PARTING)
    return folded if len(folded) == len(texts) else [fold(text) for text in texts]


def without_radicals(text: str) -> str:
    """Put characters in the place of the radicals that look alike, one for one."""
    return text.translate(RADICALS) if RADICAL.search(text) else text


@cache
def simplified_characters() -> Mapping[int, str]:
    """Give a table for `str.translate`: one character stands for one, so that places in a text stay."""
    lines = package_file("medzh_score", TRADITIONAL).read_text(encoding="utf-8").splitlines()
    return {ord(sign): line[0] for line in lines for sign in line[1:]}


def is_invisible(sign: str) -> bool:
    """Say whether a character parts no words: a mark on the letter before it, or one without width."""
    return unicodedata.category(sign) in {"Mn", "Cf"}


@cache
def concept_character(sign: str) -> str:
    """Give what a character becomes in `fold_concept_name`."""
    folded, last = sign, ""
    while folded != last:
        last = folded
        kept = [
            one
            for one in unicodedata.normalize("NFKD", last)
            if one not in JOINS and unicodedata.category(one) not in {"Zs", "Pd"} and not is_invisible(one)
        ]
        folded = "".join(kept).casefold()
    return folded


_CONCEPT_CHARACTERS = CharMap(concept_character)


def fold_concept_name(text: str) -> str:
    """Bring a text or a name of a concept into the form in which these are masked: POEMS 综合征 is poems综合征."""
    return text.translate(_CONCEPT_CHARACTERS)


def _disease_character(sign: str) -> str | None:
    if sign in NUMBERS:
        return NUMBERS[sign]
    if sign in DROPPED:
        return None
    if unicodedata.category(sign) == "Cs":  # half a character, which no finder takes
        return "\ufffd"
    if sign.isspace():
        return "\n" if sign in "\n\r\u2028\u2029" else "  " if sign == "\t" else " "
    form = unicodedata.normalize("NFKC", sign).lower().replace("【", "[").replace("】", "]")
    return form.translate(simplified_characters())


_DISEASE_CHARACTERS = CharMap(_disease_character)


def fold_disease_name(text: str) -> str:
    """Bring a text or a name of a disease into the form in which these are looked for: Ⅱ型 糖尿病 is 2型糖尿病."""
    form = BULLET.sub(r"\1-", text).translate(_DISEASE_CHARACTERS)
    return SPACE.sub("", TYPED.sub(lambda found: DIGITS[found[1]], form))


# A raised or circled digit is no part of a code, and ends it: J30.4¹ is not J30.41.
_CODE_CHARACTERS = CharMap(
    lambda sign: " " if unicodedata.category(sign) == "No" else unicodedata.normalize("NFKC", sign)
)


def fold_code(text: str) -> str:
    """Bring a text into the form in which codes are looked for: in NFKC, and a point that is set high stands low."""
    return HIGH_POINT.sub(".", text.translate(_CODE_CHARACTERS))
