"""What can be told of a declared config before it meets any record: its names, and that they are names of something."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.config import Config

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
UNITS = ("percent", "fraction")
DIRECTIONS = ("higher", "lower", None)


class Unsound(NamedTuple):
    """What is wrong with an attribute of a config."""

    attribute: str
    problem: str


def first_fault(name: str, loaded: object) -> Unsound | None:
    """Say what is wrong with what was declared under a name; None where nothing is."""
    return next(_faults(name, loaded), None)


def _faults(name: str, loaded: object) -> Iterator[Unsound]:
    if not isinstance(loaded, Config):
        yield Unsound("CONFIG", f"is no Config, but {type(loaded).__name__}")
        return
    if loaded.name != name or not NAME.fullmatch(name):
        yield Unsound("name", f"is declared as {name}, and names itself {loaded.name!r}")
    if loaded.unit not in UNITS:
        yield Unsound("unit", f"is neither percent nor fraction: {loaded.unit!r}")
    if not loaded.title.strip():
        yield Unsound("title", "is blank")
    for attribute in ("rules", "prompts", "metrics", "rounds"):
        names = [one.name for one in getattr(loaded, attribute)]
        if not names and attribute != "rounds":
            yield Unsound(attribute, "is empty")
        if twice := {one for one in names if names.count(one) > 1 or not one.strip()}:
            yield Unsound(attribute, f"names one twice, or not at all: {min(twice)!r}")
    yield from _faults_of_metrics(loaded)


def _faults_of_metrics(config: Config) -> Iterator[Unsound]:
    known = {metric.name for metric in config.metrics}
    for attribute, named in (
        ("headline", (config.headline,)),
        ("shown", config.shown),
        ("item_metrics", config.item_metrics),
    ):
        if lacking := sorted({*named} - known):
            yield Unsound(attribute, f"names no metric: {lacking[0]!r}")
    for metric in config.metrics:
        if metric.direction not in DIRECTIONS:
            yield Unsound(f"metrics: {metric.name}", f"has no such direction: {metric.direction!r}")
        if not metric.undefined.strip() or not metric.summary.strip():
            yield Unsound(f"metrics: {metric.name}", "does not say what it counts, or why it has no value")
