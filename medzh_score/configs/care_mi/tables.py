"""CARE-MI's own tables: bands of Table 7, agreement of raters, judges against people, and yes-or-no questions."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from medzh_score.benchmark.config import Table
from medzh_score.configs.care_mi.metrics import RATED, SCORES
from medzh_score.configs.care_mi.metrics import RatingColumns as C
from medzh_score.configs.care_mi.ratings import (
    ASPECTS,
    CORRECTNESS,
    JudgeComparison,
    Split,
    band,
    band_names,
    mean,
    quality,
    rated_in,
)
from medzh_score.stats.formulas import pearson
from medzh_score.ui.i18n import pgettext

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.stages import Annotations, Key
    from medzh_score.configs.care_mi.ratings import Rated

HELD_OUT = "held out"  # of the layout's item values: whether the question-disjoint split tests on it


def tables(
    layout: ItemIndex, answers: AnswerTable, counts: NDArray[np.float64], judged: Mapping[str, Annotations]
) -> dict[str, Table]:
    """Make the tables of `care_mi` (CARE-MI, Tables 4 to 7 and Figure 3)."""
    made = {"tf": _claims(answers.runs, counts)}
    cells = {
        (item, run): (place, column)
        for place, item in enumerate(layout.items)
        for column, run in enumerate(answers.runs)
        if counts[place, column, C.answered]
    }
    rated = {
        aspect: {
            key: said
            for key, said in rated_in(judged[aspect], aspect).items()
            if key in cells and counts[(*cells[key], RATED[aspect])]
        }
        for aspect in ASPECTS
        if aspect in judged
    }
    if not any(rated.values()):
        return made
    made["scores"] = _scores(layout, counts)
    made["bands"] = _bands(rated, counts)
    agreed = agreement(rated)
    compared, splits = {}, {}
    for aspect, mine in rated.items():
        keys = sorted(key for key, said in mine.items() if said.by_people is not None)
        if keys:
            margins = np.array([counts[(*cells[key], C.margin)] for key in keys])
            compared[aspect] = _comparison([mine[key] for key in keys], margins if aspect == CORRECTNESS else None)
            splits[aspect] = _splits(layout, [cells[key] for key in keys], answers.runs)
    judges = quality(compared, splits)
    return {**made, **{name: table for name, table in (("agreement", agreed), ("judges", judges)) if table.rows}}


def _claims(runs: Sequence[int], counts: NDArray[np.float64]) -> Table:
    """Count answers by the statement that is asked about: who agrees with a true one says what is true."""
    rows: list[tuple[str | int | float | None, ...]] = []
    for run, one in zip(runs, np.moveaxis(counts, 1, 0), strict=True):
        for statement, agree, refuse in (
            ("true", C.true_said, C.false_said),
            ("false", C.false_said, C.true_said),
        ):
            asked = one[(one[:, C.tf] == 1) & (one[:, C.false_asked] == (statement == "false"))]
            agreed = asked[:, agree].sum()
            refused = asked[:, refuse].sum()
            empty = (asked[:, C.answered] == 0).sum()
            found = (len(asked), agreed, refused, len(asked) - agreed - refused - empty, empty)
            if len(asked):
                rows.append((run, statement, *map(int, found)))
    title = "Yes-or-no questions by the statement that they ask about: verdicts extracted by rule medzh-1"
    return Table(title, ("run", "statement", "questions", "agree", "refuse", "not read", "nothing said"), tuple(rows))


def _scores(layout: ItemIndex, counts: NDArray[np.float64]) -> Table:
    """Put mean and standard deviation over questions of both aspects into a row for all, each source and each type."""
    groups = [("All", np.ones(len(layout.items), bool))]
    for breakdown, labels in layout.groups.items():
        written, order = np.asarray(labels), layout.orders[breakdown]
        groups += [(label, written == label) for label in order if label in labels]
    rows: list[tuple[str | int | float | None, ...]] = []
    for kind in ("people", "judges"):
        if not any(counts[..., SCORES[aspect, kind].count].any() for aspect in ASPECTS):
            continue
        for label, inside in groups:
            sums = counts[inside].sum(axis=0)
            row: list[str | int | float | None] = [label, kind]
            for aspect in ASPECTS:
                moments = SCORES[aspect, kind]
                row += [
                    int(sums[:, moments.count].sum()),
                    _over_runs(moments.mean(sums)),
                    _over_runs(moments.std(sums)),
                ]
            rows.append(tuple(row))
    columns = ("group", "scored by", *(head for aspect in ASPECTS for head in ("answers", aspect, "± std")))
    return Table("Mean ± standard deviation over questions, in the layout of Tables 4 and 5", columns, tuple(rows))


def _over_runs(per_run: NDArray[np.float64]) -> float | None:
    defined = per_run[~np.isnan(per_run)]
    return float(defined.mean()) if len(defined) else None


def _bands(rated: Mapping[str, Mapping[Key, Rated]], counts: NDArray[np.float64]) -> Table:
    """Count the bands of the scores that count; what is worth 0 without a score is in the lowest."""
    rows: list[tuple[str | int | float, ...]] = []
    for aspect, mine in rated.items():
        for kind, scores in (
            ("people", [said.by_people for said in mine.values()]),
            ("judges", [said.by_judges for said in mine.values()]),
        ):
            found = [band(score, aspect) for score in scores if score is not None]
            found += [0] * (int(counts[..., SCORES[aspect, kind].count].sum()) - len(found))
            if found:
                names = reversed(list(enumerate(band_names(aspect))))
                rows += [(aspect, kind, name, found.count(at), found.count(at) / len(found)) for at, name in names]
    title = "Answers by band of Table 7 (a value between two bands counts in the upper band)"
    return Table(title, ("aspect", "scored by", "band", "answers", "share"), tuple(rows))


def _comparison(rated: Sequence[Rated], margins: NDArray[np.float64] | None) -> JudgeComparison:
    names = sorted({name for said in rated for name in said.judges})
    means = [mean(said.judges.values()) for said in rated]
    return JudgeComparison(
        np.array([float(said.by_people or 0) for said in rated]),
        {name: np.array([float(said.judges.get(name, np.nan)) for said in rated]) for name in names},
        np.array([np.nan if score is None else float(score) for score in means]),
        margins,
    )


def _splits(layout: ItemIndex, cells: Sequence[tuple[int, int]], runs: Sequence[int]) -> list[Split]:
    """Test on all answers, on questions that nothing is learnt from, and on the answers of each run by itself."""
    items, columns = np.array(cells).T
    splits = [
        Split("all answers", np.ones(len(cells), bool)),
        Split("unseen questions (a sampled fifth)", layout.item_values[HELD_OUT][items] == 1),
    ]
    if len(runs) > 1:
        splits += [
            Split(
                pgettext("column tested on", "run {run} (unseen model if each run is a different model)", run=run + 1),
                columns == column,
            )
            for column, run in enumerate(runs)
        ]
    return splits


Row = tuple["str | int | float | None", ...]
COLUMNS = ("aspect", "who", "rated by both", "Pearson", "equal band", "alpha (interval)", "alpha (bands, ordinal)")
TITLE = pgettext(
    "titles",
    (
        "Agreement between annotators and between judge models, without the adjudicator. Pairs: answers that "
        "both rated. All: answers that at least two rated (Pearson: mean over pairs; equal band: all ratings are "
        "in one band)"
    ),
)


def agreement(rated: Mapping[str, Mapping[Key, Rated]]) -> Table:
    """Make the table of agreement."""
    rows: list[Row] = []
    for aspect in ASPECTS:
        given = rated.get(aspect, {})
        keys = sorted(given)
        for who, scores in (
            ("raters", [given[key].annotators for key in keys]),
            ("judge models", [given[key].judges for key in keys]),
        ):
            names = sorted({name for mine in scores for name in mine})
            matrix = np.array([[float(mine.get(name, np.nan)) for mine in scores] for name in names])
            rows += [(aspect, *row) for row in _rows(names, matrix, aspect, f"all {who}")]
    return Table(TITLE, COLUMNS, tuple(rows))


def _rows(names: Sequence[str], matrix: NDArray[np.float64], aspect: str, everybody: str) -> list[Row]:
    """Compare each two, then all."""
    found = [
        (f"{names[one]}, {names[two]}", *_compared(matrix[[one, two]], aspect))
        for one, two in combinations(range(len(names)), 2)
    ]
    found = [pair for pair in found if pair[1]]
    pairs: list[Row] = [*found]
    if len(names) > 2 and pairs:  # noqa: PLR2004 - of two the pair says it all
        shared, _, *others = _compared(matrix, aspect)
        pairs.append((everybody, shared, _mean(pair[2] for pair in found), *others))
    return pairs


def _compared(
    matrix: NDArray[np.float64], aspect: str
) -> tuple[int, float | None, float | None, float | None, float | None]:
    """Give how many answers two or more scored, r of the first two, the share of equal bands, and both alphas."""
    shared = matrix[:, (~np.isnan(matrix)).sum(axis=0) > 1]
    count = shared.shape[1]
    if not count:
        return 0, None, None, None, None
    bands = np.where(np.isnan(shared), np.nan, np.vectorize(lambda score: band(score, aspect))(np.nan_to_num(shared)))
    equal = float((np.nanmin(bands, axis=0) == np.nanmax(bands, axis=0)).mean())
    return count, pearson(shared[0], shared[1]), equal, alpha(shared, "interval"), alpha(bands, "ordinal")


def alpha(values: NDArray[np.float64], level: Literal["interval", "ordinal"]) -> float | None:
    """Compute Krippendorff's alpha (Krippendorff 2011, Computing Krippendorff's alpha-reliability).

    Examples
    --------
    >>> alpha(np.array([[0.0, 0.5, 1.0], [0.0, 0.5, 1.0]]), "interval")
    1.0
    >>> alpha(np.array([[1.0, 1.0], [1.0, 1.0]]), "interval") is None
    True
    """
    import krippendorff

    pairable = values[:, (~np.isnan(values)).sum(axis=0) > 1]
    if len(np.unique(pairable[~np.isnan(pairable)])) < 2:  # noqa: PLR2004 - one value leaves nothing to disagree on
        return None
    return float(krippendorff.alpha(reliability_data=pairable, level_of_measurement=level))


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None
