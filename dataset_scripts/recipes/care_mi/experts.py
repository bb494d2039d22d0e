"""CARE-MI's experts: a sheet for two raters, one for the arbiter with what they dispute, and what both leave (A.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.care_mi.filter import (
    CRITERIA,
    EVIDENCE,
    FLUENT,
    KEPT,
    OPEN,
    PAPERS,
    described,
    disputed,
    fate_of,
    relevant,
    verdict_of,
)
from dataset_scripts.recipes.care_mi.tables import filter_table, group_table, reason_table, sweep_table, vote_table
from medzh_score.files.sheets import sheet_bytes
from medzh_score.files.writing import write_bytes
from medzh_score.rounds.filled_cells import NOT_ASKED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import BuildTable
    from dataset_scripts.recipes.care_mi.evidence import Evidence
    from dataset_scripts.recipes.care_mi.filter import Ballot, Rule
    from dataset_scripts.recipes.care_mi.samples import Sample
    from dataset_scripts.rounds.rounds import Rounds

RATERS = 2  # A.1: two judge everything, a third what they dispute
STAGE, ARBITER = "experts", "arbiter"
HOLDS, HOLDS_NOT = "1", "0"
YES, NO = "yes", "no"
PARAGRAPH = "paragraph_{}"
DROPPED = "dropped.csv"


@dataclass(frozen=True)
class Reviewed:
    """What the experts left."""

    kept: tuple[Sample, ...]  # in the order of the samples
    # of each of these, by key, what experts call relevant; ranks stay those of the search
    evidence: Mapping[str, tuple[Evidence, ...]]
    # the paper's counts beside the build's, reasons, groups, votes, and the sweep of Figure 5
    tables: tuple[BuildTable, ...]
    notes: tuple[str, ...]


def review(
    samples: Sequence[Sample], evidence: Mapping[str, Sequence[Evidence]], rounds: Rounds, rule: Rule = PAPERS
) -> Reviewed:
    """Have experts judge the samples and their evidence, and keep what passes.

    Two raters fill in a row for each sample: three criteria, a vote for each paragraph (the fourth criterion: whether
    the answer can be derived from it), and whether the question is fluent. What they dispute, and only that, goes to an
    arbiter; of more than two raters all must agree. Neither sheet depends on the rule. What is not kept stands in
    ``dropped.csv`` of the stage ``experts``, with the reason.
    """
    most = max((len(evidence[sample.key]) for sample in samples), default=0)
    rows = {sample.key: _row(sample, evidence[sample.key], most) for sample in samples}
    columns = _columns(most)
    rated = rounds.ratings(STAGE, rows, columns, raters=RATERS)
    ballots = {key: [_ballot(votes) for votes in by_rater.values()] for key, by_rater in rated.items()}
    ruled = _arbitrate(ballots, rows, columns, rounds)
    verdicts = {key: verdict_of(votes, ruled[key]) for key, votes in ballots.items()}
    fates = {key: fate_of(votes, verdicts[key], rule) for key, votes in ballots.items()}
    _list_dropped(rounds, rows, fates, verdicts)
    kept = tuple(sample for sample in samples if fates.get(sample.key) == KEPT)
    return Reviewed(
        kept=kept,
        evidence={one.key: _relevant(evidence[one.key], verdicts[one.key]) for one in kept},
        tables=(
            filter_table(fates.values(), rule),
            reason_table(fates.values(), rule),
            group_table(samples, fates),
            vote_table([(votes, ruled[key]) for key, votes in ballots.items()]),
            sweep_table(list(verdicts.values())),
        ),
        notes=tuple(_notes(rounds, ballots, fates, rule)),
    )


def _row(sample: Sample, evidence: Sequence[Evidence], most: int) -> dict[str, str]:
    """Lay out what is read; of paragraphs that the sample does not have nothing is asked."""
    return {
        "source": sample.source,
        "type": sample.type,
        "question": sample.question,
        "true_statement": sample.true_statement,
        "false_statement": sample.false_statement,
        **{PARAGRAPH.format(place): one.text for place, one in enumerate(evidence, 1)},
        **{EVIDENCE.format(place): NOT_ASKED for place in range(len(evidence) + 1, most + 1)},
    }


def _columns(most: int) -> dict[str, tuple[str, ...]]:
    evidence = (EVIDENCE.format(place) for place in range(1, most + 1))
    return {**dict.fromkeys((*CRITERIA, *evidence), (HOLDS, HOLDS_NOT)), FLUENT: (YES, NO)}


def _ballot(votes: Mapping[str, str]) -> dict[str, bool]:
    return {column: value in {HOLDS, YES} for column, value in votes.items()}


def _arbitrate(
    ballots: Mapping[str, Sequence[Ballot]],
    rows: Mapping[str, Mapping[str, str]],
    columns: Mapping[str, tuple[str, ...]],
    rounds: Rounds,
) -> dict[str, Ballot]:
    """Ask the arbiter about what raters dispute; give what was said of each sample, nothing where all agree."""
    differ = {key: found for key, votes in ballots.items() if (found := disputed(votes))}
    asked = {
        key: {**rows[key], **dict.fromkeys((column for column in columns if column not in found), NOT_ASKED)}
        for key, found in differ.items()
    }
    votes = rounds.sheet(ARBITER, asked, columns)
    return {key: _ballot(votes.get(key, {})) for key in ballots}


def _relevant(evidence: Sequence[Evidence], verdict: Mapping[str, bool]) -> tuple[Evidence, ...]:
    return tuple(one for place, one in enumerate(evidence, 1) if verdict.get(EVIDENCE.format(place)))


def _list_dropped(
    rounds: Rounds,
    rows: Mapping[str, Mapping[str, str]],
    fates: Mapping[str, str],
    verdicts: Mapping[str, Mapping[str, bool]],
) -> None:
    path = rounds.folder / STAGE / DROPPED
    lost = [
        {"key": key, "reason": fate, "relevant_paragraphs": relevant(verdicts[key]), **rows[key]}
        for key, fate in fates.items()
        if fate != KEPT
    ]
    if not lost:
        path.unlink(missing_ok=True)
        return
    head = dict.fromkeys(column for row in lost for column in row if not column.startswith(EVIDENCE.format("")))
    write_bytes(path, sheet_bytes(tuple(head), ({name: row.get(name, "") for name in head} for row in lost)))


def _notes(
    rounds: Rounds, ballots: Mapping[str, Sequence[Ballot]], fates: Mapping[str, str], rule: Rule
) -> Iterator[str]:
    yield f"expert filter: {described(rule)}"
    more = sum(len(votes) > RATERS for votes in ballots.values())
    if more:
        yield f"{more:,} samples were rated by more than {RATERS}: what not all of them agree on went to the arbiter"
    accounts = rounds.summaries
    raters = set(accounts[STAGE].by) if STAGE in accounts else set()
    both = sorted(raters & set(accounts[ARBITER].by)) if ARBITER in accounts else []
    if both:
        yield f"the arbiter was also one of the raters: {', '.join(both)}"
    left = sum(fate == OPEN for fate in fates.values())
    if left:
        yield f"{left:,} samples were left out because {OPEN}"
