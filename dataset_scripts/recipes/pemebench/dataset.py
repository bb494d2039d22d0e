"""PeMeBench: what can be built of it, and how."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.recipe import Dataset, Recipe, ReviewForm, with_table
from dataset_scripts.recipes.declaring import mini, reads
from dataset_scripts.recipes.open_sets import OPEN, RECORDS, open_set
from dataset_scripts.recipes.pemebench.own_reader import MINI as SAMPLE
from dataset_scripts.recipes.pemebench.own_reader import WHOLE, read_own
from dataset_scripts.recipes.pemebench.pediabench import ESSAY, read_pediabench
from dataset_scripts.recipes.pemebench.records import check, order
from dataset_scripts.recipes.pemebench.table_1 import table_1
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.files.package_files import package_file

MINI = Path(__file__).parents[2] / "mini" / "pemebench" / "PeMeBench.jsonl"
ITEMS = Path(__file__).with_name("open") / RECORDS
FORM = ReviewForm(
    key=itemgetter("upstream_key"),
    asked=("question",),
    shown=("question", "answer", "entities"),
    topic=itemgetter("department"),
)
BRING = "PeMeBench has not been released: bring your file with --source FILE, in the columns of its schema"


DATASET = Dataset(
    config="pemebench",
    schema=package_file("medzh_score", "schemas/pemebench.schema.json"),
    card=package_file("dataset_scripts", "cards/pemebench.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from a file that the user brought, for the authors of PeMeBench have not released it",
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
        mini("the form of PeMeBench", SAMPLE, MINI, with_table(table_1, reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="department",
    metadata=CardMetadata(
        availability="not released",
        summary_zh="PeMeBench 提出儿科开放式问题，把模型的回答与参考答案相比，分科室、任务和提问方式统计。",
        task_categories=("question-answering",),
        task_ids=("closed-domain-qa",),
    ),
)
