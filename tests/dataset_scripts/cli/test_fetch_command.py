from __future__ import annotations

import hashlib
import sys

import pytest

from dataset_scripts.recipe import Dataset, Recipe
from medzh_score.ui.cli import Parser
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.progress import telling

REVISION = "0123456789" * 4
CONTENT = "内容\n".encode()
BLOB = hashlib.sha1(b"blob %d\0%b" % (len(CONTENT), CONTENT), usedforsecurity=False).hexdigest()
ENTRY = """\
[[source]]
name = "{name}"
repository = "someone/repo"
revision = "{revision}"
path = "{name}.txt"
blob = "{blob}"
url = "https://raw.githubusercontent.com/someone/repo/{revision}/{name}.txt"
licence = "MIT"
redistributable = true
citation = "nobody"
used_by = ["sdak"]
"""


@pytest.fixture(autouse=True)
def registry(tmp_path, monkeypatch):
    """Declare one config, sdak, and three sources for it."""
    file = tmp_path / "sources.toml"
    entries = [ENTRY.format(name=name, revision=REVISION, blob=BLOB) for name in ("sdak", "a-file", "not-read")]
    file.write_text("\n".join(entries), encoding="utf-8")
    recipe = Recipe(name="official", summary="", sources=("sdak", "a-file", "mini"), make=lambda *_: None)
    declared = Dataset(config="sdak", schema=file, card=file, sources=file, recipes=(recipe,))
    monkeypatch.setattr("dataset_scripts.sources.registry.REGISTRY", file)
    monkeypatch.setattr("dataset_scripts.cli.sources.dataset_names", lambda: ["sdak"])
    monkeypatch.setattr("dataset_scripts.cli.sources.dataset", lambda _: declared)


@pytest.fixture(autouse=True)
def cache(mirror, tmp_path, monkeypatch):
    folder = mirror.folder / "someone" / "repo" / REVISION
    folder.mkdir(parents=True)
    for name in ("sdak", "a-file", "not-read"):
        (folder / f"{name}.txt").write_bytes(CONTENT)
    monkeypatch.setenv("MEDZH_MIRROR", mirror.address)
    monkeypatch.setenv("MEDZH_SOURCES", str(tmp_path / "cache"))
    return tmp_path / "cache" / "someone" / "repo" / REVISION


def medzh_build_fetch(*words):
    parser = Parser(module="dataset_scripts.cli.sources:add_fetch")
    arguments = parser.parse_args([*map(str, words)])
    return arguments.run(arguments)


def test_source_is_fetched_and_its_place_printed(cache, capsys):
    assert medzh_build_fetch("a-file") == 0
    assert (cache / "a-file.txt").read_bytes() == CONTENT
    assert capsys.readouterr() == (f"a-file: {cache / 'a-file.txt'}\n", "")


def test_config_means_all_that_the_registry_has_for_it(mirror, cache, capsys):
    assert medzh_build_fetch("sdak", "a-file") == 0
    assert sorted(file.name for file in cache.iterdir()) == ["a-file.txt", "not-read.txt", "sdak.txt"]
    assert len(capsys.readouterr().out.splitlines()) == len(mirror.requests) == 3


def test_sources_of_another_package_are_known(tmp_path, cache, monkeypatch):
    ours = tmp_path / "ours.toml"
    ours.write_text(ENTRY.format(name="ours", revision=REVISION, blob=BLOB), encoding="utf-8")
    monkeypatch.setattr("dataset_scripts.sources.registry.REGISTRY", ours)
    assert medzh_build_fetch("not-read") == 0
    assert (cache / "not-read.txt").is_file()


def test_progress_is_shown_on_a_terminal_only(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with telling():
        assert medzh_build_fetch("a-file") == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("a-file: ")
    assert "\x1b" not in captured.out
    assert "a-file" in captured.err


def test_without_names_one_is_asked_for(mirror):
    with pytest.raises(MedzhError, match=r"no source or config is specified\n  Fix: .* `medzh-build fetch --list`"):
        medzh_build_fetch()
    assert mirror.requests == []


def test_what_was_meant_is_suggested():
    with pytest.raises(MedzhError, match=r"unknown source or config: .*found 'afile'\n  Did you mean a-file\?"):
        medzh_build_fetch("afile")


def test_list(mirror, cache, capsys):
    cache.mkdir(parents=True)
    (cache / "a-file.txt").write_bytes(CONTENT)
    assert medzh_build_fetch("--list") == 0
    assert capsys.readouterr().out == (
        "name      bytes  cached  licence  redistributable\n"
        "sdak      -      no      MIT      yes\n"
        "a-file    7      yes     MIT      yes\n"
        "not-read  -      no      MIT      yes\n"
    )
    assert mirror.requests == []
