"""What changed between two builds: records, columns and configs, and the step of the version that this requires."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from dataset_scripts.releases.versions import Step
from medzh_score.data.hub import MANIFEST
from medzh_score.data.records import load_records, read_manifest
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, joined, pgettext

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from medzh_score.data.hub import BuildLocation


Entry = dict[str, Any]
Key = tuple[str, str]  # split, id


@dataclass(frozen=True)
class Changes:
    """What changed in a config."""

    config: str
    status: str  # added, removed, changed, stored or described anew, or same
    added: tuple[Key, ...] = ()
    removed: tuple[Key, ...] = ()
    changed: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)  # common columns with different values
    columns_added: tuple[str, ...] = ()  # only in one build, or with another type
    columns_removed: tuple[str, ...] = ()
    made: tuple[str, ...] = ()  # how it was made otherwise and which numbers of records differ, as lines

    @property
    def step(self) -> Step:
        """The step that this requires: see `Step`."""
        if self.status == "removed" or self.removed or self.changed or self.columns_removed:
            return Step.MAJOR
        if self.status == "added" or self.added or self.columns_added:
            return Step.MINOR
        return Step.NONE if self.status == "same" else Step.PATCH


def changes_between(
    before: BuildLocation, after: BuildLocation, chosen: Collection[str] | None = None
) -> list[Changes]:
    """Compare two builds; of the second, only the chosen configs, if any are chosen."""
    old, new = (read_manifest(place.folder, place.again)["configs"] for place in (before, after))
    new = {name: entry for name, entry in new.items() if chosen is None or name in chosen}
    found = []
    for config in sorted(old.keys() | new.keys()):
        if config not in old:
            found.append(Changes(config, "added", tuple(sorted(_records(after, config, new, {})))))
        elif config not in new:
            found.append(Changes(config, "removed", (), tuple(sorted(_records(before, config, old, {})))))
        else:
            found.append(_of_config(config, (before, old), (after, new)))
    return found


def step_of(changes: list[Changes]) -> Step:
    """Return the step that all changes require."""
    return max((one.step for one in changes), default=Step.NONE)


def _of_config(config: str, old: tuple[BuildLocation, Entry], new: tuple[BuildLocation, Entry]) -> Changes:
    types = [_types(place, config, entries) for place, entries in (old, new)]
    rows = [_records(place, config, all_of, of) for (place, all_of), of in zip((old, new), types, strict=True)]
    shared = [name for name, kind in types[0].items() if types[1].get(name) == kind]
    gone, come = (tuple(name for name in one if name not in shared) for one in types)
    changed = {
        key: differing
        for key in sorted(rows[0].keys() & rows[1].keys())
        if (differing := tuple(name for name in shared if rows[0][key][name] != rows[1][key][name]))
    }
    removed, added = (tuple(sorted(one.keys() - other.keys())) for one, other in (rows, rows[::-1]))
    if added or removed or changed or come or gone:
        status = "changed"
    else:
        status = "same" if _described(old[1][config]) == _described(new[1][config]) else "stored or described anew"
    entries = old[1][config], new[1][config]
    made = (*made_otherwise(*entries), *other_numbers(*entries), *moved(removed, added))
    return Changes(config, status, added, removed, changed, come, gone, made)


def _described(entry: Entry) -> Entry:
    return {name: value for name, value in entry.items() if name != "version"}


def _types(place: BuildLocation, config: str, entries: Entry) -> dict[str, str]:
    try:
        entry = entries[config]
        # Each manifest separately, so that the message names the damaged one.
        list(chain(made_otherwise(entry, {}), other_numbers(entry, {"splits": {}})))
        types = {column["name"]: column["type"] for column in entry["features"]}
        return msgspec.convert(types, dict[str, str])
    except (KeyError, TypeError, ValueError, AttributeError, msgspec.ValidationError) as error:
        raise MedzhError(
            _("the file is not a build manifest"), file=place.folder / MANIFEST, advice=place.again
        ) from error


def _records(place: BuildLocation, config: str, entries: Entry, types: Mapping[str, str]) -> dict[Key, Entry]:
    try:
        found = {
            (split, row["id"]): row
            for split in entries[config]["splits"]
            for row in load_records(place, config, split=split).rows
        }
    except (KeyError, TypeError) as error:
        raise MedzhError(
            _("the file is not a build manifest"), file=place.folder / MANIFEST, advice=place.again
        ) from error
    if lacking := sorted({name for row in found.values() for name in types.keys() - row.keys()}):
        problem = _("the manifest lists columns that no file contains")
        raise MedzhError(problem, file=place.folder / MANIFEST, found=", ".join(lacking), advice=place.again)
    return found


SHOWN = 10  # records of a kind, unless all are asked for


def change_lines(changes: Sequence[Changes], *, all_records: bool = False) -> Iterator[str]:
    """Yield the lines of the changes by config."""
    for one in changes:
        status = pgettext("build changes", one.status)
        if one.step <= 1:
            yield _("{config}: {status}", config=one.config, status=status)
        else:
            yield _(
                "{config}: {status} ({step}): {added:,} records added, {removed:,} removed, {changed:,} changed",
                config=one.config,
                status=status,
                step=pgettext("build changes", str(one.step)),
                added=len(one.added),
                removed=len(one.removed),
                changed=len(one.changed),
            )
        yield from one.made
        if one.columns_added:
            yield _("  columns added: {columns}", columns=joined(one.columns_added))
        if one.columns_removed:
            yield _("  columns removed or with a changed type: {columns}", columns=joined(one.columns_removed))
        fields = Counter(name for names in one.changed.values() for name in names)
        if fields:
            named = [
                pgettext("build changes", "{name} ({count:,})", name=name, count=count)
                for name, count in fields.most_common()
            ]
            yield _("  changed fields: {fields}", fields=joined(named))
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
        yield _("  {sign} and {n_names:,} more (use --all to list them)", sign=sign, n_names=len(names) - limit)


NONE = _("none")


def made_otherwise(old: Entry, new: Entry) -> Iterator[str]:
    """Yield the differences in recipe, seed, parameters and sources."""
    for name in ("recipe", "seed"):
        if old.get(name) != new.get(name):
            yield _(
                "  {name}: changed from {before} to {after}",
                name=pgettext("build changes", name),
                before=old.get(name, NONE),
                after=new.get(name, NONE),
            )
    parameters = [entry.get("parameters", {}) for entry in (old, new)]
    for name in {**parameters[0], **parameters[1]}:
        one, other = (found.get(name, NONE) for found in parameters)
        if one != other:
            yield _(
                "  {name}: changed from {before} to {after}", name=pgettext("parameters", name), before=one, after=other
            )
    yield from _sources(old, new)


def other_numbers(old: Entry, new: Entry) -> Iterator[str]:
    """Yield the differences in the numbers of records by split and group.

    Groups of a private config are omitted, because they may be small.
    """
    private = "key" in old or "key" in new
    for split in sorted(old["splits"].keys() | new["splits"].keys()):
        one, other = (entry["splits"].get(split, {}) for entry in (old, new))
        counts = [sum(file["records"] for file in account.get("files", ())) for account in (one, other)]
        groups = [{} if private else account.get("groups", {}) for account in (one, other)]
        if counts[0] == counts[1] and groups[0] == groups[1]:
            continue
        yield _(
            "  records in {split}: changed from {before:,} to {after:,}", split=split, before=counts[0], after=counts[1]
        )
        for group in sorted(groups[0].keys() | groups[1].keys()):
            before, after = (found.get(group, 0) for found in groups)
            if before != after:
                yield _(
                    "    {group}: changed from {before:,} to {after:,}",
                    group=pgettext("groups", group),
                    before=before,
                    after=after,
                )


def moved(removed: Collection[Key], added: Collection[Key]) -> Iterator[str]:
    """Count the records that went from one split to another."""
    splits: dict[str, list[str]] = {}
    for split, identifier in added:
        splits.setdefault(identifier, []).append(split)
    ways = Counter((split, to) for split, identifier in removed for to in splits.get(identifier, ()))
    for (split, to), count in sorted(ways.items()):
        yield _("  moved from {split} to {to}: {count:,}", split=split, to=to, count=count)


def _sources(old: Entry, new: Entry) -> Iterator[str]:
    one, other = ({source["name"]: source["sha256"] for source in entry.get("sources", ())} for entry in (old, new))
    if added := [name for name in other if name not in one]:
        yield _("  sources added: {added}", added=", ".join(added))
    if left_out := [name for name in one if name not in other]:
        yield _("  sources removed: {left_out}", left_out=", ".join(left_out))
    if changed := [name for name in one if name in other and one[name] != other[name]]:
        yield _("  sources with changed content: {changed}", changed=", ".join(changed))
