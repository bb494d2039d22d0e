"""Whole JSON documents and tables of examination banks, read strictly: what is wrong is named with its place."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from typing import TYPE_CHECKING, Any

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read_bytes(file: Path) -> bytes:
    """Read a file."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=file) from error


def parse(content: bytes, file: Path) -> Any:  # noqa: ANN401 - any JSON value
    """Read one JSON value."""
    try:
        return json.loads(content.removeprefix(BOM_UTF8).decode("utf-8"))
    except (ValueError, RecursionError) as error:  # not UTF-8, or not JSON
        raise MedzhError(f"not JSON in UTF-8: {error}", file=file) from error


def objects(value: object, file: Path, field: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Walk over a list of objects, each with its JSON pointer; anything else is refused."""
    if not isinstance(value, list):
        raise MedzhError("not a list of questions", file=file, field=field or None, expected="a list", found=value)
    for place, member in enumerate(value):
        pointer = f"{field}/{place}"
        if not isinstance(member, dict):
            raise MedzhError("not a question", file=file, field=pointer, expected="an object", found=member)
        yield pointer, member


def text(member: dict[str, Any], name: str, file: Path, pointer: str, *, needed: bool = False) -> str:
    """Take a text out of an object: empty where it is null, or absent and not needed; a whole number as its digits."""
    value = member.get(name)
    if name not in member and needed:
        found = ", ".join(map(str, member))
        raise MedzhError("a field is missing", file=file, field=f"{pointer}/{name}", expected="a text", found=found)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise MedzhError("not a text", file=file, field=f"{pointer}/{name}", expected="a text", found=value)
    return str(value)


def texts(value: object, file: Path, pointer: str) -> list[str]:
    """Take a list of texts; null is an empty one."""
    listed = [] if value is None else value
    if not isinstance(listed, list) or not all(isinstance(member, str) for member in listed):
        raise MedzhError("not a list of texts", file=file, field=pointer, expected="a list of texts", found=value)
    return listed


def mapping(value: object, file: Path, pointer: str) -> dict[str, str]:
    """Take an object of texts; null is an empty one, and a null inside is an empty text."""
    listed = {} if value is None else value
    if not isinstance(listed, dict) or not all(isinstance(member, str | None) for member in listed.values()):
        raise MedzhError("not an object of texts", file=file, field=pointer, expected="letter to text", found=value)
    return {letter: member or "" for letter, member in listed.items()}
