"""Which results may be compared: by the keys of their signatures, in pairs and in groups."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.rules import replaced_by
from medzh_score.comparison.load import second_result
from medzh_score.prompting.sent import UNKNOWN
from medzh_score.results.report import signed_by
from medzh_score.results.result import Result
from medzh_score.scoring.signature import DISPLAY, differences_written, display_differences, value_differences
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.comparison.load import Choices
    from medzh_score.results.result import LabeledResult
    from medzh_score.results.saved_reports import Identity
    from medzh_score.scoring.signature import Signature

    Labeled = LabeledResult[Result]
    KnownResult = LabeledResult[Identity]
    Signed = Callable[["ComparableGroup", "ComparableGroup"], list[Signature]]

RUNS, DATA, MISSING, GENERATION = "runs", "data", "missing", "generation"
NEVER = frozenset({"config", "split"})  # no unit of one is a unit of the other
FOLLOWS = {"items": DATA}  # another number of items is other data


@dataclass(frozen=True)
class Agreement:
    """What signatures have in common, and in which keys they differ: those that move values, and all others."""

    common: Signature
    allowed: tuple[str, ...]
    differing: tuple[str, ...]
    of_each: tuple[Mapping[str, str], ...]


def refuse_other_configs(results: Sequence[Labeled]) -> None:
    """Refuse systems of several configs, before anything is asked of the one config."""
    configs = [{"config": one.result.report.config} for one in results]
    for one, its in zip(results, configs, strict=True):
        _refuse_other(results[0], configs[0], one, its, set())


def agreement(results: Sequence[Labeled], rule: str, choices: Choices) -> Agreement:
    """Refuse systems that differ in what moves values, unless the user allows it."""
    signed = with_one_policy(
        [one.result for one in results], [signed_by(rule, one.result.report.signature) for one in results]
    )
    allow = {*choices.allow, *((GENERATION,) if choices.same_prompts else ())}
    _refuse_unknown(signed, choices.allow)
    for one, its in zip(results[1:], signed[1:], strict=True):
        _refuse_other(results[0], signed[0], one, its, allow)
        if RUNS not in allow:
            _refuse_other_runs(results[0], one)
    if choices.same_prompts and signed[0].get("prompt", UNKNOWN) == UNKNOWN:
        advice = _("score with --prompts FILE, the prompts file that was sent")
        raise MedzhError(_("it is unknown whether the prompts are the same"), field="--same-prompts", advice=advice)
    moving = {key for its in signed for key in value_differences(signed[0], its)}
    shown = {key for its in signed for key in display_differences(signed[0], its)}
    return Agreement(
        {key: value for key, value in signed[0].items() if key not in moving | shown},
        tuple(sorted(moving)),
        tuple(sorted(shown)),
        tuple({key: its.get(key, "none") for key in sorted(moving | shown)} for its in signed),
    )


def with_one_policy(results: Iterable[Result], signed: list[Signature]) -> list[Signature]:
    """Sign one policy where nothing is missing of any system: none had anything to decide."""
    if not all(map(_whole, results)):
        return signed
    return [{**its, MISSING: "error"} for its in signed]


def _whole(result: Result) -> bool:
    signature = result.report.signature
    counted = np.any([counts.any(axis=(1, 2)) for counts in result.statistics.values()], axis=0)
    return bool(counted.all()) and not result.missing.any() and not {"annotators", "stages"} & signature.keys()


def _refused_keys(one: Signature, other: Signature, allow: Collection[str]) -> tuple[str, ...]:
    runs = (RUNS,) if RUNS not in allow and one.get(RUNS) != other.get(RUNS) else ()
    return (*_refused_values(one, other, allow), *runs)


def _refused_values(one: Signature, other: Signature, allow: Collection[str]) -> list[str]:
    return [key for key in value_differences(one, other) if key in NEVER or FOLLOWS.get(key, key) not in allow]


def _refuse_unknown(signed: Sequence[Signature], allow: Sequence[str]) -> None:
    keys = dict.fromkeys(key for its in signed for key in its)
    may = [key for key in keys if key not in DISPLAY | NEVER | FOLLOWS.keys()]
    for key in allow:
        if key not in {*may, RUNS}:
            problem = _("differences in this key cannot be allowed")
            raise MedzhError(problem, field="--allow", expected=", ".join([*may, RUNS]), found=key)


def _refuse_other(first: Labeled, signed: Signature, other: Labeled, its: Signature, allow: set[str]) -> None:
    if refused := _refused_values(signed, its, allow):
        may = " ".join(f"--allow {key}" for key in refused if key not in FOLLOWS)
        found = {"first_path": first.path, "refused": ", ".join(refused)}
        found |= {"differences_written": differences_written(refused, signed, its)}
        problem = _(
            "not comparable with {first_path}: the results differ in {refused} ({differences_written})", **found
        )
        advice = _("score both systems with the same settings")
        if may and not NEVER.intersection(refused):
            advice = _("score both systems with the same settings, or allow the difference: {may}", may=may)
        raise MedzhError(problem, file=other.path, field="signature", advice=advice)


def _refuse_other_runs(first: Labeled, other: Labeled) -> None:
    counts = len(first.result.runs), len(other.result.runs)
    if len(set(counts)) > 1:
        values = {"first_path": first.path, "count": counts[0], "other_count": counts[1]}
        problem = _("not comparable with {first_path}: the results have {count} and {other_count} runs", **values)
        advice = _("score the same number of runs for each system, or average over runs first: --allow runs")
        raise MedzhError(problem, file=other.path, field=RUNS, advice=advice)


def rule_for(config: Config, rules_of: Mapping[Path, Collection[str]], choices: Choices) -> str:
    """Choose one of the rules of several results: the user's, the paper's beside printed rows, else the primary one."""
    replaced_by(config.rules, choices.rule)
    held = [name for name in next(iter(rules_of.values())) if all(name in rules for rules in rules_of.values())]
    rule = choices.rule or (config.paper_rule if choices.printed else config.primary_rule).name
    if rule in held:
        return rule
    problem = _("the report has no results of rule {rule}", rule=rule)
    advice = _("score the predictions with --rule {rule}", rule=rule)
    path = next(path for path, rules in rules_of.items() if rule not in rules)
    expected = ", ".join(held) or _("a rule that all reports contain")
    raise MedzhError(problem, file=path, field="--rule", expected=expected, found=rule, advice=advice)


MINI, OPEN = "mini", "open"
AFTER = {OPEN: 1, MINI: 2}  # the benchmark's own data stand before them


@dataclass(frozen=True)
class SignatureMismatch:
    """A key for which a group may not be compared with the first group, and what both say there."""

    key: str
    here: str
    first: str


@dataclass(frozen=True)
class ComparableGroup:
    """Results that may be compared: all pairs of them, and no result of another group."""

    rule: str
    signature: Signature  # of the first member
    members: tuple[KnownResult, ...]
    apart: tuple[SignatureMismatch, ...] = ()  # from the first group of the config; empty for the first

    @property
    def mini(self) -> bool:
        """Whether the data are the sample that ships with the project, and no benchmark."""
        return recipe_signed(self.signature) == MINI


def recipe_signed(signature: Mapping[str, str]) -> str:
    """Say by which recipe the data of a signature were made."""
    return "".join(signature.get("data", "").split("/")[1:2])


def comparable_groups(config: str, results: Sequence[KnownResult], choices: Choices) -> tuple[ComparableGroup, ...]:
    """Put results of one config into groups: benchmark data before open and mini ones, then the largest first.

    The order of the results changes nothing.
    """
    chosen = find_config(config)
    alone = list[ComparableGroup]()
    for one in sorted(results, key=_order):
        its = one.result
        rule = rule_for(chosen, {one.path: its.rules}, choices)
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
    found: list[ComparableGroup] = []
    for group in groups:
        for place, other in enumerate(found):
            signature, its = signed(other, group)
            if group.rule == other.rule and not _refused_keys(signature, its, choices.allow):
                members = sorted((*other.members, *group.members), key=_order)
                found[place] = replace(other, signature=signature, members=tuple(members))
                break
        else:
            found.append(group)
    return found


def _order(one: KnownResult) -> tuple[str, str]:
    return one.label, one.result.digest


def _as_signed(one: ComparableGroup, other: ComparableGroup) -> list[Signature]:
    return [one.signature, other.signature]


def _with_one_policy(one: ComparableGroup, other: ComparableGroup) -> list[Signature]:
    signed = _as_signed(one, other)
    if MISSING not in value_differences(*signed):
        return signed
    return with_one_policy((Result.load(of.path) for of in (*one.members, *other.members)), signed)


def _apart(first: ComparableGroup, group: ComparableGroup, choices: Choices) -> tuple[SignatureMismatch, ...]:
    keys = _refused_keys(first.signature, group.signature, choices.allow) if group is not first else ()
    return tuple(SignatureMismatch(key, *(of.signature.get(key, "none") for of in (group, first))) for key in keys)


def _refuse_doubled(group: ComparableGroup) -> None:
    by_label: dict[str, list[KnownResult]] = defaultdict(list)
    for one in group.members:
        by_label[one.label].append(one)
    for label, (first, *others) in by_label.items():
        for other in others:
            raise second_result(label, first.result.config, first.path, other.path)
