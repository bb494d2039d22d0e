"""What a release does with a private config: it is refused where it is named, and never carried along."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest
from hub_samples import publishable
from private_package import NAME, private_package

from dataset_scripts.building.build import build
from dataset_scripts.digests import holds_private
from dataset_scripts.packaging.licences import unpublishable
from dataset_scripts.releases import publish as publishing
from dataset_scripts.releases.diff import other_numbers
from dataset_scripts.releases.publish import publish
from dataset_scripts.releases.versions import read_version
from medzh_score.data.hub import folder_of
from medzh_score.data.records import read_manifest

WHY = "private configs are never published"


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Build what may be published and a private config beside it, all of whose sources are free."""
    folder = tmp_path_factory.mktemp("both")
    with private_package(folder / "own"):
        for name in ("sdak", NAME):
            build(name, "mini", folder / "mini")
        (folder / "out").mkdir()
        out = publishable(folder_of(folder / "mini"), folder / "out")
        path = out / "manifest.json"
        manifest = json.loads(path.read_text(encoding="utf-8"))
        for source in manifest["configs"][NAME]["sources"]:
            source |= {"licence": "CC0-1.0", "redistributable": True}
        path.write_text(json.dumps(manifest), encoding="utf-8")
        yield out


@pytest.fixture
def dry(both, monkeypatch):
    """Give a function that publishes nothing, and says what it would."""
    monkeypatch.setattr(publishing, "faults_of", lambda *_, **__: iter(()))
    monkeypatch.setattr(publishing, "_published", lambda *_, **__: None)

    def call(*only):
        said = []
        reasons = publish(both, "org/medzh", read_version("1.0.0"), dry_run=True, say=said.append, only=only)
        return reasons, said

    return call


def test_it_is_left_out_of_the_release_of_others_and_named(dry):
    reasons, said = dry()
    assert reasons == []
    assert said[0] == f"{NAME}: excluded: {WHY}"
    assert any("sdak/" in line for line in said[1:])
    assert [line for line in said[1:] if NAME in line] == []


@pytest.mark.parametrize("only", [(NAME,), ("sdak", NAME)])
def test_who_asks_for_it_by_name_is_refused_and_nothing_goes(dry, only):
    reasons, said = dry(*only)
    assert f"{NAME}: {WHY}" in reasons
    assert not any("bytes" in line for line in said)


def test_it_is_known_by_its_data_where_its_package_is_not_there(both, monkeypatch):
    entry = read_manifest(both)["configs"][NAME]
    monkeypatch.setattr("dataset_scripts.digests.is_private", lambda _: False)
    assert holds_private(NAME, entry)
    assert dict(unpublishable({NAME: entry}, private=True)) == {NAME: WHY}
    del entry["key"]
    assert dict(unpublishable({NAME: entry}, private=True)) == {}


def test_what_changed_says_nothing_of_its_groups(both):
    before = read_manifest(both)["configs"][NAME]
    after = deepcopy(before)
    after["splits"]["test"]["groups"]["letters"] -= 1
    assert list(other_numbers(before, after)) == []
    after["splits"]["test"]["files"][0]["records"] -= 1
    assert list(other_numbers(before, after)) == ["  records in test: changed from 8 to 7"]
    del before["key"], after["key"]
    assert list(other_numbers(before, after)) == [
        "  records in test: changed from 8 to 7",
        "    letters: changed from 4 to 3",
    ]
