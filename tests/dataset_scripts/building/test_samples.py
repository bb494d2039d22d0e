"""The samples that come along are what the recipe mini makes, and are read without the building side."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from places import ROOT

from dataset_scripts.building.check import check
from dataset_scripts.building.samples import is_current, write_sample
from medzh_score.benchmark.registry import config_names
from medzh_score.data.records import load_records, read_manifest
from medzh_score.ui.errors import MedzhError

SDAK = str(ROOT / "dataset_scripts/mini/sdak/predictions.jsonl")
# Counted by hand in the files beside each sample.
RECORDS = {
    "care_mi": {"test": 28},
    "cmhe_ce": {"test": 40},
    "cmhe_dd": {"test": 32},
    "cmhe_hd": {"test": 35},
    "pemebench": {"test": 60},
    "pemebench_cmexam": {"test": 24},
    "pemebench_huatuo": {"test": 22},
    "pemebench_medqa": {"test": 22},
    "sdak": {"test": 204},
    "tcmd": {"train": 66, "test": 53},
}
# What is installed beside scoring; a bare environment lacks them.
BUILDING = ("datasets", "httpx", "jinja2", "jsonschema_rs", "openpyxl", "yaml", "stamina", "pandas", "huggingface_hub")


@pytest.mark.parametrize("config", config_names())
def test_the_sample_is_what_the_recipe_makes(config, minis):
    assert is_current(config, read_manifest(minis)["configs"][config]), "call `make samples`"
    ours, built = (load_records(place, config) for place in ("mini", minis))
    assert (ours.rows, ours.origin) == (built.rows, built.origin)


@pytest.mark.parametrize("config", config_names())
def test_a_sample_is_built_whole_without_a_note_of_one_source_that_may_be_given_on(config, minis):
    entry = read_manifest(minis)["configs"][config]
    assert {split: one["records"] for split, one in entry["splits"].items()} == RECORDS[config]
    assert (entry["recipe"], entry["notes"]) == ("mini", [])
    (source,) = entry["sources"]
    assert (source["licence"], source["redistributable"]) == ("Apache-2.0", True)


def test_all_samples_are_well_and_marked_as_no_benchmark(minis):
    assert check(minis).problems == []
    card = " ".join((minis / "README.md").read_text(encoding="utf-8").split())
    for config in config_names():
        (marked,) = re.findall(rf"`{config}` was built by the recipe `mini`[^`]*", card)
        assert "NOT the official benchmark" in marked
    assert card.count("small hand-written sample") >= len(config_names())
    assert card.count("not for teaching or practicing medicine") == 2  # of CMHE-CE and CMHE-HD


def test_another_sample_is_seen_and_written_anew(minis, tmp_path, monkeypatch):
    entry = read_manifest(minis)["configs"]["sdak"]
    monkeypatch.setattr("dataset_scripts.building.samples.sample_beside", lambda _, recipe: tmp_path / recipe)
    assert not is_current("sdak", entry)
    write_sample(minis, "sdak", entry)
    assert is_current("sdak", entry)
    assert load_records(tmp_path / "mini", "sdak").rows == load_records(minis, "sdak").rows
    manifest = json.loads((tmp_path / "mini" / "manifest.json").read_text(encoding="utf-8"))
    manifest["configs"]["sdak"]["splits"]["test"]["columns"]["answer"] = "0" * 64
    (tmp_path / "mini" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert not is_current("sdak", entry)


def test_a_sample_is_scored_without_what_building_needs():
    code = f"""
import sys
sys.modules.update(dict.fromkeys({BUILDING!r}))
from medzh_score.cli.main import main
words = ["score", "sdak", {SDAK!r}, "--data", "mini"]
status = main(words) or main([*words, "--full"])
assert not [name for name in sys.modules if name.startswith("dataset_scripts")]
sys.exit(status)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    # 76 of 102 pairs follow by the official rule: counted by hand in tests of the config
    assert "IFR ↑                     85.3%  [77.1, 90.9]     74.5%  [65.3, 82.0]" in done.stdout
    assert "official   IFR       74.5%" in done.stdout
    assert "! mini sample, not the official benchmark: do not compare with published results\n" in done.stdout
    assert (
        "The data were built with recipe mini and are not the official benchmark. Do not "
        "compare with published results." in done.stdout
    )
    assert "data:0.0.0/mini/" in done.stdout


def test_a_damaged_sample_is_installed_again(monkeypatch, tmp_path, minis):
    entry = read_manifest(minis)["configs"]["sdak"]
    monkeypatch.setattr("dataset_scripts.building.samples.sample_beside", lambda _, recipe: tmp_path / recipe)
    write_sample(minis, "sdak", entry)
    next((tmp_path / "mini" / "sdak").iterdir()).write_bytes(b"PAR1")
    monkeypatch.setattr("medzh_score.data.hub.package_file", lambda *_: tmp_path / "mini")
    with pytest.raises(
        MedzhError, match=r"the file hash does not match the manifest: .*\n  Fix: reinstall the package of the config"
    ):
        load_records("mini", "sdak")
