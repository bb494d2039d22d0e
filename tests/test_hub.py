"""Releases on a hub: published, loaded by tag, and never the wrong rows, with a connection and without."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from hub_state import Hub, Reply, Trouble

from dataset_scripts.command_line import main as build_command
from dataset_scripts.features import column_types, read_schema
from dataset_scripts.packaging import write_rest, write_splits
from dataset_scripts.recipe import dataset
from medzh_score.records import load_records, read_manifest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Client = Callable[..., subprocess.CompletedProcess[str]]

LOAD = """
import json, sys
from medzh_score.errors import MedzhError
from medzh_score.records import load_records
try:
    records = load_records("sdak", sys.argv[1])
except MedzhError as error:
    print(json.dumps(str(error), ensure_ascii=False))
else:
    origin = records.origin
    print(json.dumps([origin.version, origin.commit, sorted(row["claim"] for row in records.rows)]))
"""
LOAD_DATASET = """
import json, os, sys
from datasets import load_dataset
rows = load_dataset("org/medzh", "sdak", revision=sys.argv[1], split="test", streaming=sys.argv[2] == "streaming")
print(json.dumps(sorted(row["claim"] for row in rows)))
sys.stdout.flush()
os._exit(0)  # a stream may abort an interpreter that ends as usual
"""
OTHER = "改过的论断"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sample of SDAK."""
    out = tmp_path_factory.mktemp("first") / "medzh"
    assert build_command(["build", "sdak", "--recipe", "mini", "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def second(first: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build it with one record changed."""
    return rebuilt(first, tmp_path_factory.mktemp("second"), change=lambda rows: rows[0].update(claim=OTHER))


def rebuilt(build: Path, folder: Path, change: Callable[[list[dict[str, object]]], None]) -> Path:
    """Write a build anew with other records."""
    entry = read_manifest(build)["configs"]["sdak"]
    rows = load_records("sdak", build).rows
    change(rows)
    types = column_types(read_schema(dataset("sdak").schema))
    write_rest(folder, {"sdak": entry | write_splits(folder, "sdak", {"test": rows}, types, dataset("sdak").breakdown)})
    return folder


def claims(build: Path) -> list[str]:
    """Give what a build claims."""
    return sorted(row["claim"] for row in load_records("sdak", build).rows)


def published(client: Client, build: Path, version: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Publish a build by the command."""
    return client("-m", "dataset_scripts", "publish", "org/medzh", "--version", version, "--data", str(build), *options)


def loaded(client: Client, tag: str, **changed: str) -> object:
    """Load a tag by our own loader: version, commit and claims, or a message."""
    done = client("-c", LOAD, f"org/medzh@{tag}", **changed)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_both_releases_load_with_their_own_rows_by_either_library(
    hub: Hub, client: Client, first: Path, second: Path
) -> None:
    for version, build in (("1.0.0", first), ("2.0.0", second)):
        done = published(client, build, version)
        assert done.returncode == 0, done.stdout + done.stderr
    assert claims(first) != claims(second)
    for version, build in (("1.0.0", first), ("2.0.0", second)):
        commit = hub.repos["org/medzh"].tags[f"v{version}"]
        assert loaded(client, f"v{version}") == [version, commit, claims(build)]
        for way in ("streaming", "whole"):
            done = client("-c", LOAD_DATASET, f"v{version}", way)
            assert json.loads(done.stdout.splitlines()[-1]) == claims(build), done.stderr


def test_without_a_hub_a_tag_gives_its_own_rows_or_none(hub: Hub, client: Client, first: Path, second: Path) -> None:
    published(client, first, "1.0.0")
    published(client, second, "2.0.0")
    commit = hub.repos["org/medzh"].tags["v1.0.0"]
    assert loaded(client, "v1.0.0") == ["1.0.0", commit, claims(first)]
    for gone in ({"HF_ENDPOINT": "http://127.0.0.1:9"}, {"HF_HUB_OFFLINE": "1"}):
        assert loaded(client, "v1.0.0", **gone) == ["1.0.0", commit, claims(first)]
        for never_loaded in ("v2.0.0", "v9.9.9"):
            message = loaded(client, never_loaded, **gone)
            assert isinstance(message, str)
            assert "the cache does not hold it" in message
    assert "has no such tag" in str(loaded(client, "v9.9.9"))


def shortened(carry_out: Callable[[], Reply]) -> Reply:
    """End a reply halfway."""
    whole = carry_out()
    headers = {**whole.headers, "Content-Length": str(len(whole.body))}
    return Reply(whole.status, whole.body[: len(whole.body) // 2], headers)


def altered(carry_out: Callable[[], Reply]) -> Reply:
    """Give other bytes of the same number."""
    reply = carry_out()
    return Reply(reply.status, bytes(reversed(reply.body)), reply.headers)


def broken(_: Callable[[], Reply]) -> Reply:
    """Fail as a server does, and do nothing."""
    return Reply(HTTPStatus.INTERNAL_SERVER_ERROR, b"sorry", {"Content-Type": "text/plain"})


def lost(carry_out: Callable[[], Reply]) -> Reply:
    """Do what is asked, and say that it failed."""
    carry_out()
    return broken(carry_out)


@pytest.mark.parametrize(
    ("pattern", "change", "expected"),
    [
        ("HEAD .*/resolve/", broken, "cannot be loaded from"),
        ("GET .*/resolve/.*parquet", altered, "is not the file that was built"),
        ("GET .*/resolve/.*manifest", altered, "is no manifest of a build"),
        ("GET .*/resolve/.*parquet", shortened, "cannot be loaded from"),
        ("HEAD .*/resolve/", lambda _: None, "cannot be loaded from"),
    ],
    ids=["fails", "other-parquet", "other-manifest", "truncated", "closed"],
)
def test_a_hub_that_misbehaves_gives_a_message_and_no_rows(
    hub: Hub,
    client: Client,
    first: Path,
    pattern: str,
    change: Callable[[Callable[[], Reply]], Reply | None],
    expected: str,
) -> None:
    published(client, first, "1.0.0")
    hub.troubles.append(Trouble(pattern, change))
    message = loaded(client, "v1.0.0")
    assert isinstance(message, str)
    assert expected in message
    assert "\n" not in message


def test_records_that_are_not_those_of_the_manifest_are_refused(hub: Hub, client: Client, first: Path) -> None:
    published(client, first, "1.0.0")
    commit = hub.repos["org/medzh"].commits[-1]
    manifest = json.loads(hub.blobs[commit.files["manifest.json"]])
    manifest["configs"]["sdak"]["fingerprint"] = "0" * 64
    hub.blobs[commit.files["manifest.json"]] = json.dumps(manifest, ensure_ascii=False, indent=2).encode() + b"\n"
    assert "are not those that were published" in str(loaded(client, "v1.0.0"))


@pytest.mark.parametrize(
    "pattern",
    ["POST .*/preupload/", "POST .*/objects/batch", "PUT /lfs/", "POST .*/commit/", "GET .*/resolve/", "POST .*/tag/"],
)
def test_a_failure_midway_leaves_no_tag_and_a_second_call_finishes(
    hub: Hub, client: Client, first: Path, pattern: str
) -> None:
    hub.troubles.append(Trouble(pattern, lambda _: Reply(HTTPStatus.FORBIDDEN, b"no")))
    done = published(client, first, "1.0.0")
    assert done.returncode == 2, done.stdout + done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert not hub.repos["org/medzh"].tags
    hub.troubles.clear()
    done = published(client, first, "1.0.0")
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(hub.repos["org/medzh"].tags) == ["v1.0.0"]
    assert loaded(client, "v1.0.0")[2] == claims(first)  # type: ignore[index]


@pytest.mark.parametrize("pattern", ["POST .*/commit/", "POST .*/tag/"])
def test_where_only_the_answer_is_lost_a_release_is_whole_or_a_second_call_finishes(
    hub: Hub, client: Client, first: Path, pattern: str
) -> None:
    hub.troubles.append(Trouble(pattern, lost, times=1))
    done = published(client, first, "1.0.0")
    if done.returncode:
        assert not hub.repos["org/medzh"].tags
        done = published(client, first, "1.0.0")
    assert done.returncode == 0, done.stdout + done.stderr
    assert loaded(client, "v1.0.0")[2] == claims(first)  # type: ignore[index]


@pytest.mark.parametrize(
    ("version", "change", "expected"),
    [
        ("1.0.0", None, "v1.0.0 is published already"),
        ("0.9.0", None, "0.9.0 does not follow 1.0.0"),
        ("1.1.0", lambda rows: rows[0].update(claim=OTHER), "need 2.0.0 or later (major); 1.1.0 is minor"),
        ("1.0.1", lambda rows: rows.pop(), "(major); 1.0.1 is patch"),
    ],
)
def test_a_version_that_breaks_the_rule_is_refused(
    hub: Hub,
    client: Client,
    first: Path,
    tmp_path: Path,
    version: str,
    change: Callable[[list[dict[str, object]]], None] | None,
    expected: str,
) -> None:
    published(client, first, "1.0.0")
    build = first
    if change is not None:
        (tmp_path / "changed").mkdir()
        build = rebuilt(first, tmp_path / "changed", change)
    done = published(client, build, version)
    assert done.returncode == 1
    assert expected in done.stdout
    assert list(hub.repos["org/medzh"].tags) == ["v1.0.0"]
    assert len(hub.repos["org/medzh"].commits) == 2


def test_a_dry_run_uploads_nothing_and_ends_well_without_a_hub(hub: Hub, client: Client, first: Path) -> None:
    done = published(client, first, "1.0.0", "--dry-run")
    assert done.returncode == 0
    assert not hub.repos
    done = client(
        *("-m", "dataset_scripts", "publish", "org/medzh", "--version", "1.0.0", "--data", str(first), "--dry-run"),
        HF_ENDPOINT="http://127.0.0.1:9",
    )
    assert done.returncode == 0, done.stderr
    assert "not compared" in done.stdout
    assert "sdak 1.0.0: recipe mini" in done.stdout
