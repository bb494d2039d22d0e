"""Records of a built config, as scoring and prompting read them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile
from zlib import error as BadDeflate  # noqa: N812 - an error as every other

import msgspec

from medzh_score.errors import MedzhError
from medzh_score.fingerprint import fingerprint
from medzh_score.hub import EXPECTED, MANIFEST, place_of

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Sequence
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from medzh_score.config import Record
    from medzh_score.hub import Place

DEFAULT_DATA = "build/medzh"
BUILD_ADVICE = "build it: medzh-build build CONFIG; or name a build folder with --data"
VERSION_TAG = re.compile(r"v\d+\.\d+\.\d+", re.ASCII)
# A member of a bundle may be damaged, locked with a password or packed in a way that Python does not know.
UNREADABLE = (OSError, EOFError, BadZipFile, BadDeflate, RuntimeError)


@dataclass(frozen=True)
class Origin:
    """Which records these are.

    Attributes
    ----------
    version : str
        Of the dataset; ``0.0.0`` for what was built locally.
    recipe : str
        How the records came to be: ``official``, ``rebuilt`` or ``mini``.
    fingerprint : str
        64 hex digits over the records' content.
    pinned : bool
        Whether every source was the file that the project pins; records made otherwise are no official benchmark.
    commit : str or None
        Of the hub's repository, 40 hex digits, where they were loaded by tag: tags move.
    """

    version: str
    recipe: str
    fingerprint: str
    pinned: bool = True
    commit: str | None = None

    @property
    def official(self) -> bool:
        """Whether these are the benchmark itself: the official recipe on the pinned file."""
        return self.recipe == "official" and self.pinned

    def __str__(self) -> str:
        """Write it as the signature does: version, recipe, the first eight digits, and twelve of the hub's commit."""
        written = f"{self.version}/{self.recipe}/{self.fingerprint[:8]}"
        return written if self.commit is None else f"{written}/commit {self.commit[:12]}"


@dataclass(frozen=True)
class Records:
    """The records of one split of a config.

    Attributes
    ----------
    config, split : str
        Their names.
    rows : list of dict
        The records, in the order of the file.
    origin : Origin
        Which records these are.
    """

    config: str
    split: str
    rows: list[Record]
    origin: Origin


def load_records(
    data: str | Path | zipfile.Path | Place,
    config: str,
    *,
    split: str = "test",
    columns: Sequence[str] | None = None,
) -> Records:
    """Load the records of a config from a build folder, or from a tag on the hub.

    Of a tag the files are downloaded once, the commit is recorded, and version and fingerprint must be those of tag
    and manifest; without a connection, what was downloaded before is used.

    Parameters
    ----------
    data : str, Path or Place
        The build folder, a bundle (a .zip file), or ``org/name@tag``.
    config : str
        The config's name.
    split : str
        ``test``, or another split that the config has.
    columns : sequence of str, optional
        Only these columns; all when not given.

    Returns
    -------
    Records
        With the manifest's account of where they come from.

    Raises
    ------
    MedzhError
        If there is no such config or split, a file is not the one that was built, or the tag cannot be loaded.

    Examples
    --------
    >>> load_records("no/such/folder", "sdak")
    Traceback (most recent call last):
    medzh_score.errors.MedzhError: ...
    """
    place = place_of(data, config)
    manifest = read_manifest(place.folder, place.again)
    try:
        return _records(place, manifest, config, split, columns)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        file = place.folder / MANIFEST
        raise MedzhError("the manifest is damaged or of another version", file=file, advice=place.again) from error


def _records(place: Place, manifest: dict[str, Any], config: str, split: str, columns: Sequence[str] | None) -> Records:
    folder, built = place.folder, manifest["configs"].get(config)
    if built is None:
        known = ", ".join(manifest["configs"]) or "none"
        advice = BUILD_ADVICE if place.commit is None else None
        raise MedzhError("the build lacks the config", file=folder, expected=known, found=config, advice=advice)
    if split not in built["splits"]:
        raise MedzhError(f"{config} has no such split", file=folder, expected=", ".join(built["splits"]), found=split)
    check_version(place, config, built)
    if place.from_afar:
        _check_fingerprint(place, config, built)
    rows = _split_rows(place, built["splits"][split], columns)
    if not rows:
        raise MedzhError(f"{config} holds no records", file=folder, advice=place.again)
    if "id" in rows[0] and len({row["id"] for row in rows}) != len(rows):
        raise MedzhError(f"records of {config} share an id", file=folder, advice=place.again)
    pinned = all(source["pinned"] for source in built.get("sources", ()))
    origin = Origin(built["version"], built["recipe"], built["fingerprint"], pinned, place.commit)
    return Records(config, split, rows, origin)


def check_version(place: Place, config: str, built: dict[str, Any]) -> None:
    """Refuse a release of another version than its tag says: the tag was moved, or never was right.

    Parameters
    ----------
    place : Place
        Where the build stands; a folder has no tag, and any version.
    config : str
        The config's name.
    built : dict
        The manifest's account of the config.

    Raises
    ------
    MedzhError
        If the tag is ``v`` with a version, and the config has another.
    """
    if place.tag is None or VERSION_TAG.fullmatch(place.tag) is None or place.tag == f"v{built['version']}":
        return
    problem, advice = "the tag names another version of the records", "tell those who published it"
    raise MedzhError(
        problem, file=place.folder, field=config, expected=place.tag[1:], found=built["version"], advice=advice
    )


def _check_fingerprint(place: Place, config: str, built: dict[str, Any]) -> None:
    """Refuse records that came from afar and are not those that were published."""
    types = {column["name"]: column["type"] for column in built["features"]}
    found = fingerprint({name: _split_rows(place, split, None) for name, split in built["splits"].items()}, types)
    if found != built["fingerprint"]:
        raise MedzhError(
            f"the records of {config} are not those that were published",
            file=place.folder,
            field="fingerprint",
            expected=built["fingerprint"],
            found=found,
            advice="tell those who published it",
        )


def _split_rows(place: Place, split: dict[str, Any], columns: Sequence[str] | None) -> list[Record]:
    return [row for file in split["files"] for row in _rows(place, file, columns)]


def read_manifest(folder: Traversable, advice: str = BUILD_ADVICE) -> dict[str, Any]:
    """Read the manifest of a build folder.

    Parameters
    ----------
    folder : Path or zipfile.Path
        The build folder, or the root of a bundle.
    advice : str
        What to do where it is damaged.

    Raises
    ------
    MedzhError
        If there is no build, or its manifest is damaged.
    """
    path = folder / MANIFEST
    try:
        manifest = msgspec.json.decode(path.read_bytes())
        manifest["configs"]
    except FileNotFoundError as error:
        raise MedzhError("there is no build here", file=folder, expected=EXPECTED, advice=BUILD_ADVICE) from error
    except UNREADABLE as error:
        why = getattr(error, "strerror", None) or error
        raise MedzhError(f"cannot be read: {why}", file=path, advice=advice) from error
    except (msgspec.MsgspecError, TypeError, KeyError, UnicodeDecodeError, RecursionError) as error:
        raise MedzhError("is no manifest of a build", file=path, advice=advice) from error
    if not isinstance(manifest["configs"], dict):
        raise MedzhError("is no manifest of a build", file=path, field="configs", advice=advice)
    return manifest  # type: ignore[no-any-return]


def _rows(place: Place, file: dict[str, Any], columns: Sequence[str] | None) -> list[Record]:
    import pyarrow as pa
    from pyarrow import parquet

    path = place.folder / file["path"]
    try:
        content = path.read_bytes()
    except UNREADABLE as error:
        why = getattr(error, "strerror", None) or error
        raise MedzhError(f"cannot be read: {why}", file=path, advice=place.again) from error
    found = hashlib.sha256(content).hexdigest()
    if found != file["sha256"]:
        raise MedzhError(
            "is not the file that was built", file=path, expected=file["sha256"], found=found, advice=place.again
        )
    try:
        # Without threads: a process that ends soon after Arrow has started some may be aborted by them.
        stored = parquet.ParquetFile(pa.BufferReader(content), pre_buffer=False)
        lacking = sorted(set(columns or ()) - set(stored.schema_arrow.names))
        if lacking:
            raise MedzhError("lacks columns", file=path, expected=", ".join(lacking), advice=place.again)
        table = stored.read(columns=None if columns is None else list(columns), use_threads=False)
    except pa.ArrowException as error:
        raise MedzhError(f"is no parquet file: {error}", file=path, advice=place.again) from error
    return table.to_pylist()  # type: ignore[no-any-return]
