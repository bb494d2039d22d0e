"""How predictions are scored: everything that a user can choose, and how a report states it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003 - the types of the fields are looked up
from dataclasses import dataclass, field, fields
from pathlib import Path  # noqa: TC003
from typing import Any, Literal, get_args, get_type_hints

import msgspec

from medzh_score.stats.values import Bootstrap, Kind
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _

Missing = Literal["error", "wrong", "skip"]


MOST = 1_000_000  # resamples, which take minutes


@dataclass(frozen=True)
class ScoringOptions:
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
    stages: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    prompts: Sequence[Path] = ()
    dictionary: Sequence[Path] = ()
    items: Path | None = None
    model: str | None = None
    annotator: str | None = None
    fallback_extractor: str | None = None
    include_ambiguous: bool = False
    allow_partial_runs: bool = False
    variants: str | None = None
    stage_sample: Mapping[str, str] = field(default_factory=dict)
    keep_reasoning: bool = False
    digests: bool = True  # of predictions, 32 bytes each: what is never saved needs none


def check_options(options: ScoringOptions) -> None:
    """Refuse what the command's own parser refuses, for callers from Python."""
    if options.model is not None and not options.model.strip():
        expected, advice = _("a system name"), _("set a name or omit the option")
        raise MedzhError(_("the value is blank"), field="--model", expected=expected, advice=advice)
    for name, given, allowed in (
        ("missing", options.missing, get_args(Missing)),
        ("interval", options.interval, get_args(Kind)),
        ("ddof", options.ddof, (0, 1)),
    ):
        if given not in allowed:
            expected = " or ".join(map(str, allowed))
            raise MedzhError(_("invalid choice"), field=f"--{name}", expected=expected, found=given)
    for name, number in (("bootstrap", options.bootstrap.resamples), ("seed", options.bootstrap.seed)):
        if number < 0:
            raise MedzhError(
                _("the number is negative"), field=f"--{name}", expected=_("an integer of at least 0"), found=number
            )
    check_count("--bootstrap", options.bootstrap.resamples)


def check_count(option: str, number: int) -> None:
    """Refuse more resamples or swaps than anybody waits for."""
    if number > MOST:
        raise MedzhError(
            _("the number is too large"), field=option, expected=_("at most {most}", most=MOST), found=number
        )


FILES = ("prompts", "dictionary")  # read as what they are called
ROUND = "round "  # before the round's name: as what its files are read
MOVES_NOTHING = ("items", "digests")  # say where or what is written
RENAMED = {"reader": "from"}  # as the command has it


def stated(options: ScoringOptions) -> dict[str, object]:
    """Give what a report says was asked for; files by their names only."""
    said: dict[str, object] = {}
    for name in _stated_fields():
        value = getattr(options, name)
        if name == "bootstrap":
            said |= {"bootstrap": value.resamples, "seed": value.seed}
        elif name == "stages":
            said[name] = {stage_name: _names(paths) for stage_name, paths in value.items()}
        else:
            said[RENAMED.get(name, name)] = _names(value) if name in FILES else msgspec.to_builtins(value)
    return said


def options_again(said: Mapping[str, Any], files: Mapping[str, Sequence[Path]]) -> ScoringOptions:
    """Make options of what a report states."""
    hints = get_type_hints(ScoringOptions)
    found: dict[str, Any] = {}
    for name in _stated_fields():
        if name == "bootstrap":
            found[name] = Bootstrap(_said(said, "bootstrap", int), _said(said, "seed", int))
        elif name == "stages":
            named = _said(said, name, dict[str, list[str]])
            found[name] = {one: tuple(files.get(ROUND + one, ())) for one in named}
        elif name in FILES:
            found[name] = tuple(files.get(name, ()))
        else:
            found[name] = _said(said, RENAMED.get(name, name), hints[name])
    return ScoringOptions(**found)


def _stated_fields() -> list[str]:
    return [one.name for one in fields(ScoringOptions) if one.name not in MOVES_NOTHING]


def _names(paths: Sequence[Path]) -> list[str]:
    return [printable(path.name) for path in paths]


def _said(said: Mapping[str, Any], name: str, kind: Any) -> Any:  # noqa: ANN401 - as the field is declared
    advice = _("score again with this version, because the report does not contain all options that affect its numbers")
    if name not in said:
        raise MedzhError(_("an argument is missing from the report"), field=f"arguments.{name}", advice=advice)
    try:
        return msgspec.convert(said[name], kind)
    except msgspec.ValidationError as error:
        where = {"field": f"arguments.{name}", "found": said[name]}
        raise MedzhError(_("wrong type"), **where, advice=advice) from error
