"""Builds of sources that may be redistributed alone: what is left out, what that costs, and that they can go out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dataset_scripts.building.build import build
from dataset_scripts.building.publishable import blaming_the_option, cost, redistributable_files
from dataset_scripts.recipe import Built, Recipe, SourceFile, dataset
from dataset_scripts.releases.refusing import barred, faults_of
from dataset_scripts.sources.fetching import cached_path
from dataset_scripts.sources.registry import REGISTRY, read_sources
from medzh_score.data.records import load_records, read_manifest
from medzh_score.messages.errors import MedzhError

TCMD = dataset("tcmd")
SOURCES = read_sources(REGISTRY)


def source(name, *, pinned=True):
    return SourceFile(name, Path(name), "0" * 64, pinned)


def test_only_pinned_files_under_a_free_licence_are_kept():
    files = {name: source(name) for name in ("mtcmb-ed-b", "cmexam-val-xlsx", "tcm-best4sdt-ethics")}
    files["mtcmb-ed-a"] = source("mtcmb-ed-a", pinned=False)
    kept, note = redistributable_files(TCMD, TCMD.recipe("rebuilt"), files)
    assert list(kept) == ["mtcmb-ed-b"]
    assert note.endswith("left out: cmexam-val-xlsx (unknown), tcm-best4sdt-ethics (Apache-2.0), mtcmb-ed-a (unknown)")


@pytest.mark.parametrize(
    ("config", "recipe", "names", "left"),
    [
        ("tcmd", "rebuilt", ["cmexam-val-xlsx"], r"cmexam-val-xlsx \(unknown\)"),
        ("sdak", "official", ["sdak"], r"sdak \(unknown\)"),
    ],
)
def test_a_recipe_without_free_sources_is_refused(config, recipe, names, left):
    chosen = dataset(config)
    with pytest.raises(MedzhError, match=rf"may be redistributed; found '{left}'"):
        redistributable_files(chosen, chosen.recipe(recipe), {name: source(name) for name in names})


def test_a_recipe_that_needs_all_of_its_sources_is_refused_where_one_is_not_free():
    needy = replace(TCMD.recipe("rebuilt"), requires_all=True)
    files = {name: source(name) for name in ("mtcmb-ed-b", "cmexam-val-xlsx")}
    with pytest.raises(MedzhError, match="cannot be built of sources that may be redistributed"):
        redistributable_files(TCMD, needy, files)


def failing_without(name):
    def make(files, _seed):
        if name not in files:
            raise MedzhError("no such source", field="--source")
        return Built({"test": []})

    return Recipe("rebuilt", "", (), make)


@pytest.mark.parametrize(("needed", "field"), [("cmexam-val-xlsx", "--publishable"), ("nothing", "--source")])
def test_the_option_is_blamed_where_what_it_left_out_is_needed(needed, field):
    """Where the recipe fails with all sources, too, they are at fault."""
    at_hand = {name: source(name) for name in ("mtcmb-ed-b", "cmexam-val-xlsx")}
    kept = {"mtcmb-ed-b": at_hand["mtcmb-ed-b"]}
    recipe = failing_without(needed)
    with (
        pytest.raises(MedzhError) as caught,
        blaming_the_option(TCMD, recipe, at_hand, kept, 0),
    ):
        recipe.make(kept, 0)
    assert caught.value.field == field
    assert ("cmexam-val-xlsx (unknown)" in str(caught.value)) == (field == "--publishable")


@pytest.mark.parametrize("config", ["cmhe_hd", "cmhe_dd", "cmhe_ce", "tcmd"])
def test_what_only_users_bring_is_refused_before_they_are_told_to_bring_it(config, tmp_path):
    with pytest.raises(MedzhError, match="cannot be built of sources that may be redistributed") as caught:
        build(config, "official", tmp_path / "build", publishable=True)
    assert caught.value.field == "--publishable"


def made_of(files, _seed):
    records = [{"realm": realm} for name in files for realm in ("甲", "乙")[: len(name)]]
    return Built({"test": records})


def test_the_cost_is_what_all_sources_would_give_beside_what_was_built():
    recipe = Recipe("rebuilt", "", (), made_of)
    all_of_them, free = {"ab": source("ab"), "c": source("c")}, {"c": source("c")}
    table = cost(TCMD, recipe, all_of_them, 0, made_of(free, 0))
    assert table.rows == (("test", "all", 3, 1), ("test", "乙", 1, 0), ("test", "甲", 2, 1))


def test_a_mini_build_is_publishable_and_costs_nothing(tmp_path):
    made = build("tcmd", "mini", tmp_path / "build", publishable=True)
    assert made.notes[0] == "built of sources that may be redistributed alone; left out: none"
    (table,) = (table for table in made.tables if table.title.startswith("Records of all sources"))
    assert all(whole == built for *_, whole, built in table.rows)


def test_tcmd_of_free_sources_can_be_published(upstream_root, tmp_path, monkeypatch):
    for name in ("mtcmb-ed-a", "mtcmb-ed-b"):
        if not cached_path(SOURCES[name], upstream_root).is_file():
            pytest.skip(f"MEDZH_SOURCES lacks {name}")
    monkeypatch.setenv("MEDZH_SOURCES", str(upstream_root))
    out = tmp_path / "build"
    made = build("tcmd", "rebuilt", out, publishable=True)
    assert [one["name"] for one in made.sources] == ["mtcmb-ed-b", "mtcmb-ed-a"]
    assert made.records["test"] == 600
    assert list(faults_of(out)) == []
    assert list(barred(read_manifest(out)["configs"])) == []
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "| Apache-2.0 | yes | pinned, verified |" in card
    assert "under CC-BY-4.0, too, doi:10.5281/zenodo.20465629" in card
    assert not [one["question"] for one in load_records(out, "tcmd").rows if one["question"][:1].isdigit()][10:]
