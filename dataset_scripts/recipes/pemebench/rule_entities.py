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
WORD = re.compile(r"[\u4e00-\u9fffA-Za-z].*[\u4e00-\u9fffA-Za-z]")
# What parts a name from the words around it, and what denies a name behind it in a clause.
BEFORE = (
    r"(?:^|(?<=[\s，,。；;、：:（(）)“”/／①-⑳和与及或伴有为是如致见查的])|(?<=[见发]于)"
    "|(?<=引起|发生|出现|并发|合并|成为|口服|治疗))"
)
BEHIND = r"(?=$|[\s，,。；;、：:（(）)“”/／和与及或伴等为是的者常时]|患儿|患者|引起|导致|所致|表现|症状|纠正)"
CLAUSE = re.compile("[，,。；;：:（）()]")
DENIED = re.compile("无|不(?![良全足同孕育典])|未(?!成熟)|非(?![典特化感])|除外|排除")
_NUMBER = r"\d+(?:\.\d+)?"
_UNIT = (
    r"(?:mmHg|mmol|μmol|nmol|mosm|kcal|mg|μg|ug|ng|kg|mL|ml|dL|dl|cm|mm|IU|kPa|Gy|mV|℃|%|％|g|L|U|J"
    r"|(?:个)?(?:月|小时|岁|周|天|日|年)|小时|分钟|秒|次|倍|片|滴|级|度)"
)
QUANTITY = re.compile(
    # The first end of a range may have a unit of its own, 30%~50%; a unit may be per several, mg/(kg·d).
    rf"(?<![\d.~～–—/第-])(?<!第 )(?:[<>≤≥＜＞]\s*)?"
    rf"{_NUMBER}(?:\s*{_UNIT}?\s*[~～–—-]\s*{_NUMBER})?(?:\s*[×x]\s*10\^\d+)?\s*{_UNIT}"
    rf"(?:\s*[/／·]\s*(?:{_UNIT}|kg|d|h|min|m2|次|分|[(（][^()（）。，；]{{1,16}}[)）]))*(?![A-Za-z])"
)


def entities_by_rule(dictionaries: Mapping[str, SourceFile]) -> Callable[[str, str], list[str]]:
    """Give what finds the key entities of an answer to a question.

    A name counts where it is no part of a longer word, is affirmed, has two characters or more, and does not stand in
    the question, which would give it away; a number counts with its unit and, in a range, with the other end.
    """
    from ahocorasick_rs import AhoCorasick, MatchKind

    lines = (line.strip() for file in dictionaries.values() for line in decoded_lines(file.path))
    known = sorted({line for line in lines if len(line) >= SHORTEST and WORD.fullmatch(line)})
    found = AhoCorasick(known, matchkind=MatchKind.LeftmostLongest)

    def entities(question: str, answer: str) -> list[str]:
        asked, reference = normalised(question), normalised(answer)
        quantities = (" ".join(match.group().split()) for match in QUANTITY.finditer(answer))
        words = (name for name in dict.fromkeys(found.find_matches_as_strings(answer)) if _stands(name, answer))
        there = [one for one in distinct([*words, *quantities]) if names(reference, normalised(one))]
        return [one for one in there if not names(asked, normalised(one))]

    return entities


def _stands(name: str, answer: str) -> bool:
    """Say whether a name stands somewhere as a word of its own, and affirmed: 乳突 is none in 胸锁乳突肌.

    No dictionary has every longer word, so what stands beside a name has to be a sign or one of a few words that part.
    """
    return any(
        not DENIED.search(CLAUSE.split(answer[: found.start()])[-1])
        for found in re.finditer(f"{BEFORE}{re.escape(name)}{BEHIND}", answer)
    )
