"""The signature: how exactly a number came to be, as a mapping that is written out last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.statistics import GENERATOR
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.records import Records
    from medzh_score.scoring_options import Options
    from medzh_score.sent_prompts import SentPrompt
    from medzh_score.sheets import Judgements

Signature = dict[str, str]


def signature_of(  # noqa: PLR0913 - all that a signature is made of
    records: Records,
    sent: SentPrompt,
    options: Options,
    *,
    rule: str,
    items: int,
    runs: int,
    judged: Mapping[str, Judgements],
) -> Signature:
    """Put together how a report's numbers came to be.

    Parameters
    ----------
    records : Records
        What was asked about.
    sent : SentPrompt
        With which prompt, examples and settings.
    options : Options
        How it was scored.
    rule : str
        The chosen rule.
    items, runs : int
        How many were scored.
    judged : mapping of str to Judgements
        Of the later rounds.

    Returns
    -------
    dict of str to str
        Two reports are comparable when theirs are equal.
    """
    drawn = options.bootstrap
    interval = (
        f"bootstrap {drawn.resamples} percentile 95% {GENERATOR} seed {drawn.seed}" if drawn.resamples else "none"
    )
    judges = {"judges": "; ".join(f"{name} {', '.join(who.raters)}" for name, who in judged.items())} if judged else {}
    return {
        "config": records.config,
        "split": records.split,
        "data": str(records.origin),
        "items": str(items),
        "prompt": sent.prompt,
        "shots": sent.shots,
        "decoding": sent.decoding,
        "rule": rule,
        **judges,
        "missing": options.missing,
        "runs": str(runs),
        "ddof": str(options.ddof),
        "interval": interval,
        "medzh_score": VERSION,
    }


def written(signature: Mapping[str, str]) -> str:
    """Write a signature as one line.

    Parameters
    ----------
    signature : mapping of str to str
        Keys in their fixed order.

    Examples
    --------
    >>> written({"config": "sdak", "rule": "official"})
    'config:sdak|rule:official'
    """
    return "|".join(f"{key}:{value}".replace("|", "/") for key, value in signature.items())


def differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Name the keys in which two signatures differ; reports are comparable when there are none.

    Parameters
    ----------
    one, other : mapping of str to str
        Two signatures.

    Examples
    --------
    >>> differences({"rule": "official", "runs": "3"}, {"rule": "strict-1", "runs": "3"})
    ['rule']
    """
    return [key for key in {**one, **other} if one.get(key) != other.get(key)]
