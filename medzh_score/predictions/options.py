"""How predictions are scored: everything that a user can choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003 - the types of the fields are looked up
from dataclasses import dataclass, field
from pathlib import Path  # noqa: TC003
from typing import Literal, get_args

from medzh_score.messages.errors import MedzhError
from medzh_score.statistics.values import Bootstrap, Kind

Missing = Literal["error", "wrong", "skip"]


@dataclass(frozen=True)
class Options:
    """How predictions are scored.

    A new field is stated in reports under its own name, and taken back from there by ``verify``, if msgspec can write
    and read its type: see `stated_options`.

    Attributes
    ----------
    rule : str or None
        What stands in the report's ``metrics``; None is the config's first, the paper's.
    missing : {"error", "wrong", "skip"}
        What a missing prediction is: an error, a wrong answer, or a reason to drop its unit from all runs.
    bootstrap : Bootstrap
        Resamples and seed of the intervals.
    interval : {"auto", "bootstrap"}
        Wilson's for shares and the bootstrap for all other metrics, or the bootstrap for all.
    ddof : int
        Of the standard deviation over runs; 1 unless the population's is wanted.
    reader : str or None
        The form of the files; None recognises it.
    file_per_run : bool
        Number the files as runs.
    rounds : mapping of str to list of Path
        Filled sheets and models' responses of later rounds.
    prompts : sequence of Path
        The prompts file that was sent, or all into which it was split; empty where it is not stated.
    dictionary : sequence of Path
        Names that answers are read by, in the place of the config's own; empty for its own.
    items : Path or None
        Where to write a line per item and run.
    model : str or None
        What the system is called; whom the files name stands beside it.
    second_reader : str or None
        Who reads what the rule leaves unread, also where nothing is; None where nobody does.
    unclear : bool
        Whether they also read what the rule reads without being clear.
    allow_fragments : bool
        Whether ``skip`` may take a run that lacks more than a twentieth of what the fullest run has.
    variants : str or None
        The variants that were asked, in the words of ``prompts --variants``; a number as N:SEED where a seed was given.
    round_sample : mapping of str to str
        Which sample was drawn in later rounds, as ``N:SEED`` or ``all``; of other rounds their own.
    """

    rule: str | None = None
    missing: Missing = "error"
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    interval: Kind = "auto"
    ddof: int = 1
    reader: str | None = None
    file_per_run: bool = False
    rounds: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    prompts: Sequence[Path] = ()
    dictionary: Sequence[Path] = ()
    items: Path | None = None
    model: str | None = None
    second_reader: str | None = None
    unclear: bool = False
    allow_fragments: bool = False
    variants: str | None = None
    round_sample: Mapping[str, str] = field(default_factory=dict)


def check_options(options: Options) -> None:
    """Refuse what the command's own parser refuses, for callers from Python."""
    if options.model is not None and not options.model.strip():
        raise MedzhError("is blank", field="--model", expected="what the system is called", advice="or leave it out")
    for name, given, allowed in (
        ("missing", options.missing, get_args(Missing)),
        ("interval", options.interval, get_args(Kind)),
        ("ddof", options.ddof, (0, 1)),
    ):
        if given not in allowed:
            expected = " or ".join(map(str, allowed))
            raise MedzhError("there is no such choice", field=f"--{name}", expected=expected, found=given)
    for name, number in (("bootstrap", options.bootstrap.resamples), ("seed", options.bootstrap.seed)):
        if number < 0:
            raise MedzhError("is negative", field=f"--{name}", expected="a number from 0", found=number)
