"""CMHE-CE from a user's own file."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.inputs.user_file import SPLIT, Reader
from dataset_scripts.inputs.user_rows import Fault, Form, row_schema
from dataset_scripts.packaging.schema import read_schema
from dataset_scripts.recipe import CardMetadata, Dataset, Recipe, ReviewForm, with_table
from dataset_scripts.recipes.cmhe_ce.concepts import NAMES
from dataset_scripts.recipes.cmhe_ce.mesh import MESH, PARAMETERS, SOURCES, from_mesh
from dataset_scripts.recipes.cmhe_ce.records import check, concept_id_of, contradictions, order, record_of, table_1
from dataset_scripts.recipes.common import mini, reads
from dataset_scripts.recipes.open_sets import OPEN, RECORDS, beside, open_set
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.configs.cmhe_ce.prompts import LETTERS
from medzh_score.io.paths import package_file
from medzh_score.text.fold import fold
from medzh_score.ui.i18n import _, _n

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.inputs.user_rows import Row
    from dataset_scripts.recipe import Built, Record, SourceFile


WHOLE = "cmhe_ce"
MINI_SOURCE = "cmhe_ce-mini"
DERIVED = ("concept_id", "concept_en", "aliases", "options_mode", "tree_numbers", "scope_note", "prompt")
_CLASSES = {
    "medicine": ("drug", "药物", "药品"),
    "disease": ("diseases", "疾病"),
    "test": ("medical test", "checkup", "医学检查", "检查"),
}
_ASPECTS = {
    "cause": ("causes", "病因"),
    "symptom": ("symptoms", "症状"),
    "treatment": ("treatments", "治疗"),
    "screening": ("screening methods", "筛查"),
    "pharmacokinetics": ("药代动力学",),
    "indication": ("indications", "适应症"),
    "side effect": ("side effects", "副作用"),
    "interaction": ("interactions", "相互作用"),
    "procedure": ("操作过程",),
    "screened disease": ("screened diseases", "筛查的疾病"),
}


def class_named(text: str) -> str:
    """Return the name of a class; an unknown text is unchanged.

    >>> class_named("Checkup"), class_named("other")
    ('test', 'other')
    """
    return _named(text, _CLASSES)


def aspect_named(text: str) -> str:
    """Return the name of an aspect; an unknown text is unchanged.

    >>> aspect_named("副作用"), aspect_named("Cause")
    ('side effect', 'cause')
    """
    return _named(text, _ASPECTS)


def _named(text: str, known: Mapping[str, tuple[str, ...]]) -> str:
    plain = text.strip().lower()
    return next((name for name, others in known.items() if plain == name or plain in others), text)


VALUE_NAMES = {"concept_class": class_named, "aspect": aspect_named}


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read questions from a user's own file, in which classes and aspects may have Chinese names."""
    schema = read_schema(package_file("medzh_score", "schemas/cmhe_ce.schema.json"))
    form = Form(row_schema(schema, derived=DERIVED), dict.fromkeys(files, SPLIT), VALUE_NAMES, beside=beside(recipe))
    return Reader(form, _faults_of, _identity, _repeated, record_of, _notes).read(recipe, files)


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    for name, problem in contradictions(fields):
        yield Fault(name, problem, found=fields.get(name))


def _identity(fields: Mapping[str, Any]) -> str:
    concept = fields.get("concept_id") or concept_id_of(fields["concept"])
    return f"{concept}:{fold(fields['question'])}"


def _repeated(row: Row, first: Row) -> Fault:
    expected = _("each question on a concept only once (first: {seen_from})", seen_from=first.seen_from(row))
    return Fault("question", _("the row repeats another row"), expected, row.fields["question"])


def _notes(records: Sequence[Record]) -> Iterator[str]:
    bare = sum(not record["aliases"] and not record["concept_en"] for record in records)
    if bare:
        yield _n(
            "{n:,} question has no alias and no English name: only the Chinese name can be masked",
            "{n:,} questions have no alias and no English name: only the Chinese name can be masked",
            bare,
        )


MINI = Path(__file__).parents[2] / "mini" / "cmhe_ce" / "CMHE-CE.jsonl"
ITEMS = Path(__file__).with_name("open") / RECORDS
FORM = ReviewForm(
    key=itemgetter("upstream_key"),
    asked=("scope_note", "options"),
    label=itemgetter("answer"),
    answers=tuple(LETTERS),
    topic=itemgetter("concept_class"),
)
BRING = _(
    "use `--source FILE` to provide your file, with the columns of the schema; CMHE-CE is available "
    "only as a folder on a shared drive, in an undocumented format"
)


DATASET = Dataset(
    config="cmhe_ce",
    schema=package_file("medzh_score", "schemas/cmhe_ce.schema.json"),
    card=package_file("dataset_scripts", "cards/cmhe_ce.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from a file that the user provided, because the format of the release is not documented",
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
        mini("the form of CMHE-CE", MINI_SOURCE, MINI, with_table(table_1, reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="concept_class",
    metadata=CardMetadata(
        availability="released",
        summary_zh="CMHE-CE 要求模型解释一个医学概念，遮盖解释中的名称，再由同一个模型根据解释从四个选项中选出该概念。",
        task_categories=("question-answering", "multiple-choice"),
        task_ids=("multiple-choice-qa",),
    ),
)
