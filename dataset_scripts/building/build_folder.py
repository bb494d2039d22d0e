"""The build folder is a link to a complete folder next to it, and changes in one step.

``medzh`` -> ``medzh.000002``; ``medzh.000001`` is the build before. A build is prepared in ``.medzh.building``,
renamed, and the link swapped. Whatever is killed in between leaves the link as it was; the next build clears up.
Where links cannot be made or swapped, ``medzh`` is a file of one line, the name of the folder: a pointer file.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.data.hub import MANIFEST, folder_of
from medzh_score.io.atomic import locked
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator

WINDOWS = os.name == "nt"  # where links to folders cannot be replaced in one step, and need permissions
NO_LINKS = frozenset({errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP})  # of file systems like FAT


@contextmanager
def next_build(out: Path) -> Iterator[tuple[Path | None, Path]]:
    """Prepare a folder that takes the place of a build when the block ends without an error.

    Gives the folder of the build that stands, if one does, and an empty one for the files of the next.
    """
    out = Path(os.path.abspath(out))  # noqa: PTH100 - resolve would follow the link
    _check_place(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with locked(
        out.with_name(f".{out.name}.lock"),
        out,
        _("wait until the other process ends, or choose another folder with `--output`"),
    ):
        current = _current_folder(out)
        prepared, link = out.with_name(f".{out.name}.building"), out.with_name(f".{out.name}.link")
        _remove(prepared)
        _remove(link)
        prepared.mkdir()
        try:
            yield current, prepared
            _sync(prepared)
        except BaseException:
            shutil.rmtree(prepared, ignore_errors=True)
            raise
        complete = out.with_name(f"{out.name}.{_last_number(out) + 1:06d}")
        prepared.rename(complete)
        _point(link, complete.name)
        _sync(out.parent, deep=False)
        link.replace(out)
        _sync(out.parent, deep=False)
        for number, folder in _builds(out):
            if number and folder not in {complete, current}:
                shutil.rmtree(folder)


def _check_place(out: Path) -> None:
    if not out.name:
        raise MedzhError(
            _("the path cannot be used as a build folder"),
            file=out,
            field="--output",
            advice=_("specify a folder that can be created"),
        )
    above = Path(os.path.realpath(out.parent))
    for folder in (above, *above.parents):
        if re.fullmatch(r".+\.\d{6,}", folder.name) and (folder / MANIFEST).is_file():
            raise MedzhError(
                _("the path is inside another build folder"),
                file=out,
                field="--output",
                found=str(folder),
                advice=_("choose another path"),
            )
    if out.is_symlink() and not re.fullmatch(rf"{re.escape(out.name)}\.\d{{6,}}", str(out.readlink())):
        raise MedzhError(
            _("the path is a link that medzh-build did not create"),
            file=out,
            field="--output",
            found=str(out.readlink()),
            advice=_("choose another path"),
        )
    if out.exists() and not out.is_symlink() and folder_of(out) == out:
        raise MedzhError(
            _("the path already exists and was not created by medzh-build"),
            file=out,
            field="--output",
            advice=_("choose another path, or move the existing file or folder"),
        )


def _current_folder(out: Path) -> Path | None:
    folder = out.parent / out.readlink() if out.is_symlink() else folder_of(out)
    return folder if folder.is_dir() else None


def _point(link: Path, name: str) -> None:
    """Make a link to a folder next to it, or a pointer file."""
    if not WINDOWS:
        try:
            link.symlink_to(name)
        except OSError as error:
            if error.errno not in NO_LINKS:
                raise
        else:
            return
    with link.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(f"{name}\n")
        stream.flush()
        os.fsync(stream.fileno())


def _builds(out: Path) -> list[tuple[int, Path]]:
    numbered = re.compile(rf"{re.escape(out.name)}\.(\d{{6,}})")
    matches = ((numbered.fullmatch(path.name), path) for path in out.parent.iterdir())
    return sorted((int(match[1]), path) for match, path in matches if match and path.is_dir())


def _last_number(out: Path) -> int:
    return max((number for number, _unused in _builds(out)), default=0)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _sync(folder: Path, *, deep: bool = True) -> None:
    """Bring the names in a folder to the disk; the files' content is there already."""
    for path in folder.iterdir() if deep else ():
        if path.is_dir():
            _sync(path)
    if WINDOWS:
        return  # it opens no folders, and keeps their names in its journal
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
