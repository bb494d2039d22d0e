"""The signature: how exactly a number came to be, as a mapping that is written out last."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from medzh_score.statistics import GENERATOR
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from medzh_score.answers import AnswerTable, Collected
    from medzh_score.records import Records
    from medzh_score.scoring_options import Options
    from medzh_score.sent_prompts import SentPrompt
    from medzh_score.sheets import Judgements

Signature = dict[str, str]
LISTED = 10  # variants that are written out


def signature_of(  # noqa: PLR0913 - all that a signature is made of
    records: Records,
    sent: SentPrompt,
    options: Options,
    *,
    items: int,
    collected: Collected,
    rule: str,
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
    items : int
        How many were scored.
    collected : Collected
        What was read: its runs and variants, and whether groups were asked as a whole.
    rule : str
        The chosen rule.
    judged : mapping of str to Judgements
        Of the later rounds.

    Returns
    -------
    dict of str to str
        Two reports are comparable when theirs are equal.
    """
    drawn, table = options.bootstrap, collected.tables[rule]
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
        **({"asked": collected.asked} if collected.asked else {}),
        **({"variants": written_variants(table)} if table.variants != (0,) else {}),
        "rule": rule,
        **judges,
        "missing": options.missing,
        "runs": str(len(table.runs)),
        "ddof": str(options.ddof),
        "interval": interval,
        "medzh_score": VERSION,
    }


def written_variants(table: AnswerTable) -> str:
    """Write which variants the records were asked in.

    Parameters
    ----------
    table : AnswerTable
        What was read.

    Returns
    -------
    str
        For each set of variants that records share their count and numbers, as a range where they are one, as the
        first eight hex digits of their SHA-256 where they are many.

    Examples
    --------
    >>> import numpy as np
    >>> from medzh_score.answers import AnswerTable
    >>> written_variants(AnswerTable((0,), (0, 3, 4), {}, np.array([[True, True, True], [True, False, False]])))
    '1 (0); 3 (0,3,4)'
    """
    sets = {tuple(number for number, asked in zip(table.variants, row, strict=True) if asked) for row in table.due}
    return "; ".join(f"{len(numbers)} ({_written_numbers(numbers)})" for numbers in sorted(sets, key=_by_size))


def _by_size(numbers: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return len(numbers), numbers


def _written_numbers(numbers: tuple[int, ...]) -> str:
    listed = ",".join(map(str, numbers))
    if len(numbers) > 2 and numbers == tuple(range(len(numbers))):  # noqa: PLR2004 - a range of two is a list
        return f"0-{numbers[-1]}"
    return listed if len(numbers) <= LISTED else hashlib.sha256(listed.encode("ascii")).hexdigest()[:8]


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
