"""A user's own files, in the interchange form or by a mapping file: what is kept, and what is told of the rest."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from dataset_scripts.mapping.interchange import Fault, faults_in, read_rows
from dataset_scripts.mapping.mapped_rows import map_rows
from dataset_scripts.mapping.mapping_file import read_mapping
from dataset_scripts.mapping.report import mapping_notes, mapping_tables
from dataset_scripts.recipe import Built
from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.mapping.interchange import Form, Names, Row
    from dataset_scripts.recipe import BuildTable, Record, SourceFile

T = TypeVar("T")

# What no sound text has: control characters but tab and line ends, and the sign for a lost character.
DAMAGE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")


@dataclass(frozen=True)
class Brought(Generic[T]):
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
class Bringing(Generic[T]):
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
        What the user is told who brings no file.
    aliases : bool
        Whether the interchange form may use other names, too.
    last : str
        The problem of a fault that is told only where there is no other.
    """

    form: Form
    names: Names
    sift: Callable[[Sequence[Row], Sequence[Fault]], tuple[list[T], list[Fault]]]
    advice: str
    aliases: bool = False
    last: str = ""

    def read(self, files: Mapping[str, SourceFile], mapping: str) -> Brought[T]:
        """Read a user's own files.

        In the interchange form nothing is left out: a line with a fault is refused. With a mapping file, what cannot
        become a record is left out, and counted by reason.

        Parameters
        ----------
        files : mapping of str to SourceFile
            By the names of the sources.
        mapping : str
            The name of the mapping file among them, which need not be there.

        Raises
        ------
        MedzhError
            With file, line and field, if a file is not what it should be.
        """
        data = {name: file.path for name, file in files.items() if name != mapping}
        if not data:
            raise MedzhError("a mapping file without a file to be mapped", field="--source", advice=self.advice)
        if mapping in files:
            mapped = map_rows(read_mapping(files[mapping].path, self.form), data, self.form, self.names)
            kept, faults = self.sift(mapped.rows, mapped.faults)
            notes, tables = mapping_notes(mapped, faults), mapping_tables(mapped, faults)
            return Brought(kept, len(mapped.rows), faults, notes, tables)
        names = self.names if self.aliases else {}
        rows = [row for name, path in data.items() for row in read_rows(name, path, self.form, names)]
        kept, faults = self.sift(rows, [])
        if faults:
            raise min(faults, key=lambda fault: fault.problem == self.last).error(len(faults) - 1)
        return Brought(kept, len(rows), [])


@dataclass(frozen=True)
class Twins:
    """What makes two rows one record, where only the first of them is kept.

    Attributes
    ----------
    identify : callable
        From a row to what equal ones share.
    tell : callable
        From a row and an earlier one like it to the fault of the row.
    """

    identify: Callable[[Row], str]
    tell: Callable[[Row, Row], Fault]


def sift_rows(
    rows: Sequence[Row],
    faults: Sequence[Fault],
    *,
    shape: Form,
    faults_of: Callable[[Row], Iterator[Fault]],
    twins: Twins | None = None,
) -> tuple[list[Row], list[Fault]]:
    """Separate rows that can become a record each from those that cannot.

    Parameters
    ----------
    rows : sequence of Row
        All rows.
    faults : sequence of Fault
        What is known to be wrong with some of them.
    shape : Form
        The interchange form.
    faults_of : callable
        What else can be wrong with a row that the form allows; the first is told.
    twins : Twins, optional
        Where rows may repeat each other.

    Returns
    -------
    tuple of (list of Row, list of Fault)
        Those that can, in order, and one fault of each that cannot.
    """
    wrong = {id(fault.row): fault for fault in faults}
    sound = [row for row in rows if id(row) not in wrong]
    wrong |= {id(fault.row): fault for fault in faults_in(sound, shape)}
    first: dict[str, Row] = {}
    for row in (row for row in sound if id(row) not in wrong):
        found = next(faults_of(row), None)
        if found is None and twins is not None:
            earlier = first.setdefault(twins.identify(row), row)
            found = None if earlier is row else twins.tell(row, earlier)
        if found is not None:
            wrong[id(row)] = found
    kept = [row for row in rows if id(row) not in wrong]
    return kept, [wrong[id(row)] for row in rows if id(row) in wrong]


def one_split(  # noqa: PLR0913 - what a config says of the files that it takes
    bringing: Bringing[Row],
    files: Mapping[str, SourceFile],
    *,
    mapping: str,
    split: str,
    make: Callable[[Row], Record],
    tell: Callable[[Sequence[Record]], Iterable[str]] = lambda _: (),
) -> Built:
    """Build the only split of a config from a user's own files.

    Parameters
    ----------
    bringing : Bringing
        How they are read.
    files : mapping of str to SourceFile
        By the names of the sources.
    mapping : str
        The name of the mapping file among them, which need not be there.
    split : str
        The split.
    make : callable
        From a row that is kept to its record.
    tell : callable
        From the records to what else the builder should know of them.

    Returns
    -------
    Built
        The split; notes and tables on what was not taken.

    Raises
    ------
    MedzhError
        With file, line and field: if a file is not what it should be, or nothing is left.
    """
    brought = bringing.read(files, mapping)
    if not brought.kept:
        file = next(file.path for name, file in files.items() if name != mapping)
        raise nothing_left(brought, split, file, bringing.advice)
    records = [make(row) for row in brought.kept]
    notes = (*brought.notes, *tell(records), *reworded(zip(brought.kept, records, strict=True)))
    return Built({split: records}, notes=notes, tables=brought.tables)


def nothing_left(brought: Brought[T], split: str, file: Path, advice: str) -> MedzhError:
    """Say why a split that every build has would be empty.

    Parameters
    ----------
    brought : Brought
        What came of the files.
    split : str
        The split.
    file : Path
        The file in which its questions should stand.
    advice : str
        What to do where no row was left out.
    """
    if not brought.faults:
        expected, found = f"questions of the split {split}", f"{brought.rows} rows"
        return MedzhError(f"no question is for {split}", file=file, expected=expected, found=found, advice=advice)
    counts = Counter((fault.field, fault.problem) for fault in brought.faults)
    (name, problem), number = counts.most_common(1)[0]
    first = next(fault for fault in brought.faults if (fault.field, fault.problem) == (name, problem))
    left_out = f"{len(brought.faults):,} of {brought.rows:,} rows were left out, {number:,} as {name} {problem}"
    return MedzhError(
        f"no question is left for {split}: {left_out}",
        file=first.row.file,
        line=first.row.line,
        field=name,
        expected=first.expected,
        found=first.found,
        advice="mend the mapping file",
    )


def damage_in(row: Row, texts: Iterable[tuple[str, str | None]]) -> Iterator[Fault]:
    """Find texts that lost characters on their way.

    Parameters
    ----------
    row : Row
        Where they stand.
    texts : iterable of (str, str or None)
        The field of each, and the text.
    """
    for name, text in texts:
        if text and DAMAGE.search(text):
            yield Fault(row, name, "holds a character that no text has", "no control character or U+FFFD", text)


def reworded(pairs: Iterable[tuple[Row, Record]]) -> tuple[str, ...]:
    """Note how many rows bring a prompt of their own, which is not kept.

    Parameters
    ----------
    pairs : iterable of (Row, dict)
        Each row with the record that was made of it.
    """
    number = sum(row.fields.get("prompt", record["prompt"]) != record["prompt"] for row, record in pairs)
    return (f"{number:,} rows have a prompt that is not our default one; theirs was not kept",) if number else ()
