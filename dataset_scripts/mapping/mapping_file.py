"""The mapping file: how a user's own format becomes the interchange form, in TOML."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dataset_scripts.mapping.options import OptionsAt
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.packaging.validating import invalid
from medzh_score.files.bounds import toml_of
from medzh_score.files.package_files import package_file
from medzh_score.files.regular import regular
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.mapping.interchange import Form

ADVICE = "mend the mapping file"
OF_THEIR_OWN = ("options", "split")  # fields of ours that have a table in the mapping file


@dataclass(frozen=True)
class MappingFile:
    """What a mapping file says.

    Attributes
    ----------
    path : Path
        The file.
    fields : mapping of str to str
        From our field to the path of theirs; ``split`` is one of them.
    constants : mapping of str to str
        From our field to the value that it has in every row.
    values : mapping of str to mapping
        For each of our fields: from their value to ours.
    separators : mapping of str to str
        For fields of ours that hold a list: what stands between its values where theirs is a text.
    options : OptionsAt or None
        Where the options are.
    index : int or None
        The number of the first option, where answers are numbers.
    members : str or None
        Where a group has the list of its questions, if one object is a group.
    format : str or None
        ``jsonl``, ``json``, ``csv`` or ``tsv``; None goes by the suffix of the data file.
    encoding : str
        Of the data file.
    """

    path: Path
    fields: Mapping[str, str]
    constants: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    separators: Mapping[str, str] = field(default_factory=dict)
    options: OptionsAt | None = None
    index: int | None = None
    members: str | None = None
    format: str | None = None
    encoding: str = "utf-8"

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all fields of theirs that are used."""
        return (*self.fields.values(), *(self.options.paths if self.options else ()))


def read_mapping(path: Path, form: Form) -> MappingFile:
    """Read a mapping file."""
    written = _toml(path)
    for problem, where, expected in _contradictions(written, form):
        raise MedzhError(problem, file=path, field=where, expected=expected, advice=ADVICE)
    split, at = written.get("split", {}), written.get("options")
    return MappingFile(
        path=path,
        fields=written["fields"] | ({"split": split["field"]} if "field" in split else {}),
        constants=written.get("constants", {}) | ({"split": split["all"]} if "all" in split else {}),
        values=written.get("values", {}) | ({"split": split["values"]} if "values" in split else {}),
        separators=written.get("separators", {}),
        options=None if at is None else _options(at, written["fields"].get("question")),
        index=written.get("answer", {}).get("index"),
        members=written.get("members"),
        format=written.get("format"),
        encoding=written.get("encoding", "utf-8"),
    )


def _toml(path: Path) -> dict[str, Any]:
    try:
        written = toml_of(regular(path).read_bytes(), path)
        # A date is no value here; as a text it is refused, or taken, like any other.
        plain: dict[str, Any] = json.loads(json.dumps(written, default=str, allow_nan=False))
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path, advice="name a mapping file") from error
    except ValueError as error:
        raise MedzhError(f"is no mapping file in TOML and UTF-8: {error}", file=path, advice=ADVICE) from error
    for problem in invalid([plain], read_schema(package_file("medzh_score", "schemas/mapping.schema.json"))):
        where = problem.pointer.strip("/").replace("/", ".")
        raise MedzhError(
            f"is not what a mapping file has: {problem.found}",
            file=path,
            field=where or "the file",
            expected=problem.expected,
            advice=ADVICE,
        )
    return plain


def _contradictions(written: dict[str, Any], form: Form) -> Iterator[tuple[str, str, str]]:
    """Say what the schema of mapping files cannot: problem, field and what was expected."""
    properties = form.schema["properties"]
    ours = [name for name in properties if name not in OF_THEIR_OWN]
    for part in ("fields", "constants", "values"):
        for name in written.get(part, {}):
            if name not in ours:
                yield "is no field of ours", f"{part}.{name}", ", ".join(ours)
            elif part == "constants" and name in written["fields"]:
                yield "stands in [fields], too", f"{part}.{name}", "each field once"
    lists = [name for name in ours if "array" in properties[name]["type"]]
    for name in written.get("separators", {}):
        if name not in lists:
            yield "is no field of ours that holds a list", f"separators.{name}", ", ".join(lists) or "no such table"
    yield from _in_split(written.get("split"), properties["split"]["enum"])
    yield from _in_options(written.get("options"), has_options="options" in properties)


def _in_split(split: dict[str, Any] | None, names: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    if split is None:
        return
    if ("field" in split) == ("all" in split):
        yield "says it twice or not at all", "split", "either field or all"
    elif "values" in split and "field" not in split:
        yield "has values of no field", "split.values", "split.field"
    for theirs, value in {**split.get("values", {}), **({"all": split["all"]} if "all" in split else {})}.items():
        if value not in names:
            yield f"{value} is no split", f"split.{theirs}", " or ".join(names)


def _in_options(at: dict[str, Any] | None, *, has_options: bool) -> Iterator[tuple[str, str, str]]:
    if at is None:
        return
    if not has_options:
        yield "the config has no options", "options", "no such table"
    if ("field" in at) == ("columns" in at):
        yield "says it twice or not at all", "options", "either field or columns"
    elif len(set(at.get("columns", ()))) < len(at.get("columns", ())):
        yield "names a column twice", "options.columns", "each option's column once"
    elif "columns" in at and ("separator" in at or "kind" in at):
        yield "separates what columns separate", "options", "field, or no separator and kind"
    elif "separator" in at and "kind" in at:
        yield "says twice how options are separated", "options", "either separator or kind"
    elif "field" in at and not ("separator" in at or "kind" in at or at.get("labels")):
        yield "does not say how options are separated", "options", "separator, labels = true or kind"


def _options(at: dict[str, Any], question: str | None) -> OptionsAt:
    paths = at["columns"] if "columns" in at else [at["field"]]
    kind = at.get("kind", "columns" if "columns" in at else "text")
    return OptionsAt(tuple(paths), kind, at.get("separator"), at.get("labels", False), inside=question in paths)
