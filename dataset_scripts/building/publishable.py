"""A build of those sources alone whose licences let it be published, and what that costs."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dataset_scripts.building.keying import is_private
from dataset_scripts.building.source_selection import provenance
from dataset_scripts.recipe import BuildTable
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Built, Dataset, Recipe, SourceFile

OPTION = "--publishable"


def refuse_unpublishable(dataset: Dataset, recipe: Recipe) -> None:
    """Refuse what no files make publishable: a private config, and a recipe that knows the licence of no source."""
    if is_private(dataset.config):
        problem = f"{dataset.config} is private, and is never published"
        raise MedzhError(problem, field=OPTION, advice="build it without")
    if set(recipe.sources) <= {*recipe.own, *recipe.never_alone}:
        raise _unpublishable(dataset, recipe, ", ".join(recipe.sources))


def redistributable_files(
    dataset: Dataset, recipe: Recipe, files: Mapping[str, SourceFile]
) -> tuple[dict[str, SourceFile], str]:
    """Keep the files that may be redistributed, with a note that names the others and their licences."""
    accounts = provenance(dataset, recipe, files)
    others = [account for account in accounts if not account["redistributable"]]
    named = _named(others)
    without = {account["name"] for account in others}
    kept = {name: file for name, file in files.items() if name not in without}
    content = [name for name in kept if name not in recipe.never_alone]
    if not content or (recipe.requires_all and others):
        raise _unpublishable(dataset, recipe, named)
    return kept, f"built of sources that may be redistributed alone; left out: {named or 'none'}"


@contextmanager
def blaming_the_option(
    dataset: Dataset, recipe: Recipe, at_hand: Mapping[str, SourceFile], kept: Mapping[str, SourceFile], seed: int
) -> Iterator[None]:
    """Name the option where a recipe fails for want of sources that it left out: with all at hand there is a build."""
    try:
        yield
    except MedzhError as error:
        left_out = {name: file for name, file in at_hand.items() if name not in kept}
        if not left_out or _of_all(recipe, at_hand, seed) is None:
            raise
        raise _unpublishable(dataset, recipe, _named(provenance(dataset, recipe, left_out))) from error


def _named(accounts: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{account['name']} ({account['licence']})" for account in accounts)


def _unpublishable(dataset: Dataset, recipe: Recipe, found: str) -> MedzhError:
    problem = f"{dataset.config} {recipe.name} cannot be built of sources that may be redistributed"
    return MedzhError(problem, field=OPTION, found=found, advice="build it without, for your own use")


def cost(dataset: Dataset, recipe: Recipe, files: Mapping[str, SourceFile], seed: int, built: Built) -> BuildTable:
    """Count the records that all sources would give beside those that were built."""
    whole = _of_all(recipe, files, seed)
    if whole is None:
        return BuildTable("", (), ())
    counts = [_counts(one, dataset.breakdown) for one in (whole, built)]
    groups = [*dict.fromkeys([*sorted(counts[0]), *sorted(counts[1])])]
    return BuildTable(
        "Records of all sources at hand, and of those that may be redistributed",
        ("split", "group", "all sources", "built"),
        tuple((*group, counts[0][group], counts[1][group]) for group in groups),
    )


def _of_all(recipe: Recipe, files: Mapping[str, SourceFile], seed: int) -> Built | None:
    """Carry a recipe out with all files; None where it fails with these, too."""
    try:
        return recipe.make(files, seed)
    except MedzhError:
        return None


def _counts(built: Built, breakdown: str | None) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for split, records in built.splits.items():
        counts[split, "all"] = len(records)
        counts.update((split, str(record[breakdown])) for record in records if breakdown)
    return counts
