"""A user's own questions for PeMeBench's Table 4, and our minis: in the interchange form, or by a mapping file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dataset_scripts.mapping.importing import Importer
from dataset_scripts.mapping.interchange import Fault, Form, row_schema
from dataset_scripts.mapping.sifting import damage_in, sift_rows
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.pemebench.bank import Question
from medzh_score.folding import fold
from medzh_score.package_files import package_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.mapping.importing import Imported
    from dataset_scripts.mapping.interchange import Row
    from dataset_scripts.recipe import SourceFile

SPLIT = "test"
DERIVED = ("matched", "prompt")
ADVICE = "give a file of questions with --source NAME=FILE"


def form(config: str, sources: Sequence[str]) -> Form:
    """Give the interchange form of a subset.

    Parameters
    ----------
    config : str
        The config's name.
    sources : sequence of str
        The names of the sources that may be written in it.

    Returns
    -------
    Form
        Of a row are required ``question``, ``answer`` and, where the config has options, ``options``.
    """
    schema = read_schema(package_file("medzh_score", f"schemas/{config}.schema.json"))
    return Form(row_schema(schema, derived=DERIVED, free=(), splits=(SPLIT,)), dict.fromkeys(sources, SPLIT))


def read_own(shape: Form, files: Mapping[str, SourceFile], mapping: str) -> Imported[Row]:
    """Read questions from a user's own files, or from a mini.

    In the interchange form nothing is left out: a line with a fault is refused. With a mapping file, what cannot
    become a record is left out, and counted by reason. Which questions are about children is not looked at here.

    Parameters
    ----------
    shape : Form
        The interchange form.
    files : mapping of str to SourceFile
        Files in it, and the mapping file, if there is one.
    mapping : str
        The name of the mapping file.

    Raises
    ------
    MedzhError
        With file, line and field, if a file is not what it should be.
    """
    return Importer(shape, {}, partial(sift_rows, shape=shape, faults_of=_of_one), ADVICE).read(files, mapping)


def questions_of(rows: Sequence[Row]) -> Iterator[Question]:
    """Make the questions of sound rows.

    Parameters
    ----------
    rows : sequence of Row
        From `read_own`.

    Yields
    ------
    Question
        One a row.
    """
    for row in rows:
        fields = row.fields
        options = tuple(fields.get("options", ()))
        yield Question(row.source, fields["question"], fields["answer"], options, fields.get("upstream_key", ""))


def _of_one(row: Row) -> Iterator[Fault]:
    fields = row.fields
    options = fields.get("options", ())
    texts = [(name, fields[name]) for name in ("question", "answer")]
    yield from damage_in(row, [*texts, *(("options", option) for option in options)])
    if len({fold(option) for option in options}) < len(options):
        yield Fault(row, "options", "two options are equal", "different options", options)
