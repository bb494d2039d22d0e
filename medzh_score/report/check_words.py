"""What was found in predictions, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.report.readiness import MISSING, UNREAD, Why, takes_whole_texts

if TYPE_CHECKING:
    from medzh_score.report.checked import Checked


def check_sentences(checked: Checked) -> tuple[str, ...]:
    """Say in sentences whether scoring is sound, and why not, and what else should be known."""
    verdict = "Scoring would not be sound." if checked.why_not else "Scoring is sound."
    said = [verdict, *(_reason(why, checked.rule) for why in checked.why_not)]
    if takes_whole_texts(checked.fired):
        said.append(
            f"By rule {checked.rule} the whole text is the answer: unread is only what is empty or never stops "
            f"thinking; texts that decline are answers, too ({checked.seen.declined} here)."
        )
    if checked.seen.too_long.count:
        said.append(f"{checked.seen.too_long.count} predictions run on for longer than is read.")
    if checked.seen.constant:
        said.append(
            f"One text makes up {checked.seen.constant} of {checked.seen.texts} predictions: look whether the model "
            "says the same whatever it is asked."
        )
    return tuple(said)


def _reason(why: Why, rule: str) -> str:
    if why.what == MISSING:
        return f"{why.count} of {why.of} predictions are missing; none may be."
    if why.what == UNREAD:
        return f"Rule {rule} finds no answer in {why.count} of {why.of} predictions; above {why.most:.0%} is too many."
    return f"{why.count} of {why.of} predictions were cut off at the length limit; above {why.most:.0%} is too many."
