"""A build in one file, to be carried behind a closed network: records, card, dictionaries and their hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.building.checking import check
from dataset_scripts.building.keying import holds_private
from medzh_score.data.hub import folder_of
from medzh_score.data.records import read_manifest
from medzh_score.files.archives import write_zip
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import Name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def bundle(build: Path, out: Path, dictionaries: Sequence[Path] = ()) -> dict[str, str]:
    """Write a bundle, with dictionaries of names beside the build; equal content gives equal bytes."""
    build = folder_of(build)
    _refuse_private(build)
    for problem in check(build).problems:
        raise MedzhError(f"the build is not well: {problem}", file=build, advice="see medzh-build check")
    files = (path for path in sorted(build.rglob("*")) if path.is_file())
    members: dict[str, bytes | Path] = {path.relative_to(build).as_posix(): path for path in files}
    for file in dictionaries:
        name = f"dictionaries/{file.name}"
        if name in members or not file.is_file():
            problem = "is there twice" if name in members else "is no file"
            raise MedzhError(problem, file=file, field="--dictionaries")
        members[name] = file
    return write_zip(out, members)


def _refuse_private(build: Path) -> None:
    """Refuse a build that holds a private config: a bundle is made to be carried away."""
    for name, entry in read_manifest(build)["configs"].items():
        if holds_private(name, entry):
            advice = "build the other configs into a folder of their own with --out, and bundle that"
            raise MedzhError(
                "the build holds a private config, which no bundle carries", found=Name(name), advice=advice
            )
