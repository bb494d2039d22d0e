"""The content fingerprint of a config: equal records have an equal one, however they are stored."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLAIN = {str, int, bool, type(None)}
_ENCODER = msgspec.json.Encoder(order="sorted")


def fingerprint(
    splits: Mapping[str, Sequence[Mapping[str, Any]]],
    types: Mapping[str, str],
    known: Mapping[str, Sequence[str]] | None = None,
    key: str | None = None,
) -> str:
    """Compute the SHA-256 of a config's content.

    It covers the name and type of each column and, for each record in the order of the ids, its split and its
    canonical JSON (sorted keys, no spaces, no escapes, UTF-8), one line each. The order of splits, records, columns
    and keys does not matter, nor do sharding, compression or the version of the library that stored them. Where the ids
    of each split are ``known``, the records are gone through once. With the ``key`` of a private config's build, hex
    digits, it is an HMAC: whoever lacks the key cannot try whether guessed records have a fingerprint that they saw.

    Examples
    --------
    >>> first = fingerprint({"test": [{"id": "a", "n": 1}, {"id": "b", "n": 2}]}, {"id": "string", "n": "int64"})
    >>> second = fingerprint({"test": [{"n": 2, "id": "b"}, {"id": "a", "n": 1}]}, {"n": "int64", "id": "string"})
    >>> first == second
    True
    """
    begun = _line(sorted(types.items()))
    digest = hashlib.sha256(begun) if key is None else hmac.new(bytes.fromhex(key), begun, hashlib.sha256)
    for split, records in sorted(splits.items()):
        ids = known[split] if known else [record["id"] for record in records]
        for place in sorted(range(len(ids)), key=ids.__getitem__):
            digest.update(_record_line(split, records[place]))
    return digest.hexdigest()


def _line(value: object) -> bytes:
    return canonical(value).encode("utf-8") + b"\n"


def _record_line(split: str, record: Mapping[str, Any]) -> bytes:
    """Write a record; where it holds no fraction by the library, whose bytes are the same, and which is faster."""
    kinds = set(map(type, record.values()))
    if list in kinds:
        kinds = (kinds - {list}).union(*(map(type, value) for value in record.values() if isinstance(value, list)))
    return _ENCODER.encode([split, record]) + b"\n" if kinds <= PLAIN else _line([split, record])


def canonical(value: object) -> str:
    """Write a value as canonical JSON: sorted keys, no spaces, no escapes.

    Examples
    --------
    >>> canonical({"b": 1, "a": ["麻疹"]})
    '{"a":["麻疹"],"b":1}'
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
