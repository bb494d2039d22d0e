"""A report with all that it was made from, in one file to be deposited with a paper."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from typing import TYPE_CHECKING

from medzh_score.files.zipping import SUMS, write_zip
from medzh_score.messages.errors import MedzhError
from medzh_score.report.private import refuse_private
from medzh_score.report.results.folder import NAMES
from medzh_score.report.results.result import Result
from medzh_score.report.signature import written
from medzh_score.report.verifying import digest_of, read_stated, stated_file
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FOLDER = "result"  # in which a result folder stands
GUIDE = """\
# A report of medzh-score, with what it was made from / 评分报告及其来源文件

Records / 数据: {data}
Make it again / 复现: `pip install -r lock.txt`, then `medzh-score verify {report} --data DATA`, where DATA holds
these records. SHA256SUMS has the hash of every file / SHA256SUMS 中是各文件的哈希。
"""


def deposit(report: Path, out: Path, files: Sequence[Path] = ()) -> dict[str, str]:
    """Pack a report with its predictions, its signature and a lock of the libraries; equal content, equal bytes.

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
    name = FOLDER if report.is_dir() else "report.json"
    guide = GUIDE.format(data=stated.signature.get("data", "unstated"), report=name)
    texts = {"signature.txt": written(stated.signature) + "\n", "lock.txt": lock(), "READ-ME-FIRST.md": guide}
    own |= {name: text.encode() for name, text in texts.items()}
    for name in sorted(members.keys() & {*own, SUMS}):
        raise MedzhError("a file has a name that the bundle needs", file=name, advice="name it otherwise and score")
    return write_zip(out, {**members, **own})


def _of_result(folder: Path) -> dict[str, bytes | Path]:
    """Give the files of a result folder, which must be whole."""
    Result.load(folder)
    return {f"{FOLDER}/{name}": folder / name for name in sorted(NAMES)}


def lock() -> str:
    """Write the versions of medzh-score and of the libraries that scoring uses, as pip reads them."""
    names, left = {"medzh-score": VERSION}, ["medzh-score"]
    while left:
        for requirement in requires(left.pop()) or ():
            name = _plain_name(requirement)
            if name is None or name in names:
                continue
            try:
                names[name] = version(name)
            except PackageNotFoundError:
                continue  # it is for another system or Python
            left.append(distribution(name).metadata["Name"])
    lines = [f"{name}=={number}" for name, number in sorted(names.items())]
    return "\n".join([f"# Python {platform.python_version()}", *lines]) + "\n"


def _plain_name(requirement: str) -> str | None:
    """Give the name of a requirement; None of one that belongs to an extra."""
    stated, _, marker = requirement.partition(";")
    if "extra" in marker:
        return None
    name = stated.strip()
    for stop in "[(<>=!~ ":
        name = name.split(stop)[0]
    return name.lower().replace("_", "-")
