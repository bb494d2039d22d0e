"""Predictions files of every form, whole and broken.

Sources: the shapes that the OpenAI Batch interface documents and that vLLM's ``run_batch`` writes, retold by hand; for
native lines the standard library's ``json`` and ``splitlines`` counting.
"""

from __future__ import annotations

import codecs
import gzip
import json
import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from read_files import lines_in, reader_of

from medzh_score.benchmark.answers import Reading
from medzh_score.benchmark.items import Query
from medzh_score.benchmark.rules import Rule
from medzh_score.benchmark.variants import Variants
from medzh_score.io.open_input import BLOCK
from medzh_score.prompting.ids import joined_id, split_id
from medzh_score.readers import batch, native
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
    assert "\n" not in str(failure.value)
    assert len(str(failure.value)) < 900
    return failure.value


# Native lines.


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n", b"\r\n \t\r\n"])
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("last", [b"", b"\n"])
def test_line_ends_marks_and_gzip(file, end, mark, packed, last):
    content = mark + end.join([native_line("a"), native_line("b", "错误", run=0, variant=0)]) + last
    path = file(squeezed(content) if packed else content)
    lines = read_all(path)
    assert [(p.id, p.prediction) for _, p in lines] == [("a", "正确"), ("b", "错误")]
    assert [number for number, _ in lines] == [1, 1 + end.count(b"\n")]


def test_a_million_characters(file):
    long = "正" * 1_000_000
    found = read_all(file(b"\n".join([native_line("a", long), native_line("b")])))
    assert found[0][1].prediction == long
    assert found[1][0] == 2


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
    for wrong, problem in ((b'{"id": 1}', "wrong kind"), (b"{", "not JSON"), (b'{"id":"a"}', "missing")):
        for at in (0, len(content) // 2, len(content) - 1):
            broken = [*content[:at], wrong, *content[at:]]
            with pytest.raises(MedzhError, match=problem) as failure:
                lines_in(file(b"\n".join(broken)), native)
            assert failure.value.line == at + 1


def test_a_line_on_the_border_of_a_block(file):
    for extra in range(-3, 4):
        empty = len(native_line("a", "")) + 1
        first = native_line("a", "x" * (BLOCK - empty + extra))
        lines = read_all(file(first + b"\n" + native_line("b") + b"\n"))
        assert [(number, p.id) for number, p in lines] == [(1, "a"), (2, "b")]


GOOD = native_line("a") + b"\n"
# What stands on the second line, its field, a part of the message.
WRONG_LINES = [
    (b'{"id": "b", "prediction": "x"', None, "is not JSON"),
    (b'{"id": "b", "prediction": "x', None, "is not JSON"),
    (b'{"id": "b", "prediction": 5}', "prediction", "expected a text, found a whole number"),
    (b'{"id": "b", "prediction": ["x"]}', "prediction", "expected a text, found a JSON array"),
    (b'{"id": "b", "prediction": {"x": 1}}', "prediction", "expected a text"),
    (b'{"id": 5, "prediction": "x"}', "id", "expected a text, found a whole number"),
    (b'{"id": null, "prediction": "x"}', "id", "expected a text, found null"),
    (b'{"id": "b"}', "prediction", "the field is missing"),
    (b'{"prediction": "x"}', "id", "the field is missing"),
    (b"{}", "id", "the field is missing"),
    (b'{"id": "b", "prediction": "x", "run": -1}', "run", "is too small; expected a whole number from 0"),
    (b'{"id": "b", "prediction": "x", "run": 1.5}', "run", "expected a whole number"),
    (b'{"id": "b", "prediction": "x", "run": "1"}', "run", "expected a whole number"),
    (b'{"id": "b", "prediction": "x", "run": true}', "run", "expected a whole number"),
    (b'{"id": "b", "prediction": "x", "variant": -1}', "variant", "is too small; expected a whole number from 0"),
    (b'{"id": "b", "prediction": "x", "run": ' + b"9" * 5000 + b"}", "run", "out of range"),
    (b'[{"id": "b", "prediction": "x"}]', None, "expected a JSON object"),
    (b'"text"', None, "expected a JSON object"),
    (b"null", None, "expected a JSON object"),
    (b"nonsense", None, "is not JSON"),
    (b'{"id": "b", "prediction": "\xff"}', None, "is not UTF-8"),
    ('{"id": "b", "prediction": "正确"}'.encode("gb18030"), None, "is not UTF-8"),
    ('{"id": "b", "prediction": "正确'.encode()[:-1], None, "breaks off inside a character"),
    (b'{"id": "b", "prediction": "\\ud800 x"}', None, "is not JSON"),
    (b'{"id": "b", "prediction": "x\x01"}', None, "is not JSON"),
    (b'{"id": "b", "prediction": "x", "more": nan}', None, "is not JSON"),
    (b'{"id": "b", "prediction": "x", "more": ' + b"[" * 99_999 + b"]" * 99_999 + b"}", None, "nested too deeply"),
    (native_line("c"), "id", "have an id that the data lack"),
    (native_line("a"), "id", "the same prediction twice"),
    (native_line("a", "错误"), "id", "the same prediction twice"),
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
        (b"", None, "is empty"),
        (b"\n\n \n", None, "is empty"),
        (codecs.BOM_UTF8, None, "is empty"),
        (squeezed(b""), None, "is empty"),
        (b"[]", 1, "is a JSON array"),
        (b'\n[{"id": "a", "prediction": "x"}]', 2, "is a JSON array"),
        (b"[\n" + GOOD, 1, "is a JSON array"),
        (b'{\n "id": "a"\n}', 1, "is of no known form; its keys are id"),
        (b'{\n "id": "a", "prediction": "x"\n}', 1, "is written over several lines"),
        (b'{\n "id": "a",\n "prediction": x\n}', 3, "is not JSON"),
        (b'{"id": "a", "prediction": "x"\n' + GOOD, 1, "is not JSON"),
        (b'{"id": "a", "prediction": "x\n' + GOOD, 1, "is not JSON"),
        (b'{"id": "a", "predict\n' + GOOD, 1, "is not JSON"),
        (b"null", 1, "is of no known form"),
        (b'{"id": "a", "response": "x"}', 1, "is of no known form"),
        (b"{}", 1, "is of no known form"),
        (GOOD.decode().encode("utf-16"), None, "is UTF-16"),
        (GOOD.decode().encode("utf-16-le"), None, "is UTF-16"),
        ('{"id": "a", "prediction": "正确"}'.encode("gb18030"), 1, "is not UTF-8"),
        ("编号,预测".encode("gb18030"), 1, "is of no known form"),
        (b"x" * 300_000, 1, "is of no known form"),
        (b'"' + b"x" * 300_000, 1, "is of no known form"),
        (b"\x00\x01\x02", 1, "is of no known form"),
        (squeezed(GOOD * 1000)[:60], None, "cannot be read"),
        (b"\x1f\x8bnonsense", None, "cannot be read"),
        (b"\x1f\x8b", None, "cannot be read"),
        (b'{"id": ' + b"[" * 99_999, 1, "nested too deeply"),
    ],
)
def test_a_file_that_is_none(file, content, line, message):
    path = file(content)
    failure = failure_of(path)
    assert message in str(failure)
    assert failure.file == str(path)
    assert failure.line == line or "cannot be read" in message


@cache
def many_squeezed():
    draw = random.Random(2)  # noqa: S311
    return squeezed(b"\n".join(native_line(f"i{n}", "".join(draw.choices("正确错误因为", k=80))) for n in range(8_000)))


@pytest.mark.parametrize("keep", [0.5, 0.9, 0.999])
def test_a_truncated_gzip_names_a_line(file, keep):
    packed = many_squeezed()
    path = file(packed[: int(len(packed) * keep)])
    failure = failure_of(path, [f"i{n}" for n in range(8_000)])
    assert "cannot be read to its end" in str(failure)
    assert failure.line >= 1


def test_a_folder_and_a_missing_file(tmp_path):
    assert "is a folder" in str(failure_of(tmp_path))
    assert "no such file" in str(failure_of(tmp_path / "none.jsonl"))


def test_unknown_ids_are_counted_and_shown_shortened(file):
    path = file(b"\n".join([GOOD.strip(), *(native_line(f"x{n}\n\x1b" + "长" * 1_000_000) for n in range(7))]))
    failure = failure_of(path)
    assert "7 predictions have an id" in str(failure)
    assert failure.line == 2
    assert "\x1b" not in str(failure)


def test_keys_repeat_across_files_too(file):
    one, two = file(GOOD, "1"), file(native_line("b") + b"\n" + GOOD, "2")
    failure = failure_of([one, two])
    assert (failure.file, failure.line) == (str(two), 2)
    assert failure_of([one, one]).line == 1


def test_a_key_is_id_run_and_variant(file):
    lines = [native_line("a", "1"), native_line("a", "2", run=1), native_line("a", "3", variant=1)]
    table = collected([file(b"\n".join(lines))]).tables["whole"]
    assert (table.runs, table.variants) == ((0, 1), (0, 1))
    assert table.columns[1, 0][0].value == "2"
    assert list(table.columns[1, 1]) == [None, None]


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
    assert [(one.name, one.reader) for one in found.inputs] == [("p.jsonl", "native"), ("s.csv", "sheet")]


def test_a_name_that_is_no_utf8(tmp_path):
    path = tmp_path / "p\udcff.jsonl"
    try:
        path.write_bytes(GOOD)
    except OSError:
        pytest.skip("the file system takes no such name")
    assert collected([path]).inputs[0].name == "p\\udcff.jsonl"


# Batch output.


def success(custom_id, content="正确", reason="stop", **message):
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "m-1",
        "choices": [
            {"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": content, **message}}
        ],
        "usage": {"total_tokens": 3},
    }
    return {
        "id": "batch_req_1",
        "custom_id": custom_id,
        "response": {"status_code": 200, "request_id": "r", "body": body},
        "error": None,
    }


def without_response(custom_id, error):
    return {"id": "batch_req_2", "custom_id": custom_id, "response": None, "error": error}


def status(custom_id, code, body, error=None):
    return {"id": "vllm-1", "custom_id": custom_id, "response": {"status_code": code, "body": body}, "error": error}


def batch_read(file, *lines):
    path = file("\n".join(json.dumps(line, ensure_ascii=False) for line in lines))
    assert reader_of(path).name == "batch"
    return lines_in(path, batch)


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        (success("a"), "正确", "stop"),
        (success("a", reason="length"), "正确", "length"),
        (success("a", reason=None), "正确", None),
        (success("a", None), "", "stop"),
        (success("a", None, refusal="I cannot"), "", "content_filter"),
        (success("a", "x", refusal=None, reasoning_content="think", tool_calls=[]), "x", "stop"),
        (success("a", [{"type": "text", "text": "正"}, {"type": "text", "text": "确"}]), "正确", "stop"),
        (success("a", [{"type": "refusal", "refusal": "no"}, {"type": "text", "text": None}]), "", "stop"),
        (success("a", []), "", "stop"),
        (success("a", ""), "", "stop"),
        (success("a", "", "content_filter"), "", "content_filter"),
        (success("a", " \n正确 "), " \n正确 ", "stop"),
    ],
)
def test_an_answer(file, line, text, reason):
    ((number, found),) = batch_read(file, line)
    assert (number, found.id, found.run, found.variant) == (1, "a", 0, 0)
    assert (found.prediction, found.finish_reason, found.model, found.error) == (text, reason, "m-1", None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (without_response("a", {"code": "batch_expired", "message": "too\n late"}), "no response: too\n late"),
        (without_response("a", None), "no response: no reason given"),
        (without_response("a", "a text"), "no response: a text"),
        (without_response("a", {"code": 5}), "no response: {'code': 5}"),
        (without_response("a", [1]), "no response: [1]"),
        (status("a", 400, {"error": {"message": "bad"}}), "status 400: bad"),
        (status("a", 400, {"detail": "bad"}), "status 400: no reason given"),
        (status("a", 400, "bad"), "status 400: no reason given"),
        (status("a", 400, None, {"message": "too long", "code": 400}), "status 400: too long"),
        (status("a", 200, None, "vLLM failed"), "no body: vLLM failed"),
        (status("a", 200, {"choices": [], "model": "m"}), "no choices"),
        ({"custom_id": "a", "response": {"status_code": 200}, "error": None}, "no body: no reason given"),
    ],
)
def test_a_failed_request(file, line, message):
    ((_, found),) = batch_read(file, line)
    assert (found.error, found.id, found.prediction) == (message, "a", "")
    table = collected([file("\n".join(map(json.dumps, [line, success("b")])))])
    assert (table.read, len(table.failures)) == (1, 1)


@pytest.mark.parametrize(
    ("custom_id", "parts"),
    [
        ("a#r1v2", ("a", 1, 2)),
        ("a#r1", ("a", 1, 0)),
        ("a#v23", ("a", 0, 23)),
        ("a-b_c.0001-f#r0v0", ("a-b_c.0001-f", 0, 0)),
        ("a#x", ("a#x", 0, 0)),
        ("a#r1#r2", ("a#r1", 2, 0)),
        ("a#v1r2", ("a#v1r2", 0, 0)),
        ("#r1", ("#r1", 0, 0)),
        ("a#r" + "9" * 5000, ("a#r" + "9" * 5000, 0, 0)),
        ("a#r١", ("a#r١", 0, 0)),
        ("a\nb#r1", ("a\nb#r1", 0, 0)),
    ],
)
def test_the_id_of_a_request(file, custom_id, parts):
    ((_, found),) = batch_read(file, success(custom_id))
    assert (found.id, found.run, found.variant) == parts


@given(run=st.integers(0, 10**8), variant=st.integers(0, 10**8))
def test_ids_of_requests_come_back(run, variant):
    assert split_id(joined_id("sdak-x-0001-f", run, variant)) == ("sdak-x-0001-f", run, variant)


def test_several_choices_are_runs(file):
    line = success("a")
    choice = line["response"]["body"]["choices"][0]
    line["response"]["body"]["choices"] = [
        choice | {"index": index, "message": {"content": text}} for index, text in ((1, "错误"), (0, "正确"))
    ]
    found = batch_read(file, line)
    assert [(p.run, p.prediction) for _, p in found] == [(1, "错误"), (0, "正确")]
    line["custom_id"] = "a#r1"
    with pytest.raises(MedzhError, match="several choices"):
        batch_read(file, line)


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ({"custom_id": 7, "response": None}, "custom_id"),
        ({"custom_id": "a", "response": 7}, "response"),
        ({"custom_id": "a", "response": {"status_code": "ok"}}, "response.status_code"),
        ({"custom_id": "a", "response": {"status_code": 200, "body": {}}}, "choices"),
        ({"custom_id": "a", "response": {"status_code": 200, "body": [1]}}, None),
        ({"custom_id": "a", "response": {"status_code": 200, "body": {"choices": [{}]}}}, "message"),
        ({"custom_id": "a", "response": {"body": {"choices": [{"index": -1, "message": {}}]}}}, "choices[0].index"),
        ({"custom_id": "a", "response": {"body": {"choices": [{"message": {"content": 5}}]}}}, None),
    ],
)
def test_a_wrong_batch_line_is_named(file, line, field):
    path = file(json.dumps(success("b")) + "\n\n" + json.dumps(line))
    failure = failure_of(path)
    assert failure.line == 3
    assert field is None or field in failure.field


def test_the_error_file_beside_the_output(file):
    """OpenAI writes failures apart; a later file may make up for them, in any order."""
    output = file(json.dumps(success("a")), "out.jsonl")
    errors = file(json.dumps(without_response("b", {"message": "expired"})), "err.jsonl")
    again = file(json.dumps(success("b", "错误")), "again.jsonl")
    found = collected([output, errors])
    assert found.failures == ["b: no response: expired"]
    assert found.coverage("whole").missing == 1
    for order in ([output, errors, again], [again, errors, output]):
        found = collected(order)
        assert (found.failures, found.coverage("whole").missing) == ([], 0)


# Sheets.


def test_a_sheet_of_predictions(file):
    path = file(
        codecs.BOM_UTF8 + 'id,run,prompt,prediction,rater\r\na,,x,"正确，\n因为""甲""",王\r\nb,1,x, 错误 ,\r\n'.encode()
    )
    assert reader_of(path).name == "sheet"
    found = [(number, p.id, p.run, p.prediction, p.model) for number, p in lines_in(path, "sheet")]
    assert found == [(3, "a", 0, '正确，\n因为"甲"', "王"), (4, "b", 1, " 错误 ", None)]


def test_a_sheet_names_its_variants(file):
    path = file("id,variant,run,prediction\r\na,33,0,C\r\na,,2,B\r\n", "s.csv")
    assert [(p.run, p.variant) for _, p in lines_in(path, "sheet")] == [(0, 33), (2, 0)]
    with pytest.raises(MedzhError, match=r":2: field variant: not a variant; expected a number from 0; found '1\.5'"):
        lines_in(file("id,variant,prediction\r\na,1.5,C\r\n", "t.csv"), "sheet")


def test_rows_that_nobody_filled_in_are_missing(file):
    path = file("id,prediction,rater\na,正确,\nb,,\n,,\nb,  ,\n")
    assert [p.id for _, p in lines_in(path, "sheet")] == ["a"]
    assert collected([path]).coverage("whole").missing == 1


def test_line_ends_of_an_old_spreadsheet(file):
    assert [p.id for _, p in read_all(file("id,prediction\ra,正确\rb,错误\r"))] == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("id,prediction\na,正确,因为甲\n", 2, "more cells"),
        ("id,prediction,id\na,正确,b\n", 1, "stands twice"),
        ("id,prediction,run\na,正确,x\n", 2, "not a run"),
        ("id,prediction,run\na,正确,-1\n", 2, "not a run"),
        ("id,prediction,run\na,正确," + "9" * 5000 + "\n", 2, "not a run"),
        ("id,prediction\na,正确\nc,错误\n", 3, "the data lack"),
        ("id,prediction\na,正确\na,错误\n", 3, "twice"),
        (b"id,prediction\n" + MANY_ROWS + b"b,\xff\n" + MANY_ROWS, 3002, "is not UTF-8"),
        ("id,prediction\na,正确\n".encode() + "b,错误\n".encode("gb18030"), 3, "is not UTF-8"),
        (squeezed(b"id,prediction\n" + MANY_ROWS)[:-900], None, "its end"),
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
        collected([path], reader="sheet")
    with pytest.raises(MedzhError, match="field custom_id: the field is missing"):
        collected([path], reader="batch")
    with pytest.raises(MedzhError, match="no such reader"):
        reader_of(path, "xml")
