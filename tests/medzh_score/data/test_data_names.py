"""The plain name of a config is for official data: open ones bear another wherever a release is read, mini none."""

from __future__ import annotations

import json

import pytest
import yaml
from hub_samples import publishable
from places import SAMPLES
from sentences import sentences

from dataset_scripts.cli.main import main as build_command
from dataset_scripts.releases.checks import faults_of
from dataset_scripts.releases.publish import staged
from dataset_scripts.releases.versions import read_version
from medzh_score.benchmark.registry import find_config
from medzh_score.cli.main import main
from medzh_score.data.records import load_records, read_manifest
from medzh_score.ui.errors import MedzhError


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    samples = tmp_path_factory.mktemp("samples") / "medzh"
    for config in ("sdak", "tcmd", "care_mi"):
        assert build_command(["build", config, "--recipe", "mini", "--output", str(samples)]) == 0
    recipes = {"sdak": "official", "tcmd": "open", "care_mi": "mini"}
    return publishable(samples, tmp_path_factory.mktemp("build"), **recipes)


@pytest.fixture(scope="module")
def release(build):
    configs = {name: entry for name, entry in read_manifest(build)["configs"].items() if name != "care_mi"}
    with staged(build, configs, read_version("1.0.0"), private=False) as folder:
        yield folder


def test_a_release_is_well_and_load_dataset_knows_it_by_these_names(release):
    assert list(faults_of(release)) == []  # loads every config by load_dataset
    head = yaml.safe_load((release / "README.md").read_text(encoding="utf-8").split("---\n", 2)[1])
    names = ["sdak", "tcmd_open"]
    assert [one["config_name"] for one in head["configs"]] == names
    assert [one["config_name"] for one in head["dataset_info"]] == names
    paths = [path for one in head["configs"] for files in one["data_files"] for path in files["path"]]
    assert {path.split("/")[0] for path in paths} == {*names}
    croissant = json.loads((release / "croissant.json").read_text("utf-8"))
    assert {one["@id"].split("/")[0] for one in croissant["recordSet"]} == {*names}


def test_a_release_is_scored_as_the_build_was(build, release, tmp_path):
    reports = []
    for data in (build, release):
        out = tmp_path / f"{len(reports)}.json"
        predictions = str(SAMPLES / "tcmd" / "predictions.jsonl")
        wanted = ["--data", str(data), "--bootstrap", "20", "--to", "json", "--output", str(out)]
        assert main(["score", "tcmd", predictions, *wanted]) == 0
        reports.append(json.loads(out.read_text(encoding="utf-8")))
    local, released = reports
    assert {"metrics", "groups"} <= {key for key in local if local[key] == released[key]}
    assert (local["config"], released["config"]) == ("tcmd", "tcmd")
    assert {one["signature"]["config"] for one in reports} == {"tcmd_open"}
    assert released["signature"]["data"].startswith("1.0.0/open/")
    assert (
        "The data were built with recipe open and are not the official benchmark. Do not "
        "compare with published results." in sentences(released)
    )
    assert load_records(release, "tcmd").rows == load_records(build, "tcmd").rows


def test_who_takes_the_name_of_open_data_for_a_config_learns_which_config_it_is():
    with pytest.raises(MedzhError, match="use tcmd; tcmd_open is the name of its data, which --data selects") as raised:
        find_config("tcmd_open")
    assert raised.value.found == "tcmd_open"
    with pytest.raises(MedzhError) as raised:
        find_config("other_open")
    assert raised.value.advice is None
