"""Publishing: what is refused, and that a failure or a kill at any step leaves no tag, and a second call finishes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from hub_client import environment, served
from hub_samples import OTHER, loaded, lost, prompts, publishable, published, rebuilt
from hub_state import Commit, Hub, Reply, Trouble

from dataset_scripts.cli.main import main as build_command
from dataset_scripts.packaging.build_files import write_rest
from dataset_scripts.packaging.licences import unpublishable
from dataset_scripts.recipe import dataset, dataset_names
from dataset_scripts.releases.checks import faults_of
from dataset_scripts.releases.publish import publish
from dataset_scripts.releases.versions import read_version
from medzh_score.data.records import read_manifest
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from hub_samples import Client

pytestmark = pytest.mark.smoke

REPO = "org/medzh"
HINT = "use `--private` to publish the config only for your organization"
# Each request of a publisher that changes something or looks whether it did, in their order.
STEPS = (
    "POST /api/repos/create",
    "POST .*/preupload/",
    "POST .*/objects/batch",
    "PUT /lfs/",
    "POST .*/commit/",
    "GET .*/resolve/",
    "POST .*/tag/",
)
# Imports everything once. For each line of a folder and a version it forks a child that publishes; the child waits
# until its number is known, so that it can be killed. The answer is its number, and then its status.
HARNESS = """
import os, sys
from pathlib import Path
import datasets, jinja2, pyarrow.parquet, yaml
from huggingface_hub import HfApi, snapshot_download
from dataset_scripts.building.check import Checked
from dataset_scripts.recipe import dataset
from dataset_scripts.releases import checks, publish
from dataset_scripts.releases.versions import read_version
from medzh_score.benchmark.registry import find_config
from medzh_score.ui.errors import MedzhError

loaded = [load(config) for config in ("sdak", "tcmd") for load in (dataset, find_config)]
checks.check = lambda _: Checked([], ["looked at elsewhere, and slow"])

def say(line):
    print(line, file=sys.stderr, flush=True)

def child(folder, version):
    try:
        reasons = publish.publish(Path(folder), "org/medzh", read_version(version), dry_run=False, say=say)
    except MedzhError as error:
        print(error, file=sys.stderr, flush=True)
        return 2
    print(*reasons, file=sys.stderr, flush=True)
    return 1 if reasons else 0

for line in sys.stdin:
    come, go = os.pipe()
    process = os.fork()
    if process == 0:
        os.read(come, 1)
        status = 3
        try:
            status = child(*line.split())
        finally:
            os._exit(status)
    print(process, flush=True)
    sys.stdin.readline()
    os.write(go, b"!")
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


class Publisher:
    """A process that publishes again and again."""

    def __init__(self, process: subprocess.Popen[str], hub: Hub, home: Path, errors: Path) -> None:
        self.process = process
        self.hub = hub
        self.home = home
        self.errors = errors
        self.number = 0

    def publish(self, folder: Path, version: str) -> int:
        """Publish, and give the status."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{folder} {version}\n")
        self.process.stdin.flush()
        self.number = int(self.process.stdout.readline())
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def killed(self, _: Callable[[], Reply]) -> None:
        """Kill the one that asks, before its request is carried out."""
        os.kill(self.number, signal.SIGKILL)


@pytest.fixture(scope="module")
def publisher_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Publisher]:
    """Give a publisher to a hub; it is started once, for that takes longer than to publish."""
    folder = tmp_path_factory.mktemp("publisher")
    home, errors = folder / "home", folder / "errors"
    with (
        served() as hub,
        errors.open("a") as stream,
        subprocess.Popen(
            [sys.executable, "-c", HARNESS],
            env=environment(hub, home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stream,
            encoding="utf-8",
        ) as process,
    ):
        yield Publisher(process, hub, home, errors)
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def publisher(publisher_of_all: Publisher) -> Publisher:
    """Give the publisher, to an empty hub, without a cache and before any error."""
    state = publisher_of_all.hub
    for held in (state.repos, state.blobs, state.requests, state.troubles):
        held.clear()
    shutil.rmtree(publisher_of_all.home, ignore_errors=True)
    publisher_of_all.errors.write_bytes(b"")
    return publisher_of_all


@pytest.fixture
def hub(publisher: Publisher) -> Hub:
    """Give the hub that it publishes to."""
    return publisher.hub


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the samples of SDAK and TCMD as what may be published."""
    samples = tmp_path_factory.mktemp("samples") / "medzh"
    for config in ("sdak", "tcmd"):
        assert build_command(["build", config, "--recipe", "mini", "--output", str(samples)]) == 0
    return publishable(samples, tmp_path_factory.mktemp("first"))


@pytest.fixture(scope="module")
def second(first: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build SDAK alone, with one record changed."""
    return rebuilt(first, tmp_path_factory.mktemp("second"), change=lambda rows: rows[0].update(prompt=OTHER))


def with_lost_steps(hub: Hub, publisher: Publisher, build: Path, version: str, steps: tuple[str, ...]) -> None:
    """Let each step fail, and be killed before; then publish."""
    standing = dict(hub.repos[REPO].tags) if REPO in hub.repos else {}
    forbidden = Reply(HTTPStatus.FORBIDDEN, b"no")
    for step in steps:
        for status, change in ((2, lambda _: forbidden), (-signal.SIGKILL, publisher.killed)):
            hub.troubles[:] = [Trouble(step, change)]
            assert publisher.publish(build, version) == status, step
            assert (dict(hub.repos[REPO].tags) if REPO in hub.repos else {}) == standing
    hub.troubles.clear()
    assert publisher.publish(build, version) == 0
    assert sorted(hub.repos[REPO].tags) == sorted([*standing, f"v{version}"])
    assert publisher.publish(build, version) == 1  # a release never changes


def test_failed_or_killed_at_any_step_there_is_no_tag_and_a_second_call_finishes(
    hub: Hub, publisher: Publisher, client: Client, first: Path, second: Path
) -> None:
    with_lost_steps(hub, publisher, first, "1.0.0", STEPS)
    with_lost_steps(hub, publisher, second, "2.0.0", STEPS[4:])
    assert len(hub.repos[REPO].commits) == 3  # none but the first and one a release
    for tag, build in (("v1.0.0", first), ("v2.0.0", second)):
        assert loaded(client, tag)[2] == prompts(build)  # type: ignore[index]
    assert "the build does not contain the config" in str(loaded(client, "v2.0.0", "tcmd"))


def test_where_only_the_answer_is_lost_a_second_call_finishes_or_there_is_nothing_to_do(
    hub: Hub, publisher: Publisher, first: Path
) -> None:
    hub.troubles[:] = [Trouble("POST .*/commit/", lost, times=1)]
    if publisher.publish(first, "1.0.0") == 2:
        assert not hub.repos[REPO].tags
        assert publisher.publish(first, "1.0.0") == 0
    hub.troubles[:] = [Trouble("POST .*/tag/", lost, times=1)]
    assert publisher.publish(first, "1.0.1") == 0  # the tag is there, whatever was said
    assert list(hub.repos[REPO].tags) == ["v1.0.0", "v1.0.1"]


def test_of_two_publishers_at_once_one_gives_up(hub: Hub, publisher: Publisher, first: Path, second: Path) -> None:
    def commit_of_another(carry_out: Callable[[], Reply]) -> Reply | None:
        hub.repos[REPO].commits.append(Commit("b" * 40, "another", {}, frozenset()))
        hub.repos[REPO].tags["v1.5.0"] = "b" * 40
        return carry_out()

    # Where there is no repository yet, the other one publishes as soon as it is made.
    hub.troubles[:] = [Trouble("POST /api/repos/create", lambda make: (make(), commit_of_another(make))[1])]
    assert publisher.publish(first, "1.0.0") == 2
    assert "v1.5.0" in publisher.errors.read_text(encoding="utf-8")
    assert list(hub.repos[REPO].tags) == ["v1.5.0"]
    # Where there is one, the head has moved on since it was compared.
    hub.repos.clear()
    hub.troubles.clear()
    assert publisher.publish(first, "1.0.0") == 0
    hub.troubles[:] = [Trouble("POST .*/commit/", commit_of_another, times=1)]
    assert publisher.publish(second, "2.0.0") == 2
    assert "v2.0.0" not in hub.repos[REPO].tags
    # A tag of that name came while the commit was verified.
    hub.repos.clear()
    hub.troubles[:] = [Trouble("POST .*/tag/", lambda ask: taken(hub, "v1.0.0", ask), times=1)]
    assert publisher.publish(first, "1.0.0") == 2
    assert "tag v1.0.0 refers to another commit" in publisher.errors.read_text(encoding="utf-8")
    assert hub.repos[REPO].tags == {"v1.0.0": hub.repos[REPO].commits[0].oid}


def taken(hub: Hub, tag: str, ask: Callable[[], Reply]) -> Reply:
    """Let somebody else be the first to use a tag."""
    hub.repos[REPO].tags[tag] = hub.repos[REPO].commits[0].oid
    return ask()


def other_claim(rows: list[dict[str, object]]) -> None:
    """Change what a record says."""
    rows[0].update(claim=OTHER)


def test_a_version_that_breaks_the_rule_is_refused(
    hub: Hub, publisher: Publisher, client: Client, first: Path, tmp_path: Path
) -> None:
    builds = {change: tmp_path / change.__name__ for change in (other_claim, list.pop)}
    for change, folder in builds.items():
        folder.mkdir()
        rebuilt(first, folder, change)
    removed = "tcmd: removed (major): 0 records added, 119 removed"
    refusals = (
        ("1.0.0", first, "v1.0.0 is already published, and a release never changes"),
        ("0.9.0", first, "0.9.0 is not higher than 1.0.0, the last published version"),
        (
            "1.1.0",
            builds[other_claim],
            "the changes since 1.0.0 require version 2.0.0 or later (major), but 1.1.0 is only a minor step",
        ),
        ("1.0.1", builds[list.pop], "(major), but 1.0.1 is only a patch step"),
    )
    assert publisher.publish(first, "1.0.0") == 0
    for version, build, expected in refusals:
        publisher.errors.write_bytes(b"")
        assert publisher.publish(build, version) == 1, expected
        said = publisher.errors.read_text(encoding="utf-8")
        assert expected in said
        assert (removed in said) == (build != first)
    done = published(client, build, version)
    assert done.returncode == 1
    assert expected in done.stdout
    assert removed in done.stdout
    assert list(hub.repos[REPO].tags) == ["v1.0.0"]
    assert len(hub.repos[REPO].commits) == 2


def test_a_dry_run_uploads_nothing_and_ends_well_without_a_hub(hub: Hub, client: Client, first: Path) -> None:
    done = published(client, first, "1.0.0", "--dry-run")
    assert done.returncode == 0
    assert not hub.repos
    done = published(client, first, "1.0.0", "--dry-run", HF_ENDPOINT="http://127.0.0.1:9")
    assert done.returncode == 0, done.stderr
    assert f"{REPO}: not compared: " in done.stdout
    assert "sdak 1.0.0: recipe official" in done.stdout


def test_a_full_disk_leaves_nothing_on_the_hub(hub: Hub, first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dataset_scripts.releases.publish.shutil.copyfile", full)
    monkeypatch.setattr("dataset_scripts.releases.publish._published", lambda *_, **__: None)
    with pytest.raises(MedzhError, match="the build cannot be copied: No space left"):
        publish(first, REPO, read_version("1.0.0"), dry_run=True, say=lambda _: None)
    assert not hub.repos


def test_what_may_not_be_redistributed_or_is_not_well_is_named(first: Path, tmp_path: Path) -> None:
    configs = read_manifest(first)["configs"]
    kept = {"name": "CMeKG", "licence": "unknown", "redistributable": False}
    unfree = {**configs, "sdak": {**configs["sdak"], "sources": [*configs["sdak"]["sources"], kept]}}
    why = "the licenses of these sources do not permit redistribution: CMeKG (unknown)"
    assert [*unpublishable(unfree, private=False)] == [("sdak", f"{why}; {HINT}")]
    assert [*unpublishable(unfree, private=True)] == []
    others = [name for name in ("pemebench_cmexam", "pemebench_medqa") if dataset(name).never_published]
    assert len(others) == 2
    assert [*unpublishable(dict.fromkeys(others, configs["sdak"]), private=False)] == [
        (name, f"{dataset(name).never_published}; {HINT}") for name in others
    ]
    dirty = tmp_path / "dirty"
    shutil.copytree(first, dirty)
    (dirty / "notes.txt").write_text("not built", encoding="utf-8")
    assert [*faults_of(dirty)] == ["notes.txt: the file is not listed in the manifest"]
    (dirty / "manifest.json").write_text("{}", encoding="utf-8")
    assert [*faults_of(dirty)]


def dry_run(build: Path, *only: str) -> tuple[list[str], str]:
    """Give the reasons against publishing, and what was said, without a hub."""
    said: list[str] = []
    reasons = publish(build, REPO, read_version("1.0.0"), dry_run=True, say=said.append, only=only)
    return reasons, "\n".join(said)


@pytest.fixture
def without_a_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dataset_scripts.releases.publish._published", lambda *_, **__: None)


@pytest.mark.usefixtures("without_a_hub")
def test_no_sample_is_ever_published(minis: Path) -> None:
    configs = read_manifest(minis)["configs"]
    assert configs.keys() == set(dataset_names())
    assert {entry["recipe"] for entry in configs.values()} == {"mini"}
    reasons, said = dry_run(minis)
    assert reasons == ["the build has no config that can be published"]
    why = "the mini sample is never published, because it could be mistaken for the benchmark"
    for name in configs:
        assert f"{name}: excluded: {why}" in said
    assert " 1.0.0" not in said


@pytest.mark.usefixtures("without_a_hub")
def test_what_may_not_be_published_is_left_out_by_name(minis: Path, tmp_path: Path) -> None:
    minis = publishable(minis, tmp_path)
    reasons, said = dry_run(minis)
    assert reasons == []
    held = [name for name in read_manifest(minis)["configs"] if dataset(name).never_published]
    assert held
    for name in held:
        assert f"{name}: excluded: {dataset(name).never_published}" in said
        assert f"{name}/" not in said
        assert f"{name} 1.0.0" not in said
    assert "sdak 1.0.0: recipe official" in said
    assert dry_run(minis, *held)[0] == ["the build has no config that can be published"]


@pytest.mark.usefixtures("without_a_hub")
def test_only_the_configs_that_are_named_are_published(first: Path) -> None:
    reasons, said = dry_run(first, "tcmd")
    assert reasons == []
    assert "tcmd 1.0.0: recipe official" in said
    assert "sdak" not in said
    with pytest.raises(
        MedzhError, match="option --configs: the build does not contain the config: expected sdak, tcmd, found 'sdaq'"
    ):
        dry_run(first, "sdaq")


def test_without_a_token_nothing_is_uploaded(hub: Hub, client: Client, first: Path) -> None:
    hub.troubles.append(Trouble("POST ", lambda _: Reply(HTTPStatus.UNAUTHORIZED, b'{"error": "no token"}')))
    done = published(client, first, "1.0.0", HF_TOKEN=None)  # type: ignore[arg-type]
    assert done.returncode == 2
    assert "hf auth whoami" in done.stderr.splitlines()[-1]
    assert not hub.repos


@pytest.fixture
def unfree(first: Path, tmp_path: Path) -> Path:
    """Give a build whose SDAK may not be redistributed, as that of the authors' file is."""
    folder = tmp_path / "unfree"
    shutil.copytree(first, folder)
    configs = read_manifest(folder)["configs"]
    for source in configs["sdak"]["sources"]:
        source |= {"licence": "unknown", "redistributable": False}
    write_rest(folder, configs)
    return folder


def test_what_may_not_be_redistributed_goes_to_a_private_repository(hub: Hub, client: Client, unfree: Path) -> None:
    refused = published(client, unfree, "1.0.0", "--configs", "sdak")
    assert refused.returncode == 1
    assert "sdak: excluded: the licenses of these sources do not permit redistribution: " in refused.stdout
    assert HINT in refused.stdout
    assert not hub.repos
    done = published(client, unfree, "1.0.0", "--private")
    assert done.returncode == 0, done.stderr
    assert hub.repos[REPO].private
    manifest = json.loads(hub.file(REPO, "v1.0.0", "manifest.json"))
    assert manifest["private"] is True
    card = hub.file(REPO, "v1.0.0", "README.md").decode("utf-8")
    assert "**For internal use of this organization only." in card
    assert "**仅供本组织内部使用" in card
    assert loaded(client, "v1.0.0")[0] == "1.0.0"
    code = "from datasets import load_dataset; print(len(load_dataset('org/medzh', 'sdak', split='test')))"
    there = client("-c", code)
    assert there.returncode == 0, there.stderr
    assert int(there.stdout.split()[-1]) == len(prompts(unfree))


def test_a_private_release_is_refused_without_the_option_and_in_public(
    hub: Hub, client: Client, unfree: Path, first: Path, tmp_path: Path
) -> None:
    assert published(client, unfree, "1.0.0", "--private").returncode == 0
    # The same repository, whatever the content, and the same content, wherever it goes.
    again = published(client, first, "2.0.0")
    assert again.returncode == 1
    assert f"{REPO} contains a release for one organization only (v1.0.0); publish with `--private`" in again.stdout
    copy = tmp_path / "copy"
    commit = hub.repos[REPO].find("v1.0.0")
    assert commit is not None
    for path in commit.files:
        if path != ".gitattributes":
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(hub.file(REPO, "v1.0.0", path))
    elsewhere = client("-m", "dataset_scripts", "publish", "org/open", "--version", "1.0.0", "--data", str(copy))
    assert elsewhere.returncode == 1
    assert "the build is a release for one organization only; publish it with `--private`" in elsewhere.stdout
    assert "org/open" not in hub.repos


def test_a_public_repository_takes_no_private_release(hub: Hub, client: Client, unfree: Path, first: Path) -> None:
    assert published(client, first, "1.0.0").returncode == 0
    assert not hub.repos[REPO].private
    refused = published(client, unfree, "2.0.0", "--private")
    assert refused.returncode == 1
    assert f"{REPO} is public, but `--private` requires a private repository" in refused.stdout
    assert list(hub.repos[REPO].tags) == ["v1.0.0"]
