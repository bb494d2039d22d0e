"""The rows of files of labels: sheets that people filled in, and the responses of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from unicodedata import normalize

from medzh_score.benchmark.stages import COLUMN, UNNAMED, Between, Labels, Source, expected
from medzh_score.extraction.whole_text import answer_text
from medzh_score.io.open_input import InputFile
from medzh_score.io.tables import number_in, read_rows
from medzh_score.prompting.ids import (
    CODE,
    MARK,
    NO_VARIANTS,
    AnswerKey,
    judged_item_of,
    split_judged_id,
)
from medzh_score.readers.detect import find_reader, head_of
from medzh_score.stages.binding import TaskRef
from medzh_score.ui.errors import NAMED, MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.progress import defer_note, display_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.stages import Allowed, Stage
    from medzh_score.io.open_input import Input
    from medzh_score.prompting.positions import SentOrder

UNREADABLE, EMPTY, FAILED, BLANK = "unreadable", "empty", _("failed"), "blank"


@dataclass(frozen=True, slots=True)
class Label(TaskRef):
    """A row of a sheet, or a response.

    Its run says nothing where a code stands in the place of the run. ``said`` is what a person filled in, None where
    the text is still to be read; ``lacks`` is why there is no value before anything is read.
    """

    source: Source
    text: str = ""
    said: Labels | None = None
    lacks: str = ""


LabelFile = tuple[list[Label], "Input"]


def read_label_files(
    stage: Stage, paths: Sequence[Path], order: SentOrder, annotator: str | None = None
) -> list[LabelFile]:
    """Read the rows of each file, and what it was read as."""
    files = []
    for path in paths:
        with InputFile(path) as file:
            sheet = stage.model is None or _is_filled_sheet(file, stage)
            labels = [*(_filled_rows(file, stage, annotator) if sheet else _responses(file, stage, order))]
            for label in labels if stage.keyed == "item" else ():
                _check_source(label, stage)
            files.append((labels, file.read_as(stage.name)))
    return files


def _is_filled_sheet(file: InputFile, stage: Stage) -> bool:
    """Look at the head: JSON is responses, and so is a sheet of predictions without the columns of the stage."""
    head = head_of(file)
    return head.form == "table" and (not head.has("prediction") or head.has(*stage.values))


def _filled_rows(file: InputFile, stage: Stage, annotator: str | None) -> Iterator[Label]:
    path = file.path
    for number, cells in read_rows(file, ("id", *stage.values)):
        if not any(cells[name] for name in stage.values) and not _names_task(cells):
            defer_note(
                _(
                    "{display_name}:{number}: skipped because it has no id",
                    display_name=display_name(path),
                    number=number,
                )
            )
            continue  # a signature, or a remark
        source = Source(cells.get("annotator") or annotator or UNNAMED, "person")
        if stage.keyed == "prediction":
            key, code = split_judged_id(cells["id"], path, number)
            text = cells[COLUMN]
            yield Label(path, number, key, code, source, text, lacks="" if text.strip() else BLANK)
            continue
        key, code = judged_item_of(cells["id"], cells.get(CODE) or "", path, number)
        run = number_in(cells, "run", path, number)
        if not code and CODE in cells and not cells.get("run"):
            # A code that was deleted is not run 0.
            problem, wanted = (
                _("the answer hash is blank, and no run is specified"),
                _("the unchanged id and answer hash"),
            )
            raise MedzhError(problem, file=path, line=number, field=CODE, expected=wanted)
        if MARK in cells["id"] and cells.get("run") and run != key.run:
            raise _several_in(path, number, cells["id"])
        said = filled(cells, stage.values, path, number)
        key = AnswerKey(key.id, key.run or run)
        yield Label(path, number, key, code, source, said=said, lacks="" if said else BLANK)


def _names_task(cells: Mapping[str, str]) -> bool:
    """Whether a row says which task it is of: by an id with its answer hash, or next to one."""
    return MARK in cells["id"] or bool(cells["id"] and (CODE not in cells or cells[CODE] or cells.get("run")))


def _responses(file: InputFile, stage: Stage, order: SentOrder) -> Iterator[Label]:
    path, before = file.path, 0
    for number, response in find_reader(file, None).read(file, order):
        if stage.keyed == "prediction":
            key, code = split_judged_id(response.id, path, number)
            several = number == before or response.run or response.variant
        else:
            if number == before:
                # Numbered as runs, as the choices of a model's answers are, they would judge other answers.
                problem = _("the response contains several choices")
                raise MedzhError(problem, file=path, line=number, field="choices", expected=_("one per request"))
            if response.variant:
                found = response.variant
                raise MedzhError(NO_VARIANTS, file=path, line=number, field="variant", expected="0", found=found)
            key, code = judged_item_of(response.id, "", path, number)
            several = bool(code) and response.run
            key = AnswerKey(key.id, key.run or response.run)
        if several:
            raise _several_in(path, number, response.id)
        before, text = number, answer_text(response.prediction)
        lacks = FAILED if response.error is not None else "" if text.strip() else EMPTY
        yield Label(path, number, key, code, Source(response.model or UNNAMED, "model"), text, lacks=lacks)


def _several_in(path: Path, number: int, found: str) -> MedzhError:
    problem = _("the response contains several choices, or a run or variant in addition to those of its id")
    return MedzhError(problem, file=path, line=number, field="id", expected=_("one response per prompt"), found=found)


def _check_source(label: Label, stage: Stage) -> None:
    if label.lacks == FAILED or (stage.many and label.lacks == BLANK):
        return  # a second try, or a person who has not come so far, names both
    if stage.about == "records" and label.key.run:
        problem = _("stage {stage_name} is about records and has no runs", stage_name=stage.name)
        raise label.row_error(problem, "run", expected=_("0 or no value"), found=label.key.run)
    if stage.many and label.source.name == UNNAMED:
        problem = _(
            "the annotator is missing, and stage {stage_name} compares several annotators", stage_name=stage.name
        )
        raise label.row_error(
            problem,
            "annotator",
            expected=_("a name in the column annotator of a sheet, or in the field model of a response"),
        )


# What spreadsheets and people write in a column of yes and no.
YES_NO = {"是": "yes", "true": "yes", "1": "yes", "y": "yes", "否": "no", "false": "no", "0": "no", "n": "no"}


def filled(row: Mapping[str, str], values: Mapping[str, Allowed], path: Path, number: int) -> dict[str, str]:
    """Take the value of each column as a person filled it in; empty where all are blank.

    Case does not matter to the values that a column may hold, and 是, true, 1 and y are a yes, 否, false, 0 and n a no,
    unless they are values themselves. Numbers stand in their shortest form.
    """
    found: dict[str, str] = {}
    for column, allowed in values.items():
        value = _value(row.get(column, ""), allowed)
        if value is None:
            problem, wrong = _("invalid value for this column"), row[column]
            wanted = expected(allowed)
            raise MedzhError(problem, file=path, line=number, field=column, expected=wanted, found=wrong)
        found[column] = value
    if not any(found.values()):
        return {}
    for column, allowed in values.items():
        if not found[column]:
            problem = _("the cell is blank, but other cells of the row are filled in")
            raise MedzhError(problem, file=path, line=number, field=column, expected=expected(allowed))
    return found


def _value(written: str, allowed: Allowed) -> str | None:
    """Give what a cell says in the words of its column; None where it is none of them."""
    if isinstance(allowed, Between):
        return allowed.read(written) if written else ""
    if not allowed or not written or written in allowed:
        return written
    plain = normalize("NFKC", written).strip().lower()
    known = {value.lower(): value for value in allowed}
    return known.get(plain) or known.get(YES_NO.get(plain, ""))


def list_blank_rows(labels: Sequence[Label]) -> None:
    """Note which rows of a sheet are blank."""
    blank = [label.number for label in labels if label.lacks == BLANK]
    if not blank:
        return
    rows = ", ".join(map(str, blank[:NAMED]))
    values = {"display_name": display_name(labels[0].path), "rows": rows, "n": len(blank) - NAMED}
    if len(blank) > NAMED:
        defer_note(_("{display_name}: blank rows: {rows} and {n} more", **values))
    else:
        defer_note(_("{display_name}: blank rows: {rows}", **values))
