"""CMHE-DD: what can be built of it, and how."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.recipe import Dataset, Recipe, ReviewForm, with_table
from dataset_scripts.recipes.cmhe_dd.own_reader import MINI as SAMPLE
from dataset_scripts.recipes.cmhe_dd.own_reader import WHOLE, read_own
from dataset_scripts.recipes.cmhe_dd.records import check, figure_6, order, table_1
from dataset_scripts.recipes.declaring import mini, reads
from dataset_scripts.recipes.open_sets import OPEN, RECORDS, open_set
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.files.package_files import package_file
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from dataset_scripts.recipe import Make

MINI = Path(__file__).parents[2] / "mini" / "cmhe_dd" / "CMHE-DD.jsonl"
ITEMS = Path(__file__).with_name("open") / RECORDS
FORM = ReviewForm(
    key=itemgetter("upstream_key"),
    asked=("description",),
    shown=("description", "diseases", "codes"),
    label=lambda item: " ".join(sorted(item["codes"])),
    same=lambda label, answer: _categories(label) == _categories(answer),
)


def _categories(codes: str) -> set[str]:
    return {category_of(code) for code in codes.split()}


BRING = (
    "CMHE-DD is a folder of a shared drive, in a form that is not documented: "
    "bring your file with --source FILE, in the columns of its schema"
)


def _with_tables(make: Make) -> Make:
    return with_table(table_1, with_table(figure_6, make))


DATASET = Dataset(
    config="cmhe_dd",
    schema=package_file("medzh_score", "schemas/cmhe_dd.schema.json"),
    card=package_file("dataset_scripts", "cards/cmhe_dd.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from a file that the user brought, for the form of the release is not documented",
            sources=(WHOLE,),
            make=_with_tables(reads(read_own, "official")),
            own=(WHOLE,),
            bring=BRING,
            requires_all=False,
        ),
        open_set("cmhe_dd", "CMHE-DD", ITEMS, FORM, _with_tables(reads(read_own, OPEN))),
        mini("the form of CMHE-DD", SAMPLE, MINI, _with_tables(reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="part",
    metadata=CardMetadata(
        availability="released",
        summary_zh="CMHE-DD 描述一位患者并要求给出诊断；诊断对应到 ICD-10 编码，在章、节、类目三级上与正确编码比较。",
        task_categories=("question-answering", "text-classification"),
        task_ids=("multi-label-classification", "closed-domain-qa"),
    ),
)
