"""YAML that somebody wrote, such as a card's: bounded before anything is made of it, and named by line if broken."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.files.bounds import YAML, check_whole
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yaml import Node


@dataclass(frozen=True)
class Yaml:
    """What YAML says, and where everything stands in it; None where it holds nothing."""

    value: Any
    root: Node | None


def read_yaml(text: str, path: Path, above: int) -> Yaml:
    """Read YAML above which so many lines stand in its file."""
    from medzh_score.files.yaml_loader import Loader

    check_whole(len(text), YAML, path)
    with _naming_lines(path, above):
        loader = Loader(text, path, above)
        root = loader.get_single_node()
        return Yaml(None if root is None else loader.construct_document(root), root)


@contextmanager
def _naming_lines(path: Path, above: int) -> Iterator[None]:
    """Let what the library says of broken YAML be said with the line of the file."""
    import yaml

    try:
        yield
    # the library's own constructors raise all of these on tags whose values are none, or that only others know
    except (yaml.YAMLError, ValueError, LookupError, AttributeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = above + 1 + (0 if mark is None else mark.line)
        reason = getattr(error, "problem", None) or " ".join(str(error).split())
        raise MedzhError("is no YAML", file=path, line=line, found=reason) from error
