"""How Python shows a report: in a line at the prompt, as a small table in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from medzh_score.messages.errors import printable
from medzh_score.report.numbers import cells_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.statistics.values import Value

HEADS = ("metric", "value", "95% interval", "std", "n")


def in_a_line(config: str, model: str | None, rule: str, headline: str, value: Value) -> str:
    """Say what was scored, by which rule, and the headline."""
    cells = cells_of(value)
    interval = f" (95% interval {cells.interval})" if value.low is not None else ""
    found = "undefined" if value.value is None else f"{cells.value}{interval}"
    return f"{_subject(config, model, rule)}: {headline} {found}, {value.n} items"


def as_html(config: str, model: str | None, rule: str, metrics: Mapping[str, Value]) -> str:
    """Put metrics over all items into a table of HTML; why one is undefined, or has no interval, is its row's title."""
    head = "".join(f"<th>{one}</th>" for one in HEADS)
    rows = "".join(_row(name, value) for name, value in metrics.items())
    caption = escape(_subject(config, model, rule))
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _subject(config: str, model: str | None, rule: str) -> str:
    return f"{config}{f' of {printable(model)}' if model else ''}, rule {rule}"


def _row(name: str, value: Value) -> str:
    why = f' title="{escape(value.why)}"' if value.why is not None else ""
    cells = "".join(f"<td>{escape(str(one))}</td>" for one in cells_of(value))
    return f"<tr{why}><th>{escape(name)}</th>{cells}</tr>"
