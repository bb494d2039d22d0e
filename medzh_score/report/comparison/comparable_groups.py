"""Results of one config in groups that may be compared, by the rule and the keys that `compare` goes by."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.messages.errors import MedzhError
from medzh_score.report.comparison.choices import MISSING, refused_keys, with_one_policy
from medzh_score.report.comparison.comparing import Held, rule_for
from medzh_score.report.results.result import Result
from medzh_score.report.signature import signed_by, value_differences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from medzh_score.report.comparison.choices import Choices
    from medzh_score.report.results.report_file import Identity
    from medzh_score.report.signature import Signature

    Signed = Callable[["ComparableGroup", "ComparableGroup"], list[Signature]]

MINI, OPEN = "mini", "open"
AFTER = {OPEN: 1, MINI: 2}  # the benchmark's own data stand before them


@dataclass(frozen=True)
class Labelled:
    """A result folder, under the label of its system."""

    label: str
    identity: Identity


@dataclass(frozen=True)
class Apart:
    """A key for which a group may not be compared with the first group, and what both say there."""

    key: str
    here: str
    first: str


@dataclass(frozen=True)
class ComparableGroup:
    """Results that may be compared: all pairs of them, and no result of another group."""

    rule: str
    signature: Signature  # of the first member
    members: tuple[Labelled, ...]
    apart: tuple[Apart, ...] = ()  # from the first group of the config; empty for the first

    @property
    def mini(self) -> bool:
        """Whether the data are the sample that ships with the project, and no benchmark."""
        return recipe_signed(self.signature) == MINI


def recipe_signed(signature: Mapping[str, str]) -> str:
    """Say by which recipe the data of a signature were made.

    Examples
    --------
    >>> recipe_signed({"data": "0.0.0/mini/01234567"})
    'mini'
    """
    return "".join(signature.get("data", "").split("/")[1:2])


def comparable_groups(config: str, results: Sequence[Labelled], choices: Choices) -> tuple[ComparableGroup, ...]:
    """Put results of one config into groups: benchmark data before open and mini ones, then the largest first.

    The order of the results changes nothing.
    """
    chosen = find_config(config)
    alone = list[ComparableGroup]()
    for one in sorted(results, key=_order):
        its = one.identity
        rule = rule_for(chosen, [Held(its.folder, its.rules)], choices)
        alone.append(ComparableGroup(rule, signed_by(rule, its.signature), (one,)))
    groups = _joined(_joined(alone, choices, _as_signed), choices, _with_one_policy)
    for group in groups:
        _refuse_doubled(group)
    groups.sort(
        key=lambda group: (
            AFTER.get(recipe_signed(group.signature), 0),
            -len(group.members),
            sorted(group.signature.items()),
        )
    )
    return tuple(replace(group, apart=_apart(groups[0], group, choices)) for group in groups)


def _joined(groups: Iterable[ComparableGroup], choices: Choices, signed: Signed) -> list[ComparableGroup]:
    """Join groups that may be compared, by what is signed of each beside another."""
    found: list[ComparableGroup] = []
    for group in groups:
        for place, other in enumerate(found):
            signature, its = signed(other, group)
            if group.rule == other.rule and not refused_keys(signature, its, choices.allow):
                members = sorted((*other.members, *group.members), key=_order)
                found[place] = replace(other, signature=signature, members=tuple(members))
                break
        else:
            found.append(group)
    return found


def _order(one: Labelled) -> tuple[str, str]:
    return one.label, one.identity.digest


def _as_signed(one: ComparableGroup, other: ComparableGroup) -> list[Signature]:
    return [one.signature, other.signature]


def _with_one_policy(one: ComparableGroup, other: ComparableGroup) -> list[Signature]:
    """Load the results of groups that differ in what is done with what is missing, for maybe nothing is."""
    signed = _as_signed(one, other)
    if MISSING not in value_differences(*signed):
        return signed
    return with_one_policy((Result.load(of.identity.folder) for of in (*one.members, *other.members)), signed)


def _apart(first: ComparableGroup, group: ComparableGroup, choices: Choices) -> tuple[Apart, ...]:
    keys = refused_keys(first.signature, group.signature, choices.allow) if group is not first else ()
    return tuple(Apart(key, *(of.signature.get(key, "none") for of in (group, first))) for key in keys)


def _refuse_doubled(group: ComparableGroup) -> None:
    by_label: dict[str, list[Labelled]] = defaultdict(list)
    for one in group.members:
        by_label[one.label].append(one)
    for label, (first, *others) in by_label.items():
        for other in others:
            raise MedzhError(
                f"is a second result of {label} on {first.identity.config}, beside {first.identity.folder}",
                file=other.identity.folder,
                field="DIR",
                expected="one a system and config",
                advice="name them apart: DIR=LABEL",
            )
