"""What is seen of predictions as they are read for `check`: languages, refusals, repeated texts, unknown ids."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING

from medzh_score.extraction.whole_text import answer_in, is_overlong, is_refusal
from medzh_score.readers.align import PredictionPlace, read_by
from medzh_score.readers.files import PredictionFiles, without_reasoning
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.items import Query
    from medzh_score.benchmark.rules import Rule
    from medzh_score.readers.files import Opened
    from medzh_score.readers.prediction import Prediction

SHOWN = 5  # of each kind
CHINESE, ENGLISH, MIXED, OTHER, NONE = "Chinese", "English", "mixed", "other", "none"
LANGUAGES = (CHINESE, ENGLISH, MIXED, OTHER, NONE)
MOST = 0.75
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LATIN = "A-Za-zＡ-Ｚａ-ｚÀ-ÖØ-öø-ɏ"
HAN = re.compile(f"[{_HAN}]+")
LATIN_WORD = re.compile(f"[{_LATIN}]{{2,}}")
OTHERS = re.compile(rf"[^\W\d_{_LATIN}{_HAN}]{{2,}}")


def language_of(text: str) -> str:
    """Say in which language a text is, by its scripts."""
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


@dataclass(frozen=True)
class UnparsedExample:
    """A prediction in which a rule found no answer, placed by the id of the record."""

    place: PredictionPlace
    reason: str
    text: str


@dataclass
class FirstPlaces:
    """Some of a kind, counted, the first few with their places."""

    count: int = 0
    first: list[PredictionPlace] = field(default_factory=list)

    def note(self, place: PredictionPlace) -> None:
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

    asked: Mapping[str, Query]
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
    unparsed: list[UnparsedExample] = field(default_factory=list)
    duplicates: FirstPlaces = field(default_factory=FirstPlaces)
    unknown: FirstPlaces = field(default_factory=FirstPlaces)
    too_long: FirstPlaces = field(default_factory=FirstPlaces)
    error: MedzhError | None = None
    keys: set[tuple[str, int, int]] = field(default_factory=set)

    def take(self, prediction: Prediction, path: Path, number: int) -> bool:
        """Look at a prediction, and say whether scoring can take it so far."""
        key = prediction.id, prediction.run, prediction.variant
        place = PredictionPlace(*key, path.name, number)
        asked = self.asked.get(prediction.id)
        if asked is None:
            self.unknown.note(place)
            return False
        if prediction.error is not None:
            return True
        if key in self.keys:
            self.duplicates.note(place)
            return False
        self.keys.add(key)
        if prediction.variant in asked.variants.numbers:
            self._look(prediction, asked, place)
        return True

    def _look(self, prediction: Prediction, asked: Query, place: PredictionPlace) -> None:
        answer, records = answer_in(prediction.prediction), len(asked.members)
        self.unclosed += records * (answer is None)
        said = "" if answer is None else answer.text
        text = prediction.prediction if self.keep_reasoning else said
        declines = is_refusal(text)
        self.texts += records
        if is_overlong(text):
            self.too_long.note(place)
        self.languages[language_of(said)] += records
        self.declined += records * declines
        self.declined_or_filtered += records * (declines or prediction.is_filtered)
        if stripped := text.strip():
            self._count(stripped, records)
        if len(self.unparsed) < SHOWN:
            found = zip(asked.members, read_by(self.rule, text, asked.context, place.variant), strict=True)
            unparsed = [(member, one.reason) for member, one in found if one.value is None]
            for member, reason in unparsed[: SHOWN - len(self.unparsed)]:
                self.unparsed.append(UnparsedExample(replace(place, id=self.ids[member]), reason, text))

    def _count(self, text: str, records: int) -> None:
        self.same[hash(text)] += records
        if text == self.frequent:
            self.lead += records
        elif self.lead >= records:
            self.lead -= records
        else:
            self.frequent, self.lead = text, records - self.lead

    @property
    def constant(self) -> int:
        """How often the most frequent text came, where that is twice at least and more than half the time; else 0."""
        count = self.same[hash(self.frequent)] if self.frequent else 0
        return count if count > 1 and 2 * count > self.texts else 0


@dataclass(frozen=True, kw_only=True)
class InspectedFiles(PredictionFiles):
    """Predictions files of which only what scoring can take is passed on, as far as ``stop``; ``seen`` takes notes."""

    seen: Inspection
    stop: tuple[str, int] | None = None  # a file, and a line that is not read any more

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
