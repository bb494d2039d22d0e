"""What came back about single predictions, on its way into a report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medzh_score.config import OURS, pick
from medzh_score.errors import MedzhError
from medzh_score.rounds.audit import audited, weights
from medzh_score.rounds.coming_back import Replies, read_replies
from medzh_score.rounds.declared import AUDIT, SECOND
from medzh_score.rounds.second_reading import WITHOUT, Policy, completed, refuse_lacking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.answers import Collected
    from medzh_score.config import Config, Rule
    from medzh_score.rounds.audit import Audit
    from medzh_score.rounds.predictions import Predictions
    from medzh_score.rounds.second_reading import SecondReading
    from medzh_score.scoring_options import Options

Files = dict[str, "Sequence[Path]"]


@dataclass(frozen=True)
class CameBack:
    """What came back about single predictions.

    Attributes
    ----------
    collected : Collected
        With second readings in the answers of our rule, and those without them beside it.
    replies : mapping of str to Replies
        By round.
    second : SecondReading or None
        An account of second readings, where somebody was to read.
    """

    collected: Collected
    replies: Mapping[str, Replies]
    second: SecondReading | None = None

    def notes(self, audit: Audit | None, models: Sequence[str]) -> list[str]:
        """Say what came back, and what to beware of.

        Parameters
        ----------
        audit : Audit or None
            What the audit found.
        models : sequence of str
            Who gave the first answers.
        """
        second = () if self.second is None else self.second.notes(self.replies.get(SECOND, Replies()), models)
        return [*second, *(() if audit is None else audit.notes(self.replies[AUDIT], models))]


def by_key(config: Config, rounds: Mapping[str, Sequence[Path]]) -> tuple[Files, Files]:
    """Tell rounds about items from those about single predictions.

    Parameters
    ----------
    config : Config
        Whose rounds they are.
    rounds : mapping of str to sequence of Path
        The files by round.

    Raises
    ------
    MedzhError
        If there is no such round.
    """
    keyed: dict[str, Files] = {"item": {}, "prediction": {}}
    for name, paths in rounds.items():
        keyed[pick("--round", config.every_round, name).keyed][name] = paths
    return keyed["item"], keyed["prediction"]


def check_rule(config: Config, rule: Rule, options: Options) -> None:
    """Refuse an audit of a rule that reads nothing, and second readings by nobody, or that would not enter the rule.

    Parameters
    ----------
    config : Config
        The benchmark.
    rule : Rule
        The chosen one.
    options : Options
        As given.

    Raises
    ------
    MedzhError
        Names the option.
    """
    if AUDIT in options.rounds and config.reads is not None and rule.name not in config.reads.rules:
        problem, those = "reads no answers from texts to be audited", " or ".join(config.reads.rules)
        raise MedzhError(problem, field="--rule", expected=those, found=rule.name)
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
        raise MedzhError(
            f"second readings enter rule {OURS} only",
            field="--rule",
            expected=OURS,
            found=rule.name,
        )


def came_back(config: Config, rule: Rule, options: Options, collected: Collected, at_hand: Predictions) -> CameBack:
    """Read what came back about single predictions, and complete the answers of our rule by it.

    Parameters
    ----------
    config : Config
        The benchmark.
    rule : Rule
        The chosen one.
    options : Options
        How it is scored.
    collected : Collected
        What was read.
    at_hand : Predictions
        The predictions.

    Raises
    ------
    MedzhError
        If a file is faulty, or a second reading is missing and that is an error.
    """
    replies = {
        name: read_replies(pick("--round", config.every_round, name), paths, config, at_hand)
        for name, paths in by_key(config, options.rounds)[1].items()
    }
    if options.second_reader is None or config.reads is None:
        return CameBack(collected, replies)
    table = collected.tables[rule.name]
    read, account, missing = completed(
        table,
        at_hand,
        replies.get(SECOND, Replies()),
        config.reads,
        Policy(options.second_reader, options.unclear),
    )
    if options.missing == "error":
        refuse_lacking(missing, options.rounds)
    tables = {**collected.tables, rule.name: read, f"{rule.name} {WITHOUT}": table}
    return CameBack(replace(collected, tables=tables), replies, account)


def audit_of(
    config: Config, came: CameBack, statistics: Mapping[str, NDArray[np.float64]], at_hand: Predictions, rule: str
) -> Audit | None:
    """Count the errors of rules on what was audited; None where nothing was.

    Parameters
    ----------
    config : Config
        The benchmark.
    came : CameBack
        What came back.
    statistics : mapping of str to array, shape (items, runs, k)
        By rule.
    at_hand : Predictions
        The predictions.
    rule : str
        The chosen one.
    """
    if AUDIT not in came.replies or config.reads is None:
        return None
    collected = came.collected
    return audited(
        came.replies[AUDIT],
        collected.tables,
        at_hand.places,
        config.reads,
        with_text=collected.read - collected.empty,
        shares=weights(config.metrics, config.reads.shares, statistics[rule], collected.tables[rule]),
    )
