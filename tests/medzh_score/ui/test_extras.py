"""Which extra brings a library: as pyproject.toml has it, and named only where a library is missing."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import packages_distributions
from typing import TYPE_CHECKING

import pytest
from places import ROOT

from medzh_score.ui.errors import MODULES_OF, extra_for
from medzh_score.ui.process import problem_of

if TYPE_CHECKING:
    from collections.abc import Mapping

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DEVELOPMENT = {"dev", "docs"}  # what no command imports
DATA_ONLY = {"pylopdf-fonts-zh-cn"}  # a font, which is found and never imported by name


@pytest.fixture(scope="module")
def installed() -> Mapping[str, list[str]]:
    return packages_distributions()


def named(requirement: str) -> str:
    return re.split(r"[\[><=~! ]", requirement)[0].lower().replace("_", "-")


@pytest.mark.parametrize("extra", sorted(set(PROJECT["optional-dependencies"]) - DEVELOPMENT))
def test_each_library_of_an_extra_is_known(extra, installed):
    wanted = {named(one) for one in PROJECT["optional-dependencies"][extra]} - DATA_ONLY
    modules = MODULES_OF[extra]
    if not installed.keys() >= set(modules):
        pytest.skip(f"the extra {extra} is not installed")
    brought = {name.lower().replace("_", "-") for module in modules for name in installed[module]}
    assert brought == wanted


def test_what_is_missing_names_its_extra():
    problem = problem_of(ModuleNotFoundError("No module named 'jinja2'", name="jinja2"))
    assert str(problem) == "library jinja2 is not installed\n  Fix: run `pip install 'medzh-score[build]'`."


@pytest.mark.parametrize(
    "error", [ModuleNotFoundError("x", name="medzh_score.no_such"), ImportError("broken", name="jinja2"), ValueError()]
)
def test_what_no_extra_mends_names_none(error):
    assert "extra" not in str(problem_of(error))
    assert not isinstance(error, ImportError) or extra_for(error) is None
