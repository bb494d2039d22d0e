"""``medzh-score score``: a predictions file in, the paper's metrics out."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medzh_score.cli import options
from medzh_score.io.atomic import open_output, refuse_inputs
from medzh_score.io.paths import STDIN
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, translated

if TYPE_CHECKING:
    import argparse

    from medzh_score.results.report import Report
    from medzh_score.ui.cli import Parser


def add_score(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=_("Compute the metrics of a benchmark from predictions offline."))
    options.add_predictions(parser)
    _add_values(parser)
    _add_stages(parser)
    sent = _("prompts file that was sent (also for a stage); recorded in the signature; may be repeated")
    options.add_repeated(parser, "--prompts", "FILE", description=sent)
    options.add_variants(parser)
    parser.add_argument(
        "--dictionary",
        metavar="FILE",
        help=_("disease-name dictionary, for configs with a rule that uses one"),
    )
    parser.add_argument(
        "--items",
        metavar="FILE",
        help=_("write one JSON line per item and run: answers, extraction rules, correctness"),
    )
    _add_saving(parser)
    parser.add_argument("--model", metavar="NAME", help=_("system name; the model name in the files is also shown"))
    options.add_output(
        parser,
        description=_("output format (default: from the --output extension, else text)"),
        forms=options.REPORT_FORMS,
    )
    parser.hints["html"] = options.PAGE
    options.add_width(parser)
    options.add_full(parser)
    parser.set_defaults(run=_run_score)


def _add_values(parser: Parser) -> None:
    absent = _(
        "how to treat missing predictions: error (default), wrong (score as incorrect), or skip (drop the "
        "cluster from all runs)"
    )
    parser.add_argument("--missing", choices=("error", "wrong", "skip"), default="error", help=absent)
    parser.add_argument(
        "--allow-partial-runs",
        action="store_true",
        help=_("with --missing skip: also score partial runs (more than one twentieth of the predictions missing)"),
    )
    resamples = _("number of bootstrap resamples for intervals (default: 1000; 0: none)")
    parser.add_argument("--bootstrap", type=options.not_negative, default=1000, metavar="N", help=resamples)
    options.add_seed(parser, _("resampling"))
    kinds = _("auto (default): Wilson intervals for shares, bootstrap for all others; bootstrap: for all")
    parser.add_argument("--interval", choices=("auto", "bootstrap"), default="auto", help=kinds)
    parser.add_argument(
        "--ddof",
        type=int,
        choices=(0, 1),
        default=1,
        help=_("degrees of freedom correction of the standard deviation over runs (default: 1)"),
    )


def _add_saving(parser: Parser) -> None:
    folder = _("write a result folder with report, statistics, answers and hashes; nothing is written on failure")
    parser.add_argument("--save", metavar="DIR", help=folder)
    parser.add_argument(
        "--overwrite", action="store_true", help=_("with --save: replace an existing result that differs")
    )
    texts = _("with --save: text of predictions to store: none (default), spans (matched text) or full")
    parser.add_argument("--include-text", choices=("none", "spans", "full"), default="none", help=texts)


def _add_stages(parser: Parser) -> None:
    back = _(
        "responses of a stage: a filled-in sheet or the output of a model; may be repeated, later files take precedence"
    )
    options.add_repeated(parser, "--stage", "NAME=FILE", description=back)
    sample = _("sample that `prompts` wrote for a stage (default: the stage's own sample; NAME=all: all items)")
    options.add_repeated(parser, "--stage-sample", "NAME=N:SEED", description=sample)
    who = _("annotator for sheets that do not name one")
    parser.add_argument("--annotator", metavar="NAME", help=who)
    parser.add_argument(
        "--fallback-extractor",
        metavar="NAME",
        help=_(
            "name of the person or model that extracts answers from unparsed predictions (required even if "
            "there are none)"
        ),
    )
    parser.add_argument(
        "--include-ambiguous",
        action="store_true",
        help=_("the fallback extractor also processes ambiguous answers"),
    )


def _run_score(arguments: argparse.Namespace) -> int:
    from medzh_score.render.report import rendered
    from medzh_score.scoring.pipeline import ScoreOptions, score

    stages = _stages_of(arguments.stage)
    read = [*arguments.predictions, *(file for files in stages.values() for file in files)]
    read += [*arguments.prompts, *filter(None, [arguments.dictionary])]
    for option, path in (("--output", arguments.output), ("--items", arguments.items)):
        refuse_inputs(option, path, read, [arguments.data])
        if arguments.save and path and Path(path).resolve().is_relative_to(Path(arguments.save).resolve()):
            raise MedzhError(
                _("the path is inside the folder of --save"),
                file=path,
                field=option,
                advice=_("choose another file name"),
            )
    if arguments.output and arguments.items and Path(arguments.output).resolve() == Path(arguments.items).resolve():
        raise MedzhError(
            _("--items and --output are the same file"),
            file=arguments.items,
            field="--items",
            advice=_("choose another file name"),
        )
    # Opened first: where the result cannot be written, nothing is computed.
    with open_output(arguments.output) as stream:
        given: Any = {name: value for name, value in vars(arguments).items() if name in ScoreOptions.__annotations__}
        given |= {"stages": stages, "stage_sample": _samples_of(arguments.stage_sample)}
        given |= {"dictionary": arguments.dictionary or (), "digests": bool(arguments.save)}
        report = score(arguments.config, list(map(Path, arguments.predictions)), arguments.data, **given)
        text = rendered(
            report,
            arguments.to,
            options.width_of(arguments),
            full=arguments.full,
            closing=_closing(arguments, report) if arguments.output in {None, "-"} else (),
            colored=options.is_colored(arguments),
        )
        stream.write(options.encoded(text, arguments))
    return 0


def _closing(arguments: argparse.Namespace, report: Report) -> list[tuple[str, str]]:
    """Name the folder of the result, and the next command: to the first missing stage, or to unparsed predictions."""
    lines = [(_("saved"), shlex.quote(arguments.save))] if arguments.save else []
    lines.append((_("more"), _full_command(arguments)))
    if STDIN not in arguments.named_files and (following := _next_words(arguments, report)):
        lines.append((_("next"), options.command_line("medzh-score", *following)))
    return lines


def _full_command(arguments: argparse.Namespace) -> str:
    if arguments.save:
        return options.command_line("medzh-score", "show", arguments.save, "--full")
    return translated(_("--full: all tables; --save DIR: store the result"))


def _next_words(arguments: argparse.Namespace, report: Report) -> list[str]:
    from medzh_score.benchmark.registry import find_config

    words = options.reading_words(arguments)
    stage = find_config(report.config).reporting.screen.stages.get(report.primary_name)
    if report.metrics[report.primary_name].value is None and stage and stage not in report.arguments["stages"]:
        config, *others = words
        split = len(arguments.named_files)
        files, read = others[:split], others[split:]
        return ["prompts", config, "--stage", stage, "--predictions", *files, *read, "-o", f"{stage}.jsonl"]
    return ["explain", *words, "--unparsed", "5"] if report.coverage.unparsed else []


def _stages_of(given: list[str]) -> dict[str, list[str | Path]]:
    stages: dict[str, list[str | Path]] = {}
    for text in given:
        name, file = _name_and_value(text, _("invalid value"), "--stage", "NAME=FILE")
        stages.setdefault(name, []).append(file)
    return stages


def _samples_of(given: list[str]) -> dict[str, str]:
    samples: dict[str, str] = {}
    for text in given:
        name, sample = _name_and_value(text, _("invalid value"), "--stage-sample", _("NAME=N:SEED or NAME=all"))
        if name in samples:
            raise MedzhError(
                _("stage {name} is specified twice", name=name), field="--stage-sample", expected=_("distinct values")
            )
        samples[name] = sample
    return samples


def _name_and_value(text: str, problem: str, option: str, expected: str) -> tuple[str, str]:
    name, _unused, value = text.partition("=")
    if not (name and value):
        raise MedzhError(problem, field=option, expected=expected, found=text)
    return name, value
