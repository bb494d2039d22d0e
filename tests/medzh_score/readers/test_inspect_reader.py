"""Logs of inspect, whole and broken; test_real_inspect has it write real ones.

Source of the shapes: what inspect 0.3.285 wrote as ``.json``, retold by hand.
"""

from __future__ import annotations

import gzip
import json
import sys
import zipfile

import pytest
from read_files import lines_in, reader_of

from medzh_score.benchmark.answers import Reading
from medzh_score.benchmark.items import Query
from medzh_score.benchmark.rules import Rule
from medzh_score.benchmark.variants import Variants
from medzh_score.readers import inspect_log
from medzh_score.readers.align import collect
from medzh_score.readers.files import PredictionFiles
from medzh_score.ui.errors import MedzhError

RULE = Rule("whole", "the text itself", lambda text, _side, _variant: (Reading(text or None, "text"),))
HASH = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
TRACEBACK = "Traceback (most recent call last):\n  File …"


def said(text="正确。", stop="stop", **more):
    choice = {"message": {"role": "assistant", "content": text, "source": "generate"}, "stop_reason": stop}
    return {"model": "m-1", "choices": [choice], "completion": text, "usage": {"total_tokens": 3}, **more}


def sample(identifier="a", epoch=1, **more):
    return {
        "id": identifier,
        "epoch": epoch,
        "input": "问题",
        "target": "正确",
        "messages": [{"role": "user", "content": "问题"}],
        "output": said(),
        "scores": {"match": {"value": "C", "answer": "正确"}},
        "metadata": {},
        "attachments": {},
        **more,
    }


def log(*samples, **more):
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "sdak", "model": "mockllm/model", "dataset": {"samples": len(samples)}},
        "plan": {"steps": []},
        "results": {"scores": [{"name": "match", "metrics": {"stderr": {"value": 0.0}}}]},
        "stats": {},
        "samples": list(samples),
        **more,
    }


@pytest.fixture
def file(tmp_path):
    def write(content, name="2026_sdak.json"):
        path = tmp_path / name
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=2)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def read(path):
    assert reader_of(path).name == "inspect"
    return [prediction for _, prediction in lines_in(path, inspect_log)]


def collected(*paths):
    asked = [Query(name, (index,), None, Variants(3)) for index, name in enumerate(("a", "b"))]
    return collect(["a", "b"], asked, [RULE], PredictionFiles(paths))


def refusal(*paths):
    with pytest.raises(MedzhError) as failure:
        collected(*paths)
    assert "\n" not in str(failure.value)
    assert len(str(failure.value)) < 900
    return failure.value


@pytest.mark.parametrize("indent", [None, 2])
def test_epochs_are_runs(file, indent):
    content = log(sample("a", 1), sample("a", 2, output=said("错误")), sample("b", 1))
    found = read(file(json.dumps(content, ensure_ascii=False, indent=indent)))
    assert [(p.id, p.run, p.variant, p.prediction) for p in found] == [
        ("a", 0, 0, "正确。"),
        ("a", 1, 0, "错误"),
        ("b", 0, 0, "正确。"),
    ]
    assert {(p.model, p.finish_reason, p.error) for p in found} == {("m-1", "stop", None)}


def test_it_may_be_compressed(tmp_path):
    path = tmp_path / "log.json.gz"
    path.write_bytes(gzip.compress(json.dumps(log(sample())).encode(), mtime=0))
    assert [p.id for p in read(path)] == ["a"]


@pytest.mark.parametrize(
    ("identifier", "epoch", "metadata", "parts"),
    [
        ("a", 2, {}, ("a", 1, 0)),
        ("a", 2, None, ("a", 1, 0)),
        (3, 1, {"id": "a"}, ("a", 0, 0)),
        ("mine-3", 1, {"id": "a", "other": [1]}, ("a", 0, 0)),
        ("a#v2", 2, {}, ("a", 1, 2)),
        (3, 1, {"id": "a#r1v2"}, ("a", 1, 2)),
        (3, 2, {"id": "a", "variant": 2}, ("a", 1, 2)),
        (3, 1, {"id": "a", "variant": None, "run": 1}, ("a", 1, 0)),
    ],
)
def test_what_was_asked(file, identifier, epoch, metadata, parts):
    (found,) = read(file(log(sample(identifier, epoch, metadata=metadata))))
    assert (found.id, found.run, found.variant) == parts


@pytest.mark.parametrize(
    ("output", "text", "reason"),
    [
        (said(" 正确\n"), " 正确\n", "stop"),
        (said("正", "max_tokens"), "正", "max_tokens"),
        (said("正", "model_length"), "正", "model_length"),
        (said("", "content_filter"), "", "content_filter"),
        (said("", "max_tokens"), "", "max_tokens"),
        (said("正确", "unknown"), "正确", "unknown"),
        ({"choices": [], "completion": "正确"}, "正确", None),
        ({"choices": said()["choices"]}, "正确。", "stop"),  # logs before completion was written
        (said([{"type": "reasoning", "reasoning": "想"}, {"type": "text", "text": "正"}], completion=""), "正", "stop"),
        (said([{"type": "text", "text": "正"}, {"type": "text", "text": "确"}], completion=None), "正\n确", "stop"),
        (said(f"attachment://{HASH}"), "很长的回答", "stop"),
        (said("attachment://ffff，无此附件"), "attachment://ffff，无此附件", "stop"),
    ],
)
def test_what_the_model_said(file, output, text, reason):
    (found,) = read(file(log(sample(output=output, attachments={HASH: "很长的回答"}))))
    assert (found.prediction, found.finish_reason, found.error) == (text, reason, None)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"error": {"message": "RuntimeError('boom')", "traceback": TRACEBACK}}, "RuntimeError('boom')"),
        ({"error": {"message": "one\n  two", "traceback": TRACEBACK}, "output": {"choices": []}}, "one two"),
        ({"error": {"message": ""}}, "no reason given"),
        ({"output": {"model": "m", "choices": [], "completion": ""}}, "no output"),
        ({"output": None}, "no output"),
        ({"output": {"choices": []}, "limit": {"type": "time", "limit": 5.0}}, "no output: time limit"),
    ],
)
def test_a_sample_without_an_answer_is_missing_with_its_reason(file, more, reason):
    found = collected(file(log(sample("a", **more), sample("b"))))
    assert found.failures == [f"a: {reason}"]
    assert found.tables["whole"].columns[0, 0][0] is None
    assert found.read == 1


@pytest.mark.parametrize("status", ["error", "cancelled", "started"])
def test_of_a_log_that_broke_off_what_is_there_is_read(file, status):
    content = log(sample("b"), status=status, error={"message": "x", "traceback": TRACEBACK}, results=None)
    assert [p.id for p in read(file(content))] == ["b"]


def test_numbers_that_are_none_do_no_harm(file):
    text = json.dumps(log(sample(output=said('得分NaN，"NaN"'))), ensure_ascii=False)
    for constant in ("NaN", "Infinity", "-Infinity"):
        (found,) = read(file(text.replace('"value": 0.0', f'"value": {constant}')))
        assert found.prediction == '得分NaN，"NaN"'


WRONG = [
    (log(sample("a"), sample(2)), "/samples/1/id", "samples are only numbered"),
    (log(sample("a"), sample(2.5)), "/samples/1/id", "Expected int | str"),
    (log(sample("a", 0)), "/samples/0/epoch", ">= 1"),
    (log(sample("a", "1")), "/samples/0/epoch", "Expected int"),
    (log(sample("x", metadata={"id": 5})), "/samples/0/metadata/id", "Expected str"),
    (log(sample("a", 2, metadata={"id": "a", "run": 1})), "/samples/0/epoch", "several epochs"),
    (log(sample("a", output=said(5))), "/samples/0/output/choices/0/message/content", "Expected str | array"),
    (log(sample("a", output=said(completion=5))), "/samples/0/output/completion", "Expected str"),
    (log(sample("c")), "id", "have an id that the data lack"),
    (log(sample("a"), sample("a")), "id", "the same prediction twice"),
    (log(samples=None), "/samples", "holds no samples"),
    ({name: value for name, value in log().items() if name != "samples"}, "/samples", "holds no samples"),
    (log(samples={}), "/samples", "Expected array"),
    (log(), None, "holds no predictions"),
]


@pytest.mark.parametrize(("content", "field", "message"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_log_is_named(file, content, field, message):
    path = file(content)
    failure = refusal(path)
    assert message in str(failure)
    assert (failure.file, failure.field) == (str(path), field)


def test_a_half_written_log_is_named_by_its_line(file):
    text = json.dumps(log(sample("a"), sample("b")), indent=2)
    failure = refusal(file(text[: len(text) * 3 // 4]))
    assert "is not JSON" in str(failure)
    assert failure.line > 30


def test_summaries_are_no_log(file):
    """The list of summaries that stands inside an ``.eval`` file, taken out."""
    assert "JSON array" in str(refusal(file([{"id": "a", "epoch": 1, "scores": {}, "completed": True}])))


# As zip: what needs the library itself is in test_real_inspect.


@pytest.fixture
def zipped(tmp_path):
    def write(names, name="log.eval"):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w") as archive:
            for member in names:
                archive.writestr(member, "{}")
        return path

    return write


@pytest.mark.parametrize("names", [["header.json"], ["_journal/start.json"], ["samples/a_epoch_1.json"]])
def test_a_zip_of_inspect_is_recognised(zipped, names):
    assert reader_of(zipped(names)).name == "inspect"


def test_another_zip_is_not(zipped):
    with pytest.raises(MedzhError, match="of no known form"):
        reader_of(zipped(["word/document.xml"]), None)


def test_without_the_library_the_message_says_what_to_install(zipped, monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    failure = refusal(zipped(["header.json"]))
    assert "pip install '.[inspect]'" in str(failure)
    assert "inspect log convert" in str(failure)
