"""What comes back in later rounds: sheets and a judge's responses, read strictly, of which a later file wins."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import numpy as np
import pytest

from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.stages import JudgeSpec, RecordStage, Stage
from medzh_score.io.tables import sheet_bytes
from medzh_score.scoring.report_warnings import stage_warnings
from medzh_score.stages.annotations import annotations_in
from medzh_score.stages.binding import StageItems
from medzh_score.ui.errors import MedzhError

RECORDS = [
    {"id": "measles", "answer": "麻疹由麻疹病毒引起，经呼吸道飞沫传播。"},
    {"id": "mumps", "answer": "流行性腮腺炎由腮腺炎病毒引起。"},
    {"id": "rickets", "answer": "佝偻病多由维生素D缺乏引起。"},
    {"id": "croup", "answer": "急性喉炎的典型表现是犬吠样咳嗽。"},
]
IDS = [record["id"] for record in RECORDS]
LAYOUT = ItemIndex(tuple(IDS), np.arange(4)[:, np.newaxis], np.arange(4), {})


def read_verdict(text, context):
    """Read one JSON object with one verdict and a quotation of the reference, as strictly as a judge's rule should."""
    try:
        said = json.loads(text)
    except ValueError:
        return None
    if not isinstance(said, dict) or said.get("opposed") not in {"yes", "no"}:
        return None
    return {"opposed": said["opposed"]} if said.get("quoted", "") in context["answer"] else None


def read_entities(text, _context):
    return {"entities": text} if text.startswith("[") and text.endswith("]") else None


def context(members, texts):
    assert not isinstance(texts, str)
    return {"answer": members[0]["answer"], **{f"response{number}": text for number, text in enumerate(texts)}}


OPPOSED = Stage(
    name="opposed",
    summary="does the answer oppose the reference?",
    values={"opposed": ("yes", "no")},
    eligible=lambda layout, table: np.ones((len(layout.items), len(table.runs)), bool),
    context=context,
    columns=(0,),
    model=JudgeSpec((), read_verdict),
)
ENTITIES = RecordStage(
    "entities", OPPOSED.summary, {"entities": ()}, context, columns=(0,), model=JudgeSpec((), read_entities)
)
BY_HAND = replace(OPPOSED, name="by-hand", model=None)

YES, NO = '{"opposed": "yes"}', '{"opposed": "no"}'
# A response that is no verdict, of each kind that judges give; in none of them a verdict is guessed.


@pytest.fixture
def read(tmp_path, write_lines):
    """Give a function that reads files, each given as a list of JSON lines, bytes, or rows under their columns."""

    def call(*files, later=OPPOSED):
        paths = []
        for number, content in enumerate(files):
            path = tmp_path / f"file{number}"
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                write_lines(path, content)
            paths.append(path)
        return annotations_in(later, paths, StageItems(RECORDS, LAYOUT, lambda _ids: {}))

    return call


def line(item, text, **more):
    return {"id": item, "prediction": text, **more}


def request(custom_id, *texts, **more):
    choices = [{"index": index, "message": {"content": text}} for index, text in enumerate(texts)]
    body = {"model": "judge-b", "choices": choices}
    return {"custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None, **more}


def sheet(*rows, values=("opposed",)):
    return sheet_bytes(("id", "run", "answer", *values, "annotator"), rows)


def test_a_later_file_wins_but_an_unreadable_response_takes_nothing_away(read):
    first = [line(item, NO, model="judge-a") for item in IDS[:3]] + [line("croup", "?", model="judge-a")]
    second = [
        line("measles", YES, model="judge-b"),
        line("mumps", "看不出来"),
        line("rickets", ""),
        line("croup", YES, model="judge-b"),
    ]
    judged = read(first, second)
    assert [judged.values[item, 0]["opposed"] for item in IDS] == ["yes", "no", "no", "yes"]
    assert (judged.overridden, judged.unreadable, judged.unanswered) == (1, (), ())
    assert judged.annotators == ("judge-a", "judge-b")
    assert judged.places["mumps", 0][0].name == "file0"


def test_a_person_corrects_a_judge_on_a_sheet_without_a_run(read):
    responses = [line("measles", NO, model="j"), line("mumps", NO, model="j"), line("croup", "?", model="j")]
    corrections = "id,opposed,annotator\r\nmeasles,YES,甲\r\ncroup,no,甲\r\nmumps,,甲\r\n".encode()
    judged = read(responses, corrections)
    assert [judged.values[item, 0]["opposed"] for item in ("measles", "mumps", "croup")] == ["yes", "no", "no"]
    assert (judged.overridden, judged.unrated, judged.unreadable) == (1, 1, ())
    assert judged.annotators == ("j", "甲")
    again = read(corrections, responses)
    assert [again.values[item, 0]["opposed"] for item in ("measles", "mumps", "croup")] == ["no", "no", "no"]


def test_a_column_without_listed_values_holds_any_text_as_it_stands(read):
    rows = sheet({"id": "rickets", "entities": " 维生素D、IgE ", "annotator": "乙"}, values=("entities",))
    judged = read([line("croup", "[犬吠样咳嗽]"), line("rickets", "无")], rows, later=ENTITIES)
    assert judged.values == {("croup", 0): {"entities": "[犬吠样咳嗽]"}, ("rickets", 0): {"entities": "维生素D、IgE"}}
    assert judged.annotators == ("unnamed", "乙")
    assert judged.unnamed == 1


TWICE = [line("mumps", YES), line("croup", NO), line("mumps", YES)]
# A file, the line and the message, and the stage where it is not OPPOSED.
WRONG = {
    "twice": (TWICE, 3, 'field "id": the file contains two annotations for the same id: found mumps (run 1)'),
    "twice, once unreadable": (
        [line("mumps", "?"), line("mumps", YES)],
        2,
        "the file contains two annotations for the same id",
    ),
    "unknown id": ([line("mumps", YES), line("pertussis", YES)], 2, "no item has this id: expected an id such"),
    "a variant": ([line("mumps", YES, variant=2)], 1, 'field "variant": prompts of a stage have only one option order'),
    "a batch variant": (
        [request("mumps#v2", YES)],
        1,
        "prompts of a stage have only one option order: expected 0, found 2",
    ),
    "several choices": ([request("mumps", YES, NO)], 1, 'field "choices": the response contains several choices'),
    "a run of a record": ([line("mumps", "[]", run=1)], 1, "expected 0 or no value, found 1", ENTITIES),
    "a run of a record on a sheet": (
        sheet({"id": "mumps", "run": 2, "entities": "病毒"}, values=("entities",)),
        2,
        'field "run": stage entities is about records and has no runs',
        ENTITIES,
    ),
    "no run": (sheet({"id": "mumps", "run": "x", "opposed": "yes"}), 2, "invalid run"),
    "no run, of many digits": (sheet({"id": "mumps", "run": "9" * 5000, "opposed": "yes"}), 2, "invalid run"),
    "a wrong value": (sheet({"id": "mumps", "opposed": "maybe"}), 2, "expected yes or no, found 'maybe'"),
    "no JSON": (b'{"id": "mumps", "prediction": ""}\nmumps: yes\n', 2, "invalid JSON"),
    "not UTF-8": (json.dumps(line("mumps", "不矛盾"), ensure_ascii=False).encode("gb18030"), 1, "invalid UTF-8"),
    "a sheet that is not UTF-8": ("id,opposed,annotator\nmumps,no,é\n".encode("latin-1"), 2, "invalid UTF-8"),
    "UTF-16": ("id,opposed\nmumps,no\n".encode("utf-16"), None, "the encoding is UTF-16"),
    "cut-off gzip": (gzip.compress(b"id,opposed\n" + b",\n" * 99, mtime=0)[:-9], None, "cannot read the complete file"),
    "empty": (b"", None, "the file is empty: expected predictions"),
    "other JSON": (b'{"id": "mumps", "opposed": "yes"}', 1, "unknown file format with the keys id, opposed"),
    "a sheet without the column": (b"id,verdict\nmumps,yes\n", 1, "a column is missing: expected id, opposed"),
    "responses where only people judge": ([line("mumps", YES)], 1, "a column is missing", BY_HAND),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_refused_with_file_and_line(read, tmp_path, name):
    content, number, message, *later = WRONG[name]
    with pytest.raises(MedzhError) as failure:
        read(content, later=later[0] if later else OPPOSED)
    assert message in str(failure.value)
    assert failure.value.file == str(tmp_path / "file0")
    if number is not None:
        assert failure.value.line == number


def test_ids_that_are_all_wrong_are_counted_and_some_named(read):
    with pytest.raises(MedzhError) as failure:
        read([line(f"other-{number}", YES, run=number % 2) for number in range(40)])
    assert str(failure.value).startswith(
        f"{failure.value.file}:1: field \"id\": no item has these 40 ids ('other-0', 'other-1'"
    )
    assert "'other-4', …): expected an id such as measles" in str(failure.value)


def test_the_note_counts_and_names_what_has_no_value(read):
    """Source: counted by hand."""
    responses = [line("measles", NO), line("mumps", "?"), line("croup", "?", run=1), line("rickets", "")]
    judged = read(responses, [line("measles", YES, model="j")], sheet({"id": "mumps"}))
    counts = np.zeros((4, 2, 1))
    counts[0, 0] = 1
    assert [*map(str, stage_warnings([OPPOSED, ENTITIES], {"opposed": judged}, counts, "r"))] == [
        (
            "Stage opposed: 1 annotated, 1 left blank, 2 unreadable (croup (run 2), mumps (run 1)), 1 "
            "empty or failed (rickets (run 1)), 1 replaced by a later file."
        ),
        '1 response of stage opposed has no model name. Add "model" to its line.',
    ]
