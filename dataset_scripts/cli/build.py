"""medzh-build build: make a config and put it into the build folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from medzh_score.io.atomic import print_lines
from medzh_score.ui.i18n import N_, _, joined, translated

if TYPE_CHECKING:
    from dataset_scripts.building.build import Build
    from medzh_score.ui.cli import Parser


DEFAULT_OUT = Path("build/medzh")
BUILD_DESCRIPTION = N_("""\
Build a config by one of its recipes: official (from the file that the authors released or, where they released none,
from one that you bring), open (an openly licensed counterpart that ships with medzh), mini (the sample that ships with
medzh), or one of a single config: mesh (cmhe_ce, from MeSH and Chinese names that you bring), pediabench (pemebench,
from another benchmark by its authors). Only official can be the benchmark.

The build folder is swapped in one step; other configs in it are carried over, and the build before is kept beside it.
""")
EPILOG = N_("""\
A config whose authors released no file is built of your own: JSON Lines, CSV or XLSX with the columns of the config's
schema, without id, source, recipe and upstream_key, matched by name in any order. What follows from other columns may
be left out: tcmd needs type, subject, question, options, answer, split, and the stem of A3 questions; pemebench needs
department, task, kind, question, answer. A cell with several texts has | between them. An answer is the letter of an
option or its text. Each split of tcmd may have a file of its own: --source train=FILE test=FILE. A row with a fault is
refused. The manual shows how to make such a file of another form with pandas.
""")


def add_build(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=BUILD_DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", metavar="CONFIG", help=_("such as sdak"))
    parser.add_argument("--recipe", required=True, metavar="NAME", help=_("official, open, mini or another of it"))
    parser.add_argument(
        "--source",
        nargs="+",
        action="extend",
        default=[],
        metavar="[NAME=]FILE",
        help=_("your own file; without a name it is the recipe's first source (default: the cache, see fetch)"),
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        default=DEFAULT_OUT,
        metavar="FOLDER",
        help=_("the build folder (default: {default_out})", default_out=DEFAULT_OUT),
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help=_("of every draw (default: 0)"))
    parser.set_defaults(run=run_build)


def run_build(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.build import build

    made = build(arguments.config, arguments.recipe, arguments.out, given=arguments.source, seed=arguments.seed)
    print_lines(_account(made, arguments.out))
    return 0


def _account(made: Build, out: Path) -> list[str]:
    from medzh_score.benchmark.config import Table
    from medzh_score.data.hub import folder_of
    from medzh_score.render.tables import as_text, width_for

    width = width_for(None)
    tables = [as_text(Table(table.title, table.columns, table.rows), width=width) for table in made.tables]
    lines = [line for table in tables for line in table.split("\n")]
    lines += [translated(_("note: {note}", note=note)) for note in made.notes]
    for source in made.sources:
        digest = _("keyed") if made.private else f"SHA-256 {source['sha256']}"
        values = {"name": source["name"], "digest": digest}
        line = (
            _("source: {name} (pinned, verified), {digest}", **values)
            if source["pinned"]
            else _("source: {name} (a user's own file, not verified), {digest}", **values)
        )
        lines.append(translated(line))
    counts = joined(
        [_("{split} {account:,} records", split=split, account=count) for split, count in made.records.items()]
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
Verify a build folder, offline: the manifest and every record against their schemas, hashes, counts, the fingerprint,
the head of the card against the hub's lists, and that load_dataset gives every config back as it was built.

Every problem is printed on a line of its own; the status is 1 if there is one, and 2 if there is no build to verify.
""")


def add_check(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=CHECK_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path("build/medzh"), metavar="FOLDER", help=_("the build")
    )
    parser.set_defaults(run=run_check)


def run_check(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.check import check

    checked = check(arguments.folder)
    print_lines(translated(line) for line in checked.problems or checked.summary)
    return 1 if checked.problems else 0


CONFORM_DESCRIPTION = N_("""\
Try a config with answers whose worth is known: right ones must give the best value of every metric, none the worst, and
all else must lie between. Ids, items, units, shapes, prompts and names are looked at, too. Every fault is printed on a
line of its own, with the package, the config and the function; the status is 1 if there is one.
""")


def add_conform(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=CONFORM_DESCRIPTION)
    parser.add_argument("config", metavar="CONFIG", help=_("such as sdak"))
    parser.add_argument("--data", type=Path, metavar="FOLDER", help=_("a build to try it with (default: its sample)"))
    parser.set_defaults(run=run_conform)


def run_conform(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.new import conform

    with TemporaryDirectory(prefix="medzh-conform-") as folder:
        found = conform(arguments.config, Path(folder), arguments.data)
    print_lines(found or [translated(_("{config}: conforms", config=arguments.config))])
    return 1 if found else 0


NEW_DESCRIPTION = N_("""\
Write a package for a benchmark of your own. It builds, scores and conforms as it is written, with a few questions that
you exchange for yours.
""")


def add_new(parser: Parser) -> None:
    """Declare the arguments."""
    from dataset_scripts.building.new import KINDS

    parser.describe(description=NEW_DESCRIPTION)
    parser.add_argument("name", metavar="NAME", help=_("of the config, such as triage"))
    parser.add_argument(
        "--kind",
        nargs="+",
        choices=KINDS,
        default=["letters"],
        metavar="KIND",
        help=_("true-false, letters, several, pairs, any number of them; or open (default: letters)"),
    )
    parser.add_argument(
        "--private",
        action="store_true",
        help=_("nobody else may see its questions, or what was answered: see the manual"),
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FOLDER", help=_("the package's folder (default: NAME-bench)")
    )
    parser.set_defaults(run=run_new)


def run_new(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.new import start, start_private

    name = arguments.name
    folder = arguments.out or Path(f"{name.replace('_', '-')}-bench")
    files = (start_private if arguments.private else start)(name, arguments.kind, folder)
    print_lines([*(str(folder / file) for file in files), translated("then:")])
    print_lines(
        [
            f"  pip install --no-build-isolation -e {folder}",
            f"  medzh-build conform {name}",
            f"  medzh-build build {name} --recipe mini",
            f"  medzh-score score {name} {folder / 'predictions.jsonl'}",
        ]
    )
    return 0
