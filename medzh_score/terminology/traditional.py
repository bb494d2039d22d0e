"""Traditional Chinese characters and the simplified ones for which they stand."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from medzh_score.files.package_files import package_file

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "terminology/traditional.txt"


@cache
def simplified_characters() -> Mapping[int, str]:
    """Give a table for `str.translate`: one character stands for one, so that places in a text stay.

    Examples
    --------
    >>> "診斷：胃潰瘍".translate(simplified_characters())
    '诊断：胃溃疡'
    """
    lines = package_file("medzh_score", FILE).read_text(encoding="utf-8").splitlines()
    return {ord(sign): line[0] for line in lines for sign in line[1:]}
