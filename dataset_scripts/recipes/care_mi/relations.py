"""Steps 2 and 3 for triples: statements from published wordings (``relations.toml``)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.recipes.care_mi.negation import negate
from dataset_scripts.recipes.care_mi.triples import BIOS_LABEL
from medzh_score.benchmark.prompts import Prompt
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from dataset_scripts.recipes.care_mi.triples import Triple

TABLE = Path(__file__).with_name("relations.toml")
IN_A_ROW = "in-a-row"


@dataclass(frozen=True)
class Wording:
    """How triples of some relations become statements."""

    name: str
    statement: str  # with {head}, {relation} and {tail}
    negated: str
    released: str  # what the released code writes


@dataclass(frozen=True)
class Stated:
    """A triple as a statement, without a full stop."""

    statement: str
    negated: str  # empty where no rule makes it
    rules: tuple[str, ...]
    negated_by: str


@cache
def wordings() -> dict[tuple[str, str], Wording]:
    """Give the published wordings, by source and folded relation."""
    found: dict[tuple[str, str], Wording] = {}
    for table in tomllib.loads(TABLE.read_text(encoding="utf-8"))["wording"]:
        released = table.get("released", table["statement"])
        wording = Wording(table["name"], table["statement"], table["negated"], released)
        for relation in table["relations"]:
            found[table["source"], fold(relation)] = wording
    return found


def state(triple: Triple) -> Stated | None:
    """Make statements of a triple.

    None where the relation is unknown and the source is CPubMed, for which the released code gives up, too. An unknown
    relation of BIOS stands between head and tail, and its negation is looked for in it alone.

    >>> from dataset_scripts.recipes.care_mi.triples import Triple
    >>> state(Triple("CPubMed", "胎盘早剥", "预防", "产前检查", "")).statement
    '产前检查有助于预防胎盘早剥'
    """
    wording = wordings().get((triple.label, fold(triple.relation)))
    if wording is not None:
        statement, negated, released = (
            Prompt(wording.name, text, "").fill(head=triple.head, relation=triple.relation, tail=triple.tail)
            for text in (wording.statement, wording.negated, wording.released)
        )
        mended = (f"wording-{wording.name}-mended",) if statement != released else ()
        return Stated(statement, negated, (f"wording-{wording.name}", *mended), "negation-wording")
    if triple.label != BIOS_LABEL:
        return None
    statement = f"{triple.head}{triple.relation}{triple.tail}"
    denied = negate(triple.relation)
    negated = f"{triple.head}{denied.text}{triple.tail}" if denied.text else ""
    return Stated(statement, negated, (f"wording-{IN_A_ROW}",), denied.rule)
