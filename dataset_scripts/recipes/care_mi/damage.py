"""What a source lost of numbers, units and beginnings: mended where it can only be one thing, else left out."""

from __future__ import annotations

import re

# A power that lost its raised digits before /L: 25×109/L is 25×10⁹/L.
POWER = re.compile(r"(?<=[×xX*])\s?10(6|9|12)(?=\s?/\s?[LlＬ])")
RAISED = {"6": "⁶", "9": "⁹", "12": "¹²"}
GAS = re.compile(r"(?<=CO)2(?=\s?[0-9]{2})|(?<=PaO)2(?=\s?[0-9]{2})")
ONE = re.compile(r"(?<=第)l(?=[一-鿿])")
GARBLED = (
    # Red cells are counted in 10¹²/L.
    re.compile(r"(?:红细胞|RBC)[^，,。；;]{0,2}[0-9.]+×10(?:9|⁹)"),
    # More than nine of them, or of 10⁹/L cells in the cerebrospinal fluid, nobody has: a point or a power is lost.
    re.compile(r"(?:红细胞|RBC)[^，,。；;]{0,2}[1-9][0-9]+(?:[.][0-9]+)?×10(?:12|¹²)"),
    re.compile(r"脑脊液[^。]{0,40}×10(?:9|⁹)/L"),
    re.compile(r"[μµu]g/t|g?[μµ]mm|g[μµ]m"),
    re.compile("mml|mm1|Hg[0-9]"),
    re.compile(r"[0-9]万[0-9]|[0-9][.．][0-9]+[.．][0-9]"),
    re.compile(r"(?:负荷|维持|冲击|首剂)量[^，。]{0,6}m[lL]/kg"),
    re.compile(r"(?<![0-9.])(?:[2-9]|1[0-9])岁[男女]婴"),
    re.compile(r"×10(?:[0-9]{1,2})(?![0-9⁰¹²³⁴-⁹])(?!\s?cm)"),
    re.compile(r"[0-9][lO][0-9]|[0-9][\^][0-9]|�|□"),
)
# The beginning of the case is lost, the end of a sentence within it, or a character is another one.
TORN = (
    re.compile(r"^[0-9.]+\s*(?:/[0-9]|mm|[。，,×%％]|次/)"),
    re.compile(r"^[，,。、）)；;的和及与或]"),
    re.compile(r"[一-鿿0-9][0-9]{1,2}．[一-鿿]"),
    re.compile("(?:主要|首选|最佳)的治[是为]$|周血白细[^胞]|查体。未|汤洋|阴遭"),
)


def mend(text: str) -> str:
    """Raise the digits of powers before /L, lower the 2 of PaCO₂ that stands at its value, and read 第l as 第1.

    >>> mend("WBC25×109/L，第l胎")
    'WBC25×10⁹/L，第1胎'
    """
    return GAS.sub("₂", ONE.sub("1", POWER.sub(lambda found: f"10{RAISED[found[1]]}", text)))


def is_garbled(text: str) -> bool:
    """Say whether a number or its unit is not what it was.

    >>> is_garbled("硫酸镁0.5万1～1万IU"), is_garbled("血压160/110mmHg")
    (True, False)
    """
    return any(pattern.search(text) for pattern in GARBLED)


def is_torn(text: str) -> bool:
    """Say whether a part of a text is missing.

    >>> is_torn("160/110mmHg，尿蛋白（++）"), is_torn("28岁初产妇，妊娠39周")
    (True, False)
    """
    return any(pattern.search(text) for pattern in TORN)
