"""What came back for a stage of a recipe, file by file, the later file winning."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from dataset_scripts.files.digests import sha256
from dataset_scripts.rounds.question_ids import is_id_of
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from pathlib import Path

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

UNNAMED = "unnamed"


@dataclass
class Responses(Generic[K, T]):
    """What the files of a stage say, by id; by id and rater where several raters stand side by side.

    Attributes
    ----------
    values : dict of K to T
        What was read.
    by : dict of K to str
        Who answered.
    unreadable : set of K
        Those of which no answer could be read, though one came back.
    replaced : int
        How many values of an earlier file a later one replaced.
    stale : int
        How many answers are to what is no longer asked.
    backups : int
        How many files were passed over, for their names end as those of backups do.
    files : list of (str, str)
        Name and SHA-256 of each file that answers something that is asked, in the order in which they count.
    """

    values: dict[K, T] = field(default_factory=dict)
    by: dict[K, str] = field(default_factory=dict)
    unreadable: set[K] = field(default_factory=set)
    replaced: int = 0
    stale: int = 0
    backups: int = 0
    files: list[tuple[str, str]] = field(default_factory=list)

    def add(self, here: Mapping[K, T], stale: Sequence[str], lines: int, path: Path) -> None:
        """Take what a file says; what answers nothing that is asked any more is passed over."""
        self.stale += len(stale)
        if 0 < lines == len(stale):
            if not any(is_id_of(path.parent.name, identifier) for identifier in stale):
                raise MedzhError(
                    "answers nothing that is asked here",
                    file=path,
                    field="id",
                    expected="the ids of the prompts or of the sheet beside it",
                    found=stale[0],
                    advice="it belongs elsewhere: move it away",
                )
            return
        self.replaced += sum(key in self.values for key in here)
        self.values |= here
        self.unreadable -= self.values.keys()
        self.files.append((path.name, sha256(path)))


def check_once(key: Hashable, here: Container[Hashable], path: Path, number: int) -> None:
    """Refuse a second answer to one question in the same file."""
    if key in here:
        raise MedzhError(
            "is answered twice in one file",
            file=path,
            line=number,
            field="id",
            found=" by ".join(key) if isinstance(key, tuple) else key,
            advice="keep one of the answers, or put the better one into a later file",
        )
