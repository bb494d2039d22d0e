"""PyYAML's safe loader, bounded event by event before anything is made of them; imported where YAML is read."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import yaml

from medzh_score.files.bounds import (
    DIGITS,
    LEVELS,
    RAISE,
    SETTINGS,
    VALUES,
    bound,
    check_unpacked,
    too_deep,
    too_long_a_number,
)
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

CELL = 8  # bytes that a value takes at least
NUMBER = re.compile(r"[-+]?[.\d][-+.:\w]*", re.ASCII)
NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class Loader(yaml.SafeLoader):
    """Refuses aliases inside of what they stand for or that stand for too much, and what is too much or too deep.

    So it does numbers that are too long, and keys that stand twice.
    """

    def __init__(self, text: str, path: Path, above: int) -> None:
        super().__init__(text)
        self._length, self._path, self._above = len(text), path, above
        self._around: list[tuple[str | None, int]] = []  # anchors of what is open, sizes of what stands before it
        self._sizes: dict[str | None, int] = {}
        self._size = self._values = 0

    def get_event(self) -> yaml.Event:
        """Give the next event, of which a node is made."""
        event: yaml.Event = super().get_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.CollectionStartEvent):
            self._count(event)
            self._around.append((event.anchor, self._size))
            self._size += CELL
            if len(self._around) > LEVELS:
                raise too_deep(self._path, self._line(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = self._around.pop()
            self._sizes[anchor] = self._size - before
        elif isinstance(event, yaml.AliasEvent):
            self._count(event)
            self._add_alias(event)
        elif isinstance(event, yaml.ScalarEvent):
            self._count(event)
            if len(event.value) > DIGITS and _may_be_number(event):
                raise too_long_a_number(self._path, self._line(event))
            self._sizes[event.anchor] = CELL + len(event.value)
            self._size += self._sizes[event.anchor]
        return event

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:  # noqa: ANN401 - the library's own is wrong
        """Make a node of fields, of which the library would keep the last of a name alone."""
        node = super().compose_mapping_node(anchor)
        keys = [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        counts = Counter(key.value for key in keys)
        for key in keys:
            if counts[key.value] > 1:
                line, advice = self._line(key), "keep one of the two"
                raise MedzhError("a key stands twice", file=self._path, line=line, field=key.value, advice=advice)
        return node

    def _count(self, event: yaml.Event) -> None:
        self._values += 1
        if self._values > bound(VALUES):
            problem, expected = "its YAML has too many values", f"at most {bound(VALUES):,}"
            raise MedzhError(problem, file=self._path, line=self._line(event), expected=expected, advice=RAISE)

    def _add_alias(self, event: yaml.AliasEvent) -> None:
        if any(event.anchor == anchor for anchor, _ in self._around):
            line = self._line(event)
            raise MedzhError("its YAML holds itself", file=self._path, line=line, advice="write the alias out")
        self._size += self._sizes.get(event.anchor, 0)
        check_unpacked(self._size, self._length, self._path, SETTINGS)

    def _line(self, found: yaml.Event | yaml.Node) -> int:
        return self._above + 1 + (0 if found.start_mark is None else found.start_mark.line)


def _may_be_number(scalar: yaml.ScalarEvent) -> bool:
    """Tell whether a value is said to be a number, or stands without quotation marks and could be one.

    One of base 60, such as 1:30, takes time by the square of its digits, and as a fraction overflows.
    """
    return scalar.tag in NUMBERS or (scalar.implicit[0] and NUMBER.fullmatch(scalar.value) is not None)
