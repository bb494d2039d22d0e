"""A user's own questions for PeMeBench's Table 4, and our minis, in the columns of the schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.banks.questions import Question
from dataset_scripts.user_files.one_split import SPLIT
from dataset_scripts.user_files.read import read_rows
from dataset_scripts.user_files.rows import Fault, Form, row_schema
from medzh_score.files.package_files import package_file
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dataset_scripts.recipe import SourceFile

DERIVED = ("matched", "prompt")


def read_subset(config: str, files: Mapping[str, SourceFile]) -> list[Question]:
    """Read questions from a user's own files, or from a mini; which are about children is not looked at here."""
    schema = read_schema(package_file("medzh_score", f"schemas/{config}.schema.json"))
    form = Form(row_schema(schema, derived=DERIVED), dict.fromkeys(files, SPLIT))
    rows, faults = read_rows(files, form, _faults_of)
    faults.refuse()
    if not rows:
        raise MedzhError("holds no row", file=next(iter(files.values())).path, expected="questions")
    return [
        Question(
            row.source,
            (fields := row.fields)["question"],
            fields["answer"],
            tuple(fields.get("options", ())),
            fields.get("upstream_key", ""),
        )
        for row in rows
    ]


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    options = fields.get("options", ())
    if len({fold(option) for option in options}) < len(options):
        yield Fault("options", "two options are equal", "different options", options)
