"""Which of the 18 subjects a question belongs to, by the published rules of ``subjects.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipes.published_tables import read_terms
from medzh_score.configs.tcmd.exam import LETTERS, SUBJECTS
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from dataset_scripts.recipes.published_tables import Terms
    from dataset_scripts.recipes.tcmd.rows import Candidate

TABLE = Path(__file__).with_name("subjects.toml")
MOST = 0.6  # the share of the options that must be of one sort, where a rule gives no other
PATTERNS = ("question", "also", "unless", "options", "answer", "explanation")
CONDITIONS = ("labels", "sources", "kinds", *PATTERNS)
KEYS = frozenset({"name", "subject", "outside", "share", *CONDITIONS})


@dataclass(frozen=True)
class Rule:
    """A rule: where all of its conditions hold, it decides.

    Its patterns, by condition. ``question``: found in the stem or a question; ``also``: there or in an option;
    ``unless``: in none of them; ``options``: most options are wholly of this form; ``answer``: found in every right
    option; ``explanation``: found in an explanation.
    """

    name: str
    subject: str | None  # None where it says that the question is none of the examination's
    # one of them is among the labels; where this is empty, as with all conditions, it does not matter
    labels: frozenset[str]
    sources: tuple[str, ...]  # the name of the source begins with one of them
    kinds: frozenset[str]  # the type is one of them
    share: float  # how many of the options must be of the form of "options"
    patterns: Mapping[str, re.Pattern[str]]


def decide(candidate: Candidate, rules: tuple[Rule, ...] | None = None) -> Rule | None:
    """Find the rule that decides about a group: the first whose conditions all hold.

    All of its questions are looked at together, for they share their subject.
    """
    texts = _texts(candidate)
    listed = published_rules() if rules is None else rules
    return next((rule for rule in listed if _holds(rule, candidate, texts)), None)


@cache
def published_rules() -> tuple[Rule, ...]:
    """Read the published rules, once."""
    return read_rules(TABLE)


def read_rules(file: Path) -> tuple[Rule, ...]:
    """Read a table of rules: ``[terms]`` and ``[patterns]``, named as ``@name`` in the patterns of ``[[rule]]``.

    A condition with several patterns holds where one of them is found.
    """
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MedzhError(f"not a table of rules: {error}", file=file) from error
    terms = read_terms(file, document.get("terms", {}), document.get("patterns", {}))
    rules = [_rule(table, terms) for table in document.get("rule", [])]
    names = [rule.name for rule in rules]
    for name in names:
        if names.count(name) > 1:
            raise MedzhError("two rules have one name", file=file, field="name", found=name)
    return tuple(rules)


def _rule(table: Mapping[str, Any], terms: Terms) -> Rule:
    name, file = table.get("name", ""), terms.file
    unknown = sorted(table.keys() - KEYS)
    subject = table.get("subject")
    if not name or unknown:
        raise MedzhError("not a rule", file=file, field=name or "name", expected=", ".join(CONDITIONS), found=unknown)
    if (subject not in SUBJECTS) if not table.get("outside") else (subject is not None):
        raise MedzhError("not a subject", file=file, field=name, expected=", ".join(SUBJECTS), found=subject)
    return Rule(
        name=name,
        subject=subject,
        labels=frozenset(table.get("labels", ())),
        sources=tuple(table.get("sources", ())),
        kinds=frozenset(table.get("kinds", ())),
        share=table.get("share", MOST),
        patterns={one: terms.compiled(table[one], f"{name}/{one}") for one in PATTERNS if one in table},
    )


def _texts(candidate: Candidate) -> dict[str, tuple[str, ...]]:
    """Give the texts of a group that the patterns of each condition are looked for in."""
    group = candidate.group
    question = "\n".join([group.stem or "", *(part.question for part in group.parts)]).strip()
    options = tuple(option for part in group.parts for option in part.options)
    return {
        "question": (question,),
        "also": (question, *options),
        "unless": (question, *options),
        "options": options,
        "answer": tuple(part.options[LETTERS.index(part.answer)] for part in group.parts),
        "explanation": tuple(part.explanation or "" for part in group.parts),
    }


def _holds(rule: Rule, candidate: Candidate, texts: Mapping[str, tuple[str, ...]]) -> bool:
    return (
        (not rule.labels or not rule.labels.isdisjoint(candidate.labels))
        and (not rule.sources or candidate.group.source.startswith(rule.sources))
        and (not rule.kinds or candidate.group.kind in rule.kinds)
        and all(_found(condition, pattern, texts[condition], rule) for condition, pattern in rule.patterns.items())
    )


def _found(condition: str, pattern: re.Pattern[str], texts: tuple[str, ...], rule: Rule) -> bool:
    if condition == "options":
        return sum(bool(pattern.fullmatch(text)) for text in texts) >= rule.share * len(texts)
    found = map(pattern.search, texts)
    return all(found) if condition == "answer" else any(found) is not (condition == "unless")
