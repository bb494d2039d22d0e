"""Files that are one document, in JSON, YAML or TOML; and keys that stand twice in JSON."""

from __future__ import annotations

import json
import re
import tomllib
import zlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from medzh_score.io.jsonl import CUT_OFF, TRUNCATED, not_utf8, what_is_wrong, without_constants
from medzh_score.io.limits import SETTINGS, YAML, check_unpacked, check_whole, whole
from medzh_score.io.open_input import conflict, is_marker
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from numpy.typing import NDArray
    from yaml import Node

    from medzh_score.io.open_input import InputFile


QUOTE, LINE_FEED = ord('"'), ord("\n")
NAME = re.compile(r"[\w.-]+", re.ASCII)
SHORTEST = 3  # signs behind a quotation mark by which keys are told apart: those of "id" with the mark
BACKSLASH, UNICODE = b"\\", ord("u")
ESCAPED = re.compile(rb"\\u00[2-7]")  # letters of ASCII: only so a key can stand without its name


NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
DIGITS = 300  # of a number: Python shows none of 4,300
CELL = 8  # bytes that a value takes at least


def read_document(file: InputFile, kind: Any, expected: str, *, constants: bool = False) -> Any:  # noqa: ANN401 - as msgspec's own decoder
    """Read a JSON document of a given type."""
    path = file.path
    try:
        content = whole(file.text(), path)
        text = (without_constants(content) if constants else content).decode("utf-8")
    except UnicodeDecodeError as error:
        raise not_utf8(path, content.count(b"\n", 0, error.start) + 1, error) from error
    except (OSError, EOFError, zlib.error) as error:
        raise MedzhError(
            _("cannot read the file: {why}", why=error), file=path, advice=_("copy or download it again")
        ) from error
    try:
        found = msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise wrong_type(str(error), path, expected) from error
    except RecursionError as error:
        raise MedzhError(_("the nesting is too deep"), file=path, expected=expected) from error
    except msgspec.DecodeError as error:
        raise not_a_document(error, content, path, 1, expected) from error
    check_duplicate_keys(text, path, None)
    return found


def not_a_document(error: Exception, content: bytes, path: Path, first: int, expected: str | None = None) -> MedzhError:
    """Say where content that begins on some line is no JSON."""
    if isinstance(error, RecursionError):
        return MedzhError(_("the nesting is too deep"), file=path, line=first, expected=expected)
    at = re.search(r"byte (\d+)", str(error))
    place = int(at.group(1)) if at else len(content)
    line = first + content.count(b"\n", 0, place)
    marker = content[content.rfind(b"\n", 0, place) + 1 :].partition(b"\n")[0]
    if is_marker(marker):
        return conflict(marker, path, line)
    if str(error) == TRUNCATED:
        problem = _("invalid JSON: the document is incomplete")
        return MedzhError(problem, file=path, line=line, expected=expected, advice=CUT_OFF)
    return MedzhError(_("invalid JSON: {error}", error=error), file=path, line=line, expected=expected)


def wrong_type(message: str, path: Path, expected: str) -> MedzhError:
    """Say where a document is of the wrong kind: what msgspec calls ``$[3].id`` is the JSON pointer ``/3/id``."""
    problem, _unused, place = message.partition(" - at `$")
    pointer = re.sub(r"\[?([^.\[\]`]+)\]?\.?", r"/\1", place.rstrip("`").lstrip(".")) if place else None
    return MedzhError(what_is_wrong(problem), file=path, field=pointer, expected=expected)


def check_duplicate_keys(
    content: bytes | str, path: Path, line: int | None, names: Collection[str] | None = None
) -> None:
    """Refuse sound JSON in which a key stands twice; of an object whose names are given only these, and none inside."""
    found: list[str] = []

    def look(pairs: list[tuple[str, object]]) -> None:
        keys = [key for key, _unused in pairs]
        twins = [] if len(set(keys)) == len(keys) else [key for key, times in Counter(keys).items() if times > 1]
        found[:] = [*(() if names else found), *twins]  # the last object that ends is the outermost

    try:
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        json.loads(text, object_pairs_hook=look, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):  # what Python reads otherwise, in values that nobody looks at
        return
    for key in found if names is None else [key for key in found if key in names]:
        # Of a document nobody may know whose it is: a key that is no name may be a text of a private benchmark.
        field = quotable_key(key) if line is not None or NAME.fullmatch(key) else None
        raise MedzhError(_("duplicate key"), file=path, line=line, field=field, advice=_("keep one of the two"))


def lines_with_twins(block: bytes, names: Iterable[str]) -> list[int]:
    """Find the lines of a block, from 0, in which a key may stand twice; none in which one does is left out.

    A quotation mark inside of a text has a backslash before it, so few marks begin what looks like the same key.
    """
    signs = np.frombuffer(block, np.uint8)
    ends, marks = np.flatnonzero(signs == LINE_FEED), np.flatnonzero(signs == QUOTE)
    marks = marks[: np.searchsorted(marks, len(signs) - SHORTEST)]
    begins = {name: f'{name}"'.encode() for name in names}
    likely = np.zeros(256, bool)
    likely[[begin[0] for begin in begins.values()]] = True
    marks = marks[likely[signs[1:][marks]]]
    starts = signs[1:][marks].astype(np.uint32) << 16 | signs[2:][marks].astype(np.uint32) << 8 | signs[3:][marks]
    escaped = BACKSLASH in block and ((signs[:-1] == BACKSLASH[0]) & (signs[1:] == UNICODE)).any()
    escapes = [found.start() for found in ESCAPED.finditer(block)] if escaped else []
    lines = set(np.searchsorted(ends, escapes).tolist())
    for begin in begins.values():
        found = marks[starts == int.from_bytes(begin[:SHORTEST])]
        if not _one_a_line(found, ends):
            places = np.searchsorted(ends, found)
            lines.update(places[1:][places[1:] == places[:-1]].tolist())
    return sorted(lines)


def _one_a_line(places: NDArray[np.intp], ends: NDArray[np.intp]) -> bool:
    """Say, sooner than by looking each up, that places are in one line each, from the first line on."""
    between = ends[: max(0, len(places) - 1)]
    if len(places) > len(ends) + 1:
        return False
    return bool((places[:-1] < between).all() and (places[1:] > between).all())


@dataclass(frozen=True)
class Yaml:
    """What YAML says, and where everything stands in it; None where it holds nothing."""

    value: Any
    root: Node | None


def read_yaml(text: str, path: Path, above: int) -> Yaml:
    """Read YAML above which so many lines stand in its file."""
    import yaml

    check_whole(len(text), YAML, path)
    loader = yaml.SafeLoader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            return Yaml(None, None)
        check_unpacked(_size(root, {}, path, above + 1), len(text), path, SETTINGS)
        return Yaml(loader.construct_document(root), root)
    except RecursionError as error:
        raise MedzhError(_("the nesting is too deep"), file=path, line=above + 1) from error
    # the library's own constructors raise all of these on tags whose values are none, or that only others know
    except (yaml.YAMLError, ArithmeticError, ValueError, LookupError, AttributeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = above + 1 + (0 if mark is None else mark.line)
        reason = getattr(error, "problem", None) or " ".join(str(error).split())
        raise MedzhError(_("invalid YAML"), file=path, line=line, found=reason) from error


def _size(node: Node, known: dict[Node, int | None], path: Path, first: int) -> int:
    """Count what a node comes to, aliases as what they stand for; None stands for a node that is being counted."""
    if (size := known.setdefault(node, None)) is not None:
        return size
    line, lines, size = first + node.start_mark.line, dict[str, int](), CELL
    if isinstance(node.value, str):
        if node.tag in NUMBERS and len(node.value) > DIGITS:
            raise MedzhError(
                _("a number is too long"), file=path, line=line, expected=_("at most {digits} digits", digits=DIGITS)
            )
        size += len(node.value)
    for part in node.value if isinstance(node.value, list) else ():
        key, *_unused = inside = part if isinstance(part, tuple) else (part,)
        if len(inside) > 1 and isinstance(key.value, str):
            if key.value in lines:
                place, advice = lines[key.value], _("keep one of the two")
                raise MedzhError(
                    _("duplicate key"), file=path, line=place, field=quotable_key(key.value), advice=advice
                )
            lines[key.value] = first + key.start_mark.line
        for one in inside:
            if known.get(one, 0) is None:
                raise MedzhError(
                    _("a YAML alias refers to the node that contains it"),
                    file=path,
                    line=line,
                    advice=_("replace the alias with its content"),
                )
            size += _size(one, known, path, first)
    known[node] = size
    return size


def toml_of(content: bytes, path: Traversable | str) -> dict[str, Any]:
    """Read a user's file in TOML, in UTF-8 with or without a byte order mark; ValueError where it is none."""
    check_whole(len(content), SETTINGS, path)
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except RecursionError as error:
        raise MedzhError(_("the nesting is too deep"), file=path) from error
