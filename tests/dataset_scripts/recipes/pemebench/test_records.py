from __future__ import annotations

import hashlib
import json
import unicodedata
from fractions import Fraction

import pytest
from places import SAMPLES
from recipe_work import sample_predictions, sample_records
from sacrebleu import corpus_bleu

from dataset_scripts.packaging.schema import invalid, read_schema
from dataset_scripts.recipes.pemebench.dataset import MINI_SOURCE, read_own, table_1
from dataset_scripts.recipes.pemebench.records import CLASSES, absent_entities, check, distinct, entity_notes, record_of
from medzh_score.io.paths import package_file

SAMPLE = SAMPLES / "pemebench"
SCHEMA = read_schema(package_file("medzh_score", "schemas/pemebench.schema.json"))


def made(question="什么是鹅口疮？", answer="口腔黏膜的念珠菌感染。", department="新生儿疾病", **changes):
    parts = {"task": "疾病知识", "kind": "definition", "entities": ["念珠菌"], "upstream_key": ""} | changes
    fields = {"question": question, "answer": answer, "department": department, **parts}
    return record_of(fields, source="own", recipe="official")


def test_a_record_is_valid_and_its_id_and_prompt_follow_from_its_content():
    record = made()
    assert invalid([record], SCHEMA) == []
    content = json.dumps(["新生儿疾病", unicodedata.normalize("NFKC", "什么是鹅口疮？")], ensure_ascii=False)
    assert record["id"] == "pemebench-" + hashlib.sha256(content.encode("utf-8")).hexdigest()[:10]
    assert record["upstream_key"] == record["id"]
    assert record["prompt"].endswith("请你基于你的专业能力回答下面关于新生儿疾病的问题。\n问题:什么是鹅口疮？")
    assert made(upstream_key="17")["upstream_key"] == "17"


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"question": "什么是 鹅口疮?"}, True),
        ({"question": "\u3000什么是鹅口疮？\n"}, True),
        ({"answer": "由念珠菌引起。"}, True),
        ({"task": "治疗方案", "kind": "solution", "entities": [], "upstream_key": "2"}, True),
        ({"question": "什么叫鹅口疮？"}, False),
        ({"department": "儿科感染性疾病"}, False),
    ],
)
def test_an_id_changes_with_department_and_question_alone(changes, same):
    assert (made(**changes)["id"] == made()["id"]) is same


@pytest.mark.parametrize(
    ("entities", "kept"),
    [
        (["念珠菌", "念 珠菌", "口腔"], ["念珠菌", "口腔"]),
        (["ＩｇＡ", "IgA", "iga"], ["ＩｇＡ"]),
        (["口腔", "念珠菌", "口腔"], ["口腔", "念珠菌"]),
        ([], []),  # somebody found none
    ],
)
def test_an_entity_is_kept_once(entities, kept):
    assert distinct(entities) == kept
    assert made(entities=entities)["entities"] == kept


@pytest.mark.parametrize(
    ("answer", "entities", "absent"),
    [
        ("每次10～15 mg/kg，口服。", ["10～15mg/kg", "口服"], []),
        ("每次10～15 mg/kg，口服。", ["10~15 MG/KG", "静脉滴注"], ["静脉滴注"]),
        ("血清ＩｇＡ缺乏。", ["IgA", "IgG"], ["IgG"]),
        ("口腔黏膜的念珠菌感染。", [], []),
    ],
)
def test_entities_that_the_reference_does_not_hold(answer, entities, absent):
    assert absent_entities({"answer": answer, "entities": entities}) == absent


def test_notes_on_entities():
    records = [made(), made("什么是脐炎？", "脐部的细菌感染。", entities=None), made("什么是湿肺？", "肺液吸收延迟。")]
    assert entity_notes(records) == (
        "1 of 3 records have no extracted key entities.",
        "1 of 3 records have a key entity that is not in the reference answer.",
    )
    assert entity_notes(records[:1]) == ()


# What no schema can say.

SOUND = [made(), made("什么是脐炎？", "脐部的细菌感染。", entities=[]), made(department="儿科感染性疾病")]


@pytest.mark.parametrize(
    ("records", "words"),
    [
        ([{**SOUND[0], "id": "pemebench-0123456789"}], "expected the id of its content, pemebench-"),
        ([SOUND[0], {**SOUND[0], "id": "pemebench-0123456789"}], "its department has the question twice"),
        ([SOUND[0], {**SOUND[0], "question": "什么是鹅口疮?"}], "its department has the question twice"),
        ([{**SOUND[0], "entities": ["念珠菌", "念珠 菌"]}], "/entities: two entities are equal"),
        ([{**SOUND[0], "entities": ["ＩＶ型", "IV型"]}], "/entities: two entities are equal"),
        ([{**SOUND[0], "entities": ["念珠菌", "。"]}], "/entities: the text contains no words: found '。'"),
        ([made("\u200b？")], "/question: the text contains no words"),
        ([made(answer="接种\ufffd苗。")], "/answer: the text contains an invalid character"),
        ([{**SOUND[0], "entities": ["念珠\a菌"]}], "/entities: the text contains an invalid character"),
    ],
)
def test_what_is_wrong_among_records_is_said(records, words):
    problems = check({"test": records})
    assert any(words in problem for problem in problems)
    assert all("\n" not in problem.replace("\n  ", "") for problem in problems)


# Table 1.

# Min, max and mean of question and answer of three rows, as the paper prints them.
PRINTED = {
    "新生儿疾病": ("6", "14", "52", "294", "21.7", "92.7"),
    "儿科临床常用量表": ("6", "15", "90", "276", "24.3", "117.5"),
    "all": ("6", "11", "90", "418", "22.0", "112.6"),
}


def test_the_lengths_of_a_build_stand_beside_those_of_the_paper():
    asked = [("什么？", "甲乙丙"), ("什么是𬌗？", "甲"), ("为什么会这样？", "甲 乙\n丙丁")]
    records = [made(question, answer, entities=[]) for question, answer in asked]
    records.append(made("怎样评分？", "逐项相加。", "儿科临床常用量表", entities=[]))
    table = table_1({"test": records[:2], "train": records[2:]})
    assert [row[0] for row in table.rows] == [*CLASSES, "all"]
    for name, members, row in (
        ("新生儿疾病", records[:3], table.rows[0]),
        ("儿科临床常用量表", records[3:], table.rows[11]),
        ("all", records, table.rows[12]),
    ):
        here = []
        for measure in ("min", "max", "mean"):
            for field in ("question", "answer"):
                lengths = []
                for record in members:
                    count = 0
                    for _ in record[field]:
                        count += 1
                    lengths.append(count)
                if measure == "mean":
                    here.append(f"{float(Fraction(sum(lengths), len(lengths))):.1f}")
                else:
                    here.append(str(sorted(lengths)[0 if measure == "min" else -1]))
        assert row[:2] == (name, len(members))
        assert list(row[2:]) == [f"{theirs}/{ours}" for theirs, ours in zip(PRINTED[name], here, strict=True)]
    # Counted by hand: the first class has questions of 3, 5 and 7 characters and answers of 3, 1 and 6.
    assert table.rows[0][2:] == ("6/3", "14/1", "52/7", "294/6", "21.7/5.0", "92.7/3.3")
    assert table.rows[1][1:4] == (0, "9/-", "19/-")


def test_the_manual_says_what_sacrebleu_makes_of_the_sample_by_its_tokenizers():
    records = sample_records(SAMPLE / "PeMeBench.jsonl", MINI_SOURCE, read_own)
    predictions = sample_predictions(SAMPLE / "predictions.jsonl")
    told, answers = list(predictions.values()), [records[name]["answer"] for name in predictions]
    shown = [f"{corpus_bleu(told, [answers], tokenize=tokenizer).score:.2f}" for tokenizer in ("13a", "zh", "char")]
    for language in ("en", "zh"):
        text = (SAMPLE.parents[2] / "docs" / language / "configs" / "pemebench.md").read_text(encoding="utf-8")
        assert all(value in text for value in shown)
