"""Sources in JSON Lines, read strictly: what is wrong is named with its line."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from typing import TYPE_CHECKING, Any

from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ADVICE = "mend the line, or give another file"


def read_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read a file of one JSON object a line.

    Parameters
    ----------
    path : Path
        UTF-8. A BOM, CRLF, blank lines and a last line without newline are fine.

    Yields
    ------
    tuple of (int, dict)
        The number of the line, from 1, and the object; its keys are in the order of the line.

    Raises
    ------
    MedzhError
        If the file cannot be read, or a line is not UTF-8, not one JSON object, names a key twice, or holds a number
        that JSON has not or half a character.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path, advice="name a file") from error
    for number, line in enumerate(content.removeprefix(BOM_UTF8).split(b"\n"), start=1):
        if line.strip():
            yield number, _object(path, number, line)


def _object(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=_without_twins, parse_constant=_refuse)
        if b"\\u" in line:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        bad = line[error.start : error.start + 8]
        raise MedzhError(
            "is not UTF-8", file=path, line=number, expected="UTF-8", found=bad, advice="save the file as UTF-8"
        ) from error
    except UnicodeEncodeError as error:
        half = str(error.object)[error.start : error.end]
        raise MedzhError("holds half a character", file=path, line=number, found=half, advice=ADVICE) from error
    except (ValueError, RecursionError) as error:
        start = line[:40].decode("utf-8", "replace")
        problem = f"is not JSON: {error}"
        raise MedzhError(
            problem, file=path, line=number, expected="one JSON object", found=start, advice=ADVICE
        ) from error
    if not isinstance(value, dict):
        raise MedzhError(
            "is not a JSON object", file=path, line=number, expected="one JSON object", found=value, advice=ADVICE
        )
    return value


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} stands twice in an object")
    return made


def _refuse(constant: str) -> Any:  # noqa: ANN401 - never returns
    raise ValueError(f"{constant} is no JSON number")
