"""The builds that are included in the package: recipes mini and open, for ``--data mini`` and ``--data open``.

``make samples`` updates them.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dataset_scripts.building.build import build
from dataset_scripts.packaging.build_files import FORMAT
from dataset_scripts.recipe import dataset, dataset_names
from medzh_score.benchmark.registry import is_foreign, package_of
from medzh_score.data.hub import MANIFEST, SAMPLE, SHIPPED, folder_of
from medzh_score.data.records import read_manifest
from medzh_score.io.atomic import folder_beside, put_in_place, write_bytes
from medzh_score.io.paths import package_file


def content_of(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest entry of a config without the storage of its files, which depends on libraries."""
    splits = {name: {**split, "files": len(split["files"])} for name, split in entry["splits"].items()}
    return {**entry, "splits": {name: {**split, "bytes": None} for name, split in splits.items()}}


def sample_beside(config: str, recipe: str = SAMPLE) -> Path:
    """Return the folder of the included build of a config."""
    return package_file(package_of(config), "__init__.py").with_name(recipe)


def is_current(config: str, entry: dict[str, Any]) -> bool:
    """Return whether the included build equals the new one."""
    folder = sample_beside(config, entry["recipe"])
    return folder.exists() and content_of(read_manifest(folder)["configs"][config]) == content_of(entry)


def write_sample(built: Path, config: str, entry: dict[str, Any]) -> None:
    """Copy the files of a config out of a build."""
    target = sample_beside(config, entry["recipe"])
    with folder_beside(target) as part:
        for file in (file for split in entry["splits"].values() for file in split["files"]):
            (part / file["path"]).parent.mkdir(exist_ok=True)
            shutil.copyfile(built / file["path"], part / file["path"])
        manifest = {"format": FORMAT, "configs": {config: entry}}
        write_bytes(part / MANIFEST, (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))
        put_in_place(part, target)


def build_samples(out: Path, recipe: str = SAMPLE) -> None:
    """Build the included data of one recipe into one folder."""
    for config in dataset_names():
        if not is_foreign(config) and any(one.name == recipe for one in dataset(config).recipes):
            build(config, recipe, out)


def main() -> None:
    """Build all included data, and write the changes."""
    for recipe in SHIPPED:
        with TemporaryDirectory(prefix="medzh-samples-") as name:
            out = Path(name) / "medzh"
            build_samples(out, recipe)
            built = folder_of(out)
            for config, entry in read_manifest(built)["configs"].items():
                if not is_current(config, entry):
                    write_sample(built, config, entry)


if __name__ == "__main__":
    main()
