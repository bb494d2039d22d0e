"""Files that were damaged on their way: named by line as what they are, with what to do.

Source of the expectations: each file is made whole by the standard library and then damaged at a place that is known.
"""

from __future__ import annotations

import codecs
import contextlib
import gzip
import json
import random

import pyarrow as pa
import pytest
from pyarrow import parquet
from read_files import lines_in, reader_of

from medzh_score.io.jsonl import line_in_gzip
from medzh_score.readers import batch, native
from medzh_score.ui.errors import MedzhError

LINES = [json.dumps({"id": f"i{n}", "prediction": "正确，因为甲。"}, ensure_ascii=False) for n in range(4)]
INTERRUPTED = "if it was interrupted, delete this line and generate the rest"
READ = {"native": native, "table": "table", "batch": batch}


@pytest.fixture
def damage_of(tmp_path):
    """Give a function that reads a file of some bytes and expects one clear line."""

    def read(content, reader="native"):
        path = tmp_path / "p.jsonl"
        path.write_bytes(content)
        with pytest.raises(MedzhError) as failure:
            lines_in(path, READ[reader])
        assert failure.value.file == str(path)
        assert "\n" not in str(failure.value).replace("\n  ", "")
        assert "\x00" not in str(failure.value)
        return failure.value

    return read


def joined(*lines, end="\n"):
    return "".join(line + end for line in lines).encode("utf-8")


def test_conflict_markers(damage_of):
    for place, marker in (
        (2, "<<<<<<< HEAD"),
        (3, "======="),
        (1, "<<<<<<< ours"),
        (4, ">>>>>>> 1a2b3c4"),
        (2, "|||||||"),
    ):
        for end in ("\n", "\r\n"):
            lines = LINES.copy()
            lines.insert(place - 1, marker)
            failure = damage_of(joined(*lines, end=end))
            assert failure.problem == "the line is a conflict marker of version control"
            assert failure.line == place
            assert (
                "keep the lines of one version and delete the conflict markers; the file has unmerged versions"
                in failure.advice
            )


def test_a_conflict_at_the_first_line_is_seen_before_a_form_is_looked_for(tmp_path):
    path = tmp_path / "p"
    for content in (
        b"<<<<<<< HEAD\nid,prediction\n",
        codecs.BOM_UTF8 + b">>>>>>> main\n{}",
        gzip.compress(b"||||||| x\n"),
    ):
        path.write_bytes(content)
        with pytest.raises(MedzhError, match="p:1: the line is a conflict marker of version control"):
            reader_of(path)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("id,prediction\na,x\n<<<<<<< HEAD\nb,x\n", 3),
        ("id,prediction\n=======\nb,x\n", 2),
        ("id,prediction\na,x\n>>>>>>> theirs, of them\n", 3),
        ('id,prediction\na,"x\n<<<<<<< HEAD\ny\n=======\nz\n>>>>>>> b\n"\n', 8),
    ],
)
def test_conflict_markers_in_a_sheet(damage_of, content, line):
    failure = damage_of(content.encode(), "table")
    assert (failure.problem, failure.line) == ("the line is a conflict marker of version control", line)


def test_what_only_looks_like_a_marker_is_read(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text('id,prediction\na,"======="\nb,"标题\n=======\n正文 <<<<<<< x"\n', encoding="utf-8")
    assert [p.prediction for _, p in lines_in(path, "table")] == ["=======", "标题\n=======\n正文 <<<<<<< x"]


@pytest.mark.parametrize("reader", ["native", "batch"])
@pytest.mark.parametrize("packed", [False, True])
def test_every_way_in_which_the_last_line_can_break_off(damage_of, reader, packed):
    whole = joined(*LINES)
    last = LINES[-1].encode()
    if reader == "batch":
        last = json.dumps(
            {"custom_id": "正", "response": None, "error": {"message": "迟"}}, ensure_ascii=False
        ).encode()
        whole = last + b"\n"
    start = len(whole) - len(last) - 1
    for kept in range(1, len(last)):
        content = whole[: start + kept]
        failure = damage_of(gzip.compress(content, 1, mtime=0) if packed else content, reader)
        assert failure.line == content.count(b"\n") + 1
        assert INTERRUPTED in failure.advice
        assert failure.problem in {"invalid JSON: the last line is incomplete", "the line ends inside a character"}


@pytest.mark.parametrize("members", [1, 3])
def test_the_line_in_which_gzip_is_cut(tmp_path, members):
    """Source: the lines of what the standard library can still unpack, byte by byte."""
    draw = random.Random(3)  # noqa: S311
    raw = [joined(*("".join(draw.choices("abcdefgh", k=60)) for _ in range(400))) for _ in range(members)]
    packed = b"".join(gzip.compress(one, mtime=0) for one in raw)
    path = tmp_path / "p.gz"
    for share in (0.2, 0.5, 0.95):
        path.write_bytes(packed[: int(len(packed) * share)])
        unpacked = bytearray()
        with gzip.open(path) as stream, contextlib.suppress(EOFError):
            while byte := stream.read(1):
                unpacked += byte
        with path.open("rb") as stream:
            assert line_in_gzip(stream) == unpacked.count(b"\n") + 1


def test_mixed_encodings(damage_of):
    others = [LINES[2].encode("gb18030"), LINES[3].encode("gb18030")]
    failure = damage_of(joined(*LINES[:2]) + b"\n".join(others))
    assert failure.line == 3
    assert failure.problem == "the encoding is probably GB18030, but earlier lines are UTF-8"
    assert "this line and the lines after it" in failure.advice
    ascii_first = joined('{"id": "a", "prediction": "A"}') + others[0]
    assert (damage_of(ascii_first).problem, damage_of(ascii_first).line) == (
        "invalid UTF-8; the encoding is probably GB18030",
        2,
    )
    wide = joined(*LINES[:3]) + LINES[3].encode("utf-16-le")
    assert (damage_of(wide).problem, damage_of(wide).line) == ("the encoding is probably UTF-16", 4)


def test_a_damaged_byte_is_no_other_encoding(damage_of):
    for place in range(LINES[1].encode().index("正".encode()), len(LINES[1].encode()) - 5, 3):
        line = bytearray(LINES[1].encode())
        line[place] = 0xFF
        failure = damage_of(joined(LINES[0]) + bytes(line) + b"\n")
        assert (failure.problem, failure.line) == ("invalid UTF-8", 2)
    latin = damage_of(joined(LINES[0]) + '{"id": "a", "prediction": "naïve café"}'.encode("latin-1") + b"\n")
    assert (latin.problem, latin.line) == ("invalid UTF-8", 2)


@pytest.mark.parametrize("hole", [b"\x00", b"\x00" * 500])
def test_nul_bytes(damage_of, hole):
    for line in (hole, LINES[1].encode()[:30] + hole, hole + LINES[1].encode(), LINES[1].encode()[:-2] + hole + b'"}'):
        failure = damage_of(joined(LINES[0]) + line + b"\n" + joined(LINES[2]))
        assert failure.line == 2
        assert failure.problem in {"invalid JSON: the line contains NUL bytes", "the encoding is probably UTF-16"}
        assert (failure.problem == "invalid JSON: the line contains NUL bytes") or len(hole) > 1


def test_carriage_returns_alone(damage_of):
    failure = damage_of(joined(*LINES, end="\r"))
    assert failure.line == 1
    assert failure.problem == "invalid JSON: a carriage return is used as a line ending"


@pytest.mark.parametrize("escape", ["\\ud83d", "\\udc00", "\\ud83d\\u0041", "x\\uD800y", "\\udc00\\ud83d"])
def test_half_a_character(damage_of, escape):
    line = f'{{"id": "a", "prediction": "好{escape}"}}'
    assert json.loads(line)
    failure = damage_of(joined(LINES[0], line))
    assert failure.line == 2
    assert failure.problem.endswith("is an unpaired surrogate")
    assert "\\ufffd" in failure.advice


def test_files_joined_with_their_byte_order_marks(damage_of):
    failure = damage_of(codecs.BOM_UTF8 + joined(LINES[0]) + codecs.BOM_UTF8 + joined(LINES[1]))
    assert (failure.problem, failure.line) == ("invalid JSON: the line starts with a byte order mark", 2)


def test_a_damaged_head_of_parquet(tmp_path):
    """The names of nested columns are text too: a broken one must not end in a traceback."""
    rows = pa.Table.from_pylist([{"doc": {"query": "x"}, "model_response": {"text": ["y"]}}])
    path = tmp_path / "details.parquet"
    parquet.write_table(rows, path)
    path.write_bytes(path.read_bytes().replace(b"query", b"qu\xa2ry"))
    with pytest.raises(MedzhError, match="invalid Parquet file"):
        reader_of(path)
