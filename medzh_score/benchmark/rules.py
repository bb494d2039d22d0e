"""Rules: named ways to read answers from texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.benchmark.answers import Reading


OURS = "medzh-1"  # the one rule of this package, in every config
# What rules were called before that one replaced them; those that are still there lost their number.
FORMER = dict.fromkeys(
    (
        *("strict-1", "strict-2", "simple-1", "lenient-1", "prepared-1", "codes-1", "names-1", "names-2"),
        *("tf-1", "score-2", "declines-1", "declines-2"),
    ),
    OURS,
) | {"judge-1": "judge"}


@dataclass(frozen=True)
class Rule:
    """A named way to read answers.

    Attributes
    ----------
    name : str
        As in the report.
    summary : str
        One sentence on whose rule it is.
    read : callable
        From the raw text, the side of what was `Asked` and the number of the variant to one `Reading` a member.
    meanings : mapping of str to str
        What names of what decided mean, as a clause for people, beside those that many rules give.
    whole : bool
        Whether the answer is the whole text, not something that it says: of one that runs on its beginning counts then.
    """

    name: str
    summary: str
    read: Callable[[str, Any, int], Sequence[Reading]]
    meanings: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False


def record_alone(read: Callable[[str, Any], Reading]) -> Callable[[str, Any, int], Sequence[Reading]]:
    """Make a rule of a function that reads the answer to one record, from the text and the side; it has no variants."""

    def answers(text: str, side: object, _variant: int) -> tuple[Reading]:
        return (read(text, side),)

    return answers


def replaced_by(rules: Sequence[Rule], name: str | None) -> None:
    """Refuse a former name, and say what replaced it; a private package's rule may bear any."""
    names = [rule.name for rule in rules]
    if name in FORMER and name not in names:
        raise MedzhError(f"replaced by {FORMER[name]}", field="--rule", expected=", ".join(names), found=name)
