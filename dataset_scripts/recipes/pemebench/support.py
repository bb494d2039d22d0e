"""Whether a text supports an answer: by the answer's pairs of characters, and by its numbers with their units."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

from dataset_scripts.recipes.pemebench.numbers import quantities, rivals
from dataset_scripts.recipes.pemebench.plain_writing import folded
from dataset_scripts.recipes.pemebench.units import COUNTERS

RUN = re.compile(r"[^\W_]+")
WORD = re.compile(r"[a-z0-9α-ω]+|[^\W\d_a-z]+")
LONGEST_LIST = 20  # 包括1、血常规 has the number of a list
DIGITS = re.compile(r"\d+(?:\.\d+)?")


def share(answer: str, question: str, text: str) -> float | None:
    """Say which share of an answer, 0 to 1, stands in a text with its headings.

    Of its pairs of neighbouring letters, digits and Chinese characters, with their repetitions; what it repeats of its
    question counts only where the text has it. Compatibility forms and case do not matter; no pair reaches over
    punctuation. None where the answer has no such pair.

    >>> share("首选青霉素", "麻疹合并肺炎用什么药？", "抗感染首选青霉素。")
    1.0
    >>> share("多休息", "感冒怎么办？", "感冒宜多饮水。")
    0.0
    """
    there, asked = set(_pairs(text)), set(_pairs(question))
    counted = [pair in there for pair in _pairs(answer) if pair in there or pair not in asked]
    return sum(counted) / len(counted) if counted else None


def repeats(answer: str, question: str) -> bool:
    """Say whether an answer has nothing that its question does not say.

    >>> repeats("麻疹的治疗。", "麻疹的治疗是什么？"), repeats("隔离。", "麻疹如何处理？")
    (True, False)
    """
    pairs = set(_pairs(answer))
    return bool(pairs) and pairs <= set(_pairs(question))


def words_there(words: str, text: str) -> float | None:
    """Say which share of some words, 0 to 1, stands in a text with its headings.

    Of the words in Latin letters and the different pairs of neighbouring Chinese characters; of words that are all one
    character long, of these. None where there are none.

    >>> [words_there(words, "首选青霉素。") for words in ("苹果手机 充电", "青霉素", "？")]
    [0.0, 1.0, None]
    """
    runs = WORD.findall(unicodedata.normalize("NFKC", words).casefold())
    there = "".join(unicodedata.normalize("NFKC", text).casefold().split())
    pairs = {pair for run in runs for pair in ([run] if run[0].isascii() else _neighbours(run)) if len(pair) > 1}
    wanted = pairs or set(runs)
    return sum(one in there for one in wanted) / len(wanted) if wanted else None


def unknown_numbers(answer: str, question: str, text: str) -> tuple[list[str], list[str]]:
    """Find the numbers of an answer that neither its question nor a text has, and those that may be missing.

    Absent are those of which neither value nor digits stand in the text. Doubtful are those with another unit, sign or
    magnitude there, or behind other characters while another number stands behind the same ones; counts of what the
    answer lists; numbers in Chinese characters; digits that are grouped by spaces.

    >>> unknown_numbers("每次10mg/kg，共3天，隔50小时复查", "怎么用药？", "每次10毫克/千克，共3次。")
    (['50 h'], ['3 d'])
    """
    asked, there = quantities(question), quantities(text)
    free = {quantity.key for quantity in asked}
    exact = free | {quantity.key for quantity in there}
    values = {quantity.value for quantity in (*asked, *there)}
    values |= {Decimal(run).normalize() for part in (question, text) for run in DIGITS.findall(folded(part))}
    absent, doubtful = [], []
    for quantity in quantities(answer):
        if quantity.key in exact:
            if quantity.key not in free and rivals(quantity, there):
                doubtful.append(quantity.words)
            continue
        counts = quantity.unit[0] in COUNTERS if quantity.unit else quantity.value <= LONGEST_LIST
        if quantity.value in values or quantity.spelled or quantity.grouped or counts:
            doubtful.append(quantity.words)
        else:
            absent.append(quantity.words)
    return absent, doubtful


def _pairs(text: str) -> list[str]:
    return [pair for run in RUN.findall(unicodedata.normalize("NFKC", text).casefold()) for pair in _neighbours(run)]


def _neighbours(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)]
