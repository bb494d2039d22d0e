"""Ids of private configs: HMAC-SHA256 with a secret, so that whoever guesses a question can confirm nothing by its id.

From the secret a key is derived, which stands in the manifest and keys the fingerprint and the digests of sources. From
that key nobody finds the secret, nor the id of a text.
"""

from __future__ import annotations

import hashlib
import hmac
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataset_scripts.files.digests import content_digest
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.messages.privacy import withhold_texts

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Keyed:
    """The secret by which ids are made, and the digits of all that were made."""

    secret: bytes = field(repr=False)
    given: set[str] = field(default_factory=set, repr=False)

    @property
    def key(self) -> str:
        """The key of the manifest; no content of an id is written as this word is."""
        return hmac.new(self.secret, b"manifest", hashlib.sha256).hexdigest()


_NOW: ContextVar[Keyed | None] = ContextVar("keyed", default=None)


def is_private(config: str) -> bool:
    """Say whether a config is private, of which nothing is quoted then; what nothing here scores declares nothing."""
    return config in config_names() and find_config(config).private


def holds_private(config: str, entry: object) -> bool:
    """Say whether data are of a private config, as its package or the build says; of such nothing is quoted then."""
    keyed = isinstance(entry, dict) and "key" in entry
    if keyed:
        withhold_texts()
    return is_private(config) or keyed


@contextmanager
def keyed_by(secret: bytes) -> Iterator[Keyed]:
    """Let all ids that are made of a content while the block runs be keyed."""
    token = _NOW.set(now := Keyed(secret))
    try:
        yield now
    finally:
        _NOW.reset(token)


def id_digits(content: object) -> str:
    """Give the digits of an id of a content: keyed ones where a private config is built."""
    if (now := _NOW.get()) is None:
        return content_digest(content)
    digits = content_digest(content, now.secret)
    now.given.add(digits)
    return digits


def keyed_digest(digest: str, key: str | None) -> str:
    """Key the digest of a source, as a manifest has it; without a key it stays as it is."""
    return digest if key is None else hmac.new(bytes.fromhex(key), digest.encode("ascii"), hashlib.sha256).hexdigest()
