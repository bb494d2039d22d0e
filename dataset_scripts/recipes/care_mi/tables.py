"""What CARE-MI's experts left, in counts: the paper's beside the build's, by group, and by threshold (Figure 5)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.care_mi.filter import (
    APPENDIX,
    CRITERIA,
    EVIDENCE_COLUMN,
    FAILED,
    FEW,
    FLUENT,
    KEPT,
    NEGATIVE,
    OPEN,
    UNFLUENT,
    disputed,
    remaining,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dataset_scripts.recipes.care_mi.filter import Ballot, Rule, Verdict
    from dataset_scripts.recipes.care_mi.samples import Sample

    Rows = tuple[tuple[str | int, ...], ...]

# Appendix A.1 of the paper.
EVALUATED, AFTER_RULES, NOT_FLUENT, FINAL = 5_779, 1_624, 12, 1_612
SILENT = "not stated"
PARAGRAPHS = "evidence, a vote for each paragraph"
# Beside Figure 5 the paper does not say in which combinations criteria are swept; these are ours.
SWEPT: dict[str, tuple[str, ...]] = {
    "none": (),
    "1": CRITERIA[:1],
    "2": CRITERIA[1:2],
    "3": CRITERIA[2:],
    "1 and 2": CRITERIA[:2],
    "1, 2 and 3": CRITERIA,
    "1, 2, 3 and fluent": (*CRITERIA, FLUENT),
}


def filter_table(fates: Iterable[str], rule: Rule) -> BuildTable:
    """Count what the filter leaves, step by step, beside the paper's counts.

    The rule ``text`` takes fluency as one of its evaluations.
    """
    counts = Counter(fates)
    rows: list[tuple[str | int, ...]] = [("evaluated by enough experts", f"{EVALUATED:,}", counts.total())]
    if rule.name == APPENDIX:
        passed = f"criteria 1 to 3 hold and N_E is at least {rule.evidence}"
        rows.append((passed, f"{AFTER_RULES:,}", counts[KEPT] + counts[UNFLUENT]))
        rows.append(("of these not linguistically fluent", str(NOT_FLUENT), counts[UNFLUENT]))
    else:
        rows.append((f"negative evaluations: {rule.negatives} or more", SILENT, counts[NEGATIVE]))
    rows.append(("kept", f"{FINAL:,}", counts[KEPT]))
    title = f"What the experts left, by the rule {rule.name}"
    return BuildTable(title, ("samples", "the paper", "here"), tuple(rows))


def reason_table(fates: Iterable[str], rule: Rule) -> BuildTable:
    """Count why samples that enough experts evaluated were left out, each by its first reason."""
    counts = Counter(fates)
    reasons = (*FAILED.values(), OPEN, FEW, UNFLUENT) if rule.name == APPENDIX else (NEGATIVE,)
    return BuildTable(
        "Why samples were left out", ("reason", "samples"), tuple((reason, counts[reason]) for reason in reasons)
    )


def group_table(samples: Sequence[Sample], fates: Mapping[str, str]) -> BuildTable:
    """Count by source and type what enough experts evaluated and what was kept."""
    groups = dict.fromkeys((sample.source, sample.type) for sample in samples)
    evaluated = Counter((sample.source, sample.type) for sample in samples if sample.key in fates)
    kept = Counter((sample.source, sample.type) for sample in samples if fates.get(sample.key) == KEPT)
    rows = tuple((*group, evaluated[group], kept[group]) for group in groups)
    return BuildTable("What the experts left, by source and type", ("source", "type", "evaluated", "kept"), rows)


def vote_table(votes: Sequence[tuple[Sequence[Ballot], Ballot]]) -> BuildTable:
    """Count the votes (ballots and the arbiter's): where raters agree, and what the arbiter says where they do not."""
    counts: Counter[tuple[str, str]] = Counter()
    for ballots, arbiter in votes:
        differ = disputed(ballots)
        for column, vote in ballots[0].items():
            name = PARAGRAPHS if EVIDENCE_COLUMN.fullmatch(column) else column
            settled = arbiter.get(column) if column in differ else vote
            how = "arbiter" if column in differ else "raters"
            counts[name, how if settled is None else f"{how} {settled}"] += 1
    heads = {"raters True": "all yes", "raters False": "all no"}
    heads |= {"arbiter True": "disputed, arbiter yes", "arbiter False": "disputed, arbiter no", "arbiter": "open"}
    questions = (*CRITERIA, PARAGRAPHS, FLUENT)
    rows: Rows = tuple((name, *(counts[name, key] for key in heads)) for name in questions)
    return BuildTable("Votes of the experts", ("question", *heads.values()), rows)


def sweep_table(verdicts: Sequence[Verdict]) -> BuildTable:
    """Count the samples that remain by criteria and by threshold of evidence, as in the paper's Figure 5.

    A row for each combination of criteria, a column for each threshold from 0 to the most paragraphs of a sample. The
    paper prints no numbers in the figure that could stand beside.
    """
    most = max((sum(EVIDENCE_COLUMN.fullmatch(column) is not None for column in one) for one in verdicts), default=0)
    rows: Rows = tuple(
        (name, *(remaining(verdicts, columns, evidence) for evidence in range(most + 1)))
        for name, columns in SWEPT.items()
    )
    heads = tuple(f"N_E ≥ {evidence}" for evidence in range(most + 1))
    return BuildTable("Samples that remain, by criteria and threshold (Figure 5)", ("criteria", *heads), rows)
