"""The reader of a file of the user: JSON Lines, CSV or XLSX, with columns matched by name in any order.

No row is dropped or corrected: a file with an invalid row is rejected.
"""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataset_scripts.inputs.upstream import decoded_lines, read_objects, text_suffix
from dataset_scripts.inputs.user_rows import Fault, Faults, Form, Row, foreign_characters, letter_of
from dataset_scripts.recipe import Built
from medzh_score.io.open_input import START, refuse_stand_in
from medzh_score.io.tables import ORDINARY_CELL, csv_reader
from medzh_score.io.workbooks import ENDING, first_sheet, is_workbook
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, _n
from medzh_score.ui.privacy import quotable_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import Record, SourceFile

    Fields = Mapping[str, Any]


ADVICE = _("correct the line, or provide another file")
SEPARATORS = re.compile(r"[|｜\n]")  # between the texts of a list in one cell
_ABSENT = object()


def read_rows(
    files: Mapping[str, SourceFile], form: Form, faults_of: Callable[[Fields], Iterable[Fault]] = lambda _unused: ()
) -> tuple[list[Row], Faults]:
    """Read the valid rows of the files of a user, in order, and the errors of the others."""
    rows, faults = list[Row](), Faults()
    for source, file in files.items():
        for line, given in _raw_rows(file.path, form):
            own = {name: value for name, value in given.items() if name not in form.beside}
            fields = _prepared(own, form, form.split_of.get(source))
            fault = next(_faults_of(fields, form, form.split_of.get(source), faults_of), None)
            if fault is not None:
                faults.add(file.path, line, fault)
            else:
                rows.append(Row(source, file.path, line, _stated(fields)))
    return rows, faults


def _raw_rows(path: Path, form: Form) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the rows of a file, each with its line or its number in the sheet."""
    try:
        with path.open("rb") as stream:
            workbook = is_workbook(stream)
            start = stream.read(START)
            broken = not workbook and path.suffix.lower() == ENDING and start.startswith(b"PK")
    except OSError as error:
        raise MedzhError(_("cannot read the file: {why}", why=_(error.strerror or str(error))), file=path) from error
    refuse_stand_in(start, path)
    if broken:
        raise MedzhError(_("the workbook is damaged"), file=path, advice=_("copy, download or save the file again"))
    if workbook:
        return _sheet_rows(path, form)
    if text_suffix(path) == ".csv":
        return _table_rows(path, _csv_cells(path), form)
    first = next((line.strip() for line in decoded_lines(path) if line.strip(" \t\r\ufeff")), "")
    if first and not first.startswith("{"):
        problem = (
            _("the file is a JSON array") if first.startswith("[") else _("the file is not JSON Lines, CSV or XLSX")
        )
        advice = _("see the manual for how to write such a file with pandas")
        raise MedzhError(
            problem, file=path, expected=_("one JSON object per line, or a .csv or .xlsx file"), advice=advice
        )
    return read_objects(path)


def _sheet_rows(path: Path, form: Form) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open("rb") as stream:
        yield from _table_rows(path, enumerate(first_sheet(stream, path), 1), form)


def _csv_cells(path: Path) -> Iterator[tuple[int, list[str]]]:
    lines = io.StringIO("\n".join(decoded_lines(path)).removeprefix("\ufeff"), newline="")
    reader, begins = csv_reader(lines, largest=ORDINARY_CELL, strict=True), 1
    try:
        for cells in reader:
            yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise MedzhError(_("invalid table: {error}", error=error), file=path, line=begins, advice=ADVICE) from error


def _table_rows(
    path: Path, numbered: Iterable[tuple[int, list[str]]], form: Form
) -> Iterator[tuple[int, dict[str, Any]]]:
    header: list[str] = []
    for line, cells in numbered:
        if not any(cell.strip() for cell in cells):
            continue
        if not header:
            header = _header(path, line, cells, form)
            continue
        beyond = any(cell.strip() for cell in cells[len(header) :])
        if beyond or (len(cells) < len(header) and text_suffix(path) == ".csv"):
            expected = _("{n_header} cells, as in the header", n_header=len(header))
            raise MedzhError(
                _("the row and the header differ in the number of cells"),
                file=path,
                line=line,
                expected=expected,
                found=len(cells),
            )
        named = zip(header, cells, strict=False)
        yield line, {name: _value(cell, form.types[name]) for name, cell in named if cell.strip()}


def _header(path: Path, line: int, cells: list[str], form: Form) -> list[str]:
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    expected = ", ".join(form.types)
    for name in names:
        if names.count(name) > 1:
            raise MedzhError(
                _("two columns have the same name"), file=path, line=line, found=quotable_key(name), advice=ADVICE
            )
        if name not in form.types:
            problem = _("unknown column")
            raise MedzhError(
                problem, file=path, line=line, field=name, expected=expected, advice=_("remove the column")
            )
    split = {"split"} if form.split_of else set()
    if lacking := [name for name in form.schema["required"] if name not in {*names, *split}]:
        problem = _("the header has no column {lacking}", lacking=", ".join(lacking))
        raise MedzhError(problem, file=path, line=line, expected=expected, found=quotable_key(*names), advice=ADVICE)
    return names


def _value(cell: str, kind: str) -> object:
    """Read a cell: a list is a JSON array, or texts with ``|`` or a line break between them."""
    if not kind.startswith("list<"):
        return _number(cell) if kind == "int64" else cell
    if cell.lstrip().startswith("["):
        try:
            return json.loads(cell)
        except ValueError:
            return cell  # which the schema refuses
    texts = [text.strip() for text in SEPARATORS.split(cell.rstrip("|｜\n "))]
    return [_number(text) for text in texts] if kind == "list<int64>" else texts


def _number(text: str) -> int | str:
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text.strip()) else text


def _prepared(given: Fields, form: Form, split: str | None) -> dict[str, Any]:
    """Write values as the config spells them, and the split that the source has."""
    fields = {**form.blank, **given}
    if split is not None:
        fields.setdefault("split", split)
    for name, spelt in form.spellings.items():
        if isinstance(fields.get(name), str):
            fields[name] = spelt(fields[name])
    return fields


def _faults_of(
    fields: dict[str, Any], form: Form, split: str | None, faults_of: Callable[[Fields], Iterable[Fault]]
) -> Iterator[Fault]:
    """Return the error of a row, and convert its answer to the letter of the option."""
    if split is not None and fields["split"] != split:
        yield Fault("split", _("the split does not match the file"), split, fields["split"])
    answer = _answer_fault(fields, form) if "options" in form.types else None
    for problem in form.validator.problems(fields, 0):
        name = problem.pointer.removeprefix("/")
        if answer is None or name != "answer":
            value = _at(fields, problem.pointer)
            there = None if value is _ABSENT else value  # a message omits values that are None
            missing = value is _ABSENT or name in form.blank
            wrong = (
                _("the value does not match the schema")
                if there is not None
                else _("the value is missing")
                if missing
                else _("the value is null")
            )
            yield Fault(name, wrong, problem.expected, there)
    if answer is not None:
        yield answer
    yield from foreign_characters(fields)
    yield from faults_of(_stated(fields))


def _stated(fields: Fields) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _answer_fault(fields: dict[str, Any], form: Form) -> Fault | None:
    options = fields.get("options")
    if not isinstance(options, list) or fields.get("answer") is None:
        return None
    several = "enum" not in form.schema["properties"]["answer"]
    letter = letter_of(fields["answer"], options, several=several)
    if isinstance(letter, Fault):
        return letter
    fields["answer"] = letter
    return None


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


SPLIT = "test"


@dataclass(frozen=True)
class Reader:
    """How a config with one split reads a user's own file."""

    form: Form
    faults_of: Callable[[Fields], Iterable[Fault]]  # the errors of a row that the schema cannot detect
    identity: Callable[[Fields], str]  # the identity of a row
    repeated: Callable[[Row, Row], Fault]  # the error of a row with the identity of an earlier one
    record_of: Callable[..., Record]  # from the fields of a sound row, ``source`` and ``recipe``
    notes_of: Callable[[Sequence[Record]], Iterable[str]] = lambda _unused: ()

    def read(self, recipe: str, files: Mapping[str, SourceFile]) -> Built:
        """Read the files of a user; an invalid or duplicate row rejects them."""
        rows, faults = read_rows(files, self.form, self.faults_of)
        first: dict[str, Row] = {}
        for row in rows:
            earlier = first.setdefault(self.identity(row.fields), row)
            if earlier is not row:
                faults.add(row.file, row.line, self.repeated(row, earlier))
        faults.refuse()
        if not rows:
            file = next(iter(files.values())).path
            raise MedzhError(_("the file has no rows"), file=file, expected=_("rows of split {split}", split=SPLIT))
        records: list[Record] = []
        other_prompts = 0
        for row in rows:
            record = self.record_of(row.fields, source=row.source, recipe=recipe)
            other_prompts += row.fields.get("prompt", record["prompt"]) != record["prompt"]
            records.append(record)
        return Built({SPLIT: records}, notes=(*self.notes_of(records), *prompt_notes(other_prompts)))


def prompt_notes(number: int) -> tuple[str, ...]:
    """Note the number of rows with a prompt, which is not stored."""
    return (
        (
            _n(
                "{n:,} row has a prompt that differs from the default prompt. The prompt was discarded.",
                "{n:,} rows have a prompt that differs from the default prompt. These prompts were discarded.",
                number,
            ),
        )
        if number
        else ()
    )
