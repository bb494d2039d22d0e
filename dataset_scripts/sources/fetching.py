"""The cache of upstream files, which are verified or downloaded."""

from __future__ import annotations

import os
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from dataset_scripts.digests import blob_sha1, sha256
from dataset_scripts.recipe import SourceFile
from dataset_scripts.sources.downloading import PATIENCE, disk_error, download
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from dataset_scripts.sources.downloading import Patience, Report
    from dataset_scripts.sources.registry import Source

ORIGIN = "https://raw.githubusercontent.com/"


def resolve(source: Source, cache: Path) -> SourceFile:
    """Find a source in the cache and verify it."""
    path = cached_path(source, cache)
    if not _is_verified(path, source):
        advice = _(
            "run `medzh-build fetch {source_name}`, or provide the file with `--source {source_name}=FILE`",
            source_name=source.name,
        )
        raise MedzhError(_("{source_name} is not in the cache", source_name=source.name), file=path, advice=advice)
    return SourceFile(name=source.name, path=path, sha256=sha256(path), pinned=True)


def fetch(source: Source, cache: Path, *, report: Report, patience: Patience = PATIENCE) -> Path:
    """Bring a source into the cache; one that is there is verified, not fetched."""
    path = cached_path(source, cache)
    if _is_verified(path, source):
        return path
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not _is_whole(part, source):
            download(mirrored(source.url), part, report, patience)
            _check_download(part, source)
        part.replace(path)
    except OSError as error:
        raise disk_error(path, error) from error
    return path


def cached_path(source: Source, cache: Path) -> Path:
    """Return the path of a source in the cache."""
    for field in ("repository", "revision", "path"):
        _check_inside(source, field)
    return cache / source.cached_as


def mirrored(url: str, environment: Mapping[str, str] = os.environ) -> str:
    """Put the mirror of the environment in the place of ``https://raw.githubusercontent.com``."""
    mirror = environment.get("MEDZH_MIRROR")
    if not mirror or not url.startswith(ORIGIN):
        return url
    return f"{mirror.rstrip('/')}/{url.removeprefix(ORIGIN)}"


def _check_inside(source: Source, field: str) -> None:
    written: str = getattr(source, field)
    parts = written.split("/")
    leaves = (
        any(part in ("", ".", "..") for part in parts)
        or PurePosixPath(written).is_absolute()
        or PureWindowsPath(written).anchor != ""
        or any(character in written for character in "\\\0")
    )
    if leaves:
        expected = _("a path inside the cache, with forward slashes")
        raise MedzhError(
            _("the path of source {source_name} is outside the cache", source_name=source.name),
            field=field,
            expected=expected,
            found=written,
        )


def _is_verified(path: Path, source: Source) -> bool:
    """Return whether a file exists; raise an error if its content is not the pinned one."""
    try:
        found = blob_sha1(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise MedzhError(
            _("cannot read the file: {why}", why=_(error.strerror or str(error))),
            file=path,
            advice=_("repair or delete the file"),
        ) from error
    if found != source.blob:
        advice = _("delete the file and run `medzh-build fetch {source_name}`", source_name=source.name)
        raise _wrong_content(path, source, found, advice)
    return True


def _is_whole(part: Path, source: Source) -> bool:
    """Return whether an earlier run downloaded all bytes but did not rename the file."""
    return part.is_file() and part.stat().st_size > 0 and blob_sha1(part) == source.blob


def _check_download(part: Path, source: Source) -> None:
    found = blob_sha1(part)
    if found != source.blob:
        part.unlink()
        advice = _(
            "run the command again; if it reports this hash again, the server or a proxy sends a different "
            "file (the download was discarded)"
        )
        raise _wrong_content(mirrored(source.url), source, found, advice)


def _wrong_content(place: Path | str, source: Source, found: str, advice: str) -> MedzhError:
    problem = _("the file is not the pinned version of {source_name} (git blob SHA-1)", source_name=source.name)
    return MedzhError(problem, file=place, expected=source.blob, found=found, advice=advice)
