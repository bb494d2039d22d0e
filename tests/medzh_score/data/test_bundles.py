"""A build in one file: every command reads it as it is, equal content has equal bytes, and damage is said."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import subprocess
import zipfile

import pytest

from dataset_scripts.cli.main import main as build_command
from medzh_score.cli.main import main
from medzh_score.data.hub import MANIFEST, BuildLocation
from medzh_score.data.records import load_records
from medzh_score.io.archive import write_zip
from medzh_score.ui.errors import MedzhError

SDAK = "sdak/test-"


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    out = tmp_path_factory.mktemp("build") / "medzh"
    assert build_command(["build", "sdak", "--recipe", "mini", "--output", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def bundle(build, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundle")
    (folder / "codes.csv").write_text("name,code\n流感,J11\n", encoding="utf-8")
    given = ("--dictionaries", str(folder / "codes.csv"))
    for name in ("one.zip", "two.zip"):
        assert build_command(["bundle", "--data", str(build), "--output", str(folder / name), *given]) == 0
    assert (folder / "one.zip").read_bytes() == (folder / "two.zip").read_bytes()
    return folder / "one.zip"


def output(capsys, *arguments):
    capsys.readouterr()
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_every_command_reads_a_bundle_as_the_folder_that_it_was_made_of(build, bundle, sdak_sample, capsys, tmp_path):
    predictions = str(sdak_sample / "predictions.jsonl")
    for arguments in (
        ("prompts", "sdak"),
        ("check", "sdak", predictions),
        ("score", "sdak", predictions, "--bootstrap", "20", "--to", "json"),
        ("cite", "sdak"),
    ):
        said = [output(capsys, *arguments, "--data", str(data)).replace(str(data), "DATA") for data in (build, bundle)]
        assert said[0]
        assert said[0] == said[1]
    report = str(tmp_path / "report.json")
    output(capsys, "score", "sdak", predictions, "--data", str(build), "--to", "json", "--output", report)
    output(capsys, "verify", report, predictions, "--data", str(bundle))
    assert build_command(["diff", str(build), str(bundle)]) == 0
    assert capsys.readouterr().out.endswith("required version step: none\n")


def members(bundle):
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != "SHA256SUMS"}


def parquet_in(held):
    return next(name for name in held if name.startswith(SDAK))


def no_manifest(held):
    del held["manifest.json"]


def no_records(held):
    del held[parquet_in(held)]


def other_records(held):
    held[parquet_in(held)] = held[parquet_in(held)][:-1] + b"x"


def other_fingerprint(held):
    text = held["manifest.json"].decode()
    start = text.index('"fingerprint": "') + len('"fingerprint": "')
    held["manifest.json"] = (text[:start] + "0" * 64 + text[start + 64 :]).encode()


def empty_manifest(held):
    held["manifest.json"] = b""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (no_manifest, "no build found"),
        (no_records, "cannot read the file: "),
        (other_records, "the file hash does not match the manifest"),
        (other_fingerprint, 'field "fingerprint": the rows of the file do not match the manifest'),
        (empty_manifest, "the file is not a build manifest"),
    ],
)
def test_a_bundle_that_was_changed_gives_a_message_and_no_rows(bundle, tmp_path, change, expected):
    held = members(bundle)
    change(held)
    write_zip(tmp_path / "changed.zip", held)
    with pytest.raises(MedzhError, match=expected) as raised:
        load_records(config="sdak", data=str(tmp_path / "changed.zip"))
    assert "\n" not in str(raised.value).replace("\n  ", "")


def stored_bytes(content, name):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        about = archive.getinfo(name)
    lengths = struct.unpack("<HH", content[about.header_offset + 26 : about.header_offset + 30])
    start = about.header_offset + 30 + sum(lengths)
    return slice(start, start + about.compress_size)


@pytest.mark.parametrize("name", ["manifest.json", SDAK])
@pytest.mark.parametrize("place", [0, 0.5, 0.99])
def test_bytes_that_were_damaged_on_the_way_give_a_message(bundle, tmp_path, name, place):
    content = bytearray(bundle.read_bytes())
    name = parquet_in(members(bundle)) if name == SDAK else name
    where = stored_bytes(bytes(content), name)
    at = where.start + int((where.stop - where.start) * place)
    content[at] ^= 0xFF
    (tmp_path / "damaged.zip").write_bytes(content)
    with pytest.raises(MedzhError, match="cannot read the file: ") as raised:
        load_records(config="sdak", data=str(tmp_path / "damaged.zip"))
    assert "copy the offline bundle again; it is damaged" in str(raised.value)


@pytest.mark.parametrize("length", [0, 10, 0.5, -1])
def test_a_file_that_was_cut_off_is_no_bundle(bundle, tmp_path, length):
    content = bundle.read_bytes()
    cut = int(len(content) * length) if isinstance(length, float) else length
    (tmp_path / "cut.zip").write_bytes(content[:cut])
    with pytest.raises(MedzhError, match="invalid offline bundle"):
        load_records(config="sdak", data=str(tmp_path / "cut.zip"))


def test_nothing_is_unpacked_and_names_that_lead_elsewhere_are_never_read(bundle, tmp_path):
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        for name, content in {**members(bundle), "../escaped.txt": b"x", "/tmp/absolute": b"x"}.items():  # noqa: S108
            archive.writestr(name, content)
    before = sorted(tmp_path.rglob("*"))
    assert len(load_records(config="sdak", data=str(tmp_path / "evil.zip")).rows) == 204
    assert sorted(tmp_path.rglob("*")) == before
    held = members(bundle)
    (tmp_path / "outside.parquet").write_bytes(held[parquet_in(held)])
    held["manifest.json"] = held["manifest.json"].replace(parquet_in(held).encode(), b"../outside.parquet")
    write_zip(tmp_path / "leads.zip", held)
    with pytest.raises(MedzhError, match="cannot read the file: "):
        load_records(config="sdak", data=str(tmp_path / "leads.zip"))


@pytest.fixture
def snapshot(sdak_build, tmp_path):
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
    return BuildLocation(folder, "0" * 40)


def test_sound_files_are_read(snapshot, sdak_build):
    assert load_records(snapshot, "sdak").rows == load_records(sdak_build, "sdak").rows


def test_a_manifest_that_was_changed_is_refused_though_it_fits_the_rows(snapshot):
    file = snapshot.folder / MANIFEST
    changed = json.loads(file.read_bytes())
    changed["configs"]["sdak"]["version"] = "9.9.9"
    file.resolve().write_text(json.dumps(changed))
    with pytest.raises(
        MedzhError, match="the cached file differs from the file on the hub: it was modified or damaged"
    ) as refused:
        load_records(snapshot, "sdak")
    assert (refused.value.file, refused.value.expected) == (str(file), file.resolve().name)
    assert refused.value.advice == f"delete {snapshot.folder.parent.parent} and load the data again"


def test_rows_that_were_changed_together_with_what_the_manifest_says(snapshot):
    (file,) = snapshot.folder.glob("sdak/*.parquet")
    before = file.read_bytes()
    file.resolve().write_bytes(before + b" ")
    with pytest.raises(
        MedzhError, match="the cached file differs from the file on the hub: it was modified or damaged"
    ) as refused:
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
