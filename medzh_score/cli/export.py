"""``medzh-score export``: results as hubs, model cards and other tools read them."""

from __future__ import annotations

from dataclasses import replace
from difflib import unified_diff
from functools import partial
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.cli import options
from medzh_score.cli.options import agreed, day
from medzh_score.cli.prompts import asked_first
from medzh_score.io.atomic import open_output, print_lines, refuse_inputs, write_bytes
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import N_, _, translated
from medzh_score.ui.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from medzh_score.export.harness import Asked
    from medzh_score.export.hub import Claim
    from medzh_score.results.result import Result
    from medzh_score.ui.cli import Parser


FORMS = ("model-index", "eval-results", "eee", "inspect-scores")
RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")
EXPORT_DESCRIPTION = N_("""\
Export results to other formats: model-index (YAML of a model card), eval-results (a file for .eval_results/ of a
model repository), eee (JSON of Every Eval Ever 0.3.0, without items because they contain texts), inspect-scores
(scores by record id for a log of inspect). Results on data from a hub tag are labeled with the name of that dataset.
A local build of the official data is labeled as a local copy. Results on mini samples, edited rows and unpublished
data of other recipes are not exported.
""")


def add_export(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=EXPORT_DESCRIPTION)
    parser.add_argument("results", metavar="DIR", nargs="+", help=_("result folders of one model"))
    parser.add_argument("--to", choices=FORMS, help=_("export format (default with --update-card: model-index)"))
    options.add_out(parser)
    parser.add_argument(
        "--update-card", metavar="FILE", help=_("model card (README.md) to update with the results in its YAML")
    )
    parser.add_argument("--yes", action="store_true", help=_("update the card without confirmation"))
    parser.add_argument(
        "--dataset", metavar="ORG/NAME", help=_("dataset repository on the hub; ORG/NAME@COMMIT to set the commit")
    )
    parser.add_argument("--rule", metavar="NAME", help=_("extraction rule (default: the config's primary rule)"))
    parser.add_argument("--url", metavar="URL", help=_("URL of the results"))
    parser.add_argument("--date", type=day, metavar="YYYY-MM-DD", help=_("date of the evaluation"))
    parser.add_argument("--organization", metavar="NAME", help=_("eee: organization that ran the evaluation"))
    parser.add_argument(
        "--relationship", choices=RELATIONSHIPS, help=_("eee: relationship of this organization to the model developer")
    )
    parser.set_defaults(run=_run_export)


def _run_export(arguments: argparse.Namespace) -> int:
    from medzh_score.benchmark.config import rule_of
    from medzh_score.results.result import Result

    form = _form(arguments)
    folders = [Path(one) for one in arguments.results]
    for option, path in (("--output", arguments.output), ("--update-card", arguments.update_card)):
        refuse_inputs(option, path, folders, folders)
    results = []
    for result in map(Result.load, folders):
        rule = rule_of(find_config(result.report.config), arguments.rule)
        results.append(replace(result, report=result.report.by_rule(rule.name)))
    claims = _claims(arguments, results)
    if arguments.update_card is not None:
        return _into(arguments, Path(arguments.update_card), claims)
    content = _content(arguments, form, claims)
    with open_output(arguments.output) as stream:
        stream.write(content)
    return 0


def _form(arguments: argparse.Namespace) -> str:
    form: str | None = arguments.to or ("model-index" if arguments.update_card else None)
    if form is None:
        raise MedzhError(_("this option is required"), field="--to", expected=", ".join(FORMS))
    of_forms = {
        "update_card": ("model-index",),
        "url": ("model-index", "eval-results"),
        "date": ("eval-results", "eee"),
        "organization": ("eee",),
        "relationship": ("eee",),
    }
    for name, forms in of_forms.items():
        if getattr(arguments, name) is not None and form not in forms:
            raise MedzhError(
                _("this option does not apply to --to {form}", form=form),
                field=f"--{name.replace('_', '-')}",
                expected=" or ".join(forms),
            )
    if arguments.update_card is not None and arguments.output is not None:
        raise MedzhError(
            _("this option cannot be combined with --update-card"),
            field="--output",
            advice=_("use either --output or --update-card"),
        )
    if arguments.yes and arguments.update_card is None:
        raise MedzhError(_("this option requires --update-card"), field="--yes", advice=_("add --update-card FILE"))
    if arguments.url is not None and not arguments.url.startswith(("https://", "http://")):
        raise MedzhError(
            _("invalid URL"), field="--url", expected=_("a URL that starts with https://"), found=arguments.url
        )
    return form


def _claims(arguments: argparse.Namespace, results: Sequence[Result]) -> list[tuple[Result, Claim]]:
    from medzh_score.export.hub import claim_of, dataset_named, refuse_twins
    from medzh_score.scoring.withholding import refuse_private

    for one in results:
        refuse_private(one.report.config, private=one.report.private)
    dataset = None if arguments.dataset is None else dataset_named(arguments.dataset)
    refuse_twins(results)
    return [(one, claim_of(one, dataset)) for one in results]


def _content(arguments: argparse.Namespace, form: str, claims: Sequence[tuple[Result, Claim]]) -> bytes:
    from medzh_score.export.formats import Evaluator, every_eval_ever
    from medzh_score.export.hub import KEY, eval_results, model_of
    from medzh_score.io.jsonl import json_document

    if form == "inspect-scores":
        if len(claims) > 1:
            raise MedzhError(
                _("--to inspect-scores requires exactly one result folder"),
                field="DIR",
                expected="one",
                found=len(claims),
            )
        return _inspect_scores(claims[0][0])
    model = model_of([one for one, _unused in claims])
    if form == "model-index":
        return _yaml({KEY: [_model_entry(arguments, claims)]})
    if form == "eval-results":
        return _yaml(eval_results(claims, arguments.url, arguments.date))
    for name in ("date", "organization", "relationship"):
        if getattr(arguments, name) is None:
            raise MedzhError(
                _("this option is required with --to eee"),
                field=f"--{name}",
                advice=_("set this option; result folders do not contain this information"),
            )
    who = Evaluator(arguments.organization, arguments.relationship, arguments.date)
    return json_document(every_eval_ever(model, claims, who))


def _inspect_scores(result: Result) -> bytes:
    from medzh_score.export.formats import inspect_scores, mean_of
    from medzh_score.export.hub import primary_name_of
    from medzh_score.prompting.write import encoded
    from medzh_score.results.numbers import cells_of

    scores = list(inspect_scores(result))
    if result.layout.clusters.max() + 1 < len(result.layout.items):
        groups = _(
            (
                "inspect finds no scores for prompts that contain several questions, because their ids are not "
                "record ids. Use the scorer {own} instead."
            ),
            own=f"medzh_score/{result.report.config}",
        )
        say([groups])
    primary_name, mean = primary_name_of(result), mean_of(result, scores)
    if not isclose(mean.value or 0.0, primary_name.value or 0.0, rel_tol=1e-9, abs_tol=1e-9):
        values = {"shown": cells_of(mean).value, "cells_of_value": cells_of(primary_name).value}
        name = result.report.primary_name
        say(
            [
                _(
                    "The mean of these scores is {shown}. It differs from {name}, which is {cells_of_value}.",
                    **values,
                    name=name,
                )
            ]
        )
    return b"".join(map(encoded, scores))


def _model_entry(arguments: argparse.Namespace, claims: Sequence[tuple[Result, Claim]]) -> dict[str, object]:
    from medzh_score.export.hub import model_entry, model_of

    return model_entry(model_of([one for one, _unused in claims]), claims, arguments.url)


def _yaml(value: object) -> bytes:
    import yaml

    text: str = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=1_000_000)
    return text.encode("utf-8")


def _into(arguments: argparse.Namespace, card: Path, claims: Sequence[tuple[Result, Claim]]) -> int:
    from medzh_score.export.card import merged
    from medzh_score.io.limits import LARGEST_CARD, whole

    if not card.is_file():
        raise MedzhError(_("the file does not exist"), file=card, field="--update-card", expected=_("a model card"))
    with card.open("rb") as stream:
        content = whole(stream, card, LARGEST_CARD)
    new = merged(card, content, _model_entry(arguments, claims))
    if new == content:
        say([_("The card already contains these results. Nothing was written.")])
        return 0
    before, after = content.decode("utf-8").splitlines(), new.decode("utf-8").splitlines()
    print_lines(unified_diff(before, after, str(card), str(card), lineterm=""))
    if not (arguments.yes or agreed(translated(_("Update the card? [y/N] ")))):
        raise MedzhError(_("the card was not changed"), field="--yes", advice=_("add --yes to confirm"))
    write_bytes(card, new)
    return 0


TOOLS = ("inspect", "lm-eval")
HARNESS_DESCRIPTION = N_("""\
Write a task that runs the prompts of medzh in another tool. `medzh-score score` accepts the output of the tool. In
inspect and lm-evaluation-harness the task reports the primary metric of medzh with the default rule. The scorer in
inspect is named medzh_score/CONFIG.
""")


def add_harness(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=HARNESS_DESCRIPTION)
    parser.add_argument("tool", metavar="TOOL", choices=TOOLS, help=_("inspect or lm-eval"))
    options.add_config(parser)
    options.add_data(parser)
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help=_("an output folder"))
    options.add_asking(parser)
    options.add_seed(parser, _("sampling option orders"))
    parser.set_defaults(run=_run_harness)


def _run_harness(arguments: argparse.Namespace) -> int:
    from medzh_score.export.harness import files_of
    from medzh_score.io.atomic import folder_beside, put_in_place

    target = Path(arguments.output).resolve()
    if target.exists() and not target.is_dir():
        raise MedzhError(_("the path is a file"), file=target, field="--output", expected=_("an output folder"))
    files = files_of(arguments.tool, _asked(arguments))
    if target.is_dir() and any(target.iterdir()):
        if {one.name: one.read_bytes() for one in target.iterdir() if one.is_file()} == files:
            return 0
        problem, advice = _("the folder contains other files"), _("choose another folder")
        raise MedzhError(problem, file=target, field="--output", advice=advice)
    with folder_beside(target) as part:
        for name, content in files.items():
            (part / name).write_bytes(content)
        put_in_place(part, target)
    return 0


def _asked(arguments: argparse.Namespace) -> Asked:
    from medzh_score.data.hub import SHIPPED, is_hub_tag
    from medzh_score.data.records import load_records
    from medzh_score.export.harness import Asked
    from medzh_score.prompting.write import prompt_lines
    from medzh_score.scoring.withholding import refuse_private

    config, data = find_config(arguments.config), arguments.data
    refuse_private(config.name, private=config.private)
    records = load_records(data, config.name)
    asker, asking, chosen = asked_first(arguments, config, records, "chat")
    lines = partial(
        prompt_lines, asker, asking, config.prompting.generation_kwargs, chosen=chosen, runs=arguments.runs or 1
    )
    return Asked(
        config=config.name,
        primary_name=config.reporting.primary_metrics[0],
        higher=pick("--metric", config.metrics, config.reporting.primary_metrics[0]).direction == "higher",
        data=data if data in SHIPPED or is_hub_tag(data) else str(Path(data).resolve()),  # found from any folder
        origin=str(records.origin),
        generation=config.prompting.generation_kwargs,
        lines=lambda form: lines(form=form),
    )
