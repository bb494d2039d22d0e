"""CARE-MI in the form of the authors' ``examples.tsv``: the twenty published rows, or a file like it."""

from __future__ import annotations

import csv
import re
from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.inputs.upstream import UTF_8, decoded_lines
from dataset_scripts.inputs.user_rows import DAMAGE
from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.care_mi.records import WHOLE, read_own, record_of, stopped
from medzh_score.io.tables import csv_reader
from medzh_score.text.fold import fold
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, pgettext

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import Record, SourceFile

EXAMPLES = "care-mi-examples"
RECIPE = "official"
COLUMNS = ("q-type", "source", "full-question", "answer", "answer-wrong", "evidence")
LABELS = {"bios": "BIOS", "cpubmed": "CPubMed", "medqa": "MEDQA", "mlecqa": "MLEC-QA"}
# The released code uses one method of wrong answers per type, which the file does not name.
METHODS = {"tf": "negation", "open": "replacement"}
ENDS = {"tf": "吗？", "open": "什么？"}
LARGEST_CELL = 1 << 20  # characters; six paragraphs have about 2,000
SHORTEST_HEAD = 2
TWICE = "rows that repeat another row"
OTHERWISE = "rows that repeat another's question and answer, with something else changed"
DAMAGED = "evidence paragraphs with lost characters"


def read_official(files: Mapping[str, SourceFile], _seed: int) -> Built:
    """Read CARE-MI from the published examples, or only from a file of the user."""
    if WHOLE not in files:
        return _read_table(files[EXAMPLES].path)
    own = files[WHOLE]
    built = _read_table(own.path) if _is_released(own.path) else read_own(RECIPE, {WHOLE: own})
    return Built(built.splits, built.notes, built.tables, left_out=(EXAMPLES,) if EXAMPLES in files else ())


def _is_released(path: Path) -> bool:
    """Return whether a file has the header of the released one."""
    try:
        head = next((line for line in decoded_lines(path) if line.strip(" \t\r\ufeff")), "")
    except MedzhError:  # not a text file: the reader of other formats reports the error
        return False
    return COLUMNS[0] in head


def _read_table(path: Path) -> Built:
    records: dict[str, Record] = {}
    dropped: Counter[str] = Counter()
    rows = 0
    for line, cells in _rows(path):
        rows += 1
        record, damaged = _record(path, line, cells)
        dropped[DAMAGED] += damaged
        first = records.setdefault(record["id"], record)
        if first is not record:
            same = {**first, "upstream_key": ""} == {**record, "upstream_key": ""}
            dropped[TWICE if same else OTHERWISE] += 1
    if not records:
        raise MedzhError(
            _("the file contains no questions"), file=path, expected=_("at least one row after the header")
        )
    return Built({"test": list(records.values())}, notes=tuple(_notes(dropped)), tables=(_table(rows, records),))


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    lines = (f"{line}\n" for line in decoded_lines(path, UTF_8))
    reader = csv_reader(lines, largest=LARGEST_CELL, separator="\t", strict=True)
    try:
        header = [cell.strip() for cell in next((row for row in reader if row), [])]
        _check_header(path, reader.line_num, header)
        start = reader.line_num + 1
        for row in reader:
            line, start = start, reader.line_num + 1
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(header):
                expected = _("{n_header} cells, as in the header", n_header=len(header))
                found = _("{n_head} cells", n_head=len(row))
                raise MedzhError(
                    _("the row and the header differ in the number of cells"),
                    file=path,
                    line=line,
                    expected=expected,
                    found=found,
                )
            yield line, {name: cell.strip() for name, cell in zip(header, row, strict=True)}
    except csv.Error as error:
        raise MedzhError(_("invalid table: {error}", error=error), file=path, line=reader.line_num) from error


def _check_header(path: Path, line: int, header: Sequence[str]) -> None:
    for name in COLUMNS:
        if list(header).count(name) != 1:
            problem = _("duplicate column") if name in header else _("a column is missing")
            expected, found = ", ".join(COLUMNS), ", ".join(header)
            advice = _("separate the columns with tabs")
            place = max(line, 1)  # an empty file has no line
            raise MedzhError(problem, file=path, line=place, field=name, expected=expected, found=found, advice=advice)


def _record(path: Path, line: int, cells: Mapping[str, str]) -> tuple[Record, int]:
    for name in COLUMNS[:-1]:
        if not cells[name] or DAMAGE.search(cells[name]):
            problem = _("the text contains an invalid character") if cells[name] else _("the cell is empty")
            raise MedzhError(problem, file=path, line=line, field=name, expected=_("a string"), found=cells[name])
    kind = cells["q-type"].lower()
    if kind not in METHODS:
        expected = ", ".join(METHODS)
        raise MedzhError(
            _("unknown question type"), file=path, line=line, field="q-type", expected=expected, found=kind
        )
    label = LABELS.get(cells["source"].lower().replace("-", "").replace("_", ""))
    if label is None:
        expected, found = ", ".join(LABELS), cells["source"]
        raise MedzhError(_("unknown source"), file=path, line=line, field="source", expected=expected, found=found)
    evidence = read_texts(cells["evidence"])
    if evidence is None:
        expected, found = _("a list of strings in Python notation: ['…', '…']"), cells["evidence"]
        raise MedzhError(_("wrong type"), file=path, line=line, field="evidence", expected=expected, found=found)
    sound = [text for text in evidence if text.strip() and not DAMAGE.search(text)]
    true, true_changed = stopped(cells["answer"])
    false, false_changed = stopped(cells["answer-wrong"])
    if fold(true) == fold(false):
        expected, found = _('a statement that differs from the field "answer"'), cells["answer-wrong"]
        raise MedzhError(
            _('the wrong answer is equal to the field "answer"'),
            file=path,
            line=line,
            field="answer-wrong",
            expected=expected,
            found=found,
        )
    context = context_of(cells["full-question"], true, kind)
    rules = {
        "final-stop-true": true_changed,
        "final-stop-false": false_changed,
        "context-from-question": bool(context),
        "context-unknown": context is None,
    }
    fields = {
        "question": cells["full-question"],
        "type": kind,
        "source": label,
        "context": context or "",
        "true_statement": true,
        "false_statement": false,
        "false_method": METHODS[kind],
        "evidence": sound,
        "rules": [rule for rule, matches in rules.items() if matches],
    }
    return record_of(fields, recipe=RECIPE), len(evidence) - len(sound)


def context_of(question: str, statement: str, kind: str) -> str | None:
    """Find the case before a question, which the released form does not set apart.

    "" where there is no case; None where the question does not end as the statement (``tf``) or its beginning
    (``open``).

    >>> context_of("经产妇，30岁。最可能的诊断是什么？", "最可能的诊断是子宫破裂。", "open")
    '经产妇，30岁。'
    """
    body, bare = question.removesuffix(ENDS[kind]), statement.rstrip("。")
    shortest = len(bare) if kind == "tf" else SHORTEST_HEAD
    for length in range(min(len(bare), len(body)), shortest - 1, -1):
        if body.endswith(bare[:length]):
            return body[: len(body) - length]
    return None


def _notes(dropped: Counter[str]) -> Iterator[str]:
    for reason in (TWICE, OTHERWISE, DAMAGED):
        if dropped[reason]:
            yield _(
                "{dropped:,} {reason} were excluded.",
                dropped=dropped[reason],
                reason=pgettext("left out of files", reason),
            )
    yield _(
        "The method that created each false statement is derived from the question type, as in the "
        "released code that assembles the data."
    )


def _table(rows: int, records: Mapping[str, Record]) -> BuildTable:
    matches = Counter(rule for record in records.values() for rule in record["rules"])
    paragraphs = [len(record["evidence"]) for record in records.values()]
    return BuildTable(
        title="Contents of the file",
        columns=("what", "number"),
        rows=(
            ("rows", rows),
            ("questions kept", len(records)),
            ("paragraphs of evidence", sum(paragraphs)),
            ("different paragraphs", len({text for record in records.values() for text in record["evidence"]})),
            ("paragraphs per question", f"{min(paragraphs)}-{max(paragraphs)}"),
            *((f"rule {rule}", count) for rule, count in sorted(matches.items())),
        ),
    )


TEXT = re.compile(r"""'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)\"""")
BETWEEN = re.compile(r"\s*,\s*")
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
PLAIN = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
LAST = 0x10FFFF
HALVES = range(0xD800, 0xE000)  # surrogates, which are not valid alone


def read_texts(written: str) -> list[str] | None:
    r"""Read a list of quoted texts in brackets, with Python's escapes; None where it is anything else.

    >>> read_texts("['一', \"二\\xa0三\"]"), read_texts("[1]"), read_texts("[]")
    (['一', '二\xa0三'], None, [])
    """
    inside = written.strip()
    if len(inside) < len("[]") or not (inside.startswith("[") and inside.endswith("]")):
        return None
    inside = inside[1:-1].strip()
    texts: list[str] = []
    place = 0
    while place < len(inside):
        if texts:
            comma = BETWEEN.match(inside, place)
            if comma is None:
                return None
            place = comma.end()
        found = TEXT.match(inside, place)
        text = None if found is None else _meant(found[1] if found[1] is not None else found[2])
        if found is None or text is None:
            return None
        texts.append(text)
        place = found.end()
    return texts


def _meant(quoted: str) -> str | None:
    if "\\" not in quoted:
        return quoted
    parts: list[str] = []
    place = 0
    for escape in ESCAPE.finditer(quoted):
        digits = escape[1] or escape[2] or escape[3]
        number = int(digits, 16) if digits else 0
        character = PLAIN.get(escape[4] or "", "") if not digits else ""
        if digits and number <= LAST and number not in HALVES:
            character = chr(number)
        if not character:
            return None
        parts += [quoted[place : escape.start()], character]
        place = escape.end()
    return "".join([*parts, quoted[place:]])
