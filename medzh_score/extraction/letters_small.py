"""Labels in small letters, where what stands around them tells that they are labels: (c), option c, b) at the front."""

from __future__ import annotations

import re

SMALL = re.compile(
    r"(?<![A-Za-z0-9])[（(][a-h][)）]|\b[Oo]ptions? [a-h](?![A-Za-z0-9'’])"
    r"|\A[a-h][)）.、](?![A-Za-z0-9])|\b[Ii]t(?:'s| is) [a-h]\.\Z"
)


def small_letters(text: str) -> str:
    """Write them as capitals, so that no place moves.

    Parameters
    ----------
    text : str
        A prepared response.

    Examples
    --------
    >>> small_letters("I choose option (c), not a cold drug.")
    'I choose option (C), not a cold drug.'
    """
    if not ("(" in text or "（" in text or "ption" in text or text[:1].islower() or text.endswith(".")):
        return text
    return SMALL.sub(_capital, text)


def _capital(found: re.Match[str]) -> str:
    written = found[0]
    place = next(place for place in range(len(written) - 1, -1, -1) if written[place] in "abcdefgh")
    return written[:place] + written[place].upper() + written[place + 1 :]
