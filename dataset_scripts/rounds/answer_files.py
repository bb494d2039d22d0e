"""The files of a stage that came back: which count, in which order, and the name of the next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

ANSWERS, FILLED = "answers", "filled"
# What editors, downloads and people leave beside a file.
BACKUP = re.compile(r"(?:~|\.(?:bak|backup|old|orig|save|tmp|sw[a-p]|part|crdownload|download))$", re.IGNORECASE)


def answer_files(folder: Path, kind: str) -> tuple[list[Path], int]:
    """List the files of a stage in the order in which they count, the last one winning."""
    found = list(folder.glob(f"{kind}*"))
    for path in found:
        if path.is_dir() and path.suffix:
            advice = "put what came back into a file of that name, or move the folder away"
            raise MedzhError("is a folder, not a file", file=path, advice=advice)
    found = [path for path in found if path.is_file()]
    files = [path for path in found if not BACKUP.search(path.name)]
    return sorted(files, key=_place), len(found) - len(files)


def next_name(folder: Path, kind: str) -> Path:
    """Give a name under which what comes back next wins over all that came back."""
    last = max((numbers[0] for path in folder.glob(f"{kind}*") if (numbers := _numbers(path))), default=0)
    suffix = "csv" if kind == FILLED else "jsonl"
    return folder / f"{kind}-{last + 1:02d}.{suffix}"


def _numbers(path: Path) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"[0-9]+", path.name)))


def _place(path: Path) -> tuple[tuple[int, ...], str, str]:
    return _numbers(path), path.name.partition(".")[0], path.name
