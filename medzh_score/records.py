"""Records of a built config, as scoring and prompting read them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import msgspec

from medzh_score.errors import MedzhError
from medzh_score.fingerprint import fingerprint
from medzh_score.hub import place_of

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Sequence
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from medzh_score.config import Record
    from medzh_score.hub import Place

DEFAULT_DATA = "build/medzh"
MANIFEST = "manifest.json"
AGAIN = "build it again; or, where it came from a hub, delete that folder and load it again"
BUILD_ADVICE = "build it: medzh-build build CONFIG; or name a build folder with --data"


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
    data: str | Path | zipfile.Path,
    config: str,
    *,
    split: str = "test",
    columns: Sequence[str] | None = None,
) -> Records:
    """Load the records of a config from a build folder, or from a tag on the hub.

    Of a tag the files are downloaded once, the commit is recorded, and the records' fingerprint must be that of the
    manifest; without a connection, what was downloaded before is used.

    Parameters
    ----------
    data : str or Path
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
    manifest = read_manifest(place.folder)
    try:
        return _records(place, manifest, config, split, columns)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        file = place.folder / MANIFEST
        raise MedzhError("the manifest is damaged or of another version", file=file, advice=BUILD_ADVICE) from error


def _records(place: Place, manifest: dict[str, Any], config: str, split: str, columns: Sequence[str] | None) -> Records:
    folder, built = place.folder, manifest["configs"].get(config)
    if built is None:
        known = ", ".join(manifest["configs"]) or "none"
        raise MedzhError("the build lacks the config", file=folder, expected=known, found=config, advice=BUILD_ADVICE)
    if split not in built["splits"]:
        raise MedzhError(f"{config} has no such split", file=folder, expected=", ".join(built["splits"]), found=split)
    if place.commit is not None:
        _check_fingerprint(folder, config, built)
    rows = _split_rows(folder, built["splits"][split], columns)
    if not rows:
        raise MedzhError(f"{config} holds no records", file=folder, advice=BUILD_ADVICE)
    if "id" in rows[0] and len({row["id"] for row in rows}) != len(rows):
        raise MedzhError(f"records of {config} share an id", file=folder, advice=AGAIN)
    pinned = all(source["pinned"] for source in built.get("sources", ()))
    origin = Origin(built["version"], built["recipe"], built["fingerprint"], pinned, place.commit)
    return Records(config, split, rows, origin)


def _check_fingerprint(folder: Traversable, config: str, built: dict[str, Any]) -> None:
    """Refuse records that came from afar and are not those that were published."""
    types = {column["name"]: column["type"] for column in built["features"]}
    found = fingerprint({name: _split_rows(folder, split, None) for name, split in built["splits"].items()}, types)
    if found != built["fingerprint"]:
        raise MedzhError(
            f"the records of {config} are not those that were published",
            file=folder,
            field="fingerprint",
            expected=built["fingerprint"],
            found=found,
            advice="tell those who published it",
        )


def _split_rows(folder: Traversable, split: dict[str, Any], columns: Sequence[str] | None) -> list[Record]:
    return [row for file in split["files"] for row in _rows(folder, file, columns)]


def read_manifest(folder: Traversable) -> dict[str, Any]:
    """Read the manifest of a build folder.

    Parameters
    ----------
    folder : Path or zipfile.Path
        The build folder, or the root of a bundle.

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
        raise MedzhError("there is no build here", file=folder, advice=BUILD_ADVICE) from error
    except (OSError, BadZipFile) as error:
        raise MedzhError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=path) from error
    except (msgspec.MsgspecError, TypeError, KeyError, UnicodeDecodeError, RecursionError) as error:
        raise MedzhError("is no manifest of a build", file=path, advice=BUILD_ADVICE) from error
    if not isinstance(manifest["configs"], dict):
        raise MedzhError("is no manifest of a build", file=path, field="configs", advice=BUILD_ADVICE)
    return manifest  # type: ignore[no-any-return]


def _rows(folder: Traversable, file: dict[str, Any], columns: Sequence[str] | None) -> list[Record]:
    import pyarrow as pa
    from pyarrow import parquet

    path = folder / file["path"]
    try:
        content = path.read_bytes()
    except (OSError, BadZipFile) as error:
        why = getattr(error, "strerror", None) or error
        raise MedzhError(f"cannot be read: {why}", file=path, advice=AGAIN) from error
    found = hashlib.sha256(content).hexdigest()
    if found != file["sha256"]:
        raise MedzhError(
            "is not the file that was built", file=path, expected=file["sha256"], found=found, advice=AGAIN
        )
    try:
        # Without threads: a process that ends soon after Arrow has started some may be aborted by them.
        stored = parquet.ParquetFile(pa.BufferReader(content), pre_buffer=False)
        lacking = sorted(set(columns or ()) - set(stored.schema_arrow.names))
        if lacking:
            raise MedzhError("lacks columns", file=path, expected=", ".join(lacking), advice=AGAIN)
        table = stored.read(columns=None if columns is None else list(columns), use_threads=False)
    except pa.ArrowException as error:
        raise MedzhError(f"is no parquet file: {error}", file=path, advice=AGAIN) from error
    return table.to_pylist()  # type: ignore[no-any-return]
