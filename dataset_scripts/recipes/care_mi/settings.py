"""What CARE-MI's rebuilt recipe goes by: the paper's way, or that of a TOML file of the user's."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipes.care_mi.evidence import OURS, PAPER, QUERIES, STOP_WORDS
from dataset_scripts.recipes.care_mi.filter import PAPERS, RULES
from dataset_scripts.recipes.care_mi.records import SOURCES
from dataset_scripts.recipes.settings_files import in_place_of, read_toml
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

QUESTION, ANSWER = "question", "question-or-answer"
# Filters of the released code that the paper does not mention, each with what it leaves out.
FILTERS = {
    "four-options": "questions that do not have four options",
    "blank": "questions of MEDQA without the blank （    ）",
    "length": "stem and answer together of at most 10 or over 30 characters, a stem of at most 5, an answer of over 10",
    "meta-words": "stems that deny or that speak of the options, such as 下列, 错误, 不宜 and 除了",
    "meta-options": "questions with an option that speaks of the others, such as 以上都是",
    "vague": "stems with 常, 可能, 主要, 容易, 恰当, 合适 or 合理 and without 最 before it",
}


@dataclass(frozen=True)
class Settings:
    """Choices of the recipe."""

    sources: tuple[str, ...] = SOURCES
    search: str = ANSWER  # where a word of the topic must stand; the released code looks into the question alone
    # names of FILTERS; the paper mentions none of them, so by default none leaves questions out
    filters: tuple[str, ...] = ()
    rules_only: bool = False  # leave out what a rule cannot do, in place of asking a model
    experts: bool = True  # whether they judge; without them all samples stay
    query: str = PAPER
    stop_words: str = OURS
    rule: str = PAPERS.name
    evidence: int = PAPERS.evidence
    negatives: int = PAPERS.negatives


LISTS = {"sources": SOURCES, "filters": tuple(FILTERS)}
CHOICES = {"search": (ANSWER, QUESTION), "query": tuple(QUERIES), "stop_words": STOP_WORDS, "rule": RULES}
FLAGS = ("rules_only", "experts")
NUMBERS = {"evidence": (0, 6), "negatives": (1, 100)}  # at most three paragraphs of each of two corpora


def read_settings(path: Path) -> Settings:
    """Read a settings file."""
    return Settings(**{name: _value(name, value, path) for name, value in read_toml(path).items()})


def _value(name: str, value: Any, path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    if name in LISTS:
        known = LISTS[name]
        fits = isinstance(value, list) and all(one in known for one in value) and bool(value or name == "filters")
        expected = "a list of " + ", ".join(known)
    elif name in CHOICES:
        fits, expected = value in CHOICES[name], " or ".join(CHOICES[name])
    elif name in FLAGS:
        fits, expected = isinstance(value, bool), "true or false"
    elif name in NUMBERS:
        low, high = NUMBERS[name]
        fits = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        expected = f"a whole number from {low} to {high}"
    else:
        raise MedzhError("is no setting", file=path, field=name, expected=", ".join(asdict(Settings())))
    if not fits:
        raise MedzhError("is no such value", file=path, field=name, expected=expected, found=value)
    return tuple(one for one in LISTS[name] if one in value) if name in LISTS else value


def changed(settings: Settings) -> tuple[str, ...]:
    """Note which settings are not the recipe's own.

    >>> changed(Settings(filters=("blank", "vague")))
    ('settings of the user: filters blank, vague in place of none',)
    """
    return in_place_of(settings, Settings(), _shown)


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
