"""CMHE-DD from a user's file, its hand-written sample, and the dictionary that a user makes for linking."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import openpyxl
import pytest

from dataset_scripts.building.build import build
from dataset_scripts.building.checking import check
from dataset_scripts.command_line import main
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.cmhe_dd.own_reader import read_own
from dataset_scripts.recipes.cmhe_dd.records import check as check_records
from dataset_scripts.terminology.disease_names import merged
from medzh_score.command_line import main as score_main
from medzh_score.data.records import load_records
from medzh_score.messages.errors import MedzhError
from medzh_score.report.scoring import score
from medzh_score.terminology.disease_names import our_dictionary, read_dictionary, read_rows
from medzh_score.terminology.icd10 import icd10

SAMPLE = Path(__file__).parent.parent / "dataset_scripts" / "mini" / "cmhe_dd"
NATIONAL = (
    "hint-lab/chinese-medical-kg/ef00c6c955a4210a4e13073c36f7b215ea51ed3d/data/国家临床版2.0疾病诊断编码（ICD-10）.xlsx"
)
TREE = "chaseliu/ICD-10-CN/a12ed01f6b05b7f662d5212447a61bb622463acd/disease.csv"
RHINITIS = {"description": "鼻痒、喷嚏三年。", "part": "chat", "codes": ["ｊ30.4"], "diseases": ["变应性鼻炎"]}
STONE = {"description": "右侧腰痛，血尿。", "part": "Diagnose-exam", "codes": ["N20.000x001", "I10+"]}


def read(tmp_path, rows, mapping=None):
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    files = {"cmhe-dd": SourceFile("cmhe-dd", path, "0" * 64, pinned=False)}
    if mapping is not None:
        (tmp_path / "how.toml").write_text(mapping, encoding="utf-8")
        files["cmhe-dd-mapping"] = SourceFile("cmhe-dd-mapping", tmp_path / "how.toml", "1" * 64, pinned=False)
    return read_own("official", files)


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
        ({"codes": ["E99"]}, r"own\.jsonl:1: field codes: is no code of ICD-10.*found 'E99'"),
        ({"codes": ["鼻炎"]}, "is no code of ICD-10"),
        ({"codes": []}, "field codes"),
        ({"codes": ["J30", "I10"]}, "diseases: are not as many as the codes"),
        ({"part": "other"}, "field part"),
        ({"description": " "}, "field description"),
        ({"description": "鼻痒\x00"}, "a character that no text has"),
    ],
)
def test_faults_are_named(changed, message, tmp_path):
    with pytest.raises(MedzhError, match=message):
        read(tmp_path, [{**RHINITIS, **changed}])


def test_an_equal_description_is_refused(tmp_path):
    with pytest.raises(MedzhError, match="repeats another row"):
        read(tmp_path, [RHINITIS, {**STONE, "description": "鼻痒、喷嚏 三年。"}])


def test_a_file_in_another_form_with_a_mapping(tmp_path):
    rows = [
        {"patient": "鼻痒、喷嚏三年。", "from": "KaMed", "icd": ["J30.4"]},
        {"patient": "右侧腰痛，血尿。", "from": "MedQA", "icd": ["E99"]},
    ]
    mapping = 'fields = { description = "patient", part = "from", codes = "icd" }\n[split]\ntest = ["cmhe-dd"]\n'
    built = read(tmp_path, rows, mapping.replace('[split]\ntest = ["cmhe-dd"]\n', ""))
    assert [(row["part"], row["codes"]) for row in built.splits["test"]] == [("chat", ["J30.4"])]
    assert any("is no code of ICD-10" in " ".join(map(str, row)) for table in built.tables for row in table.rows)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"id": "cmhedd-0000000000"}, "expected the id of its content"),
        ({"codes": ["J304"]}, "in their normal form"),
        ({"codes": ["E99"]}, "in their normal form"),
        ({"diseases": ["a", "b"]}, "one name a code"),
        ({"answer": "鼻炎"}, "the diseases with their codes"),
    ],
)
def test_what_no_schema_can_see(changed, message, tmp_path):
    (record,) = read(tmp_path, [RHINITIS]).splits["test"]
    (problem, *_) = check_records({"test": [{**record, **changed}]})
    assert message in problem


# The sample.


@pytest.fixture(scope="module")
def mini(tmp_path_factory):
    out = tmp_path_factory.mktemp("build") / "medzh"
    made = build("cmhe_dd", "mini", out)
    assert made.records == {"test": 32}
    return out


def lines(name):
    return [json.loads(line) for line in (SAMPLE / name).read_text("utf-8").splitlines()]


def test_the_sample_is_sound_and_marked_as_no_benchmark(mini):
    assert check(mini).problems == []
    records = load_records(mini, "cmhe_dd")
    parts = [row["part"] for row in records.rows]
    assert (parts.count("chat"), parts.count("exam")) == (14, 18)
    assert sum(len(row["codes"]) == 2 for row in records.rows) == 2
    assert "NOT the official benchmark" in (mini / "README.md").read_text("utf-8")


def test_every_disease_of_the_sample_stands_in_our_dictionary_with_its_code():
    named = {name: code for meanings in our_dictionary().meanings for name, code in meanings.items()}
    for row in lines("CMHE-DD.jsonl"):
        assert [named[name] for name in row["diseases"]] == row["codes"]
        assert not any(name in row["description"] for name in row["diseases"])


def test_the_readme_lists_the_answers_that_are_wrong_on_purpose(mini):
    readme = (SAMPLE / "README.md").read_text("utf-8")
    listed = re.findall(r"^\| `(cmhedd-[0-9a-f]{10})` \|", readme, re.MULTILINE)
    report_path = SAMPLE / "predictions.jsonl"
    items = mini.parent / "items.jsonl"
    score("cmhe_dd", report_path, mini, rule="medzh-1", bootstrap=0, items=items)
    verdicts = {line["item"]: line["rules"]["medzh-1"]["verdict"] for line in lines(items)}
    exact = {row["id"]: set(row["codes"]) for row in load_records(mini, "cmhe_dd").rows}
    assert set(listed) <= verdicts.keys()
    assert len(listed) == len(set(listed)) == 10
    # No answer that reads as wrong is missing from the list.
    assert {item for item, verdict in verdicts.items() if verdict != "right"} <= set(listed)
    assert exact.keys() == verdicts.keys()


def test_the_judges_responses_can_be_scored(mini):
    judged = [SAMPLE / "judge-codes.jsonl"]
    with pytest.raises(MedzhError, match=r"round codes lacks 1 judgements.*\(cmhedd-35cba7b4ce run 0\)"):
        score("cmhe_dd", SAMPLE / "predictions.jsonl", mini, rounds={"codes": judged}, bootstrap=0)
    rounds = {"codes": [*judged, SAMPLE / "judge-codes-again.jsonl"]}
    report = score("cmhe_dd", SAMPLE / "predictions.jsonl", mini, rounds=rounds, bootstrap=0)
    assert report.signature["judges"] == "codes by sample judge (prompt unstated, sample all, verified)"
    assert report.metrics["F1-level-2"].n == 32
    assert "Round codes: 31 judged, 0 left blank." in report.notes


def test_the_round_goes_out_with_the_papers_wording_and_without_the_patient(mini, tmp_path):
    out = tmp_path / "codes.jsonl"
    words = ["--round", "codes", "--after", str(SAMPLE / "predictions.jsonl"), "--data", str(mini), "--out", str(out)]
    assert score_main(["prompts", "cmhe_dd", *words]) == 0
    asked = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(asked) == 31  # all but the empty one
    assert {line["prompt"] for line in asked} == {"paper-1"}
    descriptions = [row["description"] for row in lines("CMHE-DD.jsonl")]
    for line in asked:
        text = line["messages"][0]["content"]
        assert text.startswith("You are a loyal AI assistant, please read the diagnostic report")
        assert text.endswith("2. Please convert the disease names into ICD-10 codes.")
        assert not any(description in text for description in descriptions)


# The dictionary.


@pytest.fixture
def tables(tmp_path, monkeypatch):
    monkeypatch.setenv("MEDZH_SOURCES", str(tmp_path / "cache"))
    book = openpyxl.Workbook()
    for row in [
        ("疾病诊断编码", "疾病诊断名称"),
        ("M10.900", "痛风"),
        ("C73.x00", "甲状腺恶性肿瘤"),
        ("J18.900", "某名"),
    ]:
        book.active.append(row)
    book.save(tmp_path / "national.xlsx")
    (tmp_path / "tree.csv").write_text("code\tdisease\nJ20\t某名\nA17+\t神经系统的结核\n", encoding="utf-8")
    return tmp_path


def names(tables, *more):
    out = tables / "names.tsv"
    status = main(["names", "--out", str(out), *more])
    return status, out


def test_the_command_puts_the_tables_together(tables, capsys):
    given = [
        "--source",
        f"icd10-national={tables / 'national.xlsx'}",
        "--source",
        f"icd10-cn-codes={tables / 'tree.csv'}",
    ]
    status, out = names(tables, *given)
    assert status == 0
    rows = [line.split("\t") for line in out.read_text("utf-8").splitlines()]
    assert rows[:5] == [
        ["code", "name"],
        ["M10.900", "痛风"],
        ["C73.x00", "甲状腺恶性肿瘤"],
        ["J18.900", "某名"],
        ["C73.x00", "甲状腺癌"],
    ]
    assert ["J20", "某名"] not in rows
    assert ["K21.9", "胃食管反流病"] in rows
    assert "names" in capsys.readouterr().err
    made = read_dictionary(out)
    assert made.label.startswith("own ")
    assert sum(made.left_out.values()) == 0


@pytest.mark.parametrize("given", [["--source", "other=x"], ["--source", "x"], []])
def test_the_command_refuses_what_it_does_not_know(given, tables, capsys):
    assert names(tables, *given)[0] == 2
    assert "icd10-national" in capsys.readouterr().err


def test_another_workbook_is_refused(tables):
    book = openpyxl.Workbook()
    book.active.append(("a", "b"))
    book.active.append(("x", "y"))
    book.save(tables / "other.xlsx")
    assert names(tables, "--source", f"icd10-national={tables / 'other.xlsx'}")[0] == 2


@pytest.mark.parametrize("rows", [[], [()], [("疾病诊断编码",)], [("编码", "名称"), ("x",)], [("编码", "名称"), ()]])
def test_a_workbook_with_short_rows_or_none_is_refused(rows, tables, capsys):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tables / "short.xlsx")
    assert names(tables, "--source", f"icd10-national={tables / 'short.xlsx'}")[0] == 2
    assert "is not the national edition" in capsys.readouterr().err


def test_a_short_row_of_a_workbook_names_nothing(tables):
    book = openpyxl.Workbook()
    for row in [("疾病诊断编码", "疾病诊断名称"), ("M10.900", "痛风"), ("J18.900",), (), ("J20.900", "某名")]:
        book.active.append(row)
    book.save(tables / "short.xlsx")
    status, out = names(tables, "--source", f"icd10-national={tables / 'short.xlsx'}")
    assert status == 0
    assert out.read_text("utf-8").splitlines()[:3] == ["code\tname", "M10.900\t痛风", "J20.900\t某名"]


def test_a_cell_without_end_is_named(tables, capsys):
    (tables / "endless.csv").write_text('code\tdisease\nJ20\t"' + "某" * 200_000 + "\n", encoding="utf-8")
    csv.field_size_limit(1 << 26)  # as a sheet that was read before leaves it
    assert names(tables, "--source", f"icd10-cn-codes={tables / 'endless.csv'}")[0] == 2
    assert "endless.csv" in capsys.readouterr().err
    with pytest.raises(MedzhError, match=r"endless.csv:2: a cell is longer than any name"):
        read_rows(tables / "endless.csv")


def test_a_users_dictionary_takes_the_place_of_ours_and_is_signed(mini, tmp_path):
    own = tmp_path / "own.csv"
    own.write_text("疾病诊断编码,疾病诊断名称\nM10.9,痛风性关节炎\n", encoding="utf-8-sig")
    predictions = SAMPLE / "predictions.jsonl"
    items = [tmp_path / name for name in ("ours.jsonl", "theirs.jsonl")]
    ours = score("cmhe_dd", predictions, mini, rule="medzh-1", bootstrap=0, items=items[0])
    theirs = score("cmhe_dd", predictions, mini, rule="medzh-1", bootstrap=0, dictionary=own, items=items[1])
    said = [{line["item"]: line["rules"]["medzh-1"]["answers"][0] for line in lines(path)} for path in items]
    named = {item for item, answer in said[0].items() if answer["found_by"] == "names"}
    assert named
    assert all(said[1][item]["answer"] is None for item in named)  # gout is told by its code
    assert all(said[1][item] == said[0][item] for item in said[0].keys() - named)
    assert theirs.metrics["R-level-2"].value < ours.metrics["R-level-2"].value
    assert ours.signature["dictionary"].startswith("medzh-names-1 ")
    assert re.fullmatch(r"own 1 names [0-9a-f]{8}", theirs.signature["dictionary"])
    assert [file.reader for file in theirs.inputs] == ["native", "dictionary"]
    assert theirs.results["judge"] == ours.results["judge"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("code,title\nJ18,肺炎\n", "lacks a column"),
        ("code,name\nE99,某病\n", "no name with a code"),
        ("", "lacks a column"),
        ("code,name\nJ18,肺炎\n".encode("utf-16"), "UTF-16"),
        ("code,name\nJ18,肺炎\n".encode("gb18030"), "is not UTF-8"),
    ],
)
def test_a_dictionary_that_is_none(content, message, tmp_path):
    path = tmp_path / "d.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    with pytest.raises(MedzhError, match=message):
        read_dictionary(path)


def test_a_config_without_a_dictionary_refuses_one(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("code,name\nJ18,肺炎\n", encoding="utf-8")
    with pytest.raises(MedzhError, match="reads no answers by a dictionary"):
        score("sdak", "p.jsonl", dictionary=path)


def test_names_of_an_earlier_table_stand():
    assert merged([[("J18", "某名")], [("J20", "某名"), ("J40", "他名")]]) == [("J18", "某名"), ("J40", "他名")]


def test_the_real_tables_give_a_dictionary_in_which_every_code_has_a_place(upstream_file, tmp_path):
    given = {"icd10-national": upstream_file(NATIONAL), "icd10-cn-codes": upstream_file(TREE)}
    out = tmp_path / "names.tsv"
    words = [word for name, path in given.items() for word in ("--source", f"{name}={path}")]
    assert main(["names", "--out", str(out), *words]) == 0
    made = read_dictionary(out)
    assert len(made.forms) > 37_000
    assert made.left_out["no category of ICD-10"] == 0
    assert all(icd10().place(code) for meanings in made.meanings for code in meanings.values())
    (mention,) = made.mentions("2型糖尿病", "2型糖尿病")
    assert mention.code.startswith("E11")
