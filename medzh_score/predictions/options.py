"""How predictions are scored: everything that a user can choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003 - the types of the fields are looked up
from dataclasses import dataclass, field
from pathlib import Path  # noqa: TC003
from typing import Literal, get_args

from medzh_score.messages.errors import MedzhError
from medzh_score.statistics.values import Bootstrap, Kind

Missing = Literal["error", "wrong", "skip"]
MOST = 1_000_000  # resamples, which take minutes


@dataclass(frozen=True)
class Options:
    """How predictions are scored; `score` says what each option is.

    A new field is stated in reports under its own name, and taken back from there by ``verify``, if msgspec can write
    and read its type: see `stated_options`.
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
    keep_reasoning: bool = False


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
    if options.bootstrap.resamples > MOST:
        raise MedzhError(
            "is too many", field="--bootstrap", expected=f"at most {MOST}", found=options.bootstrap.resamples
        )
