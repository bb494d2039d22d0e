"""The content fingerprint of a config: equal records have an equal one, however they are stored."""

from __future__ import annotations

import hashlib
import json
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def fingerprint(splits: Mapping[str, Iterable[Mapping[str, Any]]], types: Mapping[str, str]) -> str:
    """Compute the SHA-256 of a config's content.

    It covers the name and type of each column and, for each record in the order of the ids, its split and its
    canonical JSON (sorted keys, no spaces, no escapes, UTF-8), one line each. The order of splits, records, columns
    and keys does not matter, nor do sharding, compression or the version of the library that stored them.

    Examples
    --------
    >>> first = fingerprint({"test": [{"id": "a", "n": 1}, {"id": "b", "n": 2}]}, {"id": "string", "n": "int64"})
    >>> second = fingerprint({"test": [{"n": 2, "id": "b"}, {"id": "a", "n": 1}]}, {"n": "int64", "id": "string"})
    >>> first == second
    True
    """
    digest = hashlib.sha256(_line(sorted(types.items())))
    for split, records in sorted(splits.items()):
        for record in sorted(records, key=itemgetter("id")):
            digest.update(_line([split, record]))
    return digest.hexdigest()


def _line(value: object) -> bytes:
    return canonical(value).encode("utf-8") + b"\n"


def canonical(value: object) -> str:
    """Write a value as canonical JSON: sorted keys, no spaces, no escapes.

    Examples
    --------
    >>> canonical({"b": 1, "a": ["麻疹"]})
    '{"a":["麻疹"],"b":1}'
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
