"""The real files of TCMD's sources, counted and looked into."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dataset_scripts.recipes.tcmd.cmb import read_cmb
from dataset_scripts.recipes.tcmd.cmexam import read_cmexam_xlsx
from dataset_scripts.recipes.tcmd.pharmacist import read_pharmacist
from dataset_scripts.recipes.tcmd.regroup import regroup
from dataset_scripts.recipes.tcmd.tcmbench import read_tcmbench
from dataset_scripts.sources.fetching import cached_path
from dataset_scripts.sources.registry import REGISTRY, read_sources

SOURCES = read_sources(REGISTRY)
PAPER = {"stem lost": 10, "several answers": 10}  # of every paper, by its blueprint
PRACTICE = {"stem lost": 20, "several answers": 10}


@pytest.fixture
def read(upstream_file):
    def find_and_read(name):
        file = upstream_file(str(cached_path(SOURCES[name], Path())))
        if name.startswith("tcm-pharmacist"):
            return read_pharmacist(file, practice=name.endswith("practice"))
        if name.startswith("cmexam"):
            return read_cmexam_xlsx(file)
        return read_tcmbench(file) if name.startswith("tcmbench") else read_cmb(file)

    return find_and_read


@pytest.mark.parametrize(
    ("name", "groups", "dropped"),
    [
        ("tcmbench-fku", {"A1": 1}, {}),
        ("tcmbench-khc", {"B1 of 2": 1}, {}),
        ("tcmbench-cvr", {"A3 of 3": 1}, {}),
        ("tcmbench-v1-a1a2", {"A1": 1}, {}),
        ("tcmbench-v1-a3a4", {"A3 of 3": 1}, {}),
        ("tcmbench-v1-b1", {"B1 of 2": 1}, {}),
        ("tcm-best4sdt-knowledge", {"A1": 80, "A2": 8}, {"several answers": 11, "no answer": 1}),
        ("tcm-best4sdt-ethics", {"A1": 66, "A2": 30}, {"several answers": 3, "stem lost": 1}),
        (
            "cmexam-val-xlsx",
            {"A1": 5462, "A2": 1022, "A3 of 2": 5, "B1 of 2": 19, "B1 of 3": 1},
            {
                "image": 16,
                "stem lost": 7,
                "lettering": 3,
                "equal options": 8,
                "no answer": 1,
                "several answers": 209,
                "damaged": 32,
            },
        ),
        ("tcm-pharmacist-2022-1", {"A1": 32}, {**PAPER, "image": 8, "no options": 6, "lettering": 54}),
        ("tcm-pharmacist-2022-2", {"A1": 21, "A2": 19, "B1 of 2": 12, "B1 of 3": 12}, PAPER),
        ("tcm-pharmacist-2022-practice", {"A1": 13, "A2": 27, "B1 of 2": 7, "B1 of 3": 12}, PRACTICE),
        (
            "tcm-pharmacist-2023-1",
            {"A1": 35, "B1 of 2": 9, "B1 of 3": 12},
            {**PAPER, "image": 8, "no options": 2, "answer without option": 1},
        ),
        ("tcm-pharmacist-2023-2", {"A1": 26, "A2": 14, "B1 of 2": 12, "B1 of 3": 12}, PAPER),
        (
            "tcm-pharmacist-2023-practice",
            {"A1": 28, "A2": 11, "B1 of 2": 10, "B1 of 3": 10},
            {**PRACTICE, "no answer": 1},
        ),
        (
            "tcm-pharmacist-2024-1",
            {"A1": 36, "B1 of 2": 8, "B1 of 3": 8},
            {**PAPER, "several answers": 14, "image": 8, "no options": 8, "empty option": 3, "no answer": 1},
        ),
        ("tcm-pharmacist-2024-2", {"A1": 23, "A2": 17, "B1 of 2": 12, "B1 of 3": 12}, PAPER),
        (
            "tcm-pharmacist-2024-practice",
            {"A1": 22, "A2": 15, "B1 of 2": 10, "B1 of 3": 9},
            {**PRACTICE, "equal options": 1, "no options": 3, "no answer": 2},
        ),
    ],
)
def test_what_a_source_holds(read, name, groups, dropped):
    reading = read(name)
    assert dict(reading.dropped) == dropped
    kept = [candidate.group for candidate in regroup(reading.rows, name)]
    sizes = (f"{group.kind} of {len(group.parts)}" if len(group.parts) > 1 else group.kind for group in kept)
    assert dict(Counter(sizes)) == groups
    assert sum(len(group.parts) for group in kept) == len(reading.rows)


def test_groups_of_the_pharmacists_papers_are_those_of_the_blueprint(read):
    # 41 to 90 are groups of 2 or 3; the two second papers that were scanned whole have all of them.
    for name in ("tcm-pharmacist-2023-2", "tcm-pharmacist-2024-2"):
        groups = [candidate.group for candidate in regroup(read(name).rows, name)]
        keys = [[int(part.upstream_key) for part in group.parts] for group in groups if group.kind == "B1"]
        assert sorted(key for group in keys for key in group) == list(range(41, 101))
        assert all(group == list(range(group[0], group[0] + len(group))) for group in keys)


@pytest.mark.parametrize(
    ("name", "questions", "named"),
    [
        ("tcm-pharmacist-2022-2", 60, 55),
        ("tcm-pharmacist-2022-practice", 50, 42),
        ("tcm-pharmacist-2023-1", 54, 53),
        ("tcm-pharmacist-2023-2", 60, 52),
        ("tcm-pharmacist-2023-practice", 50, 31),
        ("tcm-pharmacist-2024-1", 40, 37),
        ("tcm-pharmacist-2024-2", 60, 55),
        ("tcm-pharmacist-2024-practice", 47, 47),
    ],
)
def test_explanations_name_the_right_options_of_restored_groups(read, name, questions, named):
    parts = [row.part for row in read(name).rows if row.kind == "B1"]
    found = sum(part.options["ABCDE".index(part.answer)] in (part.explanation or "") for part in parts)
    assert (len(parts), found) == (questions, named)
