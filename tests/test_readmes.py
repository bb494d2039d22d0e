"""What the READMEs say first."""

from __future__ import annotations

import re

import pytest
from pages import CHINESE, ENGLISH, links_of, shell_lines, text_of


def test_readmes_name_each_other_first():
    assert links_of(ENGLISH)[0] == CHINESE
    assert links_of(CHINESE)[0] == ENGLISH


@pytest.mark.parametrize("name", [ENGLISH, CHINESE])
def test_the_first_lines_say_what_is_official(name):
    first = "\n".join(text_of(name).splitlines()[:16])
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", first, re.MULTILINE))
    some, no = ("sdak: yes; the others: not shown", "no") if name == ENGLISH else ("sdak：是；其余：无法证明", "否")
    assert rows == {"official": some, "rebuilt": no, "mini": no}
    assert "204" in first


@pytest.mark.parametrize("name", [ENGLISH, CHINESE])
def test_demo_and_tests_are_the_first_commands(name):
    assert shell_lines(name)[:2] == ["make demo", "make test"]
