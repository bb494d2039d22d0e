from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import datasets
import pytest
import yaml
from jsonschema import Draft202012Validator

from dataset_scripts import recipe as recipes
from dataset_scripts.building.build import build
from dataset_scripts.recipe import Built, Dataset, Recipe, dataset
from dataset_scripts.recipes.sdak.dataset import MINI
from medzh_score.benchmark.registry import declared
from medzh_score.data.records import load_records
from medzh_score.io.paths import package_file
from medzh_score.ui.errors import MedzhError


def content(folder):
    """All files of a folder, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def manifest(out):
    return json.loads((out / "manifest.json").read_text(encoding="utf-8"))


def front(out):
    return yaml.safe_load((out / "README.md").read_text(encoding="utf-8").split("---\n")[1])


def statements(out):
    """Give the bold lines of the card that state by which recipes its configs were built."""
    found = re.findall(r"^\*\*(`\w+` was built by .*)\*\*$", (out / "README.md").read_text("utf-8"), re.MULTILINE)
    return " ".join(found)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "build" / "medzh"


@pytest.fixture(scope="module")
def standing(tmp_path_factory):
    """Give the build of a sample, which tests leave as it is, and what it was said to be."""
    out = tmp_path_factory.mktemp("standing") / "medzh"
    return out, build("sdak", "mini", out)


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """Declare a second config, whose records a test chooses."""
    records = [{"id": f"toy-{n}", "prompt": "问", "answer": "答", "upstream_key": f"k{n}", "n": n} for n in (2, 0, 1)]
    types = {"id": "string", "prompt": "string", "answer": "string", "upstream_key": "string", "n": "number"}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "additionalProperties": False,
        "required": list(types),
        "properties": {name: {"type": written, "description": f"the | {name}"} for name, written in types.items()},
    }
    (tmp_path / "toy.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    (tmp_path / "toy.md.jinja").write_text("## Toy {{ name }}\n", encoding="utf-8")
    (tmp_path / "toy.txt").write_text("x", encoding="utf-8")
    made = Dataset(
        config="toy",
        schema=tmp_path / "toy.schema.json",
        card=tmp_path / "toy.md.jinja",
        sources=package_file("dataset_scripts", "sources/sources.toml"),
        recipes=(
            Recipe(
                name="mini",
                summary="a toy",
                sources=("toy-text",),
                make=lambda *_: Built({"test": list(records), "train": records[:1]}),
                embedded={"toy-text": tmp_path / "toy.txt"},
                embedded_licence="CC-BY-4.0",
            ),
        ),
    )

    toy = SimpleNamespace(load=lambda: made, value="toy:DATASET")
    monkeypatch.setattr(recipes, "declared", lambda group: {**declared(group), "toy": toy})
    return records


def test_a_build_holds_exactly_what_the_manifest_names(standing):
    out, made = standing
    (entry,) = manifest(out)["configs"].values()
    (file,) = entry["splits"]["test"]["files"]
    assert file["path"] == f"sdak/test-{made.fingerprint[:8]}-00000-of-00001.parquet"
    assert set(content(out)) == {"LICENSE", "README.md", "croissant.json", "manifest.json", file["path"]}
    assert file["sha256"] == hashlib.sha256(content(out)[file["path"]]).hexdigest()
    assert file["bytes"] == len(content(out)[file["path"]])
    lines = len(MINI.read_text(encoding="utf-8").splitlines())
    assert made.records == {"test": lines}
    assert (entry["splits"]["test"]["records"], file["records"]) == (lines, lines)
    assert sum(entry["splits"]["test"]["groups"].values()) == lines
    schema = json.loads(package_file("medzh_score", "schemas/manifest.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(manifest(out))


def test_equal_input_gives_equal_bytes_in_another_process_and_place(standing, tmp_path):
    out, _ = standing
    other = tmp_path / "other" / "place"
    command = [sys.executable, "-m", "dataset_scripts", "build", "sdak", "--recipe", "mini", "--output", str(other)]
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Asia/Shanghai", "LC_ALL": "C"}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    assert content(other) == content(out)


def test_the_order_of_the_source_does_not_matter(standing, out, tmp_path):
    lines = MINI.read_text(encoding="utf-8").splitlines(keepends=True)
    random.Random(1).shuffle(lines)  # noqa: S311 - any order will do
    shuffled = tmp_path / "shuffled.jsonl"
    shuffled.write_text("".join(lines), encoding="utf-8")
    assert build("sdak", "mini", out, given=[str(shuffled)]).fingerprint == standing[1].fingerprint
    tables = [
        {path: text for path, text in content(one).items() if path.startswith("sdak/")} for one in (out, standing[0])
    ]
    assert tables[0] == tables[1] != {}


def test_a_copy_with_the_same_content_is_pinned_and_another_is_not(out, tmp_path):
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(MINI.read_bytes())
    (source,) = build("sdak", "mini", out, given=[f"sdak-mini={copy}"]).sources
    assert (source["pinned"], source["licence"], source["redistributable"]) == (True, "Apache-2.0", True)
    assert front(out)["license"] == "apache-2.0"
    copy.write_bytes(MINI.read_bytes() + b"\n")
    (source,) = build("sdak", "mini", out, given=[str(copy)]).sources
    assert source["pinned"] is False
    assert (source["licence"], source["redistributable"], source["url"]) == ("unknown", False, None)
    assert source["sha256"] == hashlib.sha256(copy.read_bytes()).hexdigest()
    head = front(out)
    assert (head["license"], head["license_link"]) == ("other", "LICENSE")
    assert head["license_name"]
    assert "unknown" in (out / "LICENSE").read_text(encoding="utf-8")


def test_a_released_file_is_pinned_by_its_git_blob_hash(out, tmp_path, monkeypatch):
    released = tmp_path / "SDAK.jsonl"
    released.write_bytes(MINI.read_bytes())
    made = build("sdak", "official", out, given=[str(released)])
    assert made.sources[0]["pinned"] is False
    assert "NOT verified against a pinned file" in statements(out)
    # The same file, named upstream: what git hash-object says of it.
    blob = hashlib.sha1(b"blob %d\0" % len(MINI.read_bytes()) + MINI.read_bytes()).hexdigest()  # noqa: S324
    toml = dataset("sdak").sources.read_text(encoding="utf-8")
    registry = tmp_path / "sources.toml"
    registry.write_text(toml.replace("abfefb0a9abf467e8cfdbb71f35b3c5b4721b492", blob), encoding="utf-8")
    pinned = dataclasses.replace(dataset("sdak"), sources=registry)
    monkeypatch.setattr("dataset_scripts.building.build.dataset", lambda _: pinned)
    with pytest.raises(MedzhError, match="the released file does not have the counts stated in the paper"):
        build("sdak", "official", out, given=[str(released)])
    monkeypatch.setattr("dataset_scripts.recipes.sdak.official.RELEASED", (204, 102, 17))
    assert build("sdak", "official", out, given=[f"sdak={released}"]).sources[0]["pinned"] is True
    assert "official data, verified by hash" in statements(out)
    assert "NOT" not in statements(out)
    cache = tmp_path / "cache" / "FreedomIntelligence" / "SDAK" / "65168539190d153453bf06ffc018b99b9896be1f"
    cache.mkdir(parents=True)
    (cache / "SDAK.jsonl").write_bytes(released.read_bytes())
    monkeypatch.setenv("MEDZH_SOURCES", str(tmp_path / "cache"))
    assert build("sdak", "official", out).sources[0]["pinned"] is True


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["other=README.md"], "recipe mini does not use this source: expected sdak-mini, found 'other'"),
        (["no-such-file"], "no-such-file: option --source: cannot read the file: No such file"),
        (["sdak-mini=no-such-file"], "no-such-file: option --source: cannot read the file: No such file"),
        (["."], "cannot read the file: Is a directory"),
        ([""], "no file is specified"),
        (["mini="], r"no file is specified: found 'mini='\n  Fix: use `--source sdak-mini=FILE`"),
        ([str(MINI), f"sdak-mini={MINI}"], "sdak-mini is specified twice"),
    ],
)
def test_faulty_sources_are_named(out, given, words):
    with pytest.raises(MedzhError, match=words) as caught:
        build("sdak", "mini", out, given=given)
    assert caught.value.field == "--source"


def test_other_configs_are_carried_over_and_the_card_covers_all(out, toy, tmp_path):
    build("sdak", "mini", out)
    before = content(out)
    build("toy", "mini", out)
    after = content(out)
    assert all(after[path] == before[path] for path in before if path.endswith(".parquet"))
    head = front(out)
    assert [config["config_name"] for config in head["configs"]] == ["sdak", "toy"]
    assert [config.get("default") for config in head["configs"]] == [True, None]
    assert head["license"] == "other"  # Apache-2.0 and CC-BY-4.0
    assert "CC-BY-4.0" in (out / "LICENSE").read_text(encoding="utf-8")
    assert "`sdak` was built by the recipe `mini`" in statements(out)
    assert "`toy` was built by the recipe `mini`" in statements(out)
    assert "## Toy toy" in (out / "README.md").read_text(encoding="utf-8")
    for config, split, rows in (("sdak", "test", 204), ("toy", "test", len(toy)), ("toy", "train", 1)):
        loaded = datasets.load_dataset(str(out), config, split=split, cache_dir=str(tmp_path / "cache"))
        assert loaded.to_list() == load_records(out, config, split=split).rows
        assert len(loaded) == rows
    assert [row["n"] for row in load_records(out, "toy").rows] == [0.0, 1.0, 2.0]  # sorted by id
    build("sdak", "mini", out)
    assert content(out) == after


def test_a_damaged_config_is_not_carried_over(out, toy):  # noqa: ARG001 - a fixture for its effect
    build("sdak", "mini", out)
    (path,) = out.glob("sdak/*.parquet")
    path.write_bytes(path.read_bytes()[:-1] + b"\0")
    with pytest.raises(MedzhError, match="the file in the existing build does not match the manifest"):
        build("toy", "mini", out)
    build("sdak", "mini", out)
    build("toy", "mini", out)
    (out / "manifest.json").write_text('{"configs": {}}', encoding="utf-8")
    with pytest.raises(MedzhError, match="the manifest of the existing build is damaged or has another format"):
        build("toy", "mini", out)


def test_a_config_that_nobody_declares_any_more_is_carried_over(out, toy, monkeypatch):  # noqa: ARG001
    build("toy", "mini", out)
    before, files = manifest(out)["configs"]["toy"], content(out)
    monkeypatch.undo()
    build("sdak", "mini", out)
    assert manifest(out)["configs"]["toy"] == before
    assert {name: text for name, text in content(out).items() if name.startswith("toy/")}.items() <= files.items()
    assert "## Toy toy" in (out / "README.md").read_text(encoding="utf-8")


def test_an_invalid_record_stops_the_build_and_the_standing_one_stays(out, toy):
    build("toy", "mini", out)
    before, target = content(out), out.readlink()
    toy[1]["n"] = "drei"
    toy[2]["answer"] = None
    with pytest.raises(MedzhError) as caught:
        build("toy", "mini", out)
    message = str(caught.value)
    assert "k0" in message
    assert "/n" in message
    assert "'drei'" in message
    assert "more" in message
    assert (content(out), out.readlink()) == (before, target)
    assert sorted(path.name for path in out.parent.iterdir()) == ["medzh", "medzh.000001"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda records: records.append(dict(records[0])), "used by 2 records"),
        (lambda records: records[0].update(prompt=" "), "/prompt"),
        (list.clear, "no records"),
    ],
)
def test_records_that_contradict_each_other_stop_the_build(out, toy, change, words):
    change(toy)
    with pytest.raises(MedzhError, match=words):
        build("toy", "mini", out)
    assert not out.exists()


def test_the_card_says_what_the_data_is_and_names_every_source(standing):
    out, _ = standing
    text = (out / "README.md").read_text(encoding="utf-8")
    assert "`mini`" in statements(out)
    assert "NOT the official benchmark" in statements(out)
    (source,) = manifest(out)["configs"]["sdak"]["sources"]
    for part in (source["name"], source["sha256"][:16], "2310.11722", "medzh-score score sdak", "load_dataset", "中文"):
        assert part in text
    flagged = {line.split("|")[1].strip() for line in text.splitlines() if line.endswith("| no |")}
    assert flagged == {"Disease-Cause", "Examination-Range", "Disease-Food"}
    assert "—" not in text
    for kind, count in manifest(out)["configs"]["sdak"]["splits"]["test"]["groups"].items():
        assert f"| {kind} | {count} |" in text
    assert Path(out / "LICENSE").read_text(encoding="utf-8").lstrip().startswith("Apache License")
