"""A working folder in which a recipe's command runs, and its stages are answered and filled in as people would."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from sheet_files import save_sheet, sheet_rows

from dataset_scripts.building.build import build
from dataset_scripts.building.checking import check
from dataset_scripts.command_line import main
from medzh_score.data.records import load_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.building.build import Build

    Lines = str | Iterable[Mapping[str, Any]]


def own_file(path: Path, lines: Lines) -> Path:
    """Write a text as it is, or objects as JSON lines."""
    text = lines if isinstance(lines, str) else "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    path.write_text(text, encoding="utf-8")
    return path


def bring(folder: Path, config: str, lines: Lines, mapping: str | None = None, name: str = "own.jsonl") -> Build:
    """Build the official recipe from a user's file, read by a mapping file where one is given."""
    given = [str(own_file(folder / name, lines))]
    if mapping is not None:
        given.append(f"mapping={own_file(folder / 'mapping.toml', mapping)}")
    return build(config, "official", folder / "build" / "medzh", given=given)


def problems_of(folder: Path) -> list[str]:
    """Check a build as the command does, but for load_dataset: the test of the sample asks it of each config."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dataset_scripts.building.checking.loading_problems", lambda *_: [])
        return check(folder).problems


class Work:
    """A folder with sources of the rebuilt recipe, in which the command is run and its stages are answered."""

    def __init__(self, config: str, place: Path) -> None:
        self.config, self.place = config, place
        self.rounds, self.out = place / "rounds", place / "build" / "medzh"
        self.sources: dict[str, str] = {}  # from their names to files of the folder

    def write(self, name: str, text: str, encoding: str = "utf-8") -> Path:
        (self.place / name).write_text(text + "\n", encoding=encoding)
        return self.place / name

    def keep(self, *names: str) -> None:
        """Leave all other sources out."""
        self.sources = {name: self.sources[name] for name in names}

    def build(self, *more: str) -> int:
        given = [f"{name}={self.place / file}" for name, file in self.sources.items()]
        words = ["build", self.config, "--recipe", "rebuilt", *(["--source", *given] if given else [])]
        return main([*words, "--rounds", str(self.rounds), "--out", str(self.out), *more])

    def stage(self, name: str) -> Path:
        return self.rounds / self.config / name

    def prompts(self, stage: str) -> dict[str, str]:
        """Give what a stage asks a model, by id."""
        path = self.stage(stage) / "prompts.jsonl"
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines() if path.exists() else ())
        return {line["id"]: line["messages"][0]["content"] for line in lines}

    def answer(self, stage: str, say: Callable[[str], str], name: str = "answers-01.jsonl") -> dict[str, str]:
        """Answer every prompt of a stage, and give the prompts."""
        asked = self.prompts(stage)
        own_file(
            self.stage(stage) / name, [{"id": key, "prediction": say(one), "model": "m"} for key, one in asked.items()]
        )
        return asked

    def sheet(self, stage: str) -> list[dict[str, str]]:
        return sheet_rows((self.stage(stage) / "sheet.csv").read_text(encoding="utf-8"))

    def fill(self, stage: str, said: Sequence[Mapping[str, str]], name: str = "01") -> list[dict[str, str]]:
        """Fill a sheet in, and give its rows: what is said stands in the order of the rows."""
        rows = [{**row, **own} for row, own in zip(self.sheet(stage), said, strict=True)]
        save_sheet(self.stage(stage) / f"filled-{name}.csv", rows)
        return rows

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
