"""PeMeBench from a user's own file: in the interchange form, or in another one with a mapping file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dataset_scripts.mapping.importing import Importer, one_split
from dataset_scripts.mapping.interchange import Fault, Form, row_schema
from dataset_scripts.mapping.sifting import Duplicates, damage_in, sift_rows
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.pemebench.records import content_id, entity_notes, is_wordless, record_of
from medzh_score.configs.pemebench.words import department_named, kind_named, task_named
from medzh_score.files.package_files import package_file
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dataset_scripts.mapping.interchange import Row
    from dataset_scripts.recipe import Built, Record, SourceFile

WHOLE = "pemebench"
MINI = "pemebench-mini"
MAPPING = "pemebench-mapping"
SPLIT = "test"  # the paper has no other
DERIVED = ("prompt",)
NAMES = {"department": department_named, "task": task_named, "kind": kind_named}
ADVICE = "give a file of questions with --source FILE"
PARTS = ("question", "answer", "department", "task", "kind")


def form() -> Form:
    """Give PeMeBench's interchange form; ``entities`` may be left out where nobody has extracted them."""
    schema = read_schema(package_file("medzh_score", "schemas/pemebench.schema.json"))
    return Form(row_schema(schema, derived=DERIVED, free=(), splits=(SPLIT,)), {WHOLE: SPLIT, MINI: SPLIT})


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read questions from a user's own file.

    Departments, tasks and kinds may have the other names that the paper prints, and blanks around a text are left out.
    """
    shape = form()
    sift = partial(sift_rows, shape=shape, faults_of=_of_one, duplicates=Duplicates(_identity, _repeated))
    importer = Importer(shape, NAMES, sift, ADVICE, aliases=True)
    return one_split(
        importer, files, mapping=MAPPING, split=SPLIT, make=lambda row: _record(row, recipe), notes_of=entity_notes
    )


def _record(row: Row, recipe: str) -> Record:
    fields = row.fields
    return record_of(
        **{name: fields[name].strip() for name in PARTS},
        entities=None if (listed := fields.get("entities")) is None else [entity.strip() for entity in listed],
        source=row.source,
        recipe=recipe,
        upstream_key=fields.get("upstream_key", ""),
    )


def _of_one(row: Row) -> Iterator[Fault]:
    fields = row.fields
    texts = [("question", fields["question"]), ("answer", fields["answer"])]
    texts += [("entities", entity) for entity in fields.get("entities") or ()]
    yield from damage_in(row, texts)
    for name, text in texts:
        if is_wordless(text):
            yield Fault(row, name, "holds no word", "a text that can be read", text)


def _identity(row: Row) -> str:
    return content_id(row.fields["department"], row.fields["question"])


def _repeated(row: Row, first: Row) -> Fault:
    expected = f"each question of a department once, and {first.seen_from(row)} has it"
    if fold(row.fields["answer"]) != fold(first.fields["answer"]):
        return Fault(row, "answer", "an equal question has another answer", expected, row.fields["answer"])
    return Fault(row, "question", "repeats another row", expected, row.fields["question"])
