"""Packages that are as if pip had installed them where they stand: their metadata lie beside them."""

from __future__ import annotations

import tomllib


def install(folder):
    """Write the metadata that pip would write for the project in a folder; the folder belongs on the path."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"], project["version"]
    metadata = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    points = (
        f"[{group}]\n" + "".join(f"{point} = {value}\n" for point, value in declared.items())
        for group, declared in project["entry-points"].items()
    )
    (metadata / "entry_points.txt").write_text("\n".join(points), encoding="utf-8")
    return folder
