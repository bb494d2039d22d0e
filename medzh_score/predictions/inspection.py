"""Predictions as they pass by, looked at: what they say, and what about them scoring would not take."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING

from medzh_score.extraction.length import runs_on
from medzh_score.extraction.refusals import is_refusal
from medzh_score.extraction.whole_text import answer_in
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.collected import Place
from medzh_score.predictions.readers.several import PredictionFiles, without_reasoning
from medzh_score.predictions.shuffled import read_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.layout import Asked
    from medzh_score.benchmark.rules import Rule
    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.predictions.readers.several import Opened


CHINESE, ENGLISH, MIXED, OTHER, NONE = "Chinese", "English", "mixed", "other", "none"
LANGUAGES = (CHINESE, ENGLISH, MIXED, OTHER, NONE)
LANGUAGES_BY_SCRIPT = (
    "Languages go by scripts: of Chinese characters, Latin words and other letters one makes up three quarters "
    "(Chinese, English, other), or none does (mixed); a single letter, such as an option's label, is of no language."
)
MOST = 0.75
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LATIN = "A-Za-zＡ-Ｚａ-ｚÀ-ÖØ-öø-ɏ"
HAN = re.compile(f"[{_HAN}]+")
LATIN_WORD = re.compile(f"[{_LATIN}]{{2,}}")
OTHERS = re.compile(rf"[^\W\d_{_LATIN}{_HAN}]{{2,}}")


def language_of(text: str) -> str:
    """Say in which language a text is.

    Examples
    --------
    >>> [language_of(text) for text in ("正确。", "Correct.", "A", "答案是 correct answer", "これは正しいです")]
    ['Chinese', 'English', 'none', 'mixed', 'other']
    """
    rest = HAN.sub(" ", text)  # of most texts hardly anything
    counts = {
        CHINESE: len("".join(HAN.findall(text))),
        ENGLISH: len(LATIN_WORD.findall(rest)),
        OTHER: sum(map(len, OTHERS.findall(rest))),
    }
    total = sum(counts.values())
    if not total:
        return NONE
    return next((name for name, count in counts.items() if count >= MOST * total), MIXED)


SHOWN = 5  # of each kind
Stop = tuple[str, int]  # a file, and a line that is not read any more


@dataclass(frozen=True)
class Unread:
    """A prediction in which a rule found no answer, placed by the id of the record."""

    place: Place
    why: str
    text: str


@dataclass
class Found:
    """Some of a kind, counted, the first few with their places."""

    count: int = 0
    first: list[Place] = field(default_factory=list)

    def note(self, place: Place) -> None:
        """Count one more."""
        self.count += 1
        if len(self.first) < SHOWN:
            self.first.append(place)


@dataclass
class Inspection:
    """What was seen of predictions, in records but for ``duplicates``, ``unknown`` and ``too_long``, which count lines.

    ``same`` counts texts by their hash; ``frequent`` alone can have come more than half the time, as it leads by
    ``lead``. ``error`` is why reading ended early.
    """

    asked: Mapping[str, Asked]
    ids: Sequence[str]
    rule: Rule
    keep_reasoning: bool = False
    texts: int = 0
    languages: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(LANGUAGES, 0)))
    unclosed: int = 0
    declined: int = 0
    declined_or_filtered: int = 0
    same: Counter[int] = field(default_factory=Counter)
    frequent: str = ""
    lead: int = 0
    unread: list[Unread] = field(default_factory=list)
    duplicates: Found = field(default_factory=Found)
    unknown: Found = field(default_factory=Found)
    too_long: Found = field(default_factory=Found)
    error: MedzhError | None = None
    keys: set[tuple[str, int, int]] = field(default_factory=set)

    def take(self, prediction: Prediction, path: Path, number: int) -> bool:
        """Look at a prediction, and say whether scoring can take it so far."""
        place = Place(prediction.id, prediction.run, prediction.variant, path.name, number)
        asked = self.asked.get(prediction.id)
        if asked is None:
            self.unknown.note(place)
            return False
        if prediction.error is not None:
            return True
        key = prediction.id, prediction.run, prediction.variant
        if key in self.keys:
            self.duplicates.note(place)
            return False
        self.keys.add(key)
        if prediction.variant in asked.variants.numbers:
            self._look(prediction, asked, place)
        return True

    def _look(self, prediction: Prediction, asked: Asked, place: Place) -> None:
        answer, records = answer_in(prediction.prediction), len(asked.members)
        self.unclosed += records * (answer is None)
        said = "" if answer is None else answer.text
        text = prediction.prediction if self.keep_reasoning else said
        declines = is_refusal(text)
        self.texts += records
        if runs_on(text):
            self.too_long.note(place)
        self.languages[language_of(said)] += records
        self.declined += records * declines
        self.declined_or_filtered += records * (declines or prediction.is_filtered)
        if stripped := text.strip():
            self._count(stripped, records)
        if len(self.unread) < SHOWN:
            self._read(text, asked, place)

    def _count(self, text: str, records: int) -> None:
        """Count a text, and keep the one that may be the majority: texts of the others are let go."""
        self.same[hash(text)] += records
        if text == self.frequent:
            self.lead += records
        elif self.lead >= records:
            self.lead -= records
        else:
            self.frequent, self.lead = text, records - self.lead

    def _read(self, text: str, asked: Asked, place: Place) -> None:
        for member, found in zip(asked.members, read_by(self.rule, text, asked.side, place.variant), strict=True):
            if found.value is None and len(self.unread) < SHOWN:
                own = Place(self.ids[member], place.run, place.variant, place.file, place.line)
                self.unread.append(Unread(own, found.why, text))

    @property
    def constant(self) -> int:
        """How often the most frequent text came, where that is twice at least and more than half the time; else 0."""
        count = self.same[hash(self.frequent)] if self.frequent else 0
        return count if count > 1 and 2 * count > self.texts else 0


@dataclass(frozen=True, kw_only=True)
class InspectedFiles(PredictionFiles):
    """Predictions files of which only what scoring can take is passed on, as far as ``stop``; ``seen`` takes notes."""

    seen: Inspection
    stop: Stop | None = None

    def again(self) -> Iterator[Opened]:
        """Open the files in turn, without a word; reasoning is removed when notes are taken."""
        return self.untouched()

    def opened(self) -> Iterator[Opened]:
        """Open the files in turn; a file without any prediction that can be taken is left out."""
        opened = super().opened()
        while True:
            try:
                one = next(opened)
            except StopIteration:
                return
            except MedzhError as error:
                self.seen.error = error
                return
            taken = self._taken(one)
            first = next(taken, None)
            if first is not None:
                batches = (((number,), (prediction,)) for number, prediction in chain((first,), taken))
                yield replace(one, batches=batches if self.keep_reasoning else map(without_reasoning, batches))
            if self.seen.error or (self.stop and self.stop[0] == str(one.path)):
                return

    def _taken(self, one: Opened) -> Iterator[tuple[int, Prediction]]:
        path = one.path
        try:
            for number, prediction in one.lines:
                if (str(path), number) == self.stop:
                    return
                if self.seen.take(prediction, path, number):
                    yield number, prediction
        except MedzhError as error:
            self.seen.error = error
