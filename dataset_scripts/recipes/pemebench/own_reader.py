"""PeMeBench from a user's own file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.open_sets import beside
from dataset_scripts.recipes.pemebench.records import content_id, entity_notes, is_wordless, record_of
from dataset_scripts.user_files.one_split import SPLIT, Reader
from dataset_scripts.user_files.rows import Fault, Form, row_schema
from medzh_score.configs.pemebench.prompts import department_named, kind_named, task_named
from medzh_score.files.package_files import package_file
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dataset_scripts.recipe import Built, Record, SourceFile
    from dataset_scripts.user_files.rows import Row

WHOLE = "pemebench"
MINI = "pemebench-mini"
DERIVED = ("prompt",)
NAMES = {"department": department_named, "task": task_named, "kind": kind_named}
PARTS = ("question", "answer", "department", "task", "kind")


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read questions from a user's own file.

    Departments, tasks and kinds may have the other names that the paper prints, blanks around a text are left out, and
    so may be ``entities`` where nobody has extracted them.
    """
    schema = read_schema(package_file("medzh_score", "schemas/pemebench.schema.json"))
    form = Form(row_schema(schema, derived=DERIVED), dict.fromkeys(files, SPLIT), NAMES, beside=beside(recipe))
    return Reader(form, schema, _faults_of, _identity, _repeated, _record, entity_notes).read(recipe, files)


def _record(row: Row, recipe: str) -> Record:
    fields = row.fields
    return record_of(
        **{name: fields[name].strip() for name in PARTS},
        entities=None if (listed := fields.get("entities")) is None else [entity.strip() for entity in listed],
        source=row.source,
        recipe=recipe,
        upstream_key=fields.get("upstream_key", ""),
    )


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    texts = [("question", fields["question"]), ("answer", fields["answer"])]
    texts += [("entities", entity) for entity in fields.get("entities") or ()]
    for name, text in texts:
        if is_wordless(text):
            yield Fault(name, "holds no word", "a text that can be read", text)


def _identity(fields: Mapping[str, Any]) -> str:
    return content_id(fields["department"], fields["question"])


def _repeated(row: Row, first: Row) -> Fault:
    expected = f"each question of a department once, and {first.seen_from(row)} has it"
    if fold(row.fields["answer"]) != fold(first.fields["answer"]):
        return Fault("answer", "an equal question has another answer", expected, row.fields["answer"])
    return Fault("question", "repeats another row", expected, row.fields["question"])
