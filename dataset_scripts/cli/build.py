"""medzh-build build: make a config and put it into the build folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from medzh_score.io.atomic import print_lines
from medzh_score.ui.i18n import N_, _, _n, joined, translated

if TYPE_CHECKING:
    from dataset_scripts.building.build import Build
    from medzh_score.ui.cli import Parser


DEFAULT_OUT = Path("build/medzh")
BUILD_DESCRIPTION = N_("""\
Build a config with one of its recipes. Recipe `official` uses the file released by the authors or, if they released
none, a file that you provide. Recipe `open` uses an openly licensed counterpart included in medzh. Recipe `mini` uses
the sample included in medzh. Two configs have a further recipe: `mesh` (cmhe_ce, from MeSH and Chinese names that you
provide) and `pediabench` (pemebench, from another benchmark by its authors). Only official data is the benchmark
itself. The build folder is replaced in one step. Its other configs are carried over, and the previous build is stored
next to it.
""")
EPILOG = N_("""\
If the authors of a config released no file, build the config from your own file in JSON Lines, CSV or XLSX. The
columns are those of the config's schema except id, source, recipe and upstream_key. They are matched by name, in any
order. Columns that follow from other columns can be omitted. tcmd requires type, subject, question, options, answer
and split, and stem for A3 questions. pemebench requires department, task, kind, question and answer. Separate several
texts in a cell with |. Write an answer as the letter or the text of an option. Each split of tcmd can have its own
file: `--source train=FILE test=FILE`. A file with an invalid row is rejected. The manual shows how to create such a
file from other formats with pandas.
""")


def add_build(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=BUILD_DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", metavar="CONFIG", help=_("config, such as sdak"))
    parser.add_argument(
        "--recipe",
        required=True,
        metavar="NAME",
        help=_("recipe: official, open, mini or another recipe of the config"),
    )
    parser.add_argument(
        "--source",
        nargs="+",
        action="extend",
        default=[],
        metavar="[NAME=]FILE",
        help=_(
            "your own file; without NAME, the first source of the recipe (default: the cache, see `medzh-build fetch`)"
        ),
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=DEFAULT_OUT,
        metavar="FOLDER",
        help=_("build folder (default: {default_out})", default_out=DEFAULT_OUT),
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help=_("random seed (default: 0)"))
    parser.set_defaults(run=run_build)


def run_build(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.build import build

    made = build(arguments.config, arguments.recipe, arguments.output, given=arguments.source, seed=arguments.seed)
    print_lines(_account(made, arguments.output))
    return 0


def _account(made: Build, out: Path) -> list[str]:
    from medzh_score.benchmark.config import Table
    from medzh_score.data.hub import folder_of
    from medzh_score.render.tables import as_text, width_for

    width = width_for(None)
    tables = [as_text(Table(table.title, table.columns, table.rows), width=width) for table in made.tables]
    lines = [line for table in tables for line in table.split("\n")]
    lines += [translated(_("Note: {note}", note=note)) for note in made.notes]
    for source in made.sources:
        digest = _("keyed hash") if made.private else f"SHA-256 {source['sha256']}"
        values = {"name": source["name"], "digest": digest}
        line = (
            _("source: {name} (pinned, verified), {digest}", **values)
            if source["pinned"]
            else _("source: {name} (provided by the user, not verified), {digest}", **values)
        )
        lines.append(translated(line))
    counts = joined(
        [
            _n("{split} {n:,} record", "{split} {n:,} records", count, split=split)
            for split, count in made.records.items()
        ]
    )
    done = _(
        "{config} {recipe}: {counts}, fingerprint {fingerprint}, in {folder_of}",
        config=made.config,
        recipe=made.recipe,
        counts=counts,
        fingerprint=made.fingerprint[:8],
        folder_of=folder_of(out),
    )
    return [*lines, translated(done)]


CHECK_DESCRIPTION = N_("""\
Verify a build folder offline. The command checks the manifest and all records against their schemas. It checks
hashes, counts and fingerprints, and the metadata of the dataset card against the values that the hub allows. It also
checks that load_dataset returns every config unchanged. Each problem is printed on its own line. The exit code is 1
if there are problems and 2 if no build is found.
""")


def add_check(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=CHECK_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        default=Path("build/medzh"),
        metavar="FOLDER",
        help=_("build folder (default: build/medzh)"),
    )
    parser.set_defaults(run=run_check)


def run_check(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.check import check

    checked = check(arguments.folder)
    print_lines(translated(line) for line in checked.problems or checked.summary)
    return 1 if checked.problems else 0


CONFORM_DESCRIPTION = N_("""\
Check a config with answers of known quality. Correct answers must give the best value of every metric, missing
answers the worst value, and all other answers a value in between. The command also checks ids, items, clusters, array
shapes, prompts and names. Each problem is printed on its own line with the package, the config and the function. The
exit code is 1 if there are problems.
""")


def add_conform(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=CONFORM_DESCRIPTION)
    parser.add_argument("config", metavar="CONFIG", help=_("config, such as sdak"))
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help=_("build folder to check with (default: the mini sample)")
    )
    parser.set_defaults(run=run_conform)


def run_conform(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.new import conform

    with TemporaryDirectory(prefix="medzh-conform-") as folder:
        found = conform(arguments.config, Path(folder), arguments.data)
    print_lines(found or [translated(_("{config}: all checks passed", config=arguments.config))])
    return 1 if found else 0


NEW_DESCRIPTION = N_("""\
Write a package for a new benchmark. Without changes, its config can be built and scored, and passes `medzh-build
check-config`. Replace the few sample questions with your own.
""")


def add_new(parser: Parser) -> None:
    """Declare the arguments."""
    from dataset_scripts.building.new import KINDS

    parser.describe(description=NEW_DESCRIPTION)
    parser.add_argument("name", metavar="NAME", help=_("config name, such as triage"))
    parser.add_argument(
        "--kind",
        nargs="+",
        choices=KINDS,
        default=["letters"],
        metavar="KIND",
        help=_(
            "question types: one or more of true-false, letters, several and pairs; or open alone (default: letters)"
        ),
    )
    parser.add_argument(
        "--private",
        action="store_true",
        help=_("create a private config: others must not see its questions and responses (see the manual)"),
    )
    source = _(
        "private config with the questions of a workbook or CSV file; columns: question, A to E or options, answer, "
        "explanation (题目, 选项, 答案, 解析)"
    )
    parser.add_argument("--from", dest="source", type=Path, metavar="FILE.xlsx", help=source)
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help=_("package folder (default: NAME-bench)"))
    parser.set_defaults(run=run_new)


def run_new(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.new import start, start_private

    name = arguments.name
    folder = arguments.output or Path(f"{name.replace('_', '-')}-bench")
    if arguments.source is not None:
        files = start_private(name, (), folder, arguments.source)
    else:
        files = (start_private if arguments.private else start)(name, arguments.kind, folder)
    print_lines([*(str(folder / file) for file in files), translated("Next:")])
    print_lines(f"  {line}" for line in _next_commands(name, folder, from_file=arguments.source is not None))
    return 0


def _next_commands(name: str, folder: Path, *, from_file: bool) -> list[str]:
    install = f"pip install --no-build-isolation -e {folder}"
    if from_file:
        own = folder / f"{name}_bench" / f"{name}.jsonl"
        return [
            install,
            f"medzh-build build {name} --recipe official --source {own}",
            f"medzh-score prompts {name} --output prompts.jsonl",
            f"medzh-score score {name} predictions.jsonl",
        ]
    return [
        install,
        f"medzh-build check-config {name}",
        f"medzh-build build {name} --recipe mini",
        f"medzh-score score {name} {folder / 'predictions.jsonl'}",
    ]
