"""The real files of TCMD's sources, counted and looked into."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tables import case_tables

from dataset_scripts.recipes.tcmd.cmb import read_cmb
from dataset_scripts.recipes.tcmd.cmexam import read_cmexam_xlsx
from dataset_scripts.recipes.tcmd.mtcmb import read_mtcmb
from dataset_scripts.recipes.tcmd.pharmacist import read_pharmacist
from dataset_scripts.recipes.tcmd.regroup import regroup
from dataset_scripts.recipes.tcmd.tcmbench import read_tcmbench
from dataset_scripts.sources.fetching import cached_path
from dataset_scripts.sources.registry import REGISTRY, read_sources

SOURCES = read_sources(REGISTRY)
COUNTS = case_tables("tcmd_real_sources")


@pytest.fixture
def read(upstream_file):
    def find_and_read(name):
        file = upstream_file(str(cached_path(SOURCES[name], Path())))
        if name.startswith("tcm-pharmacist"):
            return read_pharmacist(file, practice=name.endswith("practice"))
        if name.startswith("cmexam"):
            return read_cmexam_xlsx(file)
        if name.startswith("mtcmb"):
            return read_mtcmb(file)
        return read_tcmbench(file) if name.startswith("tcmbench") else read_cmb(file)

    return find_and_read


@pytest.mark.parametrize(("name", "groups", "dropped"), COUNTS["held"])
def test_what_a_source_holds(read, name, groups, dropped):
    reading = read(name)
    assert reading.dropped == (dropped or {})
    kept = [candidate.group for candidate in regroup(reading.rows, name)]
    sizes = (f"{group.kind} of {len(group.parts)}" if len(group.parts) > 1 else group.kind for group in kept)
    assert Counter(sizes) == groups
    assert sum(len(group.parts) for group in kept) == len(reading.rows)


def test_shared_options_of_mtcmb_are_those_of_neighbours(read):
    """Counted apart from the reader: neighbours in the file whose numbers follow each other, with equal options."""
    rows = read("mtcmb-ed-b").rows
    kinds = Counter(row.kind for row in rows)
    assert kinds == {None: 3270, "B1": 1340}
    by_key = {int(row.part.upstream_key): row.part for row in rows}
    alone = [row for row in rows if row.kind == "B1" and not _beside(by_key, int(row.part.upstream_key))]
    assert len(alone) == 2  # the other one is no sound question


def _beside(by_key, key):
    return any(by_key[key].options == by_key[other].options for other in (key - 1, key + 1) if other in by_key)


def test_groups_of_the_pharmacists_papers_are_those_of_the_blueprint(read):
    # 41 to 90 are groups of 2 or 3; the two second papers that were scanned whole have all of them.
    for name in ("tcm-pharmacist-2023-2", "tcm-pharmacist-2024-2"):
        groups = [candidate.group for candidate in regroup(read(name).rows, name)]
        keys = [[int(part.upstream_key) for part in group.parts] for group in groups if group.kind == "B1"]
        assert sorted(key for group in keys for key in group) == list(range(41, 101))
        assert all(group == list(range(group[0], group[0] + len(group))) for group in keys)


@pytest.mark.parametrize(("name", "questions", "named"), COUNTS["named"])
def test_explanations_name_the_right_options_of_restored_groups(read, name, questions, named):
    parts = [row.part for row in read(name).rows if row.kind == "B1"]
    found = sum(part.options["ABCDE".index(part.answer)] in (part.explanation or "") for part in parts)
    assert (len(parts), found) == (questions, named)
