"""What a mapping did not bring into our form, counted and with the first place of each: nothing is lost silently."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.mapping.mapped_rows import UNKNOWN_VALUE
from dataset_scripts.recipe import BuildTable
from medzh_score.messages.errors import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.mapping.interchange import Fault
    from dataset_scripts.mapping.mapped_rows import Mapped


def mapping_tables(mapped: Mapped, faults: Sequence[Fault]) -> tuple[BuildTable, ...]:
    """Tabulate what did not map.

    They tell rows taken and left out, by reason; values not known; fields not used. A table without rows
    is left out.
    """
    tables = (_left_out(len(mapped.rows), faults), _unknown(faults), _unused(mapped.unused))
    return tuple(table for table in tables if table.rows)


def mapping_notes(mapped: Mapped, faults: Sequence[Fault]) -> tuple[str, ...]:
    """Say in sentences what did not map."""
    notes = []
    if faults:
        notes.append(f"{len(faults):,} of {len(mapped.rows):,} rows were left out; a table says why")
    unknown = sorted({fault.field for fault in faults if fault.problem == UNKNOWN_VALUE})
    if unknown:
        tables = ", ".join("[split.values]" if name == "split" else f"[values.{name}]" for name in unknown)
        notes.append(
            f"values that are not known are listed in a table; the mapping file can say in {tables} what they mean"
        )
    if mapped.unused:
        notes.append(f"{len(mapped.unused):,} fields of the file were not used; a table names them")
    if mapped.absent:
        names = ", ".join(f"{name} = {shown(path)}" for name, path in mapped.absent.items())
        notes.append(f"no row has a value where the mapping looks for {names}")
    return tuple(notes)


def _left_out(rows: int, faults: Sequence[Fault]) -> BuildTable:
    counts = Counter((fault.field, fault.problem) for fault in faults)
    first = {(fault.field, fault.problem): _place(fault) for fault in reversed(faults)}
    listed = [(f"{name}: {problem}", number, first[name, problem]) for (name, problem), number in counts.most_common()]
    rows_of = (("taken", rows - len(faults), ""), *listed)
    return BuildTable("Rows that were taken, and why others were left out", ("reason", "rows", "first"), rows_of)


def _unknown(faults: Sequence[Fault]) -> BuildTable:
    unknown = [fault for fault in faults if fault.problem == UNKNOWN_VALUE]
    counts = Counter((fault.field, str(fault.found)) for fault in unknown)
    first = {(fault.field, str(fault.found)): _place(fault) for fault in reversed(unknown)}
    listed = [(name, shown(value), number, first[name, value]) for (name, value), number in counts.most_common()]
    return BuildTable("Values that are not known", ("field", "value", "rows", "first"), tuple(listed))


def _unused(unused: Mapping[str, int]) -> BuildTable:
    listed = tuple((shown(path), number) for path, number in sorted(unused.items()))
    return BuildTable("Fields of the file that the mapping does not use", ("field", "objects"), listed)


def _place(fault: Fault) -> str:
    return f"{fault.row.source}, line {fault.row.line}"
