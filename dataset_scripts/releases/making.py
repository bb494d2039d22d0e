"""How two builds of a config were made otherwise, and what that did to its numbers, as lines to read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

Entry = dict[str, Any]
Key = tuple[str, str]  # split, id
NONE = "none"


def made_otherwise(old: Entry, new: Entry) -> Iterator[str]:
    """Say in which recipe, seed, parameters and sources two builds differ, each only where it does."""
    for name in ("recipe", "seed"):
        if old.get(name) != new.get(name):
            yield f"  {name}: {old.get(name, NONE)}, then {new.get(name, NONE)}"
    parameters = [entry.get("parameters", {}) for entry in (old, new)]
    for name in {**parameters[0], **parameters[1]}:
        one, other = (found.get(name, NONE) for found in parameters)
        if one != other:
            yield f"  {name}: {one}, then {other}"
    yield from _sources(old, new)


def other_numbers(old: Entry, new: Entry) -> Iterator[str]:
    """Say how many records each split and each of its groups had and has, where that differs.

    Of a private config nothing is said of groups: they may be small.
    """
    private = "key" in old or "key" in new
    for split in sorted(old["splits"].keys() | new["splits"].keys()):
        one, other = (entry["splits"].get(split, {}) for entry in (old, new))
        counts = [sum(file["records"] for file in account.get("files", ())) for account in (one, other)]
        groups = [{} if private else account.get("groups", {}) for account in (one, other)]
        if counts[0] == counts[1] and groups[0] == groups[1]:
            continue
        yield f"  records in {split}: {counts[0]:,}, then {counts[1]:,}"
        for group in sorted(groups[0].keys() | groups[1].keys()):
            before, after = (found.get(group, 0) for found in groups)
            if before != after:
                yield f"    {group}: {before:,}, then {after:,}"


def moved(removed: Collection[Key], added: Collection[Key]) -> Iterator[str]:
    """Count the records that went from one split to another."""
    splits: dict[str, list[str]] = {}
    for split, identifier in added:
        splits.setdefault(identifier, []).append(split)
    ways = Counter((split, to) for split, identifier in removed for to in splits.get(identifier, ()))
    for (split, to), count in sorted(ways.items()):
        yield f"  moved from {split} to {to}: {count:,}"


def _sources(old: Entry, new: Entry) -> Iterator[str]:
    one, other = ({source["name"]: source["sha256"] for source in entry.get("sources", ())} for entry in (old, new))
    if added := [name for name in other if name not in one]:
        yield f"  sources added: {', '.join(added)}"
    if left_out := [name for name in one if name not in other]:
        yield f"  sources left out: {', '.join(left_out)}"
    if changed := [name for name in one if name in other and one[name] != other[name]]:
        yield f"  sources of other content: {', '.join(changed)}"
