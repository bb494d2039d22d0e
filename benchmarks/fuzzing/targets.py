"""What is damaged: a folder of real files, and a command that reads some of them."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from dataset_scripts.building.build import build
from dataset_scripts.building.loading import apart
from dataset_scripts.cli.main import main as build_command
from medzh_score.benchmark.registry import config_names
from medzh_score.cli.main import main as score_command

HERE, MINIS = "{}", "{minis}"  # in a command: the folder of the case, and the builds that nobody damages


@dataclass(frozen=True)
class Target:
    """A command, the folder that it reads, and which of its files are damaged.

    Attributes
    ----------
    name, line : str
        What it is called, and the command as it is typed, without the program's name if that is medzh-score.
    folder : Path
        The files; each case has a copy.
    files : tuple of str
        Those that are damaged, as often as they stand here.
    numbers : bool
        Whether the command prints a report as JSON, whose numbers are looked at.
    sealed : bool
        Whether hashes hold the files: no damage may change a number then, whatever it does.
    resealed : bool
        Whether the hashes are put right after the damage, so that it gets behind them.
    """

    name: str
    line: str
    folder: Path
    files: tuple[str, ...]
    numbers: bool = False
    sealed: bool = False
    resealed: bool = False

    def call(self, folder: Path) -> int:
        """Run the command on a copy of the folder."""
        words = self.line.replace(HERE, str(folder)).split()
        return build_command(words[1:]) if words[0] == "medzh-build" else score_command(words)


@dataclass(frozen=True)
class Work:
    """Where the files are made, with the builds of all samples."""

    folder: Path
    minis: Path

    def target(self, name: str, line: str, folder: Path, *files: str, **kind: bool) -> Target:
        """Make a target of a command line."""
        return Target(name, line.replace(MINIS, str(self.minis)), folder, files, **kind)

    def place(self, name: str) -> Path:
        """Make a folder."""
        (self.folder / name).mkdir(parents=True)
        return self.folder / name

    def make(self, line: str, folder: Path) -> None:
        """Run a command that makes files, which has to end well."""
        with redirect_stdout(io.TextIOWrapper(io.BytesIO())):
            status = self.target("", f"{line} --quiet", folder).call(folder)
        if status:
            raise RuntimeError(f"status {status}: {line}")


def work_in(folder: Path) -> Work:
    """Build all samples; the libraries of the hub, not imported yet, keep what they keep in that folder."""
    os.environ.update(apart(folder / "hub"))
    minis = folder / "minis" / "medzh"
    for name in config_names():
        build(name, "mini", minis)
    return Work(folder, minis)


def files_below(folder: Path, *endings: str) -> list[str]:
    """Name the files below a folder, with these endings."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path.relative_to(folder).as_posix() for path in found if path.name.endswith(endings or "")]


def copied(folder: Path, *files: Path) -> list[str]:
    """Copy files into a folder, and give their names."""
    return [Path(shutil.copy(file, folder)).name for file in files]


def reseal(folder: Path, before: bytes, after: bytes) -> None:
    """Put the hash of what was damaged in the place of what it was, and so on for the files that hold that hash."""
    old, new = (hashlib.sha256(content).hexdigest().encode() for content in (before, after))
    for path in files_below(folder):
        content = (folder / path).read_bytes()
        if old != new and old in content:
            sealed = content.replace(old, new)
            (folder / path).write_bytes(sealed)
            reseal(folder, content, sealed)
