"""The single predictions that a round can ask about: those with a text that is read, by record, run and variant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from medzh_score.extraction.length import runs_on
from medzh_score.prompts.codes import Key, code_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from medzh_score.benchmark.layout import Asked
    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.predictions.readers.several import PredictionFiles


@dataclass(frozen=True)
class Predictions:
    """Predictions of records, of which a group's answers several."""

    ids: Sequence[str]
    asked: Sequence[Asked]
    files: PredictionFiles

    @cached_property
    def alone(self) -> Mapping[str, Asked]:
        """Each record as it is asked alone, by its id."""
        return {self.ids[one.members[0]]: one for one in self.asked if len(one.members) == 1}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The index of each record, by its id."""
        return {name: place for place, name in enumerate(self.ids)}

    def with_text(self) -> dict[Key, Asked]:
        """Find all that have a text, and none that runs on, each with what its prediction answers."""
        asked = {one.id: one for one in self.asked}
        return {
            Key(self.ids[member], line.run, line.variant): asked[line.id]
            for line in self._lines()
            for member in asked[line.id].members
        }

    def texts(self, keys: Iterable[Key]) -> dict[Key, str]:
        """Read the texts of some, whole: that of a group for each of its records; a blank one is none."""
        wanted, asked = set(keys), {one.id: one for one in self.asked}
        return {
            key: line.prediction
            for line in self._lines()
            for member in asked[line.id].members
            if (key := Key(self.ids[member], line.run, line.variant)) in wanted
        }

    def codes(self, round_name: str, keys: Iterable[Key]) -> dict[Key, str]:
        """Make the codes of some, as a round names them."""
        return {key: code_of(round_name, [text]) for key, text in self.texts(keys).items()}

    def _lines(self) -> Iterator[Prediction]:
        texts = (line for line in self.files.each() if line.prediction and not line.prediction.isspace())
        return (line for line in texts if not runs_on(line.prediction))
