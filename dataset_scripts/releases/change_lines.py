"""Changes between builds, as lines to read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dataset_scripts.releases.changes import Changes, Key

SHOWN = 10  # records of a kind, unless all are asked for


def change_lines(changes: Sequence[Changes], *, all_records: bool = False) -> Iterator[str]:
    """Tell what changed, a config after the other."""
    for one in changes:
        counts = f"{len(one.added):,} records added, {len(one.removed):,} removed, {len(one.changed):,} changed"
        yield f"{one.config}: {one.status}" if one.step <= 1 else f"{one.config}: {one.status} ({one.step}): {counts}"
        yield from one.made
        for verb, columns in (("added", one.columns_added), ("removed or of another type", one.columns_removed)):
            if columns:
                yield f"  columns {verb}: {', '.join(columns)}"
        fields = Counter(name for names in one.changed.values() for name in names)
        if fields:
            yield "  fields that changed: " + ", ".join(f"{name} in {count:,}" for name, count in fields.most_common())
        limit = None if all_records else SHOWN
        yield from _named("+", [_name(key) for key in one.added], limit)
        yield from _named("-", [_name(key) for key in one.removed], limit)
        yield from _named("~", [f"{_name(key)}: {', '.join(names)}" for key, names in one.changed.items()], limit)


def _name(key: Key) -> str:
    split, identifier = key
    return identifier if split == "test" else f"{identifier} ({split})"


def _named(sign: str, names: Sequence[str], limit: int | None) -> Iterator[str]:
    for name in names[:limit]:
        yield f"  {sign} {name}"
    if limit is not None and len(names) > limit:
        yield f"  {sign} and {len(names) - limit:,} more (--all names them)"
