"""Predictions files of every form, whole and broken.

Sources: the shapes that the OpenAI Batch interface documents and that vLLM's ``run_batch`` writes, retold by hand; for
native lines the standard library's ``json`` and ``splitlines`` counting.
"""

from __future__ import annotations

import codecs
import gzip
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from read_files import lines_in, reader_of

from medzh_score.benchmark.answers import Reading
from medzh_score.benchmark.items import Query
from medzh_score.benchmark.rules import Rule
from medzh_score.benchmark.variants import Variants
from medzh_score.io.open_input import BLOCK
from medzh_score.readers import native
from medzh_score.readers.align import collect
from medzh_score.readers.files import PredictionFiles
from medzh_score.ui.errors import MedzhError


def squeezed(content):
    """Compress without a time stamp: parameters must be the same in every test process."""
    return gzip.compress(content, mtime=0)


MANY_ROWS = b"".join(b"u%d,x\n" % number for number in range(3000))
RULE = Rule("whole", "the text itself", lambda text, _side, _variant: (Reading(text or None, "text"),))


def native_line(identifier, text="正确", **more):
    return json.dumps({"id": identifier, "prediction": text, **more}, ensure_ascii=False).encode()


def read_all(path):
    return [line for one in PredictionFiles((path,)).opened() for line in one.lines]


def collected(paths, ids=("a", "b"), **options):
    asked = [Query(name, (index,), None, Variants(3)) for index, name in enumerate(ids)]
    reading = {name: options.pop(name) for name in ("reader", "file_per_run") if name in options}
    return collect(list(ids), asked, [RULE], PredictionFiles(tuple(paths), **reading), **options)


def failure_of(path, ids=("a", "b"), **options):
    with pytest.raises(MedzhError) as failure:
        collected([path] if not isinstance(path, list) else path, ids, **options)
    assert "\n" not in str(failure.value).replace("\n  ", "")
    assert len(str(failure.value)) < 900
    return failure.value


# Native lines.


@given(
    lines=st.lists(
        st.tuples(st.text(st.characters(codec="utf-8")), st.integers(0, 3)) | st.none(), min_size=1, max_size=12
    ),
    ascii_only=st.booleans(),
)
def test_lines_are_what_the_standard_library_reads(tmp_path_factory, lines, ascii_only):
    written = [
        "" if line is None else json.dumps({"id": "a", "prediction": line[0], "run": line[1]}, ensure_ascii=ascii_only)
        for line in lines
    ]
    path = tmp_path_factory.mktemp("l") / "p.jsonl"
    path.write_bytes("\n".join(written).encode("utf-8"))
    expected = [
        (number, (json.loads(t)["prediction"], json.loads(t)["run"])) for number, t in enumerate(written, 1) if t
    ]
    assert [(number, (p.prediction, p.run)) for number, p in lines_in(path, native)] == expected


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("blank_every", [0, 7, 1001])
def test_numbers_across_blocks(file, packed, blank_every):
    """A file of several blocks; the numbers are those of the lines as they were written."""
    draw = random.Random(1)  # noqa: S311
    content, expected = [], []
    size = 0
    while size < 4 * BLOCK + 1000:
        if blank_every and len(content) % blank_every == 0:
            content.append(b"" if len(content) % 2 else b"  \r")
            continue
        content.append(native_line(f"i{len(expected)}", "答" * draw.choice([1, 40, 400, 3000])))
        size += len(content[-1])
        expected.append((len(content), f"i{len(expected)}"))
    raw = b"\n".join(content)
    path = file(squeezed(raw) if packed else raw)
    assert [(number, p.id) for number, p in lines_in(path, native)] == expected
    for wrong, problem in (
        (b'{"id": 1}', "expected a string, found an integer"),
        (b"{", "invalid JSON"),
        (b'{"id":"a"}', "the field is missing"),
    ):
        for at in (0, len(content) // 2, len(content) - 1):
            broken = [*content[:at], wrong, *content[at:]]
            with pytest.raises(MedzhError, match=problem) as failure:
                lines_in(file(b"\n".join(broken)), native)
            assert failure.value.line == at + 1


GOOD = native_line("a") + b"\n"
# What stands on the second line, its field, a part of the message.
WRONG_LINES = [
    (b'{"id": "b", "prediction": "x"', None, "invalid JSON"),
    (b'{"id": "b", "prediction": "x', None, "invalid JSON"),
    (b'{"id": "b", "prediction": 5}', "prediction", "expected a string, found an integer"),
    (b'{"id": "b", "prediction": ["x"]}', "prediction", "expected a string, found a JSON array"),
    (b'{"id": "b", "prediction": {"x": 1}}', "prediction", "expected a string"),
    (b'{"id": 5, "prediction": "x"}', "id", "expected a string, found an integer"),
    (b'{"id": null, "prediction": "x"}', "id", "expected a string, found null"),
    (b'{"id": "b"}', "prediction", "the field is missing"),
    (b'{"prediction": "x"}', "id", "the field is missing"),
    (b"{}", "id", "the field is missing"),
    (b'{"id": "b", "prediction": "x", "run": -1}', "run", "the value is too small: expected an integer of at least 0"),
    (b'{"id": "b", "prediction": "x", "run": 1.5}', "run", "expected an integer, found a floating-point number"),
    (b'{"id": "b", "prediction": "x", "run": "1"}', "run", "expected an integer, found a string"),
    (b'{"id": "b", "prediction": "x", "run": true}', "run", "expected an integer, found true or false"),
    (
        b'{"id": "b", "prediction": "x", "variant": -1}',
        "variant",
        "the value is too small: expected an integer of at least 0",
    ),
    (b'{"id": "b", "prediction": "x", "run": ' + b"9" * 5000 + b"}", "run", "out of range"),
    (b'[{"id": "b", "prediction": "x"}]', None, "expected a JSON object"),
    (b'"text"', None, "expected a JSON object"),
    (b"null", None, "expected a JSON object"),
    (b"nonsense", None, "invalid JSON"),
    (b'{"id": "b", "prediction": "\xff"}', None, "invalid UTF-8"),
    (
        '{"id": "b", "prediction": "正确"}'.encode("gb18030"),
        None,
        "the encoding is probably GB18030, but earlier lines are UTF-8",
    ),
    ('{"id": "b", "prediction": "正确'.encode()[:-1], None, "the line ends inside a character"),
    (b'{"id": "b", "prediction": "\\ud800 x"}', None, "invalid JSON"),
    (b'{"id": "b", "prediction": "x\x01"}', None, "invalid JSON"),
    (b'{"id": "b", "prediction": "x", "more": nan}', None, "invalid JSON"),
    (
        b'{"id": "b", "prediction": "x", "more": ' + b"[" * 99_999 + b"]" * 99_999 + b"}",
        None,
        "the nesting is too deep",
    ),
    (native_line("c"), "id", "prediction has an id that is not in the data ("),
    (native_line("a"), "id", "duplicate prediction"),
    (native_line("a", "错误"), "id", "duplicate prediction"),
]


@pytest.mark.parametrize(("line", "field", "message"), WRONG_LINES, ids=range(len(WRONG_LINES)))
@pytest.mark.parametrize(("before", "at"), [(b"", 2), (b"\n \r\n", 4)])
def test_a_wrong_line_is_named(file, line, field, message, before, at):
    path = file(GOOD + before + line + b"\n" + native_line("b"))
    failure = failure_of(path)
    assert message in str(failure)
    assert (failure.file, failure.line, failure.field) == (str(path), at, field)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", None, "the file is empty: expected predictions"),
        (b"\n\n \n", None, "the file is empty: expected predictions"),
        (codecs.BOM_UTF8, None, "the file is empty: expected predictions"),
        (squeezed(b""), None, "the file is empty: expected predictions"),
        (b"[]", 1, "the file is a JSON array"),
        (b'\n[{"id": "a", "prediction": "x"}]', 2, "the file is a JSON array"),
        (b"[\n" + GOOD, 1, "the file is a JSON array"),
        (b'{\n "id": "a"\n}', 1, "unknown file format with the keys id"),
        (b'{\n "id": "a", "prediction": "x"\n}', 1, "the JSON object spans several lines"),
        (b'{\n "id": "a",\n "prediction": x\n}', 3, "invalid JSON"),
        (b'{"id": "a", "prediction": "x"\n' + GOOD, 1, "invalid JSON"),
        (b'{"id": "a", "prediction": "x\n' + GOOD, 1, "invalid JSON"),
        (b'{"id": "a", "predict\n' + GOOD, 1, "invalid JSON"),
        (b"null", 1, "unknown file format with the keys null"),
        (b'{"id": "a", "response": "x"}', 1, "unknown file format with the keys id, response"),
        (b"{}", 1, "unknown file format without keys"),
        (GOOD.decode().encode("utf-16"), None, "the encoding is UTF-16"),
        (GOOD.decode().encode("utf-16-le"), None, "the encoding is UTF-16"),
        ('{"id": "a", "prediction": "正确"}'.encode("gb18030"), 1, "invalid UTF-8"),
        ("编号,预测".encode("gb18030"), 1, "unknown file format with the keys "),
        (b"x" * 300_000, 1, "unknown file format with the keys xxx"),
        (b'"' + b"x" * 300_000, 1, "unknown file format with the keys xxx"),
        (b"\x00\x01\x02", 1, r"unknown file format with the keys \x00\x01\x02"),
        (squeezed(GOOD * 1000)[:60], None, "cannot read the file: "),
        (b"\x1f\x8bnonsense", None, "cannot read the file: "),
        (b"\x1f\x8b", None, "cannot read the file: "),
        (b'{"id": ' + b"[" * 99_999, 1, "the nesting is too deep"),
    ],
)
def test_a_file_that_is_none(file, content, line, message):
    path = file(content)
    failure = failure_of(path)
    assert message in str(failure)
    assert failure.file == str(path)
    assert failure.line == line or "cannot read the file" in message


def test_unknown_ids_are_counted_and_shown_shortened(file):
    path = file(b"\n".join([GOOD.strip(), *(native_line(f"x{n}\n\x1b" + "长" * 1_000_000) for n in range(7))]))
    failure = failure_of(path)
    assert "7 predictions have ids that are not in the data (" in str(failure)
    assert failure.line == 2
    assert "\x1b" not in str(failure)


def test_keys_repeat_across_files_too(file):
    one, two = file(GOOD, "1"), file(native_line("b") + b"\n" + GOOD, "2")
    failure = failure_of([one, two])
    assert (failure.file, failure.line) == (str(two), 2)
    assert failure_of([one, one]).line == 1


def test_file_per_run(file):
    one, two = file(GOOD, "1"), file(native_line("a", "错误") + b"\n" + native_line("b"), "2")
    table = collected([one, two], file_per_run=True).tables["whole"]
    assert table.runs == (0, 1)
    assert [column[0].value for column in (table.columns[0, 0], table.columns[1, 0])] == ["正确", "错误"]
    failure = failure_of([one, file(GOOD + native_line("b", run=1), "3")], file_per_run=True)
    assert (failure.field, failure.line) == ("run", 2)


def test_forms_may_be_mixed(file):
    other = file("id,prediction\nb,错误\n", "s.csv")
    found = collected([file(GOOD), other])
    assert [answer.value for answer in found.tables["whole"].columns[0, 0]] == ["正确", "错误"]
    assert [(one.name, one.reader) for one in found.inputs] == [("p.jsonl", "native"), ("s.csv", "table")]


def test_a_file_is_no_second_run_of_itself(file, tmp_path):
    path = file(GOOD)
    (tmp_path / "again.jsonl").symlink_to(path)
    for again in (path, tmp_path / "x" / ".." / "p.jsonl", tmp_path / "again.jsonl"):
        with pytest.raises(MedzhError, match="the file is specified twice"):
            PredictionFiles((path, again), file_per_run=True)


# Sheets.


def test_a_sheet_names_its_variants(file):
    path = file("id,variant,run,prediction\r\na,33,0,C\r\na,,2,B\r\n", "s.csv")
    assert [(p.run, p.variant) for _, p in lines_in(path, "table")] == [(0, 33), (2, 0)]
    with pytest.raises(
        MedzhError, match=r":2: field \"variant\": invalid variant: expected an integer of at least 0, found '1\.5'"
    ):
        lines_in(file("id,variant,prediction\r\na,1.5,C\r\n", "t.csv"), "table")


def test_line_ends_of_an_old_spreadsheet(file):
    assert [p.id for _, p in read_all(file("id,prediction\ra,正确\rb,错误\r"))] == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("id,prediction\na,正确,因为甲\n", 2, "more cells"),
        ("id,prediction,id\na,正确,b\n", 1, "duplicate column"),
        ("id,prediction,run\na,正确,x\n", 2, "invalid run: expected an integer of at least 0"),
        ("id,prediction,run\na,正确,-1\n", 2, "invalid run: expected an integer of at least 0"),
        ("id,prediction,run\na,正确," + "9" * 5000 + "\n", 2, "invalid run: expected an integer of at least 0"),
        ("id,prediction\na,正确\nc,错误\n", 3, "prediction has an id that is not in the data ("),
        ("id,prediction\na,正确\na,错误\n", 3, "duplicate prediction"),
        (b"id,prediction\n" + MANY_ROWS + b"b,\xff\n" + MANY_ROWS, 3002, "invalid UTF-8"),
        ("id,prediction\na,正确\n".encode() + "b,错误\n".encode("gb18030"), 3, "invalid UTF-8"),
        (squeezed(b"id,prediction\n" + MANY_ROWS)[:-900], None, "cannot read the complete file: "),
    ],
)
def test_a_wrong_sheet_is_named(file, content, line, message):
    path = file(content, "s.csv")
    with pytest.raises(MedzhError) as failure:
        collected([path])
    assert message in str(failure.value)
    assert line is None or failure.value.line == line


def test_the_reader_may_be_named(file):
    path = file(GOOD)
    assert reader_of(path, "native").name == "native"
    with pytest.raises(MedzhError, match="a column is missing"):
        collected([path], reader="table")
    with pytest.raises(MedzhError, match='field "custom_id": the field is missing'):
        collected([path], reader="batch")
    with pytest.raises(MedzhError, match="unknown input format"):
        reader_of(path, "xml")
