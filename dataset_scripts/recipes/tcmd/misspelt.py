"""Questions with a word that the banks spell otherwise: 大便于结 for 大便干结, 黄连解读汤 for 黄连解毒汤."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dataset_scripts.recipes.tcmd.groups import Group

# Characters that scans and typists take for each other, by look or sound, and of which no two say the same: a pair
# like 瘀淤 or 泻泄 is a matter of spelling, one like 弦弘 of diseases and pulses that differ by no more.
ALIKE = "于干 决块 读毒 宜宣 宜易 半关 凹四 葡萄 侯候 燥躁 糖溏 辩辨 冶治 炙灸 睛晴 疸疽 陷馅 侮悔 静颈"
WORD = 3  # characters that stand together
RARE = 2  # a word of so many texts at most may be misspelt
OFTEN = 8  # where with the like character it is found so many times as often
RUN = re.compile(r"[\u4e00-\u9fff]+")


def misspelt(groups: Sequence[Group]) -> set[int]:
    """Find, by their places, groups with a rare word that is a common one but for a character like its own."""
    texts = [_texts(group) for group in groups]
    found = Counter(word for text in sorted(set().union(*texts)) for word in _words(text))
    like = _like()
    wrong = {
        word
        for word, count in found.items()
        if count <= RARE and any(found[other] >= OFTEN * count for other in _others(word, like))
    }
    return {place for place, own in enumerate(texts) if any(word in wrong for text in own for word in _words(text))}


def _like() -> dict[str, str]:
    like: dict[str, str] = defaultdict(str)
    for pair in ALIKE.split():
        like[pair[0]] += pair[1]
        like[pair[1]] += pair[0]
    return dict(like)


def _others(word: str, like: dict[str, str]) -> Iterator[str]:
    for place, character in enumerate(word):
        yield from (word[:place] + other + word[place + 1 :] for other in like.get(character, ""))


def _words(text: str) -> Iterator[str]:
    for run in RUN.findall(text):
        yield from (run[at : at + WORD] for at in range(len(run) - WORD + 1))


def _texts(group: Group) -> set[str]:
    return {group.stem or "", *(text for part in group.parts for text in (part.question, *part.options))}
