"""``medzh-score check``: what a predictions file holds, before it is scored."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.cli import options
from medzh_score.io.atomic import open_for_texts, open_output, refuse_inputs
from medzh_score.scoring.check import MISSING, UNREAD, VALUELESS, Problem
from medzh_score.scoring.explain import takes_whole_texts
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.progress import say

if TYPE_CHECKING:
    import argparse

    from medzh_score.render.predictions import Marks
    from medzh_score.scoring.check import Checked
    from medzh_score.ui.cli import Parser


def add_check(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(
        description=_("Count what predictions cover. Status 1: scoring would not be sound; 2: it cannot be done.")
    )
    options.add_predictions(parser)
    placed = _("the prompts file that was sent, by whose order predictions are placed that name no ids; once for each")
    options.add_repeated(parser, "--prompts", "FILE", description=placed)
    options.add_variants(parser)
    options.add_output(parser, description=_("how the counts are written"))
    options.add_width(parser)
    parser.set_defaults(run=_run_check)


def _run_check(arguments: argparse.Namespace) -> int:
    from medzh_score.render.predictions import rendered_check
    from medzh_score.scoring.check import check_files

    refuse_inputs("--out", arguments.out, [*arguments.predictions, *arguments.prompts], [arguments.data])
    with open_output(arguments.out) as stream:
        files = options.files_of(arguments, arguments.predictions)
        prompts = list(map(Path, arguments.prompts))
        given = arguments.config, files, arguments.data, arguments.rule, prompts
        checked = check_files(*given, variants=arguments.variants)
        stream.write(rendered_check(checked, arguments.to, options.width_of(arguments)).encode("utf-8"))
    if checked.error is not None:
        raise checked.error
    say([*check_sentences(checked), *checked.advice])
    return checked.status


def check_sentences(checked: Checked) -> tuple[str, ...]:
    """Say in sentences whether scoring is sound, and why not, and what else should be known."""
    verdict = _("Scoring would not be sound.") if checked.why_not else _("Scoring is sound.")
    said = [verdict, *(_reason(why, checked.rule) for why in checked.why_not if why.what != VALUELESS)]
    if checked.valueless is not None:
        said.append(_("The primary metric, {metric}, has no value yet.", metric=checked.valueless.metric))
        said.append(checked.valueless.why)
    seen = checked.seen
    if takes_whole_texts(checked.fired):
        whole = _(
            "By rule {rule} the whole text is the answer: unread is only what is empty or never stops "
            "thinking; texts that decline are answers, too ({declined} here).",
            rule=checked.rule,
            declined=seen.declined,
        )
        said.append(whole)
    if count := seen.too_long.count:
        said.append(_("{too_long_count} predictions run on for longer than is read.", too_long_count=count))
    if seen.constant:
        same = _(
            "One text makes up {constant} of {texts} predictions: look whether the model says the same "
            "whatever it is asked.",
            constant=seen.constant,
            texts=seen.texts,
        )
        said.append(same)
    return tuple(said)


def _reason(why: Problem, rule: str) -> str:
    values = {"why_count": why.count, "of": why.of, "most": why.most, "rule": rule}
    if why.what == MISSING:
        return _("{why_count} of {of} predictions are missing; none may be.", **values)
    if why.what == UNREAD:
        return _(
            "Rule {rule} finds no answer in {why_count} of {of} predictions; above {most:.0%} is too many.", **values
        )
    return _(
        "{why_count} of {of} predictions were cut off at the length limit; above {most:.0%} is too many.", **values
    )


FIRST = 5  # predictions that a wording decided


def add_explain(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=_("Show predictions with what every rule reads in them marked, and why."))
    options.add_predictions(parser)
    options.add_repeated(parser, "--id", "ID", description=_("a record or group; may be repeated"))
    parser.add_argument(
        "--run", dest="only_run", type=options.not_negative, metavar="N", help=_("only this run (default: all)")
    )
    parser.add_argument("--variant", type=options.not_negative, metavar="N", help=_("only this variant (default: all)"))
    parser.add_argument(
        "--unread", type=options.positive, metavar="N", help=_("the first N in which the rule finds no answer")
    )
    parser.add_argument(
        "--rule-fired", metavar="NAME", help=_("those that this wording, or reason for none, of the rule decided")
    )
    parser.add_argument(
        "--first",
        type=options.positive,
        metavar="N",
        help=_("how many at most (with --rule-fired default {first})", first=FIRST),
    )
    options.add_output(parser, description=_("how it is written"), forms=("text", "json"))
    parser.set_defaults(run=_run_explain)


def _run_explain(arguments: argparse.Namespace) -> int:
    from medzh_score.benchmark.config import rule_of
    from medzh_score.render.predictions import as_json, as_plain_text
    from medzh_score.scoring.explain import ExplainFilter, explain

    rule_of(find_config(arguments.config), arguments.rule)  # a former rule, whatever is to be explained
    by_answer = arguments.unread is not None or arguments.rule_fired is not None
    if not arguments.id and not by_answer:
        expected = _("--id ID, --unread N or --rule-fired NAME")
        raise MedzhError(_("nothing says which predictions to explain"), expected=expected)
    refuse_inputs("--out", arguments.out, arguments.predictions, [arguments.data])
    wanted = ExplainFilter(
        ids=tuple(arguments.id),
        run=arguments.only_run,
        variant=arguments.variant,
        unread=arguments.unread is not None,
        fired=arguments.rule_fired,
        first=min(filter(None, (arguments.unread, arguments.first)), default=FIRST if by_answer else None),
    )
    with open_for_texts(arguments.out) as stream:
        files = options.files_of(arguments, arguments.predictions)
        explained = explain(arguments.config, files, arguments.data, wanted, arguments.rule)
        if arguments.to == "json":
            stream.write(as_json(arguments.config, explained).encode("utf-8"))
        else:
            stream.write(as_plain_text(explained, _marks(arguments.out)).encode("utf-8"))
    if not explained:
        say([_("no prediction is such")])
    return 0


def _marks(out: str | None) -> Marks:
    from medzh_score.render.predictions import PLAIN, TERMINAL

    if out not in {None, "-"} or os.environ.get("TERM") == "dumb" or os.environ.get("NO_COLOR"):
        return PLAIN
    return TERMINAL if sys.stdout.isatty() else PLAIN
