"""``medzh-score check``: what a predictions file holds, before it is scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.report.readiness import MISSING, UNREAD, VALUELESS, Why, takes_whole_texts

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser
    from medzh_score.report.check import Checked


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(
        description="Count what predictions cover. Status 1: scoring would not be sound; 2: it cannot be done."
    )
    options.add_predictions(parser)
    placed = "the prompts file that was sent, by whose order predictions are placed that name no ids; once for each"
    options.add_repeated(parser, "--prompts", "FILE", description=placed)
    options.add_variants(parser)
    options.add_output(parser, description="how the counts are written")
    options.add_width(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Count and print."""
    from pathlib import Path

    from medzh_score.files.writing import open_output, refuse_inputs
    from medzh_score.messages.progress import say
    from medzh_score.report.check import check_files
    from medzh_score.show.checks import rendered_check

    refuse_inputs("--out", arguments.out, [*arguments.predictions, *arguments.prompts], [arguments.data])
    with open_output(arguments.out) as stream:
        files = options.files_of(arguments, arguments.predictions)
        checked = check_files(
            arguments.config,
            files,
            arguments.data,
            arguments.rule,
            list(map(Path, arguments.prompts)),
            variants=arguments.variants,
        )
        stream.write(rendered_check(checked, arguments.to, options.width_of(arguments)).encode("utf-8"))
    if checked.error is not None:
        raise checked.error
    say([*check_sentences(checked), *checked.advice])
    return checked.status


def check_sentences(checked: Checked) -> tuple[str, ...]:
    """Say in sentences whether scoring is sound, and why not, and what else should be known."""
    verdict = "Scoring would not be sound." if checked.why_not else "Scoring is sound."
    said = [verdict, *(_reason(why, checked.rule) for why in checked.why_not if why.what != VALUELESS)]
    if checked.valueless is not None:
        said.append(f"The primary metric, {checked.valueless.metric}, has no value yet.")
        said.append(checked.valueless.why)
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
