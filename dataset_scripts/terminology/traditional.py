"""Write anew the table of traditional characters that the scorer reads.

Call it with ``python -m dataset_scripts.terminology.traditional``; it needs the extra ``dev``.
"""

from __future__ import annotations

from pathlib import Path

from medzh_score.files.package_files import package_file
from medzh_score.terminology.traditional import FILE

BASIC_PLANE = range(0x80, 0x10000)


def table() -> str:
    """Give the table as OpenCC converts single characters: a line begins with the simplified one of all that follow.

    Both are of the basic plane, one character stands for one, and none for one that stands for another itself.
    """
    from opencc import OpenCC

    convert = OpenCC("t2s").convert
    signs = {chr(code): convert(chr(code)) for code in BASIC_PLANE if not 0xD800 <= code < 0xE000}  # noqa: PLR2004 - halves
    changed = {sign: one for sign, one in signs.items() if sign != one and len(one) == 1 and ord(one) in BASIC_PLANE}
    lines: dict[str, str] = {}
    for sign, one in changed.items():
        if one not in changed:
            lines[one] = lines.get(one, one) + sign
    return "".join(f"{lines[one]}\n" for one in sorted(lines))


if __name__ == "__main__":
    Path(str(package_file("medzh_score", FILE))).write_text(table(), encoding="utf-8", newline="\n")
