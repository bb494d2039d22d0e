"""A response made ready to be read: one width and script, without thinking, other turns and markup; places are kept."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.answers import Span
from medzh_score.extraction.thinking import answer_pieces
from medzh_score.extraction.vocabulary import expression
from medzh_score.text.fold import RADICALS, simplified_characters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_BRACKETS = {"【〔〖［｛「『": "[", "】〕〗］｝」』": "]", "《〈＜‹«": "<", "》〉＞›»": ">"}
_LIKE = {"✅✔☑✓√": "√", "❌✗✘✖✕❎": "×", "’‘´′": "'", "\r\u2028\u2029\u000b\u000c": "\n"}
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
    "瞭": "了",  # in words of answers always, as in 瞭解; elsewhere a word of its own, so no table has it
}
_CIRCLED = ("ⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏ", "🅰🅱🅲🅳🅴🅵🅶🅷", "ⓐⓑⓒⓓⓔⓕⓖⓗ", "🄰🄱🄲🄳🄴🄵🄶🄷", "🅐🅑🅒🅓🅔🅕🅖🅗")

# It begins with a set of characters, which Python's `re` skips to; what was matched says what stands in its place.
BEYOND = 0x10000  # the first character beyond the basic plane
FREQUENT = "，：；？！（）【】\u3000"  # what most texts have, replaced faster one by one
# Soft hyphens, joiners, marks of direction, variants, controls but for blanks; sequences of a terminal begin with ESC.
_UNSEEN = (
    r"\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069"
    r"\u20e3\ufe0e\ufe0f\ufeff"
)
MARKUP = expression(
    "markup",
    rf"[<\"\\~*_`$#{{}}&|\x1b{_UNSEEN}]"
    r"(?:(?<=<)(?:/?(?![A-Z]{1,9}\s?>)[A-Za-z][A-Za-z0-9_-]{0,15}(?:\s+[A-Za-z-]+=[^<>\n]{0,120})?\s?/?>)"
    r"|(?<=\")(?:\s*,\s*(?=\"[^\"\n]{1,40}\"\s*:)|\s*:[ \t]*\"?(?=\S))?"
    r"|(?<=\\)(?:boxed\s*\{|(?:text|textbf|mathrm|mathbf|boldsymbol|quad|rm|bf)(?![a-z])|[()\[\],; ]|n(?![a-z]))"
    r"|(?<=~)~[^~\n]{1,80}~~|(?<=&)(?:nbsp|quot|amp);|(?<=`)``[A-Za-z]*|(?<=_)(?:_+|(?![A-Za-z0-9]))"
    r"|(?<=\|)(?:[ \t:-]{3,}\|)*"
    r"|(?<=\x1b)(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|[@-_])?"
    rf"|(?<=[*`$#{{}}{_UNSEEN}])[*`$#{{}}]*)",
    matches="**答案**",
    misses="答案：B",
)
BETWEEN = "\ufdd0"  # no text of an option holds it
UNSEEN = "\u200b"
PART = "\f"  # ends an answer; base models go on with a question of their own, or with the next of a group
# What stands in the place of markup that says something; the rest leaves nothing behind.
LEAVES = (
    {"<eoa>": PART, "<eoe>": "\n", "<answer>": "答:", "\\n": "\n", "|": ","}
    | {f"</{tag}>": "\n" for tag in ("answer", "p", "li", "div", "h1", "h2", "h3", "tr", "td", "ul", "ol")}
    | dict.fromkeys(("<br>", "<br/>", "<br />", "<score>", "</score>", "<rating>", "</rating>"), "\n")
)


class Prepared(NamedTuple):
    """A text to be read, the same in lower case, and from where in the raw text its characters come.

    Each piece that was kept begins at a place of ``kept`` in the text, and of ``raw`` in the raw one. ``lacks`` says
    why there is nothing to read.
    """

    text: str
    folded: str
    kept: tuple[int, ...]
    raw: tuple[int, ...]
    lacks: str = ""

    def span(self, start: int, end: int) -> Span:
        """Give the place in the raw text of characters of this one."""
        return Span(self._place(start), self._place(max(start, end - 1)) + (end > start))

    def part(self, start: int, end: int) -> Prepared:
        """Give a part of the text, with its places."""
        inside = [piece for piece, at in enumerate(self.kept) if start < at < end]
        kept = (0, *(self.kept[piece] - start for piece in inside))
        raw = (self._place(start), *(self.raw[piece] for piece in inside))
        body = self.text[start:end]
        return Prepared(body, self.folded[start:end], kept, raw, "" if body.strip() else "not given")

    def _place(self, at: int) -> int:
        piece = bisect_right(self.kept, at) - 1
        return self.raw[piece] + at - self.kept[piece]


@cache
def char_map() -> Mapping[int, str]:
    """Give the table of characters that stand for others, one for one, so that places stay."""
    wide = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    faces = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x1D400, 0x1D800)}
    table = {code: sign for code, sign in faces.items() if len(sign) == 1 and sign.isascii()} | wide
    table |= RADICALS
    table |= simplified_characters()
    table |= {ord(sign): chr(65 + place % 32) for signs in _CIRCLED for place, sign in enumerate(signs)}
    table |= {ord(sign): new for signs, new in _SIMILAR.items() for sign in signs}
    table |= dict.fromkeys(range(0xD800, 0xE000), "\ufffd")  # halves of characters, which no automaton takes
    return table | {0x3000: " ", 0xA0: " ", 0x2002: " ", 0x2003: " ", 0x2009: " ", 9: " "}


@cache
def _unusual() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Find characters of the table that few texts have, in the basic plane and beyond: only then all are looked up."""
    rare = sorted(chr(code) for code in char_map() if code < BEYOND and chr(code) not in FREQUENT)
    return re.compile("[" + re.escape("".join(rare)) + "]"), re.compile("[\U0001d400-\U0001f1ff]")


@cache
def _frequent() -> tuple[tuple[str, str], ...]:
    return tuple((sign, char_map()[ord(sign)]) for sign in FREQUENT)


def normalize_chars(text: str) -> str:
    """Put a text in one width and script, character for character."""
    for sign, twin in _frequent():
        text = text.replace(sign, twin)
    rare, beyond = _unusual()
    return text.translate(char_map()) if rare.search(text) or beyond.search(text) else text


def prepare(text: str) -> Prepared:
    """Prepare a response.

    Examples
    --------
    >>> prepare("<think>A?</think>**答案**：Ｂ").text
    '答案:B'
    """
    alike = normalize_chars(text)
    pieces = answer_pieces(alike)
    if not pieces:
        return Prepared("", "", (0,), (0,), "unfinished thinking" if pieces is None else "empty")
    start, end = pieces[0][0], pieces[-1][1]
    for (_, left), (right, _) in pairwise(pieces):  # signs that leave nothing behind, so that places stay
        alike = alike[:left] + UNSEEN * (right - left) + alike[right:]
    while start < end and alike[start].isspace():
        start += 1
    marks = list(MARKUP.pattern.finditer(alike, start))
    if not marks or marks[0].start() >= end:
        body = alike[start:end]
        return Prepared(body, _lower(body), (0,), (start,), "" if body.strip() else "empty")
    return _without_markup(alike, start, end, marks)


def prepare_options(texts: Sequence[str]) -> Sequence[str]:
    """Prepare and fold texts that hold no thinking and no turns: all at once where none has markup."""
    together = normalize_chars(BETWEEN.join(texts))
    alike = together.split(BETWEEN)
    if len(alike) != len(texts):
        alike = [normalize_chars(text) for text in texts]
    elif not MARKUP.pattern.search(together):
        return _lower(together).split(BETWEEN)
    return [_without_markup(text, 0, len(text), list(MARKUP.pattern.finditer(text))).folded for text in alike]


def _without_markup(text: str, start: int, end: int, marks: Sequence[re.Match[str]]) -> Prepared:
    parts, kept, raw = [], [0], [start]
    length, last = 0, start
    for match in marks:
        at, after = match.span()
        if after > end:
            break
        new = _left(match[0])
        parts.append(text[last:at])
        length += at - last
        if new:
            parts.append(new)
            kept.append(length)
            raw.append(at)
            length += len(new)
        last = after
        kept.append(length)
        raw.append(last)
    parts.append(text[last:end])
    body = "".join(parts)
    return Prepared(body, _lower(body), tuple(kept), tuple(raw), "" if body.strip() else "empty")


@lru_cache(maxsize=1024)
def _left(mark: str) -> str:
    """Say what markup leaves behind: a bar a comma, a key of JSON its colon, a boxed answer what announces it."""
    if mark[0] == '"':
        return ":" if ":" in mark else "\n" if "," in mark else ""
    if mark.startswith("\\boxed"):
        return "答:"
    return "," if mark[0] == "|" else LEAVES.get(mark, "")


def _lower(text: str) -> str:
    """Lower letters one for one: some of other scripts would become two."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(sign.lower() if sign.isascii() else sign for sign in text)
