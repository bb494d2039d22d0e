"""Builds with a private config that are not well, each in its own way."""

from __future__ import annotations

import json
import shutil

from marked_packages import MARK

CONFIG = "secret"


def damaged_builds(build, folder):
    """Copy a build for each way, damage the copies, and name them all."""
    for name, damage in WAYS.items():
        shutil.copytree(build, folder / name)
        damage(folder / name)
    return list(WAYS)


def _parquet(build):
    return next((build / CONFIG).glob("*.parquet"))


def _cut(build):
    file = _parquet(build)
    file.write_bytes(file.read_bytes()[:-9])


def _altered(build):
    """Write into records what they may not hold, so that whatever says what is wrong would quote it."""
    import pyarrow as pa
    from pyarrow import parquet

    table = parquet.read_table(_parquet(build))
    rows = table.to_pylist()
    rows[0] |= {"answer": MARK, "kind": MARK}
    rows[1] |= {"id": MARK, "options": [MARK] * 40}
    rows[2] |= {"id": rows[3]["id"], "question": ""}
    parquet.write_table(pa.Table.from_pylist(rows, table.schema), _parquet(build))


def _other_columns(build):
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table({"id": [MARK], MARK: [MARK]}), _parquet(build))


def _garbled(build):
    file = build / "manifest.json"
    file.write_text(file.read_text(encoding="utf-8")[:-40] + MARK, encoding="utf-8")


def _carded(build):
    (build / "README.md").write_text(f"---\n{MARK}: [{MARK}\n---\n{MARK}\n", encoding="utf-8")


def _strewn(build):
    (build / CONFIG / f"{MARK}.parquet").write_bytes(b"")


def _in_manifest(change):
    def damage(build):
        file = build / "manifest.json"
        manifest = json.loads(file.read_text(encoding="utf-8"))
        change(manifest["configs"])
        file.write_text(json.dumps(manifest), encoding="utf-8")

    return damage


def _unkeyed(configs):
    del configs[CONFIG]["key"]
    configs[CONFIG]["notes"] = [MARK]


def _foreign(configs):
    configs["elsewhere"] = configs.pop(CONFIG)
    configs["elsewhere"]["notes"] = [MARK]


def _features(configs):
    configs[CONFIG]["features"] = MARK
    configs[CONFIG]["splits"]["test"]["groups"] = {MARK: 3}


WAYS = {
    "cut": _cut,
    "altered": _altered,
    "other_columns": _other_columns,
    "garbled": _garbled,
    "carded": _carded,
    "strewn": _strewn,
    "unkeyed": _in_manifest(_unkeyed),
    "foreign": _in_manifest(_foreign),
    "features": _in_manifest(_features),
}
