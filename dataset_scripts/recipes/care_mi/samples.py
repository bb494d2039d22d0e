"""One question of CARE-MI before its evidence is found: what the stages hand on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """One question with the statement that answers it and the one that does not, still without evidence."""

    key: str  # unique inside a build
    source: str  # BIOS, CPubMed, MEDQA, MLEC-QA, CMExam or written
    type: str  # tf, which asks whether a statement holds, or open
    asked: str | None  # which statement tf asks about, true or false; None of open
    context: str  # what stands before the statement in an exam question; "" where nothing does
    question: str  # the context included
    true_statement: str
    false_statement: str
    false_method: str  # negation of the true statement, or replacement of the answer in it
    rules: tuple[str, ...]  # every rule that fired, in order
    upstream_key: str
