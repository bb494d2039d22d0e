"""Key entities of a reference answer by rule: numbers with units, and names of dictionaries that stand in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dataset_scripts.files.json_lines import decoded_lines
from dataset_scripts.recipes.pemebench.records import distinct
from medzh_score.configs.pemebench.entities import names, normalised

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dataset_scripts.recipe import SourceFile

DICTIONARIES = ("dict-disease", "dict-drug", "dict-check")
SHORTEST = 2  # characters of a name
PARTS = frozenset({"性病", "性变态", "色斑", "磷中毒", "积聚"})  # of 慢性病变, 速发性变态反应, 樱红色斑 and the like
WORD = re.compile(r"[\u4e00-\u9fffA-Za-z].*[\u4e00-\u9fffA-Za-z]")
_NUMBER = r"\d+(?:\.\d+)?"
_UNIT = (
    r"(?:mmHg|mmol|μmol|nmol|mosm|kcal|mg|μg|ug|ng|kg|mL|ml|dL|dl|cm|mm|IU|kPa|Gy|mV|℃|%|％|g|L|U|J"
    r"|(?:个)?(?:月|小时|岁|周|天|日|年)|小时|分钟|秒|次|倍|片|滴|级|度)"
)
QUANTITY = re.compile(
    # The first end of a range may have a unit of its own, 30%~50%; a unit may be per several, mg/(kg·d).
    rf"(?<![\d.~～–—/-])(?:[<>≤≥＜＞]\s*)?{_NUMBER}(?:\s*{_UNIT}?\s*[~～–—-]\s*{_NUMBER})?(?:\s*[×x]\s*10\^\d+)?\s*{_UNIT}"
    rf"(?:\s*[/／·]\s*(?:{_UNIT}|kg|d|h|min|m2|次|分|[(（][^()（）。，；]{{1,16}}[)）]))*(?![A-Za-z])"
)


def entities_by_rule(dictionaries: Mapping[str, SourceFile]) -> Callable[[str, str], list[str]]:
    """Give what finds the key entities of an answer to a question.

    A name counts where it is no part of a longer one or of a foreign word, has two characters or more, and does not
    stand in the question, which would give it away; a number counts with its unit and, in a range, with the other end.
    """
    from ahocorasick_rs import AhoCorasick, MatchKind

    lines = (line.strip() for file in dictionaries.values() for line in decoded_lines(file.path))
    known = sorted({line for line in lines if len(line) >= SHORTEST and WORD.fullmatch(line)} - PARTS)
    found = AhoCorasick(known, matchkind=MatchKind.LeftmostLongest)

    def entities(question: str, answer: str) -> list[str]:
        asked, reference = normalised(question), normalised(answer)
        quantities = (" ".join(match.group().split()) for match in QUANTITY.finditer(answer))
        listed = [*found.find_matches_as_strings(answer), *quantities]
        there = [one for one in distinct(listed) if _whole(one, answer) and names(reference, normalised(one))]
        return [one for one in there if not names(asked, normalised(one))]

    return entities


def _whole(name: str, answer: str) -> bool:
    """Say whether a name stands somewhere as a word: IV is none of IVIG, 鼠疫 none of 鼠疫苗, 磨牙 none of 乳磨牙."""
    return (
        re.search(rf"(?<![A-Za-z降升酰乳基]){re.escape(name)}(?![A-Za-z变苗史剂原])", " ".join(answer.split()))
        is not None
    )
