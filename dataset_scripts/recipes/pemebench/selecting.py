"""How the three pediatric subsets are built: read what was given, select, and make records; their recipes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.mapping.importing import nothing_left
from dataset_scripts.recipe import Built, Dataset, Recipe
from dataset_scripts.recipes.declaring import mini, reads
from dataset_scripts.recipes.pemebench.bank import Bank, gather
from dataset_scripts.recipes.pemebench.pediatric import MEASURED, PATTERNS
from dataset_scripts.recipes.pemebench.subset import record_of, subset
from dataset_scripts.recipes.pemebench.subset_reader import form, questions_of, read_subset
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.files.package_files import package_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from dataset_scripts.card_metadata import CardMetadata
    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.recipes.banks.questions import Question

    Read = Callable[[str, Path], Iterator["Question | str"]]

MINIS = Path(__file__).parents[2] / "mini"
SUMMARY = (
    "questions of {bank} that our list of patterns says to be about children; selected by our list, not the authors'"
)
NOT_OURS = "its questions belong to others: each user builds it from files that they bring"
PARAMETERS: dict[str, int | str] = {"patterns": PATTERNS, "hand-read": MEASURED}


@dataclass(frozen=True)
class Selecting:
    """How a subset is built."""

    config: str
    bank: str  # what its questions are selected from
    prefix: str  # what ids begin with
    readers: Mapping[str, Read]  # by source, those nearest to the paper's first
    unpinned: tuple[str, ...]  # those of these sources that only a user can bring
    prompts: Callable[[Sequence[Question]], Sequence[str]]  # from the subset's questions to the default prompt of each
    paper: tuple[tuple[str, str, str], ...]  # what the paper counts, as in Subset.tables
    metadata: CardMetadata
    reading: Path | None = None  # what a reader found in the records

    @property
    def own(self) -> str:
        """The source that is a user's own file in the interchange form or, with a mapping file, in any other."""
        return self.config.replace("_", "-")

    @property
    def mapping(self) -> str:
        """The source that is a mapping file."""
        return f"{self.config}-mapping"

    @property
    def mini(self) -> str:
        """The source that ships with the package."""
        return f"{self.own}-mini"


def select(plan: Selecting, recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Build a subset of what a user gave and nothing else, or else of the first source in the cache."""
    chosen = _chosen(files)
    banks: dict[str, Bank] = {
        name: gather(read(name, chosen[name].path)) for name, read in plan.readers.items() if name in chosen
    }
    notes, tables = [], []
    written = {name: chosen[name] for name in (plan.own, plan.mini, plan.mapping) if name in chosen}
    if written:
        imported = read_subset(form(plan.config, (plan.own, plan.mini)), written, plan.mapping)
        source = plan.mini if plan.mini in written else plan.own
        if not imported.kept and len(banks) == 0:
            raise nothing_left(imported, "test", written[source].path, "give a file with questions")
        banks[source] = gather(questions_of(imported.kept))
        notes, tables = [*imported.notes], [*imported.tables]
    found = subset(banks)
    prompts = plan.prompts([question for question, _ in found.kept])
    records = [
        record_of(question, names, plan.prefix, recipe, prompt)
        for (question, names), prompt in zip(found.kept, prompts, strict=True)
    ]
    left_out = tuple(name for name in files if name not in chosen)
    notes += [*found.notes(), *(f"{name} stands in the cache and was left out" for name in left_out)]
    return Built({"test": records}, tuple(notes), (*tables, *found.tables(plan.paper)), left_out)


def _chosen(files: Mapping[str, SourceFile]) -> Mapping[str, SourceFile]:
    given = {name: file for name, file in files.items() if file.given}
    return given or dict([*files.items()][:1])


def dataset_of(plan: Selecting) -> Dataset:
    """Declare a subset."""
    own = (*plan.unpinned, plan.own, plan.mapping)
    sample, build = MINIS / plan.config / "questions.jsonl", partial(select, plan)
    return Dataset(
        config=plan.config,
        schema=package_file("medzh_score", f"schemas/{plan.config}.schema.json"),
        card=package_file("dataset_scripts", f"cards/{plan.config}.md.jinja"),
        sources=REGISTRY,
        recipes=(
            Recipe(
                name="rebuilt",
                summary=SUMMARY.format(bank=plan.bank),
                sources=(*plan.readers, plan.own, plan.mapping),
                make=reads(build, "rebuilt"),
                own=own,
                never_alone=(plan.mapping,),
                bring=f"bring {plan.bank} with --source FILE ({', '.join(plan.readers)}), or your own with"
                f" --source {plan.own}=FILE",
                requires_all=False,
                parameters=PARAMETERS,
                annotated=("found",),
                worded=("found",),
            ),
            mini(f"the form of {plan.bank}", plan.mini, sample, reads(build, "mini"), PARAMETERS),
        ),
        never_published=NOT_OURS,
        reading=plan.reading,
        metadata=plan.metadata,
    )
