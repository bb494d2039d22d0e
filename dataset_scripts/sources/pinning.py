"""Entries of a ``sources.toml`` from files that are at hand."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote

from dataset_scripts.digests import blob_sha1
from dataset_scripts.sources.registry import Source, cache_folder
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

COMMIT = re.compile(r"([\w.-]+/[\w.-]+)@([0-9a-f]{40})", re.ASCII)
RAW = "https://raw.githubusercontent.com"


def pinned(  # noqa: PLR0913 - what an entry says
    commit: str,
    paths: Sequence[str],
    *,
    folder: Path | None = None,
    used_by: tuple[str, ...] = (),
    licence: str = "unknown",
    citation: str | None = None,
) -> list[Source]:
    """Pin files of a commit, by their content in the cache or in a folder that is a copy of the repository.

    The author of the entries decides whether they may be redistributed, because a license alone does not.
    """
    found = COMMIT.fullmatch(commit)
    if found is None:
        expected = _("OWNER/REPO@ followed by 40 hex digits")
        raise MedzhError(_("invalid commit"), field="OWNER/REPO@COMMIT", expected=expected, found=commit)
    repository, revision = found.groups()
    root = folder or cache_folder() / repository / revision
    sources = [
        Source(
            name=_name(repository, path),
            repository=repository,
            revision=revision,
            path=path,
            blob=_blob(root, path),
            url=f"{RAW}/{repository}/{revision}/{quote(path)}",
            licence=licence,
            redistributable=False,
            citation=citation or repository.partition("/")[0],
            used_by=used_by,
        )
        for path in dict.fromkeys(paths)
    ]
    names = [source.name for source in sources]
    if len(set(names)) < len(names):
        problem, advice = (
            _("two files would have the same source name"),
            _("pin the files with separate commands, and rename one source"),
        )
        raise MedzhError(problem, field="PATH", found=", ".join(names), advice=advice)
    return sources


def written(sources: Iterable[Source]) -> str:
    """Write entries as TOML, with texts quoted as in JSON."""
    entries = [
        "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in asdict(source).items())
        for source in sources
    ]
    return "\n".join(f"[[source]]\n{entry}" for entry in entries)


def _name(repository: str, path: str) -> str:
    """Make the name of a source from its repository and file, in lower-case letters, digits and hyphens."""
    words = f"{repository.partition('/')[2]} {PurePosixPath(path).stem}".lower()
    return "-".join(re.findall(r"[a-z0-9]+", words))


def _blob(root: Path, path: str) -> str:
    inside = PurePosixPath(path)
    if inside.is_absolute() or ".." in inside.parts:
        raise MedzhError(_("the path is not inside the repository"), field="PATH", found=path)
    try:
        return blob_sha1(root / inside)
    except OSError as error:
        advice = _("put the file there, or specify a copy of the repository with `--from`")
        raise MedzhError(
            _("cannot read the file: {why}", why=_(error.strerror or str(error))),
            file=root / inside,
            field="PATH",
            advice=advice,
        ) from error
