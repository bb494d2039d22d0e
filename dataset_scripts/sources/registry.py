"""The registry of upstream files: address, pinned content and license."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping

REGISTRY = Path(__file__).with_name("sources.toml")


@dataclass(frozen=True)
class Source:
    """An upstream file, pinned."""

    name: str  # the name in recipes and ``--source NAME=FILE``
    repository: str  # ``owner/name`` upstream
    revision: str  # the commit, 40 hex digits
    path: str  # inside the repository
    blob: str  # the git blob SHA-1 of its content, 40 hex digits
    url: str
    licence: str  # an SPDX expression, or ``unknown``
    redistributable: bool  # whether a dataset made from it may be published
    citation: str  # how its authors are named
    used_by: tuple[str, ...]  # the configs whose recipes use it

    @property
    def cached_as(self) -> Path:
        """The file's path inside the cache: ``owner/name/revision/path``."""
        return Path(self.repository) / self.revision / self.path


def read_sources(file: Path) -> dict[str, Source]:
    """Read a ``sources.toml``."""
    try:
        tables = _tables(file.read_text(encoding="utf-8"))["source"]
        listed = [Source(**{**table, "used_by": tuple(table["used_by"])}) for table in tables]
    except OSError as error:
        raise MedzhError(_("cannot read the file: {why}", why=_(error.strerror or str(error))), file=file) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise MedzhError(_("invalid list of sources: {error}", error=error), file=file) from error
    sources = {source.name: source for source in listed}
    if len(sources) != len(listed):
        names = [source.name for source in listed]
        twice = sorted(name for name in sources if names.count(name) > 1)
        raise MedzhError(_("a source is listed twice"), file=file, field="name", found=", ".join(twice))
    return sources


@cache  # a build reads it twice
def _tables(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the cache folder: ``MEDZH_SOURCES``, or else the cache folder of the user."""
    if chosen := environment.get("MEDZH_SOURCES"):
        return Path(chosen)
    return Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "medzh" / "sources"
