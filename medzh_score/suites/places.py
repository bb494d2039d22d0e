"""Where everything of a suite lies, and what a file that comes back can be an answer to."""

from __future__ import annotations

from glob import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

LOCK = ".lock"  # held while files are put in their places
FIRST = "answer"  # the round of first answers
SHARED = "_shared"  # of no model alone: rounds about records, and blind ones; no label begins so
NUMBERED = "~"  # before the number of a sheet; no character of labels, as all of these
JUDGED_BY = "--"  # before who answered a round that is not the model's own


class Place(NamedTuple):
    """A round of a config as one model, or nobody alone, is asked it; whoever else answers it stands as ``judge``."""

    config: str
    round: str
    model: str = SHARED
    judge: str = ""

    def __str__(self) -> str:
        """Name it for people."""
        whose = "" if self.model == SHARED else f" of {self.model}"
        by = f" by {self.judge}" if self.judge else ""
        return f"{self.config} {self.round}{whose}{by}"

    def prompts(self, suite: Path) -> Path:
        """Name the file of what is asked there; who answers changes nothing."""
        name = self.round if self.model == SHARED else f"{self.round}{JUDGED_BY}{self.model}"
        return suite / "prompts" / self.config / f"{name}.jsonl"

    def answers(self, suite: Path) -> Path:
        """Name the file of what came back."""
        name = f"{self.round}{JUDGED_BY}{self.judge}" if self.judge else self.round
        return suite / "answers" / self.model / self.config / f"{name}.jsonl"

    def sheets(self, suite: Path) -> list[Path]:
        """List the files that people filled in, in the order in which they came."""
        answers = self.answers(suite)
        named = answers.parent.glob(f"{escape(answers.stem)}{NUMBERED}*.csv")
        return sorted(named, key=_number)

    def next_sheet(self, suite: Path) -> Path:
        """Name the file of the next sheet: it stands after all that are there."""
        answers = self.answers(suite)
        last = max(map(_number, self.sheets(suite)), default=0)
        return answers.with_name(f"{answers.stem}{NUMBERED}{last + 1}.csv")


def _number(sheet: Path) -> int:
    return int(sheet.stem.rpartition(NUMBERED)[2])


def result_of(suite: Path, model: str, config: str) -> Path:
    """Name a result folder."""
    return suite / "results" / model / config


def results_of(suite: Path, config: str | None = None) -> dict[Path, str]:
    """List the result folders of a suite, of all configs or of one, with the labels of their models."""
    found = sorted(path for path in (suite / "results").glob("[!.]*/[!.]*") if path.is_dir())
    return {folder: folder.parent.name for folder in found if config in {None, folder.name}}
