"""What the declarations of all configs have in common: the sample that ships with the package, and plain readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipe import sample

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from dataset_scripts.recipe import Built, Make, Recipe, SourceFile


def reads(read: Callable[[str, Mapping[str, SourceFile]], Built], recipe: str) -> Make:
    """Make a recipe's `make` of a reader, which takes its name and the files and draws nothing."""

    def make(files: Mapping[str, SourceFile], _seed: int) -> Built:
        return read(recipe, files)

    return make


def mini(form: str, source: str, file: Path, make: Make, parameters: Mapping[str, int | str] | None = None) -> Recipe:
    """Declare the recipe of a sample in a form, such as "the form of TCMD"."""
    return sample(
        f"in {form}, written by hand by the authors of medzh",
        source,
        file,
        make,
        embedded_licence="Apache-2.0",
        embedded_citation="the authors of medzh",
        parameters=parameters or {},
    )
