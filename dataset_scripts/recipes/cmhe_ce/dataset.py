"""CMHE-CE: what can be built of it, and how."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.recipe import Dataset, Recipe, ReviewForm, with_table
from dataset_scripts.recipes.cmhe_ce.mesh import MESH, PARAMETERS, SOURCES, from_mesh
from dataset_scripts.recipes.cmhe_ce.names import NAMES
from dataset_scripts.recipes.cmhe_ce.own_reader import MINI as SAMPLE
from dataset_scripts.recipes.cmhe_ce.own_reader import WHOLE, read_own
from dataset_scripts.recipes.cmhe_ce.records import check, order, table_1
from dataset_scripts.recipes.declaring import mini, reads
from dataset_scripts.recipes.open_sets import OPEN, RECORDS, open_set
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.configs.cmhe_ce.words import LETTERS
from medzh_score.files.package_files import package_file

MINI = Path(__file__).parents[2] / "mini" / "cmhe_ce" / "CMHE-CE.jsonl"
ITEMS = Path(__file__).with_name("open") / RECORDS
FORM = ReviewForm(
    key=itemgetter("upstream_key"),
    asked=("scope_note", "options"),
    shown=("concept", "concept_en", "aliases", "concept_class", "question", "scope_note", "options", "distances"),
    label=itemgetter("answer"),
    answers=tuple(LETTERS),
    topic=itemgetter("concept_class"),
)
BRING = (
    "CMHE-CE is a folder of a shared drive, in a form that is not documented: "
    "bring your file with --source FILE, in the columns of its schema"
)


DATASET = Dataset(
    config="cmhe_ce",
    schema=package_file("medzh_score", "schemas/cmhe_ce.schema.json"),
    card=package_file("dataset_scripts", "cards/cmhe_ce.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from a file that the user brought, for the form of the release is not documented",
            sources=(WHOLE,),
            make=with_table(table_1, reads(read_own, "official")),
            own=(WHOLE,),
            bring=BRING,
            requires_all=False,
        ),
        Recipe(
            name="mesh",
            summary="constructed by the procedure of the CMHE paper from MeSH and a table of Chinese names",
            sources=SOURCES,
            make=with_table(table_1, from_mesh),
            own=(NAMES, MESH),
            requires_all=False,
            parameters=PARAMETERS,
        ),
        open_set("cmhe_ce", "CMHE-CE", ITEMS, FORM, with_table(table_1, reads(read_own, OPEN))),
        mini("the form of CMHE-CE", SAMPLE, MINI, with_table(table_1, reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="concept_class",
    metadata=CardMetadata(
        availability="released",
        summary_zh="CMHE-CE 要求模型解释一个医学概念；遮盖解释中的名称后，由同一个模型据此从四个选项中选出该概念。",
        task_categories=("question-answering", "multiple-choice"),
        task_ids=("multiple-choice-qa",),
    ),
)
