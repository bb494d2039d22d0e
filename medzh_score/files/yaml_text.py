"""YAML that somebody wrote, such as a card's: bounded before anything is made of it, and named by line if broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.files.bounds import SETTINGS, YAML, check_unpacked, check_whole
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import quotable_key

if TYPE_CHECKING:
    from pathlib import Path

    from yaml import Node

NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
DIGITS = 300  # of a number: Python shows none of 4,300
CELL = 8  # bytes that a value takes at least


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
        raise MedzhError("is nested too deeply", file=path, line=above + 1) from error
    # the library's own constructors raise all of these on tags whose values are none, or that only others know
    except (yaml.YAMLError, ArithmeticError, ValueError, LookupError, AttributeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = above + 1 + (0 if mark is None else mark.line)
        reason = getattr(error, "problem", None) or " ".join(str(error).split())
        raise MedzhError("is no YAML", file=path, line=line, found=reason) from error


def _size(node: Node, known: dict[Node, int | None], path: Path, first: int) -> int:
    """Count what a node comes to, aliases as what they stand for; None stands for a node that is being counted."""
    if (size := known.setdefault(node, None)) is not None:
        return size
    line, lines, size = first + node.start_mark.line, dict[str, int](), CELL
    if isinstance(node.value, str):
        if node.tag in NUMBERS and len(node.value) > DIGITS:
            raise MedzhError("a number is too long", file=path, line=line, expected=f"at most {DIGITS} digits")
        size += len(node.value)
    for part in node.value if isinstance(node.value, list) else ():
        key, *_ = inside = part if isinstance(part, tuple) else (part,)
        if len(inside) > 1 and isinstance(key.value, str):
            if key.value in lines:
                place, advice = lines[key.value], "keep one of the two"
                raise MedzhError(
                    "a key stands twice", file=path, line=place, field=quotable_key(key.value), advice=advice
                )
            lines[key.value] = first + key.start_mark.line
        for one in inside:
            if known.get(one, 0) is None:
                raise MedzhError("its YAML holds itself", file=path, line=line, advice="write the alias out")
            size += _size(one, known, path, first)
    known[node] = size
    return size
