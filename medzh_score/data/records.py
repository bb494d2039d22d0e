"""Records of a built config, as scoring and prompting read them: loaded, checked, marked where they were edited."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, overload

import msgspec

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.data.hub import EXPECTED, MANIFEST, SHIPPED, place_of
from medzh_score.data.integrity import ID, column_digests, columns_of, digest_of, label_of
from medzh_score.data.stored_rows import UNREADABLE, file_of, refuse_other_blob, stored_columns
from medzh_score.io.jsonl import NO_JSON
from medzh_score.io.limits import LARGEST_MANIFEST, whole
from medzh_score.ui.errors import MedzhError, closest, redact_errors, shown
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import Unredacted, withhold_texts

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Collection, Iterator, Mapping
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import ItemIndex, Record
    from medzh_score.data.hub import BuildLocation
    from medzh_score.data.integrity import Columns


DEFAULT_DATA = "build/medzh"
BUILD_ADVICE = _(
    "build the data (medzh-build build CONFIG), specify a build folder with --data, or use --data open or --data mini"
)
VERSION_TAG = re.compile(r"v\d+\.\d+\.\d+", re.ASCII)


@dataclass(frozen=True)
class Origin:
    """Which records these are."""

    version: str  # of the dataset; ``0.0.0`` for what was built locally
    recipe: str  # how the records came to be: ``official``, ``open`` or ``mini``
    fingerprint: str  # 64 hex digits over the records' content
    # whether every source was the file that the project pins; records made otherwise are no official benchmark
    pinned: bool = True
    commit: str | None = None  # of the hub's repository, 40 hex digits, where they were loaded by tag: tags move
    # the digest of each column, as the build has it: see `digests.column_digests`
    columns: Mapping[str, str] = field(default_factory=dict)
    # of rows that are not those of the fingerprint, the digest of the rows as scored: see
    # `checked_rows.with_edits_marked`
    edited: str | None = None
    key: str | None = field(default=None, repr=False)  # of a private config, what keys the fingerprint; shown nowhere

    @property
    def official(self) -> bool:
        """Whether these are the benchmark itself: the official recipe on the pinned file, and no row edited."""
        return self.recipe == "official" and self.pinned and self.edited is None

    def __str__(self) -> str:
        """Write it as the signature does: version, recipe, the first eight digits, and twelve of the hub's commit."""
        rows = self.fingerprint[:8] if self.edited is None else f"edited {self.edited[:8]}"
        written = f"{self.version}/{self.recipe}/{rows}"
        return written if self.commit is None else f"{written}/commit {self.commit[:12]}"


@dataclass(frozen=True)
class Records:
    """The records of one split of a config."""

    config: str  # config and split: their names
    split: str
    rows: list[Record]  # the records, in the order of the file
    origin: Origin  # which records these are
    file: str = "data"  # where they were read; ``data`` where they come from nowhere else than an argument

    def __repr__(self) -> str:
        """Say in a line what these are; the rows may be many and private."""
        return f"<Records {self.config} {self.split}: {len(self.rows)} rows, {self.origin}>"

    def __len__(self) -> int:
        """Count the records."""
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Record: ...

    @overload
    def __getitem__(self, place: slice) -> list[Record]: ...

    def __getitem__(self, place: int | slice) -> Record | list[Record]:
        """Give a record by its place, or several by a slice."""
        return self.rows[place]

    def __iter__(self) -> Iterator[Record]:
        """Go through the records."""
        return iter(self.rows)


@redact_errors
def load_records(
    data: str | Path | zipfile.Path | BuildLocation,
    config: str,
    *,
    split: str = "test",
    columns: Collection[str] | None = None,
) -> Records:
    """Load the records of a config from a build folder, or from a tag on the hub.

    The rows are compared with the digests in the manifest. The files of a tag are downloaded once, the commit is
    recorded, and the version must match the tag. Without a connection, earlier downloads are used.

    Parameters
    ----------
    data : str, Path or BuildLocation
        A build folder, an offline bundle (a .zip file), ``open``, ``mini``, or ``org/name@tag``.
    config : str
        The name of the config.
    split : str
        The split, such as ``test``.
    columns : collection of str, optional
        The columns to load (default: all).

    Returns
    -------
    Records
        The records with their origin from the manifest.

    Raises
    ------
    MedzhError
        If the config or split does not exist, a file differs from the manifest, or the tag cannot be loaded.

    Examples
    --------
    >>> load_records("no/such/folder", "sdak")
    Traceback (most recent call last):
    medzh_score.ui.errors.MedzhError: ...
    """
    if config in config_names():
        find_config(config)  # of a private one nothing that lies in the data may be quoted
    place = place_of(data, config)
    manifest = read_manifest(place.folder, place.again)
    try:
        return _records(place, manifest, config, split, columns)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        file, lacking = place.folder / MANIFEST, str(error.args[0]) if isinstance(error, KeyError) else None
        problem = _("the manifest is damaged or has another version")
        raise MedzhError(problem, file=file, field=lacking, advice=place.again) from error


def _records(
    place: BuildLocation, manifest: dict[str, Any], config: str, split: str, columns: Collection[str] | None
) -> Records:
    folder, built = place.folder, manifest["configs"].get(config)
    if isinstance(built, dict) and "key" in built:  # of a private config, be it installed or not
        withhold_texts()
    if built is None:
        known = ", ".join(manifest["configs"]) or "none"
        raise MedzhError(
            _("the build does not contain the config"),
            file=folder,
            expected=known,
            found=Unredacted(config),
            advice=BUILD_ADVICE if place.commit is None else None,
        )
    if split not in built["splits"]:
        raise MedzhError(
            _("{config} has no such split", config=config),
            file=folder,
            expected=", ".join(built["splits"]),
            found=Unredacted(split),
        )
    check_version(place, config, built)
    stated = built["splits"][split]
    held = stored_columns(place, stated, label_of(config, split, built), columns)
    if not held[ID]:
        raise MedzhError(_("{config} contains no records", config=config), file=folder, advice=place.again)
    if config in config_names():  # of one that nothing here scores, nothing is known
        _check_columns(find_config(config), held, file_of(place, stated))
    rows = [dict(zip(held, values, strict=True)) for values in zip(*held.values(), strict=True)]
    pinned = all(source["pinned"] for source in built["sources"])
    origin = Origin(
        version=built["version"],
        recipe=built["recipe"],
        fingerprint=built["fingerprint"],
        pinned=pinned,
        commit=place.commit,
        columns=stated["columns"],
        key=built.get("key"),
    )
    return Records(config, split, rows, origin, file_of(place, stated))


def check_version(place: BuildLocation, config: str, built: dict[str, Any]) -> None:
    """Refuse a release of another version than its tag says: the tag was moved, or never was right."""
    if place.tag is None or VERSION_TAG.fullmatch(place.tag) is None or place.tag == f"v{built['version']}":
        return
    problem, advice = (
        _("the version of the records does not match the tag"),
        _("report this to the publisher of the data"),
    )
    raise MedzhError(
        problem,
        file=place.folder,
        field=config,
        expected=place.tag[1:],
        found=Unredacted(built["version"]),
        advice=advice,
    )


def read_manifest(folder: Traversable, advice: str = BUILD_ADVICE) -> dict[str, Any]:
    """Read the manifest of a build folder."""
    path = folder / MANIFEST
    try:
        with path.open("rb") as stream:
            content = whole(stream, path, LARGEST_MANIFEST)
        refuse_other_blob(path, content, advice)
        manifest = msgspec.json.decode(content)
        manifest["configs"]
    except FileNotFoundError as error:
        meant = closest(folder.name, SHIPPED) if str(folder) == folder.name else None
        problem = _("no build found")
        raise MedzhError(
            problem, file=folder, expected=EXPECTED, advice=None if meant else BUILD_ADVICE, meant=meant
        ) from error
    except UNREADABLE as error:
        why = getattr(error, "strerror", None) or error
        raise MedzhError(_("cannot read the file: {why}", why=why), file=path, advice=advice) from error
    except (*NO_JSON, TypeError, KeyError) as error:
        raise MedzhError(_("the file is not a build manifest"), file=path, advice=advice) from error
    if not isinstance(manifest["configs"], dict):
        raise MedzhError(_("the file is not a build manifest"), file=path, field="configs", advice=advice)
    return manifest  # type: ignore[no-any-return]


def _check_columns(config: Config, columns: Columns, file: str) -> None:
    """Refuse columns that do not hold what scoring relies on."""
    for name, holds in config.columns.items():
        values = columns.get(name, [])
        if holds.fits(values):
            continue
        place = next((place for place, value in enumerate(values) if not holds.fits([value])), 0)
        problem = _("invalid value in record {record}", record=shown(columns[ID][place]))
        raise MedzhError(problem, file=file, field=name, expected=holds.expected, found=values[place])
    if len(set(columns[ID])) != len(columns[ID]):
        ids = sorted(columns[ID])
        twice = next(one for one, other in pairwise(ids) if one == other)
        problem = _("duplicate id in the records of {config_name}", config_name=config.name)
        raise MedzhError(problem, file=file, field=ID, expected=_("one record per id"), found=twice)


def records_of(config: Config, data: str | Path | Records, columns: Collection[str] | None = None) -> Records:
    """Give the records that are scored or asked about."""
    return (
        with_edits_marked(config, data)
        if isinstance(data, Records)
        else load_records(data, config.name, columns=columns)
    )


def with_edits_marked(config: Config, records: Records) -> Records:
    """Take records from Python: where a column that scoring reads is not as it was built, they are edited.

    Their order does not matter. Records that no build made are edited, too: nothing shows which they are.
    """
    if records.config != config.name:
        problem = _("the records belong to another config")
        raise MedzhError(
            problem, file=records.file, field="config", expected=config.name, found=Unredacted(records.config)
        )
    if not records.rows:
        raise MedzhError(_("{config} contains no records", config=records.config), file=records.file)
    columns = columns_of(records.rows, config.columns)
    _check_columns(config, columns, records.file)
    digests = column_digests(columns)
    known = records.origin.columns
    if all(known.get(name) == digest for name, digest in digests.items()):
        return replace(records, origin=replace(records.origin, edited=None))
    keyed = {"key": records.origin.key} if records.origin.key else {}  # of a private config nobody can try a guess
    return replace(records, origin=replace(records.origin, edited=digest_of(keyed, digests)))


def laid_out(config: Config, records: Records) -> ItemIndex:
    """Lay records out as items and units; what is wrong among their fields is refused with the file."""
    try:
        return config.layout(records.rows)
    except MedzhError as error:
        error.file = error.file or records.file
        raise
