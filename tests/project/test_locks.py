"""The locks hold what pyproject.toml asks for, with hashes, and no registry."""

from __future__ import annotations

import re
import tomllib

import pytest
from places import ROOT

LOCKS = {"demo": "build", "development": "dev"}  # each with the extra that it installs
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINNED = re.compile(r"([a-z0-9-]+)(?:\[[a-z0-9,-]+\])?==([^ ]+)(?: ; (.+?))?(?= \\)")
MOST = 60  # packages of the demo


def lock(name):
    return (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8")


def pins(name):
    return set(PINNED.findall(lock(name)))


def asked_for(extra):
    """Name what is asked for directly, through extras of our own as well."""
    given = PROJECT["project"]["optional-dependencies"]
    wanted = [*given[extra], *PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["install"]]
    own = [re.fullmatch(r"medzh-score\[(.+)\]", one) for one in wanted]
    wanted += [one for found in own if found for inner in found[1].split(",") for one in given[inner]]
    names = {re.split(r"[\[><=~! ]", one)[0].lower().replace("_", "-") for one in wanted}
    return names - {"medzh-score"}


@pytest.mark.parametrize(("name", "extra"), LOCKS.items())
def test_a_lock_holds_what_is_asked_for(name, extra):
    assert asked_for(extra) <= {pin[0] for pin in pins(name)}


@pytest.mark.parametrize("name", LOCKS)
def test_every_line_is_a_pin_with_hashes_and_names_no_registry(name):
    blocks = re.split(r"\n(?=\S)", lock(name).rstrip("\n"))
    assert len(blocks) == len(pins(name))
    for block in blocks:
        pin, *hashes = block.split(" \\\n")
        assert PINNED.match(f"{pin} \\")[0] == pin
        assert hashes
        assert all(re.fullmatch(r" {4}--hash=sha256:[0-9a-f]{64}", one) for one in hashes)


def test_the_demo_is_a_part_of_development():
    assert {pin[:2] for pin in pins("demo")} <= {pin[:2] for pin in pins("development")}
    assert len({pin[0] for pin in pins("demo")}) <= MOST
