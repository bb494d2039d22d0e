"""What is refused of a private config."""

from __future__ import annotations

from medzh_score.messages.errors import MedzhError


def refuse_private(name: str, *, private: bool) -> None:
    """Refuse to write what would carry a private config or its texts elsewhere."""
    if private:
        advice = "reports, pages and boards can be shown: they hold no texts"
        raise MedzhError(f"{name} is private, and nothing carries it elsewhere", advice=advice)


def refuse_texts(name: str, texts: str, *, private: bool) -> None:
    """Refuse to keep texts of what was answered about a private config."""
    if private and texts != "none":
        problem, advice = f"{name} is private, and no result holds its texts", "leave it out"
        raise MedzhError(problem, field="--texts", expected="none", found=texts, advice=advice)
