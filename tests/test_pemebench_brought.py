"""Forms in which PeMeBench's questions may be brought: compressed, with blanks, as objects that hold several."""

from __future__ import annotations

import gzip
import json

import pytest

from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.pemebench.own_reader import read_own

ROWS = [
    {
        "department": "新生儿疾病",
        "task": "疾病知识",
        "kind": "definition",
        "question": "什么是新生儿黄疸？",
        "answer": "血中胆红素增高引起的皮肤、黏膜和巩膜黄染。",
        "entities": ["胆红素", "巩膜"],
    },
    {
        "department": "儿科血液系统疾病",
        "task": "疾病知识",
        "kind": "reason",
        "question": "缺铁性贫血为什么是小细胞性的？",
        "answer": "铁缺乏使血红蛋白合成减少，红细胞因此变小。",
        "entities": ["铁缺乏"],
    },
]
LINES = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
TABLE = "\r\n".join(
    [",".join(ROWS[0]), *(",".join([*list(row.values())[:5], "；".join(row["entities"])]) for row in ROWS)]
)
SAME = "".join(f'{name} = "{name}"\n' for name in ROWS[0])
LISTED = '[separators]\nentities = "；"\n'


def read(tmp_path, content, name, mapping=None):
    (tmp_path / name).write_bytes(content)
    files = {"pemebench": SourceFile("pemebench", tmp_path / name, "0" * 64, pinned=False)}
    if mapping is not None:
        (tmp_path / "how.toml").write_text(mapping, encoding="utf-8")
        files["pemebench-mapping"] = SourceFile("pemebench-mapping", tmp_path / "how.toml", "1" * 64, pinned=False)
    return [{name: one[name] for name in (*ROWS[0], "prompt")} for one in read_own("official", files).splits["test"]]


@pytest.fixture
def taken(tmp_path):
    made = read(tmp_path, LINES.encode("utf-8"), "plain.jsonl")
    assert [{name: one[name] for name in ROWS[0]} for one in made] == ROWS
    return made


@pytest.mark.parametrize("name", ["own.jsonl.gz", "own.jsonl", "OWN.JSONL.GZ"])
def test_lines_may_be_compressed_whatever_the_name(tmp_path, taken, name):
    assert read(tmp_path, gzip.compress(LINES.encode("utf-8")), name) == taken
    assert read(tmp_path, gzip.compress(b"\xef\xbb\xbf" + LINES.encode("utf-8")), name) == taken


def test_a_table_may_be_compressed(tmp_path, taken):
    assert read(tmp_path, gzip.compress(TABLE.encode("utf-8")), "own.csv.gz", f"[fields]\n{SAME}{LISTED}") == taken


def test_blanks_around_texts_are_left_out_of_record_and_prompt(tmp_path, taken):
    spread = {name: f" \n{ROWS[0][name]}\u3000" for name in ("department", "question", "answer")}
    row = {**ROWS[0], **spread, "entities": [" 胆红素", "巩膜\t"]}
    assert read(tmp_path, json.dumps(row).encode("utf-8"), "own.jsonl") == taken[:1]


def test_an_object_may_hold_several_questions(tmp_path, taken):
    """As the help says of members; PeMeBench has no groups, so none are made."""
    inside = "".join(f'{name} = "asked.{name}"\n' for name in ROWS[0] if name != "department")
    mapping = f'members = "asked"\n[fields]\ndepartment = "of"\n{inside}'
    second = {**ROWS[0], "question": "新生儿黄疸怎样分类？", "answer": "分为生理性和病理性。"}
    objects = [{"of": "新生儿疾病", "asked": [ROWS[0], second]}, {"of": "儿科血液系统疾病", "asked": ROWS[1:]}]
    made = read(tmp_path, json.dumps(objects).encode("utf-8"), "own.json", mapping)
    assert [made[0], made[2]] == taken
    assert (made[1]["question"], made[1]["department"]) == ("新生儿黄疸怎样分类？", "新生儿疾病")
