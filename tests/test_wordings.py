"""Rules as data, of all kinds of answers: each has a name, an example that it must match and one that it must not."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pkgutil import iter_modules

import pytest

from medzh_score import extraction

KINDS = ("verdict", "yes_no", "option_letters", "diagnosis", "score")
FOUND = {
    module.name: wordings
    for module in iter_modules(extraction.__path__)
    if (wordings := getattr(import_module(f"{extraction.__name__}.{module.name}"), "WORDINGS", ()))
}
ALL = {id(wording): (name, wording) for name, wordings in FOUND.items() for wording in wordings}


def test_every_kind_has_rules_as_data():
    assert set(KINDS) <= FOUND.keys()


@pytest.mark.parametrize("module", FOUND)
def test_names_are_unique_in_a_module(module):
    assert [name for name, count in Counter(one.name for one in FOUND[module]).items() if count > 1] == []


@pytest.mark.parametrize(("module", "wording"), ALL.values(), ids=lambda part: getattr(part, "name", part))
def test_a_wording_matches_its_example_and_not_the_other(module, wording):
    assert wording.expression.search(wording.matches), module
    assert not wording.expression.search(wording.misses), module
