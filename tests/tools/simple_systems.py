"""Systems to compare, made of arrays."""

from __future__ import annotations

import numpy as np

from medzh_score.benchmark.layout import Layout
from medzh_score.configs.sdak import statistics as sdak
from medzh_score.statistics.comparison.systems import Systems


def systems_of(statistics, units=None, groups=None, unread=None, labels=None, asked=None):
    """Make systems s0, s1 and so on of statistics of shape (systems, items, runs, k)."""
    systems, items = statistics.shape[:2]
    belongs = np.arange(items) if units is None else np.asarray(units)
    layout = Layout(tuple(f"i{item}" for item in range(items)), np.arange(items)[:, None], belongs, groups or {})
    names = tuple(f"s{system}" for system in range(systems)) if labels is None else tuple(labels)
    nothing = np.zeros(statistics.shape[:3]) if unread is None else np.asarray(unread, float)
    return Systems(names, layout, statistics.astype(float), nothing, asked)


def sdak_systems(right, **options):
    """Make systems of pairs that are right or not, shape (systems, pairs, runs)."""
    made = np.zeros((*right.shape, sdak.WIDTH))
    made[..., (sdak.PAIRS, sdak.FOLLOWED)] = 1
    made[..., sdak.RIGHT] = right
    return systems_of(made, **options)
