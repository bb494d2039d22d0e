"""Data are what they say: of every config, wherever it stands, what does not agree is refused with file and field."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import shutil
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pytest
from made_builds import as_built, made_build, made_config, made_split
from pyarrow import parquet

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.cli.main import main
from medzh_score.data import hub as hub_module
from medzh_score.data.integrity import column_digests, label_of
from medzh_score.data.records import laid_out, load_records, read_manifest, with_edits_marked
from medzh_score.io.archive import write_zip
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

CONFIGS = config_names()
COMMIT = "a" * 40
# The column in which the gold, or what decides it, stands.
GOLD = {"sdak": "polarity", "cmhe_dd": "codes", "care_mi": "true_statement"}
PINNED = [{"name": "released", "sha256": "0" * 64, "pinned": True}]


@pytest.fixture
def folder(minis, tmp_path):
    return shutil.copytree(minis, tmp_path / COMMIT)


def as_folder(folder, _patch):
    return str(folder)


def as_bundle(folder, _patch):
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    write_zip(folder.with_suffix(".zip"), files)
    return str(folder.with_suffix(".zip"))


def as_snapshot(folder, patch):
    patch.setattr(hub_module, "_fetched", lambda _repo, path, _revision: folder / path)
    return "org/medzh@v0.0.0"


# All configs in a folder, and one wherever data stand.
STANDING = [*((config, as_folder) for config in CONFIGS), ("sdak", as_bundle), ("tcmd", as_snapshot)]


def manifest_of(folder):
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return found


def tell(folder, config, change):
    manifest = manifest_of(folder)
    change(manifest["configs"][config])
    (folder / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False), encoding="utf-8")


def file_of(folder, config):
    (file,) = manifest_of(folder)["configs"][config]["splits"]["test"]["files"]
    return folder / file["path"]


def mend(folder, config):
    digest = hashlib.sha256(file_of(folder, config).read_bytes()).hexdigest()
    tell(folder, config, lambda entry: entry["splits"]["test"]["files"][0].update(sha256=digest))


def store(folder, config, change):
    table = parquet.read_table(file_of(folder, config))
    rows = table.to_pylist()
    change(rows)
    parquet.write_table(pa.Table.from_pylist(rows, schema=table.schema), file_of(folder, config))
    mend(folder, config)


def other_recipe(folder, config):
    tell(folder, config, lambda entry: entry.update(recipe="official"))
    return "recipe"


def other_pinned(folder, config):
    tell(folder, config, lambda entry: entry["sources"][0].update(pinned=not entry["sources"][0]["pinned"]))
    return f"configs.{config}.splits.test.digest"


def other_fingerprint(folder, config):
    tell(folder, config, lambda entry: entry.update(fingerprint="0" * 64))
    return "fingerprint"


def other_gold(folder, config):
    column = GOLD.get(config, "answer")

    def swap(rows):
        first = rows[0]
        second = next(row for row in rows if row[column] != first[column])
        first[column], second[column] = second[column], first[column]

    store(folder, config, swap)
    return column


def row_removed(folder, config):
    store(folder, config, lambda rows: rows.pop(3))
    return "id"


def says_nothing(folder, config):
    parquet.write_table(pa.table(parquet.read_table(file_of(folder, config)).to_pydict()), file_of(folder, config))
    mend(folder, config)
    return "config"


def mini_for_official(folder, config):
    mini = file_of(folder, config).read_bytes()
    rows = load_records(folder, config).rows
    shutil.rmtree(folder / config)
    entry = made_config(
        folder, config, {"test": [{**row, "recipe": "official"} for row in rows]}, recipe="official", sources=PINNED
    )
    tell(folder, config, lambda old: (old.clear(), old.update(entry)))
    assert load_records(folder, config).origin.official
    file_of(folder, config).write_bytes(mini)
    mend(folder, config)
    return "recipe"


def mini_called_official(folder, config):
    rows = load_records(folder, config).rows
    shutil.rmtree(folder / config)
    entry = made_config(folder, config, {"test": rows}, recipe="official", sources=PINNED)
    tell(folder, config, lambda old: (old.clear(), old.update(entry)))
    return "recipe"


HAZARDS = (
    *(other_recipe, other_pinned, other_fingerprint, other_gold, row_removed, says_nothing),
    *(mini_for_official, mini_called_official),
)


@pytest.mark.parametrize(("config", "place"), STANDING)
def test_the_plain_build_loads(folder, config, place, monkeypatch):
    data = place(folder, monkeypatch)
    whole, some = load_records(data, config), load_records(data, config, columns=find_config(config).columns)
    assert whole.origin == some.origin
    assert whole.origin.recipe == "mini"
    assert with_edits_marked(find_config(config), whole).origin == whole.origin
    assert with_edits_marked(find_config(config), some).origin == some.origin


@pytest.mark.parametrize(("config", "place"), STANDING)
@pytest.mark.parametrize("hazard", HAZARDS)
def test_what_differs_is_refused_with_file_and_field(folder, config, place, hazard, monkeypatch, capsys):
    field = hazard(folder, config)
    name = file_of(folder, config).name
    data = place(folder, monkeypatch)
    assert main(["score", config, "none.jsonl", "--data", data]) == 2
    said = capsys.readouterr().err
    file = "manifest.json" if hazard is other_pinned else f"{config}/{name}"
    assert f'{file}: field "{field}": ' in said
    assert ": expected " in said
    assert ", found " in said or hazard is says_nothing


@pytest.mark.parametrize("options", [{}, {"row_group_size": 3, "compression": "none"}, {"use_dictionary": False}])
@pytest.mark.parametrize("shards", [1, 3])
def test_shards_row_groups_order_and_storage_do_not_matter(minis, tmp_path, options, shards):
    for config in CONFIGS:
        entry = read_manifest(minis)["configs"][config]
        table = parquet.read_table(file_of(minis, config))
        order = random.Random(5).sample(range(table.num_rows), table.num_rows)  # noqa: S311
        parts = [table.take(order[shard::shards]) for shard in range(shards)]
        (tmp_path / config).mkdir()
        made = made_split(tmp_path, label_of(config, "test", entry), parts, **options)
        assert (made["columns"], made["digest"]) == tuple(
            entry["splits"]["test"][name] for name in ("columns", "digest")
        )


# Records from Python.


def changed(value, others):
    found = next((other for other in others if other != value), None)
    if found is not None:
        return copy.deepcopy(found)
    if isinstance(value, list):
        return [*value, "改"]
    return value + 1 if isinstance(value, int) else "改"


@pytest.mark.parametrize("config", CONFIGS)
def test_any_edit_of_any_column_that_scoring_reads_changes_what_is_signed(minis, config):
    declared, records = find_config(config), load_records(minis, config)
    plain, told = str(records.origin), 0
    assert repr(records) == f"<Records {records.config} test: {len(records)} rows, {plain}>"
    for name in declared.columns:
        for place in (0, len(records.rows) // 2, -1):
            rows = copy.deepcopy(records.rows)
            others = [row[name] for row in rows]
            rows[place][name] = f"{rows[place][name]}x" if name == "id" else changed(rows[place][name], others)
            try:
                origin = with_edits_marked(declared, replace(records, rows=rows)).origin
            except MedzhError:
                continue
            told += 1
            assert str(origin) != plain
            assert f"/{records.origin.recipe}/edited " in str(origin)
            assert not replace(origin, recipe="official").official
    assert told >= 2 * len(declared.columns)


@pytest.mark.parametrize("config", CONFIGS)
def test_rows_that_come_or_go_are_an_edit_and_their_order_is_none(minis, config):
    declared, records = find_config(config), load_records(minis, config)
    fewer, more = records.rows[1:], [*records.rows, {**records.rows[0], "id": "added"}]
    found = {
        str(with_edits_marked(declared, replace(records, rows=rows)).origin) for rows in (fewer, more, records.rows)
    }
    assert len(found) == 3
    shuffled = random.Random(1).sample(records.rows, len(records.rows))  # noqa: S311
    assert with_edits_marked(declared, replace(records, rows=shuffled)).origin == records.origin
    by_hand = replace(records, origin=replace(records.origin, columns={}))
    assert "edited" in str(with_edits_marked(declared, by_hand).origin)


def test_edited_in_place_they_are_signed_and_noted(minis, sdak_sample):
    records = load_records(minis, "sdak")
    records = replace(records, origin=replace(records.origin, recipe="official"))
    path = sdak_sample / "predictions.jsonl"
    plain = score("sdak", path, records, bootstrap=0)
    records.rows[0]["claim"] += "吗"
    edited = score("sdak", path, records, bootstrap=0)
    assert plain.signature["data"].endswith(records.origin.fingerprint[:8])
    assert edited.signature["data"].startswith("0.0.0/official/edited ")
    assert any("edited or written by hand" in note for note in edited.notes)
    assert not any("edited" in note for note in plain.notes)


# Rows hold what scoring relies on.


@dataclass(frozen=True)
class Wrong:
    config: str
    field: str
    value: object
    expected: str


MANY = [f"选项{number}" for number in range(11)]
WRONG = (
    Wrong("sdak", "id", "sdak#1", "a string without spaces, # or ~"),
    Wrong("sdak", "polarity", "neutral", "one of factual, counterfactual"),
    Wrong("sdak", "object", 3, "a string or null"),
    Wrong("sdak", "pair_id", "sdak-alone", "one factual and one counterfactual claim"),
    Wrong("cmhe_hd", "answer", "Maybe", "one of Yes, No"),
    Wrong("cmhe_hd", "response", None, "a non-blank string"),
    Wrong("cmhe_dd", "codes", [], "a list of at least one code"),
    Wrong("cmhe_dd", "codes", ["感冒"], "a code of ICD-10 2019"),
    Wrong("cmhe_ce", "options", MANY[:3], "a list of 4 options"),
    Wrong("cmhe_ce", "options", [MANY[0]] * 4, "a list of 4 options (non-blank strings), without duplicates"),
    Wrong("cmhe_ce", "answer", "E", "one of A, B, C, D"),
    Wrong("cmhe_ce", "distances", [1, 2, 3], "a list of 4 integers, or null"),
    Wrong("care_mi", "asked", "maybe", "one of true, false, none"),
    Wrong("care_mi", "asked", None, "true or false if type is tf, null if type is open"),
    Wrong("care_mi", "context", None, "a string"),
    Wrong("care_mi", "evidence", "段落", "a list of non-blank strings"),
    Wrong("tcmd", "options", MANY[:1], "a list of 2 to 5 options"),
    Wrong("tcmd", "answer", "G", "one of A, B, C, D, E"),
    Wrong("tcmd", "position", 0, "an integer of at least 1"),
    Wrong("tcmd", "realm", "外科", "one of "),
    Wrong("pemebench", "answer", "\n", "a non-blank string"),
    Wrong("pemebench", "entities", [""], "a list of non-blank strings"),
    Wrong("pemebench_cmexam", "options", MANY[:6], "a list of 2 to 5 options"),
    Wrong("pemebench_cmexam", "answer", "BA", "distinct letters from ABCDE, in alphabetical order"),
    Wrong("pemebench_medqa", "answer", "Z", "distinct letters from ABCD, in alphabetical order"),
    Wrong("pemebench_huatuo", "answer", "", "a non-blank string"),
)


def test_every_config_has_rows_that_are_refused():
    assert {wrong.config for wrong in WRONG} == set(CONFIGS)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: f"{wrong.config}-{wrong.field}")
def test_what_scoring_relies_on_is_checked(minis, tmp_path, wrong):
    config, records = find_config(wrong.config), load_records(minis, wrong.config)
    rows = copy.deepcopy(records.rows)
    rows[0][wrong.field] = wrong.value
    with pytest.raises(MedzhError) as raised:
        laid_out(config, with_edits_marked(config, replace(records, rows=rows, file="data")))
    assert (raised.value.file, raised.value.field) == ("data", wrong.field)
    assert wrong.expected in str(raised.value.expected)
    assert rows[0]["id"] in raised.value.problem
    try:
        folder = made_build(tmp_path, {wrong.config: {"test": rows}})
    except pa.ArrowException:
        return  # parquet stores no such row
    with pytest.raises(MedzhError) as raised:
        laid_out(config, load_records(folder, wrong.config))
    assert (raised.value.file, raised.value.field) == (str(file_of(folder, wrong.config)), wrong.field)


def test_ids_that_two_records_have_are_refused(minis):
    for config in CONFIGS:
        records = load_records(minis, config)
        with pytest.raises(MedzhError, match="duplicate id in the records of") as raised:
            with_edits_marked(find_config(config), replace(records, rows=[*records.rows, records.rows[0]]))
        assert raised.value.found == records.rows[0]["id"]


def test_a_row_that_lacks_a_field_is_named(minis):
    for config in CONFIGS:
        records = load_records(minis, config)
        for name in find_config(config).columns:
            rows = [{**row} for row in records.rows]
            del rows[1][name]
            with pytest.raises(MedzhError) as raised:
                with_edits_marked(find_config(config), replace(records, rows=rows))
            assert raised.value.field == name


def test_rows_that_are_no_mappings_are_refused(minis):
    records = load_records(minis, "sdak")
    rows: list[Any] = [records.rows[0], ["a string"]]
    with pytest.raises(MedzhError, match="record 2 has the wrong type: expected a dict, found"):
        with_edits_marked(find_config("sdak"), replace(records, rows=rows))


def test_records_of_another_config_are_refused_though_their_fields_fit(minis):
    """The choice sets have the same columns: the numbers of one would stand under the other's name."""
    for config in CONFIGS:
        records = replace(load_records(minis, config), config="another")
        message = f"field \"config\": the records belong to another config: expected {config}, found 'another'"
        with pytest.raises(MedzhError, match=message):
            with_edits_marked(find_config(config), records)


def test_a_field_that_a_manifest_lacks_is_named(folder):
    tell(folder, "sdak", lambda built: built.pop("fingerprint"))
    with pytest.raises(MedzhError, match='field "fingerprint": the manifest is damaged'):
        load_records(folder, "sdak")


def test_two_sub_questions_in_one_place_are_refused(minis):
    records = load_records(minis, "tcmd")
    rows = [{**row} for row in records.rows]
    second = next(row for row in rows if row["position"] == 2)
    second["position"] = 1
    with pytest.raises(MedzhError, match="have the same position in group") as raised:
        laid_out(find_config("tcmd"), replace(records, rows=rows))
    assert raised.value.field == "position"


def test_types_are_told_apart():
    values = [1, 1.0, True, "1", None, ["1"], [["1"]], "1\0"]
    assert len({column_digests({"n": [value]})["n"] for value in values}) == len(values)
    assert column_digests({"n": ["ab", "c"]}) != column_digests({"n": ["a", "bc"]})
    with pytest.raises(MedzhError, match="the column contains an unsupported value"):
        column_digests({"n": [object()]})
    with pytest.raises(MedzhError, match="the column contains an unsupported value"):
        column_digests({"n": ["\ud800"]})


def test_records_made_by_hand_with_their_digests_are_known():
    rows = [{"id": "pmhuatuo-0000000000", "answer": "多喝水。"}]
    records = as_built("pemebench_huatuo", rows)
    assert with_edits_marked(find_config("pemebench_huatuo"), records).origin == records.origin
