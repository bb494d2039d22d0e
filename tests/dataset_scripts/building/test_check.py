from __future__ import annotations

import hashlib
import json
import re
import shutil
from datetime import UTC, datetime

import pyarrow as pa
import pytest
from pyarrow import parquet

from dataset_scripts.building.build import build
from dataset_scripts.building.check import check
from medzh_score.data.integrity import fingerprint
from medzh_score.ui.errors import MedzhError


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("build") / "medzh"
    build("sdak", "mini", out)
    return out


@pytest.fixture
def folder(built, tmp_path):
    """A copy of a build that a test may damage."""
    copy = tmp_path / "medzh"
    shutil.copytree(built, copy)
    return copy


@pytest.fixture
def unloaded(monkeypatch):
    """Leave load_dataset out, where it is not the subject."""
    monkeypatch.setattr("dataset_scripts.building.check.loading_problems", lambda *_: [])


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def write_manifest(folder, change):
    content = manifest(folder)
    change(content)
    (folder / "manifest.json").write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def data_file(folder):
    (path,) = folder.glob("sdak/*.parquet")
    return path


def rehash(folder):
    """Make the manifest agree with the bytes of all files, as somebody who tampers would."""

    def change(content):
        for name in content["files"]:
            content["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        (file,) = content["configs"]["sdak"]["splits"]["test"]["files"]
        stored = (folder / file["path"]).read_bytes()
        file.update(sha256=hashlib.sha256(stored).hexdigest(), bytes=len(stored))

    write_manifest(folder, change)


def rewrite(folder, change, *, metadata=True):
    """Change the table of the build, and the hashes with it."""
    table = parquet.read_table(data_file(folder))
    rows = table.to_pylist()
    change(rows)
    schema = table.schema if metadata else table.schema.remove_metadata()
    parquet.write_table(pa.Table.from_pylist(rows, schema=schema), data_file(folder))
    rehash(folder)


def edit_card(folder, old, new):
    path = folder / "README.md"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    rehash(folder)


def test_a_build_is_well_through_its_link_and_as_a_copy(built, folder):
    for place in (built, folder):
        checked = check(place)
        assert checked.problems == []
        assert "204 records" in checked.summary[0]


def changed_byte(folder):
    content = bytearray(data_file(folder).read_bytes())
    content[len(content) // 2] ^= 1
    data_file(folder).write_bytes(content)


def edited_card(folder):
    path = folder / "README.md"
    path.write_text(path.read_text(encoding="utf-8") + "more\n", encoding="utf-8")


def stray(folder):
    (folder / "sdak" / "notes.txt").write_text("x", encoding="utf-8")


def stray_link(folder):
    (folder / "other").symlink_to("nowhere")


def entry_of(content):
    return content["configs"]["sdak"]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (changed_byte, ("parquet: the file does not match the manifest: expected SHA-256",)),
        (
            lambda folder: data_file(folder).write_bytes(data_file(folder).read_bytes()[:-100]),
            ("invalid Parquet file",),
        ),
        (
            lambda folder: data_file(folder).unlink(),
            (
                "parquet: the file cannot be read: No such file",
                "configs: sdak: the file sdak/",
                "parquet does not exist",
            ),
        ),
        (edited_card, ("README.md: the file does not match the manifest: expected SHA-256",)),
        (lambda folder: (folder / "README.md").unlink(), ("README.md: the file cannot be read: No such file",)),
        (lambda folder: (folder / "LICENSE").unlink(), ("LICENSE: the file cannot be read: No such file",)),
        (
            lambda folder: (folder / "LICENSE").write_bytes(b"free\n"),
            ("LICENSE: the file does not match the manifest: expected SHA-256",),
        ),
        (stray, ("sdak/notes.txt: the file is not listed in the manifest",)),
        (stray_link, ("other: the file is not listed in the manifest",)),
        (lambda folder: (folder / "manifest.json").write_bytes(b"{"), ("the file is not a build manifest",)),
        (lambda folder: (folder / "manifest.json").unlink(), ("no build found",)),
    ],
)
@pytest.mark.usefixtures("unloaded")
def test_damaged_files_are_found(folder, damage, words):
    damage(folder)
    problems = check(folder).problems
    for word in words:
        assert any(word in problem for problem in problems), problems
    assert not any("\n" in problem.replace("\n  ", "") for problem in problems)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda content: content.update(format=2), "/format"),
        (lambda content: content.update(built="2026-01-01"), "/built"),
        (lambda content: content["files"].pop("LICENSE"), "/files/LICENSE"),
        (lambda content: entry_of(content).update(fingerprint="0" * 63), "/configs/sdak/fingerprint"),
        (lambda content: entry_of(content)["splits"]["test"].update(records=-1), "/configs/sdak/splits/test/records"),
        (lambda content: content.update(configs={}), "/configs"),
        (
            lambda content: entry_of(content)["splits"]["test"]["files"][0].update(path="../x.parquet"),
            "/configs/sdak/splits/test/files/0/path",
        ),
    ],
)
@pytest.mark.usefixtures("unloaded")
def test_a_manifest_of_another_form_is_found(folder, change, word):
    write_manifest(folder, change)
    assert any(f"manifest.json: {word}: expected" in problem for problem in check(folder).problems)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda entry: entry["splits"]["test"].update(records=203),
            ("sdak test: manifest.json lists 203 records, but there are 204",),
        ),
        (
            lambda entry: entry["splits"]["test"]["files"][0].update(records=203),
            ("manifest.json lists 203 records, but the file contains 204",),
        ),
        (lambda entry: entry["splits"]["test"]["groups"].update({"Disease-Cause": 11}), ("counts by type",)),
        (lambda entry: entry.update(fingerprint="0" * 64), ("fingerprint of the records: expected 000",)),
        (lambda entry: entry.update(recipe="official"), ("recipe 'mini'", "recipe official")),
        (lambda entry: entry["features"].pop(), ("columns in manifest.json", "dataset_info")),
        (lambda entry: entry["features"][0].update(type="int64"), ("columns in manifest.json", "dataset_info")),
        (lambda entry: entry.update(version="1.0.0"), ("configs: the value does not match the manifest: expected",)),
        (
            lambda entry: entry["sources"][0].update(licence="unknown"),
            ("license: the value does not match the manifest: expected",),
        ),
    ],
)
@pytest.mark.usefixtures("unloaded")
def test_a_manifest_that_contradicts_the_data_is_found(folder, change, words):
    write_manifest(folder, lambda content: change(entry_of(content)))
    problems = check(folder).problems
    for word in words:
        assert any(word in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows[3].update(claim="改过的说法"), ("fingerprint",)),
        (lambda rows: rows[3].update(label="yes"), ("/label", "found 'yes'")),
        (lambda rows: rows.pop(), ("there are 203", "one factual and one counterfactual")),
        (lambda rows: rows.append(dict(rows[0])), ("used by 2 records", "there are 205")),
        (lambda rows: rows[0].update(prompt=None), ("/prompt",)),
        (lambda rows: rows[0].update(recipe="official"), ("recipe 'official'",)),
        (lambda rows: [row.update(id=None) for row in rows], ("/id",)),
    ],
)
@pytest.mark.usefixtures("unloaded")
def test_records_that_are_not_what_was_built_are_found_though_the_hashes_agree(folder, change, words):
    rewrite(folder, change)
    problems = check(folder).problems
    for word in words:
        assert any(word in problem for problem in problems), problems
    assert not any(re.search(r"the file (hash )?does not match the manifest", problem) for problem in problems)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("answer", datetime(2026, 1, 1, tzinfo=UTC), ("timestamp",)),
        ("answer", b"yes", ("binary",)),
        ("id", ["one"], ("the columns do not match the schema",)),
        ("recipe", ["mini"], ("the columns do not match the schema", "recipe")),
        ("recipe", 7, ("the columns do not match the schema", "recipe")),
        ("answer", float("nan"), ("the columns do not match the schema", "answer")),
    ],
)
@pytest.mark.usefixtures("unloaded")
def test_columns_of_other_types_are_found(folder, column, value, words):
    table = parquet.read_table(data_file(folder))
    place = table.schema.get_field_index(column)
    table = table.set_column(place, column, pa.array([value] * table.num_rows))
    parquet.write_table(table, data_file(folder))
    rehash(folder)
    problems = check(folder).problems
    for word in words:
        assert any(word in problem for problem in problems), problems


@pytest.mark.usefixtures("unloaded")
def test_a_parquet_file_without_features_is_found(folder):
    rewrite(folder, lambda rows: None, metadata=False)  # noqa: ARG005
    assert any(
        "the file metadata does not contain the expected features" in problem for problem in check(folder).problems
    )


@pytest.mark.usefixtures("unloaded")
def test_the_same_records_stored_in_another_way_have_the_same_fingerprint(folder):
    table = parquet.read_table(data_file(folder))
    parquet.write_table(table, data_file(folder), compression="none", row_group_size=5)
    rehash(folder)
    problems = check(folder).problems
    assert not any("fingerprint" in problem for problem in problems)
    # The card states the size of the download, which is another now.
    assert all("dataset_info" in problem for problem in problems)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("license: apache-2.0", "license: apache", "license: 'apache' is not a value that the hub allows"),
        ("license: apache-2.0", "license: other", 'license: the value "other" requires license_name and license_link'),
        ("license: apache-2.0\n", "", "license: the field is missing"),
        ("- zh\n", "- chinese\n", "language: 'chinese'"),
        ("- zh\n", "- no\n", "language: False"),
        ("- n<1K", "- n<2K", "size_categories: 'n<2K'"),
        ("- n<1K", "- 1K<n<10K", "size_categories: the value does not match the manifest: expected"),
        ("- question-answering", "- medical-qa", "task_categories: 'medical-qa'"),
        ("- monolingual", "- chinese", "multilinguality: 'chinese'"),
        ("annotations_creators:\n- other", "annotations_creators:\n- me", "annotations_creators: 'me'"),
        ("language_creators:\n- other", "language_creators: me", "language_creators: 'me'"),
        ("source_datasets:\n- original", "source_datasets:\n- mine", "source_datasets: 'mine' is neither"),
        ("source_datasets:\n- original", "source_datasets:\n- extended|", "source_datasets: 'extended|' is neither"),
        (
            "source_datasets:\n- original",
            "source_datasets:\n- extended|other",
            "source_datasets: the value does not match the manifest: expected",
        ),
        ("- fact-checking", "- lie-detection", "task_ids: 'lie-detection' is not a value that the hub allows"),
        ("- fact-checking", "- intent-classification", "task_ids: the value does not match the manifest: expected"),
        ("license: apache", "licence: mit\nlicense: apache", "licence: the hub does not support this key"),
        ("  default: true\n", "", "expected one default config, found none"),
        ("configs:\n", "configs:\n- config_name: b\n  default: true\n", "expected one default config, found b, sdak"),
        ("    - sdak/test-", "    - sdak/gone-", "configs: sdak: the file sdak/gone-"),
        ("num_examples: 204", "num_examples: 205", "dataset_info: the value does not match the manifest: expected"),
        ("version: 0.0.0", "version: 0.0.1", "configs: the value does not match the manifest: expected"),
        ("---\n", "", "the file has no YAML metadata between two --- lines"),
        ("language:", "language: [", "invalid YAML: found"),
        ("license: apache-2.0", "license: 1" + 400 * ":1" + ".5", "a number is too long"),
        ("license: apache-2.0", "license: 1" + 100_000 * ":1", "a number is too long"),
        ("license: apache-2.0", f"license: 0x{5_000 * 'f'}", "a number is too long"),
        ("license: apache-2.0", f'license: !!int "{5_000 * "1"}"', "a number is too long"),
        ("license: apache-2.0", f"license: {'9' * 128}", "license: 999"),
        ("| `mini` |", "| `official` |", "the table at the top"),
        ("configs:\n", "configs: 3\nx:\n", "configs: the value is not a list of configs"),
    ],
)
@pytest.mark.usefixtures("unloaded")
def test_a_card_that_the_hub_would_not_take_or_that_contradicts_the_manifest_is_found(folder, old, new, word):
    edit_card(folder, old, new)
    problems = check(folder).problems
    assert any(re.match(r"README\.md(:\d+)?: ", problem) and word in problem for problem in problems), problems


def test_what_load_dataset_cannot_load_is_found(folder):
    edit_card(folder, "  - name: upstream_key\n    dtype: string\n", "")
    assert any("load_dataset: " in problem and "sdak: " in problem for problem in check(folder).problems)


def test_what_load_dataset_loads_wrongly_is_found(folder):
    # A column that the card declares and the file lacks is filled with nulls, silently.
    edit_card(folder, "  - name: upstream_key\n", "  - name: added\n    dtype: string\n  - name: upstream_key\n")
    problems = check(folder).problems
    assert "sdak test: the features from load_dataset differ from the features in the files" in problems
    assert "sdak test: the records from load_dataset differ from the records in the files" in problems


def test_two_folders_of_one_name_are_not_taken_for_each_other(built, tmp_path):
    """The cache of load_dataset knows a folder by its name and card; ours is thrown away."""
    other = tmp_path / built.name
    shutil.copytree(built, other)
    table = parquet.read_table(data_file(other))
    rows = table.to_pylist()
    rows[0]["claim"] = "另一说法"
    parquet.write_table(pa.Table.from_pylist(rows, schema=table.schema), data_file(other))
    rehash(other)
    types = {column["name"]: column["type"] for column in manifest(other)["configs"]["sdak"]["features"]}
    write_manifest(other, lambda content: entry_of(content).update(fingerprint=fingerprint({"test": rows}, types)))
    assert check(built).problems == []
    assert not any("load_dataset" in problem for problem in check(other).problems)


@pytest.mark.parametrize("make", [lambda _: None, lambda path: path.mkdir(), lambda path: path.write_bytes(b"x")])
def test_where_there_is_no_build_there_is_nothing_to_check(tmp_path, make):
    make(tmp_path / "x")
    with pytest.raises(MedzhError, match="no build found"):
        check(tmp_path / "x")
