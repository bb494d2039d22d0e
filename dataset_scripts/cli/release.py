"""medzh-build diff: the changes between two builds, and the version step that they require."""

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
Compare two builds by config. A build is a folder, an offline bundle or a tag on the hub, such as org/medzh@v1.0.0.
The command lists added (+), removed (-) and changed (~) records, with the changed fields, and the version step that
the changes require. The step is major if records changed or were removed, minor if records or columns were added, and
patch if the same records are stored or described differently.
""")


def add_diff(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DIFF_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", metavar="A", help=_("build folder, or org/name@tag"))
    parser.add_argument("after", metavar="B", help=_("build folder or org/name@tag to compare with A"))
    parser.add_argument("--all", action="store_true", help=_("list all records, not only the first ten of each kind"))
    parser.set_defaults(run=run_diff)


def run_diff(arguments: argparse.Namespace) -> int:
    """Carry the command out. Gives 0, whether or not they differ."""
    from dataset_scripts.releases.diff import change_lines, changes_between, step_of
    from medzh_score.data.hub import place_of

    changes = changes_between(place_of(arguments.before), place_of(arguments.after))
    lines = [
        *change_lines(changes, all_records=arguments.all),
        _("required version step: {step}", step=pgettext("build changes", str(step_of(changes)))),
    ]
    print_lines(map(translated, lines))
    return 0


PUBLISH_DESCRIPTION = N_("""\
Publish a build as a release. Configs with sources that must not be redistributed and configs of recipe mini are
excluded, and the reason is shown. Open data is published as CONFIG_open, because the plain name is reserved for the
benchmark. The command rejects a build that fails `medzh-build check` or has no config left to publish. It rejects a
version that already exists, and a version step that is too small for the changes since the last release (see
`medzh-build diff`). With --private, a new repository is created as private, and an existing repository must be
private. Configs with sources that must not be redistributed are then published as well, for use in your organization.
The dataset card and the manifest state this. Data released this way can be published again only with --private. All
files are uploaded in one commit that replaces the existing content, then downloaded again and compared. The commit is
tagged after this comparison. If a step fails, no tag is created, and the same command finishes the release. The token
comes from `hf auth login` or HF_TOKEN. HF_ENDPOINT selects another hub.
""")


def add_publish(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=PUBLISH_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", metavar="ORG/NAME", help=_("dataset repository; created if it does not exist"))
    parser.add_argument("--version", required=True, metavar="X.Y.Z", help=_("release version; its tag is vX.Y.Z"))
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("build/medzh"),
        metavar="FOLDER",
        help=_("build folder (default: build/medzh)"),
    )
    parser.add_argument(
        "--configs",
        nargs="+",
        default=[],
        metavar="CONFIG",
        help=_("configs of the build to publish (default: all publishable configs)"),
    )
    parser.add_argument(
        "--private", action="store_true", help=_("publish to a private repository, only for your organization")
    )
    parser.add_argument("--dry-run", action="store_true", help=_("show the planned steps without uploading"))
    parser.set_defaults(run=run_publish)


def run_publish(arguments: argparse.Namespace) -> int:
    """Carry the command out. Gives 0 if it was published, or would be; 1 if it may not be."""
    from dataset_scripts.releases.publish import publish
    from dataset_scripts.releases.versions import read_version
    from medzh_score.data.hub import HUB_TAG

    named = HUB_TAG.fullmatch(arguments.repo)
    if named is None or named["tag"] is not None:
        raise MedzhError(
            _("invalid repository name"), field="ORG/NAME", expected=_("a name such as org/medzh"), found=arguments.repo
        )
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
        print_lines([translated(_("cannot publish: ")) + translated(reason)])
    return 1 if reasons else 0


def _say(line: str) -> None:
    print_lines([translated(line)])


BUNDLE_DESCRIPTION = N_("""\
Write a build to one .zip file with its records, dataset card, the dictionaries that you specify and the hash of each
file. medzh-score uses the file directly: `--data FILE.zip`.
""")


def add_bundle(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=BUNDLE_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE.zip", help=_("offline bundle to write")
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("build/medzh"),
        metavar="FOLDER",
        help=_("build folder (default: build/medzh)"),
    )
    parser.add_argument(
        "--dictionaries",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help=_("disease-name dictionaries to include"),
    )
    parser.set_defaults(run=run_bundle)


def run_bundle(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.releases.publish import bundle

    refuse_inputs("--output", arguments.output, arguments.dictionaries, [arguments.data])
    members = bundle(arguments.data, arguments.output, arguments.dictionaries)
    print_lines([f"{arguments.output}: {len(members)} files"])
    return 0
