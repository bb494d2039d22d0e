"""``medzh-score check``: what a predictions file holds, before it is scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser


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
    from medzh_score.report.check_words import check_sentences
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
