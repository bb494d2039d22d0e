"""Types of columns, rules in words, and Croissant metadata that mlcroissant reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import mlcroissant
import pytest

from dataset_scripts.cli.main import main
from dataset_scripts.packaging.schema import column_types, in_words, read_schema
from medzh_score.data.records import load_records, read_manifest
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path


def of(**properties):
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("declared", "pointer"),
    [
        ({}, "/properties/x"),
        ({"enum": ["a"]}, "/properties/x"),
        ({"type": "object"}, "/properties/x"),
        ({"type": "null"}, "/properties/x"),
        ({"type": ["string", "integer"]}, "/properties/x"),
        ({"$ref": "#/$defs/x"}, "/properties/x"),
        ({"type": "array"}, "/properties/x/items"),
        ({"type": "array", "items": {"type": "object"}}, "/properties/x/items"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}, "/properties/x/items"),
        (True, "/properties/x"),
    ],
)
def test_anything_else_is_refused_by_its_pointer(declared, pointer):
    with pytest.raises(MedzhError) as caught:
        column_types(of(ok={"type": "string"}, x=declared))
    assert caught.value.field == pointer


def test_a_damaged_schema_file_is_named(tmp_path):
    for content in (b"{", b"\xff"):
        (tmp_path / "x.json").write_bytes(content)
        with pytest.raises(MedzhError, match="invalid JSON: "):
            read_schema(tmp_path / "x.json")
    with pytest.raises(MedzhError, match="cannot read the file: No such file"):
        read_schema(tmp_path / "y.json")


@pytest.mark.parametrize(
    ("rules", "keyword", "words"),
    [
        ({"type": "string"}, "type", "a string"),
        ({"type": ["array", "null"]}, "type", "a list or null"),
        ({"enum": ["A", 1, None]}, "enum", "one of A, 1, null"),
        ({"const": 1}, "const", "1"),
        ({"minItems": 2, "maxItems": 5}, "minItems", "2 to 5 options"),
        ({"minItems": 2}, "minItems", "at least 2 options"),
        ({"maxItems": 5}, "maxItems", "at most 5 options"),
        ({"minLength": 1}, "minLength", "a string of at least 1 characters"),
        ({"maxLength": 40}, "maxLength", "a string of at most 40 characters"),
        ({"minimum": 1}, "minimum", "at least 1"),
        ({"pattern": "\\S"}, "pattern", "a non-blank string"),
        ({"pattern": "^[a-z]+$"}, "pattern", "a string that matches ^[a-z]+$"),
        ({"not": {"pattern": "\n"}}, "not", 'not {"pattern": "\\n"}'),
        ({"uniqueItems": True}, "uniqueItems", "uniqueItems true"),
    ],
)
def test_rules_are_said_in_words(rules, keyword, words):
    assert in_words(["properties", "options", keyword], {"properties": {"options": rules}}) == words


def test_a_list_that_is_no_field_has_entries_and_long_rules_are_cut():
    assert in_words(["items", "maxItems"], {"items": {"maxItems": 2}}) == "at most 2 entries"
    assert in_words(["enum"], {"enum": ["病" * 500]}).endswith("病…")


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
        assert main(["build", config, "--recipe", "mini", "--output", str(out)]) == 0
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
    assert main(["build", "cmhe_hd", "--recipe", "open", "--output", str(tmp_path / "medzh")]) == 0
    described = mlcroissant.Dataset(jsonld=str(tmp_path / "medzh" / "croissant.json")).metadata
    assert "cmhe_hd_open: an open counterpart of CMHE-HD, not CMHE-HD" in described.data_collection
    assert described.data_annotation_protocol[0].startswith("cmhe_hd_open: reviewed by two language models per item")
    assert described.data_biases[0].startswith("cmhe_hd_open: Items on which the reviewing models disagreed")
    assert described.data_limitations[0].startswith("cmhe_hd_open: It is an open counterpart")
