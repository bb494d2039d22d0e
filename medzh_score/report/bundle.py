"""A report with all that it was made from, in one file to be deposited with a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.files.archives import SUMS, write_zip
from medzh_score.messages.errors import MedzhError
from medzh_score.report.results.folder import NAMES
from medzh_score.report.results.result import Result
from medzh_score.report.verifying import digest_of, read_stated, stated_file
from medzh_score.report.withholding import refuse_private

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FOLDER = "result"  # in which a result folder stands


def deposit(report: Path, out: Path, files: Sequence[Path] = ()) -> dict[str, str]:
    """Pack a report or a result folder with the files that it names, and the hash of each; equal content, equal bytes.

    The records are not packed: many may not be redistributed.
    """
    own: dict[str, bytes | Path] = _of_result(report) if report.is_dir() else {"report.json": report}
    stated = read_stated(report)
    refuse_private(stated.config, private=stated.private)
    members: dict[str, bytes | Path] = {}
    digests: dict[str, str] = {}
    for one in stated.inputs:
        file = stated_file(one, report, files, "bundle")
        found = digest_of(file, one)
        if found != one.sha256:
            problem = "is not the file that the report names"
            raise MedzhError(problem, file=file, field=one.name, expected=one.sha256, found=found)
        if one.name in digests and digests[one.name] != one.sha256:
            raise MedzhError("two files have one name", file=file, field=one.name, advice="name them apart and score")
        members[one.name], digests[one.name] = file, one.sha256
    for name in sorted(members.keys() & {*own, SUMS}):
        raise MedzhError("a file has a name that the bundle needs", file=name, advice="name it otherwise and score")
    return write_zip(out, {**members, **own})


def _of_result(folder: Path) -> dict[str, bytes | Path]:
    """Give the files of a result folder, which must be whole."""
    Result.load(folder)
    return {f"{FOLDER}/{name}": folder / name for name in sorted(NAMES)}
