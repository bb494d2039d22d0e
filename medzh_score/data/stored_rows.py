"""The rows of a split as its files hold them, compared with what the manifest says of them."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile
from zlib import error as BadDeflate  # noqa: N812 - an error as every other

import msgspec

from medzh_score.data.hub import MANIFEST
from medzh_score.data.integrity import ID, LABEL, column_digests, digest_of, in_order_of_ids, stated_in_file
from medzh_score.io.jsonl import NO_JSON
from medzh_score.io.limits import check_texts, check_unpacked, parquet_faults
from medzh_score.io.open_input import START, refuse_stand_in
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable, quotable_key

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from importlib.resources.abc import Traversable

    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    from medzh_score.data.hub import BuildLocation
    from medzh_score.data.integrity import Columns, Label


# A member of a bundle may be damaged, locked with a password or packed in a way that Python does not know.
UNREADABLE = (OSError, EOFError, BadZipFile, BadDeflate, RuntimeError)
SLOT = 8  # bytes that a cell takes, though what it holds be stored once
RECIPE = "recipe"  # the column in which rows say by which recipe they were made
BLOBS = "blobs"  # the folder of a repository's contents, to which the names in its snapshots are links
HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def stored_columns(
    place: BuildLocation, stated: Mapping[str, Any], label: Label, names: Collection[str] | None
) -> Columns:
    """Read the columns of a split, and refuse what is not what the manifest says.

    Compared are: the hash of each file; what the file says of itself (config, split, recipe, names of sources,
    fingerprint); the recipe of which its rows say they are; the digest of each column that is read; and the digest that
    binds them all. So the mini sample is known by its rows, whatever the manifest says.
    """
    tables = [_table(place, file, label, names) for file in stated["files"]]
    columns = {
        name: [value for table in tables for value in table.column(name).to_pylist()] for name in tables[0].column_names
    }
    _compare(place, stated, label, column_digests(in_order_of_ids(columns)))
    return columns


def check_files(place: BuildLocation, stated: Mapping[str, Any], label: Label, digests: Mapping[str, str]) -> None:
    """Refuse what `stored_columns` refuses of a split whose rows were read already, and have these digests."""
    for file in stated["files"]:
        _opened(place, file, _content(place, file), label, None)
    _compare(place, stated, label, digests)


def file_of(place: BuildLocation, stated: Mapping[str, Any]) -> str:
    """Name the file in which the rows of a split stand; of several, their folder."""
    paths = [place.folder / file["path"] for file in stated["files"]]
    return str(paths[0] if len(paths) == 1 else paths[0].parent)


def _table(place: BuildLocation, file: Mapping[str, Any], label: Label, names: Collection[str] | None) -> pa.Table:
    import pyarrow as pa

    path, content = place.folder / file["path"], _content(place, file)
    stored = _opened(place, file, content, label, names)
    columns = None if names is None else list(dict.fromkeys((*names, ID)))
    try:
        check_texts(pa.py_buffer(content), len(content), path, columns)
        table = stored.read(columns=columns, use_threads=False)
        table.validate(full=True)  # the bytes of a text need not be UTF-8
    except parquet_faults() as error:
        raise MedzhError(
            _("invalid Parquet file: {error}", error=quotable(error)), file=path, advice=place.again
        ) from error
    return table


def _opened(
    place: BuildLocation, file: Mapping[str, Any], content: bytes, label: Label, names: Collection[str] | None
) -> ParquetFile:
    """Open a file that is the one that was built, has the columns, and says of itself what the manifest says."""
    import pyarrow as pa
    from pyarrow import parquet

    path = place.folder / file["path"]
    try:
        # Without threads: a process that ends soon after Arrow has started some may be aborted by them.
        stored = parquet.ParquetFile(pa.BufferReader(content), pre_buffer=False)
        parts = stored.metadata
        unpacked = sum(parts.row_group(place).total_byte_size for place in range(parts.num_row_groups))
        check_unpacked(unpacked + SLOT * parts.num_rows * parts.num_columns, len(content), path)
        held = stored.schema_arrow.names
        if lacking := sorted({ID, *(names or ())} - set(held)):
            raise MedzhError(_("columns are missing"), file=path, expected=", ".join(lacking), advice=place.again)
        if len(set(held)) < len(held):
            raise MedzhError(_("duplicate column"), file=path, found=quotable_key(*held), advice=place.again)
        _check_label(place, path, stored, label)
        _check_recipe(place, path, content, stored, label)
    except parquet_faults() as error:
        raise MedzhError(
            _("invalid Parquet file: {error}", error=quotable(error)), file=path, advice=place.again
        ) from error
    return stored


def _content(place: BuildLocation, file: Mapping[str, Any]) -> bytes:
    path = place.folder / file["path"]
    try:
        content: bytes = path.read_bytes()
    except UNREADABLE as error:
        why = getattr(error, "strerror", None) or error
        raise MedzhError(_("cannot read the file: {why}", why=why), file=path, advice=place.again) from error
    refuse_stand_in(content[:START], path)
    refuse_other_blob(path, content, place.again)
    found = hashlib.sha256(content).hexdigest()
    if found != file["sha256"]:
        raise MedzhError(
            _("the file hash does not match the manifest"),
            file=path,
            expected=file["sha256"],
            found=found,
            advice=place.again,
        )
    return content


def _check_label(place: BuildLocation, path: Any, stored: ParquetFile, label: Label) -> None:  # noqa: ANN401 - as BuildLocation has it
    """Refuse a file that says of itself what the manifest does not say."""
    said = (stored.schema_arrow.metadata or {}).get(LABEL.encode())
    try:
        own: Label = msgspec.json.decode(said, type=dict) if said else {}
    except NO_JSON:
        own = {}
    for field, expected in stated_in_file(label).items():
        if field not in own:
            problem = _("the file metadata does not contain the field")
            raise MedzhError(problem, file=path, field=field, expected=str(expected), advice=place.again)
        if own[field] != expected:
            raise _otherwise(place, path, field, expected, own[field])


def _otherwise(place: BuildLocation, path: Any, field: str, expected: object, found: object) -> MedzhError:  # noqa: ANN401
    problem = _("the rows of the file do not match the manifest")
    return MedzhError(problem, file=path, field=field, expected=str(expected), found=found, advice=place.again)


def _check_recipe(place: BuildLocation, path: Any, content: bytes, stored: ParquetFile, label: Label) -> None:  # noqa: ANN401
    """Refuse rows that say of themselves another recipe; read as a dictionary, which holds each once."""
    import pyarrow as pa
    from pyarrow import parquet

    if RECIPE not in stored.schema_arrow.names:
        return
    stated = label.get(RECIPE)
    kind = stored.schema_arrow.field(RECIPE).type
    if kind != pa.string():
        raise _otherwise(place, path, RECIPE, stated, kind)
    reader = pa.BufferReader(content)
    file = parquet.ParquetFile(reader, metadata=stored.metadata, pre_buffer=False, read_dictionary=[RECIPE])
    for chunk in file.read(columns=[RECIPE], use_threads=False).column(RECIPE).chunks:
        chunk.dictionary.validate(full=True)
        for recipe in (*chunk.dictionary.to_pylist(), *([None] if chunk.null_count else [])):
            if recipe != stated:
                raise _otherwise(place, path, RECIPE, stated, recipe)


def _compare(place: BuildLocation, stated: Mapping[str, Any], label: Label, digests: Mapping[str, str]) -> None:
    """Compare the digest of each column that was read, and the one that binds them to what the rows are said to be."""
    for name, found in digests.items():
        if found != stated["columns"].get(name):
            problem, expected = _("the column digest does not match the manifest"), stated["columns"].get(name)
            file = file_of(place, stated)
            raise MedzhError(
                problem,
                file=file,
                field=name,
                expected=expected or _("no column with this name"),
                found=found,
                advice=place.again,
            )
    bound = digest_of(label, stated["columns"])
    if bound != stated["digest"]:
        field = f"configs.{label['config']}.splits.{label['split']}.digest"
        raise MedzhError(
            _("the entry for the rows in the manifest was modified"),
            file=place.folder / MANIFEST,
            field=field,
            expected=stated["digest"],
            found=bound,
            advice=place.again,
        )


def refuse_other_blob(path: Traversable, content: bytes, advice: str) -> None:
    """Refuse content of a snapshot that does not have the hash by which the hub calls it.

    Of large files that is the SHA-256, of others that of git, which counts a head in. Where links cannot be made, a
    snapshot holds copies, and no hash is known.
    """
    if not isinstance(path, Path) or not path.is_symlink():
        return
    blob = path.resolve()
    if blob.parent.name != BLOBS or HASH.fullmatch(blob.name) is None:
        return
    found = hashlib.sha256(content).hexdigest()
    if len(blob.name) < len(found):
        found = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
    if found != blob.name:
        problem = _("the cached file differs from the file on the hub: it was modified or damaged")
        raise MedzhError(problem, file=path, expected=blob.name, found=found, advice=advice)
