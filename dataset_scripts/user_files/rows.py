"""What a row of a user's own file may hold, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.features import arrow_schema, column_types
from dataset_scripts.packaging.validating import Validator
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa

    from dataset_scripts.files.records import Records

PROVENANCE = ("id", "source", "recipe", "upstream_key")


@dataclass(frozen=True)
class Form:
    """The columns of a user's own file.

    Attributes
    ----------
    schema : mapping
        JSON Schema of a row, from `row_schema`.
    split_of : mapping of str to str
        The split of all rows of a source, where the source holds one split alone.
    spellings : mapping of str to callable
        For columns whose values may be written in several ways: from a text to our value, or the text itself.
    beside : collection of str
        Columns that are read past.
    """

    schema: Mapping[str, Any]
    split_of: Mapping[str, str]
    spellings: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    beside: Collection[str] = ()

    @cached_property
    def validator(self) -> Validator:
        """What validates a row."""
        return Validator(self.schema)

    @cached_property
    def types(self) -> dict[str, str]:
        """The type of each column."""
        return column_types(self.schema)

    @cached_property
    def arrow_schema(self) -> pa.Schema:
        """The columns as `Records` hold them."""
        return arrow_schema(self.schema)

    @cached_property
    def blank(self) -> dict[str, None]:
        """The columns that may be null, and so be left out."""
        return {name: None for name, declared in self.schema["properties"].items() if "null" in declared["type"]}


@dataclass(frozen=True)
class Fault:
    """Why a row cannot become a record.

    Attributes
    ----------
    field : str
        The column at fault; a path where it is inside one.
    problem : str
        What is wrong.
    expected : str or None
        What would have been right.
    found : object
        What was there.
    """

    field: str
    problem: str
    expected: str | None = None
    found: object = None


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A sound row of a user's file.

    Attributes
    ----------
    source : str
        The name of the source.
    file : Path
        The file.
    line : int
        Its line there, or its row in a sheet, from 1.
    records : Records
        The fields of this row and of others.
    place : int
        Which of them are its own.
    """

    source: str
    file: Path
    line: int
    records: Records
    place: int

    @property
    def fields(self) -> dict[str, Any]:
        """What it says: the columns that it has; what it leaves out is not among them."""
        return {name: value for name, value in self.records[self.place].items() if value is not None}

    def seen_from(self, other: Row) -> str:
        """Say where the row stands."""
        return f"line {self.line}" if self.file == other.file else f"line {self.line} of {self.file}"


class Faults:
    """The faults of a user's files: the first is said, the others are counted."""

    def __init__(self) -> None:
        self._first: MedzhError | None = None
        self._number = 0

    def add(self, file: Path, line: int, fault: Fault) -> None:
        """Count a fault."""
        self._number += 1
        if self._first is None:
            self._first = MedzhError(
                fault.problem,
                file=file,
                line=line,
                field=fault.field,
                expected=fault.expected,
                found=fault.found,
                advice="nothing was built",
            )

    def refuse(self) -> None:
        """Raise the first fault, where there is one."""
        if self._first is not None:
            if self._number > 1:
                self._first.problem += f" (and {self._number - 1:,} more)"
            raise self._first


def row_schema(
    schema: Mapping[str, Any], *, derived: Sequence[str], free: Sequence[str] = (), splits: Sequence[str] = ("test",)
) -> dict[str, Any]:
    """Derive the schema of a row from that of a record.

    Parameters
    ----------
    schema : mapping
        JSON Schema of a record.
    derived : sequence of str
        Columns that follow from others, and so may be left out.
    free : sequence of str
        Columns that may hold any text, whatever they hold in a record.
    splits : sequence of str
        The splits that a row can belong to.
    """
    properties = {name: declared for name, declared in schema["properties"].items() if name not in PROVENANCE}
    properties |= {name: {"type": "string", "minLength": 1} for name in (*free, "upstream_key")}
    properties["split"] = {"type": "string", "enum": list(splits)}
    needless = {*PROVENANCE, *derived, *(name for name, declared in properties.items() if "null" in declared["type"])}
    required = [name for name in schema["required"] if name not in needless]
    return {**schema, "required": [*required, "split"], "properties": properties}
