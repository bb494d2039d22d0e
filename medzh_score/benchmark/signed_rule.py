"""The name of a rule as reports sign it: with a digest of all that reads, so two readings never share a name."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

from medzh_score.files.package_files import package_file
from medzh_score.terminology.traditional import FILE

if TYPE_CHECKING:
    from pathlib import Path

DIGITS = 8


def signed_rule(name: str) -> str:
    """Give a rule's name as it stands in a signature: with a plus sign and eight hex digits.

    The digest is of all that prepares and reads texts, for each rule of a result alike: by any of them results of two
    versions that read otherwise differ.

    Examples
    --------
    >>> signed_rule("medzh-1")[:8]
    'medzh-1+'
    """
    return f"{name}+{digest()[:DIGITS]}"


@cache
def digest() -> str:
    """Give the SHA-256 over all that reads: ``extraction``, what single configs have in ``reading``, and characters."""
    return digest_of(package_file("medzh_score", "extraction").parent)


def digest_of(package: Path) -> str:
    """Give the SHA-256 over the names and contents of the sources and vocabularies that read, sorted by name."""
    inside = [package / "extraction", *package.glob("configs/*/reading")]
    found_in = [file for folder in inside for file in folder.rglob("*") if file.suffix in {".py", ".toml"}]
    files = {file.relative_to(package).as_posix(): file for file in (*found_in, package / FILE)}
    found = hashlib.sha256()
    for name, file in sorted(files.items()):
        content = file.read_bytes().replace(b"\r\n", b"\n")  # a checkout may have other line ends
        found.update(f"{name}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()
