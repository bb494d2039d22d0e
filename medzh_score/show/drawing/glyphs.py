"""Which fonts have the characters of a text, Chinese ones above all: those installed with us, then the machine's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from matplotlib.font_manager import FontEntry

BASE = "DejaVu Sans"  # comes with matplotlib, so that figures without other characters look the same everywhere
REGULAR = (400, "normal", "regular", "book", "roman")
# Fonts that draw a box in place of every character.
LAST_RESORT = ("lastresort", "last resort", ".")


def fonts_for(text: str) -> tuple[list[str], str]:
    """Find fonts for a text: the Chinese one that the extra ``plot`` installs before those of this machine."""
    from matplotlib.font_manager import findfont

    lacking = {ord(character) for character in text if not character.isspace()} - _characters(findfont(BASE))
    families = [BASE]
    for candidates in (_installed, _of_this_machine):
        entries = candidates() if lacking else ()
        for best in sorted(entries, key=lambda entry: (-len(lacking & _characters(entry.fname)), *_order(entry)))[:1]:
            found = lacking & _characters(best.fname)
            families += [best.name] if found else []
            lacking -= found
    return families, "".join(map(chr, sorted(lacking)))


def postscript_outlines(families: Sequence[str]) -> bool:
    """Say whether a font has PostScript outlines (CFF), which matplotlib would embed as if they were TrueType."""
    from fontTools.ttLib import TTFont
    from matplotlib.font_manager import findfont

    return any("glyf" not in TTFont(findfont(family), fontNumber=0, lazy=True) for family in families)


def _installed() -> Sequence[FontEntry]:
    """Make the font that was installed with us known to matplotlib, which lists those of the machine alone."""
    from matplotlib.font_manager import fontManager

    try:
        from pylopdf_fonts_zh_cn import sans_path
    except ImportError:
        return ()
    path = str(sans_path())
    if all(entry.fname != path for entry in fontManager.ttflist):
        fontManager.addfont(path)
    return [entry for entry in fontManager.ttflist if entry.fname == path]


def _of_this_machine() -> Sequence[FontEntry]:
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
