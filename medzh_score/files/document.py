"""A file that is one JSON document: a report, or somebody's data."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.files.bounds import whole
from medzh_score.files.broken_lines import TRUNCATED, conflict, is_marker, not_utf8
from medzh_score.files.json_text import without_constants
from medzh_score.files.lines import CUT_OFF
from medzh_score.files.twin_keys import refuse_twins
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

    from medzh_score.files.input_file import InputFile


def read_document(file: InputFile, kind: Any, expected: str, *, constants: bool = False) -> Any:  # noqa: ANN401 - as msgspec's own decoder
    """Read a JSON document of a given type."""
    path = file.path
    try:
        content = whole(file.text(), path)
        text = (without_constants(content) if constants else content).decode("utf-8")
    except UnicodeDecodeError as error:
        raise not_utf8(path, content.count(b"\n", 0, error.start) + 1, error) from error
    except (OSError, EOFError, zlib.error) as error:
        raise MedzhError(f"cannot be read: {error}", file=path, advice="transfer the file again") from error
    try:
        found = msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise wrong_type(str(error), path, expected) from error
    except RecursionError as error:
        raise MedzhError("is nested too deeply", file=path, expected=expected) from error
    except msgspec.DecodeError as error:
        at = re.search(r"byte (\d+)", str(error))
        place = int(at.group(1)) if at else len(content)
        line = content.count(b"\n", 0, place) + 1
        begin = content.rfind(b"\n", 0, place) + 1
        marker = content[begin:].partition(b"\n")[0]
        if is_marker(marker):
            raise conflict(marker, path, line) from error
        if str(error) == TRUNCATED:
            problem = "is not JSON: it was not written to its end"
            raise MedzhError(problem, file=path, line=line, expected=expected, advice=CUT_OFF) from error
        raise MedzhError(f"is not JSON: {error}", file=path, line=line, expected=expected) from error
    refuse_twins(text, path, None)
    return found


def wrong_type(message: str, path: Path, expected: str) -> MedzhError:
    """Say where a document is of the wrong kind: what msgspec calls ``$[3].id`` is the JSON pointer ``/3/id``."""
    problem, _, place = message.partition(" - at `$")
    pointer = re.sub(r"\[?([^.\[\]`]+)\]?\.?", r"/\1", place.rstrip("`").lstrip(".")) if place else None
    return MedzhError(problem.replace("`", ""), file=path, field=pointer, expected=expected)
