"""medzh-build diff: what changed between two builds, and the version step that this requires."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.io.atomic import print_lines, refuse_inputs
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import N_, _, pgettext, translated

if TYPE_CHECKING:
    from medzh_score.ui.cli import Parser


DIFF_DESCRIPTION = N_("""\
Compare two builds, folders, bundles or tags on the hub such as org/medzh@v1.0.0: records added (+), removed (-) and
changed (~, with the fields that changed), by config; and the step of the version that this requires: major where a
record changed or went, minor where records or columns came, patch where the same records are stored or described anew.
""")


def add_diff(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DIFF_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", metavar="A", help=_("a build folder, or org/name@tag"))
    parser.add_argument("after", metavar="B", help="another")
    parser.add_argument("--all", action="store_true", help=_("name every record, not the first ten of a kind"))
    parser.set_defaults(run=run_diff)


def run_diff(arguments: argparse.Namespace) -> int:
    """Carry the command out. Gives 0, whether or not they differ."""
    from dataset_scripts.releases.diff import change_lines, changes_between, step_of
    from medzh_score.data.hub import place_of

    changes = changes_between(place_of(arguments.before), place_of(arguments.after))
    lines = [
        *change_lines(changes, all_records=arguments.all),
        _("the version must grow by: {step}", step=pgettext("build changes", str(step_of(changes)))),
    ]
    print_lines(map(translated, lines))
    return 0


PUBLISH_DESCRIPTION = N_("""\
Publish a build as a version. A config whose sources may not be redistributed, or of the recipe mini, is left out, with
the reason. Open data is CONFIG_open there, for the plain name is the benchmark's. Refused are: a build that does not
pass check, or of which nothing is left; a version that is there; and one that grows too little for what changed since
the last one (see diff).

With --private the repository is made private, or must be private, and takes configs whose sources may not be
redistributed too, for the use of your organisation; card and manifest say so, and what was released so is refused
without --private.

The files go up in one commit over what stands there, are downloaded again and compared, and only then the commit gets
its tag. If something fails midway there is no tag, and the same command finishes. The token is that of hf auth login,
or HF_TOKEN; HF_ENDPOINT names another hub.
""")


def add_publish(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=PUBLISH_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", metavar="ORG/NAME", help=_("the dataset repository; it is made where there is none"))
    parser.add_argument("--version", required=True, metavar="X.Y.Z", help=_("of the release; its tag is vX.Y.Z"))
    parser.add_argument("--data", type=Path, default=Path("build/medzh"), metavar="FOLDER", help=_("the build"))
    parser.add_argument(
        "--configs",
        nargs="+",
        default=[],
        metavar="CONFIG",
        help=_("only these of the build (default: all that may be)"),
    )
    parser.add_argument(
        "--private", action="store_true", help=_("for your organisation alone, into a private repository")
    )
    parser.add_argument("--dry-run", action="store_true", help=_("say what would be done, and upload nothing"))
    parser.set_defaults(run=run_publish)


def run_publish(arguments: argparse.Namespace) -> int:
    """Carry the command out. Gives 0 if it was published, or would be; 1 if it may not be."""
    from dataset_scripts.releases.publish import publish
    from dataset_scripts.releases.versions import read_version
    from medzh_score.data.hub import HUB_TAG

    named = HUB_TAG.fullmatch(arguments.repo)
    if named is None or named["tag"] is not None:
        raise MedzhError(_("is no repository"), field="ORG/NAME", expected=_("such as org/medzh"), found=arguments.repo)
    version = read_version(arguments.version)
    reasons = publish(
        arguments.data,
        arguments.repo,
        version,
        dry_run=arguments.dry_run,
        say=_say,
        only=arguments.configs,
        private=arguments.private,
    )
    for reason in reasons:
        print_lines([translated(_("refused: ")) + translated(reason)])
    return 1 if reasons else 0


def _say(line: str) -> None:
    print_lines([translated(line)])


BUNDLE_DESCRIPTION = N_("""\
Write a build into one .zip file: records, card, dictionaries if you name them, and the hash of each member.
medzh-score reads it as it is: --data FILE.zip.
""")


def add_bundle(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=BUNDLE_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="FILE.zip", help=_("the bundle"))
    parser.add_argument("--data", type=Path, default=Path("build/medzh"), metavar="FOLDER", help=_("the build"))
    parser.add_argument(
        "--dictionaries", type=Path, nargs="+", default=[], metavar="FILE", help=_("dictionaries to add")
    )
    parser.set_defaults(run=run_bundle)


def run_bundle(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.releases.publish import bundle

    refuse_inputs("--out", arguments.out, arguments.dictionaries, [arguments.data])
    members = bundle(arguments.data, arguments.out, arguments.dictionaries)
    print_lines([f"{arguments.out}: {len(members)} files"])
    return 0
