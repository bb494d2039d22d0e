"""A key that stands twice in one prediction: refused by file, line and key, in every form that is read."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.io.documents import check_duplicate_keys
from medzh_score.prompting.positions import Position
from medzh_score.readers import native
from medzh_score.readers.files import PredictionFiles
from medzh_score.ui.errors import MedzhError

SOUND = '{"id": "a", "prediction": "正确", "run": 0, "model": "m"}'
BATCH = '{"custom_id": "a", "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "正确"}}]}}}'
SAMPLE = '{"doc_id": 0, "doc": {"id": "a"}, "resps": [["正确"]], "arguments": [["x", {}]]}'
SCOPE = '{"index": 0, "model_output": {"choices": [{"message": {"content": "正确"}}]}, "metadata": {"id": "a"}}'
LOG = '{"version": 2, "status": "success", "eval": {}, "samples": [{"id": "a", "output": {"completion": "正确"}}]}'
COMPASS = '{"0": {"origin_prompt": "麻疹有传染性，对吗？", "prediction": "正确"}}'
# A form, a sound line of it, what is put in the place of what, and the key that then stands twice.
TWINS = [
    ("native", SOUND, '"prediction": "正确"', '"prediction": "正确", "prediction": "错误"', "prediction"),
    ("native", SOUND, '"id": "a"', '"id":"b","id":"a"', "id"),
    ("native", SOUND, '"id": "a"', r'"\u0069d": "b", "id": "a"', "id"),
    ("native", SOUND, '"id": "a"', r'"i\u0064": "b", "id": "a"', "id"),
    ("native", SOUND, '"prediction": "正确"', r'"prediction": "id", "pre\u0064iction": "x"', "prediction"),
    ("native", SOUND, '"run": 0', '"run": 1, "run" : 0', "run"),
    ("native", SOUND, '"run": 0', '"error": "x", "run": 0, "error": null', "error"),
    ("native", SOUND, '"run": 0', '"variant": 1, "variant": 0', "variant"),
    ("native", SOUND, '"model": "m"', '"model": "m", "model": "n"', "model"),
    ("native", SOUND, '"model": "m"', '"finish_reason": "length", "finish_reason": "stop"', "finish_reason"),
    ("batch", BATCH, '"custom_id": "a"', '"custom_id": "b", "custom_id": "a"', "custom_id"),
    ("batch", BATCH, '"content": "正确"', r'"content": "正确", "c\u006fntent": "错误"', "content"),
    ("batch", BATCH, '"status_code": 200', '"status_code": 500, "status_code": 200', "status_code"),
    ("lm-eval", SAMPLE, '"resps": [["正确"]]', '"resps": [["错误"]], "resps": [["正确"]]', "resps"),
    ("lm-eval", SAMPLE, '"id": "a"', '"id": "b", "id": "a"', "id"),
    ("evalscope", SCOPE, '"content": "正确"', '"content": "错误", "content": "正确"', "content"),
    ("evalscope", SCOPE, '"id": "a"', '"id": "b", "id": "a"', "id"),
    ("inspect", LOG, '"completion": "正确"', '"completion": "错误", "completion": "正确"', "completion"),
    ("opencompass", COMPASS, '"prediction": "正确"', '"prediction": "错误", "prediction": "正确"', "prediction"),
]
LINES = {"native", "batch", "lm-eval", "evalscope"}
SENT = {"sent": [Position("a", 0, 0, "麻疹有传染性，对吗？")]}


def read(path, form):
    return [one for opened in PredictionFiles((path,), form, order=lambda: SENT).again() for one in opened.lines]


@pytest.mark.parametrize(("form", "sound", "part", "twins", "key"), TWINS)
def test_a_key_that_stands_twice(form, sound, part, twins, key, file):
    path = file(sound + "\n")
    assert [one.prediction for _, one in read(path, form)] == ["正确"]
    assert part in sound
    before = [sound.replace('"a"', f'"{at}"').replace('"index": 0', f'"index": {at}') for at in range(1, 4)]
    before = before if form in LINES else []
    for end in ("\n", ""):
        path.write_text("".join(f"{one}\n" for one in (*before, sound.replace(part, twins))).removesuffix("\n") + end)
        with pytest.raises(MedzhError) as refused:
            read(path, form)
        line = len(before) + 1 if form in LINES else None
        assert (refused.value.problem, refused.value.file) == ("duplicate key", str(path))
        assert (refused.value.line, refused.value.field) == (line, key)


@pytest.mark.parametrize(
    "text",
    [
        *('"id": "a", "id": "b"', '{"id": "a", "prediction": "错误"}', "id", "run", "error", "prediction", "model"),
        *("variant", "finish_reason", "\\u0069d \\", "\\u0041", "\u0085\x01", '"', "", "正确\n错误"),
    ],
)
def test_what_only_looks_like_a_key(text, file):
    """Texts with keys, in quotes and escaped, other objects with the same keys, keys that begin alike, any order."""
    sound = [
        {
            "id": "a",
            "prediction": text,
            "model": text or "m",
            "finish_reason": text * 2,
            "identity": 1,
            "ids": [{"id": 1}],
        },
        {"prediction": text, "usage": {"id": "x", "run": 1, "prediction": "y"}, "id": "b", "runs": 1, "run_name": 2},
        {
            "runner": {"run": 1, "error": text},
            "modelled": 1,
            "model": text or "m",
            "prediction": text,
            "id": text or "c",
        },
    ]
    for escaped in (True, False):
        for lines in (sound, sound[::-1], sound * 3):
            written = "\n".join(json.dumps(one, ensure_ascii=escaped) for one in lines)
            for end in ("", "\n", "\n\n"):
                found = read(file(written + end), "native")
                assert [one.prediction for _, one in found] == [text] * len(lines)


def test_keys_are_looked_at_once_each():
    """Of 200,000 keys, each looked for among all others, one would wait for an hour."""
    keys = [f'"{place}": 0' for place in range(200_000)]
    check_duplicate_keys("{" + ", ".join(keys) + "}", Path("a.json"), None)
    with pytest.raises(MedzhError, match='field "7": duplicate key'):
        check_duplicate_keys("{" + ", ".join([*keys, '"7": 1']) + "}", Path("a.json"), None)


KEYS = st.sampled_from([*native.FIELDS, "raw", "identity", "", 'a"id', "i\\d"])
VALUES = st.recursive(
    st.sampled_from(['id": "', "\\", "正确\n", "", 0, None, True]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.lists(st.tuples(KEYS, VALUES, st.booleans()), max_size=4)


def key_of(name, plain):
    """Write a key, as it is or all of it escaped."""
    return json.dumps(name) if plain else '"' + "".join(f"\\u{ord(sign):04x}" for sign in name) + '"'


def as_object(fields):
    """Write an object with its keys in their order, twins too."""
    return "{" + ", ".join(f"{key_of(name, plain)} : {json.dumps(value)}" for name, value, plain in fields) + "}"


def twins_in(line):
    """Name the keys that stand twice in the outermost object, by the parser of Python, whose last object it is."""
    keys = []
    json.loads(line, object_pairs_hook=lambda pairs: keys.append([key for key, _ in pairs]))
    return {key for key, times in Counter(keys[-1]).items() if times > 1}


@given(st.lists(FIELDS, min_size=1, max_size=4))
def test_twins_are_those_that_the_plain_parser_of_python_finds(tmp_path_factory, lines):
    sound = [("id", "a", True), ("prediction", "正确", True)]
    required = {"id", "prediction"}  # of which a twin comes where it is escaped
    written = [as_object([*sound, *(one for one in of if one[0] not in required or not one[2])]) for of in lines]
    expected = [number for number, line in enumerate(written, 1) if twins_in(line) & set(native.FIELDS)]
    path = tmp_path_factory.getbasetemp() / "twins.jsonl"
    path.write_text("\n".join(written), encoding="utf-8")
    found = []
    try:
        read(path, "native")
    except MedzhError as error:
        found = [error.line] if error.problem == "duplicate key" else []
    assert found == expected[:1]
