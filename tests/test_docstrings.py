"""The examples in the docstrings run, and public functions say what they take and give."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
from importlib import import_module

import pytest

import dataset_scripts
import medzh_score

MODULES = [
    module.name
    for package in (medzh_score, dataset_scripts)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not module.name.endswith("__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    module = import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0
    for function in vars(module).values():
        wrapped = getattr(function, "__wrapped__", None)  # a cached function hides its examples from doctest
        if wrapped is not None and getattr(wrapped, "__module__", None) == name:
            for example in doctest.DocTestFinder().find(wrapped, globs=dict(vars(module))):
                assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_public_functions_document_their_parameters(name):
    module = import_module(name)
    for function in vars(module).values():
        if inspect.isfunction(function) and function.__module__ == name and not function.__name__.startswith("_"):
            takes = [parameter for parameter in inspect.signature(function).parameters if parameter != "self"]
            text = function.__doc__ or ""
            assert text, function
            undocumented = [parameter for parameter in takes if parameter not in text]
            assert not undocumented or "Parameters" not in text, (function, undocumented)
