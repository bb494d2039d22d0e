"""The examples in the docstrings run, what is offered says what it takes, and the rest what it is for."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
import re
from dataclasses import fields, is_dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import is_typeddict

import msgspec

import dataset_scripts
import medzh_score
from dataset_scripts.recipes.sdak.dataset import DATASET

MODULES = [
    module.name
    for package in (medzh_score, dataset_scripts)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not module.name.endswith("__main__")
    # inspect finds its scorers by the module, which stands on inspect; environments of the wheel lack it
    and (find_spec("inspect_ai") or not module.name.endswith(".inspect_ai"))
]


def failed_examples(name):
    """Count the examples of a module that fail; doctest prints what they gave."""
    module = import_module(name)
    failed = doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed
    for function in vars(module).values():
        wrapped = getattr(function, "__wrapped__", None)  # a cached function hides its examples from doctest
        if wrapped is not None and getattr(wrapped, "__module__", None) == name:
            for example in doctest.DocTestFinder().find(wrapped, globs=dict(vars(module))):
                failed += doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed
    return failed


def test_examples_run():
    """Looking for examples takes long, and most modules have none."""
    shown = [name for name in MODULES if ">>> " in Path(import_module(name).__file__).read_text(encoding="utf-8")]
    assert len(shown) > 60
    assert {name: failed for name in shown if (failed := failed_examples(name))} == {}


def functions_of(name):
    found = vars(import_module(name)).values()
    own = (one for one in found if inspect.isfunction(one) and one.__module__ == name)
    return [one for one in own if not one.__name__.startswith("_")]


# The modules whose formulas configs share.
METRICS = re.compile(r"medzh_score\.stats\.(formulas|overlap_metrics)")
# What users and authors of configs rely on: a reader meets it before the code behind it.
OFFERS = [
    *(offer for name in medzh_score.__all__ if callable(offer := getattr(medzh_score, name))),
    *(type(part) for part in (DATASET, DATASET.recipes[0], DATASET.metadata)),
    *(one for name in MODULES if METRICS.fullmatch(name) for one in functions_of(name)),
]


def undocumented(offer, text):
    """Name what an offer takes, or holds, and its docstring has no line for."""
    if is_typeddict(offer):
        names, head = list(offer.__annotations__), "Attributes"
    elif isinstance(offer, type) and issubclass(offer, msgspec.Struct):
        names, head = [field.name for field in msgspec.structs.fields(offer)], "Attributes"
    elif is_dataclass(offer):
        names, head = [field.name for field in fields(offer) if not field.name.startswith("_")], "Attributes"
    else:
        names, head = (
            [name for name in inspect.signature(offer).parameters if name not in {"args", "kwargs"}],
            "Parameters",
        )
    section = text.partition(f"{head}\n{'-' * len(head)}\n")[2]
    return [name for name in names if not re.search(rf"^(?:\S+, )*\**{name}\b[^:\n]* :", section, re.MULTILINE)]


def test_what_is_offered_says_what_it_takes():
    silent = {offer: names for offer in OFFERS if (names := undocumented(offer, inspect.getdoc(offer) or ""))}
    assert silent == {}


def test_an_offer_without_its_parameters_is_found():
    def offer(one, two, *three):
        """Do it."""

    assert undocumented(offer, offer.__doc__) == ["one", "two", "three"]
    assert undocumented(offer, "Do it.\n\nParameters\n----------\none, two : int\n    Numbers.\n") == ["three"]


def left_out(function):
    """Name the parameters that a docstring with a section of them leaves out."""
    text = function.__doc__ or ""
    return [one for one in inspect.signature(function).parameters if one not in text] if "Parameters" in text else []


def test_each_public_function_has_a_docstring_that_leaves_no_parameter_out():
    functions = [function for name in MODULES for function in functions_of(name)]
    assert [function for function in functions if not function.__doc__] == []
    assert {function: missing for function in functions if (missing := left_out(function))} == {}
