"""A build in one file: every command reads it as it is, equal content has equal bytes, and damage is said."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from dataset_scripts.command_line import main as build_command
from medzh_score.command_line import main
from medzh_score.data.records import load_records
from medzh_score.files.archives import write_zip
from medzh_score.messages.errors import MedzhError

SDAK = "sdak/test-"


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Build the sample of SDAK."""
    out = tmp_path_factory.mktemp("build") / "medzh"
    assert build_command(["build", "sdak", "--recipe", "mini", "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def bundle(build, tmp_path_factory):
    """Pack it with a dictionary, twice."""
    folder = tmp_path_factory.mktemp("bundle")
    (folder / "codes.csv").write_text("name,code\n流感,J11\n", encoding="utf-8")
    given = ("--dictionaries", str(folder / "codes.csv"))
    for name in ("one.zip", "two.zip"):
        assert build_command(["bundle", "--data", str(build), "--out", str(folder / name), *given]) == 0
    assert (folder / "one.zip").read_bytes() == (folder / "two.zip").read_bytes()
    return folder / "one.zip"


def output(capsys, *arguments):
    """Run a command, and give what it prints."""
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
        said = [output(capsys, *arguments, "--data", str(data)) for data in (build, bundle)]
        assert said[0]
        assert said[0] == said[1]
    report = str(tmp_path / "report.json")
    output(capsys, "score", "sdak", predictions, "--data", str(build), "--to", "json", "--out", report)
    output(capsys, "verify", report, predictions, "--data", str(bundle))
    assert build_command(["diff", str(build), str(bundle)]) == 0
    assert capsys.readouterr().out.endswith("the version must grow by: none\n")


def test_dictionaries_and_hashes_are_inside(bundle):
    with zipfile.ZipFile(bundle) as archive:
        assert archive.testzip() is None
        names = set(archive.namelist())
        assert {"dictionaries/codes.csv", "README.md", "LICENSE"} <= names
        sums = dict(reversed(line.split("  ")) for line in archive.read("SHA256SUMS").decode().splitlines())
        assert sums.keys() == names - {"SHA256SUMS"}


def members(bundle):
    """Give what is in a bundle."""
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != "SHA256SUMS"}


def parquet_in(held):
    """Give the name of the records."""
    return next(name for name in held if name.startswith(SDAK))


def no_manifest(held):
    """Take the manifest away."""
    del held["manifest.json"]


def no_records(held):
    """Take the records away."""
    del held[parquet_in(held)]


def other_records(held):
    """Change a byte of the records."""
    held[parquet_in(held)] = held[parquet_in(held)][:-1] + b"x"


def other_fingerprint(held):
    """Let the manifest tell of other records."""
    text = held["manifest.json"].decode()
    start = text.index('"fingerprint": "') + len('"fingerprint": "')
    held["manifest.json"] = (text[:start] + "0" * 64 + text[start + 64 :]).encode()


def empty_manifest(held):
    """Leave nothing of the manifest."""
    held["manifest.json"] = b""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (no_manifest, "there is no build here"),
        (no_records, "cannot be read"),
        (other_records, "is not the file that was built"),
        (other_fingerprint, "field fingerprint: holds other rows than the manifest says"),
        (empty_manifest, "is no manifest of a build"),
    ],
)
def test_a_bundle_that_was_changed_gives_a_message_and_no_rows(bundle, tmp_path, change, expected):
    held = members(bundle)
    change(held)
    write_zip(tmp_path / "changed.zip", held)
    with pytest.raises(MedzhError, match=expected) as raised:
        load_records(config="sdak", data=str(tmp_path / "changed.zip"))
    assert "\n" not in str(raised.value)


def stored_bytes(content, name):
    """Find where the packed bytes of a member stand."""
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
    with pytest.raises(MedzhError, match="cannot be read") as raised:
        load_records(config="sdak", data=str(tmp_path / "damaged.zip"))
    assert "copy it again" in str(raised.value)


@pytest.mark.parametrize("length", [0, 10, 0.5, -1])
def test_a_file_that_was_cut_off_is_no_bundle(bundle, tmp_path, length):
    content = bundle.read_bytes()
    cut = int(len(content) * length) if isinstance(length, float) else length
    (tmp_path / "cut.zip").write_bytes(content[:cut])
    with pytest.raises(MedzhError, match="is no bundle"):
        load_records(config="sdak", data=str(tmp_path / "cut.zip"))


def test_members_that_need_a_password_or_an_unknown_packing_give_a_message(bundle, tmp_path):
    for offset, value in ((8, 1), (10, 97)):  # of the flag "encrypted" and of the method, in the central directory
        content = bytearray(bundle.read_bytes())
        at = content.rindex(b"manifest.json") - 46
        assert content[at : at + 4] == b"PK\x01\x02"
        content[at + offset] |= value
        (tmp_path / "locked.zip").write_bytes(content)
        with pytest.raises(MedzhError, match="cannot be read"):
            load_records(config="sdak", data=str(tmp_path / "locked.zip"))


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
    with pytest.raises(MedzhError, match="cannot be read"):
        load_records(config="sdak", data=str(tmp_path / "leads.zip"))


def test_a_bundle_with_zip64_is_read(bundle, tmp_path):
    with zipfile.ZipFile(tmp_path / "large.zip", "w") as archive:
        for name, content in members(bundle).items():
            with archive.open(name, "w", force_zip64=True) as stream:
                stream.write(content)
    assert len(load_records(config="sdak", data=str(tmp_path / "large.zip")).rows) == 204


def test_a_full_disk_gives_one_line(build, capsys):
    assert build_command(["bundle", "--data", str(build), "--out", "/dev/full"]) == 2
    assert "No space left" in capsys.readouterr().err
