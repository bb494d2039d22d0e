"""What medzh-build build, check and publish write is Chinese where it was asked for, in whole sentences."""

from __future__ import annotations

import io
import json
import re
import shutil
import tomllib
from contextlib import redirect_stderr, redirect_stdout

import pytest
from amounts import one_in
from english_left import english_left
from places import ROOT

from dataset_scripts.cli.main import main
from dataset_scripts.inputs import question_banks
from dataset_scripts.recipe import dataset
from dataset_scripts.recipes.pemebench import pediabench
from dataset_scripts.releases import publish
from medzh_score.benchmark.registry import config_names
from medzh_score.data.hub import SHIPPED, folder_of
from medzh_score.data.records import read_manifest
from medzh_score.ui.i18n import current, in_chinese

# Modules of which each literal that is yielded is a line of check or publish.
OF_LIBRARIES = re.compile(r"(?<=Parquet 文件无效：).*|(?<=load_dataset: ).*|(?<=无法比较：).*")


@pytest.fixture
def call():
    """Call the command in Chinese, and give all that it wrote."""
    before = current.get()

    def called(*arguments):
        streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2)]
        with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
            status = main([*map(str, arguments), "--lang", "zh"])
        texts = []
        for stream in streams:
            stream.flush()
            texts.append(stream.buffer.getvalue().decode("utf-8"))
        return status, "".join(texts)

    yield called
    current.set(before)


BUILT = [(name, one.name) for name in config_names() for one in dataset(name).recipes if one.name in SHIPPED]


@pytest.mark.parametrize(("config", "recipe"), BUILT[:: one_in(3)])
def test_a_build_of_what_ships(call, tmp_path, config, recipe):
    status, shown = call("build", config, "--recipe", recipe, "--output", tmp_path / "medzh")
    assert status == 0
    assert english_left(shown) == []
    assert f"{config} {recipe}：test " in shown
    assert " 条记录" in shown


def test_a_build_that_is_well_and_one_that_is_not(call, tmp_path):
    for config in ("sdak", "tcmd"):
        call("build", config, "--recipe", "mini", "--output", tmp_path / "medzh")
    status, shown = call("check", tmp_path / "medzh")
    assert (status, english_left(shown)) == (0, [])
    assert shown.count("：未发现问题") == 2
    damaged = tmp_path / "damaged"
    shutil.copytree(folder_of(tmp_path / "medzh"), damaged)
    manifest = json.loads((damaged / "manifest.json").read_text(encoding="utf-8"))
    sdak = manifest["configs"]["sdak"]
    sdak["splits"]["test"]["records"] += 1
    sdak["fingerprint"] = "0" * 64
    (damaged / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    card = (damaged / "README.md").read_text(encoding="utf-8")
    (damaged / "README.md").write_text(card.replace("multilinguality", "no_such_key"), encoding="utf-8")
    (damaged / "more").write_text("x", encoding="utf-8")
    next((damaged / "tcmd").glob("test*")).write_bytes(b"no parquet")
    status, shown = call("check", damaged)
    assert status == 1
    assert len(shown.splitlines()) > 8
    assert english_left(OF_LIBRARIES.sub("", shown)) == []


def test_a_dry_run_that_leaves_all_out(call, tmp_path, monkeypatch):
    for config in ("sdak", "pemebench_medqa"):
        call("build", config, "--recipe", "mini", "--output", tmp_path / "medzh")
    monkeypatch.setattr(publish, "faults_of", lambda *_, **__: [])
    monkeypatch.setattr(publish, "_published", lambda *_, **__: publish.Published({}, None, private=False))
    status, shown = call("publish", "org/medzh", "--version", "1.0.0", "--data", tmp_path / "medzh", "--dry-run")
    assert status == 1
    assert shown.splitlines()[0] == "pemebench_medqa：已排除：mini 样例不发布，以免被误认为基准本身"
    assert "sdak：已排除：mini 样例不发布，以免被误认为基准本身" in shown
    assert "不能发布：数据中没有可以发布的评测集" in shown
    assert english_left(shown) == []


def words_of_tables():
    """Give words that tables of recipes may show, by their column."""

    children = tomllib.loads((ROOT / "dataset_scripts/recipes/pemebench/pediatric.toml").read_text(encoding="utf-8"))

    yield from (("column meaning", pattern["meaning"]) for pattern in children["pattern"])
    for reasons in (question_banks.REASONS, pediabench.REASONS):
        yield from (("column reason", reason) for reason in reasons)
        yield from (("column meaning", meaning) for meaning in reasons.values())


def test_words_of_the_tables_of_recipes_are_translated():
    words = set(words_of_tables())
    assert len(words) > 40
    assert {word for section, word in words if in_chinese(word, section) == word} == set()


def test_the_manifest_keeps_english(call, tmp_path):
    call("build", "tcmd", "--recipe", "mini", "--output", tmp_path / "medzh")
    (table, *_) = read_manifest(folder_of(tmp_path / "medzh"))["configs"]["tcmd"]["tables"]
    assert table["title"] == "Questions in train/test: Table 1 of the paper and this build"
