"""What CMHE-HD's rebuilt recipe aims at and asks for: the paper's numbers, or those of a TOML file of the user's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.settings_files import in_place_of, read_toml
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

LOWEST_RATING, HIGHEST_RATING = 1, 7  # the scale of section 3.1
LARGEST = 1_000_000
RULES_ONLY = "rules_only"


@dataclass(frozen=True)
class Settings:
    """Numbers of the recipe."""

    correct: int = 1_000  # dialogues of each partition at most (Table 1)
    generated: int = 387
    tampered: int = 613
    questions: int = 5_000  # of CMD that a model answers (section 3.1)
    answers: int = 1_000  # true ones that a model tampers with; the paper does not say how many
    raters: int = 2  # of each generated answer, at least 2 (section 3.1)
    rating: float = 2.0  # the highest mean, 1 to 7, of what is kept; the paper says "the lowest" and no number
    confirmers: int = 3  # of each tampered answer; the paper says that three people did
    rules_only: bool = False  # examination questions and one change each, in place of dialogues, models and people


BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("correct", "generated", "tampered", "questions", "answers"), (1, LARGEST)),
    "raters": (2, LARGEST),
    "rating": (LOWEST_RATING, HIGHEST_RATING),
    "confirmers": (1, LARGEST),
}


def read_settings(path: Path) -> Settings:
    """Read a settings file."""
    written = read_toml(path)
    for name, value in written.items():
        if name == RULES_ONLY:
            if not isinstance(value, bool):
                raise MedzhError("is no such value", file=path, field=name, expected="true or false", found=value)
            continue
        if name not in BOUNDS:
            raise MedzhError("is no setting", file=path, field=name, expected=", ".join((*BOUNDS, RULES_ONLY)))
        low, high = BOUNDS[name]
        kinds = (int, float) if name == "rating" else (int,)
        if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
            kind = "a number" if name == "rating" else "a whole number"
            expected = f"{kind} from {low:,} to {high:,}"
            raise MedzhError("is out of its range", file=path, field=name, expected=expected, found=value)
    return Settings(**written)


def changed(settings: Settings) -> tuple[str, ...]:
    """Note which numbers are not the recipe's own.

    >>> changed(Settings(rating=2.5))
    ('settings of the user: rating 2.5 in place of 2',)
    """
    return in_place_of(settings, Settings(), _shown)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:,g}"
