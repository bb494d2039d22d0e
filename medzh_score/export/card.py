"""Results go into the YAML of a model's card by text: all else of the card stays as it is, byte for byte."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from medzh_score.export.hub import KEY
from medzh_score.io.documents import Yaml, read_yaml
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

    from yaml import Node


HEAD = re.compile(
    r"(?P<begin>\ufeff?\s*---[ \t]*\r?\n)(?P<yaml>.*?)(?P<end>^---[ \t]*(?:\r?\n|\Z))", re.DOTALL | re.MULTILINE
)
COMMENT = re.compile(r"#.*")
FENCE = re.compile(r"\ufeff?\s*---")
BLOCK = "a block: a line for each entry, which begins with - "
NOTHING = frozenset({"", "~", "null", "Null", "NULL", "[]"})  # how an empty list is written, spaces aside
NULL = "tag:yaml.org,2002:null"


@dataclass(frozen=True)
class Card:
    """A card: what stands before its YAML, the YAML, and what stands behind it."""

    path: Path
    before: str
    yaml: str
    behind: str

    @property
    def above(self) -> int:
        """How many lines stand above the YAML."""
        return self.before.count("\n")


def merged(path: Path, content: bytes, entry: dict[str, Any]) -> bytes:
    """Put a model's entry of ``model-index`` into a card; what stands there stays, and is not added a second time."""
    card = _split(path, content)
    head = _read(card)
    _refuse_no_lists(card, head)
    before: dict[str, Any] = head.value or {}
    expected = _added(card, before, entry)
    if expected == before:
        return content
    new = replace(card, yaml=_with(card, head, entry, "\r\n" if "\r\n" in card.before + card.yaml else "\n"))
    if not _holds(new, expected):
        problem = "is written so that nothing can be put between its lines"
        raise MedzhError(problem, file=path, line=card.above + 1, field=KEY, expected=BLOCK)
    return (new.before + new.yaml + new.behind).encode("utf-8")


def _holds(card: Card, expected: dict[str, Any]) -> bool:
    try:
        return bool(read_yaml(card.yaml, card.path, card.above).value == expected)
    except MedzhError:
        return False


def _split(path: Path, content: bytes) -> Card:
    """Find the YAML between two lines of three hyphens; a card without any gets one."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise MedzhError("is not UTF-8", file=path, line=line, advice="save it as UTF-8") from error
    found = HEAD.match(text)
    if found is not None:
        return Card(path, found["begin"], found["yaml"], text[found.start("end") :])
    if FENCE.match(text):
        raise MedzhError("its YAML does not end", file=path, line=1, expected="a line --- behind it")
    end = "\r\n" if "\r\n" in text else "\n"
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return Card(path, f"{mark}---{end}", "", f"---{end}{text.removeprefix(mark)}")


def _read(card: Card) -> Yaml:
    """Read the YAML, which is to have a line for each field."""
    import yaml

    head = read_yaml(card.yaml, card.path, card.above)
    root = head.root
    if root is not None and (not isinstance(root, yaml.MappingNode) or root.flow_style):
        line = card.above + 1 + root.start_mark.line
        raise MedzhError("its YAML is no list of fields", file=card.path, line=line, expected="a line for each field")
    return head


def _added(card: Card, fields: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    fields = deepcopy(fields)
    index = _listed(card, fields.get(KEY))
    own = next((one for one in index if isinstance(one, dict) and one.get("name") == entry["name"]), None)
    if own is None:
        return fields | {KEY: [*index, entry]}
    own["results"] = [*_listed(card, own.get("results")), *_new(own, entry)]
    return fields


def _listed(card: Card, value: object) -> list[Any]:
    """Take a value as a list; nothing is an empty one."""
    if value is not None and not isinstance(value, list):
        raise MedzhError("is no list", file=card.path, line=card.above + 1, field=KEY, expected=BLOCK)
    return value or []


def _new(own: dict[str, Any], entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in entry["results"] if one not in (own.get("results") or [])]


def _with(card: Card, head: Yaml, entry: dict[str, Any], end: str) -> str:
    text, root, index = card.yaml, head.root, _child(head.root, KEY)
    if root is None or index is None:
        return _behind(text, len(text), _dumped({KEY: [entry]}, 0), end)
    listed = _entries(card, index)
    place = next((at for at, one in enumerate(listed) if _text(_child(one, "name")) == entry["name"]), None)
    if place is None:
        return _longer(text, root, index, [entry], end)
    own, new = listed[place], _new(head.value[KEY][place], entry)
    results = _child(own, "results")
    if results is None:
        return _behind(text, _end_of(own), _dumped({"results": new}, own.start_mark.column), end)
    return _longer(text, own, results, new, end)


def _longer(text: str, around: Node, node: Node, entries: list[dict[str, Any]], end: str) -> str:
    """Put entries behind those of a list: as lines where it has none or is a block, else before its last bracket."""
    import yaml

    start, last = node.start_mark.index, node.end_mark.index
    if isinstance(node, yaml.SequenceNode) and not node.flow_style:
        return _behind(text, _end_of(node), _dumped(entries, node.start_mark.column), end)
    in_brackets = isinstance(around, yaml.MappingNode) and around.flow_style
    if not in_brackets and "".join(text[start:last].split()) in NOTHING:
        before = text[:start].rstrip()
        return _behind(before + text[last:], len(before), _dumped(entries, around.start_mark.column), end)
    if not isinstance(node, yaml.SequenceNode):
        return text
    behind = COMMENT.sub("", text[node.value[-1].end_mark.index : last - 1]) if node.value else ","
    comma = "" if "," in behind else ", "
    return text[: last - 1] + comma + _in_brackets(entries) + text[last - 1 :]


def _child(node: Node | None, name: str) -> Node | None:
    import yaml

    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((value for key, value in pairs if key.value == name), None)


def _text(node: Node | None) -> str | None:
    import yaml

    return str(node.value) if isinstance(node, yaml.ScalarNode) else None


def _refuse_no_lists(card: Card, head: Yaml) -> None:
    index = _child(head.root, KEY)
    if index is not None:
        for results in (_child(one, "results") for one in _entries(card, index)):
            if results is not None:
                _entries(card, results)


def _entries(card: Card, node: Node) -> list[Node]:
    """Take a node as a list; nothing is an empty one."""
    import yaml

    if isinstance(node, yaml.ScalarNode) and node.tag == NULL:
        return []
    if not isinstance(node, yaml.SequenceNode):
        line = card.above + 1 + node.start_mark.line
        problem = "is not written as a list of lines"
        raise MedzhError(problem, file=card.path, line=line, field=KEY, expected=BLOCK)
    found: list[Node] = node.value
    return found


def _end_of(node: Node) -> int:
    """Find where the last value inside a node ends; the node's own end lies behind comments and empty lines."""
    import yaml

    while isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        last = node.value[-1]
        node = last if isinstance(node, yaml.SequenceNode) else last[1]
    return int(node.end_mark.index)


def _dumped(value: object, indent: int) -> str:
    """Write YAML behind so many spaces; lists as the hub's own library writes them."""
    import yaml

    text: str = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=1_000_000)
    return "".join(f"{' ' * indent}{line}\n" for line in text.splitlines())


def _in_brackets(entries: list[dict[str, Any]]) -> str:
    import yaml

    text: str = yaml.safe_dump(entries, default_flow_style=True, allow_unicode=True, sort_keys=False, width=1_000_000)
    return text.strip()[1:-1]


def _behind(text: str, place: int, lines: str, end: str) -> str:
    """Put lines behind the line in which a place is."""
    at = text.find("\n", place) + 1 if place < len(text) and not text[:place].endswith("\n") else place
    before = text[: at or len(text)]
    if before and not before.endswith("\n"):
        before += end
    return before + lines.replace("\n", end) + text[at or len(text) :]
