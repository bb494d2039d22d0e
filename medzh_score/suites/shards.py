"""One of N independent parts of a suite's units, as the jobs of an array take them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.suites.scoring import Unit


def shard_of(units: Sequence[Unit], shard: str) -> Sequence[Unit]:
    """Take one of N parts, ``I/N`` with I from 1; the parts are of all that the plan asks, whatever is done of it."""
    number, _, of = shard.partition("/")
    if not (number.isascii() and number.isdigit() and of.isascii() and of.isdigit() and 1 <= int(number) <= int(of)):
        raise MedzhError("is no part", field="--shard", expected="I/N, such as 1/4", found=shard)
    return units[int(number) - 1 :: int(of)]
