"""One question of CARE-MI before its evidence is found: what the stages hand on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """One question with the statement that answers it and the one that does not, still without evidence.

    Attributes
    ----------
    key : str
        What the sample is known by inside a build, unique in it.
    source : str
        ``BIOS``, ``CPubMed``, ``MEDQA``, ``MLEC-QA`` or ``CMExam``.
    type : str
        ``tf``, which asks whether the true statement holds, or ``open``.
    context : str
        What stands before the statement in an exam question; "" where nothing does.
    question : str
        What is asked, the context included.
    true_statement : str
        The right answer as a sentence.
    false_statement : str
        A wrong answer as a sentence.
    false_method : str
        ``negation`` of the true statement, or ``replacement`` of the answer in it.
    rules : tuple of str
        Every rule that fired, in order.
    upstream_key : str
        The key of the item in its source.

    """

    key: str
    source: str
    type: str
    context: str
    question: str
    true_statement: str
    false_statement: str
    false_method: str
    rules: tuple[str, ...]
    upstream_key: str
