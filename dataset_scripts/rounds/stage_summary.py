"""What became of a stage in which a recipe asked models or people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class StageSummary:
    """What became of a stage, for the card, the manifest and the terminal.

    Attributes
    ----------
    stage : str
        Its name.
    things : str
        ``prompts`` or ``rows``.
    prompt : str
        The name of the prompts' wording; empty for a sheet.
    asked, answered, unreadable, replaced, stale, backups : int
        How many were asked, have a value, came back unreadable, were replaced by a later file, are answers to what is
        no longer asked, and are files that were passed over as backups.
    by : tuple of str
        Who gave the values that count, in alphabetical order.
    files : tuple of (str, str)
        Name and SHA-256 of each file.
    raters : int
        How many must answer each row side by side; a row that fewer did counts as not answered.
    """

    stage: str
    things: str
    prompt: str
    asked: int
    answered: int
    unreadable: int
    replaced: int
    stale: int
    backups: int
    by: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    raters: int = 1

    @property
    def note(self) -> str:
        """One line for the card."""
        wording = f" ({self.prompt})" if self.prompt else ""
        who = ", ".join(self.by) or "nobody"
        enough = f", each by {self.raters} or more," if self.raters > 1 else ""
        text = f"stage {self.stage}: {self.asked:,} {self.things}{wording}, {self.answered:,} answered{enough} by {who}"
        missing = self.asked - self.answered - self.unreadable
        lacking = "left out because no answer came back"
        if self.raters > 1:
            lacking = "left out because too few raters answered"
        counts = {
            lacking: missing,
            "left out because what came back was unreadable": self.unreadable,
            "answers replaced by a later file": self.replaced,
            "answers to what is no longer asked passed over": self.stale,
            "files passed over as backups": self.backups,
        }
        return "; ".join([text, *(f"{count:,} {words}" for words, count in counts.items() if count)])

    @property
    def sources(self) -> list[dict[str, Any]]:
        """The manifest's account of the files that came back, as `source_selection.provenance` gives it of sources."""
        return [
            {
                "name": f"rounds/{self.stage}/{name}",
                "sha256": digest,
                "pinned": False,
                "licence": "unknown",
                "redistributable": False,
                "citation": f"what {', '.join(self.by) or 'nobody'} answered in the stage {self.stage}",
                "url": None,
            }
            for name, digest in self.files
        ]

    def announce(self, missing: int, size: str, say: Callable[[str], None]) -> None:
        """Say in a line what goes out."""
        counts = {
            "of them again: what came back was unreadable": self.unreadable,
            "answers to what is no longer asked were passed over": self.stale,
            "files were passed over as backups": self.backups,
        }
        more = "".join(f"; {count:,} {words}" for words, count in counts.items() if count)
        say(f"{self.stage}: {missing:,} of {self.asked:,} {self.things} to be answered{size}{more}")
