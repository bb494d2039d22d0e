"""What small files unpack to, and what long ones hold: refused by name, and within memory, in every form."""

from __future__ import annotations

import gzip
import io
import os
import re
import struct
import zipfile
import zlib

import openpyxl
import pyarrow as pa
import pyarrow.parquet
import pytest
from places import SAMPLES

from medzh_score.cli.main import main
from medzh_score.io import limits
from medzh_score.io.archive import BoundedZip
from medzh_score.io.limits import check_texts
from medzh_score.io.open_input import InputFile
from medzh_score.io.workbooks import as_csv
from medzh_score.readers import lighteval
from medzh_score.readers.files import PredictionFiles
from medzh_score.ui.errors import MedzhError

MOST = 300  # MB above the imports
# What reading raises the peak by, where all modules were imported and a sound file was read before.
MEASURE = """
import resource, sys
from medzh_score.cli.main import main
import openpyxl, pyarrow.parquet
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
*command, sound, path = sys.argv[1:]
assert main([one.replace("FILE", sound) for one in command]) == 0
before = peak()
status = main([one.replace("FILE", path) for one in command])
print("rise", peak() - before, "status", status)
"""
SCORE = ("score", "sdak", "FILE", "--data", "mini", "--bootstrap", "0", "--missing", "wrong", "-q")
LINE = b'{"id": "sdak-disease_cause-0001-f", "prediction": "'
HEAD = b"id,prediction\n"
BIG = 1 << 20


def packed(path, *parts):
    blocks, checksum, length = [], 0, 0
    for part, times in parts:
        packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        blocks.append((packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH)) * times)
        length += len(part) * times
        for _ in range(times):
            checksum = zlib.crc32(part, checksum)
    end = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS).flush()
    head = gzip.compress(b"", mtime=0)[:10]
    path.write_bytes(head + b"".join(blocks) + end + struct.pack("<II", checksum, length % (1 << 32)))


def zipped(path, **parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, (part, times) in parts.items():
            with archive.open(name.replace("_", "."), "w", force_zip64=True) as member:
                for _ in range(times):
                    member.write(part)


def workbook(path, put=list, *, inside=None):
    book = openpyxl.Workbook()
    book.active.append(["id", "prediction"])
    book.active.append(["sdak-disease_cause-0001-f", "正确"])
    put(book.active)
    stream = io.BytesIO()
    book.save(stream)
    with zipfile.ZipFile(stream) as archive, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as again:
        for name in archive.namelist():
            content = archive.read(name)
            again.writestr(name, content.replace(*inside) if inside and "sheet1" in name else content)


# A file by its name, how it is written, and what refuses it.
HOSTILE = {
    "line.jsonl.gz": (
        lambda path: packed(path, (LINE, 1), (b"a" * BIG, 400), (b'"}\n', 1)),
        "the decompressed size is more than 32 MB",
    ),
    "table.csv.gz": (
        lambda path: packed(path, (HEAD, 1), (b"a,b\n" * 99_999, 1000)),
        "the decompressed size is more than 32 MB",
    ),
    "nested.jsonl": (
        lambda path: path.write_bytes(b'{"id": "x", "prediction": "y", "e": [' + b"[]," * 12_000_000 + b"[]]}\n"),
        "the line is longer than 32 MB",
    ),
    "cell.csv": (
        lambda path: path.write_bytes(HEAD + b'a,"' + (b"b" * 99 + b"\n") * 200_000 + b'"\n'),
        "a row is longer than",
    ),
    "commas.csv": (lambda path: path.write_bytes(HEAD + b"," * 31_000_000), "a row is longer than 8,388,608"),
    "far.xlsx": (
        lambda path: workbook(path, lambda sheet: [sheet.cell(row, 16_384, "x") for row in range(2, 3000)]),
        "a sheet has too many cells",
    ),
    "rows.xlsx": (
        lambda path: workbook(path, inside=(b'<row r="2"', b'<row r="1000000000"')),
        "a sheet has too many cells",
    ),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    path = tmp_path_factory.mktemp("sound") / "sound.xlsx"
    workbook(path)
    return path


@pytest.fixture
def measured(forked):

    def run(command, sound, path):
        done = forked("-c", MEASURE, *command, sound, path)
        found = re.search(r"rise (\d+) status (\d+)", done.stdout)
        assert found, done.stderr
        return int(found[1]), int(found[2]), "\n".join(done.stderr.strip().splitlines()[-2:])

    return run


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_within_memory(name, sound, tmp_path, measured):
    write, problem = HOSTILE[name]
    write(tmp_path / name)
    rise, status, said = measured(SCORE, sound, tmp_path / name)
    assert (status, problem in said, name in said, "--size-limit-factor 10" in said) == (2, True, True, True), said
    assert rise < MOST


def test_a_bundle_that_fills_the_memory_is_refused(sdak_build, tmp_path, measured):
    sound, path = tmp_path / "sound.zip", tmp_path / "bundle.zip"
    with zipfile.ZipFile(sound, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sdak_build.rglob("*"):
            archive.write(file, file.relative_to(sdak_build))
    command = ("score", "sdak", SAMPLES / "sdak" / "predictions.jsonl", "--data", "FILE", "--bootstrap", "0", "-q")
    for parts, problem in (
        ({"manifest_json": (b" " * BIG, 600)}, "the decompressed size is more than 32 MB and 200 times the file size"),
        ({"manifest_json": (b"[]," * BIG, 4), "other": (os.urandom(BIG), 1)}, "the content is too large: "),
    ):
        zipped(path, **parts)
        rise, status, said = measured(command, sound, path)
        assert (status, problem in said, "--size-limit-factor 10" in said, rise < MOST) == (2, True, True, True), said


def test_a_member_gives_no_more_than_its_archive_says(tmp_path):
    """An archive may lie of how much a member unpacks to; zipfile would unpack all of it first."""
    path = tmp_path / "a.zip"
    zipped(path, member=(b"\0" * BIG, 300))
    size = (300 * BIG).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(size, (1000).to_bytes(4, "little")))
    with BoundedZip(path) as archive, pytest.raises(zipfile.BadZipFile), archive.open("member") as member:
        assert len(member.read()) <= 1000
    zipped(path, member=(b"\0", 1))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("member", b"\0" * BIG)
    with BoundedZip(path) as archive, pytest.raises(NotImplementedError):
        archive.read("member")


def test_the_bounds_are_raised_by_one_option_and_by_the_environment(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(limits, "UNPACKED", 1000)
    path = tmp_path / "p.jsonl.gz"
    packed(path, *[(b'{"id": "sdak-disease_cause-0001-f", "prediction": "' + b"a" * 300_000 + b'"}\n', 1)])
    command = ["score", "sdak", str(path), "--data", "mini", "--bootstrap", "0", "--missing", "wrong", "-q"]
    assert main(command) == 2
    assert "the decompressed size is more than 0 MB and 200 times the file size" in capsys.readouterr().err
    assert main([*command, "--size-limit-factor", "20"]) == 0
    assert limits.VARIABLE not in os.environ
    monkeypatch.setenv(limits.VARIABLE, "20")
    assert main(command) == 0
    assert main([*command, "--size-limit-factor", "0"]) == 2
    assert "--size-limit-factor: invalid size limit factor" in capsys.readouterr().err
    for wrong in ("0", "-1", "x", "1.5", ""):
        monkeypatch.setenv(limits.VARIABLE, wrong)
        assert main(command) == 2
        assert 'field "MEDZH_SIZE_LIMIT_FACTOR": invalid size limit factor' in capsys.readouterr().err


def read(path, form):
    return [one for opened in PredictionFiles((path,), form).again() for _, one in opened.lines]


def test_a_line_is_as_long_as_lines_may_be(monkeypatch, tmp_path):
    monkeypatch.setattr(limits, "LINE", 1 << 19)
    path = tmp_path / "p.jsonl"
    line = LINE + b"a" * ((1 << 19) - len(LINE) - 3) + b'"}\n'
    path.write_bytes(b"\n" + line)
    assert len(read(path, "native")[0].prediction) > 500_000
    path.write_bytes(b"\n" + b" " * (1 << 19) + line)
    for form in ("native", "lm-eval", "batch", "evalscope", None):
        with pytest.raises(MedzhError) as refused:
            read(path, form)
        assert (refused.value.line, refused.value.problem) == (2, "the line is longer than 0 MB")


def test_cells_beyond_what_a_sheet_says_of_itself_are_read(tmp_path):
    path = tmp_path / "p.xlsx"
    workbook(path, inside=(b'ref="A1:B2"', b'ref="A1:A1"'))
    with path.open("rb") as stream:
        assert as_csv(stream, path).decode().splitlines() == ["id,prediction", "sdak-disease_cause-0001-f,正确"]


def repeating(path, times, text, **groups):
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * times, pa.int32()), pa.array([text]))
    lists = pa.ListArray.from_arrays(pa.array(range(times + 1), pa.int32()), texts)
    doc = pa.array([{"query": "麻疹有传染性，对吗？", "specific": {"id": f"q-{at}"}} for at in range(times)])
    answers = pa.StructArray.from_arrays([lists], ["text"])
    table = pa.table({"doc": doc, "model_response": answers})
    pyarrow.parquet.write_table(table, path, store_schema=False, **groups)


@pytest.mark.parametrize("groups", [{}, {"row_group_size": 70}], ids=["one group", "several groups"])
def test_a_text_that_parquet_stores_once_counts_wherever_it_stands(groups, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "UNPACKED", 1 << 20)
    path = tmp_path / "details.parquet"
    for times, text, refused in ((300, "正确" * 50_000, True), (300, "正确" * 50, False)):
        repeating(path, times, text, **groups)
        with InputFile(path) as file:
            if refused:
                with pytest.raises(MedzhError, match="the decompressed size is more than"):
                    list(lighteval.read(file))
            else:
                assert len(list(lighteval.read(file))) == times
    repeating(path, 300, "正确" * 50_000, **groups)
    content = pa.py_buffer(path.read_bytes())
    with pytest.raises(MedzhError, match="the decompressed size is more than 1 MB and 200 times the file size"):
        check_texts(content, content.size, path)
