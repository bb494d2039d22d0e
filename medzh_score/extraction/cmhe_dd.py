"""Stand-in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction.cmhe_dd_written import form_of, written_in
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.whole_text import spoken

if TYPE_CHECKING:
    from collections.abc import Callable

    from medzh_score.terminology.disease_names import Dictionary


def reader(dictionary: Callable[[], Dictionary]) -> Callable[[str, object], Reading]:
    """Make the reader."""
    del dictionary

    def read(text: str, _side: object) -> Reading:
        codes = [one.code for one in written_in(form_of(spoken(text) or "")) if one.sure]
        return Reading("；".join(codes), "codes", clear=True) if codes else Reading(None, "nothing")

    return read
