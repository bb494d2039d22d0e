"""By which rule the responses of later rounds are read, where a newer one was asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.config import pick
from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.config import Config
    from medzh_score.round import Round


def with_round_rules(config: Config, chosen: Mapping[str, str]) -> Config:
    """Let rounds read responses by newer rules.

    Parameters
    ----------
    config : Config
        Whose rounds they are.
    chosen : mapping of str to str
        By the round's name the rule's.

    Returns
    -------
    Config
        The same where nothing was chosen.

    Raises
    ------
    MedzhError
        If there is no such round, or it has no such rule.
    """
    for name in chosen:
        pick("--round-rule", config.rounds, name)
    if not chosen:
        return config
    rounds = tuple(_by(later, chosen[later.name]) if later.name in chosen else later for later in config.rounds)
    return replace(config, rounds=rounds)


def _by(later: Round, rule: str) -> Round:
    newer = later.model.newer if later.model else {}
    if later.model is None or rule not in newer:
        problem, known = f"round {later.name} has no such rule", ", ".join(newer)
        raise MedzhError(problem, field="--round-rule", expected=known or "none", found=rule)
    return replace(later, model=replace(later.model, read=newer[rule]))
