"""What becomes of a case of CMHE-DD that has its names, codes and description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipes.cmhe_dd.records import record_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipe import Record
    from dataset_scripts.recipes.cmhe_dd.cases import Case
    from dataset_scripts.recipes.cmhe_dd.coding import Coded

RECIPE = "rebuilt"
Made = list[tuple["Record | None", str]]  # a record or none, and what became of the case


def record_of_case(
    case: Case, names: Sequence[str], description: str | None, coded: Coded, described: str
) -> tuple[Record | None, str]:
    """Make a record of a case, or say why it is none."""
    if any(name not in coded.codes for name in names):
        return None, "not coded"
    pairs = [(name, code) for name in names for code in coded.codes[name]]
    if not pairs:
        return None, "a person: no disease"
    if description is None:
        return None, "not described"
    record = record_of(
        description=description,
        codes=[code for _, code in pairs],
        diseases=[name for name, _ in pairs],
        part=case.part,
        coded=coded.by(names),
        described=described,
        source=case.source,
        recipe=RECIPE,
        upstream_key=case.key,
    )
    return record, "kept"
