from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest

from dataset_scripts.files.digests import blob_sha1
from dataset_scripts.recipe import dataset, dataset_names
from dataset_scripts.sources.fetching import cached_path
from dataset_scripts.sources.registry import REGISTRY, cache_folder, read_sources
from dataset_scripts.terminology.disease_names import SOURCES as NAMES
from medzh_score.messages.errors import MedzhError

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


def test_no_file_is_pinned_twice():
    assert len({source.cached_as for source in SOURCES.values()}) == len(SOURCES)
    assert len({source.url for source in SOURCES.values()}) == len(SOURCES)


def test_one_repository_has_one_licence():
    assert len({(source.repository, source.licence) for source in SOURCES.values()}) == len(
        {source.repository for source in SOURCES.values()}
    )


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
        (b"[[source]\n", "not a list of sources"),
        (b"", "not a list of sources"),
        (b'[[source]]\nname = "a"\n', "not a list of sources"),
        (b"source = 1\n", "not a list of sources"),
        (b"\xff\xfe", "not a list of sources"),
        (REGISTRY.read_bytes() * 2, "named twice"),
    ],
    ids=["not TOML", "empty", "fields missing", "a number", "not UTF-8", "twice"],
)
def test_broken_registry_is_refused(content, problem, tmp_path):
    file = tmp_path / "sources.toml"
    file.write_bytes(content)
    with pytest.raises(MedzhError, match=problem) as caught:
        read_sources(file)
    assert str(caught.value).startswith(str(file))


def test_missing_registry_is_named(tmp_path):
    with pytest.raises(MedzhError, match="cannot be read: No such file"):
        read_sources(tmp_path / "none.toml")


def test_cache_folder_follows_the_environment(tmp_path):
    assert cache_folder({"MEDZH_SOURCES": str(tmp_path)}) == tmp_path
    assert cache_folder({"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "medzh" / "sources"
    assert cache_folder({}).parts[-3:] == (".cache", "medzh", "sources")
