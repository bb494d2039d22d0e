"""``medzh-score harness``: the files of a task with which another tool asks our prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser
    from medzh_score.report.harness.tasks import Asked

TOOLS = ("inspect", "lm-eval")
DESCRIPTION = """\
Write what another tool needs to ask our prompts, so that medzh-score score reads what it writes. In inspect and in
lm-evaluation-harness the metric is ours, by the default rule; inspect knows it as the scorer medzh_score/CONFIG.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    parser.add_argument("tool", metavar="TOOL", choices=TOOLS, help="inspect or lm-eval")
    options.add_config(parser)
    options.add_data(parser)
    parser.add_argument("-o", "--out", metavar="DIR", required=True, help="a folder to write")
    options.add_asking(parser)
    options.add_seed(parser, "a number of variants")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the folder, whole or not at all."""
    from pathlib import Path

    from medzh_score.files.whole_folders import folder_beside, put_in_place
    from medzh_score.messages.errors import MedzhError
    from medzh_score.report.harness.tasks import files_of

    target = Path(arguments.out).resolve()
    if target.exists() and not target.is_dir():
        raise MedzhError("is a file", file=target, field="--out", expected="a folder to write")
    files = files_of(arguments.tool, _asked(arguments))
    if target.is_dir() and any(target.iterdir()):
        if {one.name: one.read_bytes() for one in target.iterdir() if one.is_file()} == files:
            return 0
        problem, advice = "holds something else", "name another folder"
        raise MedzhError(problem, file=target, field="--out", advice=advice)
    with folder_beside(target) as part:
        for name, content in files.items():
            (part / name).write_bytes(content)
        put_in_place(part, target)
    return 0


def _asked(arguments: argparse.Namespace) -> Asked:
    """Settle what is asked, as ``medzh-score prompts`` does."""
    from functools import partial

    from medzh_score.benchmark.columns import pick
    from medzh_score.benchmark.registry import find_config
    from medzh_score.commands.prompts import asked_first
    from medzh_score.data.records import load_records
    from medzh_score.prompts.writing import prompt_lines
    from medzh_score.report.harness.tasks import Asked
    from medzh_score.report.withholding import refuse_private

    config = find_config(arguments.config)
    refuse_private(config.name, private=config.private)
    records = load_records(arguments.data, config.name)
    asker, asking, chosen = asked_first(arguments, config, records, "chat")
    lines = partial(prompt_lines, asker, asking, config.decoding, chosen=chosen, runs=arguments.runs or 1)
    return Asked(
        config=config.name,
        headline=config.headline,
        higher=pick("--metric", config.metrics, config.headline).direction == "higher",
        data=_named(arguments.data),
        origin=str(records.origin),
        decoding=config.decoding,
        lines=lambda form: lines(form=form),
    )


def _named(data: str) -> str:
    """Name data so that they are found from any folder."""
    from pathlib import Path

    from medzh_score.data.hub import SHIPPED, is_hub_tag

    return data if data in SHIPPED or is_hub_tag(data) else str(Path(data).resolve())
