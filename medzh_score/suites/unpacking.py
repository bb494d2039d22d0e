"""What was packed, taken out again: checked whole before any of it is laid down."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from medzh_score.files.archives import BoundedZip
from medzh_score.files.input_file import InputFile
from medzh_score.files.locking import locked
from medzh_score.files.whole_folders import folder_beside, put_in_place
from medzh_score.files.writing import write_bytes
from medzh_score.files.zipping import SUMS
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.head import head_of
from medzh_score.report.results.folder import is_result_folder
from medzh_score.report.results.result import Result
from medzh_score.suites.guarding import guarded
from medzh_score.suites.kept import kept_answers, merged, write_kept
from medzh_score.suites.outbox_files import OUTBOX, put_in_outbox
from medzh_score.suites.places import LOCK
from medzh_score.suites.plan import PLAN, as_asked_anywhere, read_plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.prompts.codes import Key
    from medzh_score.suites.plan import Plan

OUTSIDE = frozenset(':\\"<>|?*\0')  # characters that some system reads as the way to another place
INSIDE = frozenset({"prompts", OUTBOX, "answers", "results"})


@dataclass(frozen=True)
class Package:
    """What a package holds, by its name inside a suite."""

    path: Path
    members: Mapping[str, bytes]


@dataclass(frozen=True)
class Unpacked:
    """How many files of prompts were laid down, how many answers are new, and results are new, the same or replaced."""

    prompts: int
    answers: int
    new: int
    same: int
    replaced: int


def is_package(path: Path) -> bool:
    """Say whether a file is a package of a suite."""
    with InputFile(path) as file:
        head = head_of(file)
    return head.form == "zip" and head.has(PLAN, SUMS)


def read_package(path: Path) -> Package:
    """Read a package, and refuse what does not have the hash that is written in it, or a name that leaves the suite."""
    try:
        with BoundedZip(path) as archive:
            found = {one.filename: archive.read(one) for one in archive.infolist()}
    except (OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
        raise MedzhError(f"is a broken zip file: {error}", file=path, advice="transfer the file again") from error
    sums = found.pop(SUMS, b"").decode("utf-8", "replace")
    stated = dict(line.split("  ", 1)[::-1] for line in sums.splitlines() if "  " in line)
    for name, content in found.items():
        if not _is_inside(name):
            raise MedzhError("names a place outside of a suite", file=path, found=name)
        digest = hashlib.sha256(content).hexdigest()
        if stated.get(name) != digest:
            problem = "holds a file that is not the one that was packed"
            raise MedzhError(problem, file=path, field=name, expected=str(stated.get(name)), found=digest)
    if lacking := stated.keys() - found.keys():
        raise MedzhError("lacks a file that was packed", file=path, found=min(lacking), advice="transfer it again")
    return Package(path, found)


def _is_inside(name: str) -> bool:
    """Say whether a name stays where files of a suite lie, whatever the system."""
    parts = PurePosixPath(name).parts
    plain = not any(part in {"..", "."} or OUTSIDE & set(part) for part in parts)
    return plain and not name.startswith("/") and (name == PLAN or parts[0] in INSIDE)


def unpack_package(suite: Path, path: Path, *, replace: bool) -> Unpacked:
    """Lay down what a package holds; of a suite that is there the plan must be the same, and no answer another."""
    package = read_package(path)
    with guarded(suite, _plan_in(package)):
        suite.mkdir(parents=True, exist_ok=True)
        with locked(suite / LOCK, suite, "wait until it ends"):
            return _unpack(suite, package, replace=replace)


def _plan_in(package: Package) -> Plan:
    """Read the plan of a package, which has one: so it is known as a package."""
    with tempfile.TemporaryDirectory(prefix="medzh-") as place:
        _lay_down(Path(place), package, [PLAN])
        return read_plan(Path(place))


def _unpack(suite: Path, package: Package, *, replace: bool) -> Unpacked:
    by_kind: dict[str, list[str]] = {}
    for name in sorted(package.members):
        by_kind.setdefault(PurePosixPath(name).parts[0], []).append(name)
    folders = sorted({str(PurePosixPath(name).parent) for name in by_kind.get("results", ())})
    with tempfile.TemporaryDirectory(prefix="medzh-") as place:
        unpacked = Path(place)
        _lay_down(unpacked, package, package.members)
        _check_plan(suite, unpacked, package.path)
        for folder in folders:
            Result.load(unpacked / folder)
        others = [folder for folder in folders if (suite / folder).exists()]
        replaced = [folder for folder in others if _is_other(suite / folder, unpacked / folder)]
        for folder in replaced:
            _check_replaceable(suite, folder, package.path, replace=replace)
        coming = [_coming(suite, unpacked, name, replace=replace) for name in by_kind.get("answers", ())]
    for one in coming:
        one.lay_down()
    to_send, prompts = by_kind.get(OUTBOX, []), by_kind.get("prompts", [])
    if to_send:
        with folder_beside(suite / OUTBOX) as part:
            _lay_down(part, package, to_send)
            put_in_outbox(suite, part / OUTBOX)
    _lay_down(suite, package, prompts if (suite / PLAN).exists() else [*prompts, PLAN])
    for folder in [folder for folder in folders if folder not in others] + replaced:
        _put_result(suite / folder, package, folder)
    same = len(others) - len(replaced)
    return Unpacked(
        len(to_send) + len(prompts), sum(one.new for one in coming), len(folders) - len(others), same, len(replaced)
    )


def _check_plan(suite: Path, unpacked: Path, path: Path) -> None:
    """Refuse a package of a plan that asks otherwise; names of answers and the place of the data are one's own."""
    here = (suite / PLAN).exists()
    if here and as_asked_anywhere(read_plan(suite)) != as_asked_anywhere(read_plan(unpacked)):
        problem = "is of another plan than this suite"
        raise MedzhError(problem, file=path, field=PLAN, advice="add it to the suite that it is of")


def _is_other(here: Path, came: Path) -> bool:
    """Say whether a result that is there holds anything else than the one that came."""
    return {one.name for one in here.iterdir()} != {one.name for one in came.iterdir()} or any(
        (here / one.name).read_bytes() != one.read_bytes() for one in came.iterdir()
    )


def _check_replaceable(suite: Path, folder: str, path: Path, *, replace: bool) -> None:
    if not is_result_folder(suite / folder):
        problem = "holds something else than a result, and is never replaced"
        raise MedzhError(problem, file=suite / folder, advice="move one of the two away")
    if not replace:
        raise MedzhError(
            "holds another result than the one that is here",
            file=path,
            field=folder,
            advice="give --replace if this one is meant",
        )


def _lay_down(folder: Path, package: Package, names: Iterable[str]) -> None:
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target, package.members[name])


@dataclass(frozen=True)
class _Coming:
    """A file of answers as it will be: a sheet as it came, or all answers that are kept then."""

    target: Path
    new: int
    sheet: bytes | None = None
    answers: Mapping[Key, Prediction] = field(default_factory=dict)

    def lay_down(self) -> None:
        """Write it."""
        if self.sheet is None:
            write_kept(self.target, self.answers)
            return
        self.target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(self.target, self.sheet)


def _coming(suite: Path, unpacked: Path, name: str, *, replace: bool) -> _Coming:
    """Put packed answers to those that are kept, and a sheet beside those that are there."""
    path, target = unpacked / name, suite / name
    if path.suffix == ".csv":
        sheet = path.read_bytes()
        if target.exists() and target.read_bytes() != sheet:
            raise MedzhError("is there with other content", file=target, advice="move one of the two away")
        return _Coming(target, int(not target.exists()), sheet)
    came = ((number, one) for number, one in enumerate(kept_answers(path).values(), 1))
    after = merged(path, kept_answers(target), came, replace=replace)
    return _Coming(target, after.new + after.replaced, answers=after.answers)


def _put_result(target: Path, package: Package, folder: str) -> None:
    with folder_beside(target) as part:
        for name in package.members:
            if str(PurePosixPath(name).parent) == folder:
                (part / PurePosixPath(name).name).write_bytes(package.members[name])
        put_in_place(part, target)
