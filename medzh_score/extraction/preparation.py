"""A response made ready to be read: one width and script, without thinking, other turns and markup; places are kept."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.expressions import expression
from medzh_score.extraction.reading import Span
from medzh_score.extraction.turns import answer_region
from medzh_score.terminology.traditional import simplified_characters

if TYPE_CHECKING:
    from collections.abc import Mapping

_BRACKETS = {"【〔〖［｛「『": "[", "】〕〗］｝」』": "]", "《〈＜‹«": "<", "》〉＞›»": ">"}
_LIKE = {"✅✔☑✓√": "√", "❌✗✘✖✕❎": "×", "’‘`´′": "'", "\r\u2028\u2029\u000b\u000c": "\n"}
_SIMILAR = {
    **_BRACKETS,
    **_LIKE,
    "：﹕∶": ":",
    "，﹐": ",",
    "；﹔": ";",
    "？﹖": "?",
    "！﹗": "!",
    "（﹙": "(",
    "）﹚": ")",
}
_CIRCLED = ("ⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏ", "🅰🅱🅲🅳🅴🅵🅶🅷", "ⓐⓑⓒⓓⓔⓕⓖⓗ", "🄰🄱🄲🄳🄴🄵🄶🄷", "🅐🅑🅒🅓🅔🅕🅖🅗")
# Characters of traditional texts that names of diseases have not, and the words of answers may have.
_TRADITIONAL = ("們駁屆詞讓諒審謠瞭資訊訂廠話", "们驳届词让谅审谣了资讯订厂话")

_QUICK = frozenset('*_`#~|<>\\$&{}"\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff\u20e3-•●▪·')
MARKUP = expression(
    "markup",
    r"(?P<line></(?:p|li|div|h[1-6]|tr|td|ul|ol)>|<br\s?/?>|\\n(?![a-z])|\\\\(?=\n)|\"\s*,\s*(?=\")|(?<=[{\[])\n|\n\s*[}\]]+\s*\Z)"
    r"|(?P<colon>\"\s*:\s*\"?(?=[^\s])|</?answer>[:\s]*|\\boxed\s*\{|(?<=\w)=(?=\s?<))"
    r"|~~[^~\n]{1,80}~~"
    r"|(?:\A|(?<=\n))[ \t]*(?:[-+*•●▪·>]+(?=\s)|-{3,}|\|?[-:| ]{5,}(?=\n|\Z)|#{1,6})[ \t]*"
    r"|</?(?![A-Z]>)[A-Za-z][A-Za-z0-9_-]{0,15}(?:\s+[A-Za-z-]+=[^<>\n]{0,120})?\s?/?>|<eo[ae]>"
    r"|\\(?:text|textbf|mathrm|mathbf|boldsymbol|quad|rm|bf)(?![a-z])|\\[()\[\],; ]"
    r"|```[A-Za-z]*|&(?:nbsp|quot|amp);|[*_`$#~{}\"\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff\u20e3]+|(?P<bar>[ \t]*\|[ \t]*)",
    matches="**答案**",
    misses="答案：B",
)


class Prepared(NamedTuple):
    """A text to be read, and from where in the raw text its characters come.

    Attributes
    ----------
    text : str
        What is read.
    folded : str
        The same in lower case, character for character.
    kept : tuple of int
        Where in ``text`` each piece that was kept begins.
    raw : tuple of int
        Where it begins in the raw text.
    lacks : str
        Why there is nothing to read; empty where there is something.
    """

    text: str
    folded: str
    kept: tuple[int, ...]
    raw: tuple[int, ...]
    lacks: str = ""

    def span(self, start: int, end: int) -> Span:
        """Give the place in the raw text of characters of this one."""
        return Span(self._place(start), self._place(max(start, end - 1)) + (end > start))

    def _place(self, at: int) -> int:
        piece = bisect_right(self.kept, at) - 1
        return self.raw[piece] + at - self.kept[piece]


@cache
def twins() -> Mapping[int, str]:
    """Give the table of characters that stand for others, one for one, so that places stay."""
    wide = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    faces = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x1D400, 0x1D800)}
    table = {code: sign for code, sign in faces.items() if len(sign) == 1 and sign.isascii()} | wide
    table |= simplified_characters()
    table |= {ord(old): new for old, new in zip(*_TRADITIONAL, strict=True)}
    table |= {ord(sign): chr(65 + place % 32) for signs in _CIRCLED for place, sign in enumerate(signs)}
    table |= {ord(sign): new for signs, new in _SIMILAR.items() for sign in signs}
    return table | {0x3000: " ", 0xA0: " ", 0x2002: " ", 0x2003: " ", 0x2009: " ", 9: " "}


def prepare(text: str) -> Prepared:
    """Prepare a response.

    Parameters
    ----------
    text : str
        As it came.

    Examples
    --------
    >>> prepare("<think>A?</think>**答案**：Ｂ").text
    '答案:B'
    """
    alike = text.translate(twins())
    start, end = answer_region(alike)
    if end < 0:
        return Prepared("", "", (0,), (0,), "unfinished thinking")
    if _QUICK.isdisjoint(alike[start:end]):
        body = alike[start:end]
        return Prepared(body, _lower(body), (0,), (start,), "" if body.strip() else "empty")
    return _without_markup(alike, start, end)


def _without_markup(text: str, start: int, end: int) -> Prepared:
    parts, kept, raw = [], [0], [start]
    length, last = 0, start
    for match in MARKUP.pattern.finditer(text, start, end):
        piece = text[last : match.start()]
        new = "\n" if match["line"] else ":" if match["colon"] else "\n" if match["bar"] else ""
        parts += (piece, new)
        if new:
            kept.append(length + len(piece))
            raw.append(match.start())
        length += len(piece) + len(new)
        last = match.end()
        kept.append(length)
        raw.append(last)
    parts.append(text[last:end])
    body = "".join(parts)
    return Prepared(body, _lower(body), tuple(kept), tuple(raw), "" if body.strip() else "empty")


def _lower(text: str) -> str:
    """Lower letters one for one: some of other scripts would become two."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(sign.lower() if sign.isascii() else sign for sign in text)
