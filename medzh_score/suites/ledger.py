"""Which files were added to a suite: one that comes again under another label is refused."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from medzh_score.files.lines import decoded_lines
from medzh_score.files.writing import write_bytes
from medzh_score.messages.errors import MedzhError, printable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from medzh_score.suites.plan import Plan

LEDGER = "added.jsonl"


class Added(msgspec.Struct, frozen=True):
    """A file that was added: its name and content, and the labels of those whose answers it holds."""

    name: str
    sha256: str
    labels: tuple[str, ...]


def ledger_of(suite: Path) -> list[Added]:
    """Read what was added so far."""
    path = suite / LEDGER
    if not path.exists():
        return []
    return list(decoded_lines(path, msgspec.json.Decoder(Added)))


def digest_of_file(path: Path) -> str:
    """Give the SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def refuse_other_label(before: Sequence[Added], path: Path, sha256: str, labels: Collection[str], plan: Plan) -> None:
    """Refuse a file that is there under other labels, of which the plan still knows one."""
    known = {*(model.label for model in plan.models), *(judge.label for judge in plan.judges)}
    for one in before:
        others = set(labels).difference(one.labels)
        if one.sha256 == sha256 and others and known.intersection(one.labels):
            raise MedzhError(
                f"was added before, as {one.name}",
                file=path,
                field="--model",
                expected=", ".join(one.labels),
                found=", ".join(sorted(others)),
                advice="two systems do not give one file: name the file that is meant",
            )


def write_ledger(suite: Path, added: Sequence[Added]) -> None:
    """Write all that was added."""
    encoder = msgspec.json.Encoder()
    write_bytes(suite / LEDGER, b"".join(encoder.encode(one) + b"\n" for one in added))


def with_file(before: Sequence[Added], path: Path, sha256: str, labels: Iterable[str]) -> list[Added]:
    """Account for a file beside those that were added so far."""
    entry = Added(printable(path.name), sha256, tuple(sorted(labels)))
    return [*(one for one in before if (one.sha256, one.labels) != (sha256, entry.labels)), entry]
