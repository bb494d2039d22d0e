"""Which task and kind an open question has, by the published patterns of ``questions.toml`` over it and its answer."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.published_tables import Terms, signed
from medzh_score.configs.pemebench.words import KINDS, TASKS
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping

TABLE = Path(__file__).with_name("questions.toml")
PARAMETERS: dict[str, int | str] = {
    "patterns for task and kind": signed(TABLE),
    # Drawn by `draw_first`, seed 20261, from the records of PediaBench, and set aside before the patterns were written.
    "tasks and kinds wrong in a hand-read sample": "1 task and 1 kind of 100 questions of PediaBench; 3 more doubtful",
    # Of 100 kept records, drawn with seed 20262, labelled by question and answer before rules looked at answers.
    "labels made by hand that the rules agree with": "99 of 100 tasks and 100 of 100 kinds",
}
CONDITIONS = ("found", "unless", "answer")
KEYS = frozenset({"name", "value", "yields", *CONDITIONS})
VALUES: Mapping[str, tuple[str, ...]] = {"task": TASKS, "kind": tuple(KINDS)}


@dataclass(frozen=True)
class Rule:
    """A wording, and what it says of a question."""

    name: str  # what asks so, in words, for the table of a build
    value: str  # the task or the kind
    found: re.Pattern[str] | None  # in the question; None where the rule takes what is left
    unless: re.Pattern[str] | None  # not in the question
    answer: re.Pattern[str] | None  # in the answer
    yields: bool  # to what else is known of the question

    def holds(self, question: str, answer: str) -> bool:
        """Say whether the rule's patterns fit a question and its answer."""
        if self.unless and self.unless.search(question):
            return False
        return all(one is None or one.search(text) for one, text in ((self.found, question), (self.answer, answer)))


def task_of(question: str, answer: str = "") -> str:
    """Say which task a question belongs to by its wording and its answer; 疾病知识 where no pattern is found.

    PeMeBench, section 2.3.2, names the tasks and prints no rule.

    >>> task_of("如何预防新生儿破伤风？"), task_of("布洛芬的退热剂量是多少？")
    ('疾病预防', '用药剂量')
    """
    return _decided("task", question, answer).value


def task_of_wording(question: str, answer: str = "") -> str | None:
    """Say which task a question belongs to, or None, so that what else is known of it may decide.

    >>> task_of_wording("什么是鹅口疮？"), task_of_wording("川崎病有哪些表现？")
    ('疾病知识', None)
    """
    rule = _decided("task", question, answer)
    return None if rule.yields else rule.value


def kind_of(question: str) -> str:
    """Say of which kind a question is by its wording; ``definition`` where no pattern is found.

    PeMeBench, section 2.2.2, describes the kinds and prints no rule.

    >>> kind_of("为什么早产儿容易发生低体温？"), kind_of("如何治疗鹅口疮？"), kind_of("什么是贫血？")
    ('reason', 'solution', 'definition')
    """
    return _decided("kind", question, "").value


def by_rule(pairs: Iterable[tuple[str, str]]) -> BuildTable:
    """Count questions, each with its answer, by the rules that gave them their task and kind."""
    listed = list(pairs)
    rows: list[tuple[str | int, ...]] = []
    for about, rules in _published().items():
        counts = Counter(_decided(about, question, answer).name for question, answer in listed)
        rows += [(about, rule.name, rule.value, counts[rule.name]) for rule in rules]
    title = "Questions by the rule that gave them their task and kind; the first that holds decides"
    return BuildTable(title, ("column", "asks for", "value", "questions"), tuple(rows))


def read_rules(file: Path) -> dict[str, tuple[Rule, ...]]:
    """Read a table of patterns: ``[[task]]`` and ``[[kind]]``, of which the last takes the rest.

    ``found``, ``unless`` and ``answer`` are lists of regular expressions, of which one is enough.
    """
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MedzhError(f"not a table of patterns: {error}", file=file) from error
    rules = {about: tuple(_rule(table, about, file) for table in document.get(about, [])) for about in VALUES}
    for about, listed in rules.items():
        if not listed or any((listed[-1].found, listed[-1].unless, listed[-1].answer)):
            raise MedzhError("no rule takes the rest", file=file, field=about, expected="a last rule without patterns")
        if len({rule.name for rule in listed}) < len(listed):
            raise MedzhError("two rules have one name", file=file, field=about)
    return rules


@cache
def _published() -> dict[str, tuple[Rule, ...]]:
    return read_rules(TABLE)


def _decided(about: str, question: str, answer: str) -> Rule:
    return next(rule for rule in _published()[about] if rule.holds(question, answer))


def _rule(table: Mapping[str, Any], about: str, file: Path) -> Rule:
    name, value = table.get("name", ""), table.get("value")
    unknown = sorted(table.keys() - KEYS)
    if not name or unknown:
        raise MedzhError("not a rule", file=file, field=about, expected=", ".join(sorted(KEYS)), found=unknown or name)
    if value not in VALUES[about]:
        expected = ", ".join(VALUES[about])
        raise MedzhError(f"not a {about}", file=file, field=name, expected=expected, found=value)
    found, unless, answer = (
        Terms(file).compiled(table[condition], f"{name}/{condition}") if condition in table else None
        for condition in CONDITIONS
    )
    return Rule(name, value, found, unless, answer, yields=table.get("yields", not found))
