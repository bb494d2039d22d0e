"""TCMD's questions as they stand in an examination: alone, or in a group with a shared stem or shared options."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SubQuestion:
    """One question with one answer."""

    question: str  # of an A3 group without its stem
    options: tuple[str, ...]  # two to five, without their letters
    answer: str  # the letter of the right option
    explanation: str | None  # why it is right, where the source says it
    upstream_key: str  # what the source calls it


@dataclass(frozen=True)
class Group:
    """What is prompted as a whole: a single question, or the questions that share a stem (A3) or options (B1)."""

    kind: str  # A1 (a statement), A2 (a case), A3 (a shared stem) or B1 (shared options)
    stem: str | None  # of an A3 group
    parts: tuple[SubQuestion, ...]  # one for A1 and A2
    subject: str  # the Chinese name of one of the 18, as the paper's Figure 1 prints it
    source: str
