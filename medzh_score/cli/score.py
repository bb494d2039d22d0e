"""``medzh-score score``: a predictions file in, the paper's metrics out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from medzh_score.cli import options
from medzh_score.io.atomic import open_output, refuse_inputs
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    import argparse

    from medzh_score.ui.cli import Parser


def add_score(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=_("Compute a benchmark's metrics from predictions, offline."))
    options.add_predictions(parser)
    _add_values(parser)
    _add_rounds(parser)
    sent = _("the prompts file that was sent, which enters the signature; once for each, also of a later round")
    options.add_repeated(parser, "--prompts", "FILE", description=sent)
    options.add_variants(parser)
    parser.add_argument(
        "--dictionary",
        metavar="FILE",
        help=_("names with codes that answers are read by, where a config has such a rule"),
    )
    parser.add_argument(
        "--items", metavar="FILE", help=_("write a JSON line per item and run: answers, rules, verdict")
    )
    _add_saving(parser)
    parser.add_argument(
        "--model", metavar="LABEL", help=_("what the system is called; the name in the files stands beside it")
    )
    options.add_output(parser, description=_("how the report is written"), forms=options.REPORT_FORMS)
    options.add_width(parser)
    parser.set_defaults(run=_run_score)


def _add_values(parser: Parser) -> None:
    absent = _("a missing prediction is an error (default), wrong, or drops its unit from all runs")
    parser.add_argument("--missing", choices=("error", "wrong", "skip"), default="error", help=absent)
    parser.add_argument(
        "--allow-fragments",
        action="store_true",
        help=_("with --missing skip: also runs that lack more than a twentieth"),
    )
    resamples = _("resamples of the intervals (default 1000; 0: none)")
    parser.add_argument("--bootstrap", type=options.not_negative, default=1000, metavar="N", help=resamples)
    options.add_seed(parser, _("the resamples"))
    kinds = _("auto (default): Wilson's for shares, the bootstrap for all else; bootstrap: for all")
    parser.add_argument("--interval", choices=("auto", "bootstrap"), default="auto", help=kinds)
    parser.add_argument("--ddof", type=int, choices=(0, 1), default=1, help=_("of the std over runs (default 1)"))


def _add_saving(parser: Parser) -> None:
    folder = _("write a result folder: report, statistics, answers, hashes; whole or not at all")
    parser.add_argument("--save", metavar="DIR", help=folder)
    parser.add_argument("--overwrite", action="store_true", help=_("with --save: replace a result that differs"))
    texts = _("with --save: what of the texts stands there: none (default), what answers were read from, or all")
    parser.add_argument("--texts", choices=("none", "spans", "full"), default="none", help=texts)


def _add_rounds(parser: Parser) -> None:
    back = _("what came back in a later round: a filled sheet or a model's responses; of several the later wins")
    options.add_repeated(parser, "--round", "NAME=FILE", description=back)
    sample = _("of which sample a later round is, as prompts drew it (default: the round's own; NAME=all: all)")
    options.add_repeated(parser, "--round-sample", "NAME=N:SEED", description=sample)
    parser.add_argument(
        "--second-reader", metavar="NAME", help=_("who reads what the rule leaves unread; also where nothing was due")
    )
    parser.add_argument(
        "--unclear", action="store_true", help=_("the second reader also reads what was read without being clear")
    )


def _run_score(arguments: argparse.Namespace) -> int:
    from medzh_score.render.report import rendered
    from medzh_score.scoring.pipeline import ScoreOptions, score

    rounds = _rounds_of(arguments.round)
    read = [*arguments.predictions, *(file for files in rounds.values() for file in files)]
    read += [*arguments.prompts, *filter(None, [arguments.dictionary])]
    for option, path in (("--out", arguments.out), ("--items", arguments.items)):
        refuse_inputs(option, path, read, [arguments.data])
        if arguments.save and path and Path(path).resolve().is_relative_to(Path(arguments.save).resolve()):
            raise MedzhError(
                _("stands in the folder of --save"), file=path, field=option, advice=_("name another file")
            )
    if arguments.out and arguments.items and Path(arguments.out).resolve() == Path(arguments.items).resolve():
        raise MedzhError(
            _("is where the report goes"), file=arguments.items, field="--items", advice=_("name another file")
        )
    # Opened first: where the result cannot be written, nothing is computed.
    with open_output(arguments.out) as stream:
        given: Any = {name: value for name, value in vars(arguments).items() if name in ScoreOptions.__annotations__}
        given |= {"rounds": rounds, "round_sample": _samples_of(arguments.round_sample)}
        given |= {"dictionary": arguments.dictionary or ()}
        report = score(arguments.config, list(map(Path, arguments.predictions)), arguments.data, **given)
        stream.write(options.encoded(rendered(report, arguments.to, options.width_of(arguments)), arguments))
    return 0


def _rounds_of(given: list[str]) -> dict[str, list[str | Path]]:
    rounds: dict[str, list[str | Path]] = {}
    for text in given:
        name, file = _name_and_value(text, _("is no round"), "--round", "NAME=FILE")
        rounds.setdefault(name, []).append(file)
    return rounds


def _samples_of(given: list[str]) -> dict[str, str]:
    samples: dict[str, str] = {}
    for text in given:
        name, sample = _name_and_value(text, _("is no sample"), "--round-sample", _("NAME=N:SEED or NAME=all"))
        if name in samples:
            raise MedzhError(_("names round {name} twice", name=name), field="--round-sample", expected=_("each once"))
        samples[name] = sample
    return samples


def _name_and_value(text: str, problem: str, option: str, expected: str) -> tuple[str, str]:
    name, _unused, value = text.partition("=")
    if not (name and value):
        raise MedzhError(problem, field=option, expected=expected, found=text)
    return name, value
