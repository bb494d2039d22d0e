"""Chinese names of MeSH's descriptors, from a table that the user brings."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dataset_scripts.user_files.read import read_rows
from dataset_scripts.user_files.rows import Form, row_schema
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.terminology.descriptor import Descriptor

NAMES = "mesh-names"
ALIASES = "aliases"
CHINESE = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
ADVICE = (
    "give a table of Chinese names with --source mesh-names=FILE: "
    "its columns are concept (an identifier of MeSH or an English name), name, and aliases where there are any"
)
_TEXT = {"type": "string", "minLength": 1, "pattern": "\\S"}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["concept"],
    "additionalProperties": False,
    "properties": {
        "concept": _TEXT,
        "name": {"type": ["string", "null"]},
        ALIASES: {"type": ["array", "null"], "items": _TEXT},
    },
}
FORM = Form(row_schema(_SCHEMA, derived=(), splits=("names",)), {NAMES: "names"})


@dataclass
class Named:
    """What a table of names says of the descriptors of MeSH."""

    # by the descriptor's position: its Chinese name, behind it the others in the table's order
    names: dict[int, list[str]] = field(default_factory=dict)
    rows: int = 0
    left_out: Counter[str] = field(default_factory=Counter)  # rows that say nothing of a descriptor, by reason


def read_named(files: Mapping[str, SourceFile], descriptors: Sequence[Descriptor]) -> Named:
    """Read Chinese names, and find the descriptors that they name.

    A row has an identifier of MeSH or an English name (a heading, or an entry term of one heading alone), a Chinese
    name and any number of other names. Of several rows for a descriptor the first gives its name, the others aliases.
    """
    if NAMES not in files:
        raise MedzhError("the Chinese names of concepts are missing", field="--source", advice=ADVICE)
    rows, faults = read_rows({NAMES: files[NAMES]}, FORM)
    faults.refuse()
    found = Named(rows=len(rows))
    known, terms = _index(descriptors)
    for row in rows:
        fields = row.fields
        key, name = alike(fields["concept"]), fields.get("name", "").strip()
        index = known.get(key, terms.get(key))
        if not name:
            found.left_out["no Chinese name"] += 1
        elif index is None:
            found.left_out["an identifier or English name that MeSH does not have, or that is one of several"] += 1
        elif not CHINESE.search(name):
            found.left_out["a name without a Chinese character"] += 1
        else:
            found.names.setdefault(index, []).extend((name, *fields.get(ALIASES, ())))
    if not found.names:
        expected = "identifiers such as D016878, or English names, beside Chinese names"
        shown = ", ".join(f"{count:,} rows with {reason}" for reason, count in found.left_out.items()) or "no rows"
        raise MedzhError("names no descriptor of MeSH", file=files[NAMES].path, expected=expected, found=shown)
    return found


def alike(text: str) -> str:
    """Fold what does not tell names apart: case, width and the number of blanks.

    >>> alike("ＰＯＥＭＳ  Syndrome ")
    'poems syndrome'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _index(descriptors: Sequence[Descriptor]) -> tuple[dict[str, int], dict[str, int]]:
    """Find descriptors by identifier and name, and by terms that one of them alone has."""
    known = {alike(one.name): index for index, one in enumerate(descriptors)}
    known |= {alike(one.identifier): index for index, one in enumerate(descriptors) if one.identifier}
    every = [{alike(term) for term in one.terms} for one in descriptors]
    counts = Counter(term for own in every for term in own)
    return known, {term: index for index, own in enumerate(every) for term in own if counts[term] == 1}
