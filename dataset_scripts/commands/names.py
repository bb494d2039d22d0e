"""medzh-build names: write a dictionary of disease names, by which answers can be linked to codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Write the names of diseases in the Chinese editions of ICD-10 with their codes, for medzh-score score --dictionary: the
national clinical edition (icd10-national), the three-level tree (icd10-cn-codes), and the names that ship with the
package. The tables are read from the cache (medzh-build fetch) or given with --source. What is written is for your own
use: the tables may not be passed on.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    parser.add_argument(
        "--source", action="append", default=[], metavar="NAME=FILE", help="a table, in the place of the cached one"
    )
    parser.add_argument("--cache", metavar="DIR", help="the cache folder (default: MEDZH_SOURCES)")
    options.add_out(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from pathlib import Path

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.sources.fetching import cached_path
    from dataset_scripts.sources.registry import REGISTRY, cache_folder, read_sources
    from dataset_scripts.terminology.disease_names import SOURCES, read_names, table_bytes
    from medzh_score.files.writing import open_output, refuse_inputs
    from medzh_score.messages.errors import MedzhError

    given = dict(_taken_apart(text, SOURCES) for text in arguments.source)
    cache = Path(arguments.cache) if arguments.cache else cache_folder()
    known = read_sources(REGISTRY)
    paths = {name: given.get(name, cached_path(known[name], cache)) for name in SOURCES}
    files = {
        name: SourceFile(name, path, "", pinned=False)
        for name, path in paths.items()
        if name in given or path.is_file()
    }
    if not files:
        advice = "fetch it: medzh-build fetch cmhe_dd, or give it with --source"
        raise MedzhError("no table of names is there", field="--source", expected=" or ".join(SOURCES), advice=advice)
    refuse_inputs("--out", arguments.out, [file.path for file in files.values()])
    content = table_bytes(read_names(files))
    with open_output(arguments.out) as stream:
        stream.write(content)
    lines = content.count(b"\n") - 1
    say([f"{lines:,} rows of {', '.join(files)} and of medzh's own names"])
    return 0


def _taken_apart(text: str, known: tuple[str, ...]) -> tuple[str, Path]:
    from pathlib import Path

    from medzh_score.messages.errors import MedzhError

    name, equals, file = text.partition("=")
    if not equals or not file or name not in known:
        expected = " or ".join(f"{source}=FILE" for source in known)
        raise MedzhError("is no table of names", field="--source", expected=expected, found=text)
    return name, Path(file)
