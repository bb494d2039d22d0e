"""Results go into a model's card: nothing else of it changes, nothing goes, and what is broken is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from huggingface_hub import ModelCard

from medzh_score.export.card import merged
from medzh_score.ui.errors import MedzhError

NEW = {"task": {"type": "t"}, "dataset": {"name": "E", "type": "e"}, "metrics": [{"type": "m", "value": 0.1 + 0.2}]}
ENTRY = {"name": "demo", "results": [NEW]}
RESULT = """\
  - task: {type: t}   # kept
    dataset:
      name: D
      type: d
    metrics:
    - type: m
      value: 1"""
INSIDE = re.compile(r" |- |model-index:")
CARDS = {
    "no YAML": "# Demo\n\nText.\n",
    "nothing in the YAML": "---\n---\n# Demo\n",
    "other fields": "---\nlicense: mit # why\ntags: [a,   b]\n---\n# Demo\n---\nnot YAML: [\n",
    "the model": f"---\nmodel-index:\n- name: demo\n  results:\n{RESULT}\n# behind\nlicense: mit\n---\nText\n",
    "deeper": "---\nmodel-index:\n  - name: demo\n    results:\n      - {task: {type: t}, dataset: {name: D, type: d}, "
    "metrics: [{type: m, value: 1}]}\n\nlicense: mit\n---\n",
    "another model": f"---\nmodel-index:\n- name: other\n  results:\n{RESULT}\nlicense: mit\n---\n",
    "no results yet": "---\nmodel-index:\n- name: demo # ours\nlicense: mit\n---\n",
    "name last": f"---\nmodel-index:\n- results:\n{RESULT}\n  name: demo\nlicense: mit\n---\n",
    "several lines": f"---\nmodel-index:\n- name: demo\n  results:\n{RESULT}\n      name: |\n        two\n"
    "        lines\n\nlicense: mit\n---\n",
    "mark of order": "\ufeff---\nlicense: mit\n---\nText\n",
    "no line end": "---\nlicense: mit\n---",
}


def head(text):
    """Read the fields of a card, whose YAML stands between its first two lines of three hyphens."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return (yaml.safe_load("\n".join(lines[1 : lines.index("---", 1)])) or {}) if lines[0] == "---" else {}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", CARDS)
def test_a_card_gets_lines_and_loses_none(name, end):
    before = CARDS[name].replace("\n", end)
    found = merged(Path("README.md"), before.encode(), ENTRY).decode()
    for line in before.splitlines():  # a whole line of a field other than ours, or a comment behind one
        assert line in found or INSIDE.match(line)
    assert found.count("\r\n") == (found.count("\n") if end == "\r\n" else 0)
    old, fields = head(CARDS[name]), head(found)
    index = old.pop("model-index", [])
    ours = next(one for one in fields["model-index"] if one["name"] == "demo")
    assert ours["results"][-1] == NEW
    assert {key: value for key, value in fields.items() if key != "model-index"} == old
    assert [one["name"] for one in fields["model-index"]] == [*dict.fromkeys([*(one["name"] for one in index), "demo"])]
    assert merged(Path("README.md"), found.encode(), ENTRY) == found.encode()


@pytest.mark.parametrize("name", sorted(CARDS.keys() - {"no results yet"}))
def test_the_hubs_own_library_reads_the_card(name):
    found = merged(Path("README.md"), CARDS[name].encode(), ENTRY).decode().removeprefix("\ufeff")
    values = [one.metric_value for one in ModelCard(found).data.eval_results]
    assert values[-1] == 0.1 + 0.2
    assert len(values) == 1 + ("metrics" in CARDS[name])


FLOW = "{task: {type: t}, dataset: {name: D, type: d}, metrics: [{type: m, value: 1}]}"
IN_A_LINE = [
    "model-index: # none yet\nlicense: mit\n",
    "license: mit\nmodel-index: null\n",
    "  model-index: ~",
    "model-index: [\n]\n\ntags: [a,   b]\n",
    "model-index: # why\n  []\n",
    "model-index:\n- name: demo\n  results: [] # none yet\nlicense: mit\n",
    "model-index:\n  - results:\n    name: demo\n",
    f"model-index: [{{name: demo, results: [{FLOW}]}}]\nlicense: mit\n",
    f"model-index: [\n  {{name: other, results: [{FLOW}]}}, # why\n  # ours\n]\n",
]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("text", IN_A_LINE)
def test_what_is_empty_or_written_in_brackets_takes_them(text, end):
    last = "" if text.endswith("\n") else "\n"
    old = f"---\n{text}{last}---\nText\n".replace("\n", end)
    found = merged(Path("README.md"), old.encode(), ENTRY).decode()
    assert found.count("\r\n") == (found.count("\n") if end == "\r\n" else 0)
    fields, were = head(found), head(old)
    index = were.pop("model-index") or []
    ours = next(one for one in fields["model-index"] if one["name"] == "demo")
    there = next((one["results"] for one in index if one["name"] == "demo"), None) or []
    assert ours["results"] == [*there, NEW]
    others = [one for one in fields.pop("model-index") if one["name"] != "demo"]
    assert others == [one for one in index if one["name"] != "demo"]
    assert fields == were
    assert merged(Path("README.md"), found.encode(), ENTRY) == found.encode()


@pytest.mark.parametrize(
    ("card", "line", "message"),
    [
        ("---\nlicense: mit\ntags: [a\n---\n", 4, "invalid YAML"),
        ("---\nlicense: mit\n  tags: a\n---\n", 3, "invalid YAML"),
        ("\n---\na: !other b\n---\n", 3, "invalid YAML"),
        ("---\nlicense: mit\n", 1, "the YAML header is not closed"),
        ("---\na: 1\nb: 2\na: 3\n---\n", 2, 'field "a": duplicate key'),
        ("---\n- a\n---\n", 2, "the YAML header is not a block of fields"),
        ("---\n{license: mit}\n---\n", 2, "the YAML header is not a block of fields"),
        *(
            (f"---\nmodel-index: {value}\n---\n", 2, "the value is not a block list")
            for value in ("5", "true", "demo", "{name: demo}")
        ),
        *(
            (f"---\nmodel-index:\n- name: demo\n  results: {value}\n---\n", 4, "the value is not a block list")
            for value in ("5", "demo", "{a: 1}")
        ),
        ("---\na: &a\n- *a\n---\n", 2, "a YAML alias refers to the node that contains it"),
        (f"---\na: {'[' * 2000}{']' * 2000}\n---\n", 2, "the nesting is too deep"),
        (
            "---\nmodel-index: &m\n- name: demo\n  results: &r\n  - a: 1\nother: *r\n---\n",
            2,
            "no entry can be inserted because of the YAML layout",
        ),
        ("---\nmodel-index: &m []\nother: *m\n---\n", 2, "no entry can be inserted because of the YAML layout"),
        ("a\n\udcff\n", 2, "invalid UTF-8"),
    ],
)
def test_a_card_that_cannot_take_them_is_refused_with_its_line(card, line, message):
    with pytest.raises(MedzhError, match=message) as error:
        merged(Path("README.md"), card.encode("utf-8", "surrogateescape"), ENTRY)
    assert error.value.line == line


def test_from_answers_to_a_finished_card(told, calling, tmp_path):
    """Score, save, export into a card, and let the hub's library read it: the numbers are those of the report."""
    card = tmp_path / "README.md"
    card.write_text(CARDS["the model"], encoding="utf-8")
    words = ("export", told["sdak"], "--update-card", card)
    status, out, err = calling(*words)
    assert status == 2
    assert "add --yes to confirm" in err
    assert "- name: org/demo\n" in out
    assert card.read_text(encoding="utf-8") == CARDS["the model"]
    status, shown, _ = calling(*words, "--yes")
    assert (status, shown) == (0, out)
    results = ModelCard.load(card).data.eval_results
    found = {one.metric_name: one.metric_value for one in results if one.dataset_config == "sdak"}
    _, shown, _ = calling("show", told["sdak"], "--to", "json")
    metrics = yaml.safe_load(shown)["metrics"]
    assert found == {f"{name} (percent)": metrics[name]["value"] for name in ("FactAcc", "IFR")}
    assert calling(*words)[0] == 0  # nothing new, and nobody is asked
