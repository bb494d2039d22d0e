"""What only dresses a response: markup, other widths and scripts, pictures."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from medzh_score.extraction.edits import Edit, Edits
from medzh_score.terminology.traditional import simplified_characters

if TYPE_CHECKING:
    from collections.abc import Mapping

# Signs of traditional texts that no name of a disease has, and the words of answers may have.
_TRADITIONAL = "們駁屆詞讓諒審謠瞭資訊訂廠話"
_SIMPLIFIED = "们驳届词让谅审谣了资讯订厂话"
_CIRCLED = "ⒶⒷⒸⒹⒺⒻⒼⒽ\U0001f150\U0001f151\U0001f152\U0001f153\U0001f154\U0001f170\U0001f171"
_LETTERS = "ABCDEFGHABCDEAB"
_CHECKS = "✅✔☑✓"
_CROSSES = "❌✗✘✖✕"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff\u20e3"
_PICTURES = "\u2600-\u27bf\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff"
_BEYOND = 0x10000
_MATHEMATICAL = range(0x1D400, 0x1D800)  # letters and digits in bold, italic and other faces

_ENTITIES = {"&nbsp;": " ", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&"}
_MARKUP = re.compile(
    r"(?P<line><br\s?/?>|</(?:p|li|div|h[1-6]|tr|td|ul|ol|blockquote)>|\\n(?![a-z])|\\\\(?=\n))"
    r"|(?P<entity>&(?:nbsp|lt|gt|quot|amp);)|(?P<check>\\checkmark(?![a-z]))"
    r"|~~[^~\n]{1,80}~~|~~"  # struck out: taken back
    r"|</?(?![A-H]>)[A-Za-z][A-Za-z0-9_]{0,15}(?:\s+[A-Za-z-]+=[^<>\n]{0,120})?\s?/?>|<\|[^|<>\n]{1,24}\|>"
    r"|\\(?:text|textbf|textit|mathrm|mathbf|mathsf|boldsymbol|operatorname|rm|bf|quad)(?![a-z])|\\[()\[\],; ]"
    rf"|```[A-Za-z]*|[*_`$#{{}}{_PICTURES}{_INVISIBLE}]+"
)
# At the beginning of a line: marks of lists and quotes, rules, and a tick before words.
_LINE_MARK = re.compile(
    r"(?:\A|(?<=\n))[^\S\n]*(?:(?:[-+*•●▪○·>]|-{3,})[^\S\n]+|-{3,}(?=\n|\Z)"
    rf"|√[^\S\n]*(?=[^\s√×{_INVISIBLE}]))"
)
_RULE = re.compile(r"[|:\s-]+")
_BAR = re.compile(r"[^\S\n]*\|[^\S\n]*")
_LINE = re.compile(r"\n")


@cache
def twins() -> Mapping[int, str]:
    """Give the table of characters that stand for others, one for one, so that places stay.

    Returns
    -------
    mapping of int to str
        Letters and digits of other widths and faces, the point of full width, traditional characters, ticks and
        crosses, and the end of a line.

    Examples
    --------
    >>> "答案選Ｂ，錯誤❌".translate(twins())
    '答案选B，错误×'
    """
    wide = {
        code: chr(code - 0xFEE0)
        for code in range(ord("！"), ord("～") + 1)
        if chr(code - 0xFEE0).isalnum() or chr(code) in "．［］"
    }
    faces = {code: unicodedata.normalize("NFKC", chr(code)) for code in _MATHEMATICAL}
    return {
        **{code: sign for code, sign in faces.items() if len(sign) == 1 and sign.isascii()},
        **wide,
        **simplified_characters(),
        **{ord(one): other for one, other in zip(_TRADITIONAL, _SIMPLIFIED, strict=True)},
        **{ord(one): other for one, other in zip(_CIRCLED, _LETTERS, strict=True)},
        **dict.fromkeys(map(ord, _CHECKS), "√"),
        **dict.fromkeys(map(ord, _CROSSES), "×"),
        ord("\r"): "\n",
    }


@cache
def twin() -> re.Pattern[str]:
    """Make the expression that finds whether a text has any character that stands for another.

    Examples
    --------
    >>> bool(twin().search("正确")), bool(twin().search("正確"))
    (False, True)
    """
    return re.compile(f"[{_signs()}]")


@cache
def unusual() -> re.Pattern[str]:
    """Make the expression that finds whether a text may be dressed at all; only ``~~`` is looked for apart.

    Examples
    --------
    >>> bool(unusual().search("正确。")), bool(unusual().search("**正确**。"))
    (False, True)
    """
    return re.compile(f"[<◁|\\\\*_`$#{{}}&√•●▪○·\u2600-\u27bf{_INVISIBLE}{_signs()}]")


@cache
def marked() -> re.Pattern[str]:
    """Make the expression that finds whether a text of usual width may hold markup.

    Examples
    --------
    >>> bool(marked().search("正确")), bool(marked().search("`正确`"))
    (False, True)
    """
    return re.compile(rf"[<\\&*_`$#{{}}{_PICTURES}{_INVISIBLE}]|~~")


@cache
def beside_twins() -> re.Pattern[str]:
    """Make the expression that finds what may dress a text beside characters that stand for others.

    Examples
    --------
    >>> bool(beside_twins().search("正確")), bool(beside_twins().search("・正確|")), bool(beside_twins().search("✅"))
    (False, True, True)
    """
    return re.compile(rf"[<◁|\\*_`$#{{}}&√•●▪○·\r［］\u2600-\u27bf\U0001f000-\U0001faff{_INVISIBLE}]|~~")


def _signs() -> str:
    # One range for all beyond the first 65,536: each part of a class there costs a comparison a character.
    return re.escape("".join(chr(code) for code in sorted(twins()) if code < _BEYOND)) + "\U0001d400-\U0001faff"


def markup(text: str) -> Edits:
    """Find what is markup, or a picture.

    Parameters
    ----------
    text : str
        Whose characters are of usual width.

    Examples
    --------
    >>> markup("`正确`")
    [Edit(start=0, end=1, new=''), Edit(start=3, end=4, new='')]
    """
    return [Edit(found.start(), found.end(), _instead(found)) for found in _MARKUP.finditer(text)]


def line_marks(text: str) -> Edits:
    """Find the marks that open lines.

    Parameters
    ----------
    text : str
        Without other markup.

    Examples
    --------
    >>> line_marks("- 正确")
    [Edit(start=0, end=2, new='')]
    """
    edits: list[Edit] = []
    for start in (0, *(line.end() for line in _LINE.finditer(text))):
        if text.startswith("|", start):
            edits += _row(text, start)
        elif mark := _LINE_MARK.match(text, start):
            edits.append(Edit(mark.start(), mark.end()))
    return edits


def _row(text: str, start: int) -> Edits:
    """Take the bars off the row of a table, and put colons between its cells."""
    end = text.find("\n", start) % (len(text) + 1)
    if _RULE.fullmatch(text, start, end):
        return [Edit(start, end)]
    bars = list(_BAR.finditer(text, start, end))
    inner = [Edit(bar.start(), bar.end(), "：") for bar in bars[1:] if bar.end() < end]
    return [Edit(start, bars[0].end()), *inner, *(Edit(bar.start(), end) for bar in bars[1:] if bar.end() >= end)]


def _instead(found: re.Match[str]) -> str:
    kind = found.lastgroup
    if kind is None:
        return ""
    if kind == "entity":
        return _ENTITIES[found[0]]
    return "\n" if kind == "line" else "√"
