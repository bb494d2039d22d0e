"""What tests of several PeMeBench recipes share."""

from __future__ import annotations

import pytest

from dataset_scripts.building.build import build
from medzh_score.data.records import load_records
from medzh_score.ui.errors import MedzhError


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """Name a cache folder that is empty: no recipe reads what the tester has."""
    monkeypatch.setenv("MEDZH_SOURCES", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def selected(tmp_path):
    """Give a function that builds a subset of a given file: what was made, and its records by question."""

    def of(config, file, out="out"):
        made = build(config, "official", tmp_path / out, given=[str(file)])
        return made, {row["question"]: row for row in load_records(tmp_path / out, config).rows}

    return of


@pytest.fixture
def refused(tmp_path):
    """Give a function that builds of files that are refused, and gives the error; nothing is written."""

    def of(config, *given):
        with pytest.raises(MedzhError) as caught:
            build(config, "official", tmp_path / "out", given=list(map(str, given)))
        assert not (tmp_path / "out").exists()
        assert "\n" not in str(caught.value).replace("\n  ", "")
        return caught.value

    return of
