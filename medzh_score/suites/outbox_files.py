"""The files of the outbox: new ones take the place of what was written before, and of nobody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from medzh_score.files.lines import decoded_lines
from medzh_score.files.writing import write_bytes
from medzh_score.messages.errors import MedzhError
from medzh_score.suites.ledger import digest_of_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

OUTBOX = "outbox"
WRITTEN = "outbox.jsonl"


class Written(msgspec.Struct, frozen=True):
    """A file of the outbox as it was written: its name there and its content."""

    name: str
    sha256: str


def refuse_changed(suite: Path) -> None:
    """Refuse to go on where a file is not any more what was written: somebody's work stands in it."""
    _refuse_others(suite, _written_before(suite))


def put_in_outbox(suite: Path, part: Path) -> None:
    """Move the files of a folder to the outbox, and take away what was written there before."""
    before = _written_before(suite)
    new = [
        Written(path.relative_to(part).as_posix(), digest_of_file(path))
        for path in sorted(part.rglob("*"))
        if path.is_file()
    ]
    _refuse_others(suite, [*before, *new])
    _write(suite, [*before, *new])  # so that a kill leaves no file that is then taken for somebody's work
    names = [one.name for one in new]
    for name in {one.name for one in before}.difference(names):
        (suite / OUTBOX / name).unlink(missing_ok=True)
    for name in names:
        target = suite / OUTBOX / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (part / name).replace(target)
    _write(suite, new)


def _written_before(suite: Path) -> list[Written]:
    path = suite / WRITTEN
    return list(decoded_lines(path, msgspec.json.Decoder(Written))) if path.exists() else []


def _write(suite: Path, written: Iterable[Written]) -> None:
    encoder = msgspec.json.Encoder()
    write_bytes(suite / WRITTEN, b"".join(encoder.encode(one) + b"\n" for one in written))


def _refuse_others(suite: Path, written: Iterable[Written]) -> None:
    """Refuse what stands under the name of a file that was or is to be written, and has another content."""
    digests: dict[str, set[str]] = {}
    for one in written:
        digests.setdefault(one.name, set()).add(one.sha256)
    for name, known in digests.items():
        path = suite / OUTBOX / name
        if path.exists() and not (path.is_file() and digest_of_file(path) in known):
            raise MedzhError(
                "is not as it was written to be sent, and would be lost",
                file=path,
                advice="move it out of the outbox; what is filled in or answered comes back by suite add",
            )
