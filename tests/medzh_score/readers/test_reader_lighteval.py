"""Details of lighteval: nested parquet, by the id that the task adds or by the order, with its texts as runs.

Source: what the package's own ``Doc``, ``ModelResponse`` and ``EvaluationTracker`` say of their fields, retold by hand.
"""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from pyarrow import parquet
from read_files import lines_in, reader_of

from medzh_score.prompting.positions import Position
from medzh_score.readers import lighteval
from medzh_score.ui.errors import MedzhError

PROMPTS = {"m-f": "麻疹具有传染性，对吗？", "m-c": "麻疹没有传染性，对吗？"}
SENT = [Position(identifier, 0, 0, text) for identifier, text in PROMPTS.items()]
RESPONSE = {
    "input": [{"role": "user", "content": "x"}],
    "input_tokens": [1, 2],
    "text": ["正确"],
    "output_tokens": [[3]],
    "text_post_processed": None,
    "logprobs": [],
}


def doc(identifier, **specific):
    return {
        "query": PROMPTS[identifier],
        "choices": ["正确", "错误"],
        "gold_index": 0,
        "specific": {"id": identifier, **specific} if specific.pop("named", True) else None,
        "task_name": "medzh:sdak",
        "id": "0",
    }


def row(identifier, texts=("正确",), processed=None, **specific):
    return {
        "doc": doc(identifier, **specific),
        "metric": {"em": 1.0},
        "model_response": {**RESPONSE, "text": list(texts), "text_post_processed": processed},
    }


@pytest.fixture
def write(tmp_path):
    def dump(*rows, **options):
        path = tmp_path / "details_medzh.parquet"
        parquet.write_table(pa.Table.from_pylist(list(rows)), path, **options)
        return path

    return dump


def read(path, sent=SENT):
    assert reader_of(path).name == "lighteval"
    return [
        (number, one.id, one.run, one.prediction) for number, one in lines_in(path, lighteval, lambda: {"sent": sent})
    ]


def refusal(path, sent=SENT):
    with pytest.raises(MedzhError) as failure:
        read(path, sent)
    assert "\n" not in str(failure.value)
    return failure.value


def test_rows_by_their_ids(write):
    assert read(write(row("m-c", ["错误"]), row("m-f"))) == [(1, "m-c", 0, "错误"), (2, "m-f", 0, "正确")]


def test_many_rows_in_groups(write):
    rows = [row("m-f", [f"第{number}次"], run=number) for number in range(1000)]
    found = read(write(*rows, row_group_size=300))
    assert found == [(number + 1, "m-f", number, f"第{number}次") for number in range(1000)]


@pytest.mark.parametrize(
    ("texts", "processed", "expected"),
    [
        (["<think>想</think>正确"], ["正确"], ["正确"]),
        (["正确", "错误"], None, ["正确", "错误"]),
        (["a", "b"], ["x", "y"], ["x", "y"]),
        ([""], None, [""]),
    ],
)
def test_texts_are_runs(write, texts, processed, expected):
    # The second row gives the column a type where the first has none.
    found = read(write(row("m-f", texts, processed), row("m-c", ["z"], ["z"])))
    assert [text for _, identifier, _, text in found if identifier == "m-f"] == expected
    assert [run for _, identifier, run, _ in found if identifier == "m-f"] == list(range(len(expected)))


def test_no_text_is_missing(write):
    path = write(row("m-f", []), row("m-c", ["x"]))
    missing, _ = (one for _, one in lines_in(path, lighteval))
    assert (missing.id, missing.error) == ("m-f", "no text")


def test_columns_that_are_not_there(write):
    rows = [
        {"doc": {"query": PROMPTS[one], "specific": {"id": one}}, "model_response": {"text": ["正确"]}}
        for one in PROMPTS
    ]
    assert [one[1] for one in read(write(*rows))] == ["m-f", "m-c"]
    for one in rows:
        del one["doc"]["specific"]
    assert [one[1] for one in read(write(*rows))] == ["m-f", "m-c"]


def test_underlined_columns(write):
    rows = [{f"__{name}__": value for name, value in row(one).items()} for one in PROMPTS]
    assert [one[1] for one in read(write(*rows))] == ["m-f", "m-c"]


def test_run_and_variant_of_a_sample(write):
    path = write(row("m-f", run=2, variant=5), row("m-c", run=None, variant=None))
    assert [(one.id, one.run, one.variant) for _, one in lines_in(path, lighteval)] == [("m-f", 2, 5), ("m-c", 0, 0)]


def test_without_ids_the_order_counts(write):
    assert [one[1] for one in read(write(row("m-f", named=False), row("m-c", named=False)))] == ["m-f", "m-c"]
    swapped = write(row("m-c", named=False), row("m-f", named=False))
    failure = refusal(swapped)
    assert "at 2 of 2 positions, first at 0" in failure.problem
    assert "is not known here" in str(refusal(swapped, []))


def test_ids_of_somebody_else_are_none(write):
    rows = [{**row(one), "doc": {"query": text, "specific": {"id": 7}}} for one, text in PROMPTS.items()]
    assert [one[1] for one in read(write(*rows))] == ["m-f", "m-c"]


def test_nested_values_may_be_json(write):
    rows = [
        {"doc": json.dumps(doc(one)), "model_response": json.dumps(RESPONSE | {"text": ["正确", "错误"]})}
        for one in PROMPTS
    ]
    assert [one[1:3] for one in read(write(*rows))] == [("m-f", 0), ("m-f", 1), ("m-c", 0), ("m-c", 1)]


def test_what_python_wrote_is_not_evaluated(write):
    rows = [{"doc": str(doc(one)), "model_response": str(RESPONSE)} for one in PROMPTS]
    failure = refusal(write(*rows))
    assert (failure.line, failure.field) == (1, "doc")
    assert "never evaluated" in failure.problem
    assert '{"id": …, "prediction": …}' in failure.advice


@pytest.mark.parametrize(
    ("rows", "number", "field", "message"),
    [
        ([row("m-f"), row("m-c", named=False)], 2, "doc.specific.id", "others have none"),
        ([row("m-c"), row("m-f", ["a", "b"], run=1)], 2, "model_response.text", "several texts"),
        ([{"doc": 5, "model_response": 5}], 1, "doc", "wrong kind"),
        ([{**row("m-f"), "model_response": {"text": [1]}}], 1, "model_response", "wrong kind"),
        ([row("m-f", run="x")], 1, "doc.specific", "wrong kind"),
    ],
)
def test_a_wrong_row_is_named(write, rows, number, field, message):
    failure = refusal(write(*rows))
    assert message in str(failure)
    assert (failure.line, failure.field) == (number, field)


def test_no_rows(tmp_path):
    empty = pa.Table.from_pylist([row("m-f")]).slice(0, 0)
    parquet.write_table(empty, tmp_path / "none.parquet")
    assert "holds no predictions" in str(refusal(tmp_path / "none.parquet"))


def test_a_file_that_was_not_transferred_whole(write):
    path = write(*(row("m-f", [f"{number}" * 50], run=number) for number in range(500)))
    content = path.read_bytes()
    path.write_bytes(content[:-200])
    assert "is no parquet file" in str(refusal(path))
    path.write_bytes(content[:3000] + b"\xff" * 400 + content[3400:])
    assert "cannot be read as parquet" in str(refusal(path))
