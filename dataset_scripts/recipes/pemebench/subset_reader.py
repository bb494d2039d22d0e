"""A user's own questions for PeMeBench's Table 4, and our minis: in the interchange form, or by a mapping file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dataset_scripts.mapping.importing import Importer
from dataset_scripts.mapping.interchange import Fault, Form, row_schema
from dataset_scripts.mapping.sifting import damage_in, sift_rows
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.banks.questions import Question
from medzh_score.files.package_files import package_file
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.mapping.importing import Imported
    from dataset_scripts.mapping.interchange import Row
    from dataset_scripts.recipe import SourceFile

SPLIT = "test"
DERIVED = ("matched", "prompt")
ADVICE = "give a file of questions with --source NAME=FILE"


def form(config: str, sources: Sequence[str]) -> Form:
    """Give the interchange form of a subset."""
    schema = read_schema(package_file("medzh_score", f"schemas/{config}.schema.json"))
    return Form(row_schema(schema, derived=DERIVED, free=(), splits=(SPLIT,)), dict.fromkeys(sources, SPLIT))


def read_subset(shape: Form, files: Mapping[str, SourceFile], mapping: str) -> Imported[Row]:
    """Read questions from a user's own files, or from a mini; which are about children is not looked at here."""
    return Importer(shape, {}, partial(sift_rows, shape=shape, faults_of=_of_one), ADVICE).read(files, mapping)


def questions_of(rows: Sequence[Row]) -> Iterator[Question]:
    """Make the questions of sound rows."""
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
