"""medzh-build names: write a dictionary of disease names, by which answers can be linked to codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.recipe import SourceFile
from medzh_score.cli import options
from medzh_score.io.atomic import open_for_texts, open_output, refuse_inputs
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import N_, _
from medzh_score.ui.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from medzh_score.benchmark.items import Record
    from medzh_score.ui.cli import Parser


NAMES_DESCRIPTION = N_("""\
Write the names of diseases in the Chinese editions of ICD-10 with their codes, for medzh-score score --dictionary: the
national clinical edition (icd10-national), the three-level tree (icd10-cn-codes), and the names that ship with the
package. The tables are read from the cache (medzh-build fetch) or given with --source. What is written is for your own
use: the tables may not be passed on.
""")


def add_names(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=NAMES_DESCRIPTION)
    parser.add_argument(
        "--source", action="append", default=[], metavar="NAME=FILE", help=_("a table, in the place of the cached one")
    )
    parser.add_argument("--cache", metavar="DIR", help=_("the cache folder (default: MEDZH_SOURCES)"))
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
        advice = _("fetch it: medzh-build fetch cmhe_dd, or give it with --source")
        raise MedzhError(
            _("no table of names is there"), field="--source", expected=" or ".join(SOURCES), advice=advice
        )
    refuse_inputs("--out", arguments.out, [file.path for file in files.values()])
    content = table_bytes(read_names(files))
    with open_output(arguments.out) as stream:
        stream.write(content)
    lines = content.count(b"\n") - 1
    say([_("{lines:,} rows of {files} and of medzh's own names", lines=lines, files=", ".join(files))])
    return 0


def _taken_apart(text: str, known: tuple[str, ...]) -> tuple[str, Path]:

    name, equals, file = text.partition("=")
    if not equals or not file or name not in known:
        expected = " or ".join(f"{source}=FILE" for source in known)
        raise MedzhError(_("is no table of names"), field="--source", expected=expected, found=text)
    return name, Path(file)


NOTES_DESCRIPTION = N_("""\
Write a predictions file in which each question is answered with the scope note of its own concept, as the build has
it. To choose the concept after these is a control: it asks for no explanation, only whether a model knows a concept by
its definition. Notes of MeSH are in English. A question whose concept has none is left out.
""")
NOTE = "scope_note"
WHO = "scope notes"


def add_notes(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=NOTES_DESCRIPTION)
    parser.add_argument("config", metavar="CONFIG", help=_("a config whose records have a scope_note, such as cmhe_ce"))
    options.add_data(parser)
    parser.add_argument("--split", default="test", metavar="NAME", help=_("the split (default: test)"))
    options.add_out(parser)
    parser.set_defaults(run=run_notes)


def run_notes(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from medzh_score.data.records import load_records

    refuse_inputs("--out", arguments.out, (), folders=(arguments.data,))
    records = load_records(arguments.data, arguments.config, split=arguments.split)
    content = _lines(records.rows)
    if not content:
        advice = _("build it from descriptors in XML, which have them: --source mesh=desc2025.xml")
        raise MedzhError(_("no record has a scope note"), file=arguments.data, field=NOTE, advice=advice)
    with open_for_texts(arguments.out) as stream:
        stream.write("".join(content).encode("utf-8"))
    without = len(records.rows) - len(content)
    lacking = f"; {without:,} questions have none and were left out" if without else ""
    say(
        [
            _(
                "scope notes for {n_content:,} of {n_rows:,} questions{lacking}",
                n_content=len(content),
                n_rows=len(records.rows),
                lacking=lacking,
            )
        ]
    )
    return 0


def _lines(records: Sequence[Record]) -> list[str]:
    return [
        json.dumps({"id": record["id"], "prediction": record[NOTE], "model": WHO}, ensure_ascii=False) + "\n"
        for record in records
        if record.get(NOTE)
    ]
