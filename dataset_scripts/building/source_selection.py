"""Which files a recipe reads: what the user gives, what ships with the package, what stands in the cache."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.files.digests import blob_sha1, sha256
from dataset_scripts.recipe import SourceFile
from dataset_scripts.sources.fetching import cached_path, resolve
from dataset_scripts.sources.registry import read_sources
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import Dataset, Recipe
    from dataset_scripts.sources.registry import Source

OPTION = "--source"


def select_sources(dataset: Dataset, recipe: Recipe, given: Sequence[str], cache: Path) -> dict[str, SourceFile]:
    """Find the file of each source of a recipe.

    By name, in the recipe's order. A recipe that does not require all of its sources gets those that are there.
    """
    known = read_sources(dataset.sources)
    files = given_files(dataset, recipe, given)
    missing = []
    for name in recipe.sources:
        if name in files or name in recipe.own:
            continue
        if name in recipe.embedded:
            if not recipe.embedded[name].is_file():
                advice = "install the folder that holds it: pip install --no-build-isolation -e FOLDER"
                raise MedzhError("the package was installed without it", file=recipe.embedded[name], advice=advice)
            files[name] = SourceFile(name, recipe.embedded[name], sha256(recipe.embedded[name]), pinned=True)
        elif cached_path(known[name], cache).is_file() or recipe.requires_all:
            files[name] = resolve(known[name], cache)
        else:
            missing.append(name)
    if not files and not missing:
        raise MedzhError(f"{dataset.config} {recipe.name} needs your own file", field=OPTION, advice=recipe.bring)
    if not files:
        alone = [*missing, *recipe.own]
        raise MedzhError(
            f"{dataset.config} {recipe.name} needs a source, and none is in the cache",
            file=cache,
            expected="one or more of " + ", ".join(alone),
            advice=f"medzh-build fetch {alone[0]}, or give a file with {OPTION} {alone[0]}=FILE",
        )
    return {name: files[name] for name in recipe.sources if name in files}


def given_files(dataset: Dataset, recipe: Recipe, given: Sequence[str]) -> dict[str, SourceFile]:
    """Find the files that a user gives as ``[NAME=]FILE``, by the sources that they are."""
    known = read_sources(dataset.sources)
    own = _own_files(dataset.config, recipe, given)
    return {name: _own_file(name, path, recipe, known) for name, path in own.items()}


def provenance(dataset: Dataset, recipe: Recipe, files: Mapping[str, SourceFile]) -> list[dict[str, object]]:
    """Account for the files that were read, as the manifest does: what they are, not where they stood.

    Of a user's own file nothing is known but its hash: its licence is ``unknown``, and what is made
    from it may not be redistributed.
    """
    known = read_sources(dataset.sources)
    account = []
    for name, file in files.items():
        embedded = name in recipe.embedded
        licence, redistributable = "unknown", False
        if file.pinned and embedded:
            licence, redistributable = recipe.embedded_licence, recipe.embedded_licence != "unknown"
        elif file.pinned:
            licence, redistributable = known[name].licence, known[name].redistributable
        account.append(
            {
                "name": name,
                "sha256": file.sha256,
                "pinned": file.pinned,
                "licence": licence,
                "redistributable": redistributable,
                "citation": _citation(name, recipe, known),
                "url": known[name].url if name in known and file.pinned else None,
            }
        )
    return account


def _citation(name: str, recipe: Recipe, known: Mapping[str, Source]) -> str:
    if name in recipe.own:
        return "not known: a user's own file"
    return known[name].citation if name in known else recipe.embedded_citation


def _own_files(config: str, recipe: Recipe, given: Sequence[str]) -> dict[str, Path]:
    names = {name.removeprefix(f"{config}-"): name for name in recipe.sources} | {name: name for name in recipe.sources}
    own: dict[str, Path] = {}
    for text in given:
        before, equals, after = text.partition("=")
        name, path = (names[before], after) if before in names and equals else (recipe.sources[0], text)
        if equals and before not in names and not Path(text).exists():
            expected = ", ".join(recipe.sources)
            raise MedzhError(f"{recipe.name} reads no such source", field=OPTION, expected=expected, found=before)
        if not path:  # which would be the current folder
            raise MedzhError("names no file", field=OPTION, found=text, advice=f"give {OPTION} {name}=FILE")
        if name in own:
            raise MedzhError(f"{name} is given twice", field=OPTION, found=text, advice="give each source once")
        own[name] = Path(path)
    return own


def _own_file(name: str, path: Path, recipe: Recipe, known: Mapping[str, Source]) -> SourceFile:
    try:
        digest = sha256(path)
        if name in recipe.embedded:
            pinned = digest == sha256(recipe.embedded[name])
        else:
            pinned = name not in recipe.own and blob_sha1(path) == known[name].blob
    except OSError as error:
        advice = f"give a file with {OPTION} {name}=FILE"
        raise MedzhError(f"cannot be read: {error.strerror}", file=path, field=OPTION, advice=advice) from error
    return SourceFile(name, path, digest, pinned)
