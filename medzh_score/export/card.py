"""Results go into the YAML of a model's card; all of the card but its ``model-index`` stays as it is, byte for byte."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from medzh_score.export.hub import KEY
from medzh_score.io.documents import read_yaml
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yaml import Node


HEAD = re.compile(
    r"(?P<begin>\ufeff?\s*---[ \t]*\r?\n)(?P<yaml>.*?)(?P<end>^---[ \t]*(?:\r?\n|\Z))", re.DOTALL | re.MULTILINE
)
FENCE = re.compile(r"\ufeff?\s*---")
BLOCK = _("a block list with one line per entry, each starting with - ")
NULL = "tag:yaml.org,2002:null"


def merged(path: Path, content: bytes, entry: dict[str, Any]) -> bytes:
    """Put a model's entry of ``model-index`` into a card; what is in it stays, and is not added a second time."""
    import yaml

    before, text, behind = _split(path, content)
    above = before.count("\n")
    head = read_yaml(text, path, above)
    root = head.root
    if root is not None and (not isinstance(root, yaml.MappingNode) or root.flow_style):
        line = above + 1 + root.start_mark.line
        raise MedzhError(
            _("the YAML header is not a block of fields"), file=path, line=line, expected=_("one line per field")
        )
    key, value = next(((key, value) for key, value in _pairs(root) if key.value == KEY), (None, None))
    for node in _lists(value):
        if not _is_list(node):
            line, problem = above + 1 + node.start_mark.line, _("the value is not a block list")
            raise MedzhError(problem, file=path, line=line, field=KEY, expected=BLOCK)
    fields: dict[str, Any] = head.value or {}
    index = _added(fields.get(KEY) or [], entry)
    if index == fields.get(KEY):
        return content
    end = "\r\n" if "\r\n" in before + text else "\n"
    dumped: str = yaml.safe_dump({KEY: index}, allow_unicode=True, sort_keys=False, width=1_000_000)
    column = root.start_mark.column if root is not None else 0
    lines = dumped.rstrip("\n").replace("\n", f"{end}{' ' * column}")
    if key is None or value is None:
        gap = end if text and not text.endswith("\n") else ""
        new = f"{text}{gap}{' ' * column}{lines}{end}"
    else:
        last = _end_of(value)
        gap = "" if text[last : last + 1] and not text[:last].endswith("\n") else end
        new = text[: key.start_mark.index] + lines + gap + text[last:]
    try:
        is_whole = read_yaml(new, path, above).value == fields | {KEY: index}
    except MedzhError:
        is_whole = False
    if not is_whole:  # such as an anchor in it, which something else names
        problem = _("no entry can be inserted because of the YAML layout")
        raise MedzhError(problem, file=path, line=above + 1, field=KEY, expected=BLOCK)
    return (before + new + behind).encode("utf-8")


def _split(path: Path, content: bytes) -> tuple[str, str, str]:
    """Find the YAML between two lines of three hyphens; a card without any gets one."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise MedzhError(_("invalid UTF-8"), file=path, line=line, advice=_("save the file as UTF-8")) from error
    found = HEAD.match(text)
    if found is not None:
        return found["begin"], found["yaml"], text[found.start("end") :]
    if FENCE.match(text):
        raise MedzhError(_("the YAML header is not closed"), file=path, line=1, expected=_("a closing line ---"))
    end = "\r\n" if "\r\n" in text else "\n"
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return f"{mark}---{end}", "", f"---{end}{text.removeprefix(mark)}"


def _added(index: list[Any], entry: dict[str, Any]) -> list[Any]:
    index = deepcopy(index)
    own = next((one for one in index if isinstance(one, dict) and one.get("name") == entry["name"]), None)
    if own is None:
        return [*index, entry]
    results = own.get("results") or []
    own["results"] = [*results, *(one for one in entry["results"] if one not in results)]
    return index


def _pairs(node: Node | None) -> list[tuple[Any, Any]]:
    import yaml

    return node.value if isinstance(node, yaml.MappingNode) else []


def _lists(index: Node | None) -> Iterator[Node]:
    """Give the nodes that must be lists: the index, and the results of each entry."""
    import yaml

    if index is not None:
        yield index
        for entry in index.value if isinstance(index, yaml.SequenceNode) else ():
            yield from (value for key, value in _pairs(entry) if key.value == "results")


def _is_list(node: Node) -> bool:
    import yaml

    return isinstance(node, yaml.SequenceNode) or node.tag == NULL


def _end_of(node: Node) -> int:
    """Find where the last value inside a node ends; the node's own end is behind comments and empty lines."""
    import yaml

    while isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        last = node.value[-1]
        node = last if isinstance(node, yaml.SequenceNode) else last[1]
    return int(node.end_mark.index)
