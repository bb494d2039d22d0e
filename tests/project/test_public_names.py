"""What the package promises under its own name is there, and is what its home module holds."""

from __future__ import annotations

from importlib import import_module

import pytest

import medzh_score


@pytest.mark.parametrize("name", medzh_score._HOMES)
def test_every_public_name_is_that_of_its_home(name):
    home = import_module(medzh_score._HOMES[name])
    assert getattr(medzh_score, name) is getattr(home, name)


def test_other_names_are_refused():
    with pytest.raises(AttributeError):
        _ = medzh_score.no_such_name
    assert {*medzh_score._HOMES, "__version__"} == set(medzh_score.__all__)
