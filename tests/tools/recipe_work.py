"""A working folder in which a recipe's command runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from dataset_scripts.building.build import build
from dataset_scripts.building.check import check
from dataset_scripts.cli.main import main
from dataset_scripts.recipe import SourceFile
from medzh_score.data.records import load_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from dataset_scripts.building.build import Build

    ReadOwn = Callable[..., Any]
    Lines = str | Iterable[Mapping[str, Any]]


def own_file(path: Path, lines: Lines) -> Path:
    """Write a text as it is, or objects as JSON lines."""
    text = lines if isinstance(lines, str) else "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    path.write_text(text, encoding="utf-8")
    return path


def sample_records(path: Path, mini: str, read_own: ReadOwn) -> dict[str, dict[str, Any]]:
    """Read the records of a sample by id."""
    file = SourceFile(mini, path, "0" * 64, pinned=True)
    return {one["id"]: one for one in read_own("mini", {mini: file}).splits["test"]}


def sample_predictions(path: Path) -> dict[str, str]:
    """Read the predictions of a sample by id; none has two."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len({line["id"] for line in lines}) == len(lines)
    return {line["id"]: line["prediction"] for line in lines}


def bring(folder: Path, config: str, lines: Lines, name: str = "own.jsonl") -> Build:
    """Build the official recipe from a user's file."""
    given = [str(own_file(folder / name, lines))]
    return build(config, "official", folder / "build" / "medzh", given=given)


def problems_of(folder: Path) -> list[str]:
    """Check a build as the command does, but for load_dataset: the test of the sample asks it of each config."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dataset_scripts.building.check.loading_problems", lambda *_: [])
        return check(folder).problems


class Work:
    """A folder with the sources of a recipe, in which the command is run."""

    def __init__(self, config: str, recipe: str, place: Path) -> None:
        self.config, self.recipe, self.place = config, recipe, place
        self.out = place / "build" / "medzh"
        self.sources: dict[str, str] = {}  # from their names to files of the folder

    def write(self, name: str, text: str, encoding: str = "utf-8") -> Path:
        (self.place / name).write_text(text + "\n", encoding=encoding)
        return self.place / name

    def keep(self, *names: str) -> None:
        """Leave all other sources out."""
        self.sources = {name: self.sources[name] for name in names}

    def build(self, *more: str) -> int:
        given = [f"{name}={self.place / file}" for name, file in self.sources.items()]
        words = ["build", self.config, "--recipe", self.recipe, *(["--source", *given] if given else [])]
        return main([*words, "--output", str(self.out), *more])

    def records(self) -> list[dict[str, Any]]:
        return load_records(self.out, self.config).rows

    def manifest(self) -> dict[str, Any]:
        return json.loads((self.out / "manifest.json").read_text(encoding="utf-8"))["configs"][self.config]

    def table(self, title: str) -> list[list[Any]]:
        """Give the rows of the table whose title begins so."""
        return next(table["rows"] for table in self.manifest()["tables"] if table["title"].startswith(title))

    def card(self) -> str:
        """Give the card in one line."""
        return " ".join((self.out / "README.md").read_text(encoding="utf-8").split())
