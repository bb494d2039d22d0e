"""What a stage is expected to judge: what was drawn of its pool, the same when it is asked and when it is scored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.stages import everything
from medzh_score.benchmark.variants import draw_first, is_number
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.stages import Annotations, Stage


ALL = "all"
JudgedByRule = dict[str, dict[str, "Annotations"]]


@dataclass(frozen=True)
class StageSample:
    """How many items are drawn, None for all, and with which seed."""

    size: int | None
    seed: int = 0

    def __str__(self) -> str:
        """Write it as ``--stage-sample`` takes it."""
        return ALL if self.size is None else f"{self.size}:{self.seed}"


def scored_by_a_sample(config: Config) -> list[Stage]:
    """List the rounds of which a report says which sample was judged."""
    return [one for one in config.stages if one.about == "answers" and not one.of_same_model]


def read_samples(given: Mapping[str, str], config: Config, stages: Collection[str]) -> dict[str, StageSample]:
    """Read which samples were drawn of the rounds that came back."""
    sampled = scored_by_a_sample(config)
    for name in given:
        if any(one.name == name for one in config.every_stage if one not in sampled):
            problem = _("stage {name} does not use a sample", name=name)
            raise MedzhError(problem, field="--stage-sample", advice=_("omit this option"))
        pick("--stage-sample", sampled, name)
        if name not in stages:
            problem = _("no file is specified for stage {name}", name=name)
            raise MedzhError(problem, field="--stage-sample", expected=_("--stage {name}=FILE", name=name))
    return {
        stage.name: _sample(given[stage.name]) if stage.name in given else StageSample(stage.sampling.size)
        for stage in config.stages
        if stage.name in stages
    }


def _sample(written: str) -> StageSample:
    if written == ALL:
        return StageSample(None)
    size, colon, seed = written.partition(":")
    if not (is_number(size) and int(size) and (is_number(seed) or not colon)):
        raise MedzhError(
            _("invalid value"), field="--stage-sample", expected=_("NAME=N:SEED or NAME=all"), found=written
        )
    return StageSample(int(size), int(seed or 0))


def pool_of(stage: Stage, layout: ItemIndex, table: AnswerTable) -> NDArray[np.bool_]:
    """Say from what a sample is drawn. Gives an array of bool, shape (items, runs)."""
    return stage.eligible(layout, table) if stage.sampling.eligible_only else everything(layout, table)


def drawn_items(stage: Stage, layout: ItemIndex, pool: NDArray[np.bool_], sample: StageSample) -> list[str]:
    """Draw the items of a round, each with all its runs; where the round names strata, evenly over the groups."""
    able = [layout.items[index] for index in np.flatnonzero(pool.any(axis=1))]
    return able if sample.size is None else drawn_evenly(able, groups_of(layout, stage), sample.size, sample.seed)


def groups_of(layout: ItemIndex, stage: Stage) -> dict[str, str]:
    """Give each item its group, in the groups' order; without strata all are in one."""
    if stage.sampling.strata is None:
        return dict.fromkeys(layout.items, "")
    labels = layout.groups[stage.sampling.strata]
    order = layout.orders.get(stage.sampling.strata, ())
    places = {label: place for place, label in enumerate([*order, *sorted(set(labels).difference(order))])}
    return dict(sorted(zip(layout.items, labels, strict=True), key=lambda pair: places[pair[1]]))


def drawn_evenly(items: Collection[str], groups: Mapping[str, str], sample: int, seed: int) -> list[str]:
    """Draw items as evenly over groups as these allow: in turn each gives the next of its own draw."""
    inside = set(items)
    members: dict[str, list[str]] = {}
    for item, group in groups.items():
        if item in inside:
            members.setdefault(group, []).append(item)
    draws = [draw_first(mine, str, len(mine), seed) for mine in members.values()]
    return [item for turn in zip_longest(*draws) for item in turn if item is not None][:sample]


def with_expected(  # noqa: PLR0913, PLR0917 - what was drawn, from what, for whom
    judged: Mapping[str, Mapping[str, Annotations]],
    stages: Iterable[Stage],
    layout: ItemIndex,
    tables: Mapping[str, AnswerTable],
    rule: str,
    samples: Mapping[str, StageSample],
) -> JudgedByRule:
    """Say for each rule what the rounds about answers were due to judge."""
    found: JudgedByRule = {name: dict(mine) for name, mine in judged.items()}
    for stage in stages:
        if stage.about == "records" or stage.name not in samples:
            continue
        pool = pool_of(stage, layout, tables[rule])
        chosen = set(drawn_items(stage, layout, pool, samples[stage.name]))
        drawn = pool & np.array([item in chosen for item in layout.items], bool)[:, np.newaxis]
        for name, mine in found.items():
            expected = drawn & pool_of(stage, layout, tables[name])
            mine[stage.name] = replace(mine[stage.name], expected=expected)
    return found


def undrawn(
    judged: Mapping[str, Annotations], stages: Iterable[Stage], layout: ItemIndex, table: AnswerTable
) -> dict[str, int]:
    """Count what came back about what was not drawn, though it could have been."""
    found = {}
    for stage in stages:
        expected = judged[stage.name].expected if stage.name in judged else None
        if expected is not None:
            said = np.array([[(item, run) in judged[stage.name].values for run in table.runs] for item in layout.items])
            found[stage.name] = int((said & pool_of(stage, layout, table) & ~expected).sum())
    return found
