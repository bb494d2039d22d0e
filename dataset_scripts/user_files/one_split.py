"""From the sound rows of a user's own file to the records of a config that has one split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.records import Records
from dataset_scripts.packaging.features import arrow_schema
from dataset_scripts.recipe import Built
from dataset_scripts.user_files.read import read_rows
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from dataset_scripts.recipe import Record, SourceFile
    from dataset_scripts.user_files.rows import Fault, Form, Row

SPLIT = "test"


@dataclass(frozen=True)
class Reader:
    """How a config with one split reads a user's own file.

    Attributes
    ----------
    form : Form
        The columns of a row.
    schema : mapping
        JSON Schema of a record.
    faults_of : callable
        From the fields of a row to what is wrong with it that no schema can say.
    identity : callable
        From the fields of a row to what equal ones share.
    repeated : callable
        From a row and an earlier one of its identity to the fault of the row.
    record_of : callable
        From a sound row and the recipe to its record.
    notes_of : callable
        From all records to what the builder should know of them.
    """

    form: Form
    schema: Mapping[str, Any]
    faults_of: Callable[[Mapping[str, Any]], Iterable[Fault]]
    identity: Callable[[Mapping[str, Any]], str]
    repeated: Callable[[Row, Row], Fault]
    record_of: Callable[[Row, str], Record]
    notes_of: Callable[[Sequence[Record]], Iterable[str]] = lambda _: ()

    def read(self, recipe: str, files: Mapping[str, SourceFile]) -> Built:
        """Read a user's own files; a row with a fault, or one that stands there twice, refuses them."""
        rows, faults = read_rows(files, self.form, self.faults_of)
        first: dict[str, Row] = {}
        for row in rows:
            earlier = first.setdefault(self.identity(row.fields), row)
            if earlier is not row:
                faults.add(row.file, row.line, self.repeated(row, earlier))
        faults.refuse()
        if not rows:
            file = next(iter(files.values())).path
            raise MedzhError("holds no row", file=file, expected=f"rows of the split {SPLIT}")
        records, other_prompts = Records(arrow_schema(self.schema)), 0
        for row in rows:
            record = self.record_of(row, recipe)
            other_prompts += row.fields.get("prompt", record["prompt"]) != record["prompt"]
            records.append(record)
        return Built({SPLIT: records}, notes=(*self.notes_of(records), *prompt_notes(other_prompts)))


def prompt_notes(number: int) -> tuple[str, ...]:
    """Note how many rows bring a prompt of their own, which is not kept."""
    return (f"{number:,} rows have a prompt that is not our default one; theirs was not kept",) if number else ()
