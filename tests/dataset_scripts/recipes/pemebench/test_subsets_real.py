"""The real files behind the pediatric subsets, counted by loops that know nothing of the recipe."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from contextlib import closing

import pytest
from openpyxl import load_workbook
from tool_runs import lines_of

from dataset_scripts.building.build import build
from dataset_scripts.building.checking import check
from dataset_scripts.recipes.pemebench.pediatric import matched
from medzh_score.data.records import load_records

CMEXAM = "kyre-99/CMExam-Dataset/303a45e554c059c773be4cb951acb7247b405f74/val.xlsx"
APOLLO = "FreedomIntelligence/Apollo/505c48e82207b36cf3921df61fcd58895fb6ca4e/metadata/test/zh.json"


def cmexam(upstream_file, folder):
    """Give CMExam's validation split as it is, and its rows: question, options with their letters, right letters."""
    file = shutil.copy(upstream_file(CMEXAM), folder / "val.xlsx")
    with closing(load_workbook(file, read_only=True)) as opened:
        _, *rows = opened.worksheets[0].iter_rows(values_only=True)
    pairs = [(str(question), str(options).split("\\n"), str(answer)) for question, options, answer, *_ in rows]
    return file, [
        (question, [option[1:].strip(" .、") for option in options], answer) for question, options, answer in pairs
    ]


def medqa(upstream_file, folder):
    """Write MedQA's test questions of mainland China, which Apollo holds, as MedQA does."""
    rows = [row for row in json.loads(upstream_file(APOLLO).read_bytes()) if row["source"] == "medqa-mcmle"]
    shown = [
        (row["question"], [line[4:].removesuffix(".").strip() for line in row["options"].split("\n")], row["answer"][1])
        for row in rows
    ]
    file = folder / "test.jsonl"
    lines = [
        {"question": question, "options": dict(zip("ABCDE", options, strict=False)), "answer_idx": answer}
        for question, options, answer in shown
    ]
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    assert len(lines_of(file)) == len(rows)
    return file, shown


def folded(text):
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize(
    ("config", "write", "found", "selected"),
    [("pemebench_cmexam", cmexam, 6811, 319), ("pemebench_medqa", medqa, 3426, 425)],
)
def test_what_the_patterns_select_is_kept_as_it_stands_or_counted(
    config, write, found, selected, upstream_file, tmp_path
):
    """The paper counts 4.9 % of CMExam and 6.3 % of MedQA in all languages."""
    file, rows = write(upstream_file, tmp_path)
    made = build(config, "official", tmp_path / "out", given=[str(file)])
    assert check(tmp_path / "out").problems == []
    records = load_records(tmp_path / "out", config).rows
    assert len(rows) == found
    children = [row for row in rows if matched(row[0])]
    assert len(children) == selected
    there = defaultdict(set)
    for question, options, answer in children:
        there[folded(question)].add((tuple(map(folded, options)), answer))
    for record in records:
        shown = (tuple(map(folded, record["options"])), record["answer"])
        assert shown in there[folded(record["question"])]
        assert record["matched"] == matched(record["question"])
    (account,) = (table.rows[0] for table in made.tables if table.columns[:2] == ("source", "found"))
    _, total, broken, others, repeated, contradicted, kept = account
    assert (total, total - broken - others - repeated - contradicted) == (found, kept) == (found, len(records))
    assert selected - kept <= repeated + contradicted + broken
    assert 0.9 * selected < kept
    counts = {name: (many, alone) for name, _, many, alone in made.tables[-1].rows}
    names = [record["matched"] for record in records]
    assert counts == {name: (sum(name in one for one in names), sum([name] == one for one in names)) for name in counts}
