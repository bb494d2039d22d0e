"""PeMeBench from a user's own file."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.inputs.user_file import SPLIT, Reader
from dataset_scripts.inputs.user_rows import Fault, Form, row_schema
from dataset_scripts.packaging.schema import read_schema
from dataset_scripts.recipe import BuildTable, CardMetadata, Dataset, Recipe, ReviewForm, with_table
from dataset_scripts.recipes.common import mini, reads
from dataset_scripts.recipes.open_sets import OPEN, RECORDS, beside, open_set
from dataset_scripts.recipes.pemebench.pediabench import ESSAY, read_pediabench
from dataset_scripts.recipes.pemebench.records import (
    CLASSES,
    check,
    content_id,
    entity_notes,
    is_wordless,
    order,
    record_of,
)
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.configs.pemebench.prompts import department_named, kind_named, task_named
from medzh_score.io.paths import package_file
from medzh_score.scoring.paper import load_paper
from medzh_score.text.fold import fold
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.inputs.user_rows import Row
    from dataset_scripts.recipe import Built, Record, SourceFile


WHOLE = "pemebench"
MINI_SOURCE = "pemebench-mini"
DERIVED = ("prompt",)
NAMES = {"department": department_named, "task": task_named, "kind": kind_named}


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read questions from a file of the user.

    Departments, tasks and kinds may have the other names that the paper prints, blanks around a text are left out, and
    so may be ``entities`` where nobody has extracted them.
    """
    schema = read_schema(package_file("medzh_score", "schemas/pemebench.schema.json"))
    form = Form(row_schema(schema, derived=DERIVED), dict.fromkeys(files, SPLIT), NAMES, beside=beside(recipe))
    return Reader(form, _faults_of, _identity, _repeated, record_of, entity_notes).read(recipe, files)


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    texts = [("question", fields["question"]), ("answer", fields["answer"])]
    texts += [("entities", entity) for entity in fields.get("entities") or ()]
    for name, text in texts:
        if is_wordless(text):
            yield Fault(name, _("the text contains no words"), _("text that contains words"), text)


def _identity(fields: Mapping[str, Any]) -> str:
    return content_id(fields["department"], fields["question"])


def _repeated(row: Row, first: Row) -> Fault:
    expected = _("each question of a department only once (first: {seen_from})", seen_from=first.seen_from(row))
    if fold(row.fields["answer"]) != fold(first.fields["answer"]):
        return Fault("answer", _("the same question has a different answer"), expected, row.fields["answer"])
    return Fault("question", _("the row repeats another row"), expected, row.fields["question"])


TITLE = "Characters of questions (Q) and answers (A): Table 1 of the paper and this build"
MEASURES = ("min", "max", "mean")
SIDES = {"q": "question", "a": "answer"}
BOTH_CLASSES = "all"


def table_1(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Measure the questions and answers of each class, with those of the paper.

    The paper does not print its own numbers of records. A cell is ``paper/here``, with ``-`` for a class without
    records. A character is a code point, blanks and punctuation included; means have one decimal.
    """
    paper = printed()
    records = [record for part in splits.values() for record in part]
    rows: list[tuple[str | int, ...]] = []
    for name in (*CLASSES, BOTH_CLASSES):
        members = [record for record in records if name in {record["department"], BOTH_CLASSES}]
        here = _measured(members)
        rows.append((name, len(members), *(f"{paper[name][key]}/{here[key]}" for key in here)))
    heads = [f"{measure} {side.upper()}, paper/here" for measure in MEASURES for side in SIDES]
    return BuildTable(TITLE, ("class", "records here", *heads), tuple(rows))


def printed() -> dict[str, dict[str, str]]:
    """Return the lengths of the paper, by class and for ``all``: ``min_q``, ``min_a``, … ``mean_a``."""
    (table,) = (table for table in load_paper("pemebench").tables if table.number == 1)
    rows = {department_named(str(row["class"])): row for row in table.rows}
    (rows[BOTH_CLASSES],) = (total.cells for total in table.footer)
    return {name: {key: str(row[key]) for key in _measured([])} for name, row in rows.items()}


def _measured(records: Sequence[Record]) -> dict[str, str]:
    lengths = {side: [len(record[field]) for record in records] for side, field in SIDES.items()}
    return {f"{measure}_{side}": _measure(measure, lengths[side]) for measure in MEASURES for side in SIDES}


def _measure(measure: str, lengths: Sequence[int]) -> str:
    if not lengths:
        return "-"
    if measure == "mean":
        return f"{sum(lengths) / len(lengths):.1f}"
    return str(min(lengths) if measure == "min" else max(lengths))


MINI = Path(__file__).parents[2] / "mini" / "pemebench" / "PeMeBench.jsonl"
ITEMS = Path(__file__).with_name("open") / RECORDS
FORM = ReviewForm(
    key=itemgetter("upstream_key"),
    asked=("question",),
    topic=itemgetter("department"),
)
BRING = _("use `--source FILE` to provide your file, with the columns of the schema; PeMeBench has not been released")


DATASET = Dataset(
    config="pemebench",
    schema=package_file("medzh_score", "schemas/pemebench.schema.json"),
    card=package_file("dataset_scripts", "cards/pemebench.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from a file that the user provided, because the authors have not released PeMeBench",
            sources=(WHOLE,),
            make=with_table(table_1, reads(read_own, "official")),
            own=(WHOLE,),
            bring=BRING,
            requires_all=False,
            annotated=("machine-generated", "expert-generated"),
            worded=("machine-generated",),
        ),
        Recipe(
            name="pediabench",
            summary="all open questions of PediaBench, another benchmark by the authors of PeMeBench",
            sources=(ESSAY,),
            make=read_pediabench,
        ),
        open_set("pemebench", "PeMeBench", ITEMS, FORM, with_table(table_1, reads(read_own, OPEN))),
        mini("the form of PeMeBench", MINI_SOURCE, MINI, with_table(table_1, reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="department",
    metadata=CardMetadata(
        availability="not released",
        summary_zh="PeMeBench 包含儿科开放式问题，将模型的回答与参考答案比较，并按科室、任务和提问方式统计。",
        task_categories=("question-answering",),
        task_ids=("closed-domain-qa",),
    ),
)
