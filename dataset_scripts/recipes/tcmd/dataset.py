"""TCMD: what can be built of it, and how."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.recipe import Dataset, Recipe, with_table
from dataset_scripts.recipes.declaring import mini, reads
from dataset_scripts.recipes.tcmd.checks import check
from dataset_scripts.recipes.tcmd.mtcmb import CITATION, LICENCES, LIMITS, PARAMETERS, RECORDS, SOURCE, read_open
from dataset_scripts.recipes.tcmd.own_reader import SOURCES as BROUGHT
from dataset_scripts.recipes.tcmd.own_reader import read_own
from dataset_scripts.recipes.tcmd.table_1 import table_1
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.configs.tcmd.exam import REALMS, TYPES
from medzh_score.files.package_files import package_file

if TYPE_CHECKING:
    from dataset_scripts.recipe import Record

MINI = Path(__file__).parents[2] / "mini" / "tcmd" / "TCMD.jsonl"
BRING = "TCMD has not been released: bring your file with --source FILE, in the columns of its schema"
SUBJECTS = [subject.name for realm in REALMS for subject in realm.subjects]


def order(record: Record) -> tuple[Any, ...]:
    """Say where a record stands in its split: by subject and type as in Table 1, by group, by position."""
    return SUBJECTS.index(record["subject"]), TYPES.index(record["type"]), record["group_id"], record["position"]


DATASET = Dataset(
    config="tcmd",
    schema=package_file("medzh_score", "schemas/tcmd.schema.json"),
    card=package_file("dataset_scripts", "cards/tcmd.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from a file that the user brought, for the authors of TCMD have not released it",
            sources=BROUGHT,
            make=with_table(table_1, reads(read_own, "official")),
            own=BROUGHT,
            bring=BRING,
            requires_all=False,
            limits=(
                (
                    "It comes from a file that its user brought. Nothing shows that the file is TCMD: the authors "
                    "released none to compare it with. Counts that differ from Table 1 say that it is not the paper's."
                ),
            ),
            annotated=("found",),
            worded=("found",),
        ),
        Recipe(
            name="open",
            summary="an open counterpart of TCMD, made of questions of MTCMB",
            sources=(SOURCE,),
            make=with_table(table_1, read_open),
            embedded={SOURCE: RECORDS},
            embedded_licence=LICENCES,
            embedded_citation=CITATION,
            parameters=PARAMETERS,
            limits=LIMITS,
            annotated=("found",),
            worded=("found",),
        ),
        mini("the form of TCMD", "tcmd-mini", MINI, with_table(table_1, reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="realm",
    metadata=CardMetadata(
        availability="not released",
        summary_zh="TCMD 收录中医执业医师资格考试题，每题二至五个选项，只有一个正确答案，分属五个领域的 18 个科目。",
        task_categories=("question-answering", "multiple-choice"),
        task_ids=("multiple-choice-qa",),
    ),
)
