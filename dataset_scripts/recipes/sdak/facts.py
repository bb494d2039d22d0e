"""From values to facts: which of them say something that a claim can say, and none that another fact refutes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.sdak.content import fold
from dataset_scripts.recipes.sdak.medicines import core
from dataset_scripts.recipes.sdak.names import names_of
from dataset_scripts.recipes.sdak.templates import BY_KIND
from dataset_scripts.recipes.sdak.values import clean, fault, fault_of_name
from medzh_score.benchmark.draws import draw_first

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from dataset_scripts.recipes.sdak.content import Value

Dropped = Counter[tuple[str, str]]  # by type and reason

DENYING = frozenset({"negative", "hedged"})  # each makes the counterfactual true, wholly or in part


@dataclass(frozen=True)
class Fact:
    """A statement of a source that a template can put into words."""

    kind: str
    subject: str  # cleaned, as is obj; a type of one slot has an empty object
    obj: str
    source: str
    sources: tuple[str, ...] = ()  # all that say it

    @property
    def claims(self) -> tuple[str, str]:
        """The factual and the counterfactual claim."""
        return BY_KIND[self.kind].fill(self.subject, self.obj)

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two facts the same; of a medicine, what it holds."""
        subject = core(self.subject) if self.kind.startswith("Western Medicine") else fold(self.subject)
        return self.kind, subject, core(self.obj) if self.kind == "Disease-Medicine" else fold(self.obj)


def settle(values: Iterable[Value]) -> tuple[list[Fact], list[Fact], Dropped]:
    """Clean the values, part what is affirmed from what is denied, and count what is dropped by type and reason."""
    affirmed, denied, dropped = [], [], Dropped()
    for value in values:
        reason = value.dropped or fault_of_name(value.subject) or fault(value.kind, value.text)
        if reason is None and not value.holds:
            reason = "negative"
        obj = "" if len(BY_KIND[value.kind].slots) == 1 else clean(value.text)
        fact = Fact(value.kind, clean(value.subject), obj, value.source)
        if reason is None:
            affirmed.append(fact)
            continue
        dropped[value.kind, reason] += 1
        if reason in DENYING:
            denied.append(fact)
    return affirmed, denied, dropped


def stated_claims(affirmed: Iterable[Fact], denied: Iterable[Fact], table: Mapping[str, set[str]]) -> set[str]:
    """Write out, folded, every claim that the sources make true, for a denied fact under all names of the disease.

    Aliases are those of `name_table`.
    """
    stated = {fold(fact.claims[0]) for fact in affirmed}
    for fact in denied:
        template = BY_KIND[fact.kind]
        stated.update(fold(template.fill(name, fact.obj)[1]) for name in names_of(fact.subject, table))
    return stated


def sift(facts: Iterable[Fact], reason: str, is_dropped: Callable[[Fact], bool], dropped: Dropped) -> list[Fact]:
    """Keep the facts that a test does not drop, in their order, and count the others."""
    kept = []
    for fact in facts:
        if is_dropped(fact):
            dropped[fact.kind, reason] += 1
        else:
            kept.append(fact)
    return kept


def unite(facts: Iterable[Fact], dropped: Dropped) -> list[Fact]:
    """Make one of facts that are the same, by type, subject and object.

    The shortest stays, of several sources the first by name.
    """
    united: dict[tuple[str, str, str], Fact] = {}
    for fact in facts:
        held = united.get(fact.key)
        if held is not None:
            dropped[fact.kind, "duplicate"] += 1
        if held is None or _precedence(fact) < _precedence(held):
            united[fact.key] = fact
    return [united[key] for key in sorted(united)]


def draw(facts: Iterable[Fact], seed: int, limit: int, dropped: Dropped) -> list[Fact]:
    """Draw at most so many facts of each type, by the SHA-256 of seed and fact (paper, section 3.2).

    No generator of random numbers is involved, so no library can change the draw, and a fact that is added upstream
    takes the place of at most one other.
    """
    by_kind: dict[str, list[Fact]] = {}
    for fact in facts:
        by_kind.setdefault(fact.kind, []).append(fact)
    drawn: list[Fact] = []
    for kind, candidates in by_kind.items():
        chosen = draw_first(candidates, _identity, limit, seed)
        dropped[kind, "over the limit"] += len(candidates) - len(chosen)
        drawn += chosen
    return sorted(drawn, key=lambda fact: fact.key)


def _precedence(fact: Fact) -> tuple[int, str, str, str]:
    return len(fact.subject) + len(fact.obj), fact.source, fact.subject, fact.obj


def _identity(fact: Fact) -> str:
    return f"{fact.kind}:{fact.subject}:{fact.obj}"
