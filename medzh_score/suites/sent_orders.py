"""In which orders a suite's prompts were sent: for tools that answer by position and repeat no ids."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.prompts.sent_positions import orders_of_rounds, sent_order
from medzh_score.suites.first_prompts import first_file
from medzh_score.suites.sent_ids import later_places

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.prompts.sent_order import Position, SentOrder
    from medzh_score.suites.plan import Plan


def orders_of(suite: Path, plan: Plan) -> SentOrder:
    """Give the orders of all prompts files of a suite; nothing is read before somebody asks for them."""

    @cache
    def order() -> Mapping[str, Sequence[Position]]:
        found: dict[str, Sequence[Position]] = {}
        for asked in plan.configs:
            config = find_config(asked.config)
            first = dict.fromkeys(first_file(suite, model, config.name) for model in plan.models)
            for path in first:
                found |= sent_order(config, plan.data, [path])()
            for place in later_places(plan, config):
                path = place.prompts(suite)
                if path.exists():
                    for one in orders_of_rounds(config, {place.round: [path]}).values():
                        found |= {str(path): positions for positions in one().values()}
        return found

    return order
