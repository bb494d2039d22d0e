"""The essay questions of PediaBench: small workbooks of our own, and the real one by counts."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import closing

import pytest
from openpyxl import Workbook, load_workbook

from dataset_scripts.building.build import build
from dataset_scripts.building.check import check
from dataset_scripts.cli.main import main
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.pemebench.pediabench import COLUMNS, ESSAY, read_pediabench
from dataset_scripts.recipes.pemebench.records import content_id
from medzh_score.data.records import load_records
from medzh_score.ui.errors import MedzhError

NOT_IT = "These are the essay questions of PediaBench, another benchmark by the same authors. They are not PeMeBench."
REAL = "ACMISLab/PediaBench/a8ac50aeab30f7fd898b696a35a2cd336b83c602/data/EssayShort Answer.xlsx"

ROWS = [
    ("儿科急诊与危重症", "什么是休克？", "休克是组织灌注不足的急性循环衰竭。"),
    ("儿科免疫缺陷性疾病", "先天性免疫缺陷是什么病？", "先天性免疫缺陷(PID)是免疫系统的遗传病。\n易反复感染。"),
    ("儿科免疫缺陷性疾病", "先天性免疫缺陷有哪些临床表现？", "反复感染。\n生长迟缓。"),
    ("儿科神经系统疾病", "什么是热性惊厥？", "发热时的惊厥。"),
    ("新生儿疾病", "新生儿黄疸的病因有哪些？", "胆红素生成过多或排泄减少。"),
    ("新生儿疾病", " 新生儿黄疸的病因有哪些?", "胆红素代谢特点所致。"),
    ("新生儿疾病", "什么是脐炎？", ""),
    ("新生儿疾病", "什么是湿肺\ufffd？", "肺液吸收延迟。"),
    ("新生儿疾病", "新生儿黄疸的 病因有哪些？", "胆红素生成过多 或排泄减少。"),
    ("新生儿疾病", "\u200b", "没有问题。"),
    ("", "", ""),
]


def book(*rows, head=COLUMNS):
    made = Workbook()
    for row in (head, *rows):
        made.active.append(list(row))
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


@pytest.fixture
def reading(tmp_path):
    def read(content):
        file = tmp_path / "essay.xlsx"
        file.write_bytes(content)
        return read_pediabench({ESSAY: SourceFile(ESSAY, file, "0" * 64, pinned=False)}, 0)

    return read


def table(built, title):
    (found,) = (made for made in built.tables if made.title.startswith(title))
    return {row[0]: dict(zip(found.columns, row, strict=True)) for row in found.rows}


def test_rows_become_records_with_their_own_labels_and_texts_as_they_stand(reading):
    built = reading(book(*ROWS))
    facts = [(one["department"], one["question"], one["answer"]) for one in built.splits["test"]]
    assert facts == [
        ("儿科急诊与危重症疾病", "什么是休克？", "休克是组织灌注不足的急性循环衰竭。"),
        ("儿科免疫系统疾病", "先天性免疫缺陷是什么病？", "先天性免疫缺陷(PID)是免疫系统的遗传病。\n易反复感染。"),
        ("儿科免疫系统疾病", "先天性免疫缺陷有哪些临床表现？", "反复感染。\n生长迟缓。"),
        ("儿科神经系统疾病", "什么是热性惊厥？", "发热时的惊厥。"),  # of which PeMeBench has no class
        ("新生儿疾病", "新生儿黄疸的病因有哪些？", "胆红素生成过多或排泄减少。"),
    ]
    said = {(one["task"], one["kind"], one["entities"], one["recipe"]) for one in built.splits["test"]}
    assert said == {("unassigned", "unassigned", None, "pediabench")}
    assert built.splits["test"][3]["prompt"].startswith(
        "假设你是一位能力出众的儿科医生,你擅长诊断与治疗各种神经系统疾病,"
    )
    assert built.notes[0] == NOT_IT


def test_what_becomes_no_record_is_counted_by_reason(reading):
    built = reading(book(*ROWS))
    rows = table(built, "Essay questions of PediaBench")
    counted = {name: (row["found"], row["excluded"], row["kept"]) for name, row in rows.items()}
    assert counted["新生儿疾病"] == (6, 5, 1)
    assert counted["儿科神经系统疾病"] == (1, 0, 1)
    assert counted["all"] == (10, 5, 5)  # a blank row is none
    reasons = {name: row["rows"] for name, row in table(built, "Excluded rows by reason").items()}
    assert reasons == {"no text": 2, "damaged": 1, "repeated": 2}


def broken(content, name, change):
    """Change one file of an archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(stream, "w") as target:
        for member in source.namelist():
            data = source.read(member)
            target.writestr(member, change(data) if member == name else data)
    return stream.getvalue()


GOOD = book(*ROWS)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the spreadsheet cannot be read"),
        (b"Disease Groups,questions,answers\n", "the spreadsheet cannot be read"),
        (GOOD[: len(GOOD) // 2], "the spreadsheet cannot be read"),
        (GOOD[:200] + b"\0" * 200 + GOOD[400:], "the spreadsheet cannot be read"),
        (broken(GOOD, "xl/worksheets/sheet1.xml", lambda data: data[:300]), "the spreadsheet cannot be read"),
        (broken(GOOD, "xl/worksheets/sheet1.xml", lambda data: b"\xff" + data), "the spreadsheet cannot be read"),
        (broken(GOOD, "xl/workbook.xml", lambda _: b"<workbook/>"), "the spreadsheet cannot be read"),
        (
            book(head=("科室", "问题", "答案")),
            "field \"Disease Groups\": a column is missing: .* found '科室, 问题, 答案'",
        ),
        (book(head=(*COLUMNS, "answers")), 'field "answers": duplicate column'),
        (book(head=()), "a column is missing"),
        (book(), "no questions can be used: expected essay questions, found 'no rows'"),
        (book(ROWS[6]), "no questions can be used"),
    ],
)
def test_a_workbook_that_is_none_is_refused_in_one_line(reading, content, words):
    with pytest.raises(MedzhError, match=words) as caught:
        reading(content)
    assert "essay.xlsx" in str(caught.value)
    assert "\n" not in str(caught.value).replace("\n  ", "")


def test_the_command_builds_it_and_the_card_says_what_it_is(tmp_path, capfd):
    own, out = tmp_path / "essay.xlsx", tmp_path / "build" / "medzh"
    own.write_bytes(GOOD)
    command = ["build", "pemebench", "--recipe", "pediabench", "--source", f"pediabench-essay={own}"]
    assert main([*command, "--output", str(out)]) == 0
    printed = capfd.readouterr().out
    assert f"Note: {NOT_IT}" in printed
    assert "pemebench pediabench: test 5 records" in printed
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "NOT the official benchmark" in card
    assert "This data is not PeMeBench" in card
    entry = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["configs"]["pemebench"]
    assert [source["name"] for source in entry["sources"]] == ["pediabench-essay"]
    assert not entry["sources"][0]["redistributable"]


def test_the_real_file_by_a_loop_over_its_cells(upstream_file, tmp_path):
    """1,565 rows in 12 groups; its cells are taken as they stand, and 27 questions of a group stand twice."""
    with closing(load_workbook(upstream_file(REAL), read_only=True)) as opened:
        cells = list(opened["Sheet1"].iter_rows(min_row=2, values_only=True))
    assert len(cells) == 1565
    made = build("pemebench", "pediabench", tmp_path / "medzh", given=[f"pediabench-essay={upstream_file(REAL)}"])
    assert check(tmp_path / "medzh").problems == []
    rows = load_records(tmp_path / "medzh", "pemebench").rows
    assert {(row["question"], row["answer"]) for row in rows} <= {
        (q.strip(), a.strip()) for _, q, a in cells if q and a
    }
    assert len({row["department"] for row in rows}) == len({group for group, *_ in cells}) == 12
    (reasons,) = (table.rows for table in made.tables if table.title.startswith("Excluded rows by reason"))
    assert len(rows) + sum(count for *_, count in reasons) == 1565
    assert all(row["id"] == content_id(row["department"], row["question"]) for row in rows)
    (source,) = made.sources
    assert (source["name"], source["pinned"], source["redistributable"]) == ("pediabench-essay", True, False)
