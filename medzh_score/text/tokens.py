"""The tokens by which similar questions are found: a closed list, each with the version that the signature names."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from medzh_score.text.segmentation import segmented

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class Tokens:
    """A named way to cut a text into tokens. The text is taken as it stands: no case or width is folded.

    Tokens that are white space alone are left out. Where a package cuts, its version decides.
    """

    name: str
    summary: str
    cut: Callable[[str], Sequence[str]]
    package: str | None = None

    def __str__(self) -> str:
        """Write it as the signature does, with its version."""
        return self.name if self.package is None else f"{self.name} {version(self.package)}"


def words(text: str) -> list[str]:
    """Cut a text into words with jieba: its own dictionary, and its model for words that are not in it.

    Examples
    --------
    >>> words("麻黄汤 主治")
    ['麻黄汤', '主治']
    """
    return [word for word in segmented([text])[0] if not word.isspace()]


def characters(text: str) -> list[str]:
    """Cut a text into its characters.

    Examples
    --------
    >>> characters("IL-6 升高")
    ['I', 'L', '-', '6', '升', '高']
    """
    return [character for character in text if not character.isspace()]


TOKENS = (
    Tokens("jieba", "words, as jieba's default dictionary and model cut them", words, "jieba"),
    Tokens("characters", "single characters", characters),
)
