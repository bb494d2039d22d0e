"""Whether records are what their schema says, and agree with each other."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from dataset_scripts.packaging.schema_words import in_words
from medzh_score.messages.errors import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from jsonschema_rs import Draft202012Validator

    from dataset_scripts.recipe import Record

TOO_DEEP = "Recursion limit reached"  # as the validator says it, from 255 levels on
NON_EMPTY = ("prompt", "answer")  # other tools send the one and compare with the other


@dataclass(frozen=True)
class Problem:
    """A field of a record that is not what the schema says.

    Attributes
    ----------
    record : str
        The record's upstream key; its id or its number where it has none.
    pointer : str
        The JSON pointer of the field; empty for the record as a whole.
    expected : str
        What the rule of the schema that failed asks for, in words.
    found : str
        What was there, shortened.
    index : int
        The record's place in the list, from 0.
    """

    record: str
    pointer: str
    expected: str
    found: str
    index: int

    def __str__(self) -> str:
        """Give the problem as one line."""
        return f"record {self.record}: {self.pointer or '/'}: expected {self.expected}; found {self.found}"


def invalid(records: Iterable[Mapping[str, Any]], schema: Mapping[str, Any]) -> list[Problem]:
    """Validate records against a JSON Schema."""
    validator = _validator(json.dumps(schema))
    problems: list[Problem] = []
    for index, record in enumerate(records):
        try:
            if not validator.is_valid(record):
                problems += _problems(validator, record, index, schema)
        except UnicodeEncodeError as error:
            found = shown(error.object)
            problems.append(Problem(_name(record, index), "", "texts that UTF-8 can store", found, index))
        except ValueError as error:
            if str(error) != TOO_DEEP:
                raise
            problems.append(Problem(_name(record, index), "", "values nested less deeply", shown(record), index))
    return problems


def faults(
    config: str,
    splits: Mapping[str, Sequence[Record]],
    schema: Mapping[str, Any],
    check: Callable[[Mapping[str, Sequence[Record]]], list[str]],
) -> list[str]:
    """Say all that is wrong with the records of a config: in each field, in each split, and across them."""
    found = [f"{config} {split}: {problem}" for split in splits for problem in invalid(splits[split], schema)]
    if found:
        return found
    among = [f"{config} {split}: {problem}" for split in splits for problem in inconsistent(splits[split])]
    return [*among, *(f"{config}: {problem}" for problem in check(splits))]


def inconsistent(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Say what is wrong among the records of a split, whatever the config."""
    counts: Counter[Any] = Counter()
    empty, halved = [], []
    for index, record in enumerate(records):
        counts[record.get("id")] += 1
        empty += [
            f"record {_name(record, index)}: /{field}: expected a text; found {shown(record.get(field))}"
            for field in NON_EMPTY
            if not str(record.get(field) or "").strip()
        ]
        if not _is_storable(record):
            halved.append(f"record {_name(record, index)}: holds half a character, which UTF-8 cannot store")
    twice = [f"id {shown(name)}: {count} records have it" for name, count in counts.items() if count > 1]
    return [*twice, *empty, *halved]


def _is_storable(record: Mapping[str, Any]) -> bool:
    try:
        msgspec.msgpack.encode(record)
    except UnicodeEncodeError:
        return False
    return True


@lru_cache(maxsize=16)
def _validator(schema: str) -> Draft202012Validator:
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(json.loads(schema))


def _problems(
    validator: Draft202012Validator, record: Mapping[str, Any], index: int, schema: Mapping[str, Any]
) -> Iterator[Problem]:
    name = _name(record, index)
    for error in validator.iter_errors(record):
        pointer = "".join(map(_step, error.instance_path))
        kind: Any = error.kind  # one class a keyword, each with attributes of its own
        if kind.name == "required":
            yield Problem(name, pointer + _step(kind.property), "a value", "none", index)
        elif kind.name == "additionalProperties":
            place: Any = error.instance
            for field in kind.unexpected:
                yield Problem(name, pointer + _step(field), "no such field", shown(place[field]), index)
        else:
            yield Problem(name, pointer, in_words(error.schema_path, schema), shown(error.instance), index)


def _step(step: str | int) -> str:
    return "/" + str(step).replace("~", "~0").replace("/", "~1")


def _name(record: Mapping[str, Any], index: int) -> str:
    for field in ("upstream_key", "id"):
        if isinstance(record.get(field), str) and record[field]:
            return shown(record[field]).strip("'")
    return f"number {index + 1}"
