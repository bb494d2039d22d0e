"""Under which names a disease goes, and whether what is said of it is only another of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dataset_scripts.recipes.sdak.content import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# In these a longer word around the disease's name, or its tail, is the disease again: 复杂性尿路感染 is no symptom of
# 尿路感染, and that 皮肤囊肿 shows 囊肿 needs no knowledge.
NAME_LIKE = frozenset({"Disease-Symptom", "Diseases-Complication", "Disease-Cause"})
SHORTEST_INSIDE = 2
BRACKETED = re.compile(r"[(（\[【][^)）\]】]*[)）\]】]")


def name_table(aliases: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """List the folded other names of each disease, both ways: who has an alias is also an alias of it."""
    table: dict[str, set[str]] = {}
    for name, others in aliases.items():
        for other in others:
            for one in _forms(name):
                for two in _forms(other):
                    table.setdefault(one, set()).add(two)
                    table.setdefault(two, set()).add(one)
    return table


def names_of(name: str, table: Mapping[str, set[str]]) -> set[str]:
    """List the folded names of a disease: its own, that without what stands in brackets, and its aliases."""
    forms = _forms(name)
    return forms.union(*(table.get(form, set()) for form in forms))


def names_its_subject(kind: str, subject: str, obj: str, table: Mapping[str, set[str]]) -> bool:
    """Say whether the object is the disease itself under whatever name."""
    if not obj:
        return False
    names = names_of(subject, table)
    if names & _forms(obj):
        return True
    if kind not in NAME_LIKE:
        return False
    folded = fold(obj)
    return bool(names & names_of(obj, table)) or any(
        name.endswith(folded) or (len(name) >= SHORTEST_INSIDE and name in folded) for name in names
    )


def _forms(name: str) -> set[str]:
    return {form for form in (fold(name), fold(BRACKETED.sub("", name))) if form}
