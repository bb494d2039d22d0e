"""What was found in predictions before they are scored."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.report.readiness import advice_on, problems_of
from medzh_score.report.report import forms_as_dict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.benchmark.answer_table import FormCount, WordingCount
    from medzh_score.predictions.collected import Coverage
    from medzh_score.predictions.errors import Place
    from medzh_score.predictions.inspection import Inspection
    from medzh_score.report.readiness import Given, Why


SOUND, UNSOUND, IMPOSSIBLE = 0, 1, 2
EXAMPLE = 160  # characters of a text that are shown


@dataclass(frozen=True)
class Checked:
    """What predictions hold.

    Attributes
    ----------
    config, rule : str
        What was checked, and by which rule answers were read.
    runs, variants : tuple of int
        Those seen.
    coverage : Coverage or None
        How the predictions cover what was asked, as far as they can be read; None where none can.
    missing : tuple of str
        The first few that did not come.
    failed : mapping of str to int
        Requests that failed, and that nothing made up for, by reason; they are among the missing.
    filtered : int
        Predictions that the file marks as filtered.
    readers : mapping of str to int
        As what form the files were read, and how many.
    fired : tuple of Fired
        How often each wording decided.
    forms : tuple of Forms
        How predictions of each form of text were read.
    seen : Inspection
        What else was seen.
    error : MedzhError or None
        Why nothing can be scored: what `score` would raise.
    given : Given
        What was checked, in words for the next command.
    """

    config: str
    rule: str
    runs: tuple[int, ...]
    variants: tuple[int, ...]
    coverage: Coverage | None
    missing: tuple[str, ...]
    failed: Mapping[str, int]
    filtered: int
    readers: Mapping[str, int]
    fired: tuple[WordingCount, ...]
    forms: tuple[FormCount, ...]
    seen: Inspection
    error: MedzhError | None
    given: Given

    @property
    def why_not(self) -> tuple[Why, ...]:
        """Why scoring would not be sound: predictions are missing, or too much is unread or cut off."""
        return problems_of(self.coverage)

    @property
    def advice(self) -> tuple[str, ...]:
        """What to do next."""
        return advice_on(self.given, self.rule, self.why_not, faulty=self.error is not None)

    @property
    def sound(self) -> bool:
        """Whether scoring can be done and would be sound."""
        return self.status == SOUND

    @property
    def status(self) -> int:
        """0 where scoring is sound, 1 where it would not be, 2 where it cannot be done."""
        if self.error is not None or self.coverage is None:
            return IMPOSSIBLE
        return UNSOUND if self.why_not else SOUND

    def as_dict(self) -> dict[str, Any]:
        """Give what was found as plain mappings and lists."""
        seen = self.seen
        return {
            "config": self.config,
            "rule": self.rule,
            "status": self.status,
            "sound": self.sound,
            "why_not": [asdict(why) for why in self.why_not],
            "error": None if self.error is None else str(self.error),
            "next": list(self.advice),
            "runs": list(self.runs),
            "variants": list(self.variants),
            "coverage": None if self.coverage is None else asdict(self.coverage),
            "files": dict(self.readers),
            "forms": forms_as_dict(self.forms),
            "missing": list(self.missing),
            "failed": {"count": sum(self.failed.values()), "reasons": dict(self.failed)},
            "duplicates": {"count": seen.duplicates.count, "first": list(map(_place, seen.duplicates.first))},
            "too_long": {"count": seen.too_long.count, "first": list(map(_place, seen.too_long.first))},
            "unknown": {"count": seen.unknown.count, "first": list(map(_place, seen.unknown.first))},
            "refusals": {"file": self.filtered, "text": seen.declined, "either": seen.declined_or_filtered},
            "languages": dict(seen.languages),
            "unclosed": seen.unclosed,
            "unread": {
                "why": {one.wording: one.answers for one in self.fired if not one.answered},
                "examples": [{**_place(one.place), "why": one.why, "text": shortened(one.text)} for one in seen.unread],
            },
            "identical": {
                "count": seen.constant,
                "of": seen.texts,
                "text": shortened(seen.frequent) if seen.constant else None,
            },
        }


def shortened(text: str) -> str:
    r"""Show a text on one line: control characters escaped, what is long cut.

    Examples
    --------
    >>> print(shortened("正确\n"), len(shortened("难" * 1000)))
    正确\n 161
    """
    shown = printable(text[: EXAMPLE + 1])
    return shown if len(shown) <= EXAMPLE else f"{printable(text[:EXAMPLE])[:EXAMPLE]}…"


def _place(place: Place) -> dict[str, str | int]:
    return {**asdict(place), "id": shortened(place.id), "file": printable(place.file)}
