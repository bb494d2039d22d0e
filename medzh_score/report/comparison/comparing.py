"""From result folders to a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.benchmark.choices import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.rules import OURS, replaced_by
from medzh_score.messages.errors import MedzhError
from medzh_score.report.comparison.agreement import agreement, refuse_other_configs
from medzh_score.report.comparison.alignment import Comparable, aligned
from medzh_score.report.comparison.comparison import Comparison, System
from medzh_score.report.comparison.gate import judged, refuse_without_baseline, with_gate
from medzh_score.report.comparison.named_results import FEWEST, labelled, named_results
from medzh_score.report.comparison.paper_rule import with_paper_rule
from medzh_score.report.comparison.printed_rows import printed_rows
from medzh_score.report.comparison.private_groups import shown_groups, shown_systems
from medzh_score.report.comparison.remarks import cautions_of, notes_of
from medzh_score.report.comparison.stated_values import refuse_other_values
from medzh_score.statistics.comparison.compare import compare_systems

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.report.comparison.choices import Choices
    from medzh_score.report.results.result import Result


def comparable(given: Sequence[Result | str | Path], choices: Choices, *, fewest: int = FEWEST) -> Comparable:
    """Load systems and align them; those that are not comparable are refused."""
    if choices.gate is not None:
        refuse_without_baseline(choices.baseline, all_pairs=choices.all_pairs)
    results = named_results(given, choices.labels, fewest=fewest)
    refuse_other_configs(results)
    config = find_config(results[0].result.report.config)
    rule = rule_for(
        config, [Held(one.result.folder, one.result.report.rule, (*one.result.statistics,)) for one in results], choices
    )
    agreed = agreement(results, rule, choices)
    metrics = _metrics(config, choices)
    for one in results:
        refuse_other_values(one.result, rule, metrics, config.unit)
    return Comparable(config, rule, metrics, results, agreed, aligned(results, rule, choices))


def compared(systems: Comparable, choices: Choices) -> Comparison:
    """Compare systems on the units that all have."""
    config, rule, results, agreed = systems.config, systems.rule, systems.results, systems.agreed
    printed = printed_rows(config, rule, results, agreed.common, choices)
    found = compare_systems(
        shown_systems(config, systems.together.systems),
        systems.metrics,
        config.unit,
        breakdowns=choices.by,
        baseline=labelled(results, choices.baseline),
        all_pairs=choices.all_pairs,
        best=choices.best,
        bootstrap=choices.bootstrap,
        swaps=choices.swaps,
    )
    found = shown_groups(config, found)
    comparison = Comparison(
        config=config.name,
        rule=rule,
        unit=config.unit,
        systems=tuple(
            System(one.label, one.result.folder.name, one.result.report.model, len(one.result.runs), differing)
            for one, differing in zip(results, agreed.of_each, strict=True)
        ),
        found=with_paper_rule(systems, choices, found),
        units=systems.together.units,
        left_out=systems.together.of - systems.together.units,
        signature=agreed.common,
        allowed=agreed.allowed,
        differing=agreed.differing,
        bootstrap=choices.bootstrap.resamples,
        seed=choices.bootstrap.seed,
        cautions=cautions_of(config, rule, results, systems.metrics, found),
        notes=notes_of(rule, results, systems.together, agreed, found),
        printed=printed,
    )
    return comparison if choices.gate is None else judged(comparison, choices.gate)


@dataclass(frozen=True)
class Held:
    """By which rules a result was read: the one that its report chose, and all that it holds."""

    folder: Path
    chosen: str
    rules: tuple[str, ...]


def rule_for(config: Config, results: Sequence[Held], choices: Choices) -> str:
    """Choose the rule: the user's, the paper's beside printed rows, ours where all hold it, else the reports' own."""
    replaced_by(config.rules, choices.rule)
    held = [name for name in results[0].rules if all(name in one.rules for one in results)]
    own = sorted({one.chosen for one in results})
    paper = config.rules[0].name if choices.printed else None
    rule = choices.rule or paper or (OURS if OURS in held or len(own) > 1 else own[0])
    if rule in held:
        return rule
    without = [one for one in results if rule not in one.rules]
    raise MedzhError(
        f"the report holds nothing that rule {rule} read",
        file=without[0].folder,
        field="--rule",
        expected=", ".join(held) or "a rule that all reports hold",
        found=rule,
        advice=f"score it with --rule {rule}",
    )


def _metrics(config: Config, choices: Choices) -> tuple[Metric, ...]:
    """Choose metrics: the user's in their order; else the headline, then what the config shows, else all."""
    shown = config.shown or tuple(metric.name for metric in config.metrics)
    wanted = choices.metrics or (config.headline, *shown)
    found = tuple(pick("--metric", config.metrics, name) for name in dict.fromkeys(wanted))
    return found if choices.gate is None else with_gate(config, found, choices.gate)
