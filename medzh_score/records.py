"""Records of a built config, as scoring and prompting read them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.config import Record

DEFAULT_DATA = "build/medzh"
MANIFEST = "manifest.json"
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
    """

    version: str
    recipe: str
    fingerprint: str
    pinned: bool = True

    @property
    def official(self) -> bool:
        """Whether these are the benchmark itself: the official recipe on the pinned file."""
        return self.recipe == "official" and self.pinned

    def __str__(self) -> str:
        """Write it as the signature does: version, recipe and the first eight digits."""
        return f"{self.version}/{self.recipe}/{self.fingerprint[:8]}"


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
    config: str,
    data: str | Path = DEFAULT_DATA,
    *,
    split: str = "test",
    columns: Sequence[str] | None = None,
) -> Records:
    """Load the records of a config from a build folder.

    Parameters
    ----------
    config : str
        The config's name.
    data : str or Path
        The build folder.
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
        If the folder holds no such config or split, or a file is not the one that was built.

    Examples
    --------
    >>> load_records("sdak", "no/such/folder")
    Traceback (most recent call last):
    medzh_score.errors.MedzhError: ...
    """
    folder = Path(data)
    manifest = read_manifest(folder)
    try:
        return _records(folder, manifest, config, split, columns)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise MedzhError(
            "the manifest is damaged or of another version", file=folder / MANIFEST, advice=BUILD_ADVICE
        ) from error


def _records(folder: Path, manifest: dict[str, Any], config: str, split: str, columns: Sequence[str] | None) -> Records:
    built = manifest["configs"].get(config)
    if built is None:
        known = ", ".join(manifest["configs"]) or "none"
        raise MedzhError("the build lacks the config", file=folder, expected=known, found=config, advice=BUILD_ADVICE)
    if split not in built["splits"]:
        raise MedzhError(f"{config} has no such split", file=folder, expected=", ".join(built["splits"]), found=split)
    rows = [row for file in built["splits"][split]["files"] for row in _rows(folder, file, columns)]
    if not rows:
        raise MedzhError(f"{config} holds no records", file=folder, advice=BUILD_ADVICE)
    if "id" in rows[0] and len({row["id"] for row in rows}) != len(rows):
        raise MedzhError(f"records of {config} share an id", file=folder, advice="build it again")
    pinned = all(source["pinned"] for source in built.get("sources", ()))
    return Records(config, split, rows, Origin(built["version"], built["recipe"], built["fingerprint"], pinned))


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a build folder.

    Parameters
    ----------
    folder : Path
        The build folder.

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
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path) from error
    except (msgspec.MsgspecError, TypeError, KeyError, UnicodeDecodeError, RecursionError) as error:
        raise MedzhError("is no manifest of a build", file=path, advice=BUILD_ADVICE) from error
    if not isinstance(manifest["configs"], dict):
        raise MedzhError("is no manifest of a build", file=path, field="configs", advice=BUILD_ADVICE)
    return manifest  # type: ignore[no-any-return]


def _rows(folder: Path, file: dict[str, Any], columns: Sequence[str] | None) -> list[Record]:
    import pyarrow as pa
    from pyarrow import parquet

    path = folder / file["path"]
    try:
        content = path.read_bytes()
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path, advice="build it again") from error
    found = hashlib.sha256(content).hexdigest()
    if found != file["sha256"]:
        raise MedzhError(
            "is not the file that was built", file=path, expected=file["sha256"], found=found, advice="build it again"
        )
    try:
        # Without threads: a process that ends soon after Arrow has started some may be aborted by them.
        stored = parquet.ParquetFile(pa.BufferReader(content), pre_buffer=False)
        lacking = sorted(set(columns or ()) - set(stored.schema_arrow.names))
        if lacking:
            raise MedzhError("lacks columns", file=path, expected=", ".join(lacking), advice="build it again")
        table = stored.read(columns=None if columns is None else list(columns), use_threads=False)
    except pa.ArrowException as error:
        raise MedzhError(f"is no parquet file: {error}", file=path, advice="build it again") from error
    return table.to_pylist()  # type: ignore[no-any-return]
