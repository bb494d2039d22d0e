"""The column types of a config, which follow from the JSON Schema of its records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from medzh_score.files.package_files import package_file
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pyarrow as pa
    from datasets import Features

SCALARS = {"string": "string", "integer": "int64", "number": "float64", "boolean": "bool"}
LIST = "list<{}>"
SHARED = "record.schema.json"


def read_schema(path: Path) -> dict[str, Any]:
    """Read a JSON Schema that belongs to a package; properties that several have are put in the place of references."""
    schema = _json(path)
    shared: dict[str, Any] = {}
    for name, declared in schema.get("properties", {}).items():
        reference = declared.get("$ref") if isinstance(declared, dict) else None
        if not isinstance(reference, str):
            continue
        shared = shared or _json(package_file("medzh_score", f"schemas/{SHARED}"))["$defs"]
        known = {f"{SHARED}#/$defs/{one}": content for one, content in shared.items()}
        if reference not in known:
            pointer, expected = f"/properties/{name}/$ref", ", ".join(known)
            raise MedzhError("refers to no property", file=path, field=pointer, expected=expected, found=reference)
        schema["properties"][name] = {**known[reference], **{k: v for k, v in declared.items() if k != "$ref"}}
    return schema


def _json(path: Path) -> dict[str, Any]:
    try:
        schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path) from error
    except ValueError as error:
        raise MedzhError(f"is not JSON: {error}", file=path) from error
    return schema


def column_types(schema: Mapping[str, Any]) -> dict[str, str]:
    """Derive the name and type of each column from a record's JSON Schema.

    Examples
    --------
    >>> column_types({"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": ["integer", "null"]}}})
    {'id': 'string', 'n': 'int64'}
    """
    properties = schema.get("properties")
    if schema.get("type") != "object" or not isinstance(properties, dict) or not properties:
        raise MedzhError("the schema of a record names no columns", field="/properties", expected="properties")
    return {name: _column_type(declared, f"/properties/{name}") for name, declared in properties.items()}


def features_of(types: Mapping[str, str]) -> Features:
    """Turn column types into the features that ``load_dataset`` gives back."""
    from datasets import Features, List, Value

    def feature(written: str) -> Any:  # noqa: ANN401 - Value or List, which ship no types
        inner = written.removeprefix("list<").removesuffix(">")
        return Value(inner) if inner == written else List(Value(inner))

    return Features({name: feature(written) for name, written in types.items()})


def arrow_schema(schema: Mapping[str, Any]) -> pa.Schema:
    """Derive the columns of records as Arrow has them from a record's JSON Schema."""
    return features_of(column_types(schema)).arrow_schema


def _column_type(declared: Mapping[str, Any], pointer: str) -> str:
    name = _type_name(declared, pointer)
    if name != "array":
        return SCALARS[name]
    item = _type_name(declared.get("items", {}), f"{pointer}/items")
    if item == "array":
        raise _unsupported(f"{pointer}/items", "array")
    return LIST.format(SCALARS[item])


def _type_name(declared: Any, pointer: str) -> str:  # noqa: ANN401 - whatever the JSON holds
    written = declared.get("type") if isinstance(declared, dict) else None
    names = [written] if isinstance(written, str) else list(written or [])
    names = [name for name in names if name != "null"] or names
    if len(names) != 1 or names[0] not in {*SCALARS, "array"}:
        raise _unsupported(pointer, written)
    return str(names[0])


def _unsupported(pointer: str, found: object) -> MedzhError:
    expected = ", ".join(SCALARS) + " or array of one of them, each also nullable, as type"
    return MedzhError("a dataset has no column type for this", field=pointer, expected=expected, found=found)
