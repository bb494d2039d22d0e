"""Sources: the registry, and files that are fetched into the cache and verified."""

from __future__ import annotations

import errno
import hashlib
import os
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from dataset_scripts.digests import blob_sha1
from dataset_scripts.recipe import dataset, dataset_names
from dataset_scripts.sources.downloading import Patience
from dataset_scripts.sources.fetching import cached_path, fetch, mirrored, resolve
from dataset_scripts.sources.registry import REGISTRY, Source, cache_folder, read_sources
from dataset_scripts.terminology.disease_names import SOURCES as NAMES
from medzh_score.ui.errors import MedzhError

CONTENT = bytes(range(256)) * 3000
GITHUB = "https://raw.githubusercontent.com"


def blob_of(content):
    return hashlib.sha1(b"blob %d\0%b" % (len(content), content), usedforsecurity=False).hexdigest()


SOURCE = Source(
    name="a-file",
    repository="someone/some.repo",
    revision="0123456789" * 4,
    path="数据/a file@1+2.csv",
    blob=blob_of(CONTENT),
    url=f"{GITHUB}/someone/some.repo/{'0123456789' * 4}/{quote('数据/a file@1+2.csv')}",
    licence="unknown",
    redistributable=False,
    citation="nobody",
    used_by=("sdak",),
)


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def upstream(mirror, monkeypatch):
    """Serve the file, on the loopback in place of GitHub."""
    put(mirror.folder / SOURCE.cached_as)
    monkeypatch.setenv("MEDZH_MIRROR", mirror.address)
    return mirror


def get(source, cache):
    return fetch(source, cache, report=lambda *_: None, patience=Patience(stall=5, attempts=2, pause=0))


def put(path, content=CONTENT):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def part_of(path):
    return path.with_name(f"{path.name}.part")


def files_in(folder):
    return [path for path in folder.rglob("*") if not path.is_dir()]


def test_file_is_fetched_into_its_place(upstream, cache):
    path = get(SOURCE, cache)
    assert path == cache / "someone/some.repo" / SOURCE.revision / SOURCE.path
    assert path.read_bytes() == CONTENT
    assert files_in(cache) == [path]
    assert [f"{GITHUB}{request}" for request in upstream.requests] == [SOURCE.url]


def test_what_is_there_is_verified_and_not_fetched(upstream, cache):
    path = put(cached_path(SOURCE, cache))
    assert get(SOURCE, cache) == path
    found = resolve(SOURCE, cache)
    assert (found.name, found.path, found.pinned) == ("a-file", path, True)
    assert found.sha256 == hashlib.sha256(CONTENT).hexdigest()
    assert upstream.requests == []


@pytest.mark.parametrize("use", [get, resolve])
def test_wrong_file_in_the_cache_is_refused_and_left_alone(use, upstream, cache):
    path = put(cached_path(SOURCE, cache), b"something else")
    with pytest.raises(MedzhError, match="the file is not the pinned version of a-file") as caught:
        use(SOURCE, cache)
    assert SOURCE.blob in str(caught.value)
    assert blob_of(b"something else") in str(caught.value)
    assert "run `medzh-build fetch a-file`" in str(caught.value)
    assert path.read_bytes() == b"something else"
    assert upstream.requests == []


@pytest.mark.parametrize("served", [b"<html>please log in to this network</html>", b""], ids=["a page", "nothing"])
def test_wrong_content_names_both_hashes_and_keeps_nothing(served, upstream, cache):
    put(upstream.folder / SOURCE.cached_as, served)
    with pytest.raises(MedzhError, match="the file is not the pinned version of a-file") as caught:
        get(SOURCE, cache)
    assert SOURCE.blob in str(caught.value)
    assert blob_of(served) in str(caught.value)
    assert caught.value.file == mirrored(SOURCE.url)
    assert files_in(cache) == []


def test_rest_of_another_file_is_replaced(upstream, cache):
    path = cached_path(SOURCE, cache)
    put(part_of(path), b"something else")
    assert get(SOURCE, cache).read_bytes() == CONTENT
    assert files_in(cache) == [path]
    assert len(upstream.requests) == 1


def test_earlier_run_that_was_only_not_renamed_is_not_fetched_again(upstream, cache):
    path = cached_path(SOURCE, cache)
    put(part_of(path))
    assert get(SOURCE, cache).read_bytes() == CONTENT
    assert files_in(cache) == [path]
    assert upstream.requests == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("path", "../../outside"),
        ("path", "a/../../../../../../b"),
        ("path", "/etc/passwd"),
        ("path", "a//b"),
        ("path", "./a"),
        ("path", ""),
        ("path", "..\\outside"),
        ("path", "C:/outside"),
        ("path", "C:outside"),
        ("path", "a\0b"),
        ("repository", "../.."),
        ("repository", "/etc"),
        ("revision", ".."),
    ],
)
def test_names_that_leave_the_cache_are_refused(field, value, upstream, cache):
    for use in (get, resolve):
        with pytest.raises(MedzhError, match=f'field "{field}": the path of source a-file is outside the cache'):
            use(replace(SOURCE, **{field: value}), cache)
    assert upstream.requests == []


def test_read_only_cache_that_holds_the_file(upstream, cache):
    path = put(cached_path(SOURCE, cache))
    folders = [folder for folder in path.parents if folder.is_relative_to(cache)]
    path.chmod(0o444)
    for folder in folders:
        folder.chmod(0o555)
    try:
        assert get(SOURCE, cache) == resolve(SOURCE, cache).path == path
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert upstream.requests == []


@pytest.mark.parametrize("call", ["mkdir", "open", "replace"])
@pytest.mark.usefixtures("upstream")
def test_read_only_cache_without_the_file(call, cache, monkeypatch):
    real = getattr(Path, call)

    def refuse(path, *arguments, **options):
        if path.is_relative_to(cache) and arguments != ("rb",):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return real(path, *arguments, **options)

    monkeypatch.setattr(Path, call, refuse)  # permissions do not bind root, who runs the tests in a container
    with pytest.raises(MedzhError, match=r"cannot write to the path: Read-only file system\n  Fix: .*MEDZH_SOURCES"):
        get(SOURCE, cache)


def test_mirror_stands_in_for_github_only():
    environment = {"MEDZH_MIRROR": "https://mirror.example"}
    assert mirrored("https://example.org/a", environment) == "https://example.org/a"
    assert mirrored(f"{GITHUB}/a", environment) == "https://mirror.example/a"
    assert mirrored(f"{GITHUB}/a", {"MEDZH_MIRROR": ""}) == mirrored(f"{GITHUB}/a", {}) == f"{GITHUB}/a"


@pytest.mark.usefixtures("plain_network")
def test_mirror_must_be_http(cache, monkeypatch):
    monkeypatch.setenv("MEDZH_MIRROR", "file:///etc")
    with pytest.raises(MedzhError, match="invalid download address: expected an address with http"):
        get(SOURCE, cache)


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY"])
def test_proxy_is_used(variable, mirror, cache, monkeypatch):
    put(mirror.folder / "http:" / "upstream.invalid" / "file")  # where a plain file server looks for a whole address
    monkeypatch.setenv(variable, mirror.address)
    assert get(replace(SOURCE, url="http://upstream.invalid/file"), cache).read_bytes() == CONTENT
    assert mirror.requests == ["http://upstream.invalid/file"]


def test_proxy_of_https_is_asked_for_a_tunnel(mirror, cache, monkeypatch):
    monkeypatch.setenv("https_proxy", mirror.address)
    with pytest.raises(MedzhError, match="the download failed: Tunnel connection failed: 501"):
        get(replace(SOURCE, url="https://upstream.invalid/file"), cache)


SOURCES = read_sources(REGISTRY)
CONFIGS = {*dataset_names()}
RAW = "https://raw.githubusercontent.com"
# From https://spdx.org/licenses: those that occur; a new one is added here when it has been looked up there.
SPDX = {"Apache-2.0", "GPL-3.0-only", "MIT"}
# What holds of every entry, by what a failure names.
HOLDS = {
    "name": lambda one: re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one.name),
    "repository": lambda one: re.fullmatch(r"[\w.-]+/[\w.-]+", one.repository, re.ASCII),
    "revision": lambda one: re.fullmatch(r"[0-9a-f]{40}", one.revision),
    "blob": lambda one: re.fullmatch(r"[0-9a-f]{40}", one.blob),
    "citation": lambda one: one.citation.strip() == one.citation != "",
    "used by": lambda one: set(one.used_by) <= CONFIGS,
    "address": lambda one: one.url == f"{RAW}/{one.repository}/{one.revision}/{quote(one.path)}" and one.url.isascii(),
    "licence": lambda one: one.licence in {*SPDX, "unknown"},
    "redistribution": lambda one: isinstance(one.redistributable, bool),
    "by a known licence": lambda one: not (one.redistributable and one.licence == "unknown"),
    "inside the cache": lambda one: cached_path(one, Path("/cache")).resolve().is_relative_to("/cache"),
}


@pytest.mark.parametrize("holds", HOLDS.values(), ids=HOLDS)
def test_every_entry_is_well_formed(holds):
    assert [name for name, source in SOURCES.items() if not holds(source)] == []


def test_every_source_is_read_by_the_recipes_that_it_names_or_by_the_command_names():
    read = {name: {"cmhe_dd"} for name in NAMES}
    for config in CONFIGS:
        for recipe in dataset(config).recipes:
            for name in recipe.sources:
                read.setdefault(name, set()).add(config)
    assert {name: set(source.used_by) for name, source in SOURCES.items()} == {name: read[name] for name in SOURCES}


def test_real_files_have_the_pinned_content(upstream_root):
    files = {source: cached_path(source, upstream_root) for source in SOURCES.values()}
    present = {source: file for source, file in files.items() if file.is_file()}
    assert present, "MEDZH_SOURCES holds none of the sources"
    assert {source.name: blob_sha1(file) for source, file in present.items()} == {
        source.name: source.blob for source in present
    }


def test_blob_hash_is_that_of_git(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"hello\n")
    assert blob_sha1(file) == "ce013625030ba8dba906f756967f9e9ca394464a"  # echo hello | git hash-object --stdin
    file.write_bytes(b"")
    assert blob_sha1(file) == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"  # git's empty blob


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"[[source]\n", "invalid list of sources"),
        (b"", "invalid list of sources"),
        (b'[[source]]\nname = "a"\n', "invalid list of sources"),
        (b"source = 1\n", "invalid list of sources"),
        (b"\xff\xfe", "invalid list of sources"),
        (REGISTRY.read_bytes() * 2, "a source is listed twice"),
    ],
    ids=["not TOML", "empty", "fields missing", "a number", "not UTF-8", "twice"],
)
def test_broken_registry_is_refused(content, problem, tmp_path):
    file = tmp_path / "sources.toml"
    file.write_bytes(content)
    with pytest.raises(MedzhError, match=problem) as caught:
        read_sources(file)
    assert str(caught.value).startswith(str(file))


def test_cache_folder_follows_the_environment(tmp_path):
    assert cache_folder({"MEDZH_SOURCES": str(tmp_path)}) == tmp_path
    assert cache_folder({"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "medzh" / "sources"
    assert cache_folder({}).parts[-3:] == (".cache", "medzh", "sources")
