"""Digests of files and of the texts of records, which are keyed with a secret for a private config.

From the secret a key is derived, which stands in the manifest and keys the fingerprint and the digests of sources. From
that key nobody finds the secret, nor the id of a text.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.io.atomic import locked, owner_only, refuse_readable, write_bytes
from medzh_score.io.open_input import regular
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import Unredacted, withhold_texts
from medzh_score.ui.progress import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dataset_scripts.recipe import SourceFile

_WRITTEN = json.JSONEncoder(ensure_ascii=False).encode  # made once: a build calls it for every record
DIGITS = 10  # 40 bits: two of 12,000 contents meet once in about 15,000 builds, two of 50,000 once in about 900


def content_digest(content: object, key: bytes | None = None) -> str:
    """Give ten hex digits of what a record says: of its texts, folded, and never of its position.

    With a key they are those of an HMAC, which whoever lacks the key cannot compute of a guess.

    >>> content_digest(["发热怎么办？"]) == content_digest(["发热怎么办？"])
    True
    """
    written = _WRITTEN(content).encode("utf-8")
    digest = hashlib.sha256(written) if key is None else hmac.new(key, written, hashlib.sha256)
    return digest.hexdigest()[:DIGITS]


def blob_sha1(path: Path) -> str:
    """Compute the git blob SHA-1 of a file's content, as ``git hash-object`` prints it."""
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    return _feed(digest, path)


def sha256(path: Path) -> str:
    """Compute the SHA-256 of a file's content, 64 hex digits."""
    return _feed(hashlib.sha256(), path)


def _feed(digest: hashlib._Hash, path: Path) -> str:
    with regular(path).open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


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
    """Return whether a config is private; if it is, its values are not quoted after this call."""
    return config in config_names() and find_config(config).private


def holds_private(config: str, entry: object) -> bool:
    """Return whether data are private, by package or build; if so, their values are not quoted after this call."""
    keyed = isinstance(entry, dict) and "key" in entry
    if keyed:
        withhold_texts()
    return is_private(config) or keyed


@contextmanager
def keyed_by(secret: bytes) -> Iterator[Keyed]:
    """Key all content ids that are made in the block."""
    token = _NOW.set(now := Keyed(secret))
    try:
        yield now
    finally:
        _NOW.reset(token)


def id_digits(content: object) -> str:
    """Return the digits of a content id, keyed while a private config is built."""
    if (now := _NOW.get()) is None:
        return content_digest(content)
    digits = content_digest(content, now.secret)
    now.given.add(digits)
    return digits


def keyed_digest(digest: str, key: str | None) -> str:
    """Key the digest of a source for a manifest; without a key it is unchanged."""
    return digest if key is None else hmac.new(bytes.fromhex(key), digest.encode("ascii"), hashlib.sha256).hexdigest()


ENDING = ".secret"
BYTES = 32
FORM = re.compile(rb"[0-9a-f]{64}\n")
PATIENCE = 10  # seconds for which another build that makes the secret is waited for


def secret_of(config: str, files: Iterable[SourceFile], key: str | None) -> bytes:
    """Read the secret next to the sources, or make one if there is no earlier build with a key."""
    places = list(dict.fromkeys(_beside(file.path, config) for file in files))
    there = [path for path in places if path.exists()]
    if not there and key is not None:
        problem = _("the secret key used for the existing build is missing")
        advice = _(
            "restore the key, because a new key changes all ids; if the key is lost, move the existing build away first"
        )
        raise MedzhError(problem, file=places[0], advice=advice)
    if not there:
        return _made_secret(config, places[0])
    found = {read_secret(path) for path in there}
    if len(found) > 1:
        problem, advice = (
            _("different secret keys are stored next to the sources"),
            _("keep only the key that was used for the first build"),
        )
        raise MedzhError(problem, field=config, found=Unredacted(", ".join(map(str, there))), advice=advice)
    (secret,) = found
    if key not in {None, Keyed(secret).key}:
        problem = _("the secret key is not the key used for the existing build")
        raise MedzhError(
            problem, file=there[0], advice=_("restore the original key, or move the existing build away first")
        )
    return secret


def _made_secret(config: str, path: Path) -> bytes:
    """Make a secret and report it; of two concurrent builds, the second uses that of the first."""
    if not os.access(path.parent, os.W_OK):
        advice = _("copy the source to a folder that you can write to; the secret key is stored next to the source")
        raise MedzhError(_("the file cannot be written"), file=path, advice=advice)
    with (
        owner_only(),
        locked(path.with_name(f".{path.name}.lock"), path, _("wait until the other process ends"), PATIENCE),
    ):
        if path.exists():
            return read_secret(path)
        secret = secrets.token_bytes(BYTES)
        write_bytes(path, written(secret).encode("ascii"))
    note = _(
        (
            "The secret key of {config} was created next to its source. Keep the key with the data, because "
            "all ids depend on the key."
        ),
        config=config,
    )
    say([note])
    return secret


def written(secret: bytes) -> str:
    """Format a secret for its file."""
    return f"{secret.hex()}\n"


def read_secret(path: Path) -> bytes:
    """Read a secret, which must be readable by its owner only; it is never shown."""
    refuse_readable(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise MedzhError(_("cannot read the file: {why}", why=_(error.strerror or str(error))), file=path) from error
    if not FORM.fullmatch(content):
        problem, advice = _("the file is not a secret key of a private config"), _("restore the original file")
        raise MedzhError(problem, file=path, expected=_("one line of 64 hex digits"), advice=advice)
    return bytes.fromhex(content.decode("ascii"))


def _beside(source: Path, config: str) -> Path:
    return Path(os.path.abspath(source)).with_name(f"{config}{ENDING}")  # noqa: PTH100 - links stay where they are
