from __future__ import annotations

import gzip
import json
import re

import pytest
from tables import case_tables, holds

from dataset_scripts.building.build import build
from dataset_scripts.building.check import check
from dataset_scripts.cli.main import main
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.pemebench.dataset import read_own
from medzh_score.data.records import load_records
from medzh_score.ui.errors import MedzhError


def row(department, question, answer, *, task="疾病知识", kind="definition", **more):
    return {"department": department, "task": task, "kind": kind, "question": question, "answer": answer, **more}


JAUNDICE = row(
    "新生儿疾病", "什么是新生儿黄疸？", "血中胆红素增高引起的皮肤、黏膜和巩膜黄染。", entities=["胆红素", "巩膜"]
)
VACCINE = row("儿科感染性疾病", "怎样预防麻疹？", "按程序接种含麻疹成分的疫苗。", task="疾病预防", kind="solution")
IRON = row(
    "儿科血液系统疾病", "缺铁性贫血为什么是小细胞性的？", "铁缺乏使血红蛋白合成减少，红细胞因此变小。", kind="reason"
)
ALL = [JAUNDICE, VACCINE, IRON]


@pytest.fixture
def out(tmp_path):
    return tmp_path / "build" / "medzh"


def lines(rows):
    return "".join((one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)) + "\n" for one in rows)


def read(tmp_path, content, name="own.jsonl"):
    """Read a file as the recipe does; content is rows, a text or bytes."""
    path = tmp_path / name
    text = content if isinstance(content, str | bytes) else lines(content)
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    files = {"pemebench": SourceFile("pemebench", path, "0" * 64, pinned=False)}
    return read_own("official", files)


def facts(built):
    (split,) = built.splits
    assert split == "test"
    names = ("department", "task", "kind", "question", "answer", "entities")
    return [tuple(record[name] for name in names) for record in built.splits["test"]]


TAKEN = [
    tuple(one.get(name) for name in ("department", "task", "kind", "question", "answer", "entities")) for one in ALL
]


# The interchange form.


def test_a_file_in_the_interchange_form_is_built_and_checked(out, tmp_path):
    own = tmp_path / "own.jsonl"
    own.write_text(lines(ALL), encoding="utf-8")
    made = build("pemebench", "official", out, given=[str(own)])
    assert made.records == {"test": 3}
    assert made.notes == ("2 of 3 records have no extracted key entities.",)
    assert check(out).problems == []
    test = load_records(out, "pemebench")
    assert not test.origin.official
    assert [one["department"] for one in test.rows] == ["新生儿疾病", "儿科感染性疾病", "儿科血液系统疾病"]
    (first, *_) = test.rows
    assert first["upstream_key"] == first["id"]
    assert first["prompt"].startswith("假设你是一位能力出众的儿科医生,你擅长诊断与治疗各种新生儿疾病")
    (source,) = made.sources
    assert (source["name"], source["pinned"], source["licence"], source["url"]) == ("pemebench", False, "unknown", None)
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "Nothing shows that the file is PeMeBench" in card
    assert "NOT verified against a pinned file" in card


@pytest.mark.parametrize(
    ("name", "written", "ours"),
    [
        ("task", "基础知识", "疾病知识"),
        ("kind", "考察定义类问题", "definition"),
        ("kind", "询问解决方案类", "solution"),
        ("department", "儿科急诊与危重症", "儿科急诊与危重症疾病"),
        ("department", "诊疗技术", "儿科诊疗技术"),
        ("department", " 儿科临床常用量表 ", "儿科临床常用量表"),
    ],
)
def test_other_names_of_the_paper_are_known(tmp_path, name, written, ours):
    (record,) = read(tmp_path, [{**JAUNDICE, name: written}]).splits["test"]
    assert record[name] == ours


def test_a_line_with_a_fault_is_refused(tmp_path):
    def refusal(rows, words):
        with pytest.raises(MedzhError) as caught:
            read(tmp_path, rows)
        said = str(caught.value)
        assert "\n" not in said.replace("\n  ", "")
        return caught.value.line, caught.value.field, words if re.search(words, said) else said

    changed = [
        ([JAUNDICE, {**VACCINE, **change}, IRON], words, (2, field, words))
        for change, (field, words) in case_tables("pemebench_cases")["faults_of_a_question"]
    ]
    lacking = [
        (
            [JAUNDICE, {key: VACCINE[key] for key in VACCINE if key != name}, IRON],
            "the value is missing",
            (2, name, "the value is missing"),
        )
        for name in ("department", "task", "kind", "question", "answer")
    ]
    added = [
        (
            {**VACCINE, "question": "怎样 预防麻疹?"},
            "question",
            r"the row repeats another row: .*only once \(first: line 2\)",
        ),
        ({**VACCINE, "answer": "接种疫苗。"}, "answer", "the same question has a different answer"),
        ("[1]", None, "wrong type"),
        ("{", None, "invalid JSON"),
    ]
    holds([*changed, *lacking, *(([*ALL, one], words, (4, field, words)) for one, field, words in added)], refusal)


def test_a_prompt_of_the_users_own_is_not_kept_and_counted(tmp_path):
    made = read(tmp_path, [{**JAUNDICE, "prompt": "请回答：什么是新生儿黄疸？"}])
    assert made.notes == ("1 row has a prompt that differs from the default prompt. The prompt was discarded.",)
    assert made.splits["test"][0]["prompt"].endswith("\n问题:什么是新生儿黄疸？")


# Forms: compressed, with blanks, as objects that hold several.


@pytest.mark.parametrize("name", ["own.jsonl.gz", "own.jsonl", "OWN.JSONL.GZ"])
def test_lines_may_be_compressed_whatever_the_name(tmp_path, name):
    for mark in ("", "\ufeff"):
        assert facts(read(tmp_path, gzip.compress((mark + lines(ALL)).encode("utf-8")), name=name)) == TAKEN


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            [],
            (
                "option --source: recipe official of config pemebench requires a file that you provide\n"
                "  Fix: use `--source FILE` to provide your file, with the columns of the schema; "
                "PeMeBench has not been released.\n"
            ),
        ),
        (["--source", "absent.jsonl"], "absent.jsonl: option --source: cannot read the file: No such file"),
        (["--source", "guidelines=x"], "recipe official does not use this source: expected pemebench"),
    ],
)
def test_a_file_that_is_not_brought(tmp_path, out, capfd, monkeypatch, given, words):
    monkeypatch.chdir(tmp_path)
    assert main(["build", "pemebench", "--recipe", "official", *given, "--output", str(out)]) == 2
    said = capfd.readouterr().err
    assert words in said
    assert said.replace("\n  ", "").count("\n") == 1
    assert not out.exists()
