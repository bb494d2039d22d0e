"""What PeMeBench's rebuilt recipe goes by: the sections, words and thresholds of ``rebuilt.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLE = Path(__file__).with_name("rebuilt.toml")
OTHER = "other"


@dataclass(frozen=True)
class Section:
    """A kind of section."""

    name: str  # such as overview
    ask: tuple[str, ...]  # the few-shot templates by which it is asked, beside the zero-shot one
    task: str  # of its questions whose wording decides nothing


@dataclass(frozen=True)
class Settings:
    """The published table."""

    longest: int  # characters of a block
    shortest: int
    pairs: int  # of one call at most, as are questions
    questions: int
    sections: tuple[Section, ...]
    headings: Mapping[str, Section]  # by heading
    foreign: re.Pattern[str]  # drops a question by rule 1
    adult: re.Pattern[str]  # a person looks at the question
    child: re.Pattern[str]  # which this makes needless
    outside: re.Pattern[str]  # references out of the question
    perhaps_outside: re.Pattern[str]  # words that may be such
    answer_outside: re.Pattern[str]  # references out of the answer
    demonstrative: re.Pattern[str]  # references that need something before them
    general: re.Pattern[str]  # words that name nothing
    keep: float  # share of an answer in the text from which it is supported
    drop: float  # and below which it is not
    few: float  # share of a question's words in the text below which a person looks


@cache
def settings() -> Settings:
    """Give the settings that this version publishes."""
    return read_settings(TABLE)


def read_settings(file: Path) -> Settings:
    """Read a table of settings."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
        return _settings(document, file)
    except (OSError, ValueError, KeyError, TypeError, re.error) as error:
        raise MedzhError(f"not a table of settings: {error!r}", file=file) from error


def _settings(document: Mapping[str, Any], file: Path) -> Settings:
    sections = tuple(Section(table["name"], tuple(table["ask"]), table["task"]) for table in document["section"])
    headings: dict[str, Section] = {}
    for section, table in zip(sections, document["section"], strict=True):
        for heading in table["headings"]:
            if heading in headings:
                raise MedzhError("a heading stands twice", file=file, field=section.name, found=heading)
            headings[heading] = section
    rule_1, rule_2 = document["pediatrics"], document["reference"]
    return Settings(
        longest=document["blocks"]["longest"],
        shortest=document["blocks"]["shortest"],
        pairs=document["calls"]["pairs"],
        questions=document["calls"]["questions"],
        sections=sections,
        headings=headings,
        foreign=re.compile(rule_1["drop"]),
        adult=re.compile(rule_1["review"]),
        child=re.compile(rule_1["unless"]),
        outside=re.compile(rule_2["drop"]),
        perhaps_outside=re.compile(rule_2["review"]),
        answer_outside=re.compile(rule_2["answer"]),
        demonstrative=re.compile("|".join(rule_2["demonstrative"])),
        general=re.compile("|".join(sorted(rule_2["general"], key=len, reverse=True))),
        keep=document["support"]["keep"],
        drop=document["support"]["drop"],
        few=document["support"]["few"],
    )


def section_named(name: str) -> Section:
    """Find a kind of section by its name."""
    return next(section for section in settings().sections if section.name == name)
