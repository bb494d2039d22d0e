"""Step 1 of CARE-MI's rebuilt recipe: what is about the topic, by a list of words (paper, section 2)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.files.json_lines import UTF_8, decoded_lines
from dataset_scripts.recipes.published_tables import signed
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ahocorasick_rs import AhoCorasick

    from dataset_scripts.recipe import SourceFile

TABLE = Path(__file__).with_name("words.toml")
# A user's own lists, which together take the place of ours; the paper merged four.
LISTS = ("care_mi-words", "care_mi-words-2", "care_mi-words-3", "care_mi-words-4")
# A patient of more than a year and less than eighteen, who is neither an infant nor, mostly, a mother.
OLDER = re.compile(
    r"^[^。]{0,8}?(?<![0-9.])(?:(?:[2-9]|1[0-7])岁|1岁[半1-9]|(?:1[3-9]|[2-9]\d)个?月)|前囟已闭|乳牙(?:1\d|20)[枚颗]"
)
OF_A_WOMAN = re.compile("孕|妊娠|停经|产妇|分娩")
# The size of a womb or of a tumour: 子宫如妊娠12周大小.
SIZE = re.compile(
    r"(?:孕|妊娠)?[0-9～~\-+]+(?:余)?(?:个?月|周|天)(?:孕|妊娠)?(?:大小|大)|(?:如|似)(?:新生儿|胎儿|胎)头大?"
)
STATISTICS = re.compile("统计|抽样|标准化|卡方|[tuFZ]检验")  # of which the mothers of a sample are only the matter
A_CASE = 20  # characters; less is no case, of which an answer could be the diagnosis
AROUND = " \t\r\u3000"
LONGEST = 40  # characters of a word; a longer line is a sentence, and the file no list of words
FEWEST = 2  # characters of a word; one alone stands in too many others


@dataclass(frozen=True)
class Topic:
    """A list of words."""

    words: frozenset[str]  # folded
    blank: tuple[str, ...]  # folded: what is taken out of a text before it is searched
    name: str  # where the list comes from, for the card
    # folded: words that say who somebody is or was, and nothing of what is asked where they stand in a case alone
    passing: frozenset[str] = frozenset()

    def has(self, term: str) -> bool:
        """Say whether a head or tail is a word of the list; compatibility forms and spaces do not count."""
        return fold(term) in self.words

    def found_in(self, *texts: str) -> bool:
        """Say whether a word of the list stands in one of several texts."""
        joined = "\n".join(map(fold, texts))
        for word in self.blank:
            joined = joined.replace(word, "\n")
        return bool(_searcher(self.words).find_matches_as_indexes(joined))

    def concerns(self, case: str, asked: str, *answers: str) -> bool:
        """Say whether an examination question is about the topic: by its case, by what it asks and by its answer.

        An answer alone does so where there is a case, of which it is the diagnosis; what only describes a patient
        does so where it is asked for.
        """
        if STATISTICS.search(asked) or (OLDER.search(case or asked) and not OF_A_WOMAN.search(case)):
            return False
        if self.found_in(asked):
            return True
        if len(case) < A_CASE:
            return False
        rest = SIZE.sub("", fold(case)) + "\n" + "\n".join(map(fold, answers))
        for word in sorted(self.passing, key=len, reverse=True):  # before 产妇 is seen in 经产妇
            rest = rest.replace(word, "\n")
        return self.found_in(rest)


def choose_topic(files: Mapping[str, SourceFile]) -> Topic:
    """Give the list by which a build selects: the user's lists merged, or ours."""
    given = [files[name] for name in LISTS if name in files]
    if not given:
        return our_topic()
    words = frozenset(word for file in given for word in read_words(file.path))
    return Topic(words, (), ", ".join(f"{file.name} ({file.sha256[:8]})" for file in given))


@cache
def our_topic() -> Topic:
    """Give the list that this version publishes."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    words = frozenset(fold(word) for group in table["words"].values() for word in group.split())
    blank = tuple(fold(word) for group in table["blank"].values() for word in group.split())
    passing = frozenset(fold(word) for group in table["passing"].values() for word in group.split())
    return Topic(words, blank, signed(TABLE), passing)


def read_words(path: Path) -> list[str]:
    """Read a user's list, one word a line, folded; lines that begin with ``#`` are passed over."""
    words: dict[str, None] = {}
    for number, line in enumerate(decoded_lines(path, UTF_8), start=1):
        word = line.strip(AROUND)
        if not word or word.startswith("#"):
            continue
        if not FEWEST <= len(fold(word)) <= LONGEST or "\t" in word or not word.isprintable():
            expected, found = f"one word a line, of {FEWEST} to {LONGEST} characters", word[:LONGEST]
            raise MedzhError("is no word", file=path, line=number, expected=expected, found=found)
        words[fold(word)] = None
    if not words:
        raise MedzhError("holds no word", file=path, expected="one word a line")
    return list(words)


@cache
def _searcher(words: frozenset[str]) -> AhoCorasick:
    import ahocorasick_rs

    return ahocorasick_rs.AhoCorasick(sorted(words))
