"""What a result folder holds, and the hashes by which it is known to be whole."""

from __future__ import annotations

import filecmp
import hashlib
from typing import TYPE_CHECKING, get_args

from medzh_score.io.archive import SUMS
from medzh_score.io.atomic import folder_beside, put_in_place
from medzh_score.results.tables import (
    ITEMS_VERSION,
    KIND,
    STATISTICS_VERSION,
    TEXTS,
    Texts,
    items_columns,
    items_schema,
    statistics_columns,
    statistics_schema,
    write_tables,
)
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from medzh_score.results.tables import ScoringArtifacts


REPORT, STATISTICS, ITEMS = "report.json", "statistics.parquet", "items.parquet"
HELD = (ITEMS, REPORT, STATISTICS)
NAMES = frozenset({*HELD, SUMS})
OUT = _("move the file out of the folder")
AGAIN = _("save the result again, or copy the complete folder again")


def written_sums(folder: Path) -> str:
    """Write the hashes of what a folder holds, as ``sha256sum`` does."""
    return "".join(f"{digest_of(folder / name)}  {name}\n" for name in HELD)


def digest_of(path: Path) -> str:
    """Give the SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _is_result_folder(folder: Path) -> bool:
    names = {one.name for one in folder.iterdir()}
    return SUMS in names and names <= NAMES and all((folder / name).is_file() for name in names)


def _check_names(folder: Path) -> None:
    if not folder.is_dir():
        problem = _("the path is not a folder") if folder.exists() else _("the path does not exist")
        raise MedzhError(problem, file=folder, expected=_("a result folder written by `medzh-score score --save`"))
    there = {one.name: one for one in folder.iterdir()}
    for name in sorted(NAMES - there.keys()):
        raise MedzhError(_("a file of the result folder is missing"), file=folder, expected=name, advice=AGAIN)
    for name in sorted(there.keys() - NAMES):
        expected = ", ".join(sorted(NAMES))
        raise MedzhError(_("the file is not part of a result"), file=there[name], expected=expected, advice=OUT)
    for one in there.values():
        if one.is_symlink() or not one.is_file():
            raise MedzhError(
                _("the path is a link or is not a file"), file=one, expected=_("a regular file"), advice=AGAIN
            )


def read_files(folder: Path) -> dict[str, bytes]:
    """Read what a result folder holds, and refuse what does not have the hash that is written there."""
    _check_names(folder)
    try:
        stated = (folder / SUMS).read_bytes()
        found = {name: (folder / name).read_bytes() for name in HELD}
    except OSError as error:
        raise MedzhError(
            _("the file cannot be read: {reason}", reason=_(error.strerror or str(error))), file=folder, advice=AGAIN
        ) from error
    lines = {name: f"{hashlib.sha256(content).hexdigest()}  {name}" for name, content in found.items()}
    written = stated.decode("utf-8", "replace").splitlines()
    if [line.partition("  ")[2] for line in written] != list(HELD):
        expected = _("one line per file: {held}", held=", ".join(HELD))
        raise MedzhError(
            _("the file does not list the files of a result"), file=folder / SUMS, expected=expected, advice=AGAIN
        )
    for line, (name, is_line) in zip(written, lines.items(), strict=True):
        if line != is_line:
            digest, found_digest = line.partition("  ")[0], is_line.partition("  ")[0]
            raise MedzhError(
                _("the file has changed since it was saved"),
                file=folder / name,
                expected=f"SHA-256 {digest}",
                found=found_digest,
                advice=AGAIN,
            )
    return found


OPTION = "--save"


def save(folder: Path, report: bytes, basis: ScoringArtifacts | None, *, overwrite: bool, texts: Texts) -> None:
    """Write a result folder."""
    if basis is None:
        problem, advice = (
            _("the report was loaded from a file and does not contain the other data of a result"),
            _("copy the result folder of the report"),
        )
        raise MedzhError(problem, file=folder, field=OPTION, advice=advice)
    check_texts(texts)
    target = folder.resolve()
    check_place(target)
    with folder_beside(target) as part:
        _write(part, report, basis, texts)
        if target.is_dir() and any(target.iterdir()):
            if _same(part, target):
                return
            if not overwrite:
                advice = _("choose another folder, or overwrite this one: --overwrite")
                raise MedzhError(_("the folder contains another result"), file=folder, field=OPTION, advice=advice)
        put_in_place(part, target)


def check_texts(texts: str) -> None:
    """Refuse another choice than the command's parser knows."""
    if texts not in get_args(Texts):
        expected = " or ".join(get_args(Texts))
        raise MedzhError(_("invalid choice"), field="--include-text", expected=expected, found=texts)


def check_place(folder: Path, inputs: Iterable[Path] = ()) -> None:
    """Refuse a place where no result folder can stand, before anything is computed."""
    target = folder.resolve()
    for read in inputs:
        place = read.resolve()
        if (read.is_dir() and target.is_relative_to(place)) or (read.exists() and place.is_relative_to(target)):
            problem, advice = _("the folder overlaps with an input"), _("choose another folder")
            raise MedzhError(problem, file=folder, field=OPTION, found=str(read), advice=advice)
    if target.is_dir():
        if any(target.iterdir()) and not _is_result_folder(target):
            problem, advice = (
                _("the folder contains files that do not belong to a result and is not overwritten"),
                _("choose another folder"),
            )
            raise MedzhError(problem, file=folder, field=OPTION, advice=advice)
    elif target.exists() and not target.is_dir():  # another process may just have put one there
        problem, advice = _("the path is a file"), _("choose another folder")
        raise MedzhError(problem, file=folder, field=OPTION, expected=_("an output folder"), advice=advice)
    missing = [one for one in (target, *target.parents) if not one.exists()]
    with folder_beside(missing[-1] if missing else target):
        pass


def _write(part: Path, report: bytes, basis: ScoringArtifacts, texts: Texts) -> None:
    (part / REPORT).write_bytes(report)
    # The report's own hash: statistics of another run do not fit it, whatever SHA256SUMS says.
    facts = {"config": basis.config, "report": hashlib.sha256(report).hexdigest()}
    columns = next(iter(basis.rules.values())).statistics.shape[2]
    with (part / STATISTICS).open("wb") as stream:
        schema = statistics_schema(basis.layout.groups, columns)
        write_tables(stream, schema, {KIND: STATISTICS_VERSION, **facts}, statistics_columns(basis))
    with (part / ITEMS).open("wb") as stream:
        written = {KIND: ITEMS_VERSION, **facts, TEXTS: texts}
        write_tables(stream, items_schema(), written, items_columns(basis, texts))
    (part / SUMS).write_text(written_sums(part), encoding="ascii", newline="\n")


def _same(one: Path, other: Path) -> bool:
    names = sorted(NAMES)
    return filecmp.cmpfiles(one, other, names, shallow=False)[0] == names


def refuse_texts(name: str, texts: str, *, private: bool) -> None:
    """Refuse to keep texts of what was answered about a private config."""
    if private and texts != "none":
        problem, advice = _("{name} is private, so results do not store its texts", name=name), _("omit this option")
        raise MedzhError(problem, field="--include-text", expected="none", found=texts, advice=advice)
