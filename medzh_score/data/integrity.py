"""What rows hold, as one digest a column, and what a build says of itself: mistakes are found, not attackers.

Who swaps a value, a recipe or a file and forgets the digest is told at the next loading. Whoever computes the digests
anew can say anything: no key is involved.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from medzh_score.benchmark.items import Record


Columns = dict[str, list[Any]]
Label = dict[str, Any]

LABEL = "medzh"  # the key in a parquet file's metadata under which it says which rows it holds
ID = "id"


def label_of(config: str, split: str, built: Mapping[str, Any]) -> Label:
    """Say which rows a split holds: what its digest binds to them.

    The version is left out, for publishing stamps another on the same files.
    """
    sources = [{name: source[name] for name in ("name", "sha256", "pinned")} for source in built["sources"]]
    return {
        "config": config,
        "split": split,
        "recipe": built["recipe"],
        "sources": sources,
        "fingerprint": built["fingerprint"],
    }


def stated_in_file(label: Label) -> Label:
    """Give what a file says of its own rows: of sources only the names, for equal rows make equal files."""
    return {**label, "sources": [source["name"] for source in label["sources"]]}


def columns_of(rows: Sequence[Record], names: Iterable[str]) -> Columns:
    """Give columns of rows in the order of the ids, so that the order of the rows does not matter."""
    try:
        ordered = sorted(rows, key=itemgetter(ID))
        return {name: list(map(itemgetter(name), ordered)) for name in names}
    except (KeyError, TypeError) as error:
        raise _lacking(rows, names) from error


def in_order_of_ids(columns: Mapping[str, list[Any]]) -> Columns:
    """Give columns in the order of the ids among them."""
    order = _order(columns[ID])
    return {name: list(map(values.__getitem__, order)) for name, values in columns.items()}


def _order(ids: Sequence[Any]) -> list[int]:
    try:
        return sorted(range(len(ids)), key=ids.__getitem__)
    except TypeError as error:
        found = next(value for value in ids if not isinstance(value, str))
        raise MedzhError(_("invalid id"), field=ID, expected=_("a string"), found=found) from error


def column_digests(columns: Mapping[str, list[Any]]) -> dict[str, str]:
    """Compute a SHA-256 of the typed values of each column, as MessagePack has them.

    Neither the version of the library that stored them, nor row groups, nor shards matter.
    """
    digests = ColumnDigests(len(next(iter(columns.values()), ())))
    for name, values in columns.items():
        digests.add(name, values)
    return digests.hexdigests()


class ColumnDigests:
    """The digests of columns of so many rows, each of which is seen as one array, whatever parts it comes in."""

    def __init__(self, rows: int) -> None:
        self._digests: dict[str, hashlib._Hash] = defaultdict(hashlib.sha256(_head(rows)).copy)

    def add(self, name: str, values: list[Any]) -> None:
        """Take the next values of a column."""
        self._digests[name].update(memoryview(_packed(name, values))[len(_head(len(values))) :])

    def hexdigests(self) -> dict[str, str]:
        """Give 64 hex digits a column."""
        return {name: digest.hexdigest() for name, digest in self._digests.items()}


def digest_of(label: Mapping[str, Any], columns: Mapping[str, str]) -> str:
    """Bind the digests of all columns to what the rows are said to be."""
    return hashlib.sha256(canonical([label, columns]).encode("utf-8")).hexdigest()


def _head(length: int) -> bytes:
    """Give what stands before the values of an array: a none takes one byte."""
    return msgspec.msgpack.encode([None] * length)[: -length or None]


def _packed(name: str, values: list[Any]) -> bytes:
    try:
        return msgspec.msgpack.encode(values)
    except (TypeError, ValueError, OverflowError) as error:  # a UnicodeEncodeError is a ValueError
        problem = _("the column contains an unsupported value: {error}", error=quotable(error))
        raise MedzhError(
            problem, field=name, expected=_("strings, numbers, booleans, None, or lists of them")
        ) from error


def _lacking(rows: Sequence[Any], names: Iterable[str]) -> MedzhError:
    """Name the first row that lacks a column, or has no text as its id."""
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            return MedzhError(_("record {number} has the wrong type", number=number), expected=_("a dict"), found=row)
        if not isinstance(row.get(ID), str):
            problem = _("record number {number} has no id", number=number)
            return MedzhError(problem, field=ID, expected=_("a string"), found=row.get(ID))
        for name in names:
            if name not in row:
                return MedzhError(
                    _("record {row} is missing a field required for scoring", row=quotable(row[ID])),
                    field=name,
                    expected=_("a value"),
                )
    return MedzhError(_("the records are not dicts"), field=ID)


class Fingerprint:
    """The SHA-256 of a config's content, or its HMAC by the key of a private build.

    Splits come in the order of their names, records in that of ids.
    """

    def __init__(self, types: Mapping[str, str], key: str | None = None) -> None:
        begun = _line(sorted(types.items()))
        self._digest = hashlib.sha256(begun) if key is None else hmac.new(bytes.fromhex(key), begun, hashlib.sha256)
        self._fault: Exception | None = None

    def add(self, split: str, records: Sequence[Mapping[str, Any]]) -> None:
        """Take the next records."""
        if self._fault is not None:
            return
        try:
            for record in records:
                self._digest.update(_line([split, record]))
        except (ValueError, TypeError) as error:
            self._fault = error

    def hexdigest(self) -> str:
        """Give 64 hex digits; what JSON cannot say is raised here, so that all else can be looked at before."""
        if self._fault is not None:
            raise self._fault
        return self._digest.hexdigest()


def fingerprint(
    splits: Mapping[str, Sequence[Mapping[str, Any]]], types: Mapping[str, str], key: str | None = None
) -> str:
    """Compute the SHA-256 of a config's content.

    It covers the name and type of each column and, for each record in the order of the ids, its split and its
    canonical JSON (sorted keys, no spaces, no escapes, UTF-8), one line each. The order of splits, records, columns
    and keys does not matter, nor do sharding, compression or the version of the library that stored them. With the
    ``key`` of a private config's build, hex digits, it is an HMAC: whoever lacks the key cannot try whether guessed
    records have a fingerprint that they saw.
    """
    content = Fingerprint(types, key)
    for split, records in sorted(splits.items()):
        content.add(split, sorted(records, key=itemgetter("id")))
    return content.hexdigest()


def _line(value: object) -> bytes:
    return canonical(value).encode("utf-8") + b"\n"


def canonical(value: object) -> str:
    """Write a value as canonical JSON: sorted keys, no spaces, no escapes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
