"""A user's own files, in the interchange form or by a mapping file: what is kept, and what becomes of the rest."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from dataset_scripts.files.stored import Stored
from dataset_scripts.mapping.interchange import Fault, read_rows
from dataset_scripts.mapping.mapped_rows import map_rows
from dataset_scripts.mapping.mapping_file import read_mapping
from dataset_scripts.mapping.report import mapping_notes, mapping_tables
from dataset_scripts.recipe import Built
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.mapping.interchange import Form, Names, Row
    from dataset_scripts.recipe import BuildTable, Record, SourceFile

T = TypeVar("T")


@dataclass(frozen=True)
class Imported(Generic[T]):
    """What came of a user's own files.

    Attributes
    ----------
    kept : list
        What can become records, in order.
    rows : int
        How many rows the files have.
    faults : list of Fault
        One of each row that was left out.
    notes : tuple of str
        What the builder should know of the mapping.
    tables : tuple of BuildTable
        What did not map, counted.
    """

    kept: list[T]
    rows: int
    faults: list[Fault]
    notes: tuple[str, ...] = ()
    tables: tuple[BuildTable, ...] = ()


@dataclass(frozen=True)
class Importer(Generic[T]):
    """How a config reads what a user brings.

    Attributes
    ----------
    form : Form
        Its interchange form.
    names : mapping of str to callable
        For fields whose values a mapped file may write in several ways: from a text to our value, or the text itself.
    sift : callable
        From all rows and the faults that some have to what can become records, and one fault of each row that cannot.
    advice : str
        What to do, for a user who brings no file.
    aliases : bool
        Whether the interchange form may use other names, too.
    last : str
        The problem of a fault that is reported only where there is no other.
    """

    form: Form
    names: Names
    sift: Callable[[Sequence[Row], Sequence[Fault]], tuple[list[T], list[Fault]]]
    advice: str
    aliases: bool = False
    last: str = ""

    def read(self, files: Mapping[str, SourceFile], mapping: str) -> Imported[T]:
        """Read a user's own files.

        In the interchange form nothing is left out: a line with a fault is refused. With a mapping file, what cannot
        become a record is left out, and counted by reason.
        """
        data = {name: file.path for name, file in files.items() if name != mapping}
        if not data:
            raise MedzhError("a mapping file without a file to be mapped", field="--source", advice=self.advice)
        if mapping in files:
            mapped = map_rows(read_mapping(files[mapping].path, self.form), data, self.form, self.names)
            kept, faults = self.sift(mapped.rows, mapped.faults)
            notes, tables = mapping_notes(mapped, faults), mapping_tables(mapped, faults)
            return Imported(kept, len(mapped.rows), faults, notes, tables)
        names = self.names if self.aliases else {}
        rows = [row for name, path in data.items() for row in read_rows(name, path, self.form, names)]
        kept, faults = self.sift(rows, [])
        if faults:
            raise min(faults, key=lambda fault: fault.problem == self.last).error(len(faults) - 1)
        return Imported(kept, len(rows), [])


def one_split(  # noqa: PLR0913 - what a config says of the files that it takes
    importer: Importer[Row],
    files: Mapping[str, SourceFile],
    *,
    mapping: str,
    split: str,
    make: Callable[[Row], Record],
    notes_of: Callable[[Sequence[Record]], Iterable[str]] = lambda _: (),
) -> Built:
    """Build the only split of a config from a user's own files.

    With it go notes and tables on what was not taken.
    """
    imported = importer.read(files, mapping)
    if not imported.kept:
        file = next(file.path for name, file in files.items() if name != mapping)
        raise nothing_left(imported, split, file, importer.advice)
    records = Stored(map(make, imported.kept))
    notes = (*imported.notes, *notes_of(records), *own_prompt_notes(zip(imported.kept, records, strict=True)))
    return Built({split: records}, notes=notes, tables=imported.tables)


def nothing_left(imported: Imported[T], split: str, file: Path, advice: str) -> MedzhError:
    """Say why a split that every build has would be empty."""
    if not imported.faults:
        expected, found = f"questions of the split {split}", f"{imported.rows} rows"
        return MedzhError(f"no question is for {split}", file=file, expected=expected, found=found, advice=advice)
    counts = Counter((fault.field, fault.problem) for fault in imported.faults)
    (name, problem), number = counts.most_common(1)[0]
    first = next(fault for fault in imported.faults if (fault.field, fault.problem) == (name, problem))
    left_out = f"{len(imported.faults):,} of {imported.rows:,} rows were left out, {number:,} as {name} {problem}"
    return MedzhError(
        f"no question is left for {split}: {left_out}",
        file=first.row.file,
        line=first.row.line,
        field=name,
        expected=first.expected,
        found=first.found,
        advice="mend the mapping file",
    )


def own_prompt_notes(pairs: Iterable[tuple[Row, Record]]) -> tuple[str, ...]:
    """Note how many rows bring a prompt of their own, which is not kept."""
    number = sum(row.fields.get("prompt", record["prompt"]) != record["prompt"] for row, record in pairs)
    return (f"{number:,} rows have a prompt that is not our default one; theirs was not kept",) if number else ()
