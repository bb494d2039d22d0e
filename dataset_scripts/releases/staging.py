"""The folder that is uploaded: a build with its version stamped on it."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.build_files import write_rest
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dataset_scripts.releases.versions import Version


@contextmanager
def staged(
    folder: Path, configs: Mapping[str, Mapping[str, Any]], version: Version, *, private: bool
) -> Iterator[Path]:
    """Copy a build, stamp a version on every config, and write card and manifest anew; they say if it is private."""
    with TemporaryDirectory(prefix="medzh-release-") as name:
        copy = Path(name)
        try:
            for entry in configs.values():
                for file in (file for split in entry["splits"].values() for file in split["files"]):
                    (copy / file["path"]).parent.mkdir(exist_ok=True)
                    shutil.copyfile(folder / file["path"], copy / file["path"])
            stamped = {config: {**entry, "version": str(version)} for config, entry in configs.items()}
            write_rest(copy, stamped, before=folder, private=private)
        except OSError as error:
            raise MedzhError(f"cannot be copied: {error.strerror}", file=folder, field="build") from error
        yield copy
