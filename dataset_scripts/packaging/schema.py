"""The column types of a config, which follow from the JSON Schema of its records."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.registry import is_foreign
from medzh_score.io.paths import package_file
from medzh_score.ui.errors import MedzhError, shown
from medzh_score.ui.i18n import _, joined
from medzh_score.ui.privacy import quotable, quotable_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from datasets import Features

    from dataset_scripts.recipe import Record


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
            raise MedzhError(_("unknown reference"), file=path, field=pointer, expected=expected, found=reference)
        schema["properties"][name] = {**known[reference], **{k: v for k, v in declared.items() if k != "$ref"}}
    return schema


def _json(path: Path) -> dict[str, Any]:
    try:
        schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MedzhError(_("cannot read the file: {why}", why=_(error.strerror or str(error))), file=path) from error
    except ValueError as error:
        raise MedzhError(_("invalid JSON: {error}", error=error), file=path) from error
    return schema


def column_types(schema: Mapping[str, Any]) -> dict[str, str]:
    """Derive the name and type of each column from a record's JSON Schema.

    >>> column_types({"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": ["integer", "null"]}}})
    {'id': 'string', 'n': 'int64'}
    """
    properties = schema.get("properties")
    if schema.get("type") != "object" or not isinstance(properties, dict) or not properties:
        raise MedzhError(_("the record schema defines no columns"), field="/properties", expected="properties")
    return {name: _column_type(declared, f"/properties/{name}") for name, declared in properties.items()}


def features_of(types: Mapping[str, str]) -> Features:
    """Convert column types to the features of ``load_dataset``."""
    from datasets import Features, List, Value

    def feature(written: str) -> Any:  # noqa: ANN401 - Value or List, which ship no types
        inner = written.removeprefix("list<").removesuffix(">")
        return Value(inner) if inner == written else List(Value(inner))

    return Features({name: feature(written) for name, written in types.items()})


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
    return MedzhError(_("a dataset column cannot have this schema type"), field=pointer, expected=expected, found=found)


TOO_DEEP = "Recursion limit reached"  # the message of the validator from 255 levels on
NON_EMPTY = ("prompt", "answer")  # other tools send the one and compare with the other
_ENCODE = msgspec.msgpack.Encoder().encode


@dataclass(frozen=True)
class Problem:
    """A field of a record that does not match the schema."""

    record: str  # its upstream key, or else its id or number
    pointer: str  # JSON pointer of the field; empty for the complete record
    expected: str  # the violated rule of the schema, in words
    found: str  # the value, shortened

    def __str__(self) -> str:
        """Return the problem as one line."""
        return _(
            "record {record}: {pointer}: expected {expected}, found {found}",
            record=self.record,
            pointer=self.pointer or "/",
            expected=self.expected,
            found=self.found,
        )


class Validator:
    """A JSON Schema, made ready once for any number of records."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        from jsonschema_rs import Draft202012Validator

        self._schema = schema
        self._rules = Draft202012Validator(dict(schema))

    def problems(self, record: Mapping[str, Any], index: int) -> list[Problem]:
        """Return the problems of a record; its place is used as its name."""
        try:
            return [] if self._rules.is_valid(record) else list(self._each(record, index))
        except UnicodeEncodeError as error:
            found = shown(error.object)
            return [Problem(_name(record, index), "", _("text that UTF-8 can encode"), found)]
        except ValueError as error:
            if str(error) != TOO_DEEP:
                raise
            return [Problem(_name(record, index), "", _("values with fewer nested levels"), shown(record))]

    def _each(self, record: Mapping[str, Any], index: int) -> Iterator[Problem]:
        name = _name(record, index)
        for error in self._rules.iter_errors(record):
            pointer = "".join(map(_step, error.instance_path))
            kind: Any = error.kind  # one class a keyword, each with attributes of its own
            if kind.name == "required":
                yield Problem(name, pointer + _step(kind.property), _("a value"), "none")
            elif kind.name == "additionalProperties":
                place: Any = error.instance
                for field in kind.unexpected:
                    yield Problem(name, pointer + _step(field), _("no field with this name"), shown(place[field]))
            else:
                yield Problem(name, pointer, in_words(error.schema_path, self._schema), shown(error.instance))


def invalid(records: Iterable[Mapping[str, Any]], schema: Mapping[str, Any]) -> list[Problem]:
    """Validate records against a JSON Schema."""
    validator = Validator(schema)
    return [problem for index, record in enumerate(records) for problem in validator.problems(record, index)]


@dataclass(frozen=True)
class Survey:
    """What is wrong with each record of a split, and among them whatever the config."""

    ids: list[Any]
    invalid: list[Problem]
    inconsistent: list[str]  # duplicate ids and empty texts; not used if a record is invalid


def surveyed(splits: Mapping[str, Sequence[Record]], schema: Mapping[str, Any]) -> dict[str, Survey]:
    """Go through the records of all splits."""
    validator = Validator(schema)
    return {split: _survey(records, validator) for split, records in splits.items()}


def _survey(records: Sequence[Record], validator: Validator) -> Survey:
    invalid_fields = [problem for index, one in enumerate(records) for problem in validator.problems(one, index)]
    ids = [record.get("id") for record in records]
    if invalid_fields:
        return Survey(ids, invalid_fields, [])
    found = [
        _("id {name}: used by {count} records", name=shown(name), count=count)
        for name, count in Counter(ids).items()
        if count > 1
    ]
    halved = []
    for index, record in enumerate(records):
        for field in NON_EMPTY:
            if not str(record.get(field) or "").strip():
                what = shown(record.get(field))
                found.append(f"record {_name(record, index)}: /{field}: expected a non-empty string, found {what}")
        if not _is_storable(record):
            name = _name(record, index)
            halved.append(
                _("record {name}: the text contains an unpaired surrogate, which UTF-8 cannot encode", name=name)
            )
    return Survey(ids, [], [*found, *halved])


def faults(
    config: str,
    surveys: Mapping[str, Survey],
    splits: Mapping[str, Sequence[Record]],
    check: Callable[[Mapping[str, Sequence[Record]]], list[str]],
) -> list[str]:
    """Return all problems of surveyed records: of fields, of splits, and across splits."""
    found = [
        joined([f"{config} {split}", str(problem)], ": ")
        for split, survey in surveys.items()
        for problem in survey.invalid
    ]
    if found:
        return found
    among = [
        joined([f"{config} {split}", problem], ": ")
        for split, survey in surveys.items()
        for problem in survey.inconsistent
    ]
    own = map(quotable, check(splits)) if is_foreign(config) else check(splits)
    return [*among, *(joined([config, problem], ": ") for problem in own)]


def _is_storable(record: Mapping[str, Any]) -> bool:
    try:
        _ENCODE(record)
    except UnicodeEncodeError:
        return False
    return True


def _step(step: str | int) -> str:
    return "/" + quotable_key(str(step).replace("~", "~0").replace("/", "~1"))


def _name(record: Mapping[str, Any], index: int) -> str:
    for field in ("upstream_key", "id"):
        if isinstance(record.get(field), str) and record[field]:
            return shown(record[field]).strip("'")
    return f"number {index + 1}"


LONGEST = 300
NOT_BLANK = "\\S"
TYPES = {
    "string": _("a string"),
    "array": _("a list"),
    "object": "an object",
    "integer": _("an integer"),
    "number": "a number",
    "boolean": _("true or false"),
    "null": "null",
}


def in_words(path: Sequence[str | int], schema: Mapping[str, Any]) -> str:
    """Describe a rule of the schema.

    >>> in_words(["properties", "options", "maxItems"], {"properties": {"options": {"minItems": 2, "maxItems": 5}}})
    '2 to 5 options'
    """
    around: Any = schema
    for step in path[:-1]:
        around = around[step]
    keyword, value = path[-1], around[path[-1]]
    words = _of_lists(around, path) or _of_values(str(keyword), value)
    words = words or f"{keyword} {json.dumps(value, ensure_ascii=False)}"
    return words if len(words) <= LONGEST else words[:LONGEST] + "…"


def _of_lists(around: Mapping[str, Any], path: Sequence[str | int]) -> str | None:
    """Describe the length of a list by the name of its field."""
    if path[-1] not in {"minItems", "maxItems"}:
        return None
    what = path[-2] if len(path) > 2 and path[-3] == "properties" else "entries"  # noqa: PLR2004 - the name of a property
    low, high = around.get("minItems"), around.get("maxItems")
    if low is None or high is None:
        return f"at least {low} {what}" if high is None else f"at most {high} {what}"
    return f"{low} to {high} {what}"


def _of_values(keyword: str, value: Any) -> str | None:  # noqa: ANN401 - any value that JSON has
    if keyword == "type":
        return " or ".join(TYPES[name] for name in ([value] if isinstance(value, str) else value))
    if keyword == "enum":
        return "one of " + ", ".join(map(_plain, value))
    if keyword == "pattern" and value == NOT_BLANK:
        return _("a non-blank string")
    plain = _plain(value)
    words = {
        "const": plain,
        "minLength": _("a string of at least {value} characters", value=plain),
        "maxLength": _("a string of at most {value} characters", value=plain),
        "minimum": _("at least {value}", value=plain),
        "maximum": _("at most {value}", value=plain),
        "pattern": _("a string that matches {value}", value=plain),
    }
    return words.get(keyword)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
