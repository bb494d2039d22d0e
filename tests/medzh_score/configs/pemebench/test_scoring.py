"""PeMeBench from predictions and judges' responses to a report, restated from files alone."""

from __future__ import annotations

import gzip
import json
import logging
import re

import numpy as np
import pytest
from rouge_chinese import Rouge
from sentences import sentences
from sheet_files import save_sheet, sheet_rows

from medzh_score.configs.pemebench.prompts import DEPARTMENTS, TASKS, default_prompt
from medzh_score.scoring.pipeline import score
from medzh_score.text.tokens import words

# Reference, entities, an answer. What an answer says against its reference is false on purpose.
TEXTS = [
    ("麻疹由麻疹病毒引起，经呼吸道飞沫传播。", ["麻疹病毒", "呼吸道"], "麻疹由麻疹病毒引起，经呼吸道传播。"),
    ("首选口服补液盐，重度脱水时静脉补液。", ["口服补液盐", "静脉补液"], "口服补液盐，少量多次。"),
    ("足月儿生后肌内注射维生素K1，预防出血。", ["维生素K1"], "不必补充任何维生素。"),
    (
        "川崎病急性期用静脉丙种球蛋白和阿司匹林。",
        ["静脉丙种球蛋白", "阿司匹林"],
        "用静脉丙种球蛋白。\n\n再加阿司匹林。",
    ),
    ("缺铁性贫血补充铁剂，同时补充维生素C。", ["铁剂", "维生素C"], "补充铁剂。"),
    ("水痘患儿应隔离至疱疹全部结痂。", [], "<think>何时解除隔离？</think>隔离至疱疹全部结痂。"),
    ("热性惊厥时侧卧，保持呼吸道通畅。", ["侧卧", "呼吸道通畅"], "用力按住患儿，往口中塞入硬物。"),
    ("哮喘急性发作首选吸入短效β2受体激动剂。", ["短效β2受体激动剂"], "吸入短效β2受体激动剂。"),
]
ROWS = [
    {
        "id": f"pemebench-{0xABC - 7 * place:010x}",
        "question": f"第{place}问？",
        "answer": reference,
        "department": DEPARTMENTS[place % 3].name,
        "task": TASKS[place % 5],
        "kind": ("solution", "reason")[place % 2],
        "entities": entities,
        "source": "mini",
        "recipe": "mini",
        "upstream_key": str(place),
    }
    for place, (reference, entities, _) in enumerate(TEXTS)
]
IDS = [row["id"] for row in ROWS]
LINES = [{"id": name, "prediction": text} for name, (_, _, text) in zip(IDS, TEXTS, strict=True)]


@pytest.fixture(scope="module")
def data(tmp_path_factory, write_build):
    rows = [{**row, "prompt": default_prompt(row)} for row in ROWS]
    return write_build(tmp_path_factory.mktemp("build") / "medzh", rows, config="pemebench")


@pytest.fixture
def scored(data, tmp_path, write_lines):
    def run(lines=LINES, **options):
        path = write_lines(tmp_path / "p.jsonl", lines)
        return score("pemebench", path, data, **{"bootstrap": 0, **options})

    return run


def items_of(path):
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]


def cut(text):
    words("先载入")  # quietly
    import jieba

    logging.getLogger("jieba").setLevel(logging.CRITICAL)
    return jieba.lcut(text)


def rouge_1_f(said, held):
    if not said:
        return 0
    return Rouge(metrics=["rouge-1"]).get_scores(" ".join(cut(said)), " ".join(cut(held)))[0]["rouge-1"]["f"]


def test_what_a_user_reads_equals_a_count_from_the_items_file(scored, tmp_path):
    """Values, breakdowns and the interval over questions, drawn in a plain loop."""
    lines = [*LINES[:4], LINES[4] | {"prediction": " "}, *LINES[5:]]
    report = scored(lines, items=tmp_path / "items.jsonl", bootstrap=200, seed=5, rule="medzh-1")
    items = items_of(tmp_path / "items.jsonl")
    held = {row["id"]: row["answer"] for row in ROWS}
    for rule in ("raw", "medzh-1"):
        shares = {
            line["item"]: 100 * rouge_1_f(line["rules"][rule]["answers"][0]["answer"], held[line["item"]])
            for line in items
        }
        value = report.results[rule].metrics["R-1-F"]
        assert value.value == pytest.approx(np.mean(list(shares.values())))
        assert value.n == len(ROWS)
        for breakdown in ("department", "task", "kind"):
            for label, named in report.results[rule].groups[breakdown].items():
                members = [shares[row["id"]] for row in ROWS if row[breakdown] == label]
                assert named["R-1-F"].value == pytest.approx(np.mean(members))
                assert named["R-1-F"].n == len(members)
        generator = np.random.Generator(np.random.PCG64(5))
        listed = [shares[name] for name in sorted(shares)]
        drawn = [np.mean([listed[place] for place in generator.integers(0, 8, 8)]) for _ in range(200)]
        assert (value.low, value.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))
        for line in items:
            assert line["rules"][rule]["scores"]["R-1-F"] == pytest.approx(shares[line["item"]])


# Hand-written; the references are true. What is opposed to them in the answers is false on purpose.
QUESTIONS = (
    ("儿科感染性疾病", "麻疹的病原体是什么？", "麻疹由麻疹病毒引起。", "麻疹病毒。"),
    ("儿科感染性疾病", "百日咳的病原体是什么？", "百日咳由百日咳鲍特菌引起。", "由腮腺炎病毒引起。"),
    ("儿科感染性疾病", "水痘的病原体是什么？", "水痘由水痘-带状疱疹病毒引起。", "水痘-带状疱疹病毒。"),
    ("新生儿疾病", "为什么给新生儿注射维生素K1？", "预防维生素K缺乏性出血。", "预防维生素K缺乏性出血。"),
    ("新生儿疾病", "新生儿高未结合胆红素血症怎么治疗？", "首选光照疗法。", "光照疗法。"),
    ("儿科血液系统疾病", "缺铁性贫血怎么治疗？", "口服铁剂，并去除病因。", "口服叶酸即可，不用铁剂。"),
)
ASKED = [f"pemebench-{number:010x}" for number in range(len(QUESTIONS))]


@pytest.fixture
def asked_data(tmp_path, write_build):
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
        for identifier, (department, question, reference, _) in zip(ASKED, QUESTIONS, strict=True)
    ]
    return write_build(tmp_path / "medzh", rows, "pemebench")


@pytest.fixture
def answers(tmp_path, write_lines):
    answered = [answer for *_, answer in QUESTIONS]
    lines = [{"id": name, "prediction": text} for name, text in zip(ASKED, answered, strict=True)]
    return write_lines(tmp_path / "answers.jsonl", lines)


@pytest.fixture
def command(calling, asked_data):
    """Give a function that calls the command: output, lines of what was said."""

    def call(*words):
        status, printed, errors = calling(*words, "--data", asked_data)
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
    asked = ("prompts", "pemebench", "--stage", "hallucination", "--predictions", answers)
    printed, said = command(*asked, "--to", "openai-batch", "--model", "judge-9")
    requests = lines_of(printed)
    sent = [request["custom_id"] for request in requests]
    assert [name.partition("~")[0] for name in sent] == ASKED
    characters = sum(len(request["body"]["messages"][0]["content"]) for request in requests)
    assert said[0] == f"hallucination: 6 calls, {characters:,} characters of prompts"
    for (_, question, reference, answer), request in zip(QUESTIONS, requests, strict=True):
        assert all(text in request["body"]["messages"][0]["content"] for text in (question, reference, answer))

    texts = ["两者一致。\n结论：有", "病原体说法矛盾。\n结论：有", "结论：无\n结论：有", "没有矛盾。", ""]
    lines = [came_back(*pair) for pair in zip(sent[:5], texts, strict=True)]
    lines.append({"custom_id": sent[5], "response": None, "error": {"message": "rate limit"}})
    responses = tmp_path / "responses.jsonl.gz"
    responses.write_bytes(gzip.compress("\r\n".join(map(json.dumps, lines)).encode("utf-8-sig")))

    rest, said = command(*asked, "--skip-answered", responses)
    assert [line["id"] for line in lines_of(rest)] == sent[2:]
    assert said[-2:] == ["2 of 6 are already answered and are skipped", f"{answers}: read as native format"]
    again = tmp_path / "again.jsonl"
    reasked = [{"id": sent[2], "prediction": "一致。\n结论：无"}, {"id": sent[4], "prediction": "结论：无"}]
    again.write_text("\n".join(map(json.dumps, reasked)), encoding="utf-8")

    sheet = sheet_rows(command(*asked, "--to", "csv")[0])
    by_id = {row["id"]: row for row in sheet}
    by_id[ASKED[0]] |= {"opposed": "no", "annotator": "甲"}
    by_id[ASKED[5]] |= {"opposed": "yes", "annotator": "甲"}
    corrected = save_sheet(tmp_path / "corrected.csv", sheet)

    stages = [word for file in (responses, again, corrected) for word in ("--stage", f"hallucination={file}")]
    asked = ("score", "pemebench", answers, "--bootstrap", 0, "--to", "json", "--missing", "wrong")
    report = json.loads(command(*asked, *stages)[0])
    hall = report["metrics"]["Hall_sentence"]
    assert (hall["value"], hall["n"]) == (pytest.approx(100 * 3 / 6), 6)  # of one answer there is no verdict
    expected = "hallucination by judge-9, unnamed, 甲 (prompt unknown, sample all, verified)"
    assert report["signature"]["annotators"] == expected
    said = f"5 annotated, 4 left blank, 1 unreadable ({ASKED[3]} (run 1)), 1 missing, 1 replaced by a later file."
    assert said in sentences(report)[-3]
    assert "2 responses of stage hallucination have no model name." in sentences(report)[-2]
    lacking = "1 annotation of stage hallucination is missing and scored with the worst value."
    assert (report["warnings"][-1]["level"], sentences(report)[-1]) == ("warning", lacking)


def test_entities_of_a_judge_are_corrected_by_a_person(command, answers, tmp_path, write_lines):
    """Source: counted by hand: of the six references two answers lack the entity, one lists none, one is unread."""
    lines = lines_of(command("prompts", "pemebench", "--stage", "entities")[0])
    sent = [line["id"] for line in lines]
    assert [name.partition("~")[0] for name in sent] == ASKED
    texts = [
        *('["麻疹病毒"]', '["百日咳鲍特菌"]', "[]", '["维生素K缺乏性出血"'),
        *('```json\n["光疗"]\n```', '{"entity": "铁剂"}'),
    ]
    responses = [{"id": name, "prediction": text, "model": "j"} for name, text in zip(sent, texts, strict=True)]
    listed = write_lines(tmp_path / "listed.jsonl", responses)
    corrected = tmp_path / "corrected.csv"
    corrected.write_text(
        f"id,entities,rater\n{ASKED[4]},光照疗法,乙\n{ASKED[5]},口服铁剂；去除病因,乙\n", encoding="utf-8"
    )
    stages = ("--stage", f"entities={listed}", "--stage", f"entities={corrected}")
    report = json.loads(command("score", "pemebench", answers, "--bootstrap", 0, "--to", "json", *stages)[0])
    recall = report["metrics"]["Recall_entity"]
    assert (recall["value"], recall["n"]) == (pytest.approx(100 * (1 + 0 + 1 + 0) / 4), 4)
    assert re.fullmatch("entities [0-9a-f]{8}", report["signature"]["annotators"])
    note = (
        "Stage entities: 5 of 6 annotated (the others are scored with the values in their records), 0 left blank, "
        f"1 unreadable ({ASKED[3]}), 1 replaced by a later file."
    )
    assert note in sentences(report)
    unverified = "Stage entities: 2 annotations have no answer hash, so the annotated text is unverified."
    assert sentences(report)[-1] == unverified
