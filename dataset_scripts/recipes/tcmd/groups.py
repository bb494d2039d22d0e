"""TCMD's questions as they stand in an examination: alone, or in a group with a shared stem or shared options."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SubQuestion:
    """One question with one answer.

    Attributes
    ----------
    question : str
        What is asked; of an A3 group without its stem.
    options : tuple of str
        Two to five, without their letters.
    answer : str
        The letter of the right option.
    explanation : str or None
        Why it is right, where the source says it.
    upstream_key : str
        What the source calls it.
    """

    question: str
    options: tuple[str, ...]
    answer: str
    explanation: str | None
    upstream_key: str


@dataclass(frozen=True)
class Group:
    """What is prompted as a whole: a single question, or the questions that share a stem (A3) or options (B1).

    Attributes
    ----------
    kind : str
        ``A1`` (a statement), ``A2`` (a case), ``A3`` (a shared stem) or ``B1`` (shared options).
    stem : str or None
        The shared stem of an A3 group; None for the others.
    parts : tuple of SubQuestion
        One for A1 and A2.
    subject : str
        The Chinese name of one of the 18 subjects, as the paper's Figure 1 prints it.
    source : str
        The name of the source.
    """

    kind: str
    stem: str | None
    parts: tuple[SubQuestion, ...]
    subject: str
    source: str
