"""The public names for building the data of configs in other packages; see `medzh_score.authoring`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.digests import id_digits
from dataset_scripts.inputs.upstream import first_sheet, read_array, read_objects
from dataset_scripts.inputs.user_rows import split_at_letters
from dataset_scripts.recipe import (
    BuildTable,
    Built,
    CardMetadata,
    Dataset,
    Recipe,
    SourceFile,
    sample,
    with_table,
)
from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.io.paths import package_file
from medzh_score.text.fold import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from dataset_scripts.recipe import Make, Record
    from medzh_score.benchmark.config import Config


__all__ = [
    "BuildTable",
    "Built",
    "CardMetadata",
    "Dataset",
    "Recipe",
    "SourceFile",
    "content_id",
    "dataset_of",
    "first_sheet",
    "from_records",
    "mini",
    "package_file",
    "read_array",
    "read_objects",
    "split_at_letters",
    "with_prompts",
    "with_table",
]


def content_id(config: str, *texts: str) -> str:
    """Make an id from the texts of a record, with spaces and compatibility forms folded.

    While a private config is built, the ids of its records and groups are keyed with its secret.

    Examples
    --------
    >>> content_id("triage", "胸痛") == content_id("triage", " 胸痛 ")
    True
    """
    return f"{config}-{id_digits([*map(fold, texts)])}"


def from_records(config: Config, read: Callable[[Mapping[str, SourceFile]], Iterable[Record]]) -> Make:
    """Make the `make` of a recipe from a reader, and add the default prompt to each record.

    Parameters
    ----------
    config : Config
        The config. Its first prompt is the default.
    read : callable
        A function from the source files by name to the records of the split ``test``, without prompts.
    """

    def make(files: Mapping[str, SourceFile], _seed: int) -> Built:
        return Built({"test": with_prompts(config, read(files))})

    return make


def with_prompts(config: Config, records: Iterable[Record]) -> list[Record]:
    """Add the default prompt to each record."""
    rows = list(records)
    asker = config.prompting.builder(rows, PromptSettings(config.prompting.templates[0]))
    return [{**one, "prompt": asker.ask(one["id"], 0).turns[-1]} for one in rows]


def mini(config: Config, package: str, read: Callable[[Mapping[str, SourceFile]], Iterable[Record]]) -> Recipe:
    """Declare the recipe ``mini`` of the file ``mini.jsonl`` in a package; see `from_records`."""
    file = package_file(package, "__init__.py").with_name("mini.jsonl")
    return sample(f"in the form of {config.name}", "mini", file, from_records(config, read))


def dataset_of(config: Config, package: str, *recipes: Recipe, **others: object) -> Dataset:
    """Declare the data of a config with the file layout of ``medzh-build new``.

    Parameters
    ----------
    config : Config
        The config.
    package : str
        The package with ``NAME.schema.json``, ``NAME.md.jinja`` and ``sources.toml``.
    *recipes : Recipe
        The recipes of the config.
    **others : object
        Other attributes of `Dataset`.
    """
    return Dataset(
        config=config.name,
        schema=package_file(package, f"{config.name}.schema.json"),
        card=package_file(package, f"{config.name}.md.jinja"),
        sources=package_file(package, "sources.toml"),
        recipes=recipes,
        **others,  # type: ignore[arg-type] # its attributes
    )
