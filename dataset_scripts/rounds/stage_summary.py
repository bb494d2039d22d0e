"""What became of a stage in which a recipe asked models or people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Account:
    """What became of a stage, for the card.

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
        lacking = "too few raters answered" if self.raters > 1 else "no answer came back"
        counts = {
            f"left out because {lacking}": missing,
            "left out because what came back was unreadable": self.unreadable,
            "answers replaced by a later file": self.replaced,
            "answers to what is no longer asked passed over": self.stale,
            "files passed over as backups": self.backups,
        }
        return "; ".join([text, *(f"{count:,} {words}" for words, count in counts.items() if count)])
