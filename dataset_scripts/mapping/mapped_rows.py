"""Rows of a user's own format, brought into the interchange form by a mapping file."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.stored import Stored
from dataset_scripts.mapping.answers import read_answer
from dataset_scripts.mapping.data_files import read_data_file
from dataset_scripts.mapping.interchange import Fault
from dataset_scripts.mapping.mapping_file import ADVICE, OF_THEIR_OWN
from dataset_scripts.mapping.options import read_options, split_at_letters
from dataset_scripts.mapping.values import UnmappedError, as_list, as_text
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from dataset_scripts.mapping.interchange import Form, Names, Row
    from dataset_scripts.mapping.mapping_file import MappingFile

EMPTY: tuple[object, ...] = (None, "", [], {})
LONGEST_NUMBER = 9  # digits; Python refuses to read thousands of them
UNKNOWN_VALUE = "has a value that is not known"
_NOWHERE = object()


@dataclass
class Mapped:
    """What came of the rows.

    Attributes
    ----------
    rows : list of Row
        All of them; those with a fault may lack fields.
    faults : list of Fault
        Why some of them cannot become records; one a row.
    unused : Counter of str
        The fields of theirs that the mapping does not use: in how many objects each has a value.
    absent : dict of str to str
        From our fields to those of theirs that the mapping names and no object has a value for. Fields without which
        no row can become a record are never among them, nor are those of options: the mapping is wrong.
    """

    rows: list[Row] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    unused: Counter[str] = field(default_factory=Counter)
    absent: dict[str, str] = field(default_factory=dict)


def map_rows(mapping: MappingFile, files: Mapping[str, Path], form: Form, names: Names) -> Mapped:
    """Bring the rows of files into the interchange form. Gives every row, and what did not map."""
    mapped, stored = Mapped(absent=dict(mapping.fields)), Stored()
    unseen = dict.fromkeys(mapping.options.paths if mapping.options else ())
    names_there: dict[str, None] = {}
    for source, path in files.items():
        lines = read_data_file(path, mapping.format, mapping.encoding, mapping.paths)
        for number, (line, whole) in enumerate(lines, start=1):
            names_there.update(dict.fromkeys(whole))
            mapped.unused.update(set(_unused(whole, mapping.paths)))
            for member in _members(whole, mapping.members):
                theirs = _Theirs(whole, member, mapping.members)
                mapped.absent = {name: at for name, at in mapped.absent.items() if theirs.at(at) in EMPTY}
                unseen = {at: None for at in unseen if theirs.at(at, _NOWHERE) is _NOWHERE}
                fields, unmapped = _translated(mapping, theirs, form, names)
                if mapping.members is not None and "group_id" in form.schema["properties"].keys() - mapping.fields:
                    fields["group_id"] = f"object {number}"
                row = form.row(stored, source, path, line, fields)
                mapped.rows.append(row)
                for name, error in unmapped[:1]:
                    mapped.faults.append(Fault(row, name, error.problem, error.expected, error.found))
    if mapped.rows:
        _refuse_absent(mapping, form, [*mapped.absent.items(), *(("options", at) for at in unseen)], names_there)
    return mapped


def _refuse_absent(
    mapping: MappingFile, form: Form, absent: Iterable[tuple[str, str]], names_there: Iterable[str]
) -> None:
    """Refuse a mapping that looks in the wrong place: an option would be lost in every row, or the rows altogether."""
    for name, at in absent:
        if name == "options" or name in form.schema["required"]:
            raise MedzhError(
                f"no row has a value where the mapping looks for {name}",
                file=mapping.path,
                field=name if name in OF_THEIR_OWN else f"fields.{name}",
                expected="a field such as " + ", ".join(names_there),
                found=at,
                advice=ADVICE,
            )


@dataclass(frozen=True)
class _Theirs:
    """An object of theirs, and the question inside it that is read."""

    whole: Mapping[str, Any]
    member: Any
    members: str | None

    def at(self, path: str, otherwise: Any = None) -> Any:  # noqa: ANN401 - whatever stands there
        if self.members is not None and path.startswith(f"{self.members}."):
            return _at(self.member, path.removeprefix(f"{self.members}."), otherwise)
        return _at(self.whole, path, otherwise)


def _at(value: Any, path: str, otherwise: Any = None) -> Any:  # noqa: ANN401 - whatever stands there
    """Reach into objects; a name with a dot in it comes before a path."""
    if not isinstance(value, dict):
        return otherwise
    if path in value:
        return value[path]
    first, dot, rest = path.partition(".")
    return _at(value.get(first), rest, otherwise) if dot else otherwise


def _members(whole: Mapping[str, Any], members: str | None) -> list[Any]:
    found = _at(whole, members) if members is not None else None
    return found if isinstance(found, list) and found else [None]


def _translated(
    mapping: MappingFile, theirs: _Theirs, form: Form, names: Names
) -> tuple[dict[str, Any], list[tuple[str, UnmappedError]]]:
    """Read all fields that can be read, and say which cannot."""
    fields: dict[str, Any] = {}
    unmapped: list[tuple[str, UnmappedError]] = []
    declared = form.schema["properties"]
    # In the schema's order, so that of several faults always the same one is told; an answer is read among the options.
    for name in sorted(declared, key="answer".__eq__):
        try:
            value = _read(mapping, theirs, name, declared[name])
            if name == "answer" and "options" in declared:
                several = re.fullmatch(declared[name].get("pattern", ""), "AB") is not None
                options = fields.get("options")
                value = read_answer(value, options, mapping.index, several=several) if options is not None else None
            if value is not None:
                fields[name] = _ours(name, declared[name], value, names.get(name))
        except UnmappedError as error:
            unmapped.append((name, error))
    return fields, unmapped


def _read(mapping: MappingFile, theirs: _Theirs, name: str, declared: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a field
    if name == "options":  # where they are missing, they are the fault that is told, and no answer is read
        given = [theirs.at(path) for path in mapping.options.paths] if mapping.options else []
        return read_options(mapping.options, given) if mapping.options and any(given) else None
    written = mapping.constants[name] if name in mapping.constants else theirs.at(mapping.fields.get(name, ""))
    if name == "question" and mapping.options and mapping.options.inside:
        return split_at_letters(as_text(written) or "")[0] or None
    if name == "answer" and isinstance(written, list):
        return written
    values = mapping.values.get(name, {})
    if "array" in declared["type"]:
        listed = as_list(written, mapping.separators.get(name))
        return None if listed is None else list(dict.fromkeys(values.get(text, text) for text in listed))
    text = as_text(written)
    return values.get(text or "", text)


def _ours(name: str, declared: Mapping[str, Any], value: Any, named: Callable[[str], str] | None) -> Any:  # noqa: ANN401
    """Bring a value to the name and type that it has with us."""
    if declared["type"] == "integer":
        if not value.isdecimal() or len(value) > LONGEST_NUMBER:
            raise UnmappedError("is no whole number", "a whole number", value)
        return int(value)
    value = named(value) if named else value
    if isinstance(value, str) and value not in declared.get("enum", (value,)):
        table = "split.values" if name == "split" else f"values.{name}"
        expected = f"one of {', '.join(declared['enum'])}, or a line for it in [{table}] of the mapping file"
        raise UnmappedError(UNKNOWN_VALUE, expected, value)
    return value


def _unused(value: Mapping[str, Any], used: tuple[str, ...], inside: str = "") -> Iterator[str]:
    for name, inner in value.items():
        path = inside + name
        if path in used or inner in EMPTY:
            continue
        if any(one.startswith(f"{path}.") for one in used):
            for part in inner if isinstance(inner, list) else [inner]:
                yield from _unused(part, used, f"{path}.") if isinstance(part, dict) else (path,)
        else:
            yield path
