"""Options that ``compare``, ``summary`` and ``plot`` share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from medzh_score.report.comparison.choices import Gate
    from medzh_score.report.comparison.comparison import Outcome
    from medzh_score.show.comparison.showing import Showing


def add_gate(parser: argparse.ArgumentParser, metavar: str) -> None:
    """Add the gate."""
    gate = "fail where a system is worse than the baseline, by more than so many percentage points or significantly"
    parser.add_argument("--fail-on-regression", metavar=metavar, help=gate)
    parser.add_argument(
        "--undecided", choices=("pass", "fail"), help="what an undecided gate is taken for (default: status 4)"
    )


def gate_from(arguments: argparse.Namespace) -> Gate | None:
    """Give the gate that was asked for."""
    from medzh_score.messages.errors import MedzhError
    from medzh_score.report.comparison.choices import gate_of

    if arguments.undecided and not arguments.fail_on_regression:
        raise MedzhError("says what a gate does", field="--undecided", advice="name one: --fail-on-regression METRIC")
    return gate_of(arguments.fail_on_regression) if arguments.fail_on_regression else None


def status_of(outcome: Outcome, undecided: Outcome | None) -> int:
    """Give the status of a gate; what is undecided may be taken for something else."""
    from medzh_score.report.comparison.gate import STATUSES

    return STATUSES[undecided if outcome == "undecided" and undecided else outcome]


def add_names(parser: argparse.ArgumentParser) -> None:
    """Add under which names, with how many digits and in which language systems are shown."""
    parser.add_argument("--labels", metavar="FILE", help="a CSV file of names to be shown: label, name")
    decimals = "decimals, at most 15 (default: the config's)"
    parser.add_argument("--digits", type=options.not_negative, choices=range(16), metavar="N", help=decimals)
    parser.add_argument("--caption", choices=("en", "zh", "both"), help="language of captions (default: as --lang)")


def showing_of(arguments: argparse.Namespace) -> Showing:
    """Take how a comparison is shown."""
    from pathlib import Path

    from medzh_score.messages.languages import CHINESE, of_results
    from medzh_score.show.comparison.showing import Showing, read_names

    return Showing(
        names=read_names(Path(arguments.labels)) if arguments.labels else {},
        digits=arguments.digits,
        caption=arguments.caption or ("zh" if of_results.get() == CHINESE else "en"),
        width=options.width_of(arguments),
    )


class Named(NamedTuple):
    """A result folder, and what its system is called where the user says so."""

    folder: str
    label: str | None


def named_folders(given: Sequence[str], config: str | None) -> list[Named]:
    """Take labels off folders; of a suite give its results, of one config where one is named."""
    from pathlib import Path

    from medzh_score.messages.errors import MedzhError
    from medzh_score.suites.plan import PLAN
    from medzh_score.suites.plan_edits import suite_plan
    from medzh_score.suites.work import results_there

    found: list[Named] = []
    for text in given:
        folder, label = split_label(text)
        if not (Path(folder) / PLAN).is_file():
            found.append(Named(folder, label))
            continue
        results = results_there(Path(folder), suite_plan(Path(folder)), config)
        if not results:
            problem, advice = "is a suite without such results", f"score it: medzh-score suite score {folder}"
            raise MedzhError(problem, file=folder, field="--config", found=config or "any", advice=advice)
        if label is not None:
            raise MedzhError("is a suite: its models have labels of their own", file=folder, field="DIR", found=text)
        found += [Named(str(path), model) for path, model in results.items()]
    return found


def split_label(text: str) -> tuple[str, str | None]:
    """Take the label off a folder; both may bear the sign in their own names.

    Examples
    --------
    >>> split_label("results/a=step=3000"), split_label("results/a")
    (('results/a', 'step=3000'), ('results/a', None))
    """
    from pathlib import Path

    if Path(text).exists():
        return text, None
    parts = text.split("=")
    parted = [("=".join(parts[:place]), "=".join(parts[place:])) for place in range(1, len(parts))]
    parted = [(folder, label) for folder, label in parted if folder]
    there = [(folder, label) for folder, label in parted if Path(folder).exists()]
    for folder, label in (there or parted)[:1]:
        return folder, label or None
    return text, None
