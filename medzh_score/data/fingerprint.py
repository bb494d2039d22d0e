"""The content fingerprint of a config: equal records have an equal one, however they are stored."""

from __future__ import annotations

import hashlib
import hmac
import json
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLAIN = {str, int, bool, type(None)}
_ENCODER = msgspec.json.Encoder(order="sorted")


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
        written = _plain_line if _is_plain(records) else _line
        try:
            for record in records:
                self._digest.update(written([split, record]))
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

    Examples
    --------
    >>> first = fingerprint({"test": [{"id": "a", "n": 1}, {"id": "b", "n": 2}]}, {"id": "string", "n": "int64"})
    >>> second = fingerprint({"test": [{"n": 2, "id": "b"}, {"id": "a", "n": 1}]}, {"n": "int64", "id": "string"})
    >>> first == second
    True
    """
    content = Fingerprint(types, key)
    for split, records in sorted(splits.items()):
        content.add(split, sorted(records, key=itemgetter("id")))
    return content.hexdigest()


def _line(value: object) -> bytes:
    return canonical(value).encode("utf-8") + b"\n"


def _is_plain(records: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether records hold no fraction, nor anything else that the library writes in another way than JSON's."""
    values = [value for record in records for value in record.values()]
    kinds = set(map(type, values))
    if list in kinds:
        kinds = (kinds - {list}).union(map(type, chain.from_iterable(one for one in values if type(one) is list)))
    return kinds <= PLAIN


def _plain_line(value: object) -> bytes:
    """Write what is plain by the library, whose bytes are the same, and which is faster."""
    return _ENCODER.encode(value) + b"\n"


def canonical(value: object) -> str:
    """Write a value as canonical JSON: sorted keys, no spaces, no escapes.

    Examples
    --------
    >>> canonical({"b": 1, "a": ["麻疹"]})
    '{"a":["麻疹"],"b":1}'
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
