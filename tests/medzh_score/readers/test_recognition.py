"""What a file begins with: its form and keys, and which files beside predictions are named for what they are."""

from __future__ import annotations

import gzip
import io
import json
import zipfile

import pyarrow as pa
import pytest
from places import SAMPLES
from pyarrow import parquet
from read_files import lines_in, reader_of

from medzh_score import readers
from medzh_score.readers.detect import READERS, SHAPES
from medzh_score.ui.errors import MedzhError


def refusal(path, name=None):
    with pytest.raises(MedzhError) as failure:
        reader_of(path, name)
    assert "\n" not in str(failure.value).replace("\n  ", "")
    return failure.value


def parquet_bytes(**columns):
    stream = io.BytesIO()
    parquet.write_table(pa.table(columns), stream)
    return stream.getvalue()


def zip_bytes(*inside):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in inside:
            archive.writestr(name, "x")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ('{\n "a": 1\n "b": 2\n}', 3, "invalid JSON"),
        ('{\n "a": 1,\n\n b: 2\n}', 4, "invalid JSON"),
        ('{\n "a": tru,\n "b": 2\n}', 2, "invalid JSON"),
        ('{\n "a" 1\n}', 2, "invalid JSON"),
        ('{"a": 1', 1, "invalid JSON"),
        ('{"a": "x', 1, "invalid JSON"),
        ("[", 1, "the file is a JSON array"),
        ("{", 1, "invalid JSON"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", None, "the file is a workbook"),
        (b"ARROW1\x00\x00", None, "the file is an Arrow file"),
        (b"(\xb5/\xfd\x00", None, "the file is compressed with zstd"),
        (b"BZh91AY", None, "the file is compressed with bzip2"),
        (b"\xfd7zXZ\x00", None, "the file is compressed with xz"),
        (b"\x80\x04\x95\x00", None, "the file is a Python pickle, which is never loaded"),
        (b"%PDF-1.7", None, "the file is a PDF"),
        (b"PAR1 and no more", None, "invalid Parquet file"),
        (b"PK\x03\x04 and no more", None, "invalid ZIP file"),
    ],
)
def test_what_has_no_head(file, content, line, message):
    failure = refusal(file(content))
    assert message in str(failure)
    assert failure.line == line


OUR_REPORT = {"config": "sdak", "metrics": {}, "groups": {}, "rules": {}, "coverage": {}, "signature": {}}
REVIEW = {"index": 0, "target": "A", "sample_score": {"score": {"value": {"acc": 1}}, "sample_id": 0}}
EMBEDDED = "the file is an lm-evaluation-harness results file with embedded samples"
AISBENCH = "the file contains AISBench predictions, which have no ids"
MESSAGES = [{"role": "user", "content": "麻疹具有传染性吗？"}]


@pytest.mark.parametrize(
    ("content", "message", "wanted"),
    [
        (
            {"results": {"medzh": {}}, "configs": {}, "versions": {}, "n-samples": {}},
            "lm-evaluation-harness",
            "samples_",
        ),
        ({"config_general": {}, "results": {"all": {}}, "versions": {}, "summary_tasks": {}}, "lighteval", "details_"),
        (
            {"idx": 0, "origin_prompt": "x", "prediction": "y"},
            "the file is from an interrupted OpenCompass run",
            "predictions/",
        ),
        (
            {"accuracy": 50.0, "details": {}},
            "the file is an OpenCompass results file, which contains no predictions by position",
            "predictions/",
        ),
        (REVIEW, "the file is an EvalScope review, which contains scores", "predictions/"),
        (
            {"name": "a", "dataset_name": "b", "model_name": "c", "metrics": []},
            "the file is an EvalScope report, which contains no predictions",
            "predictions/",
        ),
        (OUR_REPORT, "the file is a medzh-score report, which contains no predictions", "predictions"),
        (
            {"item": "a", "run": 0, "groups": {}, "rule": "x", "rules": {}},
            "the file is a medzh-score items file, which contains extracted answers, not predictions",
            "predictions",
        ),
        (
            {"custom_id": "a", "method": "POST", "url": "/v1", "body": {}},
            "the file is a batch input file, not a batch output file",
            "output file",
        ),
        (
            {"id": "a", "messages": MESSAGES, "prompt": "p-1", "shots": 0, "generation": {}},
            "a prompts file",
            "prediction",
        ),
        ({"id": "a", "text": "x", "prompt": "p-1", "shots": 0, "generation": {}}, "a prompts file", "prediction"),
        ({"id": "chatcmpl-1", "choices": []}, "the response does not identify its prompt", "prediction"),
        ([{"id": "a", "prediction": "x"}], "the file is a JSON array", "JSONL"),
        ({"results": {}, "versions": {}, "samples": {"t": [{"doc_id": 0}]}}, EMBEDDED, "--log_samples"),
        ({"results": {"t": {}}, "configs": {}, "samples": {}}, EMBEDDED, "--log_samples"),
        (
            {"samples": {"a": [], "b": []}, "versions": {"a": 1}, "results": {}},
            EMBEDDED,
            "run lm_eval with --log_samples and use samples_<task>_<date>.jsonl, or write one line per sample",
        ),
        ({"data_abbr": "x", "id": 0, "success": True, "prediction": "B"}, AISBENCH, "in the order"),
        ({"id": 1, "data_abbr": "x", "prediction": ["A", "B"], "gold": "A"}, AISBENCH, "in the order"),
        ({"data_abbr": "x", "uuid": "u", "prediction": "", "error": "x"}, AISBENCH, "in the order"),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_files_that_stand_beside_predictions(file, content, message, wanted, indent):
    failure = refusal(file(json.dumps(content, indent=indent) + "\n"))
    assert message in failure.problem
    assert wanted in failure.advice


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (zip_bytes("[Content_Types].xml", "xl/workbook.xml"), "cannot open the workbook"),
        (zip_bytes("mimetype", "content.xml"), "the file is a workbook"),
        (zip_bytes("a.txt"), "unknown file format with the keys a.txt"),
        ("id;prediction\na;b\n", "separated by semicolons"),
        ('{\n "id": "a",\n "prediction": "b"\n}\n', "the JSON object spans several lines"),
        (parquet_bytes(id=["a"], output=["b"]), "unknown file format with the keys id, output"),
        (
            parquet_bytes(full_prompt=["a"], predictions=["['b']"]),
            "the file contains details of an early lighteval version, which have no ids",
        ),
        (parquet_bytes(example=["a"], full_prompt=["a"], gold=["A"], predictions=[["b"]]), "an early lighteval"),
        (parquet_bytes(predictions=[["b"]], hash=["x"], full_prompt=["a"]), "an early lighteval"),
        ('{"id": "a", "output": "正确"}', "unknown file format with the keys id, output"),
        (
            "编号,模型回答\na,正确\n",
            "编号, 模型回答: expected the columns id and prediction\n  Fix: name the columns id and prediction",
        ),
        ("编号,模型回答\na,正确\n".encode("gb18030"), "keys 编号, 模型回答: expected the columns id and prediction"),
        ("{}", "unknown file format without keys"),
        (json.dumps({f"k{n}": n for n in range(50)}), "k10, k11, …"),
        (json.dumps({"x\n\x1b" + "长" * 10_000: 1}), "unknown file format with the keys x\\n\\x1b长长"),
    ],
)
def test_a_file_that_none_knows(file, content, message):
    failure = refusal(file(content))
    assert message in str(failure)
    assert len(str(failure)) < 1400


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:419f\nsize 1234\n"
STAND_INS = {
    "pointer": (POINTER, "the file is a Git LFS pointer, not the file itself"),
    "pointer with a mark": ("\ufeff" + POINTER, "the file is a Git LFS pointer, not the file itself"),
    "pointer of two lines": (POINTER.rpartition("size")[0], "the file is a Git LFS pointer, not the file itself"),
    "page": ("<!DOCTYPE html>\n<html><head><title>404</title></head></html>\n", "is an HTML page"),
    "small letters": ("\n <html lang='zh'><body>登录</body></html>", "is an HTML page"),
    "XHTML": ('<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C">\n<html>', "is an HTML page"),
    "packed": (gzip.compress(b"<!doctype html><p>403"), "is an HTML page"),
}


@pytest.mark.parametrize("name", STAND_INS)
def test_what_came_in_the_place_of_a_file_is_named_wherever_files_are_read(file, calling, name):
    content, message = STAND_INS[name]
    path = file(content)
    assert message in refusal(path).problem
    good = SAMPLES / "sdak" / "predictions.jsonl"
    for words in (
        ("score", "sdak", path),
        ("score", "sdak", good, "--prompts", path),
        ("score", "sdak", good, "--stage", f"reason={path}"),
        ("check", "sdak", path),
        ("show", path),
    ):
        data = () if words[0] == "show" else ("--data", "mini")
        status, _, said = calling(*words, *data)
        assert (status, message in said) == (2, True), (words, said)


def test_a_table_of_parquet_with_the_fields_of_lines(file):
    content = parquet_bytes(
        id=["a", "b", "c"],
        prediction=["正确", None, ""],
        run=[0, None, 1],
        error=[None, None, "timed out"],
        more=[1.5, None, float("nan")],
    )
    found = [one for _, one in lines_in(file(content))]
    assert [(one.id, one.prediction, one.run, one.error) for one in found] == [
        *(("a", "正确", 0, None), ("b", "", 0, None), ("c", "", 1, "timed out"))
    ]
    assert reader_of(file(content)).name == "native"
    with pytest.raises(MedzhError, match=':1: field "run": expected an integer, found a string'):
        lines_in(file(parquet_bytes(id=["a"], prediction=["x"], run=["0"])))


def test_the_message_lists_every_form(file):
    text = str(refusal(file("{}")))
    assert all(f"{name}: {shape}" in text for name, shape in SHAPES.items())


def test_a_wrong_name_lists_every_reader(file):
    assert refusal(file("{}"), "xml").expected == ", ".join(reader.name for reader in READERS) == readers.FORMATS_LISTED
