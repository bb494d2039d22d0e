"""Releases on a hub, loaded by tag: never the wrong rows, with a connection and without."""

from __future__ import annotations

import json
import shutil
import threading
from http import HTTPStatus
from pathlib import Path

import pytest
from hub_client import client_of, served
from hub_replies import commit_files
from hub_samples import (
    OTHER,
    UNCHECKED,
    altered,
    broken,
    closed,
    loaded,
    prompts,
    publishable,
    published,
    rebuilt,
    refused,
    shortened,
)
from hub_state import Commit, Trouble

from dataset_scripts.cli.main import main as build_command

pytestmark = pytest.mark.smoke

REPO = "org/medzh"
LOAD_DATASET = """
import json, os, sys
from datasets import load_dataset
from huggingface_hub import snapshot_download
place, revision = "org/medzh", sys.argv[1]
if sys.argv[2] == "snapshot":
    place, revision = snapshot_download(place, repo_type="dataset", revision=revision), None
rows = load_dataset(place, "sdak", revision=revision, split="test", streaming=sys.argv[2] == "streaming")
print(json.dumps(sorted(row["prompt"] for row in rows)))
sys.stdout.flush()
os._exit(0)  # a stream may abort an interpreter that ends as usual
"""


@pytest.fixture(scope="module")
def builds(tmp_path_factory):
    samples = tmp_path_factory.mktemp("samples") / "medzh"
    for config in ("sdak", "tcmd"):
        assert build_command(["build", config, "--recipe", "mini", "--output", str(samples)]) == 0
    out = publishable(samples, tmp_path_factory.mktemp("first"))
    other = rebuilt(out, tmp_path_factory.mktemp("second"), change=lambda rows: rows[0].update(prompt=OTHER))
    return out, other


@pytest.fixture(scope="module")
def releases(builds, tmp_path_factory, forked):
    with served() as hub:
        client = client_of(hub, tmp_path_factory.mktemp("publisher"), forked)
        for version, build in zip(("1.0.0", "2.0.0"), builds, strict=True):
            done = published(client, build, version, start=("-c", UNCHECKED))
            assert done.returncode == 0, done.stdout + done.stderr
        yield hub


@pytest.fixture
def hub(releases):
    tags, commits = dict(releases.repos[REPO].tags), list(releases.repos[REPO].commits)
    releases.requests.clear()
    yield releases
    releases.troubles.clear()
    releases.repos[REPO].tags, releases.repos[REPO].commits = tags, commits


def tagged(hub, tag):
    return hub.repos[REPO].tags[tag]


def test_both_releases_load_with_their_own_rows_by_either_library(hub, client, builds):
    assert prompts(builds[0]) != prompts(builds[1])
    for tag, build in zip(("v1.0.0", "v2.0.0"), builds, strict=True):
        assert loaded(client, tag) == [tag[1:], tagged(hub, tag), prompts(build)]
        for way in ("streaming", "whole", "snapshot"):
            done = client("-c", LOAD_DATASET, tag, way)
            assert json.loads(done.stdout.splitlines()[-1]) == prompts(build), done.stderr


def test_without_a_hub_a_tag_gives_its_own_rows_or_none(hub, client, builds):
    first = ["1.0.0", tagged(hub, "v1.0.0"), prompts(builds[0])]
    assert loaded(client, "v1.0.0") == first
    for gone in ({"HF_ENDPOINT": "http://127.0.0.1:9"}, {"HF_HUB_OFFLINE": "1"}, {"HTTP_PROXY": "http://127.0.0.1:9"}):
        assert loaded(client, "v1.0.0", **gone) == first
    for lacking in (("v2.0.0", "sdak"), ("v9.9.9", "sdak"), ("v1.0.0", "tcmd")):
        assert "and the cache does not contain it" in str(loaded(client, *lacking, HF_HUB_OFFLINE="1"))
    assert loaded(client, "v1.0.0", "tcmd")[2] == prompts(builds[0], "tcmd")
    assert "has no such tag" in str(loaded(client, "v9.9.9"))


WITHOUT_CLIENT = """
import sys
sys.modules |= dict.fromkeys(name for name in sys.modules if name.partition(".")[0] == "huggingface_hub")
sys.modules["huggingface_hub"] = None
from importlib import import_module
sys.exit(import_module(sys.argv[1]).main(sys.argv[2:]))
"""


IN_ENGLISH = "run `pip install 'medzh-score[hub]'`"
IN_CHINESE = "请运行 `pip install 'medzh-score[hub]'`"


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", f'field "huggingface_hub": the hub client is not installed\n  Fix: {IN_ENGLISH}.'),
        ("zh", f"字段 huggingface_hub：未安装 hub 客户端\n  处理方法：{IN_CHINESE}。"),
    ],
)
def test_a_tag_without_the_client_names_its_extra_in_a_line(hub, client, builds, language, message, sdak_sample):
    score = ("medzh_score.cli.main", "score", "sdak", str(sdak_sample / "predictions.jsonl"))
    commands = (
        (*score, "--data", f"{REPO}@v1.0.0", "--lang", language),
        ("dataset_scripts.cli.main", "diff", f"{REPO}@v1.0.0", str(builds[0])),
        ("dataset_scripts.cli.main", "publish", REPO, "--version", "3.0.0", "--data", str(builds[0])),
    )
    for command in commands:
        done = client("-c", WITHOUT_CLIENT, *command, LC_ALL="zh_CN.UTF-8" if language == "zh" else "C.UTF-8")
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert done.stderr.endswith(f"{message}\n")
        assert done.stderr.count("\n") == 2
    assert hub.requests == []
    done = client("-c", WITHOUT_CLIENT, *score, "--data", str(builds[0]), "--bootstrap", "0")
    assert done.returncode == 0, done.stderr


def stalled(seconds, hub):

    def wait(_):
        hub.lock.release()
        threading.Event().wait(seconds)
        hub.lock.acquire()

    return wait


@pytest.mark.parametrize("how", ["fails", "closes", "stalls"])
def test_a_hub_that_is_ill_gives_what_was_loaded_before(hub, client, builds, how):
    first = loaded(client, "v1.0.0")
    hub.troubles.append(Trouble(".", {"fails": broken, "closes": closed, "stalls": stalled(3, hub)}[how]))
    assert loaded(client, "v1.0.0") == first == ["1.0.0", tagged(hub, "v1.0.0"), prompts(builds[0])]


@pytest.mark.parametrize(
    ("pattern", "change", "expected"),
    [
        (
            "GET .*/resolve/.*parquet",
            altered,
            "the cached file differs from the file on the hub: it was modified or damaged",
        ),
        (
            "GET .*/resolve/.*manifest",
            altered,
            "the cached file differs from the file on the hub: it was modified or damaged",
        ),
        ("GET .*/resolve/.*parquet", shortened, "cannot load the data from"),
        ("HEAD .*/resolve/", closed, "cannot load the data from"),
        ("HEAD .*/resolve/", refused(HTTPStatus.UNAUTHORIZED, "RepoNotFound"), "hf auth login"),
        ("HEAD .*/resolve/", refused(HTTPStatus.FORBIDDEN, "GatedRepo"), "access to the repository on"),
        (
            "HEAD .*/resolve/.*parquet",
            refused(HTTPStatus.NOT_FOUND, "EntryNotFound"),
            "the release is incomplete: a file is missing",
        ),
    ],
    ids=["other-parquet", "other-manifest", "truncated", "closed", "private", "gated", "lacking"],
)
def test_a_hub_that_misbehaves_gives_a_message_and_no_rows(hub, client, pattern, change, expected):
    hub.troubles.append(Trouble(pattern, change))
    message = loaded(client, "v1.0.0")
    assert isinstance(message, str)
    assert expected in message
    assert "\n" not in message.replace("\n  ", "")


def with_manifest(hub, change):
    old = hub.repos[REPO].find("v1.0.0")
    assert old is not None
    manifest = json.loads(hub.file(REPO, "v1.0.0", "manifest.json"))
    change(manifest["configs"]["sdak"])
    digest = hub.keep(json.dumps(manifest, ensure_ascii=False).encode())
    new = Commit("f" * 40, "moved", {**old.files, "manifest.json": digest}, old.large)
    hub.repos[REPO].commits.append(new)
    hub.repos[REPO].tags["v1.0.0"] = new.oid


def test_records_that_are_not_those_of_manifest_or_tag_are_refused(hub, client):
    with_manifest(hub, lambda entry: entry.update(fingerprint="0" * 64))
    assert 'field "fingerprint": the rows of the file do not match the manifest' in str(loaded(client, "v1.0.0"))
    hub.repos[REPO].tags["v1.0.0"] = tagged(hub, "v2.0.0")
    message = str(loaded(client, "v1.0.0"))
    assert "the version of the records does not match the tag: expected 1.0.0, found '2.0.0'" in message
    done = client("-m", "medzh_score", "cite", "sdak", "--data", f"{REPO}@v1.0.0")
    assert done.returncode == 2
    assert "the version of the records does not match the tag" in done.stderr


def test_a_tag_that_moves_gives_the_rows_of_the_commit_that_is_recorded(hub, client, builds):
    before = tagged(hub, "v1.0.0")
    assert loaded(client, "v1.0.0") == ["1.0.0", before, prompts(builds[0])]
    with_manifest(hub, lambda entry: entry.update(summary="described anew"))
    assert loaded(client, "v1.0.0", HF_HUB_OFFLINE="1") == ["1.0.0", before, prompts(builds[0])]
    moved = ["1.0.0", "f" * 40, prompts(builds[0])]
    assert loaded(client, "v1.0.0") == moved
    assert loaded(client, "v1.0.0", HF_HUB_OFFLINE="1") == moved


@pytest.mark.parametrize("name", ["manifest.json", "sdak/test-*.parquet"])
def test_a_damaged_cache_gives_no_rows_and_deleting_what_is_named_mends_it(hub, client, tmp_path, builds, name):
    loaded(client, "v1.0.0")
    (file,) = (tmp_path / "home").glob(f"hub/datasets--org--medzh/snapshots/*/{name}")
    real = file.resolve()
    real.chmod(0o644)
    real.write_bytes(real.read_bytes()[:-9])
    message = loaded(client, "v1.0.0")
    assert isinstance(message, str)
    named = message.rpartition("\n  Fix: delete ")[2].removesuffix(" and load the data again.")
    shutil.rmtree(Path(named))
    assert loaded(client, "v1.0.0") == ["1.0.0", tagged(hub, "v1.0.0"), prompts(builds[0])]


def test_names_that_are_no_tag_and_folders_that_look_like_one(hub, client, tmp_path, builds):
    shutil.copytree(builds[1], tmp_path / "org" / "medzh@v1.0.0")
    shutil.copytree(builds[1], tmp_path / "org" / "empty", ignore=lambda *_: ["manifest.json"])
    assert loaded(client, "v1.0.0", cwd=tmp_path) == ["0.0.0", None, prompts(builds[1])]  # a folder that is there wins
    assert not hub.requests
    for name, expected in (
        ("org/medzh", "such as org/medzh@v1.0.0"),
        ("org/empty", "no build found"),
        ("org/me--dzh@v1.0.0", "invalid repository name"),
        ("org/none@v1.0.0", "has no such repository"),
    ):
        done = client("-m", "medzh_score", "prompts", "sdak", "--data", name, cwd=tmp_path)
        assert (done.returncode, expected in done.stderr) == (2, True), done.stderr
    with hub.lock:
        hub.repos["org/other"] = type(hub.repos[REPO])([Commit("a" * 40, "first", {}, frozenset())])
    commit_files(hub, "org/other", b'{"key":"header","value":{"summary":"s"}}')
    done = client("-m", "medzh_score", "prompts", "sdak", "--data", "org/other@main")
    assert "the release is incomplete: a file is missing" in done.stderr
