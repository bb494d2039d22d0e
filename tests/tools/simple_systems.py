"""Systems to compare, made of arrays."""

from __future__ import annotations

import math

import numpy as np

from medzh_score.benchmark.items import ItemIndex
from medzh_score.configs.cmhe_dd import metrics as cmhe_dd
from medzh_score.configs.sdak import metrics as sdak
from medzh_score.configs.tcmd import metrics as tcmd
from medzh_score.stats.systems import Systems


def systems_of(statistics, units=None, groups=None, unparsed=None, labels=None, asked=None):
    """Make systems s0, s1 and so on of statistics of shape (systems, items, runs, k)."""
    systems, items = statistics.shape[:2]
    belongs = np.arange(items) if units is None else np.asarray(units)
    layout = ItemIndex(tuple(f"i{item}" for item in range(items)), np.arange(items)[:, None], belongs, groups or {})
    names = tuple(f"s{system}" for system in range(systems)) if labels is None else tuple(labels)
    nothing = np.zeros(statistics.shape[:3]) if unparsed is None else np.asarray(unparsed, float)
    return Systems(names, layout, statistics.astype(float), nothing, asked)


def sdak_systems(right, **options):
    """Make systems of pairs that are right or not, shape (systems, pairs, runs)."""
    made = np.zeros((*right.shape, sdak.PairColumns.width))
    made[..., (sdak.PairColumns.pairs, sdak.PairColumns.followed)] = 1
    made[..., sdak.PairColumns.right] = right
    return systems_of(made, **options)


def binomial_chance(given, trials, chance):
    """Give the probability of so many of the trials."""
    return math.comb(trials, given) * chance**given * (1 - chance) ** (trials - given)


class EachOutcome:
    """Stands for a generator, and gives what a script says, so that every outcome can be had; keeps its probability."""

    def __init__(self, script):
        self.script, self.outcomes, self.chance = script, [], 1.0

    def binomial(self, trials, chances):
        """Give the next numbers of the script, 0 after its end."""
        given = np.zeros(trials.shape, int)
        for place, chance in zip(np.ndindex(*trials.shape), np.resize(chances, trials.size), strict=True):
            step = len(self.outcomes)
            given[place] = self.script[step] if step < len(self.script) else 0
            self.outcomes.append((given[place], trials[place]))
            self.chance *= binomial_chance(int(given[place]), int(trials[place]), chance)
        return given


def chances_of_dealing(deal):
    """Try all that binomials can give: the probability of each outcome, those that cannot be left out."""
    chances, script = {}, []
    while script is not None:
        generator = EachOutcome(script)
        dealt = tuple(deal(generator)[0].tolist())
        if generator.chance:
            chances[dealt] = chances.get(dealt, 0.0) + generator.chance
        outcomes = generator.outcomes
        while outcomes and outcomes[-1][0] == outcomes[-1][1]:
            outcomes.pop()
        script = [given for given, _ in outcomes[:-1]] + [outcomes[-1][0] + 1] if outcomes else None
    return chances


def of_f1(draw, units, runs):
    """Draw sums whose counts of three rows and more differ."""
    made = np.zeros((units, runs, cmhe_dd.CaseColumns.width))
    finest = cmhe_dd.FIRST + cmhe_dd.PARTS * 2
    made[..., cmhe_dd.CaseColumns.counted] = 1
    made[..., finest + cmhe_dd.RIGHT] = draw.integers(1, 4, (units, 1))
    made[..., finest + cmhe_dd.HITS] = draw.integers(0, 2, (units, runs))
    made[..., finest + cmhe_dd.SAID] = made[..., finest + cmhe_dd.HITS] + draw.integers(0, 2, (units, runs))
    return made


def of_consistency(draw, units, runs):
    """Draw sums that a sum of ratios is made of."""
    made = np.zeros((units, runs, tcmd.SubQuestionColumns.width))
    valid = draw.integers(0, 6, (units, runs))
    made[..., tcmd.SubQuestionColumns.items] = 1
    made[..., tcmd.SubQuestionColumns.with_valid] = valid > 0
    made[..., tcmd.SubQuestionColumns.valid] = np.where(
        valid, np.ceil(valid * draw.random((units, runs))) / np.maximum(valid, 1), 0
    )
    return made
