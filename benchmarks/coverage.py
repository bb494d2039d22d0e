"""How often the 95 % interval holds the true value, for a metric of each kind, beside the percentile bootstrap for all.

Answers are drawn by chance from models whose true value is known; the config's own formulas are computed from them. The
last line says in `equal` whether the coverage asked for is kept: of shares with one answer a unit from 92 to 98.5 (99
at 20 units), of shares with several answers a unit at least 93 (at most 99.5 where these are nearly one), of other
metrics from 92.5 to 97.5 in the middle (p 0.5, from 50 units on). Where the answers of a unit are little alike, an
interval that counts a unit once is wider than it need be: the mean width is printed.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import timing

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.config import Table
from medzh_score.benchmark.items import ItemIndex
from medzh_score.configs.care_mi import metrics as care_mi
from medzh_score.configs.cmhe_ce import metrics as cmhe_ce
from medzh_score.configs.cmhe_dd import metrics as cmhe_dd
from medzh_score.configs.cmhe_hd import metrics as cmhe_hd
from medzh_score.configs.pemebench import metrics as pemebench
from medzh_score.configs.sdak import metrics as sdak
from medzh_score.configs.tcmd import metrics as tcmd
from medzh_score.render.tables import as_text
from medzh_score.stats.sums import TOTAL
from medzh_score.stats.values import Bootstrap, values

if TYPE_CHECKING:
    from collections.abc import Callable

    from medzh_score.benchmark.metrics import Metric
    from medzh_score.stats.values import Kind

    Sizes = tuple[int, ...]

SIZES, SHARES, SEED = (20, 50, 200, 1000), (0.5, 0.9, 0.98), 20260301
CLUSTERS, OF_CLUSTERS = (10, 20, 40, 80, 140), (0.9, 0.98)  # sizes and shares of questions in many variants
SETS, AT_ONCE = 1000, 100  # simulated sets of answers
LITTLE, MUCH, NEARLY_ONE = 0.1, 0.5, 0.8  # how alike the answers of a unit are: their correlation
RUNS, VARIANTS, ORDERS = 3, 5, 120
# In 20 groups as many of one, two and three sub-questions as in the test set of TCMD (354, 72, 34: Table 1); concepts
# of CMHE-CE have four questions, those of tests two (section 3.3: 89.3 and 10.7 %).
OF_GROUPS, OF_CONCEPTS = (1,) * 15 + (2,) * 3 + (3,) * 2, (4,) * 9 + (2,)
OF_SHARES, OF_SMALL_SHARES, OF_OTHERS = (92.0, 98.5), (92.0, 99.0), (92.5, 97.5)
OF_SEVERAL, OF_NEARLY_ONE = (93.0, 100.0), (93.0, 99.5)


@dataclass(frozen=True)
class Simulation:
    """A metric whose statistics can be drawn."""

    name: str
    metric: Metric
    draw: Callable[[np.random.Generator, np.ndarray, np.ndarray], np.ndarray]  # sets, items, runs, k
    sizes: Sizes = (1,)  # of units, in turn
    alike: float = LITTLE
    several: bool = False  # whether a unit holds several answers
    at: tuple[tuple[int, ...], tuple[float, ...]] = (SIZES, SHARES)

    def bounds(self, size: int, share: float) -> tuple[float, float] | None:
        """Say which coverage is asked for."""
        if self.several:
            return OF_NEARLY_ONE if self.alike == NEARLY_ONE else OF_SEVERAL
        if self.metric.share is not None:
            return OF_SMALL_SHARES if size == SIZES[0] else OF_SHARES
        return OF_OTHERS if share == SHARES[0] and size > SIZES[0] else None


def empty(units: np.ndarray, runs: int, width: int) -> np.ndarray:
    """Make room for the statistics of a batch of sets."""
    return np.zeros((AT_ONCE, len(units), runs, width))


def chances(draw: np.random.Generator, units: np.ndarray, share: float, alike: float) -> np.ndarray:
    """Draw for each unit how many of its answers are right in the long run: shape (sets, items)."""
    spread = 1 / alike - 1
    drawn = draw.beta(spread * share, spread * (1 - share), (AT_ONCE, units.max() + 1))
    return drawn[:, units]


def one_answer(draw: np.random.Generator, units: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Draw pairs that are right or not."""
    made = empty(units, 1, sdak.PairColumns.width)
    made[..., (sdak.PairColumns.pairs, sdak.PairColumns.followed)] = 1
    made[..., sdak.PairColumns.right] = draw.random(made.shape[:3]) < chance[..., np.newaxis]
    return made


def runs_of_pairs(draw: np.random.Generator, units: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Draw pairs in several runs, which are easy or hard in all of them."""
    made = empty(units, RUNS, sdak.PairColumns.width)
    made[..., (sdak.PairColumns.pairs, sdak.PairColumns.followed)] = 1
    made[..., sdak.PairColumns.right] = draw.random(made.shape[:3]) < chance[..., np.newaxis]
    return made


def variants_of_groups(draw: np.random.Generator, units: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Draw sub-questions of groups, in several variants."""
    made = empty(units, 1, tcmd.SubQuestionColumns.width)
    made[..., (tcmd.SubQuestionColumns.items, tcmd.SubQuestionColumns.readable)] = 1
    made[..., tcmd.SubQuestionColumns.answers] = VARIANTS
    right = draw.random((AT_ONCE, len(units), VARIANTS)) < chance[..., np.newaxis]
    made[:, :, 0, tcmd.SubQuestionColumns.right] = right.mean(axis=2)
    return made


def orders_of_questions(draw: np.random.Generator, units: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Draw questions in every order of five options."""
    made = empty(units, 1, tcmd.SubQuestionColumns.width)
    made[..., (tcmd.SubQuestionColumns.items, tcmd.SubQuestionColumns.readable)] = 1
    made[..., tcmd.SubQuestionColumns.answers] = ORDERS
    made[:, :, 0, tcmd.SubQuestionColumns.right] = draw.binomial(ORDERS, chance) / ORDERS
    return made


def questions_of_concepts(draw: np.random.Generator, units: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Draw questions that weigh as much as their concept has few of them."""
    made = empty(units, 1, cmhe_ce.ConceptColumns.width)
    weight = (1 / np.bincount(units))[units, np.newaxis]
    right = draw.random(made.shape[:3]) < chance[..., np.newaxis]
    made[..., cmhe_ce.ConceptColumns.share], made[..., cmhe_ce.ConceptColumns.questions] = weight, 1
    made[..., cmhe_ce.ConceptColumns.share_right] = weight * right
    return made


def codes_of_cases(draw: np.random.Generator, units: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Draw cases of one to three codes, of which some are missed, and as many wrong ones said."""
    made = empty(units, 1, cmhe_dd.CaseColumns.width)
    right = np.arange(len(units))[:, np.newaxis] % 3 + 1
    hits = draw.binomial(right, chance[..., np.newaxis])
    finest = cmhe_dd.FIRST + cmhe_dd.PARTS * 2
    made[..., cmhe_dd.CaseColumns.counted] = 1
    made[..., finest + cmhe_dd.HITS], made[..., finest + cmhe_dd.RIGHT] = hits, right
    made[..., finest + cmhe_dd.SAID] = hits + draw.binomial(right, 1 - chance[..., np.newaxis])
    return made


def two_classes(draw: np.random.Generator, units: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Draw dialogues, every other one hallucinated, that are answered rightly with one chance."""
    made = empty(units, 1, cmhe_hd.DialogueColumns.width)
    right = draw.random(made.shape[:3]) < chance[..., np.newaxis]
    yes = np.arange(len(units))[:, np.newaxis] % 2 == 0
    made[..., cmhe_hd.DialogueColumns.items] = 1
    made[..., cmhe_hd.DialogueColumns.yes_gold], made[..., cmhe_hd.DialogueColumns.no_gold] = yes, ~yes
    made[..., cmhe_hd.DialogueColumns.yes_right], made[..., cmhe_hd.DialogueColumns.no_right] = (
        yes & right,
        ~yes & right,
    )
    return made


def entities(draw: np.random.Generator, units: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Draw questions of one to five entities, of which a share is named."""
    made = empty(units, 1, pemebench.PemeColumns.width)
    listed = np.arange(len(units)) % 5 + 1
    made[..., pemebench.PemeColumns.with_entities] = 1
    made[:, :, 0, pemebench.PemeColumns.share] = draw.binomial(listed, chance) / listed
    return made


def scores(draw: np.random.Generator, units: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Draw people's scores from 0 to 1 in quarters."""
    made = empty(units, 1, care_mi.RatingColumns.width)
    found = draw.binomial(4, chance)[..., np.newaxis] / 4
    care_mi.SCORES["correctness", "people"].fill(made, found)
    return made


FACT_ACC, ACCURACY = pick("metric", sdak.METRICS, "FactAcc"), pick("metric", tcmd.METRICS, "accuracy")
OF_CONCEPT = pick("metric", cmhe_ce.METRICS, "accuracy")
SIMULATIONS = (
    Simulation("share: one answer a unit", FACT_ACC, one_answer),
    *(
        Simulation(f"share: {name}, correlation {alike:g}", metric, draw, sizes, alike, several=True)
        for name, metric, draw, sizes in (
            ("three runs", FACT_ACC, runs_of_pairs, (1,)),
            ("groups, five variants", ACCURACY, variants_of_groups, OF_GROUPS),
            ("by concept", OF_CONCEPT, questions_of_concepts, OF_CONCEPTS),
        )
        for alike in (LITTLE, MUCH)
    ),
    *(
        Simulation(
            f"share: 120 variants, correlation {alike:g}",
            ACCURACY,
            orders_of_questions,
            alike=alike,
            several=True,
            at=(CLUSTERS, OF_CLUSTERS),
        )
        for alike in (0.2, MUCH, NEARLY_ONE)
    ),
    Simulation("micro F1", pick("metric", cmhe_dd.METRICS, "F1-level-2"), codes_of_cases),
    Simulation("mean of two classes", pick("metric", cmhe_hd.METRICS, "Balanced accuracy"), two_classes),
    Simulation("mean of shares", pick("metric", pemebench.METRICS, "Recall_entity"), entities),
    Simulation("mean of scores", pick("metric", care_mi.METRICS, "correctness"), scores),
)


def units_of(size: int, sizes: Sizes) -> np.ndarray:
    """Give the unit of each item."""
    return np.repeat(np.arange(size), np.resize(sizes, size))


def coverage(what: Simulation, size: int, share: float, kind: Kind) -> tuple[float, float]:
    """Give how many of 100 intervals hold the true value, and their mean width; one that is not given holds nothing."""
    units = units_of(size, what.sizes)
    layout = ItemIndex(tuple(map(str, units)), units[:, np.newaxis], units, {})
    unit = "fraction"
    hit, width = 0, 0.0
    for batch in range(SETS // AT_ONCE):
        draw = np.random.default_rng((SEED, size, int(100 * share), batch))
        made = what.draw(draw, units, chances(draw, units, share, what.alike))
        truth = float(share * scale_of(what.metric, made))
        found = values(layout, made, (what.metric,), bootstrap=Bootstrap(1000, batch), unit=unit, interval=kind)
        for by_group in found:
            value = by_group[TOTAL][what.metric.name]
            if value.low is not None and value.high is not None:
                hit += value.low <= truth <= value.high
                width += (value.high - value.low) / scale_of(what.metric, made)
    return 100 * hit / SETS, 100 * width / SETS


def scale_of(metric: Metric, made: np.ndarray) -> float:
    """Tell percent from fraction by what the formula gives."""
    return 100.0 if np.nanmax(metric.formula(made.sum(axis=1))) > 1 else 1.0


def main() -> int:
    """Simulate, print the table, and say whether what is asked for is kept."""
    rows: list[tuple[str | float, ...]] = []
    spent = {"auto": 0.0, "bootstrap": 0.0}
    kept = True
    for what in SIMULATIONS:
        for size in what.at[0]:
            for share in what.at[1]:
                found: dict[str, float] = {}
                widths: dict[str, float] = {}
                kinds: tuple[Kind, ...] = ("auto", "bootstrap") if what.metric.share is not None else ("auto",)
                for kind in kinds:
                    start = time.perf_counter()
                    found[kind], widths[kind] = coverage(what, size, share, kind)
                    spent[kind] += time.perf_counter() - start
                asked = what.bounds(size, share)
                inside = asked is None or asked[0] <= found["auto"] <= asked[1]
                kept &= inside
                said = "-" if asked is None else f"{asked[0]:g} to {asked[1]:g}" + ("" if inside else ", NOT KEPT")
                percentile = found.get("bootstrap", found["auto"])
                named = (what.name, what.metric.name, size, share)
                rows.append((*named, found["auto"], widths["auto"], percentile, said))
    columns = ("kind", "metric", "units", "p", "coverage", "mean width", "by percentiles", "asked")
    title = f"Coverage of the 95 % interval in percent, {SETS} simulated sets each"
    print(as_text(Table(title, columns, tuple(rows)), decimals=2))
    ours, rival = spent["auto"], spent["bootstrap"]
    timing.report(
        "coverage", ours, [timing.Rival("percentile bootstrap of the shares", rival, rival / ours)], equal=kept
    )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
