"""Which font of this machine has the characters of a text, Chinese ones above all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from matplotlib.font_manager import FontEntry

BASE = "DejaVu Sans"  # comes with matplotlib, so that figures without other characters look the same everywhere
REGULAR = (400, "normal", "regular", "book", "roman")
# Fonts that draw a box in place of every character.
LAST_RESORT = ("lastresort", "last resort", ".")


def fonts_for(text: str) -> tuple[list[str], str]:
    """Find fonts for a text among those that matplotlib knows on this machine."""
    from matplotlib.font_manager import findfont

    lacking = {ord(character) for character in text if not character.isspace()} - _characters(findfont(BASE))
    families = [BASE]
    if lacking:
        best = min(_candidates(), key=lambda entry: (-len(lacking & _characters(entry.fname)), *_order(entry)))
        found = lacking & _characters(best.fname)
        if found:
            families.append(best.name)
            lacking -= found
    return families, "".join(map(chr, sorted(lacking)))


def _candidates() -> list[FontEntry]:
    from matplotlib.font_manager import fontManager

    return [entry for entry in fontManager.ttflist if not entry.name.casefold().startswith(LAST_RESORT)]


def _order(entry: FontEntry) -> tuple[bool, bool, str, str]:
    """Prefer the upright regular face, then the alphabet."""
    return entry.style != "normal", entry.weight not in REGULAR, entry.name, entry.fname


def _characters(path: str) -> AbstractSet[int]:
    from matplotlib.font_manager import get_font

    try:
        return get_font(path).get_charmap().keys()
    except (OSError, RuntimeError):  # a damaged font, or one that was taken away since matplotlib listed it
        return frozenset()
