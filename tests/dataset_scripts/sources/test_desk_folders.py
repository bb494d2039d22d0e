"""Sources that are folders: which files count, what their hash depends on, and what is refused."""

from __future__ import annotations

import hashlib
import os
import socket

import pytest

from dataset_scripts.building.source_selection import select_sources
from dataset_scripts.recipe import Dataset, Recipe
from dataset_scripts.sources.folders import files_in, folder_sha256
from medzh_score.files.package_files import package_file
from medzh_score.messages.errors import MedzhError


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "books"
    (place / "儿科").mkdir(parents=True)
    (place / "儿科" / "二.md").write_text("2", encoding="utf-8")
    (place / "一.txt").write_text("1", encoding="utf-8")
    return place


def test_the_hash_is_over_sorted_paths_and_the_hashes_of_the_files(folder):
    parts = {"一.txt": b"1", "儿科/二.md": b"2"}
    text = "".join(f"{name}\0{hashlib.sha256(parts[name]).hexdigest()}\n" for name in sorted(parts))
    assert list(files_in(folder)) == sorted(parts)
    assert folder_sha256(folder) == hashlib.sha256(text.encode("utf-8")).hexdigest()


def test_hidden_files_times_and_the_place_of_the_folder_do_not_matter(folder, tmp_path):
    before = folder_sha256(folder)
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x")
    (folder / "儿科" / ".DS_Store").write_text("x")
    os.utime(folder / "一.txt", (0, 0))
    assert folder_sha256(folder) == before
    assert folder_sha256(folder.rename(tmp_path / "moved")) == before


@pytest.mark.parametrize("change", ["content", "name", "place"])
def test_content_and_names_matter(folder, change):
    before = folder_sha256(folder)
    file = folder / "一.txt"
    if change == "content":
        file.write_text("3", encoding="utf-8")
    else:
        file.rename(folder / "三.txt" if change == "name" else folder / "儿科" / "一.txt")
    assert folder_sha256(folder) != before


def test_a_link_inside_the_folder_is_a_file_of_it(folder):
    (folder / "又一.txt").symlink_to("一.txt")
    assert "又一.txt" in files_in(folder)


@pytest.mark.parametrize("target", ["../secret.txt", "../secrets", "儿科/../../secret.txt"])
def test_a_link_that_leads_out_is_refused(folder, target):
    (folder.parent / "secret.txt").write_text("x")
    (folder.parent / "secrets").mkdir()
    (folder / "link").symlink_to(target)
    with pytest.raises(MedzhError, match="is a link that leads out of the folder"):
        files_in(folder)


def test_links_that_lead_nowhere_or_in_a_circle_are_refused(folder):
    (folder / "a").symlink_to("b")
    with pytest.raises(MedzhError, match="is neither a file nor a folder"):
        files_in(folder)
    (folder / "b").symlink_to("a")
    with pytest.raises(MedzhError, match="is neither a file nor a folder"):
        files_in(folder)


def test_what_is_no_file_is_refused_without_being_opened(folder, monkeypatch):
    os.mkfifo(folder / "pipe")
    with pytest.raises(MedzhError, match="is neither a file nor a folder"):
        files_in(folder)
    (folder / "pipe").unlink()
    monkeypatch.chdir(folder)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s")
        with pytest.raises(MedzhError, match="is neither a file nor a folder"):
            files_in(folder)


@pytest.mark.parametrize("place", ["", "儿科"])
def test_a_name_that_is_not_utf8_is_refused_in_one_line(folder, place):
    (folder / place / os.fsdecode("病.md".encode("gb18030"))).write_text("x")
    with pytest.raises(MedzhError, match=r"its name is not UTF-8; .*rename it") as caught:
        files_in(folder)
    str(caught.value).encode("utf-8")


def test_an_empty_folder_a_file_and_nothing_are_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    for name, words in (("empty", "holds no files"), ("file", "is a file"), ("none", "there is no such folder")):
        with pytest.raises(MedzhError, match=words):
            files_in(tmp_path / name)


@pytest.fixture
def toy():
    recipe = Recipe("rebuilt", "a toy", ("books",), lambda *_: None, own=("books",), folders=("books",))
    file = package_file("dataset_scripts", "sources/sources.toml")
    return Dataset("toy", schema=file, card=file, sources=file, recipes=(recipe,)), recipe


def test_a_folder_is_chosen_by_name_or_alone_and_is_never_pinned(toy, folder, tmp_path):
    for given in (f"books={folder}", str(folder)):
        (file,) = select_sources(*toy, [given], tmp_path).values()
        assert (file.path, file.sha256, file.pinned) == (folder, folder_sha256(folder), False)


def test_a_file_in_the_place_of_a_folder_is_refused(toy, folder, tmp_path):
    with pytest.raises(MedzhError, match="is a file; expected a folder"):
        select_sources(*toy, [f"books={folder / '一.txt'}"], tmp_path)
