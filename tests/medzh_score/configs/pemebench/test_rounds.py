"""PeMeBench's two rounds, out to a judge and back, with responses of every bad kind and a person's corrections."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from sheet_files import save_sheet, sheet_rows

# Hand-written; the references are true. What is opposed to them in the answers is false on purpose.
QUESTIONS = (
    ("儿科感染性疾病", "麻疹的病原体是什么？", "麻疹由麻疹病毒引起。", "麻疹病毒。"),
    ("儿科感染性疾病", "百日咳的病原体是什么？", "百日咳由百日咳鲍特菌引起。", "由腮腺炎病毒引起。"),
    ("儿科感染性疾病", "水痘的病原体是什么？", "水痘由水痘-带状疱疹病毒引起。", "水痘-带状疱疹病毒。"),
    ("新生儿疾病", "为什么给新生儿注射维生素K1？", "预防维生素K缺乏性出血。", "预防维生素K缺乏性出血。"),
    ("新生儿疾病", "新生儿高未结合胆红素血症怎么治疗？", "首选光照疗法。", "光照疗法。"),
    ("儿科血液系统疾病", "缺铁性贫血怎么治疗？", "口服铁剂，并去除病因。", "口服叶酸即可，不用铁剂。"),
)
IDS = [f"pemebench-{number:010x}" for number in range(len(QUESTIONS))]


@pytest.fixture
def data(tmp_path, write_build):
    rows = [
        {
            "id": identifier,
            "question": question,
            "answer": reference,
            "department": department,
            "task": "疾病知识",
            "kind": "definition",
            "entities": [],
            "prompt": question,
        }
        for identifier, (department, question, reference, _) in zip(IDS, QUESTIONS, strict=True)
    ]
    return write_build(tmp_path / "medzh", rows, "pemebench")


@pytest.fixture
def answers(tmp_path, write_lines):
    answered = [answer for *_, answer in QUESTIONS]
    lines = [{"id": name, "prediction": text} for name, text in zip(IDS, answered, strict=True)]
    return write_lines(tmp_path / "answers.jsonl", lines)


@pytest.fixture
def command(calling, data):
    """Give a function that calls the command: output, lines of what was said."""

    def call(*words):
        status, printed, errors = calling(*words, "--data", data)
        assert status == 0, errors
        return printed, errors.splitlines()

    return call


def lines_of(printed):
    return [json.loads(line) for line in printed.splitlines()]


def came_back(custom_id, text):
    body = {"model": "judge-9", "choices": [{"index": 0, "message": {"content": text}}]}
    return {"custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None}


def test_verdicts_of_a_judge_are_corrected_by_a_person(command, answers, tmp_path):
    """Source: counted by hand."""
    asked = ("prompts", "pemebench", "--round", "hallucination", "--after", answers)
    printed, said = command(*asked, "--to", "openai-batch", "--model", "judge-9")
    requests = lines_of(printed)
    sent = [request["custom_id"] for request in requests]
    assert [name.partition("~")[0] for name in sent] == IDS
    characters = sum(len(request["body"]["messages"][0]["content"]) for request in requests)
    assert said[0] == f"hallucination: 6 calls, {characters:,} characters of prompts"
    for (_, question, reference, answer), request in zip(QUESTIONS, requests, strict=True):
        assert all(text in request["body"]["messages"][0]["content"] for text in (question, reference, answer))

    texts = ["两者一致。\n结论：有", "病原体说法矛盾。\n结论：有", "结论：无\n结论：有", "没有矛盾。", ""]
    lines = [came_back(*pair) for pair in zip(sent[:5], texts, strict=True)]
    lines.append({"custom_id": sent[5], "response": None, "error": {"message": "rate limit"}})
    responses = tmp_path / "responses.jsonl.gz"
    responses.write_bytes(gzip.compress("\r\n".join(map(json.dumps, lines)).encode("utf-8-sig")))

    rest, said = command(*asked, "--answered", responses)
    assert [line["id"] for line in lines_of(rest)] == sent[2:]
    assert said[-2:] == ["2 of 6 are answered and left out", f"{answers}: read as native lines"]
    again = tmp_path / "again.jsonl"
    reasked = [{"id": sent[2], "prediction": "一致。\n结论：无"}, {"id": sent[4], "prediction": "结论：无"}]
    again.write_text("\n".join(map(json.dumps, reasked)), encoding="utf-8")

    sheet = sheet_rows(command(*asked, "--to", "sheet")[0])
    by_id = {row["id"]: row for row in sheet}
    by_id[IDS[0]] |= {"opposed": "no", "rater": "甲"}
    by_id[IDS[5]] |= {"opposed": "yes", "rater": "甲"}
    corrected = save_sheet(tmp_path / "corrected.csv", sheet)

    rounds = [word for file in (responses, again, corrected) for word in ("--round", f"hallucination={file}")]
    asked = ("score", "pemebench", answers, "--bootstrap", 0, "--to", "json", "--missing", "wrong")
    report = json.loads(command(*asked, *rounds)[0])
    hall = report["metrics"]["Hall_sentence"]
    assert (hall["value"], hall["n"]) == (pytest.approx(100 * 3 / 6), 6)  # of one answer there is no verdict
    expected = "hallucination by judge-9, unnamed, 甲 (prompt unknown, sample all, verified)"
    assert report["signature"]["judges"] == expected
    said = f"5 judged, 4 left blank, 1 unreadable ({IDS[3]}), 1 lacking, 1 replaced by a later file."
    assert said in report["notes"][-3]
    assert "2 of the responses of round hallucination name no model" in report["notes"][-2]
    assert report["notes"][-1].startswith("Caution: 1 due judgements of round hallucination lack")


def test_entities_of_a_judge_are_corrected_by_a_person(command, answers, tmp_path, write_lines):
    """Source: counted by hand: of the six references two answers lack the entity, one lists none, one is unread."""
    lines = lines_of(command("prompts", "pemebench", "--round", "entities")[0])
    sent = [line["id"] for line in lines]
    assert [name.partition("~")[0] for name in sent] == IDS
    texts = [
        *('["麻疹病毒"]', '["百日咳鲍特菌"]', "[]", '["维生素K缺乏性出血"'),
        *('```json\n["光疗"]\n```', '{"entity": "铁剂"}'),
    ]
    responses = [{"id": name, "prediction": text, "model": "j"} for name, text in zip(sent, texts, strict=True)]
    listed = write_lines(tmp_path / "listed.jsonl", responses)
    corrected = tmp_path / "corrected.csv"
    corrected.write_text(f"id,entities,rater\n{IDS[4]},光照疗法,乙\n{IDS[5]},口服铁剂；去除病因,乙\n", encoding="utf-8")
    rounds = ("--round", f"entities={listed}", "--round", f"entities={corrected}")
    report = json.loads(command("score", "pemebench", answers, "--bootstrap", 0, "--to", "json", *rounds)[0])
    recall = report["metrics"]["Recall_entity"]
    assert (recall["value"], recall["n"]) == (pytest.approx(100 * (1 + 0 + 1 + 0) / 4), 4)
    assert re.fullmatch("entities [0-9a-f]{8}", report["signature"]["judges"])
    note = (
        "Round entities: 5 of 6 (the others count by their records) judged, 0 left blank, "
        f"1 unreadable ({IDS[3]}), 1 replaced by a later file."
    )
    assert note in report["notes"]
    unverified = "Round entities: unverified, since 2 values came without the code of what they judge."
    assert report["notes"][-1] == unverified
