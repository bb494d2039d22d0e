"""The hand-written sample: what it covers, that its README says so, and that its options keep the rule `strict`."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter

import pytest
from places import SAMPLES
from recipe_work import sample_predictions, sample_records
from tables import case_tables

from dataset_scripts.command_line import main
from dataset_scripts.recipes.cmhe_ce.own_reader import MINI, read_own
from dataset_scripts.recipes.cmhe_ce.questions import QUESTIONS, question_on

TREE = "jzsh2000/pubmed/85950f69240e6de441cbb38b0b0d4faf58baf25a/data/mesh/2017MeshTree.txt"
SAMPLE = SAMPLES / "cmhe_ce"
README = (SAMPLE / "README.md").read_text(encoding="utf-8")
# The headings of those options that are no concepts of the sample.
ENGLISH = dict(case_tables("cmhe_ce_headings")["headings"])


@pytest.fixture(scope="module")
def records():
    return sample_records(SAMPLE / "CMHE-CE.jsonl", MINI, read_own)


@pytest.fixture(scope="module")
def predictions():
    return sample_predictions(SAMPLE / "predictions.jsonl")


def test_classes_and_aspects_are_those_of_the_readme(records):
    listed = re.findall(r"^\| `(\w+)` \| (\d+) \| ([\w, ]+) \| (\d+) \|", README, re.MULTILINE)
    concepts = Counter(kind for kind, _ in {(one["concept_class"], one["concept"]) for one in records.values()})
    questions = Counter(one["concept_class"] for one in records.values())
    assert [(name, concepts[name], tuple(aspects.split(", ")), questions[name]) for name, _, aspects, _ in listed] == [
        (name, int(number), tuple(QUESTIONS[name]), int(asked)) for name, number, _, asked in listed
    ]
    assert len(records) == sum(questions[name] for name, *_ in listed) == 40


def test_each_concept_is_asked_for_every_aspect_in_the_words_of_the_recipe(records):
    asked = Counter((one["concept"], one["aspect"]) for one in records.values())
    assert set(asked.values()) == {1}
    for one in records.values():
        assert one["question"] == question_on(one["concept"], one["concept_class"], one["aspect"])
        assert sum(name == one["concept"] for name, _ in asked) == len(QUESTIONS[one["concept_class"]])


def test_concepts_have_names_to_mask_and_a_scope_note_that_does_not_name_them(records):
    for one in records.values():
        assert one["concept_en"]
        assert one["aliases"]
        assert one["scope_note"]
        names = (one["concept"], one["concept_en"], *one["aliases"])
        assert len({unicodedata.normalize("NFKC", name).casefold() for name in names}) == len(names)
        assert not any(name in one["scope_note"] for name in names)


def test_options_keep_the_rule_strict_on_the_real_tree(records, upstream_file):
    """Identifiers, tree numbers and distances, read by the csv module and counted by sets of nodes."""
    numbers: dict[str, list[str]] = {}
    identifiers = {}
    with upstream_file(TREE).open(encoding="utf-8-sig", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            numbers.setdefault(row["Term"], []).append(row["Tree Number"])
            identifiers[row["Term"]] = row["Desc Ui"]
    english = ENGLISH | {one["concept"]: one["concept_en"] for one in records.values()}
    for one in records.values():
        own = numbers[one["concept_en"]]
        assert (one["concept_id"], one["tree_numbers"]) == (identifiers[one["concept_en"]], own)
        assert (one["options_mode"], one["widened"]) == ("strict", 0)
        others = [numbers[english[option]] for option in one["options"]]
        assert one["distances"] == [min(_steps(a, b) for a in own for b in other) for other in others]
        assert [steps <= 3 for steps in sorted(one["distances"])] == [True, True, True, False]
        assert max(one["distances"]) >= 6
        wrong = [other for other in others if other != own]
        assert len(wrong) == 3
        assert not any(_above(a) <= _above(b) or _above(b) <= _above(a) for other in wrong for a in own for b in other)
        far = others[one["distances"].index(max(one["distances"]))]
        assert not _branches(own) & _branches(far)
        near = [other for other, steps in zip(others, one["distances"], strict=True) if 0 < steps <= 3]
        assert any(all(min(_steps(number, b) for b in other) <= 3 for other in near) for number in own)


def _above(number):
    parts = number.split(".")
    return {number[0], *(".".join(parts[:count]) for count in range(1, len(parts) + 1))}


def _steps(one, other):
    return len(_above(one) ^ _above(other))


def _branches(numbers):
    """Of diseases and medicines the subtrees; of tests the level below E01.370."""
    found = {number[:3] for number in numbers if number[0] in "CD" or number.startswith("F03")}
    return found | {".".join(number.split(".")[:3]) for number in numbers if number.startswith("E01")}


def test_predictions_answer_every_question_and_name_the_concept_as_the_readme_says(records, predictions):
    assert set(predictions) == set(records)
    unnamed = {
        key
        for key, text in predictions.items()
        if not any(_folded(name) in _folded(text) for name in _names(records[key]))
    }
    empty = {key for key, text in predictions.items() if not text}
    refusing = {key for key, text in predictions.items() if "无法回答" in text}
    assert len(empty) == len(refusing) == 1
    assert len(unnamed - empty - refusing) == 7
    assert "Seven never name it and need no mask" in README
    for example in (
        *("copd", "AMOXICILLIN", "ＣＯＰＤ", "PFTs", "心电图机", "亢进", "强迫量表", "盐酸二甲双胍", "肠镜检查"),
    ):
        assert example in README
        assert any(example in text for text in predictions.values()), example


def _section(head):
    return README.partition(f"\n## {head}\n")[2].partition("\n## ")[0]


def _names(record):
    return (record["concept"], record["concept_en"], *record["aliases"])


def _folded(text):
    return unicodedata.normalize("NFKC", text).casefold()


def test_ids_in_the_readme_are_those_of_records_and_what_is_false_is_labelled(records, predictions):
    named = dict(re.findall(r"^\| `(ce-[0-9a-f]{10})` \| (.+) \|$", _section("predictions.jsonl"), re.MULTILINE))
    assert set(named) <= set(records)
    assert Counter(text.partition(":")[0] for text in named.values()) == {
        "refuses": 1,
        "empty": 1,
        "**false on purpose**": 2,
    }
    false = {records[key]["concept"] for key, text in named.items() if text.startswith("**false")}
    assert false == {"华法林", "磁共振成像"}
    assert all(
        ("不会引起出血" in text) == (named.get(key, "").find("bleeding") > 0) for key, text in predictions.items()
    )


def test_its_scope_notes_are_written(minis, tmp_path, capsys):
    assert main(["notes", "cmhe_ce", "--data", str(minis), "--out", str(tmp_path / "notes.jsonl")]) == 0
    assert "scope notes for 40 of 40 questions" in capsys.readouterr().err
