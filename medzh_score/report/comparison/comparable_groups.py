"""Results of one config in groups that may be compared, by the rule and the keys that `compare` goes by."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.messages.errors import MedzhError
from medzh_score.report.comparison.choices import refused_keys
from medzh_score.report.comparison.comparing import Held, rule_for
from medzh_score.report.signature import signed_by

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.report.comparison.choices import Choices
    from medzh_score.report.results.report_file import Identity
    from medzh_score.report.signature import Signature

MINI = "mini"


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
        return is_mini(self.signature)


def is_mini(signature: Mapping[str, str]) -> bool:
    """Say whether a signature is of mini data.

    Examples
    --------
    >>> is_mini({"data": "0.0.0/mini/01234567"}), is_mini({"data": "1.0.0/official/01234567"})
    (True, False)
    """
    return signature.get("data", "").split("/")[1:2] == [MINI]


def comparable_groups(config: str, results: Sequence[Labelled], choices: Choices) -> tuple[ComparableGroup, ...]:
    """Put results of one config into groups: benchmark data before mini ones, then the largest first.

    The order of the results changes nothing.
    """
    chosen = find_config(config)
    found: list[list[Labelled]] = []
    signed: list[tuple[str, Signature]] = []
    for one in sorted(results, key=lambda one: (one.label, one.identity.digest)):
        its = one.identity
        rule = rule_for(chosen, [Held(its.folder, its.rules)], choices)
        signature = signed_by(rule, its.signature)
        for place, (of_group, other) in enumerate(signed):
            if rule == of_group and not refused_keys(other, signature, choices.allow):
                found[place].append(one)
                break
        else:
            found.append([one])
            signed.append((rule, signature))
    groups = [
        ComparableGroup(rule, signature, tuple(members))
        for (rule, signature), members in zip(signed, found, strict=True)
    ]
    for group in groups:
        _refuse_doubled(group)
    groups.sort(key=lambda group: (group.mini, -len(group.members), sorted(group.signature.items())))
    return tuple(replace(group, apart=_apart(groups[0], group, choices)) for group in groups)


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
