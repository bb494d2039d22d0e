"""The audit of rules: how often they read wrongly, invent or miss an answer, and by how much a share could be off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.answers import WITHOUT
from medzh_score.benchmark.config import Table
from medzh_score.stages.fallback import agrees, reading_of
from medzh_score.stats.intervals import exact_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.benchmark.rules import Reads
    from medzh_score.readers.align import AlignedAnswers
    from medzh_score.stages.binding import AvailableAnswers
    from medzh_score.stages.replies import ReadAnswer, Replies


WRONG, INVENTED, MISSED, ANY = "wrong", "invented", "missed", "any of them"
KINDS = (WRONG, INVENTED, MISSED, ANY)
BOUND = (
    "Largest possible error of a share in percentage points (95% confidence): 100 × upper end of the "
    "interval for any error × answers with a text / (counted × runs × option orders)"
)


class Rate(msgspec.Struct, frozen=True):
    """How many of the audited answers have an error of one kind."""

    count: int
    of: int

    def as_dict(self) -> dict[str, Any]:
        """Give it with its share and the exact interval of this."""
        low, high = exact_interval(self.count, self.of) if self.of else (None, None)
        return {
            "count": self.count,
            "of": self.of,
            "value": self.count / self.of if self.of else None,
            "low": low,
            "high": high,
        }


class Rates(msgspec.Struct, frozen=True, rename={"any_of_them": ANY}):
    """The errors of a rule on audited answers by kind, and by how many points each share could be off at most."""

    wrong: Rate
    invented: Rate
    missed: Rate
    any_of_them: Rate
    points: dict[str, float]

    def by_kind(self) -> dict[str, dict[str, Any]]:
        """Give the errors by kind."""
        rates = (self.wrong, self.invented, self.missed, self.any_of_them)
        return {kind: rate.as_dict() for kind, rate in zip(KINDS, rates, strict=True)}


class Audit(msgspec.Struct, frozen=True):
    """What an audit found of each rule that reads texts; rows without a value are unread, and not audited."""

    rules: dict[str, Rates]
    unparsed: int

    def as_dict(self) -> dict[str, Any]:
        """Give it as it stands in a report: shares from 0 to 1, points in hundredths."""
        rules = {name: {**rates.by_kind(), "points": rates.points} for name, rates in self.rules.items()}
        return {"unparsed": self.unparsed, "rules": rules}

    def tables(self) -> list[Table]:
        """Show the rates with their exact intervals in percent, and the bounds."""
        rows = []
        for name, rates in self.rules.items():
            for kind, rate in rates.by_kind().items():
                percent = [rate[key] and 100 * rate[key] for key in ("value", "low", "high")]
                rows.append((name, kind, rate["count"], rate["of"], *percent))
        made = [
            Table(
                "Audit: answers that a rule extracts incorrectly, invents or misses, among the audited answers",
                ("rule", "error", "answers", "of", "percent", "low", "high"),
                tuple(rows),
            )
        ]
        bounds = [(name, share, points) for name, rates in self.rules.items() for share, points in rates.points.items()]
        return [*made, Table(BOUND, ("rule", "share", "points"), tuple(bounds))] if bounds else made


def audited(  # noqa: PLR0913 - what was said, what was read, and what a share is counted over
    replies: Replies,
    tables: Mapping[str, AnswerTable],
    places: Mapping[str, int],
    reads: Reads,
    *,
    with_text: int,
    shares: Mapping[str, float],
) -> Audit:
    """Compare what a reader says of drawn answers with what rules read."""
    rules = {}
    for name, table in tables.items():
        if name.removesuffix(f" {WITHOUT}") not in reads.rules:
            continue
        pairs = [(reading_of(table, places, key), said) for key, said in replies.values.items()]
        counts = _error_counts(((found, said) for found, said in pairs if found is not None), reads)
        upper = exact_interval(counts[ANY], len(pairs))[1] if pairs else 1.0
        points = {share: min(100.0, 100 * upper * with_text / over) for share, over in shares.items()}
        wrong, invented, missed, any_of_them = (Rate(counts[kind], len(pairs)) for kind in KINDS)
        rules[name] = Rates(wrong, invented, missed, any_of_them, points)
    return Audit(rules, len(replies.lacking))


def _error_counts(pairs: Iterable[tuple[Answer, ReadAnswer]], reads: Reads) -> dict[str, int]:
    counts = dict.fromkeys(KINDS, 0)
    for found, said in pairs:
        if not agrees(found, said, reads):
            counts[MISSED if found.value is None else INVENTED if said.value is None else WRONG] += 1
            counts[ANY] += 1
    return counts


def weights(
    metrics: Sequence[Metric], names: Sequence[str], counts: NDArray[np.float64], table: AnswerTable
) -> dict[str, float]:
    """Say of each share over how many answers it is taken, as if each answer moved it by one of them.

    An answer can move an item, or a group, by no more than its own part: one, or one in as many variants as the
    record was asked in. The fewest variants, and the run with the fewest items, bound all others.
    """
    fewest = max(1, int(table.expected.sum(axis=1).min()))
    over = {one.name: float(counts[..., one.denominator].sum(axis=0).min()) for one in metrics if one.name in names}
    return {name: items * len(table.runs) * fewest for name, items in over.items() if items}


def audit_of(  # noqa: PLR0913, PLR0917 - what was said, of which answers, and what counts
    config: Config,
    replies: Replies,
    about: AlignedAnswers,
    table: AnswerTable,
    counts: NDArray[np.float64],
    available: AvailableAnswers,
) -> Audit | None:
    """Count the errors of rules on what was audited."""
    if config.reads is None:
        return None
    covered = about.coverage(next(iter(about.tables)))  # the texts are the same for every rule
    return audited(
        replies,
        about.tables,
        available.places,
        config.reads,
        with_text=covered.read - covered.empty - covered.too_long,
        shares=weights(config.metrics, config.reads.shares, counts, table),
    )
