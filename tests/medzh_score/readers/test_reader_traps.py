"""Files in which an answer would go to a wrong place, or be taken for what it is not, were they read as they seem."""

from __future__ import annotations

import json
import zipfile

import pytest
from read_files import lines_in

from medzh_score.io import limits
from medzh_score.prompting.positions import Position
from medzh_score.readers import evalscope, native, opencompass
from medzh_score.readers.files import PredictionFiles
from medzh_score.ui.errors import MedzhError

PROMPTS = ["麻疹具有传染性，对吗？", "麻疹没有传染性，对吗？", "水痘由病毒引起，对吗？"]
SENT = [Position(f"i{at}", 0, 0, text) for at, text in enumerate(PROMPTS)]


def lines(*objects):
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)


def refusal(path, sent=SENT):
    with pytest.raises(MedzhError) as failure:
        lines_in(path, None, lambda: {"sent": sent})
    assert "\n" not in str(failure.value)
    return failure.value


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ('a\t正确\nb\t"正确\nc\t错误\n', 3),  # never closed: c's row would be b's answer
        ('a\t"正确\nb\t"错误\n', 2),
        ('a\t"正确"，因为\n', 2),  # the marks would be lost
    ],
)
def test_quotation_marks_that_no_table_has(file, rows, line):
    failure = refusal(file("id\tprediction\n" + rows, "p.tsv"))
    assert (failure.problem.partition(":")[0], failure.line) == ("is not CSV", line)


def test_quotation_marks_inside_of_a_cell(file):
    path = file('id\tprediction\na\t答“对”，即"正确"。\nb\t"""正确"""\n', "p.tsv")
    assert [one.prediction for _, one in lines_in(path, "sheet")] == ['答“对”，即"正确"。', '"正确"']


def test_a_file_is_no_second_run_of_itself(file, tmp_path):
    path = file(lines({"id": "a", "prediction": "正确"}))
    (tmp_path / "again.jsonl").symlink_to(path)
    for again in (path, tmp_path / "x" / ".." / "p.jsonl", tmp_path / "again.jsonl"):
        with pytest.raises(MedzhError, match="is named twice"):
            PredictionFiles((path, again), file_per_run=True)


def test_a_native_line_that_says_that_there_was_no_error(file):
    """Some tools always write the key; in a second line of a block it must not be missed."""
    path = file(lines({"id": "a", "prediction": "正确"}, {"id": "b", "prediction": "错误", "error": ""}))
    assert [(one.prediction, one.error) for _, one in lines_in(path, native)] == [("正确", None), ("错误", None)]
    ((_, one),) = lines_in(file('{"id": "a", "prediction": null, "error": ""}\n'), native)
    assert (one.prediction, one.error) == ("", None)


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ({"custom_id": "b", "response": {"status_code": 200, "body": {"choices": [{"text": "正?确"}]}}}, 2),
        ({"doc_id": 1, "doc": {"id": "b"}, "resps": [["正?确"]], "arguments": [["x", {}]]}, 2),
    ],
)
def test_a_text_that_is_no_utf_8_inside_of_a_value(file, line, at):
    content = lines(line).encode("utf-8")
    failure = refusal(file(content.replace(b'"b"', b'"a"').replace(b"?", b"") + content.replace(b"?", b"\xff")))
    assert (failure.problem, failure.line) == ("is not UTF-8", at)


def scope(index, text, **metadata):
    output = {"choices": [{"message": {"role": "assistant", "content": text}}]}
    return {"index": index, "model_output": output, "messages": [], "metadata": metadata}


def test_variants_are_no_repeats(file):
    said = [scope(0, "甲", id="a"), scope(1, "乙", id="a", variant=3), scope(2, "丙", id="a", variant=3, run=None)]
    found = [(one.prediction, one.run, one.variant) for _, one in lines_in(file(lines(*said)), evalscope)]
    assert found == [("甲", 0, 0), ("乙", 0, 3), ("丙", 1, 3)]


def entry(at, text="正确"):
    return {"origin_prompt": PROMPTS[at], "prediction": text}


def test_a_position_that_stands_twice(file):
    one, two = (json.dumps({"0": entry(0, text)}, ensure_ascii=False, indent=4) for text in ("正确", "错误"))
    failure = refusal(file(one.rstrip("\n}") + "\n    },\n" + two.lstrip("{\n"), "set.json"))
    assert (failure.problem, failure.line, failure.field) == ("the same position twice", 7, "/0")


def test_a_part_goes_on_behind_one_that_lacks_an_entry(file):
    file(json.dumps({"1": entry(1)}), "set_0.json")
    path = file(json.dumps({"0": entry(2, "错误")}), "set_1.json")
    assert [one.id for _, one in lines_in(path, opencompass, lambda: {"sent": SENT})] == ["i2"]


def test_the_rounds_of_a_conversation_are_no_runs(file):
    rounds = {"0": {"origin_prompt": ["你好", PROMPTS[0]], "prediction": ["您好", "正确"]}}
    assert refusal(file(json.dumps(rounds), "set.json")).problem == "holds several rounds of a conversation"


def test_sets_go_on_behind_the_highest_run_that_was_sent(file):
    sent = [Position("a", 1, 0, PROMPTS[0]), Position("a", 0, 0, PROMPTS[1])]
    path = file(json.dumps({str(at): entry(at % 2) for at in range(4)}), "set.json")
    assert [one.run for _, one in lines_in(path, opencompass, lambda: {"sent": sent})] == [1, 0, 3, 2]


def test_a_log_that_would_fill_the_memory(tmp_path, monkeypatch):
    pytest.importorskip("inspect_ai")
    path = tmp_path / "trap.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/a_epoch_1.json", b" " * 1_000_000)
    monkeypatch.setattr(limits, "UNPACKED", 100_000)
    assert refusal(path).problem == "unpacks to more than 0 MB and 200 times its size"
