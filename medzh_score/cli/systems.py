"""Options of the commands that compare results: their folders and labels, how systems are shown, and the gate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.cli.options import not_negative, on_terminal, width_of
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import CHINESE, _, current
from medzh_score.ui.progress import defer_note, display_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from medzh_score.comparison.load import Gate
    from medzh_score.comparison.model import Outcome
    from medzh_score.render.display import DisplayOptions


def add_gate(parser: argparse.ArgumentParser, metavar: str) -> None:
    """Add the gate."""
    gate = _(
        "fail if a system is worse than the baseline by more than POINTS percentage points (without POINTS: "
        "significantly worse)"
    )
    parser.add_argument("--fail-on-regression", metavar=metavar, help=gate)
    parser.add_argument(
        "--inconclusive",
        choices=("pass", "fail"),
        help=_("how to treat an inconclusive regression check (default: exit code 4)"),
    )


def gate_from(arguments: argparse.Namespace) -> Gate | None:
    """Give the gate that was asked for."""
    from medzh_score.comparison.load import gate_of

    if arguments.inconclusive and not arguments.fail_on_regression:
        raise MedzhError(
            _("this option requires --fail-on-regression"),
            field="--inconclusive",
            advice=_("add --fail-on-regression METRIC"),
        )
    return gate_of(arguments.fail_on_regression) if arguments.fail_on_regression else None


def status_of(outcome: Outcome, undecided: Outcome | None) -> int:
    """Give the status of a gate; what is undecided may be taken for something else."""
    from medzh_score.comparison.gate import STATUSES

    return STATUSES[undecided if outcome == "undecided" and undecided else outcome]


def add_names(parser: argparse.ArgumentParser) -> None:
    """Add under which names, with how many digits and in which language systems are shown."""
    parser.add_argument(
        "--display-names", metavar="FILE", help=_("CSV file of display names with the columns label and name")
    )
    decimals = _("number of decimals, at most 15 (default: 1 for percentages, 3 for fractions)")
    parser.add_argument("--decimals", type=not_negative, choices=range(16), metavar="N", help=decimals)
    parser.add_argument(
        "--caption", choices=("en", "zh", "both"), help=_("language of captions (default: same as --lang)")
    )


def showing_of(arguments: argparse.Namespace) -> DisplayOptions:
    """Take how a comparison is shown."""
    from medzh_score.render.display import DisplayOptions, read_names

    return DisplayOptions(
        names=read_names(Path(arguments.display_names)) if arguments.display_names else {},
        digits=arguments.decimals,
        caption=arguments.caption or ("zh" if current.get() == CHINESE else "en"),
        width=width_of(arguments),
        color=on_terminal(arguments.output),
    )


class NamedFolder(NamedTuple):
    """A result folder, and what its system is called where the user says so."""

    folder: str
    label: str | None


def named_folders(given: Sequence[str], config: str | None, *, one_config: bool = False) -> list[NamedFolder]:
    """Take labels off folders; of a suite give its results, of one config where one is named or has to be."""
    from medzh_score.suites.plan import PLAN

    found: list[NamedFolder] = []
    for text in given:
        folder, label = folder_and_label(text)
        if not (Path(folder) / PLAN).is_file():
            found.append(NamedFolder(folder, label))
            continue
        results = _results_of_suite(Path(folder), config, fewest=2 if one_config and len(given) == 1 else 1)
        configs = sorted({path.name for path in results})
        if one_config and len(configs) > 1:
            problem = _("the suite has results of several configs")
            expected = _("one of {word}", word=", ".join(configs))
            raise MedzhError(problem, file=folder, field="--config", expected=expected)
        if label is not None:
            raise MedzhError(
                _("a suite folder accepts no system name because the models of the suite have names"),
                file=folder,
                field="DIR",
                found=text,
            )
        found += [NamedFolder(str(path), model) for path, model in results.items()]
    return found


def _results_of_suite(suite: Path, config: str | None, fewest: int) -> dict[Path, str]:
    """Find the results of a suite, and say which models have none; fewer than needed are refused."""
    from medzh_score.suites.progress import suite_plan
    from medzh_score.suites.scoring import results_there

    plan = suite_plan(suite)
    results = results_there(suite, plan, config)
    if not results:
        problem = _("the suite has no matching results")
        advice = _("run `medzh-score suite score {folder}`", folder=suite)
        raise MedzhError(problem, file=suite, field="--config", found=config or "any", advice=advice)
    without = ", ".join(model.label for model in plan.models if model.label not in results.values())
    if without:
        problem = _("models without results: {without}", without=without)
        if config is not None:
            problem = _("models without results on {config}: {without}", config=config, without=without)
        if len(results) < fewest:
            advice = _("run `medzh-score suite status {suite}` to see what is missing", suite=suite)
            raise MedzhError(problem, file=suite, advice=advice)
        defer_note(_("{suite}: {problem}", suite=display_name(suite), problem=problem))
    return results


def folder_and_label(text: str) -> tuple[str, str | None]:
    """Take the label off a folder; both may bear the sign in their own names.

    Examples
    --------
    >>> folder_and_label("results/a=step=3000"), folder_and_label("results/a")
    (('results/a', 'step=3000'), ('results/a', None))
    """
    if Path(text).exists():
        return text, None
    parts = text.split("=")
    parted = [("=".join(parts[:place]), "=".join(parts[place:])) for place in range(1, len(parts))]
    parted = [(folder, label) for folder, label in parted if folder]
    there = [(folder, label) for folder, label in parted if Path(folder).exists()]
    for folder, label in (there or parted)[:1]:
        return folder, label or None
    return text, None
