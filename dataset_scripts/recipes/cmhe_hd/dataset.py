"""CMHE-HD: what can be built of it, and how."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.recipe import Dataset, Recipe, ReviewForm, with_table
from dataset_scripts.recipes.cmhe_hd.own_reader import MINI as SAMPLE
from dataset_scripts.recipes.cmhe_hd.own_reader import WHOLE, read_own
from dataset_scripts.recipes.cmhe_hd.records import check, order, table_1
from dataset_scripts.recipes.declaring import mini, reads
from dataset_scripts.recipes.open_sets import OPEN, RECORDS, open_set
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.configs.cmhe_hd.prompts import ANSWERS, gold
from medzh_score.files.package_files import package_file

MINI = Path(__file__).parents[2] / "mini" / "cmhe_hd" / "CMHE-HD.jsonl"
BY_FORM = "48.0 % of 400 answers"  # computed anew by a test
ITEMS = Path(__file__).with_name("open") / RECORDS
FORM = ReviewForm(
    key=itemgetter("upstream_key"),
    asked=("question", "response"),
    label=lambda item: gold(item["partition"]),
    answers=ANSWERS,
)
BRING = (
    "the form of the released files is documented nowhere: bring yours with --source FILE, in the columns of its schema"
)


DATASET = Dataset(
    config="cmhe_hd",
    schema=package_file("medzh_score", "schemas/cmhe_hd.schema.json"),
    card=package_file("dataset_scripts", "cards/cmhe_hd.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from a file that the user brought, for the form of CMHE's release is documented nowhere",
            sources=(WHOLE,),
            make=with_table(table_1, reads(read_own, "official")),
            own=(WHOLE,),
            bring=BRING,
            requires_all=False,
            annotated=("machine-generated", "expert-generated"),
            worded=("found", "machine-generated"),
        ),
        open_set(
            "cmhe_hd",
            "CMHE-HD",
            ITEMS,
            FORM,
            with_table(table_1, reads(read_own, OPEN)),
            (
                "Half of the answers are sound, half were changed in one place, which ones was drawn when all were "
                "written: who always says Yes has accuracy 50 %. The paper's partition generated has no counterpart."
            ),
            biases=(
                f"A linear classifier on character n-grams, trained on other topics, finds Yes or No in {BY_FORM}.",
            ),
        ),
        mini("the form of CMHE-HD", SAMPLE, MINI, with_table(table_1, reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="partition",
    metadata=CardMetadata(
        availability="released",
        summary_zh="CMHE-HD 给出一个患者的问题和一个医生的回答，问这个回答是否含有不实或误导的信息；“Yes” 表示有。",
        task_categories=("question-answering", "text-classification"),
        task_ids=("fact-checking",),
    ),
)
