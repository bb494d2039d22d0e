"""TCMD: questions of the licensing examination for traditional Chinese medicine, also with permuted options."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from math import fsum
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.columns import COUNTED, ID, TEXT, one_of, options
from medzh_score.benchmark.config import Config, Plot, Reporting, Screen, Table
from medzh_score.benchmark.items import OneItemPerRecord, Query
from medzh_score.benchmark.prompts import Prompting, gold_place
from medzh_score.benchmark.rules import DEFAULT_RULE, Reads, Rule
from medzh_score.benchmark.variants import order_of, variants_of
from medzh_score.configs.tcmd import metrics
from medzh_score.configs.tcmd.exam import LETTERS, PASS_LINE, REALMS, SUBJECTS, TYPES
from medzh_score.configs.tcmd.metrics import ChosenOptions, choices_by_run
from medzh_score.configs.tcmd.metrics import SubQuestionColumns as C
from medzh_score.configs.tcmd.prompts import (
    GENERATION_KWARGS,
    MEDZH_ZH_1,
    MEDZH_ZH_1_COT,
    SHOT_SELECTIONS,
    builder,
    shown_alone,
)
from medzh_score.configs.tcmd.reading import GroupContext, SubQuestion, read
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import Nn_, _, joined
from medzh_score.ui.numbers import MISSING, percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.items import ItemIndex, Record
    from medzh_score.benchmark.stages import Annotations


STEPS = 20  # a threshold is a whole number of twentieths, so that it is compared exactly
THRESHOLDS = range(4, STEPS + 1)  # 0.20, 0.25 … 1.00
ROUNDING = 1e-9  # what summed shares may lose against the pass line
POSITIONS = "Number and share of answers that chose each position, and the share expected by chance"
SPREAD = "Spread: accuracy over option orders, consistency over sub-questions (standard deviation with ddof 1; Table 4)"
ORIGINAL = "accuracy in the original order"
ENSEMBLE = (
    "Ensemble: the most common option, if its consistency-valid (or consistency-all) reaches the threshold (Figure 2)"
)
ENSEMBLE_COLUMNS = ("run", "threshold", "accuracy", "coverage", "selective accuracy", "accuracy-all", "coverage-all")

Row = tuple[str | int | float | None, ...]


def tables(
    layout: ItemIndex, answers: AnswerTable, counts: NDArray[np.float64], _judged: Mapping[str, Annotations]
) -> dict[str, Table]:
    """Make the tables that the metrics do not hold (TCMD, section 4.4, Table 4 and Figure 2)."""
    permuted = bool(counts[..., C.permuted].any())
    most = int(layout.item_values["options"].max())
    positions: list[Row] = []
    spread: list[Row] = []
    ensemble: list[Row] = []
    for index, (run, chosen) in enumerate(zip(answers.runs, choices_by_run(layout, answers), strict=True)):
        kept = counts[:, index, C.items] > 0
        of_kept = chosen.of(kept)
        positions += [(run, *row) for row in _positions(of_kept, layout.item_values["options"][kept], most)]
        if permuted:
            spread += [(run, *row) for row in _spread(answers.variants, of_kept, counts[kept, index])]
            ensemble += [(run, *row) for row in _curve(of_kept)]
    made = {
        "pass-line": _pass_line(answers.runs, counts),
        "positions": Table(POSITIONS, ("run", "position", "chosen", "share", "by chance"), tuple(positions)),
    }
    if permuted:
        made["spread"] = Table(SPREAD, ("run", "figure", "mean", "std", "min", "max", "n"), tuple(spread))
        made["ensemble"] = Table(ENSEMBLE, ENSEMBLE_COLUMNS, tuple(ensemble))
    return made


SHARES = frozenset({"pass line", "share", "by chance", "mean", "std", "min", "max", *ENSEMBLE_COLUMNS[1:]})


def screen_lines(made: Mapping[str, Table]) -> list[str]:
    """State how many runs pass, what a vote over the option orders gives, and which letters were chosen."""
    results = [row[-1] for row in made["pass-line"].rows]
    counts = {"line": percent(PASS_LINE, "fraction"), "passed": results.count("passed"), "runs": len(results)}
    lines = [_("passing score {line}%: {passed} of {runs} runs pass", **counts)]
    if len(results) == 1:
        passed = results[0] == "passed"
        lines = [
            _("passing score {line}%: passed", **counts) if passed else _("passing score {line}%: not passed", **counts)
        ]
    if "ensemble" in made:
        original = _mean(row[2] for row in made["spread"].rows if row[1] == ORIGINAL)
        vote = _mean(row[2] for row in made["ensemble"].rows if row[1] == THRESHOLDS[0] / STEPS)
        if MISSING not in {original, vote}:
            orders = _("original order {original}%, vote {vote}%", original=original, vote=vote)
            lines = [joined([*lines, orders], "; ")]
    chosen = made["positions"]
    letters = list(dict.fromkeys(str(row[1]) for row in chosen.rows))
    shares = [
        [_mean(row[column] for row in chosen.rows if row[1] == letter) for letter in letters] for column in (3, 4)
    ]
    if MISSING not in shares[0]:
        chosen_shares, expected_shares = map(" ".join, shares)
        values = {"last": letters[-1], "chosen": chosen_shares, "expected": expected_shares}
        lines.append(_("chosen letters A–{last}: {chosen}%; by chance {expected}%", **values))
    return lines


def _mean(found: Iterable[str | float | None]) -> str:
    numbers = [float(one) for one in found if one is not None]
    return percent(fsum(numbers) / len(numbers) if numbers else None, "fraction")


def _pass_line(runs: Sequence[int], counts: NDArray[np.float64]) -> Table:
    rows = []
    for run, sums in zip(runs, counts.sum(axis=0), strict=True):
        accuracy = _share(sums[C.right], sums[C.items]) if sums[C.readable] else None
        passed = accuracy is not None and accuracy >= PASS_LINE - ROUNDING
        rows.append((run, accuracy, PASS_LINE, "passed" if passed else "not passed"))
    return Table("Passing score of the examination", ("run", "accuracy", "pass line", "result"), tuple(rows))


def _positions(chosen: ChosenOptions, sizes: NDArray[np.int64], most: int) -> Iterator[Row]:
    """Count how often each position was chosen; by chance, one of k positions has a share of 1/k."""
    of_item = (chosen.shown >= 0).sum(axis=1)
    total = of_item.sum()
    for position, letter in enumerate(LETTERS[:most]):
        count = int((chosen.shown == position).sum())
        expected = (of_item * (sizes > position) / sizes).sum()
        yield letter, count, _share(count, total), _share(expected, total)


def _spread(variants: Sequence[int], chosen: ChosenOptions, counts: NDArray[np.float64]) -> Iterator[Row]:
    right, asked = chosen.right.sum(axis=0), chosen.expected.sum(axis=0)
    yield "accuracy over variants", *_summary(right[asked > 0] / asked[asked > 0])
    if 0 in variants:
        first = variants.index(0)
        accuracy = _share(right[first], asked[first])
        yield ORIGINAL, accuracy, None, None, None, int(asked[first])
    for name, share, of in (
        ("consistency-valid", C.valid, C.with_valid),
        ("consistency-all", C.all, C.permuted),
    ):
        yield name, *_summary(counts[counts[:, of] > 0, share])


def _summary(found: NDArray[np.float64]) -> Row:
    if not len(found):
        return (None, None, None, None, 0)
    std = float(found.std(ddof=1)) if len(found) > 1 else None
    return (float(found.mean()), std, float(found.min()), float(found.max()), len(found))


def _curve(chosen: ChosenOptions) -> Iterator[Row]:
    """Vote in one run, at each threshold; what fails is wrong, and stays in the denominator of accuracy."""
    votes = chosen.counts
    best, valid, asked = votes.max(axis=1), votes.sum(axis=1), chosen.expected.sum(axis=1)
    decided = (best > 0) & ((votes == best[:, np.newaxis]).sum(axis=1) == 1)
    right = votes.argmax(axis=1) == chosen.gold
    items = len(votes)
    for step in THRESHOLDS:
        answered = decided & (STEPS * best >= step * valid)
        strict = decided & (STEPS * best >= step * asked)
        yield (
            step / STEPS,
            _share((answered & right).sum(), items),
            _share(answered.sum(), items),
            _share((answered & right).sum(), answered.sum()),
            _share((strict & right).sum(), items),
            _share(strict.sum(), items),
        )


def _share(part: float, whole: float) -> float | None:
    return float(part / whole) if whole else None


def layout(records: Sequence[Record]) -> ItemIndex:
    """Make an item of each sub-question and a unit of each group."""
    _check_positions(sorted(records, key=itemgetter("group_id", "position")))
    made = OneItemPerRecord(
        {"realm": [realm.name for realm in REALMS], "subject": list(SUBJECTS), "type": TYPES},
        item_values={"gold": partial(gold_place, letters=LETTERS), "options": _size},
        unit="group_id",
        within="position",
    )
    return made(records)


def _size(record: Record) -> int:
    return len(record["options"])


def _check_positions(rows: Sequence[Record]) -> None:
    """Refuse two sub-questions in one place of a group: answers to a group are told apart by the places."""
    for row, following in pairwise(rows):
        if (row["group_id"], row["position"]) == (following["group_id"], following["position"]):
            problem = _(
                "records {record} and {following} have the same position in group {group}",
                record=row["id"],
                following=following["id"],
                group=row["group_id"],
            )
            raise MedzhError(problem, field="position", expected=_("one record per position"), found=row["position"])


def queries(records: Sequence[Record], questions: ItemIndex) -> list[Query]:
    """Let each group be asked as a whole, and each sub-question of a group alone."""
    groups: list[list[int]] = [[] for _unused in range(int(questions.clusters[-1]) + 1)]
    for unit, (member,) in zip(questions.clusters.tolist(), questions.members.tolist(), strict=True):
        groups[unit].append(member)
    return [one for members in groups for one in _asked(records, members)]


def _asked(records: Sequence[Record], members: list[int]) -> list[Query]:
    variants = variants_of(frozenset(len(records[member]["options"]) for member in members))
    parts = [SubQuestion(tuple(records[member]["options"]), records[member]["question"]) for member in members]
    group = records[members[0]]["group_id"]
    whole = Query(group, tuple(members), GroupContext(tuple(parts), variants.size), variants)
    if len(members) == 1:
        return [whole]
    alone = [
        Query(records[member]["id"], (member,), GroupContext((part,), variants.size), variants, part_of=group)
        for member, part in zip(members, parts, strict=True)
    ]
    return [whole, *alone]


def question(record: Record, one: Query, variant: int) -> str:
    """Show a reader of an answer one question, its options in the order in which they were asked."""
    return shown_alone(record, order_of(variant, len(record["options"]), one.variants.size))


CONFIG = Config(
    name="tcmd",
    title=(
        "TCMD: the licensing examination for traditional Chinese medicine; are answers stable if the options are "
        "permuted?"
    ),
    unit="fraction",
    columns={
        "id": ID,
        "group_id": ID,
        "position": COUNTED,
        "type": one_of(*TYPES),
        "realm": one_of(*(realm.name for realm in REALMS)),
        "subject": one_of(*SUBJECTS),
        "question": TEXT,
        "options": options(2, len(LETTERS)),
        "answer": one_of(*LETTERS),
    },
    prompting=Prompting(
        (MEDZH_ZH_1, MEDZH_ZH_1_COT),
        builder,
        GENERATION_KWARGS,
        shot_selections=SHOT_SELECTIONS,
        shots=3,
        permutes_options=True,
    ),
    rules=(
        Rule(
            DEFAULT_RULE,
            _("Single option on which all answers in the response agree, after the last correction"),
            read,
        ),
    ),
    layout=layout,
    queries=queries,
    statistics=metrics.statistics,
    metrics=metrics.METRICS,
    reporting=Reporting(
        ("accuracy",),
        metrics.verdict,
        tables,
        shares=SHARES,
        figures=(
            Plot(
                "ensemble",
                "accuracy of the vote over permuted options by consistency threshold (Figure 2)",
                table="ensemble",
                x="threshold",
                y="accuracy",
                run="run",
                level="accuracy",
            ),
        ),
        screen=Screen(
            _("TCM licensing exam: are answers stable under permuted options?"),
            Nn_("{n:,} question", "{n:,} questions"),
            "realm",
            lines=screen_lines,
            cluster=Nn_("{n:,} group", "{n:,} groups"),
        ),
    ),
    reads=Reads(question, "所选选项的字母（如“B”）", shares=("accuracy", "group-exact")),
)
