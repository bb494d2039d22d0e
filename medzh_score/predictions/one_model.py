"""A set of predictions is of one model: whoever its lines, its files or their folders name, all name the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.messages.privacy import quotable
from medzh_score.messages.progress import called

if TYPE_CHECKING:
    from pathlib import Path


NO_FOLDER = re.compile(r'["<>:/|\\?*\[\]]+')  # what lm-eval replaces in the name of a folder


@dataclass
class Named:
    """Who a set of predictions is named after so far, where first, and in which files; failed lines name nobody."""

    model: str | None = None
    place: tuple[Path, int] | None = None
    files: list[Path] = field(default_factory=list)

    def take(self, model: str, path: Path, number: int) -> None:
        """Note whom a line names."""
        if model != self.model:
            if not (model and not model.isspace()):
                return
            if self.model is None:
                self.model, self.place = model, (path, number)
            elif spelled(model) != spelled(self.model):
                raise _several(model, path, number, self)
        if not self.files or self.files[-1] is not path:
            self.files.append(path)


@lru_cache
def spelled(name: str) -> str:
    """Give a model's name as all its spellings have it: servers and tools differ in case, and lm-eval in slashes.

    Examples
    --------
    >>> spelled("Org/Model-7B") == spelled("org__model-7b")
    True
    """
    return NO_FOLDER.sub("__", name.strip()).casefold()


def _several(model: str, path: Path, number: int, before: Named) -> MedzhError:
    """Raise rather than pool: the mean over models is no model's score, and their spread no run's."""
    assert before.place is not None  # noqa: S101 - somebody was named before
    first, line = before.place
    return MedzhError(
        "is named after another model than the predictions before it, and a set of predictions is of one model",
        file=path,
        line=number,
        field="model",
        expected=f"{quotable(printable(before.model or ''))}, as in {printable(called(first))}, line {line}",
        found=model,
        advice="score each model by itself; where one model goes by two names, make them agree and label it: --model",
    )


def served_as(label: str | None, named: str | None) -> str | None:
    """Give the name in the files where the user's label of the system is another.

    Examples
    --------
    >>> served_as("step-1000", "org/model-7b")
    'org/model-7b'
    """
    return printable(named) if label and named and label != named else None
