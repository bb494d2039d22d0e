"""The command ``medzh-score``: what it knows, and how it fails."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from medzh_score.ui.cli import Command, Parser
from medzh_score.ui.i18n import _
from medzh_score.ui.process import as_process, run

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence


COMMANDS = (
    Command(
        "configs",
        help=_("List configs with their extraction rules and prompts"),
        module="medzh_score.cli.papers:add_configs",
    ),
    Command(
        "prompts", help=_("Write prompts for predictions or for a stage"), module="medzh_score.cli.prompts:add_prompts"
    ),
    Command(
        "harness", help=_("Write an evaluation task for another tool"), module="medzh_score.cli.export:add_harness"
    ),
    Command("check", help=_("Check predictions before scoring"), module="medzh_score.cli.check:add_check"),
    Command(
        "explain", help=_("Show how answers are extracted from predictions"), module="medzh_score.cli.check:add_explain"
    ),
    Command("score", help=_("Score predictions offline"), module="medzh_score.cli.score:add_score"),
    Command("show", help=_("Show a saved report in any format"), module="medzh_score.cli.show:add_show"),
    Command("compare", help=_("Compare systems on one config"), module="medzh_score.cli.compare:add_compare"),
    Command("summary", help=_("Summarize systems on several configs"), module="medzh_score.cli.compare:add_summary"),
    Command("leaderboard", help=_("Write a leaderboard of static pages"), module="medzh_score.cli.compare:add_board"),
    Command(
        "published", help=_("Print the published results of the paper"), module="medzh_score.cli.papers:add_reported"
    ),
    Command("plot", help=_("Draw a figure from reports or result folders"), module="medzh_score.cli.plot:add_plot"),
    Command(
        "suite",
        help=_("Manage many models, configs and stages in one folder"),
        module="medzh_score.cli.suite:add_suite",
    ),
    Command(
        "export",
        help=_("Export results to hubs, model cards and other tools"),
        module="medzh_score.cli.export:add_export",
    ),
    Command("cite", help=_("Print citations"), module="medzh_score.cli.papers:add_cite"),
    Command(
        "verify", help=_("Score again and compare the numbers with a report"), module="medzh_score.cli.show:add_verify"
    ),
    Command(
        "archive", help=_("Pack a report and its inputs into an archive"), module="medzh_score.cli.show:add_bundle"
    ),
)


def parser() -> Parser:
    """Build the parser; the module of a command is imported when it is called."""
    top = Parser(
        prog="medzh-score",
        description=_("Score Chinese medical LLM benchmarks offline, using predictions that you already have."),
        examples="medzh_score.cli.main",
    )
    top.add_commands("COMMAND", COMMANDS)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    return run(parser(), arguments, _around)


@contextmanager
def _around(arguments: argparse.Namespace) -> Iterator[None]:
    from medzh_score.cli.options import inputs_made_readable, suite_guarded

    with suite_guarded(arguments), inputs_made_readable(arguments):
        yield


def console() -> None:
    """Run the command as a process of its own, and end it."""
    as_process(main)


EXAMPLES = {
    "medzh-score": (
        "medzh-score prompts sdak --data mini -o prompts.jsonl",
        "medzh-score score sdak answers.jsonl --data mini",
    ),
    "medzh-score configs": ("medzh-score configs", "medzh-score configs --width 100"),
    "medzh-score prompts": (
        "medzh-score prompts tcmd --to openai-batch --model NAME -o batch.jsonl",
        "medzh-score prompts cmhe_ce --stage choose --predictions answers.jsonl -o choose.jsonl",
    ),
    "medzh-score harness": (
        "medzh-score harness inspect sdak --data mini -o task",
        "medzh-score harness lm-eval tcmd --data org/medzh@v1.0.0 --shots 0 -o task",
    ),
    "medzh-score check": (
        "medzh-score check sdak answers.jsonl",
        "medzh-score check tcmd 'runs/*.jsonl' --file-per-run --to json",
    ),
    "medzh-score explain": (
        "medzh-score explain sdak answers.jsonl --data mini",
        "medzh-score explain tcmd answers.jsonl --id tcmd-0123456789",
    ),
    "medzh-score score": (
        "medzh-score score sdak answers.jsonl --save results/model-a --model model-a",
        "medzh-score score cmhe_ce answers.jsonl --stage choose=chosen.jsonl --items items.jsonl",
    ),
    "medzh-score show": (
        "medzh-score show results/model-a --to markdown",
        "medzh-score show results/model-a --include-text full -o model-a.html",
    ),
    "medzh-score compare": (
        "medzh-score compare results/model-a results/model-b",
        "medzh-score compare results/* --baseline model-a --to latex -o table.tex",
    ),
    "medzh-score summary": (
        "medzh-score summary results/*",
        "medzh-score summary results/* --baseline model-a --to csv -o summary.csv",
    ),
    "medzh-score leaderboard": (
        "medzh-score leaderboard results/* -o site",
        "medzh-score leaderboard study --allow generation -o site",
    ),
    "medzh-score published": ("medzh-score published sdak", "medzh-score published tcmd --table 3 --to markdown"),
    "medzh-score plot": (
        "medzh-score plot sdak results/model-a results/model-b -o figure.png",
        "medzh-score plot tcmd results/* -o figure.pdf",
    ),
    "medzh-score export": (
        "medzh-score export results/model-a --update-card README.md --dataset org/medzh",
        "medzh-score export results/model-a --to eval-results --dataset org/medzh -o .eval_results/tcmd.yaml",
    ),
    "medzh-score cite": ("medzh-score cite sdak", "medzh-score cite tcmd --report report.json"),
    "medzh-score verify": (
        "medzh-score verify results/model-a answers.jsonl",
        "medzh-score verify report.json answers.jsonl --data org/medzh@v1.0.0",
    ),
    "medzh-score archive": (
        "medzh-score archive report.json -o deposit.zip",
        "medzh-score archive report.json answers.jsonl -o deposit.zip",
    ),
    "medzh-score suite": (
        "medzh-score suite plan study --models model-a model-b --configs sdak tcmd",
        "medzh-score suite status study",
    ),
    "medzh-score suite plan": (
        "medzh-score suite plan study --models model-a model-b --configs sdak tcmd",
        "medzh-score suite plan study --models model-a --configs tcmd --runs 3 --variants cyclic",
    ),
    "medzh-score suite prompts": (
        "medzh-score suite prompts study",
        "medzh-score suite prompts study --to openai-batch",
    ),
    "medzh-score suite ask": (
        "medzh-score suite ask study --model model-a --base-url http://localhost:8000/v1",
        "medzh-score suite ask study --model model-a --base-url http://localhost:8000/v1 --concurrency 8 --yes",
    ),
    "medzh-score suite add": (
        "medzh-score suite add study answers.jsonl",
        "medzh-score suite add study answers.jsonl --model model-a",
    ),
    "medzh-score suite status": ("medzh-score suite status study", "medzh-score suite status study --to json"),
    "medzh-score suite score": ("medzh-score suite score study", "medzh-score suite score study --workers 4"),
}
