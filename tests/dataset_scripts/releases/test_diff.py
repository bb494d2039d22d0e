"""What changed between two builds, against a comparison by brute force, and the step of the version that it needs."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from english_left import english_left
from hypothesis import given
from hypothesis import strategies as st
from made_builds import made_config
from messages import entries

from dataset_scripts.cli.main import main
from dataset_scripts.recipe import dataset, dataset_names
from dataset_scripts.releases.checks import wrong_version
from dataset_scripts.releases.diff import changes_between, step_of
from dataset_scripts.releases.versions import Step, Version, read_version, step_between, version_of_tag
from medzh_score.data.hub import BuildLocation
from medzh_score.data.integrity import fingerprint
from medzh_score.io.archive import write_zip
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

Rows = list[dict[str, Any]]
Configs = dict[str, dict[str, Rows]]
KINDS = {str: "string", int: "int64"}


def written(folder: Path, configs: Configs, **more: object) -> Path:
    """Write a build of configs, each with its splits of rows that have the same columns."""
    account: dict[str, Any] = {}
    for name, splits in configs.items():
        columns = {key: KINDS[type(value)] for rows in splits.values() for row in rows for key, value in row.items()}
        said = {
            "features": [{"name": key, "type": kind} for key, kind in columns.items()],
            "fingerprint": fingerprint(splits, columns),
            **more,
        }
        account[name] = made_config(folder, name, splits, **said)
    (folder / "manifest.json").write_text(json.dumps({"configs": account}), encoding="utf-8")
    return folder


def row(number: int, **more: object) -> dict[str, Any]:
    """Make a record."""
    return {"id": f"r{number}", "text": "甲", "answer": "A", **more}


BEFORE: Configs = {"one": {"test": [row(1), row(2)]}, "two": {"test": [row(3)], "train": [row(4)]}}


@pytest.mark.parametrize(
    ("after", "step", "said"),
    [
        (BEFORE, "none", ["one: same", "two: same"]),
        (BEFORE | {"one": {"test": [row(2), row(1)]}}, "patch", ["one: stored or described anew"]),
        (BEFORE | {"one": {"test": [row(1), row(2), row(5)]}}, "minor", ["1 records added", "  + r5"]),
        (BEFORE | {"one": {"test": [row(1)]}}, "major", ["1 removed", "  - r2"]),
        (
            BEFORE | {"one": {"test": [row(1), row(2, text="乙", answer="B")]}},
            "major",
            ["1 changed", "  changed fields: text (1), answer (1)", "  ~ r2: text, answer"],
        ),
        (BEFORE | {"one": {"test": [row(1, n=1), row(2, n=2)]}}, "minor", ["  columns added: n"]),
        (
            BEFORE | {"one": {"test": [row(1, answer=1), row(2, answer=1)]}},
            "major",
            ["  columns added: answer", "  columns removed or with a changed type: answer"],
        ),
        (BEFORE | {"two": {"test": [row(3), row(4)]}}, "major", ["  + r4", "  - r4 (train)"]),
        (BEFORE | {"three": {"test": [row(9)]}}, "minor", ["three: added (minor)", "  + r9"]),
        ({"one": BEFORE["one"]}, "major", ["two: removed (major)", "  - r3", "  - r4 (train)"]),
    ],
)
def test_changes_are_named_with_the_step_that_they_need(
    tmp_path: Path, after: Configs, step: str, said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    folders = written(tmp_path / "a", BEFORE), written(tmp_path / "b", after)
    bundles = []
    for folder in folders:
        files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        bundles.append(folder.with_suffix(".zip"))
        write_zip(bundles[-1], files)
    told = set()
    for one, other in product((folders[0], bundles[0]), (folders[1], bundles[1])):
        assert main(["diff", str(one), str(other)]) == 0
        told.add(capsys.readouterr().out)
    (lines,) = told  # folder or bundle, it is the same
    assert lines.endswith(f"required version step: {step}\n")
    for part in said:
        assert part in lines


def test_only_the_first_ten_of_a_kind_are_named_unless_all_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a = written(tmp_path / "a", {"one": {"test": [row(0)]}})
    b = written(tmp_path / "b", {"one": {"test": [row(number) for number in range(13)]}})
    assert main(["diff", str(a), str(b)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("  + r") for line in lines) == 10
    assert "  + and 2 more (use --all to list them)" in lines
    assert main(["diff", str(a), str(b), "--all"]) == 0
    assert sum(line.startswith("  + r") for line in capsys.readouterr().out.splitlines()) == 12
    assert main(["diff", str(a), str(b), "--lang", "zh"]) == 0
    out = capsys.readouterr().out
    assert "  + 另有 2 条（用 --all 列出）" in out
    assert english_left(out) == []


def source(name: str, digit: str) -> dict[str, object]:
    """Account for a file."""
    return {"name": name, "sha256": digit * 64, "pinned": True}


def test_it_says_how_the_builds_were_made_otherwise_and_what_moved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = {"sources": [source("a", "1"), source("b", "1")], "recipe": "open", "seed": 0}
    second = {"sources": [source("b", "2"), source("c", "1")], "recipe": "official", "seed": 7}
    splits = {"test": [row(1), row(2)], "train": [row(3)]}, {"test": [row(1), row(3), row(4)], "train": [row(2)]}
    builds = (
        written(tmp_path / "a", {"one": splits[0]}, **first, parameters={"options": 5, "patterns": "p"}),
        written(tmp_path / "b", {"one": splits[1]}, **second, parameters={"options": 6, "patterns": "p"}),
    )
    assert main(["diff", *map(str, builds)]) == 0
    assert capsys.readouterr().out.splitlines()[1:11] == [
        "  recipe: changed from open to official",
        "  seed: changed from 0 to 7",
        "  options: changed from 5 to 6",
        "  sources added: c",
        "  sources removed: a",
        "  sources with changed content: b",
        "  records in test: changed from 2 to 3",
        "  moved from test to train: 1",
        "  moved from train to test: 1",
        "  + r3",
    ]
    assert main(["diff", *map(str, builds), "--lang", "zh"]) == 0
    chinese = capsys.readouterr().out
    assert english_left(chinese) == []
    assert "  选项：原为 5，现为 6" in chinese


def test_the_name_of_every_parameter_is_translated() -> None:
    names = {name for one in dataset_names() for recipe in dataset(one).recipes for name in recipe.parameters}
    assert names == {english for context, english, _ in entries() if context == "parameters"}


records = st.dictionaries(
    st.integers(0, 6), st.fixed_dictionaries({"a": st.sampled_from("xy"), "b": st.integers(0, 1)})
)
splits = st.fixed_dictionaries({"test": records.filter(bool)}, optional={"train": records.filter(bool)})
builds = st.dictionaries(st.sampled_from(["one", "two", "three"]), splits)


def brute(before: Configs, after: Configs) -> Step:
    """State the rule anew: the greatest step of any difference between any two records."""
    flat = [
        {(name, split, one["id"]): one for name in build for split in build[name] for one in build[name][split]}
        for build in (before, after)
    ]
    if any(key not in flat[1] or flat[1][key] != one for key, one in flat[0].items()):
        return Step.MAJOR
    return Step.MINOR if len(flat[1]) > len(flat[0]) else Step.NONE


@given(before=builds, after=builds)
def test_the_step_is_the_greatest_that_any_record_needs(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, Any], after: dict[str, Any]
) -> None:
    made: list[Configs] = [
        {
            name: {
                split: [{"id": f"r{number}", "a": rows[number]["a"], "b": rows[number]["b"]} for number in sorted(rows)]
                for split, rows in some.items()
            }
            for name, some in build.items()
        }
        for build in (before, after)
    ]
    root = tmp_path_factory.mktemp("builds")
    for name in ("a", "b"):
        (root / name).mkdir()
    changes = changes_between(BuildLocation(written(root / "a", made[0])), BuildLocation(written(root / "b", made[1])))
    assert step_of(changes) == brute(*made)
    assert step_of(changes) == max((one.step for one in changes), default=Step.NONE)
    both = {(one.config, key): names for one in changes for key, names in one.changed.items()}
    expected = {
        (name, (split, one["id"])): tuple(key for key in ("a", "b") if one[key] != other[key])
        for name in made[0].keys() & made[1].keys()
        for split in made[0][name].keys() & made[1][name].keys()
        for one in made[0][name][split]
        for other in made[1][name][split]
        if one["id"] == other["id"] and one != other
    }
    assert both == expected


@pytest.mark.parametrize(
    ("last", "version", "step", "refused"),
    [
        (last, version, step, refused)
        for last, table in {
            "1.2.3": {
                "1.2.3": "NPmM",  # refused for every step: it is there
                "1.2.2": "NPmM",
                "0.9.9": "NPmM",
                "1.2.4": "mM",
                "1.2.9": "mM",
                "1.3.0": "M",
                "1.10.0": "M",
                "2.0.0": "",
                "10.0.0": "",
            }
        }.items()
        for version, letters in table.items()
        for step, refused in ((step, letter in letters) for step, letter in zip(Step, "NPmM", strict=True))
    ],
)
def test_a_version_must_grow_as_much_as_the_records_changed(
    last: str, version: str, step: Step, *, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dataset_scripts.releases.checks.step_of", lambda _: step)
    reasons = list(wrong_version(read_version(version), [Version(1, 0, 0), read_version(last)], []))
    assert bool(reasons) is refused, reasons


def test_versions_are_compared_as_numbers_and_tags_that_name_none_are_left() -> None:
    assert step_between(read_version("1.9.0"), read_version("1.10.0")) is Step.MINOR
    assert version_of_tag("v1.10.0") == Version(1, 10, 0)
    for tag in ("1.0.0", "v1.0", "v1.0.0-rc1", "v01.0.0", "vv1.0.0", "v1.0.0\n", "v１.0.0", "main"):
        assert version_of_tag(tag) is None
    for text in ("0.0.0", "1.0", "v1.0.0", "1.0.0 ", "-1.0.0", "1.0.0rc1", ""):
        with pytest.raises(MedzhError, match="invalid version"):
            read_version(text)


WRONG = [
    *(("groups", value) for value in ("x", None, [], {})),
    *((field, value) for field in ("name", "type") for value in (-0.0, 7, None, True, [], {})),
]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_number_or_a_column_of_a_manifest_that_is_none_is_named(field, value, tmp_path):
    before, after = written(tmp_path / "before", BEFORE), written(tmp_path / "after", BEFORE)
    manifest = json.loads((after / "manifest.json").read_text(encoding="utf-8"))
    entry = manifest["configs"]["one"]
    if field == "groups":
        entry["splits"]["test"]["groups"] = {"a": value}
    else:
        entry["features"][0][field] = value
    (after / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for places in ((before, after), (after, before)):
        with pytest.raises(MedzhError, match="the file is not a build manifest") as caught:
            changes_between(*map(BuildLocation, places))
        assert str(caught.value.file) == str(after / "manifest.json")
