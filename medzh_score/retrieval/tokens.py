"""The tokens by which similar questions are found: a closed list, each with the version that the signature names."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class Tokens:
    """A named way to cut a text into tokens. The text is taken as it stands: no case or width is folded.

    Attributes
    ----------
    name : str
        As in ``--tokens NAME``.
    summary : str
        One sentence on what a token is.
    cut : callable
        From a text to its tokens, without those that are white space alone.
    package : str or None
        The installed package whose version decides, where there is one.
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

    Parameters
    ----------
    text : str
        Any text.

    Examples
    --------
    >>> words("麻黄汤 主治")
    ['麻黄汤', '主治']
    """
    return [word for word in _jieba().lcut(text) if not word.isspace()]


@cache
def _jieba() -> Any:  # noqa: ANN401 - a class of a package without types
    """Load jieba's dictionary from its own file: what it keeps in the temporary folder anybody could have written."""
    with warnings.catch_warnings():
        # On import it uses what setuptools has declared obsolete.
        warnings.simplefilter("ignore")
        import jieba
    tokenizer = jieba.Tokenizer()
    with files("jieba").joinpath("dict.txt").open("rb") as stream:
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(stream)
    tokenizer.initialized = True
    return tokenizer


def characters(text: str) -> list[str]:
    """Cut a text into its characters.

    Parameters
    ----------
    text : str
        Any text.

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
