"""One manner of writing for Chinese medical texts: compatibility forms, case, dashes, powers."""

from __future__ import annotations

import re
import unicodedata

SUPERSCRIPT = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
SUBSCRIPT = re.compile("[₀₁₂₃₄₅₆₇₈₉]+")
ROMAN = re.compile("[Ⅰ-Ⅻⅰ-ⅻ]")
HALF = re.compile(r"(?<=\d)½")
FOLDED = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("∼〜～", "~"),
        **dict.fromkeys("•∙⋅・‧", "·"),
        **dict.fromkeys("∶︰", ":"),
        "⁄": "/",
    }
)
# Of lists: 1. 2、 (3) ①. They are no facts.
ENUMERATED = re.compile(r"(?:^|(?<=[\s。;,:、]))\(?\d{1,2}(?:\)|[、.](?!\d)(?=[^\S\n]*\S))", re.MULTILINE)
CIRCLED = re.compile(r"[①-⓿]")


def folded(text: str) -> str:
    """Write a text in one manner: compatibility forms, case, dashes, powers; list numbers are taken out.

    >>> folded("１．５×10⁹/L、60ｍｇ·kg⁻¹")
    '1.5×10^9/l、60mg·kg^-1'
    """
    text = SUPERSCRIPT.sub(lambda power: "^" + unicodedata.normalize("NFKC", power.group()), CIRCLED.sub(" ", text))
    text = SUBSCRIPT.sub(lambda low: unicodedata.normalize("NFKC", low.group()) + " ", HALF.sub(".5", text))
    text = ROMAN.sub(lambda roman: f" {int(unicodedata.numeric(roman.group()))}  ", text)
    return ENUMERATED.sub(" ", unicodedata.normalize("NFKC", text.translate(FOLDED)).translate(FOLDED).casefold())
