"""The real files behind the pediatric subsets, counted by loops that know nothing of the recipes."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from openpyxl import load_workbook

from dataset_scripts.building.build import build
from dataset_scripts.recipes.pemebench.pediatric import matched
from dataset_scripts.sources.fetching import cached_path
from dataset_scripts.sources.registry import REGISTRY, read_sources
from medzh_score.data.records import load_records

SOURCES = read_sources(REGISTRY)


@pytest.fixture
def real(upstream_file, tmp_path):
    """Copy a real file out of the cache: what stands there gives way to what is nearer to the paper."""
    return lambda name: shutil.copy(upstream_file(str(cached_path(SOURCES[name], Path()))), tmp_path / f"{name}.file")


def built(config, source, file, out):
    made = build(config, "rebuilt", out, given=[f"{source}={file}"])
    return made, {row["question"]: row for row in load_records(out, config).rows}


def folded(text):
    return re.sub(r"\s", "", text)


def test_cmexams_validation_split(real, tmp_path):
    file = real("cmexam-val-xlsx")
    made, rows = built("pemebench_cmexam", "cmexam-val-xlsx", file, tmp_path / "out")
    _, *cells = load_workbook(io.BytesIO(file.read_bytes())).worksheets[0].iter_rows(values_only=True)
    assert len(cells) == 6811
    expected = {}
    for question, options, answer, *_ in cells:
        texts = [option[1:].strip(" .、") for option in str(options).split("\\n")]
        sound = answer and str(answer) != "nan" and len({folded(text) for text in texts}) == len(texts)
        if sound and matched(str(question)):
            expected[str(question).strip()] = "".join(sorted(str(answer)))
    assert len(expected) == 339
    assert {question: row["answer"] for question, row in rows.items()} == expected
    assert Counter(len(row["answer"]) > 1 for row in rows.values())[True] == 2
    assert made.tables[1].rows == (("cmexam-val-xlsx", 6811, 11, 6461, 0, 0, 339),)
    assert "多个正确选项" in next(iter(rows.values()))["prompt"]


def test_medqas_test_questions_in_apollos_file(real, tmp_path):
    file = real("apollo-zh-test")
    made, rows = built("pemebench_medqa", "apollo-zh-test", file, tmp_path / "out")
    items = [one for one in json.loads(file.read_text(encoding="utf-8")) if one["source"] == "medqa-mcmle"]
    assert len(items) == 3426
    selected = [one for one in items if matched(one["question"])]
    assert len(selected) == 433
    rendered = {(one["question"].strip(), one["options"], one["answer"]) for one in selected}
    assert {question for question, *_ in rendered} == rows.keys()
    for question, row in rows.items():
        shown = [f"({letter}) {text}." for letter, text in zip("ABCD", row["options"], strict=True)]
        assert (question, "\n".join(shown), f"({row['answer']})") in rendered
    assert made.tables[1].rows == (("apollo-zh-test", 3426, 4, 2989, 3, 0, 430),)
    assert {len(row["answer"]) for row in rows.values()} == {1}
    assert "多个" not in next(iter(rows.values()))["prompt"]


@pytest.mark.parametrize(
    ("config", "source", "low", "high"),
    # The paper counts 4.9 % of CMExam and 6.3 % of MedQA in all languages; its evaluation sets would be 3.9 and 14.5 %.
    [("pemebench_cmexam", "cmexam-val-xlsx", 0.039, 0.06), ("pemebench_medqa", "apollo-zh-test", 0.063, 0.145)],
)
def test_shares_lie_where_the_papers_do(config, source, low, high, real, tmp_path):
    made, _ = built(config, source, real(source), tmp_path / "out")
    ((_, found, *_, kept),) = made.tables[1].rows
    assert low < kept / found < high


@pytest.mark.parametrize(
    ("config", "source", "count"),
    [("pemebench_cmexam", "cmexam-val-xlsx", 72), ("pemebench_medqa", "apollo-zh-test", 108)],
)
def test_every_sick_child_is_among_them(config, source, count, real, tmp_path):
    file = real(source)
    _, rows = built(config, source, file, tmp_path / "out")
    if source == "apollo-zh-test":
        texts = [one["question"] for one in json.loads(file.read_text("utf-8")) if one["source"] == "medqa-mcmle"]
    else:
        texts = [str(row[0]) for row in load_workbook(io.BytesIO(file.read_bytes())).worksheets[0].values]
    sick = [text.strip() for text in texts if "患儿" in text]
    assert len(sick) == count
    assert set(sick) <= rows.keys()


@pytest.mark.parametrize(
    ("config", "source"), [("pemebench_cmexam", "cmexam-val-xlsx"), ("pemebench_medqa", "apollo-zh-test")]
)
def test_counts_by_pattern_by_brute_force(config, source, real, tmp_path):
    made, _ = built(config, source, real(source), tmp_path / "out")
    rows = load_records(tmp_path / "out", config).rows
    counts = {name: (total, alone) for name, _, total, alone in made.tables[-1].rows}
    names = [matched(row["question"]) for row in rows]
    assert [row["matched"] for row in rows] == names
    assert counts == {name: (sum(name in one for one in names), sum([name] == one for one in names)) for name in counts}
