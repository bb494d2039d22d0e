"""What stands in a board and what it was made of, so that only what changed is written again."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.files.json_text import NO_JSON, json_document
from medzh_score.files.writing import write_bytes
from medzh_score.messages.errors import MedzhError
from medzh_score.show.board.names import FOLDERS, MANIFEST

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KIND = "medzh-score board"
SOURCES = frozenset({".css", ".jinja", ".js", ".json", ".parquet", ".py", ".toml", ".tsv", ".txt"})
ELSEWHERE = "name another folder"


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a board: the digest of what it was made of, and its own; none while it is being written."""

    made_of: str
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a board holds, by path below its folder; nothing else of the folder is ever touched."""

    kind: str
    files: dict[str, Written]


def digest_of(value: Any) -> str:  # noqa: ANN401 - all that msgspec encodes
    """Give the SHA-256 of what something is made of."""
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()


@cache
def code_digest() -> str:
    """Give the digest of the package's files: in a checkout numbers, words and pages change without a new version."""
    with as_file(files("medzh_score")) as folder:
        held = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.*") if path.suffix in SOURCES}
        return digest_of({name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in held.items()})


def read_manifest(site: Path) -> dict[str, Written]:
    """Read what a board holds; nothing of a folder that is empty or not there. Any other folder is refused."""
    if not site.exists() and not site.is_symlink():
        return {}
    if not site.is_dir():
        raise MedzhError("is a file", file=site, field="--out", expected="a folder to write", advice=ELSEWHERE)
    for name in FOLDERS:
        if (site / name).is_symlink() or ((site / name).exists() and not (site / name).is_dir()):
            raise MedzhError("is no folder of its own", file=site / name, field="--out", advice=ELSEWHERE)
    path = site / MANIFEST
    if not path.is_file():
        if any(site.iterdir()):
            problem = "holds something else than a board, and is never written to"
            raise MedzhError(problem, file=site, field="--out", advice=ELSEWHERE)
        return {}
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except NO_JSON as error:
        raise _no_manifest(path) from error
    if manifest.kind != KIND or not all(_is_of_a_board(name) for name in manifest.files):
        raise _no_manifest(path)
    return manifest.files


def _is_of_a_board(name: str) -> bool:
    """Say whether a path leads to where boards have files: what a manifest names may be removed."""
    folder, _, file = name.rpartition("/")
    named = file not in {"", ".", ".."} and "\\" not in file and "\0" not in file
    return folder in {"", *FOLDERS} and named and name != MANIFEST


def _no_manifest(path: Path) -> MedzhError:
    advice = f"{ELSEWHERE}, or remove this one's {MANIFEST} and what else the board holds"
    return MedzhError("is no list of the files of a board", file=path, field="--out", advice=advice)


def write_manifest(site: Path, files: Mapping[str, Written]) -> None:
    """Write what a board holds, in the order of the paths."""
    listed = {name: msgspec.structs.asdict(files[name]) for name in sorted(files)}
    write_bytes(site / MANIFEST, json_document({"kind": KIND, "files": listed}))
