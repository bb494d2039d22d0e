"""Paths: files as users name them (patterns, a hyphen for standard input), and the data files of packages."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from contextlib import contextmanager
from glob import glob, has_magic
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING

from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


STDIN, STDIN_NAME = "-", "<stdin>"
LIKELY = (".jsonl", ".json", ".csv", ".tsv", ".parquet", ".eval", ".txt")


def in_natural_order(names: Iterable[str]) -> list[str]:
    """Sort names as people number them: run2 before run10."""

    def key(name: str) -> tuple[list[tuple[int, int, str]], str]:
        parts = re.split(r"([0-9]+)", name)
        return [(1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts], name

    return sorted(names, key=key)


def matching(name: str) -> list[str]:
    """Give the files that a name means: itself, or all that match it where it is a pattern."""
    if not has_magic(name) or Path(name).exists():
        return [name]
    names = set(glob(name, recursive=True))  # noqa: PTH207 - of pathlib's patterns none begins at the root
    found = in_natural_order(file for file in names if not Path(file).is_dir())
    if not found:
        advice = _("check the folder and the file extension; ** matches subfolders")
        raise MedzhError(_("no file matches the pattern"), file=name, advice=advice)
    return found


@contextmanager
def readable_often(names: Sequence[str]) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Keep standard input, which can be read only once, in a file while the block runs."""
    if names.count(STDIN) > 1:
        raise MedzhError(
            _("standard input is specified twice"),
            file=STDIN,
            advice=_("save one of the inputs to a file; standard input can be read only once"),
        )
    if STDIN not in names:
        yield list(names), {}
        return
    with tempfile.TemporaryDirectory(prefix="medzh-") as folder:
        kept = Path(folder) / STDIN
        with kept.open("wb") as copy:
            shutil.copyfileobj(_standard_input(), copy)
        try:
            yield [str(kept) if name == STDIN else name for name in names], {str(kept): STDIN_NAME}
        except MedzhError as error:
            error.file = error.file and error.file.replace(str(kept), STDIN_NAME)
            raise


def _standard_input() -> IO[bytes]:
    if sys.stdin is None or sys.stdin.closed:
        raise MedzhError(
            _("standard input is closed"), file=STDIN_NAME, advice=_("pipe the predictions into the command")
        )
    return sys.stdin.buffer


def split_label(name: str) -> tuple[str, str]:
    """Take the label, empty where there is none, off a file."""
    label, equals, file = name.partition("=")
    plain = not equals or "/" in label or name == STDIN or Path(name).exists()
    return ("", name) if plain else (label, file)


def by_label(option: str, names: Iterable[str]) -> dict[str, list[str]]:
    """Put the files of each label together, in the order of the labels; without any, under an empty one."""
    found: dict[str, list[str]] = {}
    for name in names:
        label, file = split_label(name)
        if "=" in name and (not file or (not label.strip() and file != name)):
            raise MedzhError(
                _("no text before or after the equals sign"), field=option, expected="LABEL=FILE", found=name
            )
        found.setdefault(label, []).append(file)
    if len(found) > 1 and "" in found:
        problem, expected = _("some files have a name and others do not"), _("NAME=FILE for all files or for none")
        raise MedzhError(problem, field=option, expected=expected, found=found[""][0])
    return found


def package_file(package: str, relative: str) -> Path:
    """Return the path of a data file of a package.

    ``schemas`` and ``cards`` are inside the package in a wheel, and next to it in a checkout of medzh.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"no package {package}")
    folder = Path(spec.origin).parent
    for candidate in (folder / relative, folder.parent / relative):
        if candidate.exists():
            return candidate
    raise FileNotFoundError(f"{relative} is not among the files of {package}")
