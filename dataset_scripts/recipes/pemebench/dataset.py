"""PeMeBench: what can be built of it, and how."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.recipe import Dataset, Recipe, with_table
from dataset_scripts.recipes.declaring import mini, reads
from dataset_scripts.recipes.pemebench.essay_settings import SETTINGS, Settings, changed
from dataset_scripts.recipes.pemebench.own_reader import MAPPING, WHOLE, read_own
from dataset_scripts.recipes.pemebench.own_reader import MINI as SAMPLE
from dataset_scripts.recipes.pemebench.pediabench import ESSAY, read_pediabench
from dataset_scripts.recipes.pemebench.rebuilt import GUIDELINES, PARAMETERS, rebuild
from dataset_scripts.recipes.pemebench.records import check, order
from dataset_scripts.recipes.pemebench.rule_entities import DICTIONARIES
from dataset_scripts.recipes.pemebench.table_1 import table_1
from dataset_scripts.recipes.pemebench.wording import PARAMETERS as WORDING
from dataset_scripts.recipes.settings_files import read_switches
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.files.package_files import package_file
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dataset_scripts.recipe import Built, SourceFile
    from dataset_scripts.rounds.rounds import Rounds

MINI = Path(__file__).parents[2] / "mini" / "pemebench" / "PeMeBench.jsonl"
BRING = "PeMeBench has not been released: bring your file with --source FILE, and --mapping FILE for a form of its own"
LEFT_OUT = "PediaBench's essay questions were left out, for guidelines were given"


def rebuild_or_read(files: Mapping[str, SourceFile], seed: int, rounds: Rounds) -> Built:
    """Rebuild PeMeBench from guidelines; where there are none, read PediaBench's essay questions in their place."""
    if GUIDELINES not in files:
        return _read(files)
    built = rebuild({GUIDELINES: files[GUIDELINES]}, seed, rounds)
    unread = tuple(name for name in (ESSAY, SETTINGS, *DICTIONARIES) if name in files)
    notes = (*built.notes, LEFT_OUT) if ESSAY in files else built.notes
    return replace(built, notes=notes, left_out=(*built.left_out, *unread))


def _read(files: Mapping[str, SourceFile]) -> Built:
    settings = read_switches(files[SETTINGS].path, Settings()) if SETTINGS in files else Settings()
    dictionaries = {name: files[name] for name in DICTIONARIES if name in files}
    if not settings.entities_by_rule:
        return replace(read_pediabench(files[ESSAY]), left_out=tuple(dictionaries))
    if lacking := [name for name in DICTIONARIES if name not in files]:
        problem, advice = "needs dictionaries that are not here", f"medzh-build fetch {' '.join(lacking)}"
        raise MedzhError(
            problem, file=files[SETTINGS].path, field="entities_by_rule", expected=", ".join(lacking), advice=advice
        )
    built = read_pediabench(files[ESSAY], dictionaries)
    return replace(built, notes=(*built.notes, *changed(settings)))


DATASET = Dataset(
    config="pemebench",
    schema=package_file("medzh_score", "schemas/pemebench.schema.json"),
    card=package_file("dataset_scripts", "cards/pemebench.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from a file that the user brought, for the authors of PeMeBench have not released it",
            sources=(WHOLE, MAPPING),
            make=with_table(table_1, reads(read_own, "official")),
            own=(WHOLE, MAPPING),
            bring=BRING,
            requires_all=False,
            annotated=("machine-generated", "expert-generated"),
            worded=("machine-generated",),
        ),
        Recipe(
            name="rebuilt",
            summary="constructed by the procedure of the PeMeBench paper, or taken from its authors' PediaBench",
            sources=(GUIDELINES, ESSAY, *DICTIONARIES, SETTINGS),
            never_alone=(*DICTIONARIES, SETTINGS),
            make=with_table(table_1, rebuild_or_read),
            own=(GUIDELINES, SETTINGS),
            folders=(GUIDELINES,),
            requires_all=False,
            parameters=PARAMETERS | WORDING,
        ),
        mini("the form of PeMeBench", SAMPLE, MINI, with_table(table_1, reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="department",
    reading=Path(__file__).with_name("reading.json"),
    metadata=CardMetadata(
        availability="not released",
        summary_zh="PeMeBench 提出儿科开放式问题，把模型的回答与参考答案相比，分科室、任务和提问方式统计。",
        task_categories=("question-answering",),
        task_ids=("closed-domain-qa",),
    ),
)
