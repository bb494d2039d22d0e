"""medzh-build disease-names: write a dictionary of disease names, by which answers can be linked to codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.recipe import SourceFile
from medzh_score.cli import options
from medzh_score.io.atomic import open_for_texts, open_output, refuse_inputs
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import N_, _, _n
from medzh_score.ui.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from medzh_score.benchmark.items import Record
    from medzh_score.ui.cli import Parser


NAMES_DESCRIPTION = N_("""\
Write the disease names of the Chinese editions of ICD-10 with their codes, for `medzh-score score --dictionary`. The
names are from the national clinical edition (icd10-national), the three-level tree (icd10-cn-codes) and the names
included in medzh. The tables are read from the cache (`medzh-build fetch`) or specified with --source. The output is
for your own use only, because the tables must not be redistributed.
""")


def add_names(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=NAMES_DESCRIPTION)
    parser.add_argument(
        "--source", action="append", default=[], metavar="NAME=FILE", help=_("table to use instead of the cached table")
    )
    parser.add_argument("--cache", metavar="DIR", help=_("cache folder (default: MEDZH_SOURCES)"))
    options.add_out(parser)
    parser.set_defaults(run=run_names)


def run_names(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.sources.fetching import cached_path
    from dataset_scripts.sources.registry import REGISTRY, cache_folder, read_sources
    from dataset_scripts.terminology.disease_names import SOURCES, read_names, table_bytes

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
        advice = _("run `medzh-build fetch cmhe_dd`, or specify the table with `--source`")
        raise MedzhError(
            _("no table of disease names is available"), field="--source", expected=" or ".join(SOURCES), advice=advice
        )
    refuse_inputs("--output", arguments.output, [file.path for file in files.values()])
    content = table_bytes(read_names(files))
    with open_output(arguments.output) as stream:
        stream.write(content)
    lines = content.count(b"\n") - 1
    say([_("Wrote {lines:,} rows from {files} and the names included in medzh.", lines=lines, files=", ".join(files))])
    return 0


def _taken_apart(text: str, known: tuple[str, ...]) -> tuple[str, Path]:

    name, equals, file = text.partition("=")
    if not equals or not file or name not in known:
        expected = " or ".join(f"{source}=FILE" for source in known)
        raise MedzhError(
            _("the value does not specify a table of disease names"), field="--source", expected=expected, found=text
        )
    return name, Path(file)


NOTES_DESCRIPTION = N_("""\
Write a predictions file that answers each question with the scope note of its own concept from the build. Choosing
the concept from these notes is a control: no explanation is needed, only recognition of a concept by its definition.
MeSH scope notes are in English. Questions about concepts without a scope note are excluded.
""")
NOTE = "scope_note"
WHO = "scope notes"


def add_notes(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=NOTES_DESCRIPTION)
    parser.add_argument(
        "config", metavar="CONFIG", help=_("config with a scope_note field in its records, such as cmhe_ce")
    )
    options.add_data(parser)
    parser.add_argument("--split", default="test", metavar="NAME", help=_("split (default: test)"))
    options.add_out(parser)
    parser.set_defaults(run=run_notes)


def run_notes(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from medzh_score.data.records import load_records

    refuse_inputs("--output", arguments.output, (), folders=(arguments.data,))
    records = load_records(arguments.data, arguments.config, split=arguments.split)
    content = _lines(records.rows)
    if not content:
        advice = _(
            "build the config from MeSH descriptors in XML, which contain scope notes: `--source mesh=desc2025.xml`"
        )
        raise MedzhError(_("no record has a scope note"), file=arguments.data, field=NOTE, advice=advice)
    with open_for_texts(arguments.output) as stream:
        stream.write("".join(content).encode("utf-8"))
    without = len(records.rows) - len(content)
    said = [_("Wrote scope notes for {count:,} of {all:,} questions.", count=len(content), all=len(records.rows))]
    if without:
        said.append(
            _n(
                "{n:,} question has no scope note and was excluded.",
                "{n:,} questions have no scope note and were excluded.",
                without,
            )
        )
    say(said)
    return 0


def _lines(records: Sequence[Record]) -> list[str]:
    return [
        json.dumps({"id": record["id"], "prediction": record[NOTE], "model": WHO}, ensure_ascii=False) + "\n"
        for record in records
        if record.get(NOTE)
    ]
