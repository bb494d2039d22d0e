from __future__ import annotations

import json

import pyarrow as pa
import pytest
from datasets import Dataset, Features, List, Value

from dataset_scripts.packaging.features import column_types, features_of, read_schema
from dataset_scripts.recipe import dataset
from medzh_score.messages.errors import MedzhError


def of(**properties):
    return {"type": "object", "properties": properties}


def test_each_kind_of_column_has_one_type():
    schema = of(
        text={"type": "string"},
        maybe={"type": ["string", "null"]},
        whole={"type": "integer"},
        number={"type": ["null", "number"]},
        yes={"type": "boolean", "description": "or no"},
        texts={"type": "array", "items": {"type": "string"}},
        numbers={"type": ["array", "null"], "items": {"type": ["integer", "null"]}},
        chosen={"type": "string", "enum": ["a", "b"]},
    )
    types = column_types(schema)
    assert types == {
        "text": "string",
        "maybe": "string",
        "whole": "int64",
        "number": "float64",
        "yes": "bool",
        "texts": "list<string>",
        "numbers": "list<int64>",
        "chosen": "string",
    }
    expected = Features(
        text=Value("string"),
        maybe=Value("string"),
        whole=Value("int64"),
        number=Value("float64"),
        yes=Value("bool"),
        texts=List(Value("string")),
        numbers=List(Value("int64")),
        chosen=Value("string"),
    )
    assert features_of(types) == expected
    row = {
        "text": "是",
        "maybe": None,
        "whole": 2**53 + 1,
        "number": 0.1,
        "yes": True,
        "texts": ["a"],
        "numbers": [None],
    }
    row["chosen"] = "a"
    assert pa.Table.from_pylist([row], schema=features_of(types).arrow_schema).to_pylist() == [row]
    assert Dataset.from_list([row], features=features_of(types)).to_list() == [row]


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


@pytest.mark.parametrize("schema", [{}, {"type": "array"}, {"type": "object"}, {"type": "object", "properties": {}}])
def test_a_schema_without_columns_is_refused(schema):
    with pytest.raises(MedzhError):
        column_types(schema)


def test_the_columns_of_sdak_are_those_that_the_issue_names():
    types = column_types(read_schema(dataset("sdak").schema))
    lists = {"slot_names", "slot_values", "sources"}
    assert {name for name, written in types.items() if written == "list<string>"} == lists
    assert {name for name, written in types.items() if written not in {"string", "list<string>"}} == {"n_sources"}
    named = "id pair_id type type_zh polarity label claim subject object prompt answer source recipe upstream_key"
    assert set(types) == {*named.split(), *lists, "n_sources"}


def test_a_damaged_schema_file_is_named(tmp_path):
    for content in (b"{", b"\xff"):
        (tmp_path / "x.json").write_bytes(content)
        with pytest.raises(MedzhError, match="not JSON"):
            read_schema(tmp_path / "x.json")
    with pytest.raises(MedzhError, match="cannot be read"):
        read_schema(tmp_path / "y.json")


def test_every_field_of_every_schema_of_records_is_required_and_described():
    schema = json.loads(dataset("sdak").schema.read_text(encoding="utf-8"))
    assert sorted(schema["required"]) == sorted(schema["properties"])
    assert schema["additionalProperties"] is False
    assert all(declared["description"] for declared in schema["properties"].values())
