"""Croissant metadata describe a build: mlcroissant takes them, and reads the same records by them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import mlcroissant
import pytest

from dataset_scripts.command_line import main
from medzh_score.data.records import load_records, read_manifest

if TYPE_CHECKING:
    from pathlib import Path

# mlcroissant uses what rdflib and pandas are about to change.
pytestmark = [
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The inplace keyword"),
]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build two samples: one with lists, nulls and two splits."""
    out = tmp_path_factory.mktemp("croissant") / "medzh"
    for config in ("sdak", "tcmd"):
        assert main(["build", config, "--recipe", "mini", "--out", str(out)]) == 0
    return out


def plain(value: object) -> object:
    """Turn bytes into text, and arrays into lists."""
    if isinstance(value, bytes):
        return value.decode("utf-8")
    return [plain(one) for one in value] if hasattr(value, "__iter__") and not isinstance(value, str) else value


def test_mlcroissant_finds_no_error_and_reads_the_records_that_are_there(build: Path) -> None:
    described = mlcroissant.Dataset(jsonld=str(build / "croissant.json"))
    assert not described.metadata.ctx.issues.errors
    for config, entry in read_manifest(build)["configs"].items():
        for split in entry["splits"]:
            name = f"{config}/{split}"
            read = [
                {key.removeprefix(f"{name}/"): plain(value) for key, value in row.items()}
                for row in described.records(name)
            ]
            assert read == load_records(build, config, split=split).rows


def test_a_file_that_is_not_the_one_described_is_refused(build: Path, tmp_path: Path) -> None:
    described: dict[str, Any] = json.loads((build / "croissant.json").read_text(encoding="utf-8"))
    for file in described["distribution"]:
        file["contentUrl"] = str(build / file["contentUrl"])
        file["sha256"] = "0" * 64
    (tmp_path / "croissant.json").write_text(json.dumps(described), encoding="utf-8")
    with pytest.raises(mlcroissant.GenerationError, match="Download") as raised:
        next(iter(mlcroissant.Dataset(jsonld=str(tmp_path / "croissant.json")).records("sdak/test")))
    assert "hash" in repr(raised.value.__cause__).lower()


def test_it_says_how_records_came_to_be_who_read_them_and_their_biases_and_limits(tmp_path: Path) -> None:
    assert main(["build", "cmhe_hd", "--recipe", "open", "--out", str(tmp_path / "medzh")]) == 0
    described = mlcroissant.Dataset(jsonld=str(tmp_path / "medzh" / "croissant.json")).metadata
    assert "cmhe_hd_open: an open counterpart of CMHE-HD, not CMHE-HD" in described.data_collection
    assert described.data_annotation_protocol[0].startswith("cmhe_hd_open: read by two language models an item")
    assert described.data_biases[0].startswith("cmhe_hd_open: Items on which the models that read them disagreed")
    assert described.data_limitations[0].startswith("cmhe_hd_open: It is an open counterpart")


def test_it_is_a_file_of_the_build(build: Path) -> None:
    assert "croissant.json" in read_manifest(build)["files"]
    assert main(["check", str(build)]) == 0
