"""Captions and methods in the languages that were asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.languages import CHINESE, of_results
from medzh_score.show.comparison import chinese, english
from medzh_score.show.comparison.facts import facts_of

if TYPE_CHECKING:
    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.report.comparison.summary import Summary
    from medzh_score.show.comparison.paper import PaperTable
    from medzh_score.show.comparison.showing import Language, Showing

WORDS = {"en": english, "zh": chinese}
BETWEEN = {"en": " ", "zh": ""}  # sentences


def captions(comparison: Comparison, showing: Showing) -> list[str]:
    """Give the caption, a text a language."""
    facts = facts_of(comparison)
    return [BETWEEN[one].join(WORDS[one].caption(comparison, facts, showing)) for one in showing.languages]


def marks(table: PaperTable, showing: Showing) -> list[str]:
    """Explain bold, ≈ and rows of papers where a table has them."""
    return [BETWEEN[one].join(_marks(table, one)) for one in showing.languages]


def _marks(table: PaperTable, language: Language) -> list[str]:
    words = WORDS[language]
    there = {
        words.BOLD: any(cell.best for cell in table.cells),
        words.ALIKE: any(cell.alike for cell in table.cells),
        words.PRINTED: bool(table.printed),
    }
    return [sentence for sentence, has in there.items() if has]


def ended(title: str) -> str:
    """End a title as a sentence, before those of a caption."""
    return title + ("。" if of_results.get() == CHINESE else ".")


def methods(comparison: Comparison, showing: Showing) -> list[str]:
    """Give the paragraph on the statistics where it was asked for."""
    facts = facts_of(comparison)
    return [WORDS[one].methods(comparison, facts, showing) for one in showing.languages if showing.methods]


def summary_captions(summary: Summary, table: PaperTable | None, showing: Showing) -> list[str]:
    """Give the caption of a summary, a text a language; of a table with marks these, too."""
    said = []
    for language in showing.languages:
        words = WORDS[language]
        sentences = words.summary_caption(summary, showing) + (_marks(table, language) if table else [])
        said.append(BETWEEN[language].join(sentences))
    return said
