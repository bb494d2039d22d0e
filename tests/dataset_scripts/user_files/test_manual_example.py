"""The lines of pandas in the manual, run on such a workbook as they are for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from openpyxl import Workbook
from places import ROOT

from dataset_scripts.building.build import build
from medzh_score.data.records import load_records

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

HEAD = ("题型", "科目", "题干", "A", "B", "C", "D", "E", "答案", "解析", "集")
ROWS = (
    ("单选", "中医基础理论", "开窍于舌的脏是", "心", "肝", "脾", "肺", "肾", 1, "心开窍于舌。", "考试"),
    ("单选", "中药学", "长于清心火的药物是", "黄柏", "黄连", "黄芩", None, None, 2, None, "练习"),
)


def test_the_example_of_the_manual_makes_a_file_that_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "en" / "data.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    book = Workbook()
    for row in (HEAD, *ROWS):
        book.active.append(row)  # type: ignore[union-attr]
    book.save(tmp_path / "QUESTIONS.xlsx")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "data.md", "exec"), {})  # noqa: S102 - our own manual
    build("tcmd", "official", tmp_path / "out" / "medzh", given=["QUESTIONS.jsonl"])
    (heart,) = load_records(tmp_path / "out" / "medzh", "tcmd").rows
    (herb,) = load_records(tmp_path / "out" / "medzh", "tcmd", split="train").rows
    assert (heart["answer"], heart["explanation"], heart["options"]) == (
        "A",
        "心开窍于舌。",
        ["心", "肝", "脾", "肺", "肾"],
    )
    assert (herb["answer"], herb["options"], herb["explanation"]) == ("B", ["黄柏", "黄连", "黄芩"], None)
