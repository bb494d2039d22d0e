"""Write anew the table of frequent characters by which GB18030 and Big5 are told apart.

Call it with ``python -m dataset_scripts.terminology.frequent``; the counts are those of jieba's dictionary.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from medzh_score.files.encodings import FREQUENT
from medzh_score.files.package_files import package_file
from medzh_score.terminology.traditional import simplified_characters

CHINESE = re.compile("[\u3400-\u9fff]")
LENGTH = 6000


def table() -> str:
    """Give the table: a line holds a simplified character and the traditional ones, the most frequent first."""
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
    Path(str(package_file("medzh_score", FREQUENT))).write_text(table(), encoding="utf-8", newline="\n")
