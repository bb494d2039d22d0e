"""medzh-build publish: put a build on a hub as a version that never changes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import translated

if TYPE_CHECKING:
    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
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
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", metavar="ORG/NAME", help="the dataset repository; it is made where there is none")
    parser.add_argument("--version", required=True, metavar="X.Y.Z", help="of the release; its tag is vX.Y.Z")
    parser.add_argument("--data", type=Path, default=Path("build/medzh"), metavar="FOLDER", help="the build")
    parser.add_argument(
        "--configs", nargs="+", default=[], metavar="CONFIG", help="only these of the build (default: all that may be)"
    )
    parser.add_argument("--private", action="store_true", help="for your organisation alone, into a private repository")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and upload nothing")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out. Gives 0 if it was published, or would be; 1 if it may not be."""
    from dataset_scripts.releases.publishing import publish
    from dataset_scripts.releases.versions import read_version
    from medzh_score.data.hub import HUB_TAG
    from medzh_score.files.writing import print_lines
    from medzh_score.messages.errors import MedzhError

    named = HUB_TAG.fullmatch(arguments.repo)
    if named is None or named["tag"] is not None:
        raise MedzhError("is no repository", field="ORG/NAME", expected="such as org/medzh", found=arguments.repo)
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
        print_lines([translated("refused: ") + translated(reason)])
    return 1 if reasons else 0


def _say(line: str) -> None:
    from medzh_score.files.writing import print_lines

    print_lines([translated(line)])
