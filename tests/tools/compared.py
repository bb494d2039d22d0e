"""Comparisons made in memory: what is shown of them needs neither predictions nor statistics."""

from __future__ import annotations

from medzh_score.comparison.model import Comparison, PrintedRow, System
from medzh_score.stats.pairwise import Bounds, Difference, MetricComparison, SystemResult
from medzh_score.stats.values import Value

SIGNATURE = {
    "config": "sdak",
    "data": "1.0.0/official/0123456789abcdef",
    "generation": "temperature 0, max_tokens 512",
    "rule": "medzh-1+89abcdef",
    "medzh_score": "0.1.0",
}


def value(of, low=None, high=None, **more):
    """Make a value; without bounds it has no interval."""
    given = {"interval": None if low is None else "wilson", "std": None, "ddof": 1, "per_run": (of,), "n": 200}
    given |= {"n_per_run": (200,), "unit": "percent", "direction": "higher", "unavailable_reason": None, **more}
    return Value(of, low, high, **given)


def standing(label, of, rank, unparsed=0.0):
    """Make a standing of a value, its rank with both bounds."""
    return SystemResult(label, of, *rank, unparsed)


def difference(label, other, of, **more):
    """Make a difference that a test compared."""
    given = {
        "low": None if of is None else of - 3,
        "high": None if of is None else of + 3,
        "p": 0.01,
        "corrected": 0.02,
        "test": "randomisation",
        "won": 30,
        "lost": 20,
    }
    given |= {
        "tied": 150,
        "detectable": 4.2,
        "bounds": None,
        "unavailable_reason": None,
        "interval": "bootstrap",
        **more,
    }
    return Difference(label, other, of, **given)


def three_systems(**more):
    """Compare three systems with the best of them: one is no worse for all that is known, one is worse."""
    standings = (
        standing("glm_4%", value(71.005, 64.4, 76.8), (2, 1, 2), 1.5),
        standing("qwen&co", value(73.5, 67.0, 79.1), (1, 1, 2)),
        standing("甲模型", value(51.0, 44.1, 57.8), (3, 3, 3), 0.5),
    )
    differences = (
        difference("glm_4%", "qwen&co", -2.495, low=-5.5, high=0.505, p=0.31, corrected=0.31, bounds=Bounds(-4.0, 0.5)),
        difference("甲模型", "qwen&co", -22.5, p=0.00003, corrected=0.00006, won=5, lost=50, tied=145),
    )
    found = MetricComparison(
        "FactAcc", "", "", "qwen&co", standings, differences, (("qwen&co", "glm_4%"), ("甲模型",)), "holm", 2, 10_000
    )
    return comparison(("glm_4%", "qwen&co", "甲模型"), (found,), **more)


def comparison(labels, found, **more):
    """Put systems and what was found of them together."""
    given = {
        "config": "sdak",
        "rule": "medzh-1",
        "unit": "percent",
        "units": 200,
        "left_out": 0,
        "signature": SIGNATURE,
    }
    given |= {"allowed": (), "differing": (), "bootstrap": 1000, "seed": 0, **more}
    systems = tuple(System(label, f"results/{label}", None, 1, {}) for label in labels)
    return Comparison(**{"systems": systems, "found": found, **given})


def all_pairs(count):
    """Compare so many systems in all pairs, each a point better than the next, significantly from two on."""
    labels = [f"m{number:02}" for number in range(count)]
    standings = tuple(
        standing(label, value(90.0 - place, 80.0 - place, 95.0 - place), (place + 1, place + 1, place + 2))
        for place, label in enumerate(labels)
    )
    differences = tuple(
        difference(
            one, other, float(there - here), test="randomised tukey", corrected=0.04 if there - here > 1 else 0.5
        )
        for here, one in enumerate(labels)
        for there, other in enumerate(labels)
        if here < there
    )
    ties = tuple(tuple(labels[place : place + 2]) for place in range(0, count, 2))
    found = MetricComparison(
        "FactAcc", "", "", None, standings, differences, ties, "randomised tukey", len(differences), 10_000
    )
    return comparison(labels, (found,))


def printed(**values):
    """Make a row of a paper."""
    return PrintedRow("Table 4", "GPT-4", values, ("another sample, another rule: no test",))
