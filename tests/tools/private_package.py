"""A private config that is there while a test runs, as ``medzh-build new --private`` writes it."""

from __future__ import annotations

import sys
from contextlib import contextmanager

import pytest
from installed import install

from dataset_scripts.cli.main import main

NAME = "ward"
KINDS = ("letters", "true-false")


@contextmanager
def private_package(folder):
    """Write the package into a folder, and let the commands of this process find it."""
    assert main(["new", NAME, "--private", "--kind", *KINDS, "--output", str(folder)]) == 0
    install(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield folder
    for module in [one for one in sys.modules if one.partition(".")[0] == f"{NAME}_bench"]:
        del sys.modules[module]


def open_to_others(folder):
    """Name all that others than its owner could read or change, a folder itself included."""
    found = [folder, *folder.rglob("*")]
    return [str(path.relative_to(folder)) for path in found if not path.is_symlink() and path.stat().st_mode & 0o077]
