"""The tokens of a pair of texts as strings, a letter a token, so that n-grams and subsequences are found fast."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

    Letters = defaultdict[str, str]


SENTENCE_ENDS = "。！？?"  # it breaks a line after each
DOTS = "......"  # and after six dots, which may break a token
# In a spelled text white space is a space or ends a line; letters stand for the marks, an empty token and a break.
END_LETTERS = "\1\2\3\4"
EMPTY, BREAK = "\5", "\6"
EMPTY_LINE = re.compile(f"(?:(?<=[{END_LETTERS}{BREAK}\n]) *|^ +)\n")
# After six dots the next character cannot begin another six.
DOTTED = re.compile(r"(\.{6})(.?)")


def with_empty_tokens(text: str) -> str:
    r"""Put in the empty tokens, and leave white space out.

    rouge-chinese is given the tokens with spaces between, so every line but the first has at least a space, and is a
    token even if it has nothing else; a first line may be truly empty, and is none. White space at the end is no line.

    Examples
    --------
    >>> with_empty_tokens("ab\n\nc\n") == "ab" + EMPTY + "c"
    True
    """
    lines = EMPTY_LINE.sub(EMPTY, text.rstrip(" \n"))
    return lines.replace(" ", "").replace("\n", "").replace(BREAK, "")


def broken(token: str) -> list[str]:
    """Break a token after six dots as rouge-chinese does; the last part is empty where the break is at the end.

    Examples
    --------
    >>> broken("........")
    ['......', '..']
    """
    return DOTTED.sub(r"\1\n\2", token).split("\n")


FIRST = 33  # after the letters that mean something
LONGEST = 1_000_000  # tokens of a pair; there are 1,114,112 letters
SPACES = (
    "\t\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028"
    "\u2029\u202f\u205f\u3000"
)
MEANT = {
    **dict.fromkeys(SPACES, " "),
    **dict(zip(SENTENCE_ENDS, END_LETTERS, strict=True)),
    "\n": "\n",
    "\r\n": " \n",
}


def new_letters() -> Letters:
    """Give letters for the tokens of a pair: a token that has none yet gets the next."""
    return defaultdict(map(chr, range(FIRST, 0x110000)).__next__, MEANT)


def as_letters(text: str, tokens: Sequence[str], letters: Letters) -> tuple[str, str]:
    r"""Spell a text, a letter a token.

    Of the tokens that are not white space. Of the tokens that rouge-chinese sees; the same object where they are the
    same.

    Examples
    --------
    >>> strict, chinese = as_letters("发热\n\n发热", ["发热", "\n", "\n", "发热"], new_letters())
    >>> len(strict), strict[0] == strict[1], len(chinese)
    (2, True, 3)
    """
    if len(letters) + len(tokens) > LONGEST:
        raise MedzhError(
            "a pair of texts is too long",
            expected=f"at most {LONGEST:,} tokens",
            found=len(tokens),
            advice="look for a prediction that never ended, and shorten it",
        )
    spaced = "".join(map(letters.__getitem__, tokens))
    strict = spaced.replace(" ", "").replace("\n", "")
    if DOTS in text:
        spaced = "".join([_broken(token, letters) if DOTS in token else letters[token] for token in tokens])
    elif "\n" not in spaced:
        return strict, strict
    chinese = with_empty_tokens(spaced)
    return strict, strict if chinese == strict else chinese


def _broken(token: str, letters: Letters) -> str:
    """Spell the parts of a token that rouge-chinese breaks."""
    return BREAK.join([letters[part] if part else "" for part in broken(token)])
