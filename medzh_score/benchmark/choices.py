"""What a config offers by name: a prompt, a rule, a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence


class HasName(Protocol):
    """Anything that is chosen by its name."""

    @property
    def name(self) -> str:
        """The name."""


Named = TypeVar("Named", bound=HasName)


def pick(kind: str, named: Sequence[Named], name: str | None) -> Named:
    """Choose one of a config's prompts, rules or rounds by name, the first by None; ``kind`` is the option."""
    if name is None:
        return named[0]
    for candidate in named:
        if candidate.name == name:
            return candidate
    names = ", ".join(candidate.name for candidate in named)
    raise MedzhError("there is none of that name", field=kind, expected=names or "none", found=name)
