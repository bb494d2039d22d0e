"""How a package is layered: imports run down only and in no circle, those for types alone included."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import layers
import pytest
from places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

# The modules and folders at the top of a package, from the highest down; those of one row do not know each other.
LAYERS = {
    "dataset_scripts": (
        ("__main__",),
        ("cli",),
        ("releases",),
        ("building",),
        ("recipes",),
        ("authoring",),
        ("terminology",),
        ("inputs",),
        ("packaging", "sources"),
        ("digests",),
        ("recipe",),
    ),
    "medzh_score": (
        ("__main__",),
        ("cli",),
        ("html", "suites"),
        ("export", "render"),
        ("comparison",),
        ("scoring",),
        ("results",),
        ("stages",),
        ("readers",),
        ("prompting",),
        ("data",),
        ("configs",),
        ("authoring",),
        ("extraction",),
        ("stats",),
        ("conformance",),
        ("benchmark",),
        ("terminology",),
        ("text",),
        ("io",),
        ("ui",),
        ("version",),
    ),
}
# What no other layer imports: it is found by entry points.
REGISTERED = {"dataset_scripts": "recipes", "medzh_score": "configs"}
MODULES, FOLDERS = 6, 20
ENDS = ("__main__", "version")  # modules beside the layers


@cache
def files(package: str) -> dict[str, Path]:
    """Give the file of each module of a package."""
    paths = {path.relative_to(ROOT).with_suffix("").parts: path for path in (ROOT / package).rglob("*.py")}
    return {".".join(parts).removesuffix(".__init__"): path for parts, path in paths.items()}


@cache
def imports(package: str, module: str) -> set[str]:
    """List what a module imports of our packages, wherever it does so; of a name, the module that has it."""
    known = files("dataset_scripts") | files("medzh_score")
    found = set()
    for node in ast.walk(ast.parse(files(package)[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{one.name}" for one in node.names}
            found |= {str(node.module) if name not in known else name for name in inner}
    return found & known.keys() - {module}


def layers_of(package: str) -> dict[str, int]:
    """Give the depth of each module and folder at the top of a package."""
    return {name: depth for depth, row in enumerate(LAYERS[package]) for name in row}


def between_layers(package: str) -> list[tuple[str, str]]:
    """List the imports that leave a layer for another of its package, as modules."""
    pairs = [(module, other) for module in files(package) for other in imports(package, module)]
    inside = [pair for pair in pairs if all(one.startswith(f"{package}.") for one in pair)]
    return [(module, other) for module, other in inside if module.split(".")[1] != other.split(".")[1]]


@pytest.mark.parametrize("package", LAYERS)
def test_every_module_stands_in_a_layer(package):
    assert {module.split(".")[1] for module in files(package) if "." in module} == layers_of(package).keys()


@pytest.mark.parametrize("package", LAYERS)
def test_imports_run_down_the_layers(package):
    depth = layers_of(package)
    assert not [
        pair for pair in between_layers(package) if depth[pair[0].split(".")[1]] >= depth[pair[1].split(".")[1]]
    ]


@pytest.mark.parametrize("package", LAYERS)
def test_no_imports_go_in_a_circle(package):
    graph = {module: imports(package, module) & files(package).keys() for module in files(package)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@pytest.mark.parametrize(("package", "folder"), REGISTERED.items())
def test_what_is_registered_is_imported_by_nobody(package, folder):
    assert not [pair for pair in between_layers(package) if pair[1].split(".")[1] == folder]


def test_the_scorer_knows_nothing_of_the_builder():
    for module in files("medzh_score"):
        assert not [name for name in imports("medzh_score", module) if name.startswith("dataset_scripts")], module


@pytest.mark.parametrize("package", LAYERS)
def test_the_top_of_a_package_is_small(package):
    assert len(list((ROOT / package).glob("*.py"))) <= MODULES
    assert len([path for path in (ROOT / package).iterdir() if any(path.glob("*.py"))]) <= FOLDERS


@pytest.mark.parametrize("package", LAYERS)
def test_no_class_name_stands_twice(package):
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files(package).values()]
    names = Counter(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_architecture_is_that_of_the_imports(language):
    written = layers.rows_of((layers.DOCS / language / "architecture.md").read_text(encoding="utf-8"))
    assert written == {
        package: [list(row) for row in rows if row[0] not in ENDS] for package, rows in reversed(LAYERS.items())
    }


def test_the_picture_of_layers_is_that_of_the_architecture():
    page = (layers.DOCS / "en" / "architecture.md").read_text(encoding="utf-8")
    assert layers.PICTURE.read_text(encoding="utf-8") == layers.picture(page)
