"""The plain name of a config is for official data: open ones bear another wherever a release is read, mini none."""

from __future__ import annotations

import json

import pytest
import yaml
from hub_samples import publishable
from places import SAMPLES

from dataset_scripts.command_line import main as build_command
from dataset_scripts.releases.publishing import staged
from dataset_scripts.releases.refusing import faults_of
from dataset_scripts.releases.versions import read_version
from medzh_score.benchmark.registry import find_config
from medzh_score.command_line import main
from medzh_score.data.records import load_records, read_manifest
from medzh_score.messages.errors import MedzhError


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Build SDAK as if official, TCMD as if open and CARE-MI as what it is, the sample."""
    samples = tmp_path_factory.mktemp("samples") / "medzh"
    for config in ("sdak", "tcmd", "care_mi"):
        assert build_command(["build", config, "--recipe", "mini", "--out", str(samples)]) == 0
    recipes = {"sdak": "official", "tcmd": "open", "care_mi": "mini"}
    return publishable(samples, tmp_path_factory.mktemp("build"), **recipes)


@pytest.fixture(scope="module")
def release(build):
    """Give the folder that is uploaded."""
    configs = {name: entry for name, entry in read_manifest(build)["configs"].items() if name != "care_mi"}
    with staged(build, configs, read_version("1.0.0"), private=False) as folder:
        yield folder


def test_a_dry_run_shows_the_names_and_leaves_mini_out(build, capsys, monkeypatch):
    monkeypatch.setattr("dataset_scripts.releases.publishing._published", lambda *_, **__: None)
    monkeypatch.setattr("dataset_scripts.releases.publishing.faults_of", lambda *_, **__: [])
    publish = ["publish", "org/medzh", "--version", "1.0.0", "--data", str(build), "--dry-run"]
    assert build_command(publish) == 0
    shown = capsys.readouterr().out
    assert "care_mi: left out: a sample is never published" in shown
    assert "  tcmd_open/test-" in shown
    assert "  sdak/test-" in shown
    assert "\ntcmd_open 1.0.0: recipe open" in shown
    assert "\nsdak 1.0.0: recipe official" in shown
    assert build_command([*publish, "--configs", "care_mi"]) == 1
    assert "refused: nothing of the build may be published" in capsys.readouterr().out


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


def test_a_card_whose_first_config_is_open_loads_it_by_its_name(build):
    others = {"tcmd": read_manifest(build)["configs"]["tcmd"]}
    with staged(build, others, read_version("1.0.0"), private=False) as folder:
        card = (folder / "README.md").read_text(encoding="utf-8")
    body = card.split("---\n", 2)[2].lstrip()
    assert body.startswith("`tcmd_open` was built by the recipe `open`: ")
    assert 'load_dataset(folder, "tcmd_open", split="test")' in card
    assert 'load_records("ORG/medzh@v1.0.0", "tcmd")' in card
    assert "| `tcmd_open` | no / 不可以 |" in card
    assert "medzh-score score tcmd predictions.jsonl" in card
    assert "config tcmd\\_open" in card  # the title to cite
    assert "tcmd_open predictions" not in card


def test_a_release_is_scored_as_the_build_was(build, release, tmp_path):
    reports = []
    for data in (build, release):
        out = tmp_path / f"{len(reports)}.json"
        predictions = str(SAMPLES / "tcmd" / "predictions.jsonl")
        wanted = ["--data", str(data), "--bootstrap", "20", "--to", "json", "--out", str(out)]
        assert main(["score", "tcmd", predictions, *wanted]) == 0
        reports.append(json.loads(out.read_text(encoding="utf-8")))
    local, released = reports
    assert {"metrics", "groups"} <= {key for key in local if local[key] == released[key]}
    assert (local["config"], released["config"]) == ("tcmd", "tcmd")
    assert {one["signature"]["config"] for one in reports} == {"tcmd_open"}
    assert released["signature"]["data"].startswith("1.0.0/open/")
    assert "The data are open, not the official benchmark: compare with no paper." in released["notes"]
    assert load_records(release, "tcmd").rows == load_records(build, "tcmd").rows


def test_who_takes_the_name_of_open_data_for_a_config_learns_which_config_it_is():
    with pytest.raises(MedzhError, match="say tcmd: tcmd_open names data of it") as raised:
        find_config("tcmd_open")
    assert raised.value.found == "tcmd_open"
    with pytest.raises(MedzhError) as raised:
        find_config("other_open")
    assert raised.value.advice is None
