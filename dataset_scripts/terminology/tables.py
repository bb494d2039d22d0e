"""Write the table of frequent characters that distinguishes GB18030 from Big5.

Call it with ``python -m dataset_scripts.terminology.tables``; the counts are those of jieba's dictionary.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from medzh_score.io.encodings import FREQUENT
from medzh_score.io.paths import package_file
from medzh_score.text.fold import TRADITIONAL, simplified_characters

CHINESE = re.compile("[\u3400-\u9fff]")
LENGTH = 6000


def frequent_table() -> str:
    """Return the table: a simplified character and its traditional ones per line, the most frequent first."""
    counts: Counter[str] = Counter()
    for line in package_file("jieba", "dict.txt").read_text(encoding="utf-8").splitlines():
        word, count, *_ = line.split(" ")
        for character in CHINESE.findall(word.translate(simplified_characters())):
            counts[character] += int(count)
    traditional: dict[str, str] = {}
    for code, simplified in sorted(simplified_characters().items()):
        traditional[simplified] = traditional.get(simplified, "") + chr(code)
    ranked = sorted(counts, key=lambda character: (-counts[character], character))[:LENGTH]
    return "".join(f"{character}{traditional.get(character, '')}\n" for character in ranked)


if __name__ == "__main__":
    Path(str(package_file("medzh_score", FREQUENT))).write_text(frequent_table(), encoding="utf-8", newline="\n")


BASIC_PLANE = range(0x80, 0x10000)


def traditional_table() -> str:
    """Return the table of single characters of OpenCC: a simplified one and its traditional ones per line.

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
    Path(str(package_file("medzh_score", TRADITIONAL))).write_text(traditional_table(), encoding="utf-8", newline="\n")
