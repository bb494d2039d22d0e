"""medzh-build build: make a config and put it into the build folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import translated

if TYPE_CHECKING:
    from dataset_scripts.building.build import Build
    from dataset_scripts.rounds.rounds import Rounds
    from medzh_score.messages.parser import Parser

DEFAULT_OUT = Path("build/medzh")
DEFAULT_ROUNDS = Path("build/rounds")
FORMS = ("chat", "text", "openai-batch")
WAITING = 3
DESCRIPTION = """\
Build a config by one of its recipes: official (from the file that the authors released or, where they released none,
from one that you bring), rebuilt (by the paper's procedure from other sources) or mini (the sample that ships with
medzh). Only official can be the benchmark.

The build folder is swapped in one step; other configs in it are carried over, and the build before is kept beside it.

Some rebuilt recipes ask models or people on the way (pemebench does, of guidelines). Such a build runs until a stage
lacks answers, writes prompts or a sheet into build/rounds/CONFIG/STAGE, says under which name what comes back is to be
saved there (answers*: lines of id and prediction, batch output or a sheet; filled*: the sheet as CSV in UTF-8, with yes
or no in the columns that are to be filled in), and ends with status 3. The same command goes on from there: what is
answered is never asked again, what came back unreadable is. Of two answers the one in the file with the higher number
wins; backups, such as answers-01.jsonl.bak, are passed over. --accept-missing leaves out what is still missing in
stages for which something came back.
"""
EPILOG = """\
A config whose authors released no file (tcmd, pemebench) is built of your own. In the interchange form that is JSON
Lines with the fields of the config's schema, without id, source, recipe and upstream_key, with split where there are
several; what follows from other fields may be left out (tcmd needs type, subject, question, options, answer, and the
stem of A3 questions; pemebench needs department, task, kind, question, answer). Each split of tcmd may have a file of
its own: --source train=FILE test=FILE. A line with a fault is refused.

Any other JSON Lines, JSON array, CSV or TSV needs a mapping file, in TOML:

  encoding = "gb18030"           # or utf-8, which is taken without it
  [fields]                       # our field = "their field"; a dot reaches into an object
  question = "text"
  explanation = "meta.analysis"
  [constants]                    # our field = "its value in every row"
  subject = "Medical Ethics"
  [split]                        # or: all = "test"
  field = "set"
  [split.values]                 # their value = "our value"
  dev = "train"
  [values.type]                  # their value = "our value"
  "single choice" = "A1"
  [separators]                   # for a field of ours that holds a list: what separates their text
  entities = ";"
  [options]                      # field, with separator = "|", labels = true (A. x B. y), kind = "list" or "object";
  columns = ["A", "B", "C"]      # or columns
  [answer]                       # only where answers are numbers: that of the first option
  index = 0

Before them may stand members = "their field", where one object is a group and that field lists its questions. Rows that
do not map are left out, and counted by reason; fields that were not used and values that are not known are listed.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", metavar="CONFIG", help="such as sdak")
    parser.add_argument("--recipe", required=True, metavar="official|rebuilt|mini", help="how to make it")
    parser.add_argument(
        "--source",
        nargs="+",
        action="extend",
        default=[],
        metavar="[NAME=]FILE",
        help="your own file; without a name it is the recipe's first source (default: the cache, see fetch)",
    )
    parser.add_argument(
        "--mapping",
        metavar="FILE",
        help="how your own file becomes the interchange form, see below; the same as --source CONFIG-mapping=FILE",
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        default=DEFAULT_OUT,
        metavar="FOLDER",
        help=f"the build folder (default: {DEFAULT_OUT})",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of every draw (default: 0)")
    parser.add_argument(
        "--rounds",
        type=Path,
        default=DEFAULT_ROUNDS,
        metavar="FOLDER",
        help=f"where recipes write what is to be answered, and find the answers (default: {DEFAULT_ROUNDS})",
    )
    parser.add_argument(
        "--publishable",
        action="store_true",
        help="of sources that may be redistributed alone, so that it can be published; says what that costs",
    )
    parser.add_argument(
        "--reading",
        type=Path,
        metavar="FILE",
        help="what a reader found in drawn records, for the card: the JSON of tally CONFIG records",
    )
    parser.add_argument("--to", choices=FORMS, default="chat", help="how prompts are written (default: chat)")
    parser.add_argument("--model", metavar="NAME", help="the model's name in openai-batch requests")
    parser.add_argument(
        "--accept-missing", action="store_true", help="go on without the answers that are missing or unreadable"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.build import build
    from dataset_scripts.rounds.pending import AnswersPending
    from medzh_score.files.writing import print_lines

    given = [*arguments.source]
    if arguments.mapping is not None:
        given.append(f"{arguments.config}-mapping={arguments.mapping}")
    rounds = _rounds(arguments)
    try:
        made = build(
            arguments.config,
            arguments.recipe,
            arguments.out,
            given=given,
            seed=arguments.seed,
            rounds=rounds,
            reading=arguments.reading,
            publishable=arguments.publishable,
        )
    except AnswersPending as pending:
        for stage in pending.stages:
            print_lines([translated(f"waiting for {stage}")])
        again = "Then run the same command again: it goes on from there, and --accept-missing does so without the rest."
        print_lines([translated(again)])
        return WAITING
    print_lines(_account(made, arguments.out))
    return 0


def _rounds(arguments: argparse.Namespace) -> Rounds:
    from dataset_scripts.rounds.rounds import Rounds
    from medzh_score.files.writing import print_lines
    from medzh_score.messages.errors import MedzhError
    from medzh_score.messages.unquoting import sayable

    if arguments.to == "openai-batch" and not arguments.model:
        raise MedzhError("is needed for openai-batch", field="--model", expected="the name that the server knows")
    return Rounds(
        arguments.rounds / arguments.config,
        form=arguments.to,
        model=arguments.model,
        accept_missing=arguments.accept_missing,
        say=lambda line: print_lines([translated(sayable(line))]),
    )


def _account(made: Build, out: Path) -> list[str]:
    from medzh_score.benchmark.tables import Table
    from medzh_score.data.hub import folder_of
    from medzh_score.messages.catalogue import worded
    from medzh_score.show.tables import as_text
    from medzh_score.show.widths import width_for

    width = width_for(None)
    tables = [as_text(Table(table.title, table.columns, table.rows), width=width) for table in made.tables]
    lines = [line for table in tables for line in table.split("\n")]
    lines += [worded(f"note: {note}") for note in made.notes]
    for source in made.sources:
        content = "pinned, verified" if source["pinned"] else "a user's own file, not verified"
        digest = "keyed" if made.private else f"SHA-256 {source['sha256']}"
        lines.append(worded(f"source: {source['name']} ({content}), {digest}"))
    counts = ", ".join(f"{split} {count:,} records" for split, count in made.records.items())
    done = f"{made.config} {made.recipe}: {counts}, fingerprint {made.fingerprint[:8]}, in {folder_of(out)}"
    return [*lines, worded(done)]
