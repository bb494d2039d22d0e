"""CMHE-DD from a user's own file: in the interchange form, or in another one with a mapping file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.mapping.importing import Importer, one_split
from dataset_scripts.mapping.interchange import Fault, Form, faults_in, row_schema
from dataset_scripts.mapping.sifting import damage_in
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.cmhe_dd.records import content_id, record_of, wrong_code
from medzh_score.package_files import package_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.mapping.interchange import Row
    from dataset_scripts.recipe import Built, Record, SourceFile

WHOLE = "cmhe-dd"
MINI = "cmhe-dd-mini"
MAPPING = "cmhe-dd-mapping"
SPLIT = "test"  # the paper has no other
DERIVED = ("prompt", "answer", "diseases")
ADVICE = "give a file of cases with --source FILE"
PARTS = {
    "chat": "chat",
    "diagnose-chat": "chat",
    "kamed": "chat",
    "exam": "exam",
    "diagnose-exam": "exam",
    "medqa": "exam",
}


def part_named(text: str) -> str:
    """Give our word for a part of CMHE-DD.

    Parameters
    ----------
    text : str
        As a file names it: after the part or after its source.

    Examples
    --------
    >>> part_named("Diagnose-Chat"), part_named("other")
    ('chat', 'other')
    """
    return PARTS.get(text.strip().lower(), text)


def form() -> Form:
    """Give CMHE-DD's interchange form.

    Returns
    -------
    Form
        Of a row are required ``description``, ``codes``, written in any way, and ``part``; ``diseases`` may be left
        out where only codes are known.
    """
    schema = read_schema(package_file("medzh_score", "schemas/cmhe_dd.schema.json"))
    codes = {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}}
    loose = {**schema, "properties": {**schema["properties"], "codes": codes}}
    return Form(row_schema(loose, derived=DERIVED, free=(), splits=(SPLIT,)), {WHOLE: SPLIT, MINI: SPLIT})


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read cases from a user's own file.

    In the interchange form nothing is left out: a line with a fault is refused. With a mapping file, what cannot
    become a record is left out, and counted by reason.

    Parameters
    ----------
    recipe : str
        The name of the recipe that reads them.
    files : mapping of str to SourceFile
        The file, and ``cmhe-dd-mapping``, if there is one.

    Returns
    -------
    Built
        The split ``test``; notes and tables on what was not taken.

    Raises
    ------
    MedzhError
        With file, line and field: if a file is not what it should be, a code is none of ICD-10, or no case is left.
    """
    shape = form()

    def sifted(rows: Sequence[Row], faults: Sequence[Fault]) -> tuple[list[Row], list[Fault]]:
        return sift(rows, faults, shape)

    importer = Importer(shape, {"part": part_named}, sifted, ADVICE, aliases=True)
    return one_split(importer, files, mapping=MAPPING, split=SPLIT, make=lambda row: _record(row, recipe))


def sift(rows: Sequence[Row], faults: Sequence[Fault], shape: Form) -> tuple[list[Row], list[Fault]]:
    """Separate rows that can stand in one data set from those that cannot.

    Parameters
    ----------
    rows : sequence of Row
        All rows. Of equal descriptions the first is kept.
    faults : sequence of Fault
        What is known to be wrong with some of them.
    shape : Form
        The interchange form.

    Returns
    -------
    tuple of (list of Row, list of Fault)
        Those that can, in order, and one fault of each that cannot.
    """
    wrong = {id(fault.row): fault for fault in faults}
    sound = [row for row in rows if id(row) not in wrong]
    wrong |= {id(fault.row): fault for fault in faults_in(sound, shape)}
    first: dict[str, Row] = {}
    for row in sound:
        if id(row) in wrong:
            continue
        found = next(_of_one(row), None) or _repeated(row, first.setdefault(content_id(row.fields["description"]), row))
        if found:
            wrong[id(row)] = found
    kept = [row for row in rows if id(row) not in wrong]
    return kept, [wrong[id(row)] for row in rows if id(row) in wrong]


def _record(row: Row, recipe: str) -> Record:
    fields = row.fields
    return record_of(
        description=fields["description"],
        codes=fields["codes"],
        diseases=fields.get("diseases", ()),
        part=fields["part"],
        source=row.source,
        recipe=recipe,
        upstream_key=fields.get("upstream_key", ""),
    )


def _of_one(row: Row) -> Iterator[Fault]:
    fields = row.fields
    diseases = fields.get("diseases", ())
    for code in fields["codes"]:
        if wrong_code(code):
            yield Fault(row, "codes", "is no code of ICD-10", "a code whose category ICD-10 has, such as J30.4", code)
    if diseases and len(diseases) != len(fields["codes"]):
        expected = f"one name a code, {len(fields['codes'])}"
        yield Fault(row, "diseases", "are not as many as the codes", expected, len(diseases))
    yield from damage_in(row, [("description", fields["description"]), *(("diseases", name) for name in diseases)])


def _repeated(row: Row, first: Row) -> Fault | None:
    if first is row:
        return None
    expected = f"each description once, and {first.seen_from(row)} has it"
    return Fault(row, "description", "repeats another row", expected, row.fields["description"])
