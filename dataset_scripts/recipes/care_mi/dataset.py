"""CARE-MI: what can be built of it, and how."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.recipe import Dataset, Recipe, with_table
from dataset_scripts.recipes.care_mi.cues import cue_table
from dataset_scripts.recipes.care_mi.official import EXAMPLES, read_official
from dataset_scripts.recipes.care_mi.own_reader import MINI as SAMPLE
from dataset_scripts.recipes.care_mi.own_reader import WHOLE, read_own
from dataset_scripts.recipes.care_mi.records import check, order, table_3
from dataset_scripts.recipes.declaring import mini, reads
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.files.package_files import package_file

if TYPE_CHECKING:
    from dataset_scripts.recipe import Make

MINI = Path(__file__).parents[2] / "mini" / "care_mi" / "CARE-MI.jsonl"


def _with_tables(make: Make) -> Make:
    return with_table(table_3, with_table(cue_table, make))


DATASET = Dataset(
    config="care_mi",
    schema=package_file("medzh_score", "schemas/care_mi.schema.json"),
    card=package_file("dataset_scripts", "cards/care_mi.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from the form of the authors' published examples; the full 1,612 are not public",
            sources=(EXAMPLES, WHOLE),
            make=_with_tables(read_official),
            own=(WHOLE,),
            requires_all=False,
            annotated=("machine-generated", "expert-generated"),
            worded=("found", "machine-generated"),
        ),
        mini("the form of CARE-MI", SAMPLE, MINI, _with_tables(reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="source",
    metadata=CardMetadata(
        availability="not released",
        summary_zh=(
            "CARE-MI 提出母婴照护方面的长回答问题，考察模型的回答中有多少不实信息；每题附有真、假陈述"
            "和检索到的证据，供评判者使用。"
        ),
        task_categories=("question-answering",),
        task_ids=("closed-domain-qa",),
    ),
)
