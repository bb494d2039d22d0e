"""Predictions without ids: placed by the order in which prompts were sent, refused where any text does not fit."""

from __future__ import annotations

import json

import pytest
from read_files import lines_in, reader_of

from medzh_score.prompting.positions import AskedPosition, Position, as_sets, in_a_row, placed
from medzh_score.readers import evalscope, opencompass
from medzh_score.ui.errors import MedzhError

CLAIMS = ["麻疹具有传染性。", "麻疹没有传染性。", "水痘由病毒引起。", "水痘由细菌引起。"]
PROMPTS = [f"判断对错：\n{claim}\n请回答正确或错误。" for claim in CLAIMS]
IDS = ["m-f", "m-c", "w-f", "w-c"]
SENT = [Position(identifier, 0, 0, text) for identifier, text in zip(IDS, PROMPTS, strict=True)]
CONVERSATION = ("麻疹会传染吗？", "会。", "水痘会传染吗？")


def order(*named):
    return lambda: {f"order {number}": positions for number, positions in enumerate(named)}


def found(texts):
    return [AskedPosition(at, text, at + 1) for at, text in enumerate(texts)]


def ids(places):
    return [(place.id, place.run) for _, place in sorted(places.items())]


@pytest.fixture
def write(tmp_path):
    def dump(entries, name="set.json", **options):
        options = {"indent": 4, "ensure_ascii": False, **options}
        path = tmp_path / name
        path.write_text(entries if isinstance(entries, str) else json.dumps(entries, **options), encoding="utf-8")
        return path

    return dump


def entries(said=("正确", "错误", "正确", "错误"), prompts=PROMPTS, start=0):
    return {
        str(at): {"origin_prompt": prompt, "prediction": text}
        for at, (prompt, text) in enumerate(zip(prompts, said, strict=True), start)
    }


def read(path, *named):
    found = lines_in(path, opencompass, order(*(named or (SENT,))))
    return [(line, one.id, one.run, one.prediction) for line, one in found]


def refusal(path, *named, reader=opencompass):
    with pytest.raises(MedzhError) as failure:
        lines_in(path, reader, order(*(named or (SENT,))))
    assert "\n" not in str(failure.value)
    return failure.value


@pytest.mark.parametrize(
    "asked",
    [
        PROMPTS,
        [f"<|user|>\n{text}<|end|>\n<|assistant|>" for text in PROMPTS],
        [text.replace("\n", "  \r\n") for text in PROMPTS],
        [text.strip() + " \n\n" for text in PROMPTS],
    ],
)
def test_what_was_sent_stands_in_what_was_asked(tmp_path, asked):
    assert ids(placed(found(asked), {"sent": SENT}, tmp_path)) == [(one, 0) for one in IDS]


@pytest.mark.parametrize(
    ("asked", "misfits", "first"),
    [
        ([*PROMPTS[1:], PROMPTS[0]], 4, 0),
        ([PROMPTS[0], PROMPTS[2], PROMPTS[1], PROMPTS[3]], 2, 1),
        ([*PROMPTS[:3], CLAIMS[3]], 1, 3),
        ([*PROMPTS, "何谓麻疹？"], 1, 4),
        ([text.replace("判断", "判 断") for text in PROMPTS], 4, 0),
        (["", *PROMPTS[1:]], 1, 0),
    ],
)
def test_one_text_that_does_not_fit_is_too_many(tmp_path, asked, misfits, first):
    with pytest.raises(MedzhError) as failure:
        placed(found(asked), {"sent": SENT}, tmp_path / "p.json")
    assert f"at {misfits} of {len(asked)} positions, first at {first}," in failure.value.problem
    assert failure.value.line == first + 1
    assert "--prompts" in failure.value.advice


def test_the_first_order_that_fits_is_taken_and_the_nearest_is_named(tmp_path):
    backwards = [Position(f"b-{one.id}", 0, 0, one.text) for one in reversed(SENT)]
    places = placed(found(reversed(PROMPTS)), {"sent": SENT, "backwards": backwards}, tmp_path)
    assert ids(places) == [(f"b-{one}", 0) for one in reversed(IDS)]
    with pytest.raises(MedzhError, match="at 1 of 4 positions, first at 3, something else was asked than sent ask"):
        placed(found([*PROMPTS[:3], "x"]), {"backwards": backwards, "sent": SENT}, tmp_path)


@pytest.mark.parametrize("orders", [{}, {"none": []}])
def test_without_an_order_nothing_is_placed(tmp_path, orders):
    with pytest.raises(MedzhError, match="names no ids, and in which order prompts were sent is not known"):
        placed(found(PROMPTS), orders, tmp_path)


def test_an_empty_prompt_fits_nothing(tmp_path):
    with pytest.raises(MedzhError, match="at 1 of 1 positions"):
        placed(found(["问"]), {"sent": [Position("a", 0, 0, " \n")]}, tmp_path)


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        ("".join(f"<|{turn}|>" for turn in CONVERSATION), True),
        ("<|水痘会传染吗？|><|麻疹会传染吗？|><|会。|>", False),
        ("".join(f"<|{turn}|>" for turn in CONVERSATION[1:]), False),
    ],
)
def test_turns_stand_in_their_order(tmp_path, asked, fits):
    sent = {"sent": [Position("a", 0, 0, "\n".join(CONVERSATION), CONVERSATION)]}
    if fits:
        assert ids(placed(found([asked]), sent, tmp_path)) == [("a", 0)]
    else:
        with pytest.raises(MedzhError):
            placed(found([asked]), sent, tmp_path)


def test_repeats(tmp_path):
    again = placed(found(PROMPTS * 3), {"sent": SENT}, tmp_path)
    assert ids(again) == [(one, run) for run in range(3) for one in IDS]
    rows = [text for text in PROMPTS for _ in range(3)]
    in_rows = placed(found(rows), {"sent": SENT}, tmp_path, (as_sets, in_a_row(3)))
    assert ids(in_rows) == [(one, run) for one in IDS for run in range(3)]
    sent_twice = [one._replace(run=run, variant=5) for run in range(2) for one in SENT]
    assert ids(placed(found(PROMPTS * 4), {"sent": sent_twice}, tmp_path)) == [
        (one, run) for run in range(4) for one in IDS
    ]


# OpenCompass.


def test_an_entry_is_on_the_line_where_it_begins(write):
    assert read(write(entries())) == [
        (2, "m-f", 0, "正确"),
        (6, "m-c", 0, "错误"),
        (10, "w-f", 0, "正确"),
        (14, "w-c", 0, "错误"),
    ]
    assert [line for line, *_ in read(write(entries(), indent=None))] == [1, 1, 1, 1]
    tricky = entries(['x\n    "7": {', "b", "c", "d"])
    assert [line for line, *_ in read(write(tricky))] == [2, 6, 10, 14]


@pytest.mark.parametrize(
    ("prediction", "texts"),
    [
        ("正确", ["正确"]),
        ("", [""]),
        (["正确", "错误", ""], ["正确", "错误", ""]),
        ({"prediction": "正确", "reasoning_content": "想"}, ["正确"]),
        (None, [""]),
        ({"prediction": None}, [""]),
        ([None, "正确"], ["", "正确"]),
        ({"prediction": ["正确", "错误"]}, ["正确", "错误"]),
    ],
)
def test_what_a_prediction_may_be(write, prediction, texts):
    said = read(write(entries([prediction], PROMPTS[:1])))
    assert [(run, text) for _, _, run, text in said] == list(enumerate(texts))


@pytest.mark.parametrize("prediction", [[], {}])
def test_no_prediction_is_missing(write, prediction):
    ((_, one),) = lines_in(write(entries([prediction], PROMPTS[:1])), opencompass, order(SENT))
    assert (one.id, one.error) == ("m-f", "no prediction")


@pytest.mark.parametrize(
    "asked",
    [
        [{"role": "HUMAN", "prompt": PROMPTS[0]}],
        [{"role": "SYSTEM", "prompt": "你是医生。"}, {"role": "HUMAN", "prompt": PROMPTS[0], "input_length": 9}],
        [{"role": "user", "content": PROMPTS[0]}],
        [{"role": "user", "content": [{"type": "text", "text": PROMPTS[0]}]}],
        ["你是医生。", PROMPTS[0]],
    ],
)
def test_what_was_asked_may_be_messages(write, asked):
    assert read(write(entries(["正确"], [asked])))[0][1] == "m-f"


def test_positions_are_numbers_not_places_in_the_file(write):
    shuffled = dict(sorted(entries().items(), reverse=True))
    assert [one[1:] for one in read(write(shuffled))] == [one[1:] for one in read(write(entries()))]
    gaps = entries()
    del gaps["1"]
    assert [identifier for _, identifier, *_ in read(write(gaps))] == ["m-f", "w-f", "w-c"]


def test_parts_go_on_where_those_before_them_end(write):
    parts = [write(entries("ab", PROMPTS[:2]), "set_0.json"), write(entries("c", PROMPTS[2:3]), "set_1.json")]
    parts.append(write(entries("d", PROMPTS[3:]), "set_2.json"))
    assert [(one[1], one[3]) for part in parts for one in read(part)] == list(zip(IDS, "abcd", strict=True))
    parts[0].unlink()
    assert "at 1 of 1 positions, first at 0" in str(refusal(parts[1]))


def test_a_whole_may_be_named_like_a_part(write):
    write(entries("wxyz"), "set_0.json")
    assert [one[1] for one in read(write(entries("abcd"), "set_1.json"))] == IDS
    assert [one[1] for one in read(write(entries("abcd"), "other_7.json"))] == IDS


@pytest.mark.parametrize(
    ("content", "message", "field"),
    [
        ({"0": {"prediction": "x"}}, "does not say what was asked", "/0/origin_prompt"),
        ({"0": {"prediction": "x", "origin_prompt": [{"role": "HUMAN"}]}}, "does not say", "/0/origin_prompt"),
        ({"0": {"prediction": "x", "origin_prompt": [[{"prompt": "a"}]]}}, "several rounds", "/0/origin_prompt"),
        ({"0": {"prediction": 5, "origin_prompt": PROMPTS[0]}}, "is no text", "/0/prediction"),
        ({"0": {"prediction": [0.1, 0.9], "origin_prompt": PROMPTS[0]}}, "is no text", "/0/prediction"),
        ({"0": {"prediction": "x", "origin_prompt": PROMPTS[0]}, "a": {}}, "is no position", "/a"),
        ({"0": {"prediction": "x", "origin_prompt": PROMPTS[0]}, "-1": {}}, "is no position", "/-1"),
        ({"0": "x"}, "is no JSON object", "/0"),
        ({}, "holds no predictions", None),
    ],
)
def test_what_is_none_of_opencompass(write, content, message, field):
    failure = refusal(write(content))
    assert message in str(failure)
    assert failure.field == field


def test_a_document_that_was_not_written_to_its_end(write):
    text = json.dumps(entries(), indent=4, ensure_ascii=False)
    path = write(text[: len(text) // 2])
    assert reader_of(path).name == "opencompass"
    assert "is not JSON" in str(refusal(path))


def test_nan_in_another_field(write):
    known = entries()
    known["0"]["gold"] = float("nan")
    assert len(read(write(known))) == 4


@pytest.mark.parametrize("reader", ["opencompass", "evalscope"])
def test_where_no_order_is_known(write, reader):
    line = {"index": 0, "model_output": {"choices": []}, "messages": [{"role": "user", "content": "x"}]}
    path = write(entries()) if reader == "opencompass" else write(line, indent=None)
    with pytest.raises(MedzhError, match="is not known here"):
        lines_in(path, {"opencompass": opencompass, "evalscope": evalscope}[reader])
