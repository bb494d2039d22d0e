"""CMHE-DD from a user's file, its hand-written sample, and the dictionary that a user makes for linking."""

from __future__ import annotations

import csv
import json
import re

import openpyxl
import pytest
from places import SAMPLES
from recipe_work import own_file

from dataset_scripts.cli.main import main
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.cmhe_dd.dataset import check as check_records
from dataset_scripts.recipes.cmhe_dd.dataset import read_own
from medzh_score.cli.main import main as score_main
from medzh_score.scoring.pipeline import score
from medzh_score.terminology.disease_names import our_dictionary, read_dictionary, read_rows
from medzh_score.terminology.icd10 import icd10
from medzh_score.ui.errors import MedzhError

SAMPLE = SAMPLES / "cmhe_dd"
PREDICTIONS = SAMPLE / "predictions.jsonl"
NATIONAL = (
    "hint-lab/chinese-medical-kg/ef00c6c955a4210a4e13073c36f7b215ea51ed3d/data/国家临床版2.0疾病诊断编码（ICD-10）.xlsx"
)
TREE = "chaseliu/ICD-10-CN/a12ed01f6b05b7f662d5212447a61bb622463acd/disease.csv"
RHINITIS = {"description": "鼻痒、喷嚏三年。", "part": "chat", "codes": ["ｊ30.4"], "diseases": ["变应性鼻炎"]}
STONE = {"description": "右侧腰痛，血尿。", "part": "Diagnose-exam", "codes": ["N20.000x001", "I10+"]}


def read(tmp_path, rows, mapping=None):
    files = {"cmhe-dd": own_file(tmp_path / "own.jsonl", rows)}
    if mapping is not None:
        files["cmhe-dd-mapping"] = own_file(tmp_path / "how.toml", mapping)
    return read_own("official", {name: SourceFile(name, path, "0" * 64, pinned=False) for name, path in files.items()})


def test_a_file_in_the_interchange_form(tmp_path):
    one, other = read(tmp_path, [{**RHINITIS, "split": "test"}, STONE]).splits["test"]
    assert (one["codes"], one["answer"], one["part"]) == (["J30.4"], "变应性鼻炎（J30.4）", "chat")
    assert (other["codes"], other["answer"], other["part"]) == (["N20.000x001", "I10"], "N20.000x001；I10", "exam")
    assert one["prompt"].startswith("You are a medical AI assistant.")
    assert RHINITIS["description"] in one["prompt"]
    assert check_records({"test": [one, other]}) == []


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"codes": ["E99"]}, "own\\.jsonl:2: field \"codes\": invalid ICD-10 code.*found 'E99'"),
        ({"codes": ["鼻炎"]}, "invalid ICD-10 code"),
        ({"codes": []}, 'field "codes": the value does not match the schema'),
        ({"codes": ["J30", "I10"]}, 'field "diseases": the number of names differs from the number of codes'),
        ({"part": "other"}, 'field "part": the value does not match the schema'),
        ({"description": " "}, 'field "description": the value does not match the schema'),
        (
            {"description": "鼻痒\x00"},
            r'field "description": character 3 is U\+0000: expected text without control characters',
        ),
        ({"description": "右侧腰痛，\n血尿。"}, "the row repeats another row"),
    ],
)
def test_faults_are_named(changed, message, tmp_path):
    with pytest.raises(MedzhError, match=message):
        read(tmp_path, [STONE, {**RHINITIS, **changed}])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"id": "cmhedd-0000000000"}, "expected the id of its content"),
        ({"codes": ["J304"]}, "in their normal form"),
        ({"codes": ["E99"]}, "in their normal form"),
        ({"diseases": ["a", "b"]}, "names, one per code"),
        ({"answer": "鼻炎"}, "the diseases with their codes"),
    ],
)
def test_what_no_schema_can_see(changed, message, tmp_path):
    (record,) = read(tmp_path, [RHINITIS]).splits["test"]
    (problem, *_) = check_records({"test": [{**record, **changed}]})
    assert message in problem


# The sample.


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_disease_of_the_sample_stands_in_our_dictionary_with_its_code():
    named = {name: code for meanings in our_dictionary().meanings for name, code in meanings.items()}
    for row in lines(SAMPLE / "CMHE-DD.jsonl"):
        assert [named[name] for name in row["diseases"]] == row["codes"]
        assert not any(name in row["description"] for name in row["diseases"])


def verdicts(minis, folder, **options):
    """Score the sample's predictions by our rule, and give the report and what the items file says of each."""
    items = folder / "items.jsonl"
    report = score("cmhe_dd", PREDICTIONS, minis, rule="medzh-1", bootstrap=0, items=items, **options)
    return report, {line["item"]: line["rules"]["medzh-1"] for line in lines(items)}


def test_the_judges_responses_can_be_scored(minis):
    stages = {"codes": [SAMPLE / "judge-codes.jsonl"]}
    report = score("cmhe_dd", PREDICTIONS, minis, stages=stages, bootstrap=0, rule="judge")
    assert report.signature["annotators"] == "codes by sample judge (prompt unknown, sample all, verified)"
    assert report.metrics["F1-level-2"].n == 32
    # The answer of the one that is unreadable is reasoning that never ends: nothing is due.
    assert "Stage codes: 30 annotated, 0 left blank, 1 unreadable (cmhedd-35cba7b4ce (run 1))." in report.notes


def test_the_round_goes_out_with_the_papers_wording_and_without_the_patient(minis, tmp_path):
    out = tmp_path / "codes.jsonl"
    words = ["--stage", "codes", "--predictions", str(PREDICTIONS), "--data", str(minis), "--output", str(out)]
    assert score_main(["prompts", "cmhe_dd", *words]) == 0
    asked = lines(out)
    assert len(asked) == 30  # all but the empty one, and one of reasoning that never ends
    assert {line["prompt"] for line in asked} == {"paper-1"}
    descriptions = [row["description"] for row in lines(SAMPLE / "CMHE-DD.jsonl")]
    for line in asked:
        text = line["messages"][0]["content"]
        assert text.startswith("You are a loyal AI assistant, please read the diagnostic report")
        assert text.endswith("2. Please convert the disease names into ICD-10 codes.")
        assert not any(description in text for description in descriptions)


# The dictionary.


def workbook(path, *rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


EDITION, CODES = "icd10-national", "icd10-cn-codes"
HEAD = ("疾病诊断编码", "疾病诊断名称")


@pytest.fixture
def names(tmp_path):
    """Give a function that makes a dictionary of the tables of named sources: the status and the file."""

    def names(*given):
        out = tmp_path / "names.tsv"
        return main(
            ["disease-names", "--output", str(out), *(word for one in given for word in ("--source", one))]
        ), out

    return names


def test_the_command_puts_the_tables_together(names, tmp_path, capsys):
    rows = [("M10.900", "痛风"), ("C73.x00", "甲状腺恶性肿瘤"), ("J18.900", "某名"), ("J18.901",), ()]
    tree = tmp_path / "tree.csv"
    tree.write_text("code\tdisease\nJ20\t某名\nA17+\t神经系统的结核\n", encoding="utf-8")
    status, out = names(f"{EDITION}={workbook(tmp_path / 'own.xlsx', HEAD, *rows)}", f"{CODES}={tree}")
    assert status == 0
    made = [line.split("\t") for line in out.read_text("utf-8").splitlines()]
    own = [["M10.900", "痛风"], ["C73.x00", "甲状腺恶性肿瘤"], ["J18.900", "某名"], ["C73.x00", "甲状腺癌"]]
    assert made[:5] == [["code", "name"], *own]  # a short row names nothing
    assert ["J20", "某名"] not in made
    assert ["K21.9", "胃食管反流病"] in made
    assert "names" in capsys.readouterr().err
    dictionary = read_dictionary(out)
    assert dictionary.label.startswith("own ")
    assert sum(dictionary.left_out.values()) == 0


def test_a_cell_without_end_is_named(names, tmp_path, capsys):
    path = tmp_path / "endless.csv"
    path.write_text('code\tdisease\nJ20\t"' + "某" * 200_000 + "\n", encoding="utf-8")
    csv.field_size_limit(1 << 26)  # as a sheet that was read before leaves it
    assert names(f"{CODES}={path}")[0] == 2
    assert "endless.csv" in capsys.readouterr().err
    with pytest.raises(MedzhError, match=r"endless.csv:2: a cell is too long for a name"):
        read_rows(path)


def test_a_users_dictionary_takes_the_place_of_ours_and_is_signed(minis, tmp_path):
    own = tmp_path / "own.csv"
    own.write_text("疾病诊断编码,疾病诊断名称\nM10.9,痛风性关节炎\n", encoding="utf-8-sig")
    ours, said = verdicts(minis, tmp_path)
    theirs, other = verdicts(minis, tmp_path, dictionary=own)
    named = {item for item, rules in said.items() if rules["answers"][0]["found_by"] == "names"}
    assert named
    assert all(other[item]["answers"][0]["answer"] is None for item in named)  # gout is told by its code
    assert all(other[item]["answers"] == said[item]["answers"] for item in said.keys() - named)
    assert theirs.metrics["R-level-2"].value < ours.metrics["R-level-2"].value
    assert ours.signature["dictionary"].startswith("medzh-names-1 ")
    assert re.fullmatch(r"own 1 names [0-9a-f]{8}", theirs.signature["dictionary"])
    assert [file.reader for file in theirs.inputs] == ["native", "dictionary"]
    assert theirs.results["judge"] == ours.results["judge"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"code,title\nJ18,x\n", "a column is missing"),
        (b"code,name\nE99,x\n", "the table contains no name with an ICD-10 code"),
        (b"", "a column is missing"),
        ("code,name\nJ18,肺炎\n".encode("utf-16"), "UTF-16"),
        ("code,name\nJ18,肺炎\n".encode("gb18030"), "invalid UTF-8"),
    ],
)
def test_a_dictionary_that_is_none(content, message, tmp_path):
    path = tmp_path / "d.csv"
    path.write_bytes(content)
    with pytest.raises(MedzhError, match=message):
        read_dictionary(path)


def test_a_config_without_a_dictionary_refuses_one():
    with pytest.raises(MedzhError, match="the config does not use a disease-name dictionary"):
        score("sdak", "p.jsonl", dictionary="d.csv")


def test_the_real_tables_give_a_dictionary_in_which_every_code_has_a_place(upstream_file, names):
    status, out = names(f"{EDITION}={upstream_file(NATIONAL)}", f"{CODES}={upstream_file(TREE)}")
    assert status == 0
    made = read_dictionary(out)
    assert len(made.forms) > 37_000
    assert made.left_out["not an ICD-10 category"] == 0
    assert all(icd10().place(code) for meanings in made.meanings for code in meanings.values())
    (mention,) = made.mentions("2型糖尿病", "2型糖尿病")
    assert mention.code.startswith("E11")
