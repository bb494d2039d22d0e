"""Files in a hub's cache: read only where they have the hash by which the cache calls them."""

from __future__ import annotations

import hashlib
import json
import subprocess

import pytest

from medzh_score.data.hub import MANIFEST, Place
from medzh_score.data.records import load_records
from medzh_score.messages.errors import MedzhError


@pytest.fixture
def snapshot(sdak_build, tmp_path):
    """Lay a build out as the hub's client does: large files by SHA-256, others as git calls them."""
    blobs, folder = tmp_path / "blobs", tmp_path / "snapshots" / ("0" * 40)
    blobs.mkdir()
    for file in (file for file in sdak_build.rglob("*") if file.is_file()):
        content, link = file.read_bytes(), folder / file.relative_to(sdak_build)
        name = hashlib.sha256(content).hexdigest()
        if file.suffix != ".parquet":
            name = subprocess.check_output(["git", "hash-object", file], text=True).strip()  # noqa: S607 - as found
        (blobs / name).write_bytes(content)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(blobs / name)
    return Place(folder, "0" * 40)


def test_sound_files_are_read(snapshot, sdak_build):
    assert load_records(snapshot, "sdak").rows == load_records(sdak_build, "sdak").rows


def test_a_manifest_that_was_changed_is_refused_though_it_fits_the_rows(snapshot):
    file = snapshot.folder / MANIFEST
    changed = json.loads(file.read_bytes())
    changed["configs"]["sdak"]["version"] = "9.9.9"
    file.resolve().write_text(json.dumps(changed))
    with pytest.raises(MedzhError, match="is not the file that the hub gave") as refused:
        load_records(snapshot, "sdak")
    assert (refused.value.file, refused.value.expected) == (str(file), file.resolve().name)
    assert refused.value.advice == f"delete {snapshot.folder.parent.parent} and load it again"


def test_rows_that_were_changed_together_with_what_the_manifest_says(snapshot):
    (file,) = snapshot.folder.glob("sdak/*.parquet")
    before = file.read_bytes()
    file.resolve().write_bytes(before + b" ")
    with pytest.raises(MedzhError, match="is not the file that the hub gave") as refused:
        load_records(snapshot, "sdak")
    assert refused.value.found == hashlib.sha256(before + b" ").hexdigest()


def test_copies_and_other_links_have_no_hash(snapshot, tmp_path):
    """Where links cannot be made a snapshot holds copies; a build may hold links of its user's."""
    file = snapshot.folder / MANIFEST
    content = file.read_bytes().replace(b"{", b"{ ", 1)
    for target in (tmp_path / "mine.json", tmp_path / "blobs" / "mine.json"):
        target.write_bytes(content)
        file.unlink()
        file.symlink_to(target)
        assert load_records(snapshot, "sdak").rows
    file.unlink()
    file.write_bytes(content)
    assert load_records(snapshot, "sdak").rows
