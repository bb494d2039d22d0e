"""The study of records: what is drawn, beside which row of its source, and the rates that come back."""

from __future__ import annotations

import csv
import hashlib
import json
from itertools import combinations

import pytest
from english_left import english_left
from scipy.stats import binomtest
from sheet_files import sheet_rows

from dataset_scripts.building.build import build
from dataset_scripts.command_line import main
from dataset_scripts.studies.records_study import KINDS, QUESTIONS, UNSHOWN, records_study
from dataset_scripts.studies.source_rows import Sought, nearest_rows, rows_of
from medzh_score.data.records import load_records, read_manifest
from medzh_score.files.sheets import sheet_bytes
from medzh_score.messages.errors import MedzhError

STUDY = records_study("sdak")


@pytest.fixture(scope="module")
def mini(tmp_path_factory):
    out = tmp_path_factory.mktemp("records") / "build"
    for config in ("sdak", "tcmd"):
        build(config, "mini", out)
    return out


def filled(drawn, **verdicts):
    """Fill every row in; of each question named, so many rows from the first are not answered yes."""
    rows = [{**row, **dict.fromkeys(QUESTIONS, "yes"), "rater": "丁"} for row in drawn.rows]
    for row in rows:
        row["rater_kind"] = "language model"
    for name, answers in verdicts.items():
        for row, answer in zip(rows, answers, strict=False):
            row[name] = answer
    return rows


def written(path, rows):
    path.write_bytes(sheet_bytes(STUDY.columns, rows))
    return path


def test_records_of_test_are_drawn_by_hash(mini):
    drawn = STUDY.draw(mini, 7, 3)
    ids = [record["id"] for record in load_records(mini, "sdak").rows]
    expected = sorted(ids, key=lambda name: hashlib.sha256(f"3:{name}".encode()).hexdigest())[:7]
    assert [row["id"] for row in drawn.rows] == expected
    assert STUDY.draw(mini, 7, 4).rows != drawn.rows
    assert drawn.rows[0]["drawn_from"] == drawn.notes[0].removeprefix("drawn from ")


def test_the_reader_sees_the_record_and_its_row_but_not_what_its_maker_knew(mini):
    records = {record["id"]: record for record in load_records(mini, "tcmd").rows}
    for row in records_study("tcmd").draw(mini, 10, 0).rows:
        record, beside = records[row["id"]], json.loads(row["source_row"])
        assert record["question"] in row["record"]
        assert f"A. {record['options'][0]} | B. " in row["record"]
        assert not {line.partition(":")[0] for line in row["record"].splitlines()} & UNSHOWN
        assert (beside["question"], beside["answer"]) == (record["question"], record["answer"])


def test_a_source_that_is_not_at_hand_is_named(mini, tmp_path):
    """A user's own file stands nowhere that a build could name."""
    with (mini / "manifest.json").open(encoding="utf-8") as stream:
        content = json.load(stream)["configs"]["sdak"]["sources"]
    assert [source["name"] for source in content] == ["sdak-mini"]
    own = tmp_path / "own.jsonl"
    own.write_text("".join(f"{json.dumps(row)}\n" for row in PAIR), encoding="utf-8")
    build("sdak", "official", tmp_path / "build", given=[str(own)])
    drawn = STUDY.draw(tmp_path / "build", 5, 0)
    assert drawn.notes[1:] == (
        "the build has 2 of 5 records",
        "without rows, for the file is not in the cache, nor given with --source: sdak",
    )
    assert {row["source_row"] for row in drawn.rows} == {""}
    for given in (str(own), f"sdak={own}"):
        drawn = records_study("sdak", [given]).draw(tmp_path / "build", 5, 0)
        assert drawn.notes[1:] == ("the build has 2 of 5 records",)
        assert {row["source_row"].splitlines()[0] for row in drawn.rows} <= {
            json.dumps(row, ensure_ascii=False) for row in PAIR
        }


def test_a_source_that_was_not_built_from_is_refused(mini, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text("{}\n", encoding="utf-8")
    with pytest.raises(MedzhError, match=r"other\.jsonl: field --source: is not the file that the build read"):
        records_study("sdak", [str(other)]).draw(mini, 5, 0)
    with pytest.raises(MedzhError, match="field --source: cannot be read"):
        records_study("sdak", [str(tmp_path / "none.jsonl")]).draw(mini, 5, 0)


def test_a_source_that_the_build_did_not_have_is_refused(mini, tmp_path):
    own = tmp_path / "own.jsonl"
    made = ("id", "source", "recipe", "upstream_key")
    rows = [{name: value for name, value in row.items() if name not in made} for row in load_records(mini, "tcmd").rows]
    own.write_text("".join(f"{json.dumps({**row, 'split': 'test'})}\n" for row in rows), encoding="utf-8")
    build("tcmd", "official", tmp_path / "build", given=[str(own)])
    with pytest.raises(MedzhError, match="field --source: the build has no such source; expected tcmd; found 'tcmd-"):
        records_study("tcmd", [f"tcmd-mapping={own}"]).draw(tmp_path / "build", 5, 0)


PAIR = [
    {
        "label_id": f"{side}_1",
        "type": "DiseaseDepartment",
        "disease": "白内障",
        "department": "眼科",
        "claim": claim,
        "label": label,
        "instruction": claim,
        "input": "",
        "output": "",
        "id": number,
    }
    for number, (side, claim, label) in enumerate(
        [("pos", "白内障常挂的科室包括眼科", "support"), ("neg", "白内障常挂的科室不包括眼科", "refute")]
    )
]


@pytest.mark.parametrize("form", ["jsonl", "array", "document", "csv", "gb18030", "tsv", "xlsx", "text"])
def test_rows_are_read_in_every_form(form, tmp_path):
    content = [{"name": "白内障", "department": "眼科"}, {"name": "外耳道炎", "department": "耳鼻喉科"}]
    table = [list(content[0]), *(list(row.values()) for row in content)]
    path = (
        tmp_path / f"source.{ {'array': 'json', 'document': 'json', 'gb18030': 'csv', 'text': 'txt'}.get(form, form) }"
    )
    if form == "xlsx":
        from openpyxl import Workbook

        book = Workbook()
        for row in table:
            book.active.append(row)
        book.save(path)
    elif form in {"csv", "gb18030", "tsv"}:
        encoding = "gb18030" if form == "gb18030" else "utf-8"
        with path.open("w", encoding=encoding, newline="") as stream:
            csv.writer(stream, delimiter="\t" if form == "tsv" else ",").writerows(table)
    else:
        lines = {
            "jsonl": "\n".join(json.dumps(row) for row in content),
            "array": json.dumps(content),
            "document": json.dumps({"keywords": "x", "example": content}),
            "text": "\n".join("：".join(row) for row in table[1:]),
        }
        path.write_text(lines[form], encoding="utf-8")
    assert rows_of(path) == (["白内障：眼科", "外耳道炎：耳鼻喉科"] if form == "text" else content)


def test_equal_cells_outweigh_texts_that_are_shared():
    """The disease's own row, not the longer one that names it among the complications of another."""
    own = {"name": "角膜溃疡", "symptom": "眼痛"}
    other = {"name": "眼外伤", "complication": "角膜溃疡 角膜溃疡穿孔 眼痛畏光", "symptom": "流泪"}
    sought = [Sought(("角膜溃疡", "眼痛")), Sought(("全不相干的文字",))]
    assert nearest_rows(sought, [other, own]) == [json.dumps(own, ensure_ascii=False), ""]


def test_rows_that_nothing_tells_apart_stand_there_together():
    """One question in two banks of a file, of which the options differ: a reader sees both, and each once."""
    other = {"question": "支配三角肌的神经是", "options": "(A) 腋神经\n(B) 桡神经", "source": "other bank"}
    own = {"question": "支配三角肌的神经是", "options": "(A) 腋神经\n(B) 尺神经", "source": "its bank"}
    (found,) = nearest_rows([Sought(("支配三角肌的神经是", "腋神经"))], [other, own, other])
    assert [json.loads(row) for row in found.splitlines()] == [other, own]


def test_the_row_of_a_fact_holds_its_names():
    """The disease's own row, of two such the one that lists the object; and of sentences the one that ties both."""
    named_elsewhere = {"name": "开放性气胸", "department": "心胸外科", "complication": "血气胸"}
    other_list = {"name": "血气胸", "department": "神经外科"}
    own = {"name": "血气胸", "department": "心胸外科 外科"}
    sentences = [{"text": "地龙善走窜。氨茶碱平喘。"}, {"text": "地龙：清热定惊，通络，平喘。"}]
    edges = [
        {"HEAD": "甲病", "RELATION": "treated_by", "TAIL": "乙药"},
        {"HEAD": "甲病", "RELATION": "x", "TAIL": "乙药"},
    ]
    sought = [Sought((), ("血气胸", "外科")), Sought((), ("地龙", "平喘")), Sought((), ("甲病", "乙药"))]
    found = nearest_rows(sought, [named_elsewhere, other_list, own, *sentences, *edges])
    assert [json.loads(row) for row in found[0].splitlines()] == [own]
    assert [json.loads(row) for row in found[1].splitlines()] == sentences[1:]
    assert [json.loads(row) for row in found[2].splitlines()] == edges


def test_rates_have_the_interval_of_wilson(mini, tmp_path):
    drawn = STUDY.draw(mini, 20, 0)
    rows = filled(drawn, true=["no", "doubtful", "yes"], on_topic=["", "no"])
    tally = STUDY.tally(written(tmp_path / "filled.csv", rows))
    lines = {name: rest for name, *rest in tally.table.rows}
    for name, counts in (("true", (18, 1, 1)), ("on_topic", (18, 0, 1)), ("well_formed", (20, 0, 0))):
        wrong, read = sum(counts[1:]), sum(counts)
        bounds = binomtest(wrong, read).proportion_ci(0.95, method="wilson")
        assert tuple(lines[name][:3]) == counts
        assert lines[name][3:] == pytest.approx([100 * wrong / read, 100 * bounds.low, 100 * bounds.high])
    assert "read by a language model, no physician" in tally.table.title
    assert tally.notes == ("0 of 20 records are not read and not counted", "raters: 丁")
    assert tally.drawn_from == drawn.rows[0]["drawn_from"]


def test_a_record_with_two_faults_counts_once(mini, tmp_path):
    rows = filled(STUDY.draw(mini, 20, 0), true=["no", "doubtful", "yes"], on_topic=["no", "yes", "", "doubtful"])
    (*_, (name, *counts)) = STUDY.tally(written(tmp_path / "filled.csv", rows)).table.rows
    bounds = binomtest(3, 19).proportion_ci(0.95, method="wilson")
    assert (name, *counts[:3]) == ("sound", 16, 2, 1)
    assert counts[3:] == pytest.approx([100 * 3 / 19, 100 * bounds.low, 100 * bounds.high])


def test_an_unfilled_sheet_has_no_rates(mini, tmp_path):
    tally = STUDY.tally(written(tmp_path / "blank.csv", STUDY.draw(mini, 3, 0).rows))
    assert {row[1:] for row in tally.table.rows} == {(0, 0, 0, None, None, None)}
    assert tally.notes[0] == "3 of 3 records are not read and not counted"


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("true", "maybe", r"filled\.csv:\d+: field true: is no verdict; expected yes, doubtful, no"),
        ("rater_kind", "robot", r"field rater_kind: is no kind of reader; expected language model, person, physician"),
        ("rater_kind", "", "field rater_kind: is no kind of reader"),
        ("drawn_from", "mini/00000000/seed 1", "field drawn_from: holds several"),
    ],
)
def test_a_sheet_with_a_fault(column, value, message, mini, tmp_path):
    rows = filled(STUDY.draw(mini, 4, 0))
    rows[2][column] = value
    with pytest.raises(MedzhError, match=message):
        STUDY.tally(written(tmp_path / "filled.csv", rows))


def test_a_sheet_whose_cells_have_slipped_is_refused(mini, tmp_path):
    rows = [{**row, "drawn_from": row["record"]} for row in filled(STUDY.draw(mini, 1, 0))]
    with pytest.raises(MedzhError, match="field drawn_from: is no draw"):
        STUDY.tally(written(tmp_path / "filled.csv", rows))


def test_the_commands_and_the_card(mini, tmp_path, capsys):
    sheet, reading, out = tmp_path / "sheet.csv", tmp_path / "reading.json", tmp_path / "built"
    draw = ["sheet", "sdak", "records", "--n", "9", "--seed", "2", "--data", str(mini), "--out", str(sheet)]
    assert main(draw) == 0
    rows = [{**row, **dict.fromkeys(QUESTIONS, "yes")} for row in sheet_rows(sheet.read_text(encoding="utf-8"))]
    for row in rows:
        row["rater_kind"] = "physician"
    written(sheet, rows)
    assert main(["tally", "sdak", "records", str(sheet), "--to", "json", "--out", str(reading)]) == 0
    build("sdak", "mini", out, reading=reading)
    table = read_manifest(out)["configs"]["sdak"]["tables"][0]
    assert "read by a physician: " in table["title"]
    assert table["title"].endswith("(of this very build)")
    upper = 100 * binomtest(0, 9).proportion_ci(0.95, method="wilson").high
    assert table["rows"][0] == ["well_formed", 9, 0, 0, "0.0", "0.0", f"{upper:.1f}"]
    assert table["title"] in (out / "README.md").read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["build", "tcmd", "--recipe", "mini", "--out", str(out), "--reading", str(reading)]) == 2
    assert "is no reading of its records" in capsys.readouterr().err


def test_a_tally_is_chinese_where_asked_for_whoever_read(mini, tmp_path, capsys):
    drawn = STUDY.draw(mini, 3, 0)
    for count in range(1, 4):
        for kinds in combinations(KINDS, count):
            rows = filled(drawn, **{name: ["yes"] for name in QUESTIONS})
            for row, kind in zip(rows, kinds * 3, strict=False):
                row["rater_kind"] = kind
            sheet = written(tmp_path / "filled.csv", rows)
            assert main(["tally", "sdak", "records", str(sheet), "--lang", "zh"]) == 0
            out = capsys.readouterr().out
            assert english_left(out) == []
            assert ("，不是医师" in out) == ("physician" not in kinds)


def test_a_reading_of_another_build_is_named_so(tmp_path):
    reading = tmp_path / "reading.json"
    table = {"title": "Read", "columns": ["asked", "yes"], "rows": [["true", None]]}
    account = {"config": "sdak", "drawn_from": "mini/00000000/seed 1", "table": table}
    reading.write_text(json.dumps(account), encoding="utf-8")
    made = build("sdak", "mini", tmp_path / "build", reading=reading)
    assert made.tables[0].title == "Read (of another build by this recipe; this one was not read)"
    assert made.tables[0].rows == (("true", "-"),)
    reading.write_text(json.dumps({**account, "drawn_from": "rebuilt/00000000/seed 1"}), encoding="utf-8")
    with pytest.raises(MedzhError, match="is a reading of another recipe; expected mini"):
        build("sdak", "mini", tmp_path / "build", reading=reading)
