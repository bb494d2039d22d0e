"""YAML that somebody wrote, such as a card's: bounded before anything is made of it, and named by line if broken."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from medzh_score.files.bounds import DIGITS, LEVELS, SETTINGS, check_unpacked, too_deep, too_long_a_number
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yaml import Event, Node, ScalarEvent

CELL = 8  # bytes that a value takes at least
NUMBER = re.compile(r"[-+]?[.\d][-+.:\w]*", re.ASCII)
NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


def loaded(text: str, path: Path, above: int) -> Any:  # noqa: ANN401 - as the library gives it
    """Read YAML above which so many lines stand in its file."""
    import yaml

    with _naming_lines(path, above):  # tags that only other libraries know
        _check_bounds(text, path, above)
        return yaml.safe_load(text)


def composed(text: str, path: Path, above: int) -> Node | None:
    """Read where everything stands in YAML above which so many lines stand; None where it holds nothing."""
    import yaml

    with _naming_lines(path, above):
        _check_bounds(text, path, above)
        found: Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
        return found


def _check_bounds(text: str, path: Path, above: int) -> None:
    """Refuse aliases inside of what they stand for or that stand for too much, what is nested deeply, long numbers."""
    import yaml

    around: list[tuple[str | None, int]] = []  # the anchors of what is open, and the sizes of what stands before it
    sizes: dict[str | None, int] = {}
    size = 0
    for event in yaml.parse(text):
        if isinstance(event, yaml.CollectionStartEvent):
            around.append((event.anchor, size))
            size += CELL
            if len(around) > LEVELS:
                raise too_deep(path, above + _line(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = around.pop()
            sizes[anchor] = size - before
        elif isinstance(event, yaml.AliasEvent):
            if any(event.anchor == anchor for anchor, _ in around):
                line = above + _line(event)
                raise MedzhError("its YAML holds itself", file=path, line=line, advice="write the alias out")
            size += sizes.get(event.anchor, 0)
            check_unpacked(size, len(text), path, SETTINGS)
        elif isinstance(event, yaml.ScalarEvent):
            if len(event.value) > DIGITS and _may_be_number(event):
                raise too_long_a_number(path, above + _line(event))
            sizes[event.anchor] = CELL + len(event.value)
            size += sizes[event.anchor]


def _may_be_number(scalar: ScalarEvent) -> bool:
    """Tell whether a value is said to be a number, or stands without quotation marks and could be one.

    One of base 60, such as 1:30, takes time by the square of its digits, and as a fraction overflows.
    """
    return scalar.tag in NUMBERS or (scalar.implicit[0] and NUMBER.fullmatch(scalar.value) is not None)


def _line(event: Event) -> int:
    return 1 + (0 if event.start_mark is None else event.start_mark.line)


@contextmanager
def _naming_lines(path: Path, above: int) -> Iterator[None]:
    """Let what the library says of broken YAML be said with the line of the file."""
    import yaml

    try:
        yield
    # the library's own constructors raise all of these on tags whose values are none
    except (yaml.YAMLError, ValueError, LookupError, AttributeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = above + 1 + (0 if mark is None else mark.line)
        reason = getattr(error, "problem", None) or " ".join(str(error).split())
        raise MedzhError("is no YAML", file=path, line=line, found=reason) from error
