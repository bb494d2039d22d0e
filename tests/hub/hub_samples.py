"""Builds that the tests publish, what they hold, and what a hub does to requests that go wrong."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

import pyarrow as pa
from hub_state import Reply

from dataset_scripts.packaging.build_files import write_rest, write_splits
from dataset_scripts.packaging.schema import column_types, features_of, read_schema
from dataset_scripts.recipe import dataset
from medzh_score.data.records import load_records, read_manifest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    Client = Callable[..., subprocess.CompletedProcess[str]]

OTHER = "改过的论断"
LOAD = """
import json, sys
from medzh_score.ui.errors import MedzhError
from medzh_score.data.records import load_records
try:
    records = load_records(config=sys.argv[2], data=sys.argv[1])
except MedzhError as error:
    print(json.dumps(str(error), ensure_ascii=False))
else:
    origin = records.origin
    print(json.dumps([origin.version, origin.commit, sorted(row["prompt"] for row in records.rows)]))
"""

COMMAND = ("-m", "dataset_scripts")
UNCHECKED = """
import sys
from dataset_scripts.building.check import Checked
from dataset_scripts.releases import checks as refusing
refusing.check = lambda _: Checked([], ["looked at elsewhere, and slow"])
from dataset_scripts.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def rebuilt(build, folder, change):
    """Write a build of SDAK anew with other records."""
    entry = read_manifest(build)["configs"]["sdak"]
    rows = load_records(config="sdak", data=build).rows
    change(rows)
    write_rest(folder, {"sdak": _written(folder, "sdak", {"test": rows}, entry)})
    return folder


def publishable(samples, folder, **recipes):
    """Write a build of samples anew under the name of another recipe, for none of mini is ever published.

    That is the first other that a config has, unless ``recipes`` names one.
    """
    configs = {}
    for name, entry in read_manifest(samples)["configs"].items():
        other = recipes.get(name) or next(one.name for one in dataset(name).recipes if one.name != "mini")
        splits = {split: load_records(samples, name, split=split).rows for split in entry["splits"]}
        for row in (row for rows in splits.values() for row in rows if "recipe" in row):
            row["recipe"] = other
        configs[name] = _written(folder, name, splits, {**entry, "recipe": other})
    write_rest(folder, configs)
    return folder


def _written(folder, name, splits, entry):
    types = column_types(read_schema(dataset(name).schema))
    schema = features_of(types).arrow_schema
    tables = {split: pa.Table.from_pylist(rows, schema=schema) for split, rows in splits.items()}
    return entry | write_splits(folder, name, tables, types, dataset(name).breakdown, entry)


def prompts(build, config="sdak"):
    """Give what a build asks."""
    return sorted(row["prompt"] for row in load_records(config=config, data=build).rows)


def published(client, build, version, *options, start=COMMAND, **changed):
    """Publish a build by the command."""
    return client(*start, "publish", "org/medzh", "--version", version, "--data", str(build), *options, **changed)


def loaded(client, tag, config="sdak", **changed):
    """Load a tag by our own loader: version, commit and prompts, or a message."""
    done = client("-c", LOAD, f"org/medzh@{tag}", config, **changed)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def shortened(carry_out):
    """End a reply halfway."""
    whole = carry_out()
    headers = {**whole.headers, "Content-Length": str(len(whole.body))}
    return Reply(whole.status, whole.body[: len(whole.body) // 2], headers)


def altered(carry_out):
    """Give other bytes of the same number."""
    reply = carry_out()
    return Reply(reply.status, bytes(reversed(reply.body)), reply.headers)


def broken(_):
    """Fail as a server does, and do nothing."""
    return Reply(HTTPStatus.INTERNAL_SERVER_ERROR, b"sorry", {"Content-Type": "text/plain"})


def lost(carry_out):
    """Do what is asked, and say that it failed."""
    carry_out()
    return broken(carry_out)


def closed(_):
    """Close the connection without an answer."""


def refused(status, code):
    """Refuse with a code of the hub."""
    return lambda _: Reply(status, b"{}", {"X-Error-Code": code, "X-Error-Message": "no"})
