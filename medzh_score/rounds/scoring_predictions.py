"""What came back about single predictions, on its way into a report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.about_predictions import AUDIT, SECOND
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.rules import OURS
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.reading_answers import collect
from medzh_score.prompts.codes import no_order
from medzh_score.rounds.audit import audited, weights
from medzh_score.rounds.reading_items import refuse_none, restated
from medzh_score.rounds.reading_predictions import Replies, read_replies
from medzh_score.rounds.second_reading import WITHOUT, Policy, completed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.rules import Rule
    from medzh_score.predictions.collected import Collected
    from medzh_score.predictions.options import Options
    from medzh_score.prompts.codes import SentOrder
    from medzh_score.rounds.audit import Audit
    from medzh_score.rounds.binding import Predictions
    from medzh_score.rounds.second_reading import SecondReading

Files = dict[str, "Sequence[Path]"]


@dataclass(frozen=True)
class PredictionsRead:
    """What came back about single predictions.

    Second readings stand in the answers of our rule and, where they are of its responses, in what was judged; the same
    without them stands beside. ``about`` is what the rounds are about: the first answers, or responses.
    """

    collected: Collected
    judged: Mapping[str, Mapping[str, Judgements]]
    about: Collected
    replies: Mapping[str, Replies]
    second: SecondReading | None = None

    def without(self, rule: str) -> str:
        """Name the result without second readings: the rule's own where there is none beside it."""
        return rule if self.second is None else f"{rule} {WITHOUT}"

    def notes(self, audit: Audit | None, models: Sequence[str]) -> list[str]:
        """Say what came back, and what to beware of."""
        second = () if self.second is None else self.second.notes(self.replies.get(SECOND, Replies()), models)
        return [*second, *(() if audit is None else audit.notes(self.replies[AUDIT], models))]


def by_key(config: Config, rounds: Mapping[str, Sequence[Path]]) -> tuple[Files, Files]:
    """Tell rounds about items from those about single predictions."""
    keyed: dict[str, Files] = {"item": {}, "prediction": {}}
    for name, paths in rounds.items():
        keyed[pick("--round", config.every_round, name).keyed][name] = paths
    return keyed["item"], keyed["prediction"]


def check_rule(config: Config, rule: Rule, options: Options) -> None:
    """Refuse an audit of a rule that reads nothing, and second readings by nobody, or that would not enter the rule."""
    if AUDIT in options.rounds and config.reads is not None and rule.name not in config.reads.rules:
        problem, those = "reads no answers from texts to be audited", " or ".join(config.reads.rules)
        raise MedzhError(problem, field="--rule", expected=those, found=rule.name)
    if options.second_reader is not None and not options.second_reader.strip():
        raise MedzhError("is blank", field="--second-reader", expected="who read", advice="name the reader")
    if options.second_reader is None:
        if SECOND in options.rounds:
            advice = "it is signed, also where nothing was due"
            raise MedzhError(
                f"is needed with round {SECOND}", field="--second-reader", expected="who read", advice=advice
            )
        if options.unclear:
            raise MedzhError("says what a second reader reads", field="--unclear", advice="name one: --second-reader")
        return
    if config.reads is None or not config.reads.second:
        raise MedzhError("has no second reading", field="--second-reader", found=config.name)
    if rule.name != OURS:
        raise MedzhError(f"second readings enter rule {OURS} only", field="--rule", expected=OURS, found=rule.name)


def predictions_read(  # noqa: PLR0913, PLR0917 - what was asked for, and all that came
    config: Config,
    rule: Rule,
    options: Options,
    collected: Collected,
    judged: Mapping[str, Judgements],
    at_hand: Predictions,
    orders: Mapping[str, SentOrder],
) -> PredictionsRead:
    """Read what came back about single predictions, and complete the answers of our rule by it."""
    files = by_key(config, options.rounds)[1]
    of = config.reads.of if config.reads else None
    about = collected
    if of is not None and (files or options.second_reader):
        refuse_none(config, at_hand)
        about = collect(at_hand.ids, at_hand.asked, [of.rule], at_hand.files)
    replies = {
        name: read_replies(
            pick("--round", config.every_round, name), paths, config, at_hand, orders.get(name, no_order)
        )
        for name, paths in files.items()
    }
    by_rule = dict.fromkeys(collected.tables, judged)
    if options.second_reader is None or config.reads is None:
        return PredictionsRead(collected, by_rule, about, replies)
    table = about.tables[rule.name]
    read, account = completed(
        table,
        at_hand,
        replies.get(SECOND, Replies()),
        config.reads,
        Policy(options.second_reader, options.unclear),
    )
    without = f"{rule.name} {WITHOUT}"
    about = replace(about, tables={**about.tables, rule.name: read, without: table})
    by_rule[without] = judged
    if of is None:
        return PredictionsRead(about, by_rule, about, replies, account)
    (column,) = pick("--round", config.rounds, of.round).values
    again = restated(judged[of.round], read, at_hand.ids, column, options.second_reader)
    by_rule[rule.name] = {**judged, of.round: again}
    tables = {**collected.tables, without: collected.tables[rule.name]}
    return PredictionsRead(replace(collected, tables=tables), by_rule, about, replies, account)


def audit_of(
    config: Config,
    came: PredictionsRead,
    statistics: Mapping[str, NDArray[np.float64]],
    at_hand: Predictions,
    rule: str,
) -> Audit | None:
    """Count the errors of rules on what was audited; None where nothing was."""
    if AUDIT not in came.replies or config.reads is None:
        return None
    about = came.about
    covered = about.coverage(next(iter(about.tables)))  # the texts are the same for every rule
    return audited(
        came.replies[AUDIT],
        about.tables,
        at_hand.places,
        config.reads,
        with_text=covered.read - covered.empty - covered.too_long,
        shares=weights(config.metrics, config.reads.shares, statistics[rule], came.collected.tables[rule]),
    )
