"""What judgements of items are of, as it is at hand: the raw texts of first answers, or the records; and its code."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from medzh_score.extraction.length import beginning
from medzh_score.prompts.codes import code_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.judgements import Key
    from medzh_score.benchmark.layout import Layout, Record
    from medzh_score.benchmark.rounds import Round

# From the ids of records to the texts of their predictions, by id and run, in all runs; what did not come is not there.
TextsOf = Callable[[Collection[str]], Mapping["Key", str]]
ByRun = Mapping[int, "Sequence[str]"]


def read_once(texts_of: TextsOf) -> TextsOf:
    """Keep the texts that were read for whoever asks about the same records again."""
    asked, found = set[str](), dict["Key", str]()

    def texts(ids: Collection[str]) -> Mapping[Key, str]:
        if not asked.issuperset(ids):
            asked.update(ids)
            found.update(texts_of(asked))
        return found

    return texts


@dataclass(frozen=True)
class Items:
    """The items that rounds ask about, and how the first answers to them are read; None where they are not needed."""

    records: Sequence[Record]
    layout: Layout
    texts_of: TextsOf | None = None

    @property
    def ids(self) -> list[str]:
        """Those of the records, in their order."""
        return [record["id"] for record in self.records]

    @cached_property
    def members(self) -> Mapping[str, Sequence[Record]]:
        """The records of each item."""
        members = zip(self.layout.items, self.layout.members.tolist(), strict=True)
        return {item: [self.records[one] for one in ones] for item, ones in members}

    def answers(self, items: Collection[str]) -> dict[str, ByRun]:
        """Give the texts that answer items, by run, in the order of each item's members.

        A member that was not answered in a run in which another one was has an empty text; of one that runs on it is as
        much as counts.
        """
        ids = {item: [one["id"] for one in members] for item, members in self.members.items() if item in items}
        if not ids or self.texts_of is None:
            return {}
        texts = self.texts_of({name for names in ids.values() for name in names})
        runs = sorted({run for _, run in texts})
        return {
            item: {
                run: [beginning(texts.get((name, run), "")) for name in names]
                for run in runs
                if any((name, run) in texts for name in names)
            }
            for item, names in ids.items()
        }

    def codes(self, later: Round, items: Collection[str]) -> dict[str, Mapping[int, str]]:
        """Make the codes of all that a round can be about, by item and run, which is 0 of records."""
        if later.about == "answers":
            answers = self.answers(items)
            return {
                item: {run: code_of(later.name, texts) for run, texts in answers.get(item, {}).items()}
                for item in items
            }
        shown = {item: later.context(self.members[item], ()) for item in items if item in self.members}
        return {item: {0: code_of(later.name, list(fields.values()))} for item, fields in shown.items()}
