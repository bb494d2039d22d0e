"""The interchange form: a user's own data as lines of the record schema without id and provenance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.json_lines import decoded_lines, read_objects, text_suffix
from dataset_scripts.files.stored import Stored
from dataset_scripts.packaging.validating import Validator
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    Names = Mapping[str, Callable[[str], str]]

TABLES = (".csv", ".tsv")
PROVENANCE = ("id", "source", "recipe", "upstream_key")
_ABSENT = object()


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One row of a user's file, in the interchange form.

    Attributes
    ----------
    source : str
        The name of the source.
    file : Path
        The file.
    line : int
        Its line there, from 1.
    rows : Stored
        The fields of this row and of others.
    place : int
        Which of them are its own.
    """

    source: str
    file: Path
    line: int
    rows: Stored
    place: int

    @property
    def fields(self) -> Mapping[str, Any]:
        """What it says, by the names of the record schema."""
        return self.rows[self.place]

    def seen_from(self, other: Row) -> str:
        """Say where the row stands."""
        return f"line {self.line}" if self.file == other.file else f"line {self.line} of {self.file}"


@dataclass(frozen=True)
class Form:
    """The interchange form of a config.

    Attributes
    ----------
    schema : mapping
        JSON Schema of a row, from `row_schema`.
    split_of : mapping of str to str
        The split of all rows of a source, where the source holds one split alone.
    """

    schema: Mapping[str, Any]
    split_of: Mapping[str, str]

    @cached_property
    def validator(self) -> Validator:
        """What validates a row."""
        return Validator(self.schema)

    @cached_property
    def _blank(self) -> dict[str, None]:
        return {name: None for name, made in self.schema["properties"].items() if "null" in made["type"]}

    def row(self, rows: Stored, source: str, file: Path, line: int, fields: Mapping[str, Any]) -> Row:
        """Add a row to others, its nullable fields written out and its split that of its source."""
        split = {"split": self.split_of[source]} if source in self.split_of else {}
        rows.append({**self._blank, **split, **fields})
        return Row(source, file, line, rows, len(rows) - 1)


@dataclass(frozen=True)
class Fault:
    """Why a row cannot become a record.

    Attributes
    ----------
    row : Row
        The row.
    field : str
        The field at fault; a path where it is inside one.
    problem : str
        What is wrong, in words that are the same for all rows with this fault.
    expected : str or None
        What would have been right.
    found : object
        What was there.
    """

    row: Row
    field: str
    problem: str
    expected: str | None = None
    found: object = None

    def error(self, others: int = 0) -> MedzhError:
        """Turn it into an error that names file, line and field."""
        more = f" (and {others:,} more)" if others else ""
        return MedzhError(
            f"{self.problem}{more}",
            file=self.row.file,
            line=self.row.line,
            field=self.field,
            expected=self.expected,
            found=self.found,
            advice="nothing was built",
        )


def row_schema(
    schema: Mapping[str, Any], *, derived: Sequence[str], free: Sequence[str], splits: Sequence[str]
) -> dict[str, Any]:
    """Derive the schema of a row from that of a record."""
    properties = {name: declared for name, declared in schema["properties"].items() if name not in PROVENANCE}
    properties |= {name: {"type": "string", "minLength": 1} for name in (*free, "upstream_key")}
    properties["split"] = {"type": "string", "enum": list(splits)}
    needless = {*PROVENANCE, *derived, *(name for name, declared in properties.items() if "null" in declared["type"])}
    required = [name for name in schema["required"] if name not in needless]
    return {**schema, "required": [*required, "split"], "properties": properties}


def read_rows(source: str, path: Path, form: Form, names: Names | None = None) -> list[Row]:
    """Read a file in the interchange form."""
    first = next((line.strip() for line in decoded_lines(path) if line.strip(" \t\r\ufeff")), "")
    if first.startswith("[") or (first and not first.startswith("{") and text_suffix(path) in TABLES):
        problem = "is a JSON array" if first.startswith("[") else "is a table"
        expected = "one JSON object a line"
        raise MedzhError(problem, file=path, expected=expected, advice="say with --mapping FILE how it is to be read")
    rows = Stored()
    return [form.row(rows, source, path, line, _named(fields, names or {})) for line, fields in read_objects(path)]


def _named(fields: dict[str, Any], names: Names) -> dict[str, Any]:
    return fields | {name: named(fields[name]) for name, named in names.items() if isinstance(fields.get(name), str)}


def row_fault(row: Row, fields: Mapping[str, Any], form: Form) -> Fault | None:
    """Validate a row and its fields; of several faults the first is given."""
    expected = form.split_of.get(row.source)
    if expected and fields["split"] != expected:
        return Fault(row, "split", "is not the split of its file", expected, fields["split"])
    for problem in form.validator.problems(fields, row.place):
        value = _at(fields, problem.pointer)
        field = problem.pointer.removeprefix("/")
        there = None if value is _ABSENT else value  # a message says nothing of what is None
        return Fault(row, field, _wrong(value, field, form), problem.expected, there)
    return None


def _wrong(value: object, field: str, form: Form) -> str:
    if value is not None and value is not _ABSENT:
        return "is not what the schema says"
    # What may be null is written out as null where a row does not have it.
    nullable = "null" in form.schema["properties"].get(field, {}).get("type", ())
    return "is missing" if value is _ABSENT or nullable else "is null"


def _at(value: Any, pointer: str) -> Any:  # noqa: ANN401 - any part of a row
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = value[int(name)]
        elif isinstance(value, dict) and name in value:
            value = value[name]
        else:
            return _ABSENT
    return value
